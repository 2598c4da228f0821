"""Derive guards from bans on files: the files, and the forbidden uses."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.core.guard.derivation.files import KIND, kind_patterns
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban, is_code

_VERBS = {
    "change": r"edit|modif|chang|touch|updat|writ|alter|overwrit|patch|rewrit|reformat"
    r"|format|creat|refactor|fix|tamper with|mess with|hand-edit|add|make"
    r"|generat|insert",
    "delete": r"delet|remov|eras|wip|clean|renam|mov|reloca|trash|rm|unlink"
    "|destroy|drop",
    "read": r"read|open|access|look at|look in|cat|print|view|show|shar|upload"
    "|expos|leak"
    r"|send|inspect|dump|output|log|display|source",
    "commit": r"commit|stag|check in|git add|track|push",
}
_ALL = "|".join(_VERBS.values())
_VERB = re.compile(
    rf"(?i)\b(?:(?P<change>{_VERBS['change']})|(?P<delete>{_VERBS['delete']})"
    rf"|(?P<read>{_VERBS['read']})|(?P<commit>{_VERBS['commit']}))"
    r"(?:e|es|s|d|y|ies|t|n|ed|ten|ted|ied|ing|ting|ning|ping|ying)?\b"
)
_START = re.compile(
    rf"(?i)\s*(?:(?:ever|just|directly|manually|even|also|to|try to|go|try and)\s+)*"
    rf"(?:{_ALL}|touch)\w*\b"
)
ZONES = r"(?:com|org|net|io|dev|ai|app|edu|gov|internal|local)\b"
"""Ends of names of hosts."""
_PATH = (
    r"(?<![\w.~*/@:-])(?:(?:~|\.{1,2})?/[\w.@*][\w.@*/-]*"
    r"|\.?[\w@*-][\w.@*-]*/[\w.@*/-]*"
    r"|\.[a-z][\w-]{1,20}(?=\s+(?:folder|director|dir\b))|\.[a-z]{1,10}(?=\s+files?\b)|\.env(?:\.[\w*]+)*|\.(?:git|ssh|aws|npmrc"
    r"|gitignore)\b"
    rf"|(?!Node\.js\b|(?i:[ei]\.[ge]))[\w.*-]*[\w*-]\.(?!{ZONES})[a-z]\w{{0,8}}"
    rf"|(?i:{KIND})(?=\s+(?:source\s+)?(?:files?|sources?|scripts?)\b)"
    rf"|(?:[A-Z][a-z]+file|LICENSE|README|CHANGELOG|CODEOWNERS|AUTHORS|NOTICE|id_(?:rsa"
    rf"|ed25519|ecdsa|dsa)"
    rf"|authorized_keys|known_hosts)\b)(?![\w@])"
)
_CODE_PATH = re.compile(
    r"[\w.~@*?{},\[\]/-]*[./*][\w.~@*?{},\[\]/-]*|[A-Z]\w*file|LICENSE|[A-Z_]{4,}"
)
_AND_OR = re.compile(
    r"(?i)\w/\w|(?:and|or|either|he|she|him|read|input|client|true|yes|on|add|edit|open)"
    r"/\w+|\w+/(?:or|write|her|server|off|no|no|delete|remove|close)"
)
"""Two words that may be alternatives, not a path."""
_INSIDE = re.compile(r"(?i)\b(?:in|under|inside|within|below|from)\s+(?:the\s+)?\Z")
_DOTFILES = frozenset(
    """.env .git .ssh .aws .npmrc .gitignore .github .vscode .claude .cursor .idea
    .husky .venv .gnupg""".split()
)
_OUTSIDE = re.compile(
    r"(?i)\b(?P<word>outside(?: of)?|except(?: for)?(?: in| inside| under| within)?"
    r"|other than(?: in)?|anywhere but(?: in)?|anything but|but(?= in))\s+"
)
_WITHIN = re.compile(
    r"(?i)\s+(?:in|inside|under|within|below)\s+(?:(?:the|our|your)\s+)?"
)
"""Between files and their folder: "`config.json` in `legacy/`"."""
_HOME = re.compile(r"(?i)\bhome\b|~(?=/|\s|$)")
_ALLOWED = re.compile(
    r"(?i)(?:,|;|\(|\s[-–—]"
    r"|\band\b)[^,;.]{0,8}[\ue200-\ue5ff/~][^,;]{0,60}?(?P<end>\s+(?:is|are)\s+"
    r"(?:fine|ok(?:ay)?|allowed|good))\b"
)
_PROJECT = re.compile(
    r"(?i)(?:the|this|your|our|my)?\s*(?:current\s+)?(?:repo(?:sitory)?|project"
    r"|workspace"
    r"|working (?:directory|folder|tree)|codebase|worktree|checkout)(?:\s+(?:root"
    r"|directory|folder|dir))?\b"
)
_ROOTS = frozenset(
    """applications bin boot data dev etc home lib lib64 library media mnt nix opt
    private proc root run sbin snap srv sys system tmp users usr var volumes workspace
    workspaces""".split()
)
_TURN = re.compile(
    r"(?i)[;!?]|[.:](?=\s|$)|\s[-–—]+\s|\s\(|,?\s(?:because|since|so that|rather"
    r"|instead"
    r"|use|prefer|always|they|it|which|these|those|but|unless|without|until|before"
    r"|after"
    r"|when|while|if|only|and (?:use|then|instead|always|prefer|run|create))\b"
)


_NOUN = re.compile(
    r"(?i)\s*(?:(?:config(?:uration)?|source|generated|test)\s+)?(?:folders?"
    r"|director\w+"
    r"|files?|dirs?|packages?|modules?|trees?|sources?|scripts?)\b"
)
_WHERE = re.compile(
    r"(?i)\s+(?:files?|sources?|scripts?)\s+(?:in|under|inside)\s+(?:the\s+)?"
    rf"(?:{SPAN}|\S+)"
)
_THINGS = re.compile(
    r"(?i)\b(?:files?|anything|something|code|folders?|director\w+|stuff|things?"
    r"|everything|data)\b"
)
_SENDING = re.compile(r"(?i)(?:upload|send|post|publish|push)\w*\b.*\bto\s+$")


_MOST_CHARS = 400


_BETWEEN = re.compile(
    rf"(?i)(?:[\s,:*\"'(/]|\b(?:(?:{_ALL}|folder|director|config|e|es|s|ing)\w*|the|an?"
    rf"|any|all"
    r"|our|your|my|this|that|these|existing|new|generated|source|test|lock|files?"
    r"|anything"
    r"|something|everything|code|contents?|stuff|things?|data|paths?|in|inside|under"
    r"|within"
    r"|below|to|from|into|at|of|on|or|and|nor|by hand|directly|manually|yourself|ever"
    r"|either"
    r"|e\.g\.|like|such as|which|what|is|are|scripts?|docs?|out|with|for|up|single|one"
    r"|whole"
    r"|entire|whatsoever)\b)*"
)
"""Words between a verb and its files; others are what is done in them."""


class DerivedPlace(NamedTuple):
    """Tests for a ban on files, and the end of the files in its text.

    ``staging``: staging them is forbidden, too. ``outside`` is the position of the
    words that name the folders in which it is allowed.
    """

    table: dict[str, Any]
    end: int
    staging: bool = False
    only_staging: bool = False
    outside: int = 0


def place_in(ban: Ban) -> DerivedPlace | None:
    """Return the files that a ban forbids to use, if it begins with such a verb."""
    start = _START.match(ban.text)
    if not start:
        return None
    turn = _TURN.search(ban.text, start.end())
    end = turn.start() if turn else len(ban.text)
    outside = _OUTSIDE.search(ban.text)
    if outside and outside.start() <= end:
        elsewhere = _elsewhere(ban, outside)
        if elsewhere:
            return elsewhere
        end = outside.start()
    found = list(paths_in(ban, start.start(), end))
    if not found:
        return None
    first = found[0][1]
    if not _BETWEEN.fullmatch(ban.text, start.end(), first):
        return None
    verbs = {m.lastgroup for m in _VERB.finditer(ban.text, 0, first)}
    paths = list(dict.fromkeys(path for path, _, _ in found))
    if len(found) > 1 and _WITHIN.fullmatch(ban.text, found[-2][2], found[-1][1]):
        folder = paths.pop()
        if "*" in folder or any("/" in path for path in paths):
            return None  # where a path is that has its folder cannot be said
        paths = [f"{folder.rstrip('/')}/**/{path}" for path in paths]
    table: dict[str, Any] = {"path": paths if len(paths) > 1 else paths[0]}
    table |= _operation(verbs, ban.text[:first])
    return DerivedPlace(
        table,
        found[-1][2],
        "commit" in verbs or re.search(r"(?i)\badd", ban.text[:first]) is not None,
        verbs == {"commit"},
    )


def _operation(verbs: set[str | None], text: str) -> dict[str, Any]:
    """Return the operation; ``touch`` and ``change`` cover every modification."""
    found = [name for name in ("read", "change", "delete") if name in verbs]
    if "change" in found and "delete" in found:
        found.remove("delete")
    if not found:
        return {}
    return {"operation": found if len(found) > 1 else found[0]}


def _elsewhere(ban: Ban, outside: re.Match[str]) -> DerivedPlace | None:
    """Derive from "Never edit files outside `src/`", "… except in /tmp"."""
    before = ban.text[: outside.start()]
    if not (_START.fullmatch(before.rstrip()) or _THINGS.search(before)):
        return None
    verbs = {m.lastgroup for m in _VERB.finditer(before)} - {"commit"}
    table: dict[str, Any] = {"path": {"outside": "."}, **_operation(verbs, before)}
    project = _PROJECT.match(ban.text, outside.end())
    if project:
        table["path"] |= _further_places(ban, before, project.end())
        return DerivedPlace(table, len(ban.text), outside=outside.start())
    found = list(paths_in(ban, outside.end(), len(ban.text)))
    if not found or found[0][1] > outside.end() + 12:
        return None
    paths = list(dict.fromkeys(path for path, _, _ in found))
    table["path"] = {"outside": paths if len(paths) > 1 else paths[0]}
    return DerivedPlace(table, found[-1][2], outside=outside.start())


def _further_places(ban: Ban, before: str, at: int) -> dict[str, Any]:
    """Return where the files are, and the other places that are allowed: "in my home
    folder outside the repo, /tmp is fine"."""
    found: dict[str, Any] = {"inside": "~"} if _HOME.search(before) else {}
    allowed = _ALLOWED.search(ban.text, at)
    if allowed:
        places = [path for path, _, _ in paths_in(ban, at, allowed.start("end"))]
        found["outside"] = [".", *places]
    return found


