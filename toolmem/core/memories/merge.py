"""Merge two memories without a model, block by block, under their headings.

The newer text stays as it is. Content of only the older one is added to the section of
the same heading, or with its heading. Sentences and bullets are added one by one;
steps, tables and code are whole: if both texts have different versions of one, they
cannot be merged.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core.comparison.document import key_of
from toolmem.core.memories.outline import (
    BlockKind,
    OutlineBlock,
    OutlineSection,
    items_of,
    outline,
    paths_of,
    rendered,
)
from toolmem.core.memories.sentences import blocks, is_fence, sentences

MERGE_REQUEST = (
    "Merge these notes into one. Keep every distinct fact; where they differ, "
    "prefer the newer and say what changed. Answer with the note alone, in "
    "markdown.\n\n"
    "NEWER:\n{newer}\n\nOLDER:\n{older}\n"
)
"""Prompt for the user's model, if one is configured."""
_VERSION = 0.5
"""Minimum share of common lines for a block to be a version of another."""
_PLACES = 200
"""Maximum number of places tried for a section."""
_LISTS = (BlockKind.BULLETS, BlockKind.STEPS)
_Key = tuple[str, ...]


class MergedMemory(NamedTuple):
    """Merged text; ``clashes`` are blocks with two versions, both in it."""

    text: str
    clashes: tuple[str, ...] = ()


def merge(newer: str, older: str) -> MergedMemory:
    """Merge two texts."""
    merging = _Merging(outline(newer))
    for section in outline(older):
        merging.add(section)
    return MergedMemory(rendered(tuple(merging.sections)), tuple(merging.clashes))


def united(*lists: Iterable[str]) -> tuple[str, ...]:
    """Return the items of all lists in order, without duplicates."""
    return tuple(dict.fromkeys(item for items in lists for item in items))


def key(text: str) -> str:
    """Return an equal key for texts of the same statements in the same order."""
    found = []
    for block in blocks(text):
        whole = [block] if is_fence(block) else sentences(block)
        found += [block if is_fence(one) else " ".join(key_of(one)) for one in whole]
    return "\n".join(one for one in found if one)


class _Merging:
    """Sections so far, and content of the older text that could not be placed."""

    def __init__(self, sections: Sequence[OutlineSection]) -> None:
        self.sections = list(sections)
        self.clashes: list[str] = []

    def add(self, older: OutlineSection) -> None:
        """Add the content that only the older section has."""
        at = self._place(older)
        if at is None:
            self._add_section(older)
            return
        section = self.sections[at]
        everything = not older.path
        known = _known(self.sections if everything else [section])
        for block in older.blocks:
            section = self._with(section, block, known)
        self.sections[at] = section

    def _place(self, older: OutlineSection) -> int | None:
        """Return the section of the same heading; of several, one of the same text."""
        wanted = [key_of(title) for title in older.path]
        places = [
            at
            for at, one in enumerate(self.sections)
            if [key_of(title) for title in one.path] == wanted
        ]
        if places:
            same = (at for at in places if self.sections[at].blocks == older.blocks)
            return next(same, places[0])
        if older.path:
            return None
        self.sections.insert(0, OutlineSection((), "", ()))
        return 0

    def _add_section(self, older: OutlineSection) -> None:
        """Insert a section at a place that changes no section's headings."""
        paths = [one.path for one in self.sections]
        every = range(len(paths), -1, -1)
        by_likeness = sorted(
            every, key=lambda at: -_shared(paths[at - 1 : at], older.path)
        )
        for at in by_likeness[:_PLACES]:
            sections = [*self.sections[:at], older, *self.sections[at:]]
            if paths_of(sections) == [*paths[:at], older.path, *paths[at:]]:
                self.sections = sections
                return
        self.sections.append(older)

    def _with(
        self, section: OutlineSection, block: OutlineBlock, known: set[_Key]
    ) -> OutlineSection:
        if block.kind is BlockKind.PARAGRAPH:
            return _with_paragraph(section, block, known)
        if block.kind is BlockKind.BULLETS:
            return _with_bullets(section, block, known)
        return self._with_whole(section, block)

    def _with_whole(
        self, section: OutlineSection, block: OutlineBlock
    ) -> OutlineSection:
        """Add steps, a table or code if the section has no version of them."""
        mine = _lines(block)
        if any(b.kind is block.kind and _lines(b) == mine for b in section.blocks):
            return section
        for at, one in enumerate(section.blocks):
            if one.kind is not block.kind:
                continue
            known = _lines(one)
            code = block.kind is BlockKind.CODE
            if _is_within(mine, known) and not code:
                return section
            if _is_within(known, mine) and not code:
                blocks = (*section.blocks[:at], block, *section.blocks[at + 1 :])
                return section._replace(blocks=blocks)
            common = len(set(mine) & set(known))
            if common >= _VERSION * min(len(set(mine)), len(set(known))):
                self.clashes.append(block.text)
                break
        return _with_block(section, block)


