"""Edit our section in a text file that others own, between two marker lines."""

from typing import NamedTuple

from toolmem.errors import InvalidFileError


class SectionMarkers(NamedTuple):
    """Lines before and after our section."""

    begin: str
    end: str


MARKDOWN = SectionMarkers("<!-- toolmem:begin -->", "<!-- toolmem:end -->")
SCRIPT = SectionMarkers("# toolmem:begin", "# toolmem:end")
"""In files whose comments begin with ``#``."""
BEGIN, END = MARKDOWN


def put_section(
    text: str, body: str, path: str, marks: SectionMarkers = MARKDOWN
) -> str:
    """Set the ``body`` of our section; a new one goes to the end of the text.

    Raises ``InvalidFileError`` if only one of the two marks is there.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    section = newline.join([marks.begin, *body.strip("\n").split("\n"), marks.end])
    place = _place(text, path, marks)
    if place is not None:
        start, end = place
        return text[:start] + section + text[end:]
    if not text:
        return section + newline
    gap = "" if text.endswith("\n") else newline
    return text + gap + newline + section + newline


def take_section(text: str, path: str, marks: SectionMarkers = MARKDOWN) -> str:
    """Remove our section, and the blank line before it."""
    place = _place(text, path, marks)
    if place is None:
        return text
    start, end = place
    for newline in ("\r\n", "\n"):
        if text.startswith(newline, end):
            end += len(newline)
            break
    before = text[:start]
    if not text[end:]:
        before = before.removesuffix("\r\n").removesuffix("\n") if before else ""
    return before + text[end:]


def has_section(text: str, marks: SectionMarkers = MARKDOWN) -> bool:
    """Return True if our section is in the text."""
    return marks.begin in text and marks.end in text


def section_of(text: str, path: str, marks: SectionMarkers = MARKDOWN) -> str:
    """Return the content of our section; empty without one."""
    place = _place(text, path, marks)
    return text[place[0] : place[1]] if place else ""


def _place(text: str, path: str, marks: SectionMarkers) -> tuple[int, int] | None:
    start, end = text.find(marks.begin), text.find(marks.end)
    if start < 0 and end < 0:
        return None
    if start < 0 or end < start:
        line = text.count("\n", 0, max(start, end)) + 1
        raise InvalidFileError(
            path,
            line,
            f"one of {marks.begin} and {marks.end} is missing: repair the file by hand",
        )
    return start, end + len(marks.end)
