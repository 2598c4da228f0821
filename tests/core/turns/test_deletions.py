from collections.abc import Container
from typing import Any

import pytest

from toolmem.core.turns.deletions import DeletedPaths, removed_files


def removed(command: str, known: Container[tuple[str, str]] = ()) -> Any:
    return removed_files(command, lambda path, base: (base, path) in known)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm a.txt", [DeletedPaths("", ("a.txt",))]),
        ("rm -r 'a b' c", [DeletedPaths("", ("a b", "c"))]),
        ("rm -v -- -odd", [DeletedPaths("", ("-odd",))]),
        ("unlink a", [DeletedPaths("", ("a",))]),
        ("git rm -f a.txt", [DeletedPaths("", ("a.txt",))]),
        (
            "cd sub && rm a && cd ../x && rm b",
            [DeletedPaths("sub", ("a",)), DeletedPaths("sub/../x", ("b",))],
        ),
        ("cd /w && rm a && make", [DeletedPaths("/w", ("a",))]),
        ("mv a.go b.go", [DeletedPaths("", ("a.go",), ("b.go",))]),
        ("git mv a.go b.go", [DeletedPaths("", ("a.go",), ("b.go",))]),
        ("rm a b && cp c b", [DeletedPaths("", ("a",))]),
        ("mv a b dir", [DeletedPaths("", ("a", "b"))]),
        ("mv a.go dir", [DeletedPaths("", ("a.go",))]),
        (
            "bash -c 'rm a && rm b'",
            [DeletedPaths("", ("a",)), DeletedPaths("", ("b",))],
        ),
    ],
)
def test_a_plain_chain_says_what_is_gone(command, expected):
    assert list(removed(command)) == expected


@pytest.mark.parametrize(
    "command",
    [
        "rm -f a",
        "rm -rf build",
        "rm --force a",
        "rm *.txt",
        "rm $FILE",
        "rm `cat list`",
        "rm ~/a",
        "rm -i a",
        "rm",
        "rm a; make",
        "rm a || true",
        "ls | xargs rm",
        "rm a &",
        "(rm a)",
        "cd $X && rm a",
        "cd && rm a",
        "pushd x && rm a",
        "git rm --cached a",
        "git rm -n a",
        "git -C x rm a",
        "rm a && git checkout a",
        "rm sub/a && git restore .",
        "git rm a && git reset --hard",
        "rm a && touch a",
        "mv -n a b",
        "mv -t dir a",
        "mv a",
        "echo rm a",
        "for f in a; do rm $f; done",
    ],
)
def test_what_is_not_certain_is_not_said(command):
    assert removed(command) == ()


def test_a_forced_rm_counts_for_files_that_were_there():
    assert removed("cd s && rm -f a b", {("s", "a")}) == (DeletedPaths("s", ("a",)),)
