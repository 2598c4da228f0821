"""Derive commands from bans in common words: "push to main", "drop tables"."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.guard.derivation.reading.vocabulary import PUBLISHING
from toolmem.core.shell.programs import SHELLS


class Phrase(NamedTuple):
    """Tests that a phrase means, and its end in the ban's text."""

    tables: tuple[dict[str, Any], ...]
    end: int


_VERBS = (
    r"(?i)\s*(?:(?:ever|just|direct(?:ly)?|even|also|run(?:ning)?|do(?:ing)?|make"
    r"|us(?:e|ing))\s+)*"
)
_OBJECT = (
    r"(?:\s+(?:(?:any|your|my|the|all|local)\s+)?(?:changes?|code|commits?|anything"
    r"|work|stuff|it))?"
)
_PUSH = re.compile(
    rf"{_VERBS}(?P<force>force[\s.-]*push|push --force)?(?P<push>(?:git\s+)?push)?"
    rf"(?:es|ing|ed)?\b{_OBJECT}"
)
_WITH = re.compile(r"(?i)\s+(?:with|using)\s+([\ue200-\ue5ff]|--?[\w-]+)")
_COMMIT = re.compile(rf"{_VERBS}(?:git\s+)?(commit|rebas(?=e|ing)|merg(?=e|ing)"
                     rf"|cherry-pick|amend|stash)"
                     rf"(?:e?s|e|ing|ting|e?d)?\b{_OBJECT}")  # fmt: skip
