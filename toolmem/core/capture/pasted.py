"""Which lines of a message were pasted: logs, traces, diffs, code, toolmem's own print.

Each line is judged by how it begins; what belongs to a block (a trace, a diff,
a commit of ``git log``, an indented listing) goes with its first line, and a
paragraph that is mostly such lines goes as a whole. People do not type so.
"""

import re
from collections.abc import Callable, Sequence

_MACHINE = re.compile(
    r"\s*(?:"
    # time stamps, levels, tools that say who speaks
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ,_]|\[?\d\d?:\d\d:\d\d"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:\s]"
    r"|(?:error|warning|fatal|hint|remote|panic|info|debug)(?:\[\w+\])?: "
    r"|npm (?:ERR!|WARN|error|warn) "
    # a shell's or an interpreter's prompt
    r"|(?:[$❯➜]|>>>|PS [A-Z]:\S*>|[\w.-]+@[\w.-]+:\S*[#$]) ?\S"
    # traces, compilers, test runners
    r"|Traceback \(most|at \S+ ?\(|at (?:async )?\S+:\d|File \"|Uncaught |Unhandled "
    r"|Caused by: |Exception in thread|goroutine \d|[\w.]*(?:Error|Exception): "
    r"|[\w./@~-]*[\w/-]\.\w{1,5}:\d+(?:[:\s,]|$)|\d+ \| |E   |(?:not )?ok \d"
    r"|(?:FAILED|PASSED|FAIL|PASS) [\w./]+"
    r"|[✓✔✗✘✖●⎿├└│┌╭╰⏺]"
    # headers of commits and letters
    r"|commit [0-9a-f]{7,40}\b|(?:Author|Date|Subject|From|Sent|Cc): "
    r"|(?:fix|feat|chore|docs|refactor|perf|ci|build|revert)(?:\([\w./-]+\))?!?: "
    # code and tables
    r"|//|/\*|\*/|#include|#!/|<\?\w|\"[\w-]+\": |\||[})\]]+[;,]?\s*$"
    r"|(?:assistant|system|agent|bot|ai|reviewer|tool): "
    # what toolmem printed
    r"|(?:[-*] )?\*\*\[(?:critical|high|normal)\]\*\*|captured: |toolmem: "
    r")"
)
_CODE = re.compile(
    r"\s*(?:const|let|var|def|class|function|fn|func|public|private|protected|static"
    r"|async|await|export|import|return|if|for|while|else|try|catch|switch|package"
    r"|using|select|insert|update|alter|create)\b(?=.*[(){}=\[\]<>])"
    r".*?(?:[;{}]|\w\(.*\):|=>|= \S.*)\s*$",
    re.IGNORECASE,
)
_DIFF = re.compile(r"(?:diff --git |Index: \S|@@ -\d|--- \S+\s*$|\+\+\+ \S+\s*$)")
_DIFF_MORE = re.compile(
    r"[ +@\\-]|index |new file|deleted file|old mode|new mode|rename |similarity "
)
_COMMIT = re.compile(r"commit [0-9a-f]{7,40}\b")
_ITEM = re.compile(r"\s*(?:[-*+•–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_BLOCK = re.compile(r"#{1,3} (?:Tool-scoped rules|Since this session began)\s*$", re.I)
_BLOCK_MORE = re.compile(r"#{3,} |[-*] ")
_TURN = re.compile(r"Tool memory:\s*$", re.IGNORECASE)


def _indented(line: str) -> bool:
    return line.startswith(("    ", "\t"))


def _run(lines: Sequence[str], at: int) -> int:
    """Where the block that begins at this line ends; ``at`` when none begins."""
    line = lines[at]
    if _DIFF.match(line):
        return _while(lines, at + 1, lambda one: bool(_DIFF_MORE.match(one)))
    if line.lstrip().startswith("Traceback (most"):
        end = _while(lines, at + 1, lambda one: one[:1] in (" ", "\t"))
        return min(end + 1, len(lines))
    if _COMMIT.match(line):
        return _while(lines, at + 1, _of_commit)
    if _TURN.match(line.strip()):
        return _while(lines, at + 1, lambda one: one.lstrip().startswith("- "))
    if _BLOCK.match(line):
        return _own_block(lines, at + 1)
    return at


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
    """The end of a printed rules block: its lead, then tools and their rules."""
    listed = False
    while at < len(lines):
        line = lines[at].strip()
        if _BLOCK_MORE.match(line):
            listed = True
        elif line and (listed or line.startswith("#")):
            break
        at += 1
    return at


def pasted_lines(lines: Sequence[str]) -> list[bool]:
    """For each line whether it was pasted, not typed."""
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
        item = bool(_ITEM.match(line))
        code = _indented(line) and not item and not in_list
        code = code and (blank_before or at == 0 or pasted[at - 1])
        pasted[at] = bool(code or _MACHINE.match(line) or _CODE.match(line))
        if line.strip():
            in_list = item or (in_list and (line[:1] in " \t" or not blank_before))
        blank_before = not line.strip()
        at += 1
    _whole_paragraphs(lines, pasted)
    return pasted


def _whole_paragraphs(lines: Sequence[str], pasted: list[bool]) -> None:
    """Take a paragraph of four lines or more whole when most of it was pasted."""
    start = 0
    for at in range(len(lines) + 1):
        if at < len(lines) and lines[at].strip():
            continue
        count = sum(pasted[start:at])
        if at - start >= 4 and count * 3 > 2 * (at - start):
            pasted[start:at] = [True] * (at - start)
        elif count and at - start == 2:
            _comment_over_code(lines, pasted, start)
        start = at + 1


def _comment_over_code(lines: Sequence[str], pasted: list[bool], start: int) -> None:
    """A ``#`` line right above code is its comment, not a heading."""
    if pasted[start + 1] and lines[start].lstrip().startswith("# "):
        pasted[start] = True
