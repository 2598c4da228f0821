"""A vault as JSON and back: the same bytes of every file."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.secrets.samples import TOKENS
from tests.examples import examples
from tests.world import TEMPLATE, World
from toolmem.store.files.folders import is_plain

TOKEN = TOKENS[0](Random(1))
NAMES = st.one_of(
    st.sampled_from(["system", "rules", "memory", "facts.md", "a b", "é", ".hidden"]),
    st.text(min_size=1, max_size=8),
    st.binary(min_size=1, max_size=6).map(os.fsdecode),
).filter(lambda name: is_plain(name) and "/" not in name and name != ".toolmem")
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
CONTENTS = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(
        [b"", b"\xef\xbb\xbf---\r\na: b\r\n---\r\n", b"a\rb", b"\0", b"\xff\n", b"{}"]
    ),
)
FILES = st.dictionaries(PATHS, CONTENTS, max_size=6)


def fill(world, files):
    """The files that the system lets us write: names may clash."""
    written = {}
    for path, data in files.items():
        try:
            world.write(path, data)
        except (OSError, UnicodeEncodeError):
            continue
        written[path] = data
    return written


def all_bytes(root):
    return {
        place: path.read_bytes()
        for path in Path(root).rglob("*")
        if path.is_file()
        and not {".git", ".toolmem"} & set((place := path.relative_to(root)).parts)
    }


@examples(60)
@given(FILES)
def test_export_and_import_give_the_same_bytes(files):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        first, second = World(Path(one)), World(Path(two))
        fill(first, files)
        first.write("toolmem.toml", "schema = 1\n# ours\n")
        first.git("init", "--quiet")
        first.git("add", "--force", "--all")
        copied = first.call("export", "json", "-o", f"{two}.json")
        try:
            assert copied.code == 0, copied.stderr
            shutil.copy(TEMPLATE / "toolmem.toml", two)
            came = second.call("import", f"{two}.json")
            assert came.code == 0, came.stdout + came.stderr
            assert all_bytes(two) == all_bytes(one)
            before = all_bytes(two)
            again = second.call("import", f"{two}.json")
            assert (again.code, set(again.stdout.split()) & {"created", "updated"}) == (
                0,
                set(),
            )
            assert all_bytes(two) == before
            second.git("init", "--quiet")
            second.git("add", "--force", "--all")
            assert second.call("export", "json").stdout == Path(
                f"{two}.json"
            ).read_text(encoding="utf-8")
        finally:
            Path(f"{two}.json").unlink(missing_ok=True)


def copy_of(*entries):
    return json.dumps({"toolmem_export": 1, "files": list(entries)})


@pytest.mark.parametrize(
    "path",
    [
        "../out.md",
        "/etc/passwd",
        "a/../../out.md",
        ".git/hooks/pre-commit",
        "a/.GIT/config",
        ".toolmem/lock",
        ".Toolmem/lock",
        "a//b",
        "",
        "x\0y",
        "/".join("a" * 40),
    ],
)
def test_a_path_out_of_the_vault_is_refused(world, path):
    world.vault("empty")
    before = world.files()
    text = copy_of({"path": path, "text": "x"}, {"path": "system/a.md", "text": "y"})
    done = world.call("import", "-", stdin=text)
    assert done.code == 1
    assert "refused 1 file" in done.stdout
    assert world.files() == {**before, "system/a.md": b"y"}


def test_nothing_is_written_through_a_link(world, tmp_path_factory):
    world.vault("empty")
    out = tmp_path_factory.mktemp("out")
    (world.root / "system").symlink_to(out)
    text = copy_of({"path": "system/a.md", "text": "y"})
    done = world.call("import", "-", stdin=text)
    assert done.code == 1
    assert list(out.iterdir()) == []


def test_a_secret_is_refused_unless_it_is_none(world):
    world.vault("empty")
    text = copy_of({"path": "system/a.md", "text": f"\nuse {TOKEN}\n"})
    done = world.call("import", "-", stdin=text)
    assert (done.code, "in line 2" in done.stderr) == (1, True)
    assert not (world.root / "system").exists()
    assert world.call("import", "-", "--allow-secret", stdin=text).code == 0


def test_an_agent_may_not_pass_for_a_person(world, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    world.vault("empty")
    rule = 'id = "x"\ntool = "shell"\nrule = "y"\npriority = "critical"\n'
    text = copy_of({"path": "system/rules/shell/x.toml", "text": rule})
    done = world.call("import", "-", stdin=text)
    assert done.code == 2
    assert not (world.root / "system").exists()


def test_what_differs_is_kept_and_told(world):
    world.vault("empty").write("system/a.md", "mine")
    text = copy_of({"path": "system/a.md", "text": "other"})
    done = world.call("import", "-", stdin=text)
    assert done.code == 1
    assert world.read("system/a.md") == "mine"


def test_links_and_local_state_are_no_part_of_a_copy(world):
    world.vault("empty").write(".toolmem/x", "x").write(".git/config", "x")
    (world.root / "link.md").symlink_to("toolmem.toml")
    done = world.call("export", "json")
    files = [one["path"] for one in json.loads(done.stdout)["files"]]
    assert files == ["toolmem.toml"]
    assert "link.md: left out" in done.stderr