_TO = re.compile(
    r"(?i)\s*(?:(?:directly|straight)\s+)?(?:to|on|onto|into)\s+(?:(?:the|a|any)\s+)?"
)
_NAMED = r"main|master|develop|trunk|production|prod|staging|release|dev"
_KINDS = (
    r"(?:shared|protected|public|remote|feature|any|other|published|the|this|that|my"
    r"|your|default|upstream|another|existing|main)\b"
)
_BRANCH = re.compile(
    rf"(?i)(?:origin[/ ])?(?P<name>(?!origin/)[\w.-]+/[\w.*/-]*[\w*]|{_NAMED}"
    rf"|[\ue200-\ue5ff]|(?!{_KINDS})[\w./-]+(?=\s+branch\b))(?![\w-])"
    r"(?:\s*branch(?:es)?)?|(?P<code>[\ue200-\ue5ff])(?:\s*branch(?:es)?)?"
)
_AND = re.compile(r"(?i)\s*(?:,\s*(?:or|and)?|/|\b(?:or|and)\b)\s*(?:(?:to|the)\s+)*")
_FILES_IN = re.compile(
    r"(?i)\s+(?:in|under|inside|from|within|below)\s+(?:the\s+)?(?:[\ue200-\ue5ff]"
    r"|\S*/)"
)
_ORIGIN = ("", "origin/")
_CHECKED_OUT = re.compile(
    rf"{_VERBS}check(?:ing)?\s+(?:out\s+(?:the\s+)?(?P<first>[\ue200-\ue5ff]|{_NAMED})"
    rf"|(?:the\s+)?(?P<name>[\ue200-\ue5ff]"
    rf"|{_NAMED})(?:\s+branch)?\s+out)\b(?:\s+branch)?"
)
_SQL_CLIENTS = [
    ["psql"],
    ["mysql"],
    ["mariadb"],
    ["sqlite3"],
    ["sqlcmd"],
    ["duckdb"],
    ["clickhouse-client"],
    ["cockroach"],
    ["drop"],
    ["truncate"],
]
_SQL_START = r"(?i)(^|[^'\w]|[^=\s]\s*')"
"""What is before a keyword of a statement: no ``=``, after which it is a value."""
_DROP = rf"{_SQL_START}drop\s+(table|database|schema)\b"
_SQL_KEYS = ["sql", "query", "statement", "queries", "statements"]
_STATEMENT = re.compile(
    r"\s*(?:(?:ever|run|issue|execute|use|do|any)\s+)*(?:(?P<verb>UPDATE|DELETE|INSERT"
    r"|DROP"
    r"|TRUNCATE|ALTER|GRANT)S?\b|(?i:(?P<other>update|delete|insert|drop|truncate"
    r"|alter)"
    r"(?= (?:statement|quer))))(?:\s+(?i:statements?|quer(?:y|ies)))?"
    r"(?=\s*(?:$|[,.;!/(]|or\b|and\b|on\b|against\b))"
)
_SQL_REST = {"delete": r"\s+from", "insert": r"\s+into"}
_PHRASES: tuple[tuple[str, tuple[dict[str, Any], ...]], ...] = (
    (
        r"(?:drop|dropping)\s+(?:any\s+|the\s+|a\s+)*(?:(?:sql|database)\s+)?"
        r"(?:tables?|databases?|schemas?)(?:\s*(?:,|or|and|/)+\s*(?:tables?|databases?"
        r"|schemas?))*",
        (
            {"command": _SQL_CLIENTS, "regex": _DROP},
            {"argument": _SQL_KEYS, "regex": _DROP},
        ),
    ),
    (
        r"truncat\w+\s+(?:any\s+|the\s+|a\s+)*(?:tables?|databases?)",
        (
            {"command": _SQL_CLIENTS, "regex": r"(?i)\btruncate\s+(table\s+)?\w"},
            {"argument": _SQL_KEYS, "regex": r"(?i)\btruncate\s+(table\s+)?\w"},
        ),
    ),
    (
        r"flush(?:ing)?\s+(?:the\s+)?redis(?:\s+(?:cache|database|db))?",
        ({"command": ["redis-cli"], "regex": "(?i)^flush(all|db)$"},),
    ),
    (
        r"(?:shut(?:ting)?\s*down|reboot\w*|restart\w*|power\w*\s+off|halt\w*)"
        r"(?:\s*(?:,|or|and|/)+\s*(?:shut(?:ting)?\s*down|reboot\w*|restart\w*"
        r"|power\w*\s+off|halt\w*))*\s+(?:this|the|my|your|any)\s+"
        r"(?:machine|computer|host|server|system|box|laptop|mac)",
        ({"command": [["shutdown"], ["reboot"], ["poweroff"], ["halt"],
                      ["systemctl", ["reboot", "poweroff", "halt"]],
                      ["init", ["0", "6"]]]},),
    ),
    (
        r"writ\w+\s+(?:anything\s+)?(?:directly\s+)?to\s+(?:a\s+|the\s+|any\s+)*"
        r"(?:raw\s+)?(?:disks?|block devices?|devices?|drives?)(?:\s+(?:with"
        r"|using)\s+dd)?",
        ({"command": ["dd"], "regex": "^of=/dev/"},),
    ),
    (
        r"pip(?:e|ing)\s+(?:the output of\s+)?(?:curl|wget|(?:an?y? )?downloads?"
        r"|(?:an?y? |remote )*scripts?)(?:\s*(?:,|or|and|/)+\s*(?:curl|wget))*[\w ]*?"
        r"\s+(?:in)?to\s+(?:a\s+|the\s+|any\s+)?(?:shell|bash|sh|zsh)"
        r"(?:\s*(?:,|or|and|/)+\s*(?:bash|sh|zsh))*",
        ({"command": [[["curl", "wget"], "|", [*sorted(SHELLS), "eval"]]]},),
    ),
    (
        r"(?:amend\w*|rewrit\w+)\s+(?:any\s+|a\s+|the\s+|existing\s+"
        r"|previous\s+)*commits?",
        ({"command": ["git", "commit", "--amend"]},),
    ),
)  # fmt: skip


def phrase_in(ban: Ban) -> Phrase | None:
    """Return the tests for a known phrase at the beginning of a ban."""
    return (
        _publish(ban)
        or _push(ban)
        or _idiom(ban)
        or _commit(ban)
        or _checkout(ban)
        or _sql(ban)
    )


_PUBLISH = re.compile(
    rf"{_VERBS}publish(?:es|ed|ing)?(?:\s+(?:anything|packages?|releases?|a|the|new|any"
    r"|our|versions?|it))*"
    rf"(?:\s+(?:in)?to\s+(?:the\s+)?(?P<where>{'|'.join(map(re.escape, PUBLISHING))}))?"
    r"(?:\s+registry)?(?![\w-])"
)


