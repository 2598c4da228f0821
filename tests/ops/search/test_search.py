"""Searching a vault as a program sees it: JSON, git, and an index in the way."""

import errno
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.world import World


@pytest.fixture
def vault(world: World) -> World:
    world.vault("template")
    world.commit()
    return world


def _search(world: World, *args: str) -> dict[str, Any]:
    done = world.call("search", *args, "--json")
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_the_answer_is_one_document(vault):
    document = _search(vault, "when is heat clamped", "--project", "mech-fighters")
    took = document.pop("took_ms")
    assert 0 <= took < 10_000
    results = document.pop("results")
    assert document == {
        "query": "when is heat clamped",
        "total": len(results),
        "topic_fallback": False,
    }
    assert results[0] == {
        "id": "heat-is-clamped-after-the-shot-41c7d2",
        "path": "projects/mech-fighters/memory/insights/"
        "heat-is-clamped-after-the-shot-41c7d2.md",
        "scope": "project:mech-fighters",
        "title": "Heat is clamped after the shot, not before",
        "snippet": results[0]["snippet"],
        "score": 1.0,
        "relevance": 1.0,
        "topic": "combat",
        "kind": "insight",
        "tags": ["insight", "combat"],
        "importance": 0.7,
        "created": "2026-04-07T00:00:00Z",
        "updated": None,
        "superseded_by": None,
    }


def test_a_search_in_a_fresh_clone_leaves_git_alone(vault):
    assert not (vault.root / ".toolmem").exists()
    _search(vault, "heat")
    assert (vault.root / ".toolmem" / "index").is_dir()
    assert vault.git("status", "--porcelain") == ""


def test_an_edited_a_new_and_a_deleted_memory_are_seen_at_once(vault):
    assert vault.call("search", "quaternions").stdout == ""
    path = "system/memory/new.md"
    vault.write(path, "# Quaternions turn mechs\n\nNo gimbal lock.\n")
    assert _search(vault, "quaternions")["results"][0]["path"] == path
    vault.write(path, "# Euler angles turn mechs\n\nThere is gimbal lock.\n")
    assert vault.call("search", "quaternions").stdout == ""
    assert _search(vault, "euler")["results"][0]["path"] == path
    (vault.root / path).unlink()
    assert vault.call("search", "euler").stdout == ""


def test_another_branch_is_another_answer(vault):
    vault.git("checkout", "--quiet", "-b", "other")
    vault.write("system/memory/b.md", "# Quokkas differ\n\nOnly here.\n")
    vault.commit()
    assert _search(vault, "quokkas")["results"][0]["id"] == "b"
    vault.git("checkout", "--quiet", "-")
    assert vault.call("search", "quokkas").stdout == ""


def test_documents_elsewhere_change_no_byte_of_an_answer(vault):
    args = ("heat turn weapons", "--project", "mech-fighters")
    before = _search(vault, *args)
    for number in range(30):
        text = f"# Heat {number}\n\nWeapons and heat and turns, all day long.\n"
        vault.write(f"projects/other/memory/m{number}.md", text)
        vault.write(f"agents/helper-1/memory/n{number}.md", text)
    after = _search(vault, *args)
    before.pop("took_ms")
    after.pop("took_ms")
    assert after == before


