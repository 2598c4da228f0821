"""``check`` reads the files that changed, and repeats what it found in the others."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from toolmem.store.checks import cache_file, scan
from toolmem.store.listing import listing

MEMORY = "projects/p/memory/kiln-a00001.md"
OTHER = "projects/p/memory/oven-a00002.md"
RULE = "system/rules/shell/never-push-a0000001.toml"
TEXT = 'id = "a0000001"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n'
OVERRIDE = "projects/p/rules/shell/never-push-a0000001.toml"
WEAKER = 'id = "a0000001"\npriority = "high"\nreason = "alone"\n'

_opened: list[list[str]] = []


def _watch(event: str, args: tuple[object, ...]) -> None:
    name = str(args[0]).rpartition("/")[2] if event == "open" else ""
    if name.endswith((".md", ".toml")) and name != "toolmem.toml":
        for names in _opened:
            names.append(name)


sys.addaudithook(_watch)


@contextmanager
def opened() -> Iterator[list[str]]:
    """Names of the vault's files that are opened meanwhile."""
    names: list[str] = []
    _opened.append(names)
    yield names
    _opened.remove(names)


@pytest.fixture
def vault(world, monkeypatch):
    """A checked vault, whose files count as old."""
    monkeypatch.setattr(scan, "_RACY_NS", -1)
    world.vault("empty").write(MEMORY, "# Kiln\n").write(OTHER, "# Oven\n")
    world.write(RULE, TEXT).write(OVERRIDE, WEAKER)
    os.utime(world.root / "toolmem.toml", (0, 0))
    world.call("check")
    return world


def codes(world, *flags):
    found = json.loads(world.call("check", "--json", *flags).stdout)
    return sorted(one["code"] for one in found["problems"])


def test_nothing_is_read_where_nothing_changed(vault):
    with opened() as names:
        assert codes(vault) == ["changed-critical"]
    assert names == []


def test_only_what_changed_is_read(vault):
    vault.write(MEMORY, "# Ki\u200bln\n")
    with opened() as names:
        assert codes(vault) == ["changed-critical", "unsafe-text"]
    assert names == ["kiln-a00001.md"]


PRIVATE = "---\nprivate: true\ncontested_with: [zanzibar]\n---\n# Ki\u200bln\n"


def test_an_agent_reads_nothing_where_nothing_changed(vault, monkeypatch):
    vault.write(MEMORY, PRIVATE)
    vault.call("check")
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    with opened() as names:
        assert codes(vault) == ["changed-critical"]
    assert names == []


