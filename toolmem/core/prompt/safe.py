"""Sanitise text of the vault so that it cannot forge a block's structure.

A single line cannot become a second line, a heading, a fence or a tag; a body keeps its
lists and code, while its headings move below those of the block, its fences are closed
and its tags are escaped.
"""

import re

from toolmem.core.text.safetext import visible

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_MARKER = re.compile(r"(?:[#>\-*+=|~`\[]|\d{1,9}[.)])")
# Nested quotes and list items that a line may begin in.
_CONTAINER = r"^([ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)*)"
_HEADING = re.compile(_CONTAINER + r"(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(_CONTAINER + r"(=+|-+)[ \t]*$")
_RULER = re.compile(r"^([ ]{0,3})-{3,}[ \t]*$")
# The label of a link definition may continue on the next line.
_DEFINITION = re.compile(_CONTAINER + r"\[(?=(?:[^\[\]\\]|\\.)*\\?(?:\]:|$))")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
_INDENTED_FENCE = re.compile(r"^[ ]{1,3}(?=```|~~~)")
_BELOW = 3
"""Levels by which headings of a body move down: a block uses two and three."""


def safe_line(text: str) -> str:
    """Return the text as the middle of one line: no line break, no tag."""
    line = visible(text)
    return _TAG.sub("&lt;", line) if "<" in line else line


def safe_item(text: str) -> str:
    """Return the text as the beginning of a list item: no marker of another block."""
    line = safe_line(text)
    return "\\" + line if _MARKER.match(line) else line


def safe_name(text: str) -> str:
    """Return the text for a code span: backticks become apostrophes."""
    return safe_line(text).replace("`", "'")


def safe_body(text: str) -> str:
    """Return markdown whose headings stay below those of the block.

    Only a fence at the left margin is followed to its end: only a full parser knows if
    an indented one is in a list item, and ends with it. That one is indented until it
    can only belong to an item, and its code is treated as prose.
    """
    out: list[str] = []
    fence = ""
    for raw in visible_lines(text).split("\n"):
        line = _TAG.sub("&lt;", raw) if "<" in raw else raw
        opening = _FENCE.match(line) if line[:1] in ("`", "~") else None
        if fence:
            out.append(line)
            fence = "" if _closes(line, fence) else fence
        elif opening:
            fence = opening.group(1)
            out.append(line)
        else:
            out.append(_prose_line(line))
    return "\n".join([*out, fence] if fence else out).strip("\n")


def visible_lines(text: str) -> str:
    """Return several lines with their unsafe characters spelled out."""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    return "\n".join(_visible_line(line) for line in lines)


def _visible_line(raw: str) -> str:
    body = raw.lstrip(" \t")
    return raw[: len(raw) - len(body)].replace("\t", "    ") + visible(body)


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent < 4 and len(mark) >= len(fence) and not mark.strip(fence[0])


def _prose_line(line: str) -> str:
    heading = _HEADING.match(line) if "#" in line else None
    if heading:
        return _demoted(line, heading)
    if "---" in line and _RULER.match(line):
        return _RULER.sub(r"\1* * *", line)
    if line[:1] == " ":
        line = _INDENTED_FENCE.sub("    ", line)
    if line.rstrip(" \t")[-1:] in ("=", "-"):
        line = _UNDERLINE.sub(r"\1\\\2", line)
    return _DEFINITION.sub(r"\1\\[", line) if "[" in line else line


def _demoted(line: str, heading: re.Match[str]) -> str:
    before, marks = heading.groups()
    if before.strip():
        return f"{before}\\{line[len(before) :]}"
    level = min(6, len(marks) + _BELOW)
    return f"{before}{'#' * level}{line[heading.end() :]}"
