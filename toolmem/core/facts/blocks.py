"""Find the top-level lines of a markdown file.

These are outside code, comments, tables, nested list items, front matter and unresolved
merge conflicts. It implements as much of CommonMark as a ``key: value`` file needs, in
one pass. Where markdown is ambiguous about a comment, the text is hidden.
"""

import re
from typing import NamedTuple

from toolmem.core.text.conflict_marks import OURS, conflict_line, conflict_ranges
from toolmem.core.text.textlines import (
    BLANKS,
    CODE_INDENT,
    closes_fence,
    fence,
    heading,
)

_MARKER = re.compile(r"([-*+]|[0-9]{1,9}[.)])([ \t]+|$)")
_COMMENT, _COMMENT_END = "<!--", "-->"


class TopLine(NamedTuple):
    """A top-level line, without indentation and bullet.

    ``number`` counts from 1; ``column`` is where ``content`` begins, from 0; ``title``
    is level and text of a heading.
    """

    number: int
    content: str
    column: int
    title: tuple[int, str] | None


class Blocks(NamedTuple):
    """Structure of a file.

    ``first`` is the first line after front matter; ``places`` are the lines before
    which a new line at the left margin can be inserted, in order, the end of the file
    included if possible; ``unclosed`` is the line of a fence or comment that never
    ends, 0 for none; ``split_comments`` are lines with text before a comment that hides
    the next lines. ``others`` are numbered items and rows of tables, whole; ``nested``
    are lines inside an item of a list.
    """

    tops: tuple[TopLine, ...]
    first: int
    places: tuple[int, ...]
    unclosed: int
    split_comments: tuple[int, ...]
    others: tuple[TopLine, ...] = ()
    nested: tuple[TopLine, ...] = ()


def read_blocks(lines: list[str], *, in_conflict: bool = False) -> Blocks:
    """Sort the lines of a text, without their line ends.

    ``in_conflict``: the text contains git's conflict markers.
    """
    reader = _Reader(lines, in_conflict)
    hidden = _hidden(lines)
    for number in range(reader.first, len(lines) + 1):
        if number not in hidden:
            reader.read(number)
    return Blocks(
        tops=tuple(reader.tops),
        first=reader.first,
        places=reader.places(),
        unclosed=reader.block.line if reader.runs_to_the_end() else 0,
        split_comments=tuple(reader.split_comments),
        others=tuple(reader.others),
        nested=tuple(reader.nested),
    )


class _Block(NamedTuple):
    """Code or a comment that spans lines.

    ``closer`` is the opening fence, or the end of a comment. Code in a list item ends
    with the item: at a line indented less than ``offset``.
    """

    closer: str
    offset: int
    line: int


_NO_BLOCK = _Block("", 0, 0)