def test_an_agent_checks_for_a_person_too(vault, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("TOOLMEM_AGENT", "bot")
        vault.write(MEMORY, PRIVATE)
        assert codes(vault) == ["changed-critical"]
    with opened() as names:
        found = ["changed-critical", "dangling-link", "unsafe-text"]
        assert codes(vault) == found
    assert names == []


@pytest.mark.parametrize("hidden", ["ki\u200bln.md", "OVEN-a00002.md", "sub/oven.md"])
@pytest.mark.parametrize("folder", ["projects/p/memory", "archive/system/memory"])
def test_an_agent_is_not_told_of_the_name_of_a_private_memory(
    vault, monkeypatch, folder, hidden
):
    vault.write(f"{folder}/oven-a00002.md", "# Oven\n")
    vault.write(f"{folder}/SUB", "")
    vault.write(f"{folder}/{hidden}", PRIVATE)
    assert {"name-twins", "bad-name"} & set(codes(vault))
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    expected = codes(vault, "--no-cache")
    assert codes(vault) == expected
    assert not {"name-twins", "bad-name"} & set(expected)


def test_an_agent_gets_the_answer_of_a_whole_check_if_a_folder_is_not_listed(
    vault, monkeypatch
):
    vault.write(MEMORY, PRIVATE)

    def walk(*args):
        found = listing.walk(*args)
        found.folders = found.folders[:-1]
        return found

    monkeypatch.setattr(scan, "walk", walk)
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    assert codes(vault) == codes(vault, "--no-cache") == ["changed-critical"]


def test_no_cache_reads_every_file(vault):
    with opened() as names:
        assert codes(vault, "--no-cache") == ["changed-critical"]
    assert {"kiln-a00001.md", "oven-a00002.md"} < set(names)


def test_doctor_reads_every_file(vault):
    with opened() as names:
        vault.call("doctor")
    assert {"kiln-a00001.md", "oven-a00002.md"} < set(names)


def test_a_new_file_conflicts_with_one_that_did_not_change(vault):
    vault.write("system/memory/kiln-a00001.md", "# Kiln, again\n")
    with opened() as names:
        assert codes(vault) == ["changed-critical", "duplicate-id"]
    assert names == ["kiln-a00001.md"]


def test_an_unchanged_override_loses_its_rule(vault):
    (vault.root / RULE).unlink()
    with opened() as names:
        assert codes(vault) == ["orphan-override"]
    assert names == []


def test_an_unchanged_memory_loses_its_rival(vault):
    vault.write(MEMORY, "---\ncontested_with: [oven-a00002]\n---\n# Kiln\n")
    assert codes(vault) == ["changed-critical"]
    (vault.root / OTHER).unlink()
    with opened() as names:
        assert codes(vault) == ["changed-critical", "dangling-link"]
    assert names == []


def test_an_unchanged_rule_expires(vault):
    vault.write(RULE, f"{TEXT}expires_at = 2026-05-01\n")
    assert codes(vault) == ["changed-critical"]
    vault.clock(days=30)
    with opened() as names:
        assert codes(vault) == ["changed-critical", "expired"]
    assert names == []


def test_an_edit_in_place_to_the_same_size_with_its_time_set_back_is_seen(vault):
    place = vault.root / MEMORY
    before = place.stat()
    with place.open("r+b") as file:
        file.write(b"# Ki\x00n\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "changed-critical" in codes(vault)
    assert codes(vault) == codes(vault, "--no-cache") != ["changed-critical"]


def test_a_file_as_young_as_the_scan_is_read_again(vault, monkeypatch):
    monkeypatch.setattr(scan, "_RACY_NS", 3_600_000_000_000)
    vault.write(MEMORY, "# Hot kiln\n")
    for _ in range(2):
        with opened() as names:
            codes(vault)
        assert "kiln-a00001.md" in names


@pytest.mark.parametrize("what", ["program", "data"])
def test_a_cache_of_another_program_and_a_damaged_one_are_not_used(
    vault, monkeypatch, what
):
    cache = cache_file.cache_path(vault.root)
    match what:
        case "program":
            monkeypatch.setattr(cache_file, "_PACKAGE", vault.root)
        case "data":
            cache.write_bytes(cache.read_bytes().replace(b"memory", b"memorx"))
    with opened() as names:
        assert codes(vault) == ["changed-critical"]
    assert "oven-a00002.md" in names


def test_each_version_and_change_of_the_program_has_a_key_of_its_own(tmp_path):
    module = tmp_path / "inner/module.py"
    module.parent.mkdir()
    keys = []
    for version, text in [("1", "a"), ("2", "a"), ("2", "ab")]:
        (tmp_path / "__init__.py").write_text(version)
        module.write_text(text)
        os.utime(tmp_path / "__init__.py", (5, 5))
        os.utime(module, (5, 5))
        keys.append(cache_file._program(tmp_path))
    os.utime(module, (6, 6))
    keys.append(cache_file._program(tmp_path))
    assert len(set(keys)) == 4


def test_a_vault_whose_state_cannot_be_written_is_checked_in_full(world):
    world.vault("empty").write(MEMORY, "# Kiln\n").write(".toolmem", "a file")
    for _ in range(2):
        with opened() as names:
            assert codes(world) == []
        assert names == ["kiln-a00001.md"]


def test_a_link_to_a_device_in_place_of_the_cache_is_not_read(vault):
    codes(vault)
    place = cache_file.cache_path(vault.root)
    place.unlink()
    place.symlink_to("/dev/zero")
    assert cache_file.read(vault.root) == {}


def test_a_link_in_place_of_the_cache_is_not_written_through(vault):
    outside = vault.root.parent / "outside"
    outside.write_text("mine")
    for name in ("check.cache", "check.cache.tmp"):
        place = vault.root / ".toolmem" / name
        place.unlink(missing_ok=True)
        place.symlink_to(outside)
    assert codes(vault) == ["changed-critical"]
    assert outside.read_text() == "mine"


def test_a_check_changes_no_file_that_git_sees(world):
    world.vault("empty").write(MEMORY, "# Kiln\n").commit()
    assert codes(world) == []
    assert world.git("status", "--porcelain") == ""
