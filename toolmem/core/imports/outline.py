"""Find what each line of a markdown text is subordinate to.

The parents of a line are the headings above it, the tags around it, the paragraph that
introduces its list or ends in a colon, and the list items that it is nested in. A
heading of setext style, of HTML, and a short line in bold count as headings.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.text.textlines import closes_fence, fence, heading

_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_ITEM = re.compile(
    r"([ \t]*)(?:[-*+•–—·‣]|\(?\d{1,3}[.)、]|\(?[a-zA-Z][.)])[ \t]+"
    r"(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_BOLD = re.compile(r"(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)[ \t]*:?$")
_ORDER = re.compile(
    r"(?i)(?:never|do not|don['’]?t|avoid|no|stop|always|use|only|must)\b|.*[.!?:]$"
)
_TAG = re.compile(r"[ \t]*<(/?)([A-Za-z][\w.:-]*)(?:[ \t][^<>\n]*)?>[ \t]*$")
_HTML_HEADING = re.compile(
    r"(?i)[ \t]*<(?:h([1-6])|summary)\b[^<>]*>([^<>]*)</(?:h[1-6]|summary)>"
)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_LAYOUT = frozenset(
    "align class style id width height open markdown href src alt lang dir".split()
)
"""Attributes of a tag that say nothing about when its text applies."""
_BOLD_LEVEL = 7
_QUOTING = frozenset("s del strike q blockquote cite".split())
_STRUCK = re.compile(r"~~(?!~)[^~]*~~")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)


class Parent(NamedTuple):
    """A text that others are subordinate to, and its lines, from 0, end excluded.

    ``kind`` is ``heading``, ``tag``, ``intro``, ``item`` or ``remark``: a paragraph
    before a list that does not lead over to it.
    """

    kind: str
    text: str
    start: int
    end: int


_DEEPEST = 50
"""Parents of a line that is read; a line with more has no rules."""
_UNREAD = Parent("tag", "quoted", -1, -1)


class OutlineLine(NamedTuple):
    """A line's parents, outermost first, and the first line of its block."""

    parents: tuple[Parent, ...] = ()
    block: int = 0
    table: bool = False


def outline(text: str) -> list[OutlineLine]:
    """Return the place of each line of a text."""
    plain = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    reader = _Reader(plain.split("\n"))
    return [reader.take(at) for at in range(len(reader.lines))]


