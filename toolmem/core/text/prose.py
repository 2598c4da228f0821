"""Extract the text of a markdown file without front matter, or one section."""

import re

from toolmem.core.text.textlines import closes_fence, fence, heading

_HEADER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?:.*?\r?\n)??---[ \t]*(?:\r?\n|$)", re.DOTALL
)


def without_header(text: str) -> str:
    """Return the text after its front matter, or all of it."""
    header = _HEADER.match(text)
    return text[header.end() :] if header else text.removeprefix("\ufeff")


def section(text: str, title: str) -> str | None:
    """Return the lines under ``## title`` (any case) to the next heading of that level.

    None if there is no such section; headings in code fences do not count.
    """
    found: list[str] | None = None
    opened = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        level, name = (0, "") if opened else heading(line) or (0, "")
        if level in (1, 2):
            if found is not None:
                break
            if level == 2 and name.casefold() == title.casefold():
                found = []
            continue
        if opened:
            opened = "" if closes_fence(line.lstrip(" "), opened) else opened
        elif not line.startswith("    "):
            opened = fence(line.lstrip(" "))
        if found is not None:
            found.append(line)
    return None if found is None else "\n".join(found).strip("\n")
