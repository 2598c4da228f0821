"""What a server says besides its answers, and how it words a failure for programs."""

import re
import sys
from collections.abc import Iterable
from contextlib import suppress

from toolmem import __version__
from toolmem.core.safetext import spell_out
from toolmem.store import crash

_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)|(?<![\w-])-p\b")


def tell(texts: Iterable[str]) -> None:
    """Say each of several things on standard error."""
    for text in texts:
        with suppress(OSError, ValueError):  # nobody may listen there
            sys.stderr.write(spell_out(f"toolmem: {text}\n"))
            sys.stderr.flush()


def for_programs(message: str) -> str:
    """A message with arguments in the place of the flags that it names."""

    def argument(match: re.Match[str]) -> str:
        return (match[1] or "priority").replace("-", "_")

    return _FLAG.sub(argument, message)


def bug(error: Exception) -> str:
    """Log a fault of ours; what is said of it."""
    place = crash.log(error, __version__)
    return f"{type(error).__name__}: a bug in toolmem; see {place}"
