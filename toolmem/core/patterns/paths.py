"""Match path patterns with the files that texts name.

Purely textual: a caller that follows links passes their targets. Case is ignored,
because the file systems of macOS and Windows ignore it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.patterns.automaton import (
    Automaton,
    Chars,
    Choice,
    Edge,
    Pattern,
    Repeat,
)
from toolmem.core.patterns.automaton import Sequence as InOrder
from toolmem.core.patterns.match import certainly, char_set, fold, percent_decoded
from toolmem.core.shell.words import NAME_GAP, Fit, fill_gaps, has_gap

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_NOT_SLASH = Chars(frozenset("/"), negated=True)
_WITHIN = Repeat(_NOT_SLASH, 0, None)
_ANYTHING = Repeat(Chars(negated=True), 0, None)
_SLASH = Chars(frozenset("/"))
_FOLDERS = Choice((InOrder((_ANYTHING, _SLASH)), InOrder()))
_BELOW = Choice((InOrder((_SLASH, _ANYTHING)), InOrder()))
_TOKEN = re.compile(r"(?<![^/])\*\*+/|\*\*+|\*|\?|\[(!|\^)?(\]?[^\]]*)\]|.", re.DOTALL)
_GENERATED = re.compile(r"(?:^|/)(?:build|dist|out|target|node_modules|\.venv)/")
_UNKNOWN = "\ufffd"
_MAX_CHARS = 4096
OPPOSITE = {Fit.NO: Fit.YES, Fit.MAYBE: Fit.MAYBE, Fit.YES: Fit.NO}


class SeenPath(NamedTuple):
    """A file as patterns see it: its absolute path and the one below the project, which
    is the same outside of it (``.`` for the project itself).

    ``operations`` is its use; ``tree``: with everything below it; ``unsure``: the use
    is only possible; ``above``: it is the project or above it.
    """

    absolute: str
    below: str
    operations: frozenset[str] = frozenset()
    tree: bool = False
    unsure: bool = False
    above: bool = False


class _PathPattern(NamedTuple):
    """A pattern without its ends, and the longest text that every match contains.

    ``anchored``: it begins at a root. Most files lack the text, so that no automaton is
    built for them.
    """

    text: str
    literal: str
    anchored: bool


def resolve(text: str, *, cwd: str, home: str) -> str:
    """Make a path absolute, without ``.`` and ``..`` and with slashes.

    A path that cannot be made absolute stays relative.
    """
    if text[:7].lower() == "file://":
        text = percent_decoded(text[7:])
    if _DRIVE.match(text) or _DRIVE.match(cwd):
        text, cwd, home = (part.replace("\\", "/") for part in (text, cwd, home))
    if home and text.startswith("~"):
        user, slash, rest = text[1:].partition("/")
        text = (f"{home.rpartition('/')[0]}/{user}" if user else home) + slash + rest
    if cwd and not is_anchored(text):
        text = f"{cwd}/{text}"
    root = "/" if text.startswith("/") else ""
    parts: list[str] = []
    for part in text.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", ".") and not (part == ".." and root):
            parts.append(part)
    return root + "/".join(parts)


def see_path(
    text: str, *, folder: str, home: str, project: str, guess: bool = False
) -> SeenPath | None:
    """Return the file that a text may name, relative to a folder; None for an empty,
    very long or multi-line text.

    ``guess``: an unknown name in it may be any name, and the unknown part may contain
    slashes.
    """
    if not text or len(text) > _MAX_CHARS or "\n" in text:
        return None
    path = fold(resolve(text, cwd=folder, home=home))
    if not guess and has_gap(path):
        path = "/".join(map(_named, fill_gaps(path, NAME_GAP).split("/")))
    root = fold(resolve(project, cwd="", home=home)) + "/" if project else "/"
    whole = f"{path}/".replace("//", "/")
    return SeenPath(
        path,
        "." if whole == root else path.removeprefix(root),
        above=bool(project) and root.startswith(whole),
    )


def fit_path(path: SeenPath, wanted: str, *, home: str) -> Fit:
    """Match a pattern with a file, or with a folder above it.

    A pattern that begins with ``/``, ``~`` or a drive is anchored there (``/`` alone is
    the root and nothing below it); any other matches at every depth, below the project
    for files in it, and a folder (``data/``) not in a folder of generated files.
    ``*`` does not cross ``/``, ``**`` does.
    """
    pattern = _path_pattern(wanted, home)
    text = path.absolute if pattern.anchored else path.below
    if wanted.endswith("/") and not pattern.anchored and _is_generated(path, wanted):
        return Fit.NO
    if path.tree and _lies_below(pattern, path):
        return Fit.YES
    if pattern.literal not in text and not has_gap(text):
        return Fit.NO
    try:
        automaton = _automaton(pattern.text, pattern.anchored)
    except ValueError:  # a very long home folder
        return Fit.MAYBE
    return certainly(automaton.fit(text))


def literal_of(wanted: str) -> str:
    """Return a text that is in the path of every matching file; empty if unknown."""
    return _path_pattern(wanted.removeprefix("~"), "").literal


def fit_outside(path: SeenPath, wanted: Sequence[str], *, home: str) -> Fit:
    """Return whether a file is in none of some folders; ``.`` is the project."""
    if path.absolute.startswith("/dev/"):
        return Fit.NO
    best = Fit.NO
    for pattern in wanted:
        if pattern.rstrip("/") in (".", ""):
            inside = path.below == "." or not is_anchored(path.below)
            best = max(best, Fit.YES if inside else Fit.NO)
        else:
            best = max(best, fit_path(path._replace(tree=False), pattern, home=home))
    return OPPOSITE[best]


def is_of_files(wanted: str) -> bool:
    """Return True if a pattern is one of files rather than the name of a folder."""
    last = wanted.rstrip("/").rpartition("/")[2]
    return re.search(r"[*?\[]|[^.]\.\w", last) is not None


def is_anchored(text: str) -> bool:
    """Return True if a path or pattern begins at a root, home or drive."""
    return text.startswith(("/", "~")) or _DRIVE.match(text) is not None


def _lies_below(pattern: _PathPattern, path: SeenPath) -> bool:
    """Return True if a pattern matches below a folder that is used with its content."""
    if not pattern.anchored and path.above:
        return True
    folder = re.split(r"/?[^/]*[\[*?]", pattern.text, maxsplit=1)[0]
    start = path.absolute if pattern.anchored else path.below
    return bool(folder) and f"{folder}/".startswith(start.rstrip("/") + "/")


def _is_generated(path: SeenPath, wanted: str) -> bool:
    return bool(_GENERATED.search(path.below)) and not _GENERATED.search(wanted)


def _named(part: str) -> str:
    return _UNKNOWN if part and not part.strip(NAME_GAP) else part


@lru_cache(maxsize=2048)
def _path_pattern(wanted: str, home: str) -> _PathPattern:
    pattern = fold(wanted)
    anchored = is_anchored(pattern)
    if _DRIVE.match(pattern):
        pattern = pattern.replace("\\", "/")
    if home and (pattern == "~" or pattern.startswith("~/")):
        pattern = fold(resolve(home, cwd="", home="")) + pattern[1:]
    pattern = re.sub(r"/+", "/", pattern)
    pattern = re.sub(r"^(\./)+|(/\*\*)+/?$|/$", "", pattern)
    literal = max(re.split(r"\[[^\]]*\]|\*+/?|\?", pattern), key=len)
    return _PathPattern(pattern, literal, anchored)


@lru_cache(maxsize=2048)
def _automaton(pattern: str, anchored: bool) -> Automaton:
    parts: list[Pattern] = [Edge("A")]
    if not anchored:
        parts.append(_FOLDERS)
    parts += map(_part, _TOKEN.finditer(pattern))
    parts += [_BELOW if pattern else _SLASH, Edge("Z")]
    return Automaton(InOrder(tuple(parts)))


def _part(token: re.Match[str]) -> Pattern:
    text = token[0]
    if text.startswith("**"):
        return _FOLDERS if text.endswith("/") else _ANYTHING
    if text == "*":
        return _WITHIN
    if text == "?":
        return _NOT_SLASH
    if len(text) > 1:
        return char_set(token[2], negated=bool(token[1]), besides="/")
    return Chars(frozenset(text))
