"""Compile regular expressions when they are first used.

A hook loads a hundred of them and uses a third: compiling all takes a tenth of its
time.
"""

import re

from toolmem.hints import Any, cast

used: list[tuple[str, int]] = []
"""Texts and flags of the patterns that were compiled here."""


class _LazyPattern:
    """A pattern that is compiled at its first use, and then caches its methods."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        used.append(self._given)
        found = getattr(re.compile(*self._given), name)
        self.__dict__[name] = found
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern with all methods of ``re.compile``.

    It is not an instance of ``re.Pattern``, so it must be used by its own methods.
    """
    return cast("re.Pattern[str]", _LazyPattern(text, flags))
