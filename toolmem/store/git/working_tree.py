"""Query git about files on disk: ignored, not checked out, stored line ends.

Attributes and patterns are read, filters are not run.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from toolmem.store.git import run as gitrun

ALWAYS, AUTO = "always", "auto"
_SET = "set"
_BINARY = b"\0"
_PASSED_OVER = re.compile(rb"(?:\A|(?<=\0))[a-zS] ([^\0]+)")


def ignored(top: Path, places: Sequence[str]) -> frozenset[str]:
    """Return those of some paths below the top that are untracked and ignored."""
    if not places:
        return frozenset()
    # The command has no literal pathspecs; ./ prevents other interpretations.
    names = b"".join(b"./" + os.fsencode(place) + b"\0" for place in places)
    args = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
    done = gitrun.attempt(top, *args, stdin=names)
    if done.returncode > 1:
        raise gitrun.failure("check-ignore", done.stderr)
    found = done.stdout.split(b"\0")
    return frozenset(os.fsdecode(name).removeprefix("./") for name in found if name)


def passed_over(top: Path) -> frozenset[str]:
    """Return the paths whose files git does not check, mainly of a sparse checkout.

    They are marked ``skip-worktree`` or ``assume-unchanged`` in the index.
    """
    listed = gitrun.run(top, "ls-files", "-v", "--full-name", "-z")
    return frozenset(map(os.fsdecode, _PASSED_OVER.findall(listed)))


def skipped(top: Path, index: Mapping[str, str] | None = None) -> frozenset[str]:
    """Return the paths marked ``skip-worktree``; ``index`` names another index."""
    args = ("ls-files", "-t", "--full-name", "-z")
    listed = gitrun.run(top, *args, extra=index).split(b"\0")
    return frozenset(os.fsdecode(one[2:]) for one in listed if one[:2] == b"S ")


def stored_bytes(top: Path, place: str, data: bytes, how: str) -> bytes:
    """Return the bytes that git stores for a file, with LF if it converts.

    ``how`` is that of ``line_ends``. As in git, files that are stored with CRLF or are
    not text stay as they are unless an attribute demands it.
    """
    if not how or b"\r\n" not in data:
        return data
    if how == AUTO:
        blob = gitrun.attempt(top, "cat-file", "blob", f":{place}").stdout
        if _BINARY in data or b"\r" in data.replace(b"\r\n", b"") or b"\r\n" in blob:
            return data
    return data.replace(b"\r\n", b"\n")


def line_ends(top: Path, places: Iterable[str]) -> Mapping[str, str]:
    """Return how git stores each file's line ends: ``always`` LF, ``auto``, or ""."""
    wanted = list(places)
    if not wanted:
        return {}
    names = b"".join(os.fsencode(place) + b"\0" for place in wanted)
    attributes: dict[str, dict[str, str]] = {place: {} for place in wanted}
    for name, key, value in _attributes(top, names):
        attributes[name][key] = value
    set_ = gitrun.attempt(top, "config", "--get", "core.autocrlf").stdout
    converts = set_.strip().lower() in (b"true", b"input", b"yes", b"on", b"1")
    return {place: _line_end(attributes[place], converts) for place in wanted}


def _attributes(top: Path, names: bytes) -> Iterator[tuple[str, str, str]]:
    args = ("check-attr", "-z", "--stdin", "text", "eol")
    fields = iter(map(os.fsdecode, gitrun.run(top, *args, stdin=names).split(b"\0")))
    yield from zip(fields, fields, fields, strict=False)


def _line_end(attributes: Mapping[str, str], converts: bool) -> str:
    text, eol = attributes.get("text", ""), attributes.get("eol", "")
    if text == "unset":
        return ""
    if text == AUTO:
        return AUTO
    if text == _SET or eol in ("lf", "crlf"):
        return ALWAYS
    return AUTO if converts else ""