@pytest.mark.parametrize("damage", ["missing", "zero", "half", "garbage"])
def test_a_damaged_index_is_said_or_rebuilt_and_the_answer_stands(vault, damage):
    expected = _search(vault, "heat")["results"]
    index = vault.root / ".toolmem" / "index"
    for file in [path for path in index.rglob("*") if path.is_file()]:
        if not file.exists():
            continue
        data = file.read_bytes()
        # A new file in its place: cutting one that is still mapped is a bus error.
        file.unlink()
        if damage != "missing":
            cut = {"zero": b"", "half": data[: len(data) // 2], "garbage": b"\xff" * 99}
            file.write_bytes(cut[damage])
        assert _search(vault, "heat")["results"] == expected


def test_an_index_that_cannot_be_written_is_passed_over_and_said(vault):
    (vault.root / ".toolmem").write_text("in the way")
    done = vault.call("search", "heat", "--limit", "1")
    assert done.code == 0
    assert "every file was read instead" in done.stderr
    assert "heat-is-clamped" in done.stdout


_READ_ONLY = """
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99
shift
exec "$@"
"""


@pytest.mark.parametrize("indexed", [True, False])
def test_a_vault_on_a_medium_that_is_read_only_is_searched(vault, indexed):
    if indexed:
        _search(vault, "heat")
    program = (sys.executable, "-m", "toolmem", "--vault", str(vault.root))
    words = ("unshare", "--map-root-user", "--mount", "sh", "-c", _READ_ONLY, "sh")
    try:
        done = subprocess.run(
            [*words, str(vault.root), *program, "search", "heat", "-n", "1"],
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("nothing may be mounted here")
    assert done.returncode == 0, done.stderr
    assert "heat-is-clamped" in done.stdout
    assert "every file was read instead" in done.stderr
    assert "damaged" not in done.stderr
    assert done.stdout == vault.call("search", "heat", "-n", "1").stdout.replace(
        "/world", str(vault.root)
    )


def test_with_too_few_on_the_topic_all_topics_are_searched_and_said(vault):
    for number in range(3):
        name = f"projects/mech-fighters/memory/t{number}.md"
        vault.write(name, f"---\ntopic: heat\n---\n# Heat note {number}\n\nHeat.\n")
    args = ("heat", "--project", "mech-fighters")
    assert not _search(vault, *args, "--topic", "heat")["topic_fallback"]
    document = _search(vault, *args, "--topic", "cooling")
    assert document["topic_fallback"]
    assert len(document["results"]) >= 3


def test_a_memory_is_expected_by_the_beginning_of_its_id(vault):
    done = vault.call("search", "heat", "--expect", "heat-is")
    assert done.stderr == (
        "toolmem: heat-is-clamped-after-the-shot-41c7d2 is number 1\n"
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "long-000001 is number 30"),
        (["--topic", "heat"], "contains words searched for, but a filter keeps it out"),
        (["--since", "2026-05-01"], "searched for, but a filter keeps it out"),
        (["--tag", "x"], "is in a scope that was not searched, or a filter keeps it"),
    ],
)
def test_why_a_memory_with_the_words_is_missing(vault, options, reason):
    for number in range(301):
        topic = "heat" if number < 5 else "other"
        vault.write(
            f"system/memory/token-{number:06}.md",
            f"---\ntopic: {topic}\ncreated: 2026-06-01\n---\n# Token {number}\n",
        )
    text = f"# Long\n\n{'filler ' * 300}token\n"
    vault.write("system/memory/long-000001.md", f"---\ntopic: a\n---\n{text}")
    done = vault.call("search", "token", *options, "--expect", "long-000001")
    assert reason in done.stderr


@pytest.mark.parametrize("folder", ["system/memory", "projects"])
def test_a_folder_that_cannot_be_listed_is_named(vault, monkeypatch, folder):
    real = os.open

    def refusing(path, *args, **more):
        if str(path).endswith((f"/{folder}", "/agents/other")):
            raise PermissionError(errno.EACCES, "refused", path)
        return real(path, *args, **more)

    vault.write("agents/other/memory/heat-000001.md", "# Heat\n")
    vault.write("system/memory/heat-000002.md", "# Heat\n")
    monkeypatch.setattr(os, "open", refusing)
    assert vault.call("search", "zebra").stderr == (
        f"toolmem: {folder} cannot be listed: its content is not searched as it is"
        " now\ntoolmem: nothing found for 'zebra'\n"
    )


@pytest.mark.parametrize("indexed", [True, False])
def test_a_file_that_cannot_be_read_is_named_to_a_person_who_sees_its_scope(
    vault, monkeypatch, indexed
):
    real = os.open

    def refusing(path, *args, **more):
        if str(path).endswith("closed-000001.md"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path, *args, **more)

    for scope in ("system", "agents/other"):
        vault.write(f"{scope}/memory/closed-000001.md", "# Zebra\n")
    if not indexed:
        (vault.root / ".toolmem").write_text("in the way")
    monkeypatch.setattr(os, "open", refusing)
    found = [line for line in _said(vault) if "not searched" in line]
    path = "system/memory/closed-000001.md"
    assert found == [
        f"toolmem: not searched: {path}: cannot be read: Permission denied"
    ]
    assert not any("closed" in line for line in _said(vault, "--agent", "scribe"))


def test_a_file_with_invalid_content_is_named_with_the_line(vault):
    note = vault.root / "system/memory/bytes-000001.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_bytes(b"# Zebra\n\xff\n")
    vault.write("system/rules/git/broken-00000001.toml", "x = [\n")
    assert [line for line in _said(vault) if "not searched" in line] == [
        "toolmem: not searched: system/memory/bytes-000001.md:2: is not UTF-8 text",
        "toolmem: not searched: system/rules/git/broken-00000001.toml:2: "
        "Invalid value (at end of document)",
    ]


def _said(world: World, *args: str) -> list[str]:
    return world.call("search", "zebra", *args).stderr.splitlines()


def test_a_memory_with_the_text_of_a_hit_is_explained(vault):
    for name in ("one", "two"):
        vault.write(f"system/memory/{name}-000001.md", "# Zebra crossing\n")
    done = vault.call("search", "zebra", "--expect", "two-000001")
    assert "has the same text as one-000001, which is shown in its pl" in done.stderr