def _with_block(section: OutlineSection, block: OutlineBlock) -> OutlineSection:
    """Add a block at the end, or before lists if they would absorb it."""
    kinds = [one.kind for one in section.blocks]
    lists = [n for n, kind in enumerate(kinds) if kind in _LISTS]
    at = lists[0] if lists and block.text[:1] in (" ", "\t") else len(kinds)
    return section._replace(blocks=(*section.blocks[:at], block, *section.blocks[at:]))


def _shared(before: Sequence[_Key], path: _Key) -> int:
    """Count the headings that a section shares with the one before its place."""
    count = 0
    for mine, known in zip(before[0] if before else (), path, strict=False):
        if key_of(mine) != key_of(known):
            break
        count += 1
    return count


def _known(sections: Iterable[OutlineSection]) -> set[_Key]:
    """Return the keys of all sentences and list items of some sections."""
    found: set[_Key] = set()
    for section in sections:
        for block in section.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                found.update(_keys(block.text))
            elif block.kind is BlockKind.BULLETS:
                found.update(_item_key(item) for item in items_of(block))
    return found


def _keys(text: str) -> list[_Key]:
    return [key_of(one) for block in blocks(text) for one in sentences(block)]


def _item_key(item: str) -> _Key:
    words = tuple(word for one in _keys(item) for word in one)
    return words or (item.strip(),)


def _with_paragraph(
    section: OutlineSection, block: OutlineBlock, known: set[_Key]
) -> OutlineSection:
    stated = [one for part in blocks(block.text) for one in sentences(part)]
    new = [one for one in stated if key_of(one) and key_of(one) not in known]
    known.update(map(key_of, new))
    if not new and (any(map(key_of, stated)) or block in section.blocks):
        return section
    text = block.text if len(new) == len(stated) or not new else " ".join(new)
    return section._replace(blocks=(*section.blocks, block._replace(text=text)))


def _with_bullets(
    section: OutlineSection, block: OutlineBlock, known: set[_Key]
) -> OutlineSection:
    new = [item for item in items_of(block) if _item_key(item) not in known]
    known.update(map(_item_key, new))
    if not new:
        return section
    text = "\n".join(new)
    last = section.blocks[-1] if section.blocks else None
    if last is not None and last.kind is BlockKind.BULLETS:
        joined = last._replace(text=f"{last.text}\n{text}")
        return section._replace(blocks=(*section.blocks[:-1], joined))
    return section._replace(blocks=(*section.blocks, block._replace(text=text)))


def _lines(block: OutlineBlock) -> list[str]:
    """Return the items of steps, rows of a table or lines of code."""
    if block.kind is BlockKind.STEPS:
        return [" ".join(_item_key(item)) for item in items_of(block)]
    if block.kind is BlockKind.TABLE:
        return [" | ".join(map(str.strip, row.split("|"))) for row in _rows(block)]
    return [line.rstrip() for line in _rows(block)]


def _rows(block: OutlineBlock) -> list[str]:
    return [line for line in block.text.split("\n") if line.strip()]


def _is_within(fewer: Sequence[str], more: Sequence[str]) -> bool:
    rest = iter(more)
    return all(line in rest for line in fewer)
