"""Which guards follow for certain from the literals of a decree's own sentence.

Only a ban yields guards, and only what stands in it between the words that
forbid and the words that turn ("but", "use … instead", "except"). A guard that
would stop more than the sentence says is worse than none: a sentence with a
condition gets none for a command, and ``ask`` for an address.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.guard.action import Action
from toolmem.core.guard.derive_command import command_in
from toolmem.core.model import ANY_TOOL

BAN = "ban"
"""The polarity of a decree that forbids; others yield nothing."""

# Patterns are compiled at first use: a rule needs a few of them.
_CUE = (
    r"(?i)\b(?:never(?: ever)?|do(?: no|n['’`]?)t(?: ever)?|must(?: no|n['’]?)t|cannot"
    r"|can['’]?t|should(?: no|n['’]?)t|may not|not allowed to|no longer|no more"
    r"|under no circumstances|avoid|stop|refrain from|forbidden to|won['’]?t)\b"
    r"[\s.:!]*"
)
_REFRAINS = (
    r"(?i)\s*(?:ever\s+)?(?:avoid|skip|ignor|refus|neglect|omit|bypass|forget|delay"
    r"|disregard|overlook|exclud|refrain|hesitat|leav\w* out)\w*"
)
"""Verbs of not doing: "never skip tests/" bans to leave it, not to touch it."""
_CONDITION_BEFORE = (
    r"(?i)(?:^[\s*•\d.)-]*|[,;:]\s*)(?:if|when|whenever|while|until|once|unless|for|on|in|during|after"
    r"|before|as long as|only)\b"
)
_LISTED = r"(?!\s*(?:(?:or|and|nor)\b|[`\"]?[\w~*-]*[.@/~*][\w~*/-]))"
"""What follows a comma in a list of addresses or files."""
_TURN = (
    rf"(?i)[;!?]|,{_LISTED}|[.:](?=\s|$)|\s[-–—]+\s|\s\(|,?\s(?:e\.g\.|i\.e\.)"
    r"|,?\s(?:but|instead|because|since|rather|as it|so that|and (?:use|then|instead)"
    r"|use|prefer|only|just|other than|besides|apart from|anything but|except|unless"
    r"|without|with the exception|until|outside)\b"
)
_EXCEPTION = (
    r"(?i)\b(?:unless|except|exception|until i|before asking|before i"
    r"|without (?:\w+ )?(?:ask|asking|approval|permission|confirm\w*|consent|ok"
    r"|checking|telling))\b"
)
_CONDITION = (
    r"(?i)\b(?:if|when|whenever|while|during|before|after|today|tonight|tomorrow|yet|now"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends?|for)\b"
)
_MAIL = r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"
_URL = r"(?i)\bhttps?://([^\s/<>\"'`,;)]+)(/[^\s<>\"'`,;)]*)?"
_ZONE = r"(?:com|org|net|io|dev|ai|app|edu|gov|internal|local|example)\b"
_HOST = rf"(?i)(?<![\w@./-])(?:[a-z0-9-]{{1,63}}\.){{1,8}}{_ZONE}(?![\w/-]|\.\w)"
_PAGE = rf"(?i)(?:[\w-]+\.)+{_ZONE}"
_PATH = (
    r"(?<![\w.~*/@:-])(?:(?:~|\.{1,2})?/[\w.@*][\w.@*/-]*|\.?[\w@*-][\w.@*-]*/[\w.@*/-]*"
    r"|\.env(?:\.\w+)*|\.(?:git|ssh|aws)\b|[\w.*-]*[\w*-]\.(?:py|js|tsx?|jsx|md|json"
    r"|ya?ml|toml|lock|pem|key|sql|sh|txt|cfg|ini|go|rs|java|rb|css|html|snap|csv|xml|db"
    r"|env))(?![\w@])"
)
_AND_OR = r"^\w+/\w+$"
_READS = (
    r"(?i)\b(?:read|open|access|look|cat|print|view|show|shar|upload|expos|leak|send)"
    r"(?:e|es|s|ing|ting)?\b"
)
_DELETES = r"(?i)\b(?:delet|remov|eras|wip)\w*"
_COMMITS = r"(?i)\b(?:commit|stag|check(?:ing)? in)\w*"
_MENTIONS = r"(?i)\b(?:mention|link|cite|refer|quot|writ|say|talk|discuss)\w*"
_CODE = r"`([^`\n]{2,80})`"
_RUNS = r"(?i)\b(?:run|us|execut|issu|send|post|call)(?:e|ing|ning)?\b"
_SHELLS = r"(?i)bash|shell|terminal|powershell|exec|^cmd$|console"
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
        return self.tool == ANY_TOOL or re.search(_SHELLS, self.tool) is not None


def derive_guards(rule: str, tool: str, polarity: str) -> tuple[dict[str, Any], ...]:
    """The guard tables of a decree on a tool; none unless it is a ``ban`` with a
    literal that is certain. Each has ``derived = true``; ``ask`` in place of
    ``deny`` where the sentence leaves room ("unless I say so")."""
    cues = (
        list(re.finditer(_CUE, rule[: 2 * limits.RULE_CHARS]))
        if polarity == BAN
        else []
    )
    tables: list[dict[str, Any]] = []
    around = zip(cues, [None, *cues], [*cues[1:], None], strict=False)
    for cue, before, following in around:
        rest = rule[cue.end() : following.start() if following else None]
        doubled = before and before.end() == cue.start()
        if re.match(_REFRAINS, cue[0] if doubled else rest):
            continue
        turn = re.search(_TURN, rest)
        clause = rest[: turn.start()] if turn else rest
        conditional = bool(re.search(_CONDITION_BEFORE, rule[: cue.start()]))
        excepted = bool(re.search(_EXCEPTION, rest))
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
    action = _action(ban, certain=not re.search(_CONDITION, ban.text))
    mails = [m[0] for m in re.finditer(_MAIL, ban.text) if _is_target(ban.text, m)]
    if mails:
        yield {"action": action, "contains": _one_or_list(mails)}
    yield from _hosts(ban, action)
    yield from _paths(ban, action)
    if not mails and not ban.shell and re.search(_RUNS, ban.text):
        codes = [code[1] for code in re.finditer(_CODE, ban.text) if " " in code[1]]
        if codes:
            yield {"action": action, "contains": _one_or_list(codes)}


def _action(ban: _Ban, *, certain: bool) -> str:
    sure = certain and not ban.excepted and not ban.conditional
    return (Action.DENY if sure else Action.ASK).value


def _is_target(text: str, match: re.Match[str]) -> bool:
    return not text[: match.start()].lower().endswith(_SOURCES)


def _hosts(ban: _Ban, action: str) -> Iterator[dict[str, Any]]:
    key = "contains" if re.search(_MENTIONS, ban.text) else "host"
    hosts, pages = [], []
    for url in re.finditer(_URL, ban.text):
        page = (url[2] or "").rstrip(".")
        if len(page) > 1:
            pages.append(url[1] + page)
        else:
            hosts.append(url[1].rstrip("."))
    without = re.sub(_URL, " ", re.sub(_MAIL, " ", ban.text))
    hosts += [
        host[0] for host in re.finditer(_HOST, without) if _is_target(without, host)
    ]
    if pages:
        yield {"action": action, "contains": _one_or_list(pages)}
    if hosts:
        yield {"action": action, key: _one_or_list(hosts)}


def _paths(ban: _Ban, action: str) -> Iterator[dict[str, Any]]:
    text = re.sub(_HOST, " ", re.sub(_URL, " ", re.sub(_MAIL, " ", ban.text)))
    paths = [path[0].rstrip(".") for path in re.finditer(_PATH, text)]
    paths = [
        path for path in paths if not (re.match(_AND_OR, path) or re.match(_PAGE, path))
    ]
    if not paths:
        return
    table: dict[str, Any] = {"path": _one_or_list(paths)}
    if re.search(_COMMITS, text):
        if ban.shell or "git" in ban.tool.lower():
            yield {"action": action, "command": _STAGERS, **table}
    elif not ban.shell or re.search(_READS, text):
        yield {"action": action, **table}
    elif re.search(_DELETES, text):
        yield {"action": action, "command": _REMOVERS, **table}


def _one_or_list(texts: list[str]) -> str | list[str]:
    unique = list(dict.fromkeys(texts))
    return unique[0] if len(unique) == 1 else unique
