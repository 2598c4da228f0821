"""Detect pasted lines of a message: logs, traces, diffs, code, toolmem's output.

Each line is judged by its beginning; the lines of a block (a trace, a diff, a commit of
``git log``, an indented listing) follow its first line, and a paragraph of mostly such
lines is pasted as a whole.
"""

import re
from collections.abc import Callable, Sequence

from toolmem.core.capture.text.lists import phrases

_STARTS = tuple(
    beginning.replace("␣", " ") for beginning in phrases("pasted beginnings")
)
"""Levels, prompts, traces, headers, comments, speakers, toolmem's own output."""
_STAMP = (
    r"\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ,_]|\d\d?:\d\d:\d\d)|\[\d\d?:\d\d\] "
    r"|\d+ \| |(?:not )?ok \d"
)
_WHERE = r"[\w./@~-]*[\w/-]\.\w{1,5}:\d+(?:[:\s,]|$)|at (?:async )?\S+:\d"
_RAISED = r"[\w.]*(?:Error|Exception): "
_CALLED = r"at \S+ ?\(|[\w.-]+@[\w.-]+:\S*[#$] "
_CHANGED = r"(?:fix|feat|chore|docs|refactor|perf|ci|build|revert)(?:\([\w./-]+\))?!?: "
_KEYED = r"\"[\w-]+\": |[})\]]+[;,]?\s*$"
_COMMIT = r"commit [0-9a-f]{7,40}\b"
_CODE = (
    r"(?:const|let|var|def|class|function|fn|func|public|private|protected|static"
    r"|async|await|export|import|return|if|for|while|else|try|catch|switch|package"
    r"|using|select|insert|update|alter|create)\b(?=.*[(){}=\[\]<>])"
    r".*?(?:[;{}]|\w\(.*\):|=>|= \S.*)\s*$"
)
_DIFF = r"(?:diff --git |Index: \S|@@ -\d|--- \S+\s*$|\+\+\+ \S+\s*$)"
_DIFF_MORE = (
    " ", "+", "@", "-", "\\", "index ", "new file", "deleted file", "old mode",
    "new mode", "rename ", "similarity ",
)  # fmt: skip
_ITEM = r"\s*(?:[-*+•–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s"
_ASSIGNED = r"[\w.-]+ = (?:\".*\"|\[.*\]|-?\d\S*|true|false)\s*$"
_INSTRUCTION = r"(?:FROM|RUN|USER|COPY|CMD|ENV|WORKDIR|EXPOSE|ENTRYPOINT|ARG) \S"
_SET = r"(?:export |alias )[\w.-]+=\S|\[[\w.\"-]+\]$"
_LISTED = r"[0-9a-f]{8}  +\w"
_RULE_ID = r"id: [\w-]{8,64}$"
_SHOWN = r"[a-z_ ]{2,20}: |  \S"
_BLOCK = ("tool-scoped rules", "since this session began")


