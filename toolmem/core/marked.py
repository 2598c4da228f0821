"""A section of ours in somebody else's text file, between two marked lines."""

from toolmem.errors import InvalidFileError

BEGIN = "<!-- toolmem:begin -->"
END = "<!-- toolmem:end -->"


def put_section(text: str, body: str, path: str) -> str:
    """The text with our section holding ``body``; it goes to the end if new.

    Raises ``InvalidFileError`` where only one of the two marks is there.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    section = newline.join([BEGIN, *body.strip("\n").split("\n"), END])
    place = _place(text, path)
    if place is not None:
        start, end = place
        return text[:start] + section + text[end:]
    if not text:
        return section + newline
    gap = "" if text.endswith("\n") else newline
    return text + gap + newline + section + newline


def take_section(text: str, path: str) -> str:
    """The text without our section, and without the blank line before it."""
    place = _place(text, path)
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


def has_section(text: str) -> bool:
    """Whether our section is there."""
    return BEGIN in text and END in text


def _place(text: str, path: str) -> tuple[int, int] | None:
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 and end < 0:
        return None
    if start < 0 or end < start:
        line = text.count("\n", 0, max(start, end)) + 1
        raise InvalidFileError(
            path, line, f"one of {BEGIN} and {END} is missing: mend it by hand"
        )
    return start, end + len(END)
