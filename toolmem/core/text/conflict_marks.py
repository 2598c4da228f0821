"""What an unresolved git merge looks like in a text."""

import re

from toolmem.core.lazy_pattern import lazy_pattern

# ``=======`` and ``|||||||`` alone are markdown: a heading's underline, a table.
_MARKER = lazy_pattern(r"^(?:<{7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


def conflict_line(text: str) -> int:
    """The line (from 1) of the first conflict marker, 0 when there is none.

    A half-resolved conflict counts: one ``<<<<<<<`` or ``>>>>>>>`` line is enough.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return 0  # nearly every text, and much quicker told so
    match = _MARKER.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else 0