class _Reader:
    """Reader of the lines in order, with the open block, list item and table."""

    def __init__(self, lines: list[str], in_conflict: bool) -> None:
        self.lines = lines
        self.first = _header_lines(lines) + 1
        self.tops: list[TopLine] = []
        self.others: list[TopLine] = []
        self.nested: list[TopLine] = []
        self.split_comments: list[int] = []
        self.block = _NO_BLOCK
        self._conflicts = in_conflict
        self._hunk = False
        self._item = 0  # where the content of the open list item begins
        self._table = False
        self._row = ""  # the line above, if it can be the head of a table
        self._starts: list[int] = []
        self._closers = _comment_closers(lines)

    def read(self, number: int) -> None:
        """Read one line."""
        line = self.lines[number - 1]
        if self._conflicts and self._in_hunk(line):
            return
        body = line.lstrip(BLANKS)
        indent = _width(line[: len(line) - len(body)])
        if self.block.closer and self._in_block(body, indent):
            return
        row, self._row = self._row, ""
        if not body:
            self._table = False
        elif self._item and indent >= self._item:
            if indent - self._item < CODE_INDENT:
                self._read_nested(body, number)
        elif indent < CODE_INDENT:
            self._item = 0
            self._starts.append(number)
            self._read_top(number, body, indent, row)
            if self._table:
                self._starts.pop()
        elif not self._item and number > 1 and not self.lines[number - 2].strip(BLANKS):
            self._starts.append(number)  # indented code begins

    def runs_to_the_end(self) -> bool:
        """Return True if a block is open that no later line at the margin would end."""
        return bool(self.block.closer) and not self.block.offset

    def places(self) -> tuple[int, ...]:
        """Return the places for a new line, those before preceding blank lines
        included.
        """
        starts = [*self._starts]
        if not self.runs_to_the_end():
            starts.append(len(self.lines) + 1)
        found = []
        for start in reversed(starts):
            found.append(start)
            above = start - 1
            while above >= self.first and not self.lines[above - 1].strip(BLANKS):
                found.append(above)
                above -= 1
        return tuple(reversed(found))

    def _in_hunk(self, line: str) -> bool:
        marker = conflict_line(line) > 0
        if marker:
            self._hunk = line.startswith("<")
        return marker or self._hunk

    def _in_block(self, body: str, indent: int) -> bool:
        block = self.block
        if body and indent < block.offset:
            self.block = _NO_BLOCK
            return False
        if block.closer == _COMMENT_END:
            closed = _COMMENT_END in body
        else:
            inside = indent - block.offset < CODE_INDENT
            closed = inside and closes_fence(body, block.closer)
        if closed:
            self.block = _NO_BLOCK
        return True

    def _read_top(self, number: int, body: str, indent: int, row: str) -> None:
        title = heading(body)
        if title:
            self._table = False
            column = len(self.lines[number - 1]) - len(body)
            self.tops.append(TopLine(number, body, column, title))
            return
        marker = None if _is_divider(body) else _MARKER.match(body)
        content = body[marker.end() :] if marker else body
        if marker:
            self._table = False
            self._item = indent + _item_width(marker)
        if self._open_block(content, number):
            self._table = False
        elif not marker and _is_delimiter_row(body, row):
            self._table = True
            self.tops.pop()
        elif not self._table and not (marker and _is_no_text(marker)):
            column = len(self.lines[number - 1]) - len(content)
            self.tops.append(TopLine(number, content, column, None))
            self._row = "" if marker else body
        else:
            self.others.append(TopLine(number, body, indent, None))

    def _read_nested(self, body: str, number: int) -> None:
        marker = _MARKER.match(body)
        content = body[marker.end() :] if marker else body
        if not self._open_block(body, number):
            column = len(self.lines[number - 1]) - len(content)
            self.nested.append(TopLine(number, content, column, None))

    def _open_block(self, content: str, number: int) -> bool:
        """Open the block that begins here; return True if it covers the whole line."""
        run = fence(content)
        if run:
            self.block = _Block(run, self._item, number)
            return True
        whole = content.startswith(_COMMENT)
        start = content.rfind(_COMMENT)
        # From two characters on, because ``<!-->`` is a whole comment.
        if start >= 0 and _COMMENT_END not in content[start + 2 :]:
            if whole or self._closers[number - 1]:
                self.block = _Block(_COMMENT_END, 0, number)
            if not whole and self._closers[number - 1]:
                self.split_comments.append(number)
        return whole


def _hidden(lines: list[str]) -> frozenset[int]:
    """Lines of conflicts between toolmem's marks: prose of two sides."""
    if OURS not in lines:
        return frozenset()
    ranges = conflict_ranges(lines)
    return frozenset(n + 1 for one in ranges for n in range(one.first, one.last + 1))


def _header_lines(lines: list[str]) -> int:
    """Number of front matter lines, both fences included."""
    if lines[:1] != ["---"] or "---" not in lines[1:]:
        return 0
    return lines.index("---", 1) + 1


def _comment_closers(lines: list[str]) -> list[bool]:
    """For each line, True if a later one of its paragraph ends a comment."""
    closers = []
    found = False
    for line in reversed(lines):
        closers.append(found)
        body = line.strip(BLANKS)
        found = bool(body) and body[0] != "#" and (found or _COMMENT_END in body)
    closers.reverse()
    return closers


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(CODE_INDENT)) if blanks else 0


def _item_width(marker: re.Match[str]) -> int:
    blanks = _width(marker[2])
    return len(marker[1]) + (blanks if 1 <= blanks <= CODE_INDENT else 1)


def _is_no_text(marker: re.Match[str]) -> bool:
    """Return True for a numbered item, or a bullet before indented code."""
    return marker[1] not in "-*+" or _width(marker[2]) > CODE_INDENT


def _is_divider(body: str) -> bool:
    """Return True for ``---``, ``* * *`` and the like: a rule, not a list item."""
    run = body.replace(" ", "").replace("\t", "")
    return len(run) >= 3 and run[0] in "-*_" and not run.strip(run[0])


def _is_delimiter_row(body: str, row: str) -> bool:
    """Return True if this line makes the row above it the head of a table."""
    if "|" not in row or "-" not in body or body.strip("|:- \t"):
        return False
    return _cells(body) == _cells(row)


def _cells(row: str) -> int:
    inner = row.strip(BLANKS).removeprefix("|").removesuffix("|")
    return inner.count("|") - inner.count("\\|")