class _Open(NamedTuple):
    """A list item; ``parent`` is None until another is nested in it."""

    indent: int
    start: int
    parent: Parent | None = None


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._fence = ""
        self._titles: list[tuple[int, Parent]] = []
        self._tags: list[tuple[str, Parent]] = []
        self._items: list[_Open] = []
        self._intro: Parent | None = None
        self._block = 0
        self._block_end = 0
        """End of the last paragraph or item."""
        self._after_blank = True
        self._is_too_deep = False

    def take(self, at: int) -> OutlineLine:
        """Return the place of the next line."""
        line = self.lines[at]
        bare = line.lstrip(" \t")
        if self._fence:
            self._fence = "" if closes_fence(bare, self._fence) else self._fence
            return self._here()
        if not bare.strip() or _STRUCK.fullmatch(bare.rstrip()):
            self._after_blank = True
            return self._here()
        self._fence = fence(bare)
        if self._fence:
            return self._here()
        if self._take_title(at, line, bare) or self._take_tag(at, line):
            return self._here()
        if bare.startswith("|"):
            self._block = self._block_end = -1
            return self._here()._replace(table=True)
        indent = _width(line)
        item = _ITEM.match(line)
        if item:
            self._begin_item(at, indent)
        elif self._after_blank or self._block_end != at:
            self._begin_paragraph(at, indent)
        self._after_blank = False
        self._block_end = at + 1
        return self._here()

    def _here(self) -> OutlineLine:
        parents = [title for _, title in self._titles]
        parents += [tag for _, tag in self._tags]
        parents += [self._intro] if self._intro else []
        parents += [item.parent for item in self._items if item.parent]
        if len(parents) > _DEEPEST:
            self._is_too_deep = self._is_too_deep or len(self._tags) > _DEEPEST
            parents = [_UNREAD]
        if self._is_too_deep:
            parents = [_UNREAD]
        ordered = sorted(parents, key=lambda parent: parent.start)
        return OutlineLine(tuple(ordered), self._block)

    def _parent(self, kind: str, start: int, end: int) -> Parent:
        lines = [line.strip() for line in self.lines[start:end]]
        mark = _ITEM.match(f"{lines[0]} x") if kind == "item" else None
        if mark:
            lines[0] = lines[0][mark.end() :]
        text = " ".join(filter(None, lines))[: 2 * limits.RULE_CHARS]
        return Parent(kind, text, start, end)

    def _take_title(self, at: int, line: str, bare: str) -> bool:
        if self._after_blank is False and self._block_end == at and _SETEXT.match(line):
            level = 1 if "=" in line else 2
            under = self._parent("heading", self._block, at)
            self._begin_title(level, under._replace(end=at + 1))
            return True
        html = _HTML_HEADING.match(line)
        named = heading(bare.rstrip()) if len(line) - len(bare) < 4 else None
        bold = _BOLD.fullmatch(bare.rstrip())
        if html:
            level, title = int(html[1] or _BOLD_LEVEL), html[2]
        elif named:
            level, title = named
        elif bold and bare == line and self._starts(at) and not _ORDER.match(bold[1]):
            level, title = _BOLD_LEVEL, bold[1]
        else:
            return False
        self._begin_title(level, Parent("heading", title.strip("*_ "), at, at + 1))
        return True

    def _starts(self, at: int) -> bool:
        return self._after_blank or self._block_end != at

    def _begin_title(self, level: int, title: Parent) -> None:
        self._titles = [above for above in self._titles if above[0] < level]
        self._titles.append((level, title))
        self._end_blocks()

    def _end_blocks(self) -> None:
        self._items, self._intro = [], None
        self._block = self._block_end = -1

    def _take_tag(self, at: int, line: str) -> bool:
        tag = _TAG.match(line)
        if not tag or tag[0].rstrip().endswith("/>"):
            return False
        name = tag[2].lower()
        if not tag[1] and not self._is_too_deep:
            words = re.sub(r"[\W_]+", " ", " ".join((name, *_limits_in(line)))).strip()
            words = f"quoted {words}" if name in _QUOTING else words
            self._tags.append((name, Parent("tag", words, at, at + 1)))
        elif any(opened == name for opened, _ in self._tags):
            while self._tags.pop()[0] != name:
                pass
        self._end_blocks()
        return True

    def _begin_item(self, at: int, indent: int) -> None:
        if not self._items:
            self._introduce()
        while self._items and self._items[-1].indent >= indent:
            self._items.pop()
        if self._items and self._items[-1].parent is None:
            last = self._items[-1]
            parent = self._parent("item", last.start, at)
            self._items[-1] = last._replace(parent=parent)
        self._items.append(_Open(indent, at))
        self._block = at

    def _begin_paragraph(self, at: int, indent: int) -> None:
        if self._items and indent > self._items[0].indent:
            return  # a further paragraph of an item
        if self._items:
            self._items, self._intro = [], None
        elif self._block >= 0 and self._ends_open():
            self._introduce()
        self._block = at

    def _introduce(self) -> None:
        """Make the paragraph before this block the one that introduces it."""
        if self._block >= 0 and self._block_end > self._block:
            kind = "intro" if self._ends_open() else "remark"
            self._intro = self._parent(kind, self._block, self._block_end)

    def _ends_open(self) -> bool:
        last = (
            self.lines[self._block_end - 1].rstrip(" \t*_") if self._block_end else ""
        )
        return last[-1:] not in (".", "!", "?", "。", "")


def _limits_in(tag: str) -> Iterator[str]:
    """Yield the names and values of attributes: ``audience ci``."""
    for attribute in _ATTRIBUTE.finditer(tag):
        if attribute[1].lower() not in _LAYOUT:
            yield f"{attribute[1]} {attribute[2] or attribute[3] or attribute[4] or ''}"


def _width(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(4))
