"""Check the texts that are part of every prompt: guidance, profiles, overrides."""

import re
from collections.abc import Iterator

from toolmem.core.model import Problem
from toolmem.core.text.textlines import find_unsafe_line

# A line that imitates one of the block's own.
_IMITATION = re.compile(
    r"^(?:#+[ \t]*tool-scoped rules\b|[-*+][ \t]*\*\*\[(?:critical|high)\]\*\*"
    r"|</?(?:toolmem|rules?|rule|system)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def lint_prose(path: str, text: str) -> Iterator[Problem]:
    """Report invisible characters, and lines that imitate those of a prompt block."""
    unsafe = find_unsafe_line(text)
    if unsafe:
        yield Problem(path, unsafe.line, "invisible-character", unsafe.message)
    imitation = _IMITATION.search(text)
    if imitation:
        line = text.count("\n", 0, imitation.start()) + 1
        yield Problem(
            path,
            line,
            "forged-structure",
            "a line looks like a line of the prompt block",
        )