def paths_in(ban: Ban, start: int, end: int) -> list[tuple[str, int, int]]:
    """Return each path with its start and end in the text."""
    found = []
    for match in re.finditer(rf"[\ue200-\ue5ff]|{_PATH}", ban.text[:end]):
        if match.start() < start:
            continue
        noun = _NOUN.match(ban.text, match.end())
        last = noun.end() if noun else match.end()
        found += [(path, match.start(), last) for path in _paths(ban, match)]
    return found


def _paths(ban: Ban, match: re.Match[str]) -> Iterator[str]:
    """Yield the path of a match, or the globs of a kind of files, with their folder."""
    kind = kind_patterns(match[0])
    where = _WHERE.match(ban.text, match.end()) if kind else None
    inside = re.search(rf"{SPAN}|{_PATH}", where[0]) if where else None
    folder = _path(ban, inside) if inside else ""
    yield from (f"{folder.rstrip('/')}/**/{glob}" if folder else glob for glob in kind)
    path = "" if kind else _path(ban, match)
    if path:
        yield path


def _path(ban: Ban, match: re.Match[str]) -> str:
    code = is_code(match[0])
    text = ban.code(match[0]) if code else match[0].rstrip(".")
    if len(text) > _MOST_CHARS:
        return ""
    after = ban.text[match.end() :]
    named = re.match(r"(?i)\s*(?:folder|director|files?\b|dir\b|package|module)", after)
    if code and not (
        _CODE_PATH.fullmatch(text) or (named and re.fullmatch(r"[\w.-]+", text))
    ):
        return ""
    if not code and _SENDING.search(ban.text[: match.start()]):
        return ""
    inside = _INSIDE.search(ban.text[: match.start()])
    if text.endswith("()") or not (
        code or inside or named or not _AND_OR.fullmatch(text)
    ):
        return ""
    kind = re.fullmatch(r"\.[\w.]{1,10}", text)
    if kind and text not in _DOTFILES and re.match(r"(?i)\s*files?\b", after):
        return text if text.startswith(".env") else f"*{text}"
    if re.match(r"/[^/]+", text) and text[1:].split("/")[0].lower() not in _ROOTS:
        return text[1:]
    return text