def pasted_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it was pasted rather than typed."""
    pasted = [False] * len(lines)
    at = 0
    in_list = blank_before = False
    while at < len(lines):
        line = lines[at]
        end = _run(lines, at)
        if end > at:
            pasted[at:end] = [True] * (end - at)
            at, blank_before = end, not lines[end - 1].strip()
            continue
        item = bool(re.match(_ITEM, line))
        code = _indented(line) and not item and not in_list
        code = code and (blank_before or at == 0 or pasted[at - 1])
        pasted[at] = bool(line.strip()) and (code or _by_machine(line))
        if line.strip():
            in_list = item or (in_list and (line[:1] in " \t" or not blank_before))
        blank_before = not line.strip()
        at += 1
    _whole_paragraphs(lines, pasted)
    return pasted


def _indented(line: str) -> bool:
    return line.startswith(("    ", "\t"))


def _by_machine(line: str) -> bool:
    """Return True if a line is output of a program or source code."""
    text = line.strip()
    if text.startswith(_STARTS) or text[0] == "|":
        return True
    first = text[0]
    patterns = []
    if first in "0123456789abcdef":
        patterns.append(_LISTED)
    if first.isupper():
        patterns.append(_INSTRUCTION)
    if first in "ea[":
        patterns.append(_SET)
    if first.isdigit() or first == "[" or text.startswith(("ok ", "not ok ")):
        patterns.append(_STAMP)
    if ":" in text:
        patterns += [_WHERE, _CHANGED]
        patterns += [_RAISED] if "Error" in text or "Exception" in text else []
    if first in '"})]':
        patterns.append(_KEYED)
    if text.startswith(("at ", "commit ")) or "@" in text:
        patterns += [_CALLED, _COMMIT]
    if text[-1] in ";{}:" or "=" in text:
        patterns += [_CODE, _ASSIGNED]
    return any(re.match(pattern, text, re.ASCII) for pattern in patterns)


def _run(lines: Sequence[str], at: int) -> int:
    """Return the end of the block that begins at this line; ``at`` if none begins."""
    line = lines[at]
    if line[:1] in "dI@-+" and re.match(_DIFF, line):
        return _while(lines, at + 1, lambda text: text.startswith(_DIFF_MORE))
    if line.lstrip().startswith("Traceback (most"):
        end = _while(lines, at + 1, lambda text: text[:1] in (" ", "\t"))
        return min(end + 1, len(lines))
    if line.lstrip().startswith("/*") and "*/" not in line:
        end = _while(lines, at + 1, lambda text: "*/" not in text)
        return min(end + 1, len(lines))
    if line.startswith("$ ") and at + 1 < len(lines):
        return _while(lines, at + 1, lambda text: bool(text.strip()))
    if line.startswith("commit ") and re.match(_COMMIT, line):
        return _while(lines, at + 1, _of_commit)
    if line.strip().lower() == "tool memory:":
        return _while(lines, at + 1, lambda text: text.lstrip().startswith("- "))
    if line.startswith("#") and line.strip("# \t").lower() in _BLOCK:
        return _own_block(lines, at + 1)
    if _shows_rule(lines, at):
        return _while(lines, at + 1, lambda text: bool(re.match(_SHOWN, text)))
    return at


def _shows_rule(lines: Sequence[str], at: int) -> bool:
    """Return True if output of `toolmem rule show` or `rule why` begins here."""
    line, after = lines[at], "".join(lines[at + 1 : at + 2])
    if line.startswith("tool: "):
        return after.startswith("rule: ")
    return " rule for " in line and bool(re.match(_RULE_ID, after))


def _while(lines: Sequence[str], at: int, goes_on: Callable[[str], bool]) -> int:
    while at < len(lines) and goes_on(lines[at]):
        at += 1
    return at


def _of_commit(line: str) -> bool:
    return (
        not line.strip()
        or _indented(line)
        or line.startswith(("Author:", "Date:", "Merge:", "commit "))
    )


def _own_block(lines: Sequence[str], at: int) -> int:
    """Return the end of a printed rules block: its lead, then tools and their rules."""
    listed = False
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith(("###", "- ", "* ")):
            listed = True
        elif line and (listed or line.startswith("#")):
            break
        at += 1
    return at


def _whole_paragraphs(lines: Sequence[str], pasted: list[bool]) -> None:
    """Mark a paragraph of four or more lines as pasted if most of them are."""
    start = 0
    for at in range(len(lines) + 1):
        if at < len(lines) and lines[at].strip():
            continue
        count = sum(pasted[start:at])
        comments = sum(_is_comment(line) for line in lines[start:at])
        mostly = at - start >= 4 and count * 3 > 2 * (at - start)
        if mostly or (count and comments and count + comments >= at - start):
            pasted[start:at] = [True] * (at - start)
        start = at + 1


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("# ", "-- ", "* "))
