"""Turn conditions of a ban into tests of the call: a place, a branch, an option.

A call that shows that it does not meet the condition is allowed, and one that shows
that it does is denied. Any other condition is no test: its ban asks.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.core.guard.derivation.objects.addresses import one_or_list
from toolmem.core.guard.derivation.objects.phrases import refs_of
from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.options import options_of

_CODE = r"[\ue200-\ue5ff]"
_MAIN = r"(?:main|master|develop|trunk)"
_OR = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)(?:(?:in|on|for|the)\s+)*"
_NOUN = (
    r"(?:\s+(?:sub)?(?:folders?|director(?:y|ies)|dirs?|files?|packages?|modules?"
    r"|trees?)\b)"
)
_WORDED = (
    r"(?:(?:the|this|your|our|my)\s+)?(?:current\s+)?(?:repo(?:sitory)?|project"
    r"|workspace"
    r"|working (?:directory|folder|tree)|codebase|home (?:folder|directory|dir))\b"
    r"(?:\s+(?:root|folder|directory|dir)\b)?"
)
_PLACE = rf"(?:{_CODE}|{_WORDED}|[\w.~@*-]*[/*][\w.~@*/-]*){_NOUN}?"
_BRANCH = rf"(?:{_CODE}|{_MAIN}\b|[\w*.-]+/[\w*./-]+)"
_OPTION = rf"(?:{_CODE}|--?[A-Za-z][\w-]*(?:=[\w.-]*\w)?)"
_OPTIONS = (
    r"(?:(?:it['’]s|it is|they['’]re|you|we|run|call|is|are|with|using|pass\w*|add\w*"
    r"|giv\w*|set\w*|there['’]s|an?|the|explicit|option|flag)\s+)*"
    rf"(?P<options>{_OPTION}(?:(?:\s*,\s*(?:or\s+)?|\s+or\s+){_OPTION})*)"
    r"(?:\s+(?:option|flag|switch)(?:e?s)?\b)?(?:\s+(?:is|are|was)\s+(?:given|set|used"
    r"|passed|there|present))?"
)
_BEING = (
    r"(?:(?:if|when|whenever|while)\s+)?"
    r"(?:(?:you|we|it|they)(?:\s+(?:are|is)|['’]re|['’]s)\s+)?"
    r"(?:(?:work|edit|chang|touch|writ|modify)ing\s+)?"
)
_KINDS = {
    "cluster": ("--context", "--cluster", "--kube-context", "--name"),
    "context": ("--context", "--kube-context"),
    "namespace": ("--namespace",),
    "profile": ("--profile",),
    "project": ("--project",),
    "account": ("--account", "--profile"),
    "region": ("--region",),
    "workspace": ("--workspace",),
}
"""Object of a command → the options that name it."""
_NOT = r"(?:unless|except|other than|anywhere but|but not)\s+"
_FILES = (
    r"(?:(?:any|all|the|files?|paths?|globs?|folders?|directory|code|changes|in|inside"
    r"|matching|that match)\s+)*"
)
_WITHOUT = re.compile(rf"(?i)\s*(?:without|unless|except)\s+{_OPTIONS}(?=$|[\s,])")
_WITH = re.compile(rf"(?i)\s*with\s+{_OPTIONS}(?=$|[\s,])")
_ON_BRANCH = re.compile(
    rf"(?i)\s*(?P<other>{_NOT})?{_BEING}(?P<word>on|to|into)\s+(?:(?:the|a|any)\s+)*"
    rf"(?:(?:branch(?:es)?\s+)(?P<after>{_BRANCH}(?:{_OR}{_BRANCH})*)"
    rf"|(?P<before>{_BRANCH}(?:{_OR}{_BRANCH})*)\s+branch(?:es)?"
    rf"|(?P<named>{_MAIN}(?:{_OR}{_MAIN})*))(?=$|[\s,])"
)
_IN_PLACE = re.compile(
    rf"(?i)\s*(?P<other>outside\s+(?:of\s+)?|{_NOT}(?=(?:when|if|in|on"
    rf"|for)\b))?{_BEING}"
    rf"(?P<word>(?:in|inside|within|under|from|for|on|to)\s+)?{_FILES}"
    rf"(?P<places>{_PLACE}(?:{_OR}{_PLACE})*)(?=$|[\s,])"
)
_TARGET = re.compile(
    rf"(?i)\s*(?P<other>unless\s+)?(?:against|on|in|to|for|from|with|at)\s+"
    rf"(?:(?:the|our|my|any)\s+)*(?P<names>(?:{_CODE}|[\w.-]+)(?:{_OR}(?:{_CODE}"
    rf"|[\w.-]+))*)\s+(?P<kind>{'|'.join(_KINDS)})s?(?=$|[\s,])"
)
_CLIENTS = frozenset(
    """ssh scp sftp rsync mosh psql mysql mongosh redis-cli curl wget ftp telnet nc nmap
    http xh ansible pg_dump pg_restore mysqldump rclone""".split()
)
_HOST = re.compile(
    rf"(?i)\s*(?:against|into|to|on|onto|at|from)\s+(?:the\s+)?(?:(?:host|server"
    rf"|machine"
    rf"|box|database|db|instance)\s+)?(?P<names>(?:{_CODE}|[\w.-]*[\d.-][\w.-]*\w)"
    rf"(?:{_OR}(?:{_CODE}|[\w.-]*[\d.-][\w.-]*\w))*)(?:\s+(?:host|server|machine|box"
    r"|database|db|instance|replica)s?\b)?(?=$|[\s,])"
)
_PIECE = re.compile(
    r"(?i)[,:]\s*(?:and\s+)?(?=(?:if|when|while|until|once|unless|for|on|in|during"
    r"|after"
    r"|before|except|outside|without|inside|from|with)\b)"
)
_MORE = re.compile(r"(?i)\s*(?:[,(/]|(?:or|and|nor|but)\b)")
_REASON = re.compile(
    r"(?i)(?:\s*,?\s*(?:because|since|as (?:it|they|this)|so that|instead)"
    r"|\s*,\s*(?:it|this|that|they|we|you|i|our|my|your|their|there)(?:['’]\w+)?)\b"
    r"(?!.*\b(?:unless|except|without|if|when|until)\b)"
)
"""A reason, or a clause with a subject of its own: no condition is in it."""
_OPTION_TEXT = re.compile(r"--?[A-Za-z][\w-]*(?:=\S+| \S+)?")
_PLACE_TEXT = re.compile(r"[\w.~@*?{},\[\]/-]*[/*.][\w.~@*?{},\[\]/-]*")
_BRANCH_TEXT = re.compile(r"[\w./*-]+")
_ABOUT = frozenset(("for", "on", "to", ""))

_MOST_PLACES, _MOST_BRACES = 64, 2

Table = dict[str, Any]


class Checks(NamedTuple):
    """A guard's tests with those of its conditions; ``complete`` if that is all."""

    tests: Table
    complete: bool


