"""Check from its system calls that a writer flushes the files that it names.

A kill cannot show a missing flush, because the system still has the data; a power cut
can. So the calls themselves are followed: a file that was written and not flushed must
get no name, and when the writer reports success, no file and no folder of the vault may
wait for a flush.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_CALL = re.compile(r"\d+ +(?P<call>\w+)\((?P<arguments>.*)\) += \d")
_OPEN = re.compile(r"(?P<fd>\d+)<(?P<path>[^>]*)>")
_NAME = re.compile(r'(?:\w+<(?P<folder>[^>]*)>, )?"(?P<name>[^"]*)"')
_TEMP = re.compile(r"\.tmp-[0-9a-f]{16}")


def unflushed(lines: Sequence[str], vault: Path) -> list[str]:
    """Return the problems in the calls, in the format of ``strace -f -y``."""
    waiting: set[Path] = set()
    problems: list[str] = []
    for call, arguments in _succeeded(lines):
        opened = _OPEN.match(arguments)
        path = Path(opened["path"]) if opened else vault
        names = [Path(m["folder"] or "/", m["name"]) for m in _NAME.finditer(arguments)]
        if call == "write" and opened and opened["fd"] == "1":
            problems += [f"told before {p.name} was flushed" for p in waiting]
        elif call in ("write", "pwrite64", "ftruncate"):
            waiting.add(path)
        elif call in ("fsync", "fdatasync"):
            waiting.discard(path)
        elif call.startswith(("link", "rename")):
            if names[0] in waiting:
                problems.append(f"{names[1].name} named before it was flushed")
                waiting.discard(names[0])
            waiting.add(names[1].parent)
        elif call.startswith("mkdir") or _matters(call, arguments, names):
            waiting.add(names[0].parent)
        waiting = {p for p in waiting if p.is_relative_to(vault) and p.name != "lock"}
    return list(dict.fromkeys(problems))


def _succeeded(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for match in filter(None, map(_CALL.match, lines)):
        yield match["call"], match["arguments"]


def _matters(call: str, arguments: str, names: list[Path]) -> bool:
    """Return True if a lost removal matters: not of temporary files and folders."""
    if not call.startswith("unlink") or "AT_REMOVEDIR" in arguments:
        return False
    return _TEMP.fullmatch(names[0].name) is None
