"""What of a markdown file is its text: without front matter, or one section."""

import re

_HEADER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?:.*?\r?\n)??---[ \t]*(?:\r?\n|$)", re.DOTALL
)
_SECTION = re.compile(r"^##[ \t]+(.*?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)
_FENCED = re.compile(r"^ {0,3}(?:```|~~~)")


def without_header(text: str) -> str:
    """The text after its front matter, or all of it when there is none."""
    header = _HEADER.match(text)
    return text[header.end() :] if header else text.removeprefix("\ufeff")


def section(text: str, title: str) -> str | None:
    """The lines under ``## title`` (any case) to the next heading of that level.

    None when there is no such section; headings in code fences do not count.
    """
    found: list[str] | None = None
    fenced = False
    for line in text.split("\n"):
        fenced ^= bool(_FENCED.match(line))
        heading = None if fenced else _SECTION.match(line)
        if heading or (not fenced and re.match(r"#[ \t]", line)):
            if found is not None:
                break
            if heading and heading.group(1).casefold() == title.casefold():
                found = []
        elif found is not None:
            found.append(line.rstrip("\r"))
    return None if found is None else "\n".join(found).strip("\n")