def with_checks(ban: Ban, tests: Table, limit: str) -> Checks:
    """Add what a call shows of the conditions of a ban to the tests of its guard."""
    complete = True
    for piece, is_before in [
        *((piece, True) for piece in _PIECE.split(ban.before)),
        *((piece, False) for piece in [limit]),
    ]:
        found = _checked(ban, tests, piece, is_before=is_before)
        tests, complete = found.tests, complete and found.complete
    return Checks(tests, complete)


def _with_option_only(line: list[str], option: str) -> list[list[str]]:
    """Return the commands of a program that take an option; the line if that is
    unknown: "`docker` without `--rm`" is about ``docker run``."""
    if len(line) > 1 or option in options_of(line[0]).spellings:
        return [line]
    subcommands = (key for key in FLAGS if key.startswith(f"{line[0]} "))
    taking = [key.split() for key in subcommands if option in options_of(key).spellings]
    return taking or [line]


def _checked(ban: Ban, tests: Table, piece: str, *, is_before: bool) -> Checks:
    """Read one condition after the other; none of them if the rest is another case."""
    at, read = 0, tests
    while piece[at:].strip() and not _REASON.match(piece, at):
        step = next(_steps(ban, read, piece, at, is_before=is_before), None)
        if step is None:
            return Checks(tests if _MORE.match(piece, at) else read, complete=False)
        read, at = step
    return Checks(read, complete=True)


def _steps(
    ban: Ban, tests: Table, piece: str, at: int, *, is_before: bool
) -> Iterator[tuple[Table, int]]:
    for pattern, read in _FORMS:
        match = pattern.match(piece, at)
        added = read(ban, tests, match, is_before) if match else None
        if match and added and not tests.keys() & added.keys() - {"command", "within"}:
            yield {**tests, **added}, match.end()


def _without(ban: Ban, tests: Table, match: re.Match[str], _: bool) -> Table | None:
    names = [name.split() for name in _names(ban, match["options"])]
    lines = [
        taking
        for line in command_lines(tests)
        for taking in _with_option_only(line, names[0][0] if names else "")
    ]
    allowed = _with_options(ban, {"command": lines}, match)
    if not allowed:
        return None
    return {"command": _one_or_lines(lines), "unless": {"command": allowed}}


def _with(ban: Ban, tests: Table, match: re.Match[str], _: bool) -> Table | None:
    lines = _with_options(ban, tests, match)
    return {"command": lines} if lines else None


def _with_options(ban: Ban, tests: Table, match: re.Match[str]) -> list[Any]:
    """Return the command lines with one of the options each; none for other words."""
    options = _names(ban, match["options"])
    if not all(map(_OPTION_TEXT.fullmatch, options)):
        return []
    return _one_or_lines(
        [
            [*line, *option.split()]
            for line in command_lines(tests)
            for option in options
        ]
    )


def _one_or_lines(lines: list[Any]) -> list[Any]:
    return lines[0] if len(lines) == 1 else lines


def command_lines(tests: Table) -> list[list[str]]:
    """Return the command lines of a guard's table."""
    lines = tests.get("command") or []
    return lines if all(isinstance(line, list) for line in lines) else [lines]


