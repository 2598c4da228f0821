"""Which file a text names, and whether a path pattern covers it.

Purely by the text: symbolic links are not followed. Case is ignored, because
the file systems of macOS and Windows do.
"""

import re
from functools import lru_cache

from toolmem.core.guard.automaton import (
    Automaton,
    Chars,
    Choice,
    Edge,
    Pattern,
    Repeat,
    Sequence,
)
from toolmem.core.guard.patterns import certainly, char_set, fold, percent_decoded
from toolmem.core.guard.words import GAP, PLAIN_GAP, Fit

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_NOT_SLASH = Chars(frozenset("/"), negated=True)
_WITHIN = Repeat(_NOT_SLASH, 0, None)
_ANYTHING = Repeat(Chars(negated=True), 0, None)
_SLASH = Chars(frozenset("/"))
_TOKEN = re.compile(r"\*\*+|\*|\?|\[(!|\^)?(\]?[^\]]*)\]|.", re.DOTALL)
_UNKNOWN = "\ufffd"
_MAX_CHARS = 4096


def resolve(text: str, *, cwd: str, home: str) -> str:
    """The absolute path of a text, ``.`` and ``..`` taken out; folder separators
    are slashes. What cannot be made absolute stays relative."""
    if text[:7].lower() == "file://":
        text = percent_decoded(text[7:])
    if _DRIVE.match(text) or _DRIVE.match(cwd):
        text, cwd, home = (part.replace("\\", "/") for part in (text, cwd, home))
    if home and (text == "~" or text.startswith("~/")):
        text = home + text[1:]
    if not (text.startswith(("/", "~")) or _DRIVE.match(text)) and cwd:
        text = f"{cwd}/{text}"
    root = "/" if text.startswith("/") else ""
    kept: list[str] = []
    for part in text.split("/"):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", ".") and not (part == ".." and root):
            kept.append(part)
    return root + "/".join(kept)


def fit_path(
    text: str, wanted: str, *, cwd: str, home: str, base: str = "", guess: bool = False
) -> Fit:
    """Whether a pattern covers the file that a text names, or a folder above it.

    A pattern that begins with ``/``, ``~`` or a drive is anchored there (``/``
    alone is the root and nothing below it); any other fits at every depth,
    below ``base`` (the project) where the file is in it. ``*`` stays inside a
    name, ``**`` does not. ``guess``: a name that is not known may be any.
    """
    if not text or len(text) > _MAX_CHARS or "\n" in text:
        return Fit.NO
    path = fold(_with_gaps(resolve(text, cwd=cwd, home=home), guess))
    home = fold(resolve(home, cwd="", home="")) if home else ""
    anchored = is_anchored(wanted)
    if not anchored and base:
        above = fold(resolve(base, cwd="", home=home)) + "/"
        path = path.removeprefix(above)
    return certainly(_automaton(fold(wanted), home).fit(path))


def is_anchored(pattern: str) -> bool:
    """Whether a path pattern says where it begins."""
    return pattern.startswith(("/", "~")) or _DRIVE.match(pattern) is not None


def _with_gaps(path: str, guess: bool) -> str:
    path = path.replace(PLAIN_GAP, GAP)
    if guess or GAP not in path:
        return path
    parts = path.split("/")
    return "/".join(
        _UNKNOWN if part.strip(GAP) == "" and part else part for part in parts
    )


@lru_cache(maxsize=1024)
def _automaton(pattern: str, home: str) -> Automaton:
    pattern = pattern.replace("\\", "/") if _DRIVE.match(pattern) else pattern
    anchored = is_anchored(pattern)
    if home and (pattern == "~" or pattern.startswith("~/")):
        pattern = home + pattern[1:]
    pattern = re.sub(r"^(\./+)+|(/\*\*)+/?$|/+$", "", pattern)
    pattern = re.sub(r"/+", "/", pattern)
    parts: list[Pattern] = [Edge("A")]
    if not anchored:
        parts.append(_optional(Sequence((_ANYTHING, _SLASH))))
    tokens = list(_TOKEN.finditer(pattern))
    skip = False
    for at, token in enumerate(tokens):
        if skip:
            skip = False
            continue
        following = tokens[at + 1][0] if at + 1 < len(tokens) else ""
        starts = at == 0 or tokens[at - 1][0] == "/"
        if token[0].startswith("**") and starts and following == "/":
            parts.append(_optional(Sequence((_ANYTHING, _SLASH))))
            skip = True
        else:
            parts.append(_token(token))
    below = _SLASH if pattern == "" else _optional(Sequence((_SLASH, _ANYTHING)))
    return Automaton(Sequence((*parts, below, Edge("Z"))))


def _optional(part: Pattern) -> Pattern:
    return Choice((part, Sequence()))


def _token(token: re.Match[str]) -> Pattern:
    text = token[0]
    if text.startswith("**"):
        return _ANYTHING
    if text == "*":
        return _WITHIN
    if text == "?":
        return _NOT_SLASH
    if len(text) > 1:
        return char_set(token[2], negated=bool(token[1]), besides="/")
    return Chars(frozenset(text))
