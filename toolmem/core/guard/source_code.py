"""Statements of a program in a scripting language, each with the values it uses.

It is a reading by lines and names, not by a grammar: enough to see which file a program
opens for writing and which command it starts. Comments, documentation strings and
messages are left out.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from toolmem.core.shell.code import code_operations
from toolmem.core.shell.operations import READ

_STARTS = re.compile(
    r"subprocess|child_process|\bos\.(?:system|popen|exec|spawn|posix_spawn)|\bsystem\b"
    r"|popen|\bexec\w*\s*\(|execa|spawn|\bpty\.|`|\bqx\b|%x|\bshell\b|check_call"
    r"|check_output|getoutput|\b(?:run|sh|call|Command|invoke)\s*\(|plumbum|pexpect"
    r"|Deno\.(?:run|Command)|Bun\.(?:spawn|\$)|\bzx\b|Open3"
)
"""Calls that start another program, in the usual languages."""
_CONNECTS = re.compile(
    r"\brequests\.|urlopen|urlretrieve|\bfetch\s*\(|axios|aiohttp|httpx|socket|connect"
    r"|\bgot\s*\(|Net::HTTP|LWP|file_get_contents|ftplib|smtplib|paramiko|\bhttps?\.\w+\("
)
"""Calls that connect to a host."""
_READS = re.compile(r"open|read|load|include|require|import|file", re.IGNORECASE)
_OPENS = re.compile(r"\b(?:open|read|load)\w*\s*\(", re.IGNORECASE)
_DOCSTRING = re.compile(r'(?ms)^[ \t]*[rRbBuU]{0,2}("""|\'\'\')(?:.*?)\1[ \t]*;?$')
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--\s|=begin)")
_MESSAGE = re.compile(
    r"\s*(?:print|puts|echo|console\.\w+|log\w*\.\w+|raise|throw|assert|warn)\b"
)
_ASSIGNED = re.compile(
    r"\s*(?:(?:const|let|var|my|our|local|async|await|export)\s+)*[$@%]?(\w+)\s*"
    r"(?::[^=\n]{1,80})?(?:=|:=|\+=)(?![=~>])(.*)"
    r"|\s*(?:async\s+)?for\s*\(?\s*(?:(?:const|let|var|my)\s+)?[$@]?(\w+)\s+"
    r"(?:in|of)\b(.*)"
    r"|\s*(?:async\s+)?with\b(.*)\bas\s+(\w+)\s*:",
    re.DOTALL,
)
_CONTENT = re.compile(r"\bread\w*\s*\(|\bloads?\s*\(|\.text\b|\bgetenv|environ")
"""A value that is not a name but what was read from a file."""
_USED = re.compile(r"(?:\*{1,2}|\.{3}|[$@])?\b([^\W\d]\w*)\b")
_SEPARATED = re.compile(r"(['\"])\)?\s*/\s*\(?\1")
_JOINED = re.compile(r"(['\"])\s*,\s*\1")
_OPEN, _CLOSE = "([{", ")]}"
_MOST_LINES = 2000
_MOST_JOINED = 16
_MOST_PARTS = 200
_CHARS = 1000
_VALUE_CHARS = 400


def source_parts(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the statements that may start a program, and others that may use files.

    Each is one line; the values of the names in it follow it.
    """
    statements = list(_with_values(_DOCSTRING.sub("", text)))
    quoted = [
        statement
        for statement in statements
        if "'" in statement or '"' in statement or "`" in statement
    ]
    starting = quoted if any(map(_STARTS.search, statements)) else []
    using = [
        statement
        for statement in quoted
        if code_operations(statement) != READ
        or _READS.search(statement)
        or _CONNECTS.search(statement)
    ]
    return tuple(starting[:_MOST_PARTS]), tuple(using[:_MOST_PARTS])


def _with_values(text: str) -> Iterator[str]:
    values: dict[str, str] = {}
    for statement in _statements(text):
        filled = _filled(statement, values)
        whole = statement if filled == statement else f"{statement} ; {filled}"
        assigned = _ASSIGNED.match(filled)
        if assigned:
            first, value, each, listed, opened, alias = assigned.groups()
            own = value or listed or opened or ""
            if not _CONTENT.search(own):
                name = first or each or alias
                values[name] = f"{values.get(name, '')} {own}"[-_VALUE_CHARS:]
        acts = (_STARTS, _OPENS, _CONNECTS)
        if any(act.search(statement) for act in acts) or not _MESSAGE.match(statement):
            yield _one_path(whole)[:_CHARS]


def _filled(statement: str, values: Mapping[str, str]) -> str:
    """The statement with the values in place of the names that it uses."""
    assigned = _ASSIGNED.match(statement)
    begin = assigned.end(1) if assigned and assigned[1] else 0

    def value(match: re.Match[str]) -> str:
        known = match.start() >= begin and values.get(match[1])
        return known or match[0]

    return _USED.sub(value, statement[: 2 * _CHARS])[: 2 * _CHARS]


def _statements(text: str) -> Iterator[str]:
    """Logical lines: those that brackets or a backslash hold together."""
    lines: list[str] = []
    depth = 0
    plain = (line.strip() for line in text.splitlines() if not _COMMENT.match(line))
    for line in islice(filter(None, plain), _MOST_LINES):
        lines.append(line.removesuffix("\\"))
        depth += sum(map(line.count, _OPEN)) - sum(map(line.count, _CLOSE))
        open_ended = line.endswith("\\") or (depth > 0 and line[-1] not in "{:")
        if not open_ended or len(lines) >= _MOST_JOINED:
            yield from " ".join(lines).split("; ")
            lines, depth = [], 0
    yield " ".join(lines)


def _one_path(statement: str) -> str:
    """The statement with the pieces of a path that it joins as one text."""
    joined = _SEPARATED.sub("/", statement)
    return _JOINED.sub("/", joined) if "path.join" in joined else joined
