"""Write and read a file of groups of bytes, after a line about them in JSON.

The first line has the checksums of the second line and of the groups. Groups are read
one by one into their final place: one more copy of all would cost as much time again.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO
from zlib import crc32

_LONGEST_KEY = 1000


class BadFileError(ValueError):
    """The file is damaged, or of another version."""


def pieces(key: bytes, about: Any, groups: Iterable[Sequence[bytes]]) -> list[bytes]:
    """Return the content of a file; ``key`` is the beginning of its first line."""
    parts: list[bytes] = []
    sizes = []
    for group in groups:
        sizes.append([*map(len, group)])
        parts += group
    header = json.dumps([about, sizes]).encode() + b"\n"
    first = b"%s %s %s\n" % (key, _checksum(header), _checksum(*parts))
    return [first, header, *parts]


def read(file: BinaryIO, key: bytes) -> tuple[Any, list[list[bytes]]]:
    """Return the line about the groups, and these. Raises ``BadFileError``."""
    first = file.readline(_LONGEST_KEY)
    header = file.readline() if first.startswith(key) else b""
    # A damaged one could have any sizes.
    if first.rsplit(b" ", 2)[:2] != [key, _checksum(header)]:
        raise BadFileError("damaged, or of another version")
    about, sizes = json.loads(header)
    groups: list[list[bytes]] = []
    of_groups = 0
    for each in sizes:
        data = file.read(sum(each))
        of_groups = crc32(data, of_groups)
        groups.append(list(_cut(data, each)))
    if first.rsplit(b" ", 1)[1] != b"%08x\n" % of_groups or file.read(1):
        raise BadFileError("damaged")
    return about, groups


def _checksum(*parts: bytes) -> bytes:
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    return b"%08x" % checksum


def _cut(data: bytes, sizes: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