def _publish(ban: Ban) -> Phrase | None:
    match = _PUBLISH.match(ban.text)
    named = match and (match["where"] or "anything" in match[0])
    if not match or not named:
        return None
    where = (match["where"] or "").lower()
    listed = [PUBLISHING[where]] if where else list(PUBLISHING.values())[:3]
    lines = [line.split() for one in listed for line in one.split("|")]
    return Phrase(({"command": lines},), match.end())


def _checkout(ban: Ban) -> Phrase | None:
    match = _CHECKED_OUT.match(ban.text)
    if not match:
        return None
    name = match["first"] or match["name"]
    name = ban.code(name) if is_code(name) else name
    lines = [["git", verb, name] for verb in ("checkout", "switch")]
    return Phrase(({"command": lines},), match.end())


def _idiom(ban: Ban) -> Phrase | None:
    for pattern, tables in _PHRASES:
        match = re.match(_VERBS + pattern + r"\b", ban.text)
        if match:
            return Phrase(tables, match.end())
    return None


def _sql(ban: Ban) -> Phrase | None:
    match = _STATEMENT.match(ban.text)
    if not match:
        return None
    verb = (match["verb"] or match["other"]).lower()
    regex = rf"{_SQL_START}{verb}{_SQL_REST.get(verb, '')}\s"
    uses: tuple[dict[str, Any], ...] = (
        {"command": _SQL_CLIENTS[:-2]},
        {"argument": _SQL_KEYS},
    )
    return Phrase(tuple({**use, "regex": regex} for use in uses), match.end())


def _push(ban: Ban) -> Phrase | None:
    match = _PUSH.match(ban.text)
    if not match or not (match["force"] or match["push"]):
        return None
    words = ["git", "push", *(["--force"] if match["force"] else [])]
    flag = _WITH.match(ban.text, match.end())
    if flag:
        words.append(ban.code(flag[1]) if is_code(flag[1]) else flag[1])
        return Phrase(({"command": words},), flag.end())
    branches, end = _branches(ban, match.end())
    table: dict[str, Any] = {"command": words}
    if branches:
        table["glob"] = [form for name in branches for form in refs_of(name)]
    return Phrase((table,), end)


def refs_of(name: str) -> Iterator[str]:
    """Yield the forms in which a push names a branch."""
    ref = f"refs/heads/{name}"
    yield from (name, f"+{name}", f"*:{name}", ref, f"*:{ref}")


def _commit(ban: Ban) -> Phrase | None:
    match = _COMMIT.match(ban.text)
    if not match:
        return None
    if _FILES_IN.match(ban.text, match.end()):
        return None
    verb = match[1].lower()
    verb += "e" if verb in ("rebas", "merg") else ""
    if verb == "amend":
        return Phrase(({"command": ["git", "commit", "--amend"]},), match.end())
    table: dict[str, Any] = {"command": ["git", verb]}
    flag = _WITH.match(ban.text, match.end())
    if flag:
        table["command"] = [
            "git",
            verb,
            ban.code(flag[1]) if is_code(flag[1]) else flag[1],
        ]
        return Phrase((table,), flag.end())
    branches, end = _branches(ban, match.end())
    if not branches:
        return Phrase((table,), end)
    if verb == "rebase":
        onto = [
            ["git", "rebase", f"{start}{one}"] for one in branches for start in _ORIGIN
        ]
        return Phrase(({"command": onto},), end)
    table["branch"] = branches if len(branches) > 1 else branches[0]
    if verb != "commit":
        return Phrase((table,), end)
    refs = [form for name in branches for form in refs_of(name)]
    return Phrase((table, {"command": ["git", "push"], "glob": refs}), end)


def _branches(ban: Ban, at: int) -> tuple[list[str], int]:
    to = _TO.match(ban.text, at)
    names: list[str] = []
    end = at
    at = to.end() if to else -1
    while at >= 0 and (branch := _BRANCH.match(ban.text, at)):
        name = branch["name"] or branch["code"]
        name = ban.code(name).removeprefix("origin/") if is_code(name) else name
        several = branch[0].lower().endswith("branches") and name.isalpha()
        if not re.fullmatch(r"[\w./*-]+", name):
            break
        names.append(name.lower() if re.fullmatch(_NAMED, name, re.I) else name)
        names += [f"{names[-1]}/*", f"{names[-1]}-*"] if several else []
        end = branch.end()
        more = _AND.match(ban.text, end)
        at = more.end() if more else -1
    return names, end
