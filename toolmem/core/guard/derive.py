"""Which guards follow for certain from the literals of a decree's own sentence.

Only a ban yields guards, and only what stands in it between the words that
forbid and the words that turn ("but", "use … instead", "except"). A guard that
would stop more than the sentence says is worse than none: a sentence with a
condition gets none for a command, and ``ask`` for an address.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.guard.derive_command import command_in
from toolmem.core.guard.tables import Action
from toolmem.core.model import ANY_TOOL

BAN = "ban"
"""The polarity of a decree that forbids; others yield nothing."""

_CUE = re.compile(
    r"\b(?:never(?: ever)?|do(?: no|n['’`]?)t(?: ever)?|must(?: no|n['’]?)t|cannot"
    r"|can['’]?t|should(?: no|n['’]?)t|may not|not allowed to|no longer|no more"
    r"|under no circumstances|avoid|stop|refrain from|forbidden to|won['’]?t)\b"
    r"[\s.:!]*",
    re.IGNORECASE,
)
_CONDITION_BEFORE = re.compile(
    r"(?:^[\s*•\d.)-]*|[,;:]\s*)(?:if|when|whenever|while|until|once|unless|for|on|in|during|after"
    r"|before|as long as|only)\b",
    re.IGNORECASE,
)
_LISTED = r"(?!\s*(?:(?:or|and|nor)\b|[`\"]?[\w~*-]*[.@/~*][\w~*/-]))"
"""What follows a comma in a list of addresses or files."""
_TURN = re.compile(
    rf"[;!?]|,{_LISTED}|[.:](?=\s|$)|\s[-–—]+\s|\s\(|,?\s(?:e\.g\.|i\.e\.)"
    r"|,?\s(?:but|instead|because|since|rather|as it|so that|and (?:use|then|instead)"
    r"|use|prefer|only|just|other than|besides|apart from|anything but|except|unless"
    r"|without|with the exception|until|outside)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|exception|until i|before asking|before i"
    r"|without (?:\w+ )?(?:ask|asking|approval|permission|confirm\w*|consent|ok"
    r"|checking|telling))\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|while|during|before|after|today|tonight|tomorrow|yet|now"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends?|for)\b",
    re.IGNORECASE,
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b")
_URL = re.compile(r"\bhttps?://([^\s/<>\"'`,;)]+)(/[^\s<>\"'`,;)]*)?", re.IGNORECASE)
_ZONE = r"(?:com|org|net|io|dev|ai|app|edu|gov|internal|local|example)\b"
_HOST = re.compile(
    rf"(?<![\w@./-])(?:[a-z0-9-]{{1,63}}\.){{1,8}}{_ZONE}(?![\w/-]|\.\w)", re.IGNORECASE
)
_PAGE = re.compile(rf"(?:[\w-]+\.)+{_ZONE}", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w.~*/@:-])(?:(?:~|\.{1,2})?/[\w.@*][\w.@*/-]*|\.?[\w@*-][\w.@*-]*/[\w.@*/-]*"
    r"|\.env(?:\.\w+)*|\.(?:git|ssh|aws)\b|[\w.*-]*[\w*-]\.(?:py|js|tsx?|jsx|md|json"
    r"|ya?ml|toml|lock|pem|key|sql|sh|txt|cfg|ini|go|rs|java|rb|css|html|snap|csv|xml|db"
    r"|env))(?![\w@])"
)
_AND_OR = re.compile(r"^\w+/\w+$")
_READS = re.compile(
    r"\b(?:read|open|access|look|cat|print|view|show|shar|upload|expos|leak|send)"
    r"(?:e|es|s|ing|ting)?\b",
    re.IGNORECASE,
)
_DELETES = re.compile(r"\b(?:delet|remov|eras|wip)\w*", re.IGNORECASE)
_COMMITS = re.compile(r"\b(?:commit|stag|check(?:ing)? in)\w*", re.IGNORECASE)
_MENTIONS = re.compile(
    r"\b(?:mention|link|cite|refer|quot|writ|say|talk|discuss)\w*", re.IGNORECASE
)
_CODE = re.compile(r"`([^`\n]{2,80})`")
_RUNS = re.compile(r"\b(?:run|us|execut|issu|send|post|call)(?:e|ing|ning)?\b", re.I)
_SHELLS = re.compile(
    r"bash|shell|terminal|powershell|exec|^cmd$|console", re.IGNORECASE
)
_SOURCES = ("from ", "by ", "as ", "like ", "from: ")
_REMOVERS = [["rm"], ["rmdir"], ["unlink"], ["shred"], ["git", "rm"]]
_STAGERS = [["git", "add"], ["git", "commit"]]


class _Ban(NamedTuple):
    """What a sentence forbids; ``excepted``: the person may allow it,
    ``conditional``: it holds at some times only."""

    text: str
    tool: str
    excepted: bool
    conditional: bool

    @property
    def shell(self) -> bool:
        return self.tool == ANY_TOOL or _SHELLS.search(self.tool) is not None


def derive_guards(rule: str, tool: str, polarity: str) -> tuple[dict[str, Any], ...]:
    """The guard tables of a decree on a tool; none unless it is a ``ban`` with a
    literal that is certain. Each has ``derived = true``; ``ask`` in place of
    ``deny`` where the sentence leaves room ("unless I say so")."""
    cues = list(_CUE.finditer(rule[: 2 * limits.RULE_CHARS])) if polarity == BAN else []
    tables: list[dict[str, Any]] = []
    for cue, following in zip_longest(cues, cues[1:]):
        rest = rule[cue.end() : following.start() if following else None]
        turn = _TURN.search(rest)
        clause = rest[: turn.start()] if turn else rest
        conditional = bool(_CONDITION_BEFORE.search(rule[: cue.start()]))
        excepted = bool(_EXCEPTION.search(rest))
        ban = _Ban(re.sub(r"\s+and\s*$", "", clause), tool, excepted, conditional)
        tables += [{**table, "derived": True} for table in _tables(ban)]
    return tuple(tables)


def _tables(ban: _Ban) -> Iterator[dict[str, Any]]:
    command = (
        None if ban.conditional else command_in(ban.text, ban.tool, shell=ban.shell)
    )
    if command:
        yield {"action": _action(ban, certain=True), **command}
        return
    action = _action(ban, certain=not _CONDITION.search(ban.text))
    mails = [m[0] for m in _MAIL.finditer(ban.text) if _is_target(ban.text, m)]
    if mails:
        yield {"action": action, "contains": _one_or_list(mails)}
    yield from _hosts(ban, action)
    yield from _paths(ban, action)
    if not mails and not ban.shell and _RUNS.search(ban.text):
        codes = [code[1] for code in _CODE.finditer(ban.text) if " " in code[1]]
        if codes:
            yield {"action": action, "contains": _one_or_list(codes)}


def _action(ban: _Ban, *, certain: bool) -> str:
    sure = certain and not ban.excepted and not ban.conditional
    return (Action.DENY if sure else Action.ASK).value


def _is_target(text: str, match: re.Match[str]) -> bool:
    return not text[: match.start()].lower().endswith(_SOURCES)


def _hosts(ban: _Ban, action: str) -> Iterator[dict[str, Any]]:
    key = "contains" if _MENTIONS.search(ban.text) else "host"
    hosts, pages = [], []
    for url in _URL.finditer(ban.text):
        page = (url[2] or "").rstrip(".")
        if len(page) > 1:
            pages.append(url[1] + page)
        else:
            hosts.append(url[1].rstrip("."))
    without = _URL.sub(" ", _MAIL.sub(" ", ban.text))
    hosts += [host[0] for host in _HOST.finditer(without) if _is_target(without, host)]
    if pages:
        yield {"action": action, "contains": _one_or_list(pages)}
    if hosts:
        yield {"action": action, key: _one_or_list(hosts)}


def _paths(ban: _Ban, action: str) -> Iterator[dict[str, Any]]:
    text = _HOST.sub(" ", _URL.sub(" ", _MAIL.sub(" ", ban.text)))
    paths = [path[0].rstrip(".") for path in _PATH.finditer(text)]
    paths = [path for path in paths if not (_AND_OR.match(path) or _PAGE.match(path))]
    if not paths:
        return
    table: dict[str, Any] = {"path": _one_or_list(paths)}
    if _COMMITS.search(text):
        if ban.shell or "git" in ban.tool.lower():
            yield {"action": action, "command": _STAGERS, **table}
    elif not ban.shell or _READS.search(text):
        yield {"action": action, **table}
    elif _DELETES.search(text):
        yield {"action": action, "command": _REMOVERS, **table}


def _one_or_list(texts: list[str]) -> str | list[str]:
    unique = list(dict.fromkeys(texts))
    return unique[0] if len(unique) == 1 else unique
