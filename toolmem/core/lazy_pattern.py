"""Regular expressions that are compiled when they are first used.

A hook loads a hundred of them and uses a third: compiling all takes a tenth of its
time.
"""

import re

from toolmem.hints import Any, cast


class _Uncompiled:
    """Stands for a pattern: its first use compiles it, and keeps its methods."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        self.__dict__[name] = found
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a module: it has all that ``re.compile`` gives.

    It is no instance of ``re.Pattern``, so it is used by its own methods.
    """
    return cast("re.Pattern[str]", _Uncompiled(text, flags))
