"""Query git about files on disk: ignored, not checked out, stored line ends.

Attributes and patterns are read, filters are not run.
"""

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from toolmem.store.git import run as gitrun

ALWAYS, AUTO = "always", "auto"
_SET = "set"
_NO_FILTER = ("", "unspecified", "unset", _SET)
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
    fields = done.stdout.split(b"\0")
    return frozenset(os.fsdecode(name).removeprefix("./") for name in fields if name)


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
    return frozenset(os.fsdecode(line[2:]) for line in listed if line[:2] == b"S ")


def has_modes(top: Path) -> bool:
    """Return True if modes of files count, as ``core.fileMode`` says."""
    return gitrun.is_set(top, "core.fileMode", default=True) and os.name != "nt"


def modes(top: Path) -> Mapping[str, str]:
    """Return the mode of each file in git's index, by path below the top."""
    rows = gitrun.run(top, "ls-files", "--stage", "--full-name", "-z").split(b"\0")
    return {
        os.fsdecode(r.partition(b"\t")[2]): r[:6].decode("ascii") for r in rows if r
    }


def set_executable(path: Path, wanted: bool) -> None:
    """Make a file executable for those who can read it, or for no one."""
    with suppress(OSError):
        mode = stat.S_IMODE(path.lstat().st_mode)
        after = mode | (mode & 0o444) >> 2 if wanted else mode & ~0o111
        if after != mode:
            path.chmod(after)


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
    attributes = _attributes(top, places, "text", "eol")
    set_ = gitrun.attempt(top, "config", "--get", "core.autocrlf").stdout
    converts = set_.strip().lower() in (b"true", b"input", b"yes", b"on", b"1")
    return {place: _line_end(values, converts) for place, values in attributes.items()}


def filters(
    top: Path, places: Iterable[str], index: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Return the files that git stores through a filter, and the filter's name.

    ``index`` names another index, whose attributes count instead of those on disk.
    """
    attributes = _attributes(top, places, "filter", index=index)
    named = ((place, values.get("filter", "")) for place, values in attributes.items())
    return {place: name for place, name in named if name not in _NO_FILTER}


def _attributes(
    top: Path,
    places: Iterable[str],
    *attributes: str,
    index: Mapping[str, str] | None = None,
) -> dict[str, dict[str, str]]:
    """Return the values of some attributes of each of these paths."""
    by_place: dict[str, dict[str, str]] = {place: {} for place in places}
    if by_place:
        names = b"".join(os.fsencode(place) + b"\0" for place in by_place)
        args = ("-z", "--stdin", *(["--cached"] if index else []), *attributes)
        output = gitrun.run(top, "check-attr", *args, stdin=names, extra=index)
        fields = iter(map(os.fsdecode, output.split(b"\0")))
        for place, key, value in zip(fields, fields, fields, strict=False):
            by_place[place][key] = value
    return by_place


def _line_end(attributes: Mapping[str, str], converts: bool) -> str:
    text, eol = attributes.get("text", ""), attributes.get("eol", "")
    if text == "unset":
        return ""
    if text == AUTO:
        return AUTO
    if text == _SET or eol in ("lf", "crlf"):
        return ALWAYS
    return AUTO if converts else ""
