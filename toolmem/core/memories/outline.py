"""Split a markdown text into sections under headings, each with its blocks.

Nothing is lost: the raw lines of all blocks, in order, are the text without the blank
lines between blocks.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from toolmem.core.text.textlines import closes_fence, fence, heading

_BULLET = re.compile(r"(\s{0,3})[-*+]\s+\S")
_NUMBERED = re.compile(r"(\s{0,3})\d{1,9}[.)]\s+\S")


class BlockKind(StrEnum):
    """Kinds of blocks; only paragraphs and bullets can be split."""

    PARAGRAPH = "paragraph"
    BULLETS = "bullets"
    STEPS = "steps"
    TABLE = "table"
    CODE = "code"


class OutlineBlock(NamedTuple):
    """A block with its raw lines, joined by line feeds."""

    kind: BlockKind
    text: str


class OutlineSection(NamedTuple):
    """Blocks below one heading; ``path`` are the headings above them."""

    path: tuple[str, ...]
    heading: str
    blocks: tuple[OutlineBlock, ...]


class _Reader:
    """Collects blocks and sections line by line."""

    def __init__(self) -> None:
        self.sections: list[OutlineSection] = []
        self.path: list[tuple[int, str]] = []
        self.heading = ""
        self.blocks: list[OutlineBlock] = []
        self.lines: list[str] = []
        self.kind = BlockKind.PARAGRAPH
        self.fence = ""
        self.blanks = 0

    def read(self, line: str) -> None:
        bare = line.strip()
        if self.fence:
            self.lines.append(line)
            if closes_fence(bare, self.fence):
                self.fence = ""
                if self.kind is BlockKind.CODE:
                    self.end_block()
            return
        if not bare:
            self.blanks += 1
            if self.kind in (BlockKind.PARAGRAPH, BlockKind.TABLE):
                self.end_block()
            return
        if self._continues(line):
            self.lines += [""] * self.blanks
            self.lines.append(line)
            self.fence = fence(bare)
        else:
            self._begin(line, bare)
        self.blanks = 0

    def _continues(self, line: str) -> bool:
        """Return True if a line belongs to the open block."""
        if not self.lines:
            return False
        inside = line[:1] in (" ", "\t")
        if self.kind is BlockKind.BULLETS:
            return bool(_BULLET.match(line)) or inside or self._is_lazy(line)
        if self.kind is BlockKind.STEPS:
            return bool(_NUMBERED.match(line)) or inside or self._is_lazy(line)
        if self.kind is BlockKind.TABLE:
            return line.lstrip()[:1] == "|"
        if self.kind is BlockKind.CODE:
            return line.startswith(("    ", "\t"))
        return _kind_of(line, within=True) is BlockKind.PARAGRAPH

    def _is_lazy(self, line: str) -> bool:
        kind = _kind_of(line, within=True)
        return not self.blanks and kind is BlockKind.PARAGRAPH

    def _begin(self, line: str, bare: str) -> None:
        self.end_block()
        found = heading(bare) if len(line) - len(line.lstrip()) < 4 else None
        if found:
            self.begin_section(found[0], found[1], line)
            return
        self.kind = _kind_of(line, within=False)
        self.lines = [line]
        self.fence = fence(bare) if self.kind is not BlockKind.PARAGRAPH else ""

    def begin_section(self, level: int, title: str, line: str) -> None:
        self.end_section()
        self.path = [one for one in self.path if one[0] < level]
        self.path.append((level, title))
        self.heading = line

    def end_block(self) -> None:
        if self.lines:
            self.blocks.append(OutlineBlock(self.kind, "\n".join(self.lines)))
        self.lines, self.kind, self.blanks = [], BlockKind.PARAGRAPH, 0

    def end_section(self) -> None:
        self.end_block()
        if self.blocks or self.heading:
            path = tuple(title for _, title in self.path)
            self.sections.append(OutlineSection(path, self.heading, tuple(self.blocks)))
        self.blocks = []


def _kind_of(line: str, *, within: bool) -> BlockKind:
    """Kind of block that a line begins; ``within`` a paragraph none is indented."""
    if fence(line.strip()):
        return BlockKind.CODE
    if _BULLET.match(line):
        return BlockKind.BULLETS
    if _NUMBERED.match(line):
        return BlockKind.STEPS
    if line.lstrip()[:1] == "|":
        return BlockKind.TABLE
    if within:
        is_heading = heading(line.strip()) is not None
        return BlockKind.CODE if is_heading else BlockKind.PARAGRAPH
    return BlockKind.CODE if line.startswith(("    ", "\t")) else BlockKind.PARAGRAPH


def outline(text: str) -> tuple[OutlineSection, ...]:
    """Split a text into its sections."""
    reader = _Reader()
    for line in text.split("\n"):
        reader.read(line.rstrip("\r"))
    reader.end_section()
    return tuple(reader.sections)


def items_of(block: OutlineBlock) -> list[str]:
    """Return the items of a list, each with the lines below it."""
    pattern = _BULLET if block.kind is BlockKind.BULLETS else _NUMBERED
    found: list[list[str]] = []
    margin: int | None = None
    for line in block.text.split("\n"):
        match = pattern.match(line)
        if match and (margin is None or len(match[1]) <= margin):
            margin = len(match[1]) if margin is None else margin
            found.append([line])
        elif found:
            found[-1].append(line)
        else:
            found.append([line])
    return ["\n".join(lines).rstrip("\n") for lines in found]


def paths_of(sections: Sequence[OutlineSection]) -> list[tuple[str, ...]]:
    """Return the headings above each section, as read in this order."""
    found: list[tuple[str, ...]] = []
    stack: list[tuple[int, str]] = []
    for one in sections:
        stated = heading(one.heading.strip()) if one.heading else None
        if stated:
            stack = [above for above in stack if above[0] < stated[0]]
            stack.append(stated)
        found.append(tuple(title for _, title in stack))
    return found


def rendered(sections: tuple[OutlineSection, ...]) -> str:
    """Return the text of sections, with one blank line between blocks."""
    parts = []
    for one in sections:
        if one.heading:
            parts.append(one.heading)
        parts += [block.text for block in one.blocks]
    return "\n\n".join(parts) + "\n"
