"""One look at a whole vault: what a listing lacks is not looked for."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.opened import opened_files
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.store.files.tree import DiskTree, ScanTree

PLACES = (
    *("system", "projects", "projects/p", "projects/p/rules", "projects/p/rules/git"),
    *("projects/p/Memory", "projects/p/memory", "projects/p/overrides/t/rules"),
    *("agents/a", "agents/a/memory", "agent-types/t/rules", "tools", "archive/x/y"),
)
ASKED = ("", *PLACES, "projects/q/rules", "projects/p/overrides", "../x", "projects//a")
KINDS = st.sampled_from(["folder", "file", "link", "pipe"])


def make(root: Path, place: str, kind: str) -> None:
    """Make something at a place, unless there is something else on the way."""
    path = root / place
    for above in reversed(path.relative_to(root).parents):
        one = root / above
        if one.is_symlink() or (one.exists() and not one.is_dir()):
            return
        one.mkdir(exist_ok=True)
    if os.path.lexists(path):
        return
    if kind == "folder":
        path.mkdir()
    elif kind == "file":
        path.write_bytes(place.encode())
    elif kind == "link":
        path.symlink_to(root / "system")
    else:
        os.mkfifo(path)


def answer(call, *args):
    try:
        return repr(call(*args))
    except (ToolmemError, FileNotFoundError) as error:
        return repr(error)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
@examples(300)
@given(st.dictionaries(st.sampled_from(PLACES), KINDS), st.permutations(ASKED))
def test_every_answer_is_that_of_looking(made, asked):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for place in sorted(made):
            make(root, place, made[place])
        with DiskTree(root) as disk, ScanTree(root) as scanned:
            for path in asked:
                for ask in ("entries", "read", "read_all"):
                    args = {"entries": (), "read": (99,), "read_all": ("", 99)}[ask]
                    wanted = answer(getattr(disk, ask), path, *args)
                    assert answer(getattr(scanned, ask), path, *args) == wanted


def test_a_folder_of_a_scope_is_listed_once_and_what_it_lacks_is_not_opened(vault):
    vault.joinpath("projects/p/rules/git").mkdir(parents=True)
    with ScanTree(vault) as tree, opened_files("") as opened:
        for _ in range(3):
            assert [entry.name for entry in tree.entries("projects")] == ["p"]
            assert [entry.name for entry in tree.entries("projects/p")] == ["rules"]
            assert tree.entries("projects/p/memory") == ()
            assert tree.entries("projects/p/overrides/t/rules") == ()
            assert [e.name for e in tree.entries("projects/p/rules")] == ["git"]
    assert sorted(opened) == ["p", "projects", "rules", vault.name]


def test_a_folder_made_later_is_seen_by_the_next_look(vault):
    vault.joinpath("projects/p").mkdir(parents=True)
    with ScanTree(vault) as tree:
        assert tree.entries("projects/p/memory") == ()
        vault.joinpath("projects/p/memory").mkdir()
        vault.joinpath("projects/p/memory/a.md").touch()
        assert tree.entries("projects/p/memory") == ()
    with ScanTree(vault) as tree:
        assert len(tree.entries("projects/p/memory")) == 1


def test_a_link_put_in_place_of_a_listed_folder_is_not_followed(vault, tmp_path):
    tmp_path.joinpath("outside").mkdir()
    tmp_path.joinpath("outside/secret.md").touch()
    vault.joinpath("projects/p/memory").mkdir(parents=True)
    with ScanTree(vault) as tree:
        assert len(tree.entries("projects/p")) == 1
        vault.joinpath("projects/p/memory").rmdir()
        vault.joinpath("projects/p/memory").symlink_to(tmp_path / "outside")
        with pytest.raises(InvalidFileError, match="symbolic link"):
            tree.entries("projects/p/memory")
        with pytest.raises(InvalidFileError, match="symbolic link"):
            tree.read("projects/p/memory/secret.md", 99)
