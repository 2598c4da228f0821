"""Split a markdown text into sections, each with its headings and its line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.text.textlines import closes_fence, fence, heading
from toolmem.core.text.tokens import estimate_tokens

_EMPTY_QUOTE = re.compile(r"^[ \t]*>[ \t]*\[![A-Z]+\][ \t]*(?:\n(?![ \t]*>)|\Z)", re.M)
_EMPTY_TAGS = re.compile(r"^[ \t]*<(\w[\w.-]*)>\s*</\1>[ \t]*\n?", re.M)
_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")


class Section(NamedTuple):
    """A heading and the text under it; ``line`` (from 1) is that of the heading.

    ``trail`` are the titles of the headings above it and its own, empty before the
    first heading. ``body`` is without the heading itself.
    """

    trail: tuple[str, ...]
    body: str
    line: int

    @property
    def title(self) -> str:
        """Its own heading; empty for the text before the first."""
        return self.trail[-1] if self.trail else ""


def headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield number (from 0), level and title of each heading that is not in code."""
    opened = ""
    for at, line in enumerate(lines):
        bare = line.lstrip(" ")
        if opened:
            opened = "" if closes_fence(bare, opened) else opened
            continue
        if len(line) - len(bare) > 3:
            continue
        opened = fence(bare)
        title = None if opened else heading(bare.rstrip("\r"))
        if title and title[1]:
            yield at, title[0], title[1].strip("*_ ")


def split_sections(text: str, *, first_line: int, depth: int) -> list[Section]:
    """Split a text at headings down to a level; empty sections are left out.

    ``first_line`` is the number of its first line in the file.
    """
    lines = text.split("\n")
    cuts = [(at, lvl, name) for at, lvl, name in headings(lines) if lvl <= depth]
    sections = [_section((), lines[: cuts[0][0] if cuts else None], first_line)]
    trail: list[tuple[int, str]] = []
    for number, (at, level, name) in enumerate(cuts):
        trail = [title for title in trail if title[0] < level] + [(level, name)]
        end = cuts[number + 1][0] if number + 1 < len(cuts) else None
        titles = tuple(title[1] for title in trail)
        sections.append(_section(titles, lines[at + 1 : end], first_line + at))
    return [section for section in sections if has_text(section.body)]


def _section(trail: tuple[str, ...], lines: list[str], line: int) -> Section:
    return Section(trail, "\n".join(lines).strip("\n"), line)


def has_text(text: str) -> bool:
    """Return True if a text has content besides headings and marks."""
    lines = text.split("\n")
    titles = {at for at, _, _ in headings(lines)}
    return any(
        any(char.isalnum() for char in line)
        for at, line in enumerate(lines)
        if at not in titles
    )


def tidied(text: str) -> str:
    """Tidy a text after removal of lines: drop empty parts and extra blank lines."""
    text = _EMPTY_TAGS.sub("", _EMPTY_QUOTE.sub("", text))
    return _GAP.sub("\n\n", without_empty_headings(text)).strip("\n")


def without_empty_headings(text: str) -> str:
    """Remove headings without any content."""
    lines = text.split("\n")
    titles = list(headings(lines))
    drop: set[int] = set()
    for number in range(len(titles) - 1, -1, -1):
        at, level, _ = titles[number]
        later = (titles[n] for n in range(number + 1, len(titles)))
        end = next((title[0] for title in later if title[1] <= level), len(lines))
        within = [n for n in range(at + 1, end) if n not in drop]
        if not any(lines[n].strip() for n in within):
            drop.add(at)
    return "\n".join(line for at, line in enumerate(lines) if at not in drop)


def fits_guidance(text: str) -> bool:
    """Return True if a text is short enough for every prompt."""
    return estimate_tokens(text) <= limits.GUIDANCE_TOKENS