def _target(ban: Ban, tests: Table, match: re.Match[str], _: bool) -> Table | None:
    """Add the option that names what a command works on: a cluster, a profile."""
    names = [name for name in _names(ban, match["names"]) if name.isascii()]
    lines = [
        [*line, option, name]
        for line in command_lines(tests)
        for option in _KINDS[match["kind"].lower()]
        if option
        in options_of(" ".join(line[:2])).spellings | options_of(line[0]).spellings
        for name in names
    ]
    if not lines:
        return None
    if match["other"]:
        return {"unless": {"command": lines}}
    switches = [["kubectl", "config", "use-context", name] for name in names]
    whole = any(line == ["kubectl"] for line in command_lines(tests))
    return {"command": [*lines, *(switches if whole else ())]}


def _host(ban: Ban, tests: Table, match: re.Match[str], _: bool) -> Table | None:
    """Add the host that a program connects to."""
    names = _names(ban, match["names"])
    clients = all(line[0] in _CLIENTS for line in command_lines(tests))
    return {"host": one_or_list(names)} if clients and "command" in tests else None


def _branch(
    ban: Ban, tests: Table, match: re.Match[str], is_before: bool
) -> Table | None:
    names = _names(ban, match["after"] or match["before"] or match["named"])
    verb = next((line[1:2] for line in command_lines(tests) if line[:1] == ["git"]), [])
    if not all(map(_BRANCH_TEXT.fullmatch, names)):
        return None
    if match["other"]:
        return {"unless": {"branch": one_or_list(names)}}
    if verb == ["push"] and not is_before:
        return {"glob": [form for name in names for form in refs_of(name)]}
    if match["word"].lower() != "on" and verb not in (["commit"], ["merge"]):
        return None
    return {"branch": one_or_list(names)}


def _place(
    ban: Ban, tests: Table, match: re.Match[str], is_before: bool
) -> Table | None:
    word = (match["word"] or "").strip().lower()
    if not (word or match["other"] or is_before):
        return None
    listed = re.sub(rf"(?i){_WORDED}", _worded, match["places"])
    places = _names(ban, listed)
    noun = re.search(rf"{_NOUN}$", match[0])
    if word == "on" and all(re.fullmatch(_MAIN, one) for one in places):
        key = {"branch": one_or_list(places)}
        return {"unless": key} if match["other"] else key
    if not all(_PLACE_TEXT.fullmatch(one) or (noun and noun[0]) for one in places):
        return None
    if word in _ABOUT and not match["other"]:
        places = [f"{one}**" if one.endswith("/") else one for one in places]
        if "path" in tests and not all(one.endswith("/**") for one in places):
            return None  # work on those files, in which another one is banned
    places = [form for one in places for form in _alternatives(one)]
    if not 0 < len(places) <= _MOST_PLACES:
        return None
    where = one_or_list(places)
    known = tests.get("within")
    if known is None:
        return {"within": {"outside": where} if match["other"] else where}
    if isinstance(known, dict):
        return None
    if match["other"]:
        return {"within": {"inside": known, "outside": where}}
    both = _in_both([known] if isinstance(known, str) else known, places)
    return {"within": one_or_list(both)} if both else None


def _in_both(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the places that are in one of each; none if some are only apart."""
    both = [_narrower(one, other) for one in first for other in second]
    return both if all(both) and len(both) <= _MOST_PLACES else []


def _narrower(one: str, other: str) -> str:
    """Return the glob of what is in a folder and fits another glob, if there is one."""
    for folder, glob in (
        (one.removesuffix("**"), other),
        (other.removesuffix("**"), one),
    ):
        if not folder.endswith("/"):
            continue
        if glob.startswith(folder):
            return glob
        if glob.startswith("**/") or re.fullmatch(r"\*[^/*]+", glob):
            return f"{folder}**/{glob.removeprefix('**/')}"
    return ""


def _worded(place: re.Match[str]) -> str:
    return "~/" if "home" in place[0].lower() else "./"


def _alternatives(glob: str) -> Iterator[str]:
    """Yield the globs of ``*.{a,b}``; none if braces are nested or too many."""
    before, brace, rest = glob.partition("{")
    inside, closed, after = rest.partition("}")
    if not brace:
        yield glob
    elif closed and "{" not in inside and after.count("{") < _MOST_BRACES:
        for one in inside.split(","):
            yield from (f"{before}{one}{end}" for end in _alternatives(after))


_Form = Callable[[Ban, Table, re.Match[str], bool], Table | None]
_FORMS: tuple[tuple[re.Pattern[str], _Form], ...] = (
    (_TARGET, _target),
    (_WITHOUT, _without),
    (_WITH, _with),
    (_ON_BRANCH, _branch),
    (_HOST, _host),
    (_IN_PLACE, _place),
)


def _names(ban: Ban, listed: str) -> list[str]:
    """Return the texts of a list: those in code style, and bare ones."""
    words = re.findall(rf"{_CODE}|[^\s,]+", re.sub(_NOUN, " ", listed))
    found = [ban.code(one) if is_code(one) else one for one in words]
    linking = ("and", "or", "in", "on", "for", "the")
    return [one for one in found if one.lower() not in linking]
