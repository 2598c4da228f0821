"""Vectors of words, for a search that compares meanings.

A table has a row of numbers for each piece of a word ("token", "##ize"); a word that is
not a piece itself is cut greedily into the longest ones, as by WordPiece. The vector of
a text is the sum of the rows of its words' pieces, each word weighted by the square
root of its count. Function words have rows of zeros. All sums are of integers and every
other result is rounded, so that vectors are the same on any machine.

The table is read in place, without numpy. Format, little-endian: `MAGIC`; the number of
dimensions, the length of the longest piece and the number of similar pieces of each;
the number of pieces of each length from 1; the pieces, by length and then by their
bytes; in the same order the scales of the rows, a byte each from 0 to `MOST_SCALE`; the
rows, two numbers a byte, the first in its lower half, each from -7 to 7 plus `ZERO`, to
be multiplied by the scale; the rows of the pieces that are similar to each, as 16 bit
numbers, with its own in place of missing ones.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import sqrt
from operator import mul
from typing import Any, NamedTuple

from toolmem.core import search_limits
from toolmem.core.search.meaning.lanes import Lanes, products

MAGIC = b"toolmem-words-3\n"
MOST_SCALE = 18
"""Largest scale of a row: its numbers are signed bytes then."""
ZERO = 8
"""Half a byte that is the number 0."""
_HEAD = struct.Struct("<III")
_MOST_DIMENSIONS = 256
"""As many as `Lanes` can pack."""
_MOST_PIECES = 65_536
_MOST_SIMILAR = 100
_WORD_CHARS = 40
"""Longer words are digests and the like, and have no vector."""
_MOST_WORDS = 1_000
"""Different words of a text that count, far more than a passage has: with this many no
sum exceeds the 32 bits of a lane, weighted, times a factor and with that of a head."""
_ONCE = 4
"""Weight of a word that occurs once, and so of one row in lanes."""
_MOST_COUNTED = 59
_MORE = tuple(round(_ONCE * sqrt(n)) - _ONCE for n in range(_MOST_COUNTED + 1))
"""What a word that occurs n times weighs more."""
_STEPS = 1 << 15
"""Numbers of a question's vector are multiples of 1 / 2^15: products with bytes and
their sums are then exact in any order.
"""
_CUT = 256
"""Words whose pieces are kept: a question asks for those of each word three times."""
_REMEMBERED = 50_000
"""Words whose sums are kept, of some 300 bytes each."""
_MANY_WORDS = 300
"""From so many different words on, a dictionary of all pieces is worth its making."""
_MANY_VECTORS = 40
"""Vectors from which comparing all of them at once takes less time."""
_SCALE = struct.Struct("<f")
_PLACE = struct.Struct("<H")


class _Group(NamedTuple):
    """Pieces of one length: where they begin, the row of the first, their number."""

    start: int
    first: int
    pieces: int


class _PieceLanes(dict[int, int]):
    """Row → its numbers in lanes."""

    def __init__(self, table: "WordVectors", lanes: Lanes) -> None:
        self._row = table.row
        self._lanes = lanes

    def __missing__(self, place: int) -> int:
        lanes = self[place] = self._lanes.of_row(self._row(place))
        return lanes


class _WordLanes(dict[str, int]):
    """Word → sum of the lanes of its pieces."""

    def __init__(self, table: "WordVectors", lanes: Lanes) -> None:
        self._cut = table.cut
        self._lanes_of = _PieceLanes(table, lanes).__getitem__

    def __missing__(self, word: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        lanes = self[word] = sum(map(self._lanes_of, self._cut(word)))
        return lanes


class _RowNumbers(dict[int, tuple[bytes, bytes]]):
    """Scale → for each byte of a row, its first and its second number."""

    def __missing__(self, scale: int) -> tuple[bytes, bytes]:
        numbers = [scale * (half - ZERO) % 256 for half in range(16)]
        second = bytes(number for number in numbers for _ in numbers)
        scaled = self[scale] = bytes(numbers * 16), second
        return scaled


class WordVectors:
    """A table of word vectors in a buffer, such as a mapped file."""

    dimensions: int

    def __init__(self, data: Any) -> None:
        """Read the header. Raises ``ValueError`` for a buffer that is not a table."""
        view = memoryview(data).cast("B")
        if len(view) < len(MAGIC) + _HEAD.size or view[: len(MAGIC)] != MAGIC:
            raise ValueError("is not a table of word vectors")
        self.dimensions, lengths, self._many = _HEAD.unpack_from(view, len(MAGIC))
        start = len(MAGIC) + _HEAD.size
        are_few = lengths <= _WORD_CHARS and self._many <= _MOST_SIMILAR
        if not 0 < self.dimensions <= _MOST_DIMENSIONS or not are_few:
            raise ValueError("has dimensions out of range")
        if len(view) < start + 4 * lengths:
            raise ValueError("is shorter than its header")
        counts = struct.unpack_from(f"<{lengths}I", view, start)
        start += 4 * lengths
        if sum(counts) > _MOST_PIECES:
            raise ValueError(f"has more than {_MOST_PIECES:,} pieces")
        sizes = [size * count for size, count in enumerate(counts, 1)]
        self._half = (self.dimensions + 1) // 2
        scales = start + sum(sizes)
        rows = scales + sum(counts)
        similar = rows + sum(counts) * self._half
        if len(view) != similar + sum(counts) * self._many * _PLACE.size:
            raise ValueError("is not as long as its header says")
        starts, firsts = accumulate(sizes, initial=0), accumulate(counts, initial=0)
        self._groups = tuple(map(_Group, starts, firsts, counts))
        self._pieces = bytes(view[start:scales])
        self._scales = view[scales:rows]
        self._rows = view[rows:similar]
        self._numbers = _RowNumbers()
        self._similar = view[similar:]
        self._all_pieces: dict[str, int] | None = None
        self.cut = lru_cache(maxsize=_CUT)(self._cut)
        """The rows of the pieces that a word is cut into."""
        self._lanes = Lanes(self.dimensions)
        self._word_lanes = _WordLanes(self, self._lanes)
        self._lanes_of = self._word_lanes.__getitem__

    def question(self, words: Iterable[str]) -> tuple[float, ...]:
        """Return the vector of a question's words, of length 1; zeros if none is known.

        Words are as `terms` splits them: in lower case, without signs.
        """
        total = self._sum(_counted(words))
        length = self._lanes.length(total) or 1.0
        numbers = self._lanes.numbers(total)[: self.dimensions]
        return tuple(round(number / length * _STEPS) / _STEPS for number in numbers)

    def passage(self, words: Iterable[str], head: Iterable[str] = ()) -> bytes:
        """Return the packed vector of a text's words, as ``passages``."""
        return self.passages((words,), head)[0]

    def passages(
        self, texts: Iterable[Iterable[str]], head: Iterable[str] = ()
    ) -> tuple[bytes, ...]:
        """Return the packed vector of each text's words, for `cosine`.

        A scale as a 32 bit float, and a signed byte for each dimension; zeros if no
        word is known. The words of their ``head`` count together for `VECTOR_HEAD`.
        """
        return self.all_passages([[head, *texts]])[0]

    def all_passages(
        self, documents: Iterable[Iterable[Iterable[str]]]
    ) -> list[tuple[bytes, ...]]:
        """Return the vectors of many documents, each a head and its texts.

        Each step is done for all of them before the next one: what it needs stays in
        the processor's cache then.
        """
        counted = [list(map(_counted, document)) for document in documents]
        sums = [list(map(self._sum, counts)) for counts in counted]
        return list(map(self._packed, sums))

    def _packed(self, sums: Sequence[int]) -> tuple[bytes, ...]:
        """Return the packed sums of the texts below the first one, the head."""
        length = self._lanes.length
        above, *texts = sums
        of_head = length(above) if above else 0.0
        others = [(above, search_limits.VECTOR_HEAD / of_head)] if of_head else []
        packed = []
        for total in texts:
            if size := length(total):
                packed.append(self._lanes.packed([(total, 1 / size), *others]))
            else:
                packed.append(self._lanes.nothing)
        return tuple(packed)

    @staticmethod
    def cosine(question: Sequence[float], packed: bytes) -> float:
        """Return the cosine of a question's vector and the packed one of a passage."""
        numbers = memoryview(packed)[_SCALE.size :].cast("b")
        (scale,) = _SCALE.unpack_from(packed)
        return float(sum(map(mul, question, numbers)) * scale)

    def cosines(
        self, question: Sequence[float], packed: Sequence[bytes]
    ) -> list[float]:
        """Return the cosine of a question's vector and each of the packed ones.

        Of many, each dimension is multiplied at once.
        """
        size = _SCALE.size + self.dimensions
        data = b"".join(packed)
        if len(packed) < _MANY_VECTORS or len(data) != size * len(packed):
            return [self.cosine(question, vector) for vector in packed]
        factors = [int(number * _STEPS) for number in question]
        product_sums = products(factors, data, size)
        scales = struct.iter_unpack(f"<f{self.dimensions}x", data)
        return [
            product / _STEPS * scale
            for product, (scale,) in zip(product_sums, scales, strict=True)
        ]

    def places(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces, without those of zeros."""
        return tuple(place for place in self.cut(word) if self._scales[place])

    def _cut(self, word: str) -> Sequence[int]:
        if not word.isascii() or len(word) > _WORD_CHARS:
            return ()
        place_of = self._place if self._all_pieces is None else self._all_pieces.get
        places: list[int] = []
        start, head = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                place = place_of(head + word[start:end], -1)
                if place >= 0:
                    break
            else:
                break
            places.append(place)
            start, head = end, "##"
        return places

    def similar(self, word: str) -> list[tuple[str, float]]:
        """Return other words with their cosine, for a word that is one piece."""
        places = self.cut(word)
        if len(places) != 1:
            return []
        size = self._many * _PLACE.size
        start = places[0] * size
        listed = {
            place
            for (place,) in _PLACE.iter_unpack(self._similar[start : start + size])
        }
        asked = self.question([word])
        return [
            (other, self.cosine(asked, self.passage([other])))
            for other in map(self._name, sorted(listed - {places[0]}))
        ]

    def row(self, place: int) -> bytes:
        """Return the numbers of a piece, as signed bytes."""
        pairs = bytes(self._rows[place * self._half : (place + 1) * self._half])
        first, second = self._numbers[self._scales[place]]
        row = bytearray(2 * self._half)
        row[::2], row[1::2] = pairs.translate(first), pairs.translate(second)
        return bytes(row[: self.dimensions])

    def _name(self, place: int) -> str:
        """Return the piece of a row."""
        for size, (start, first, most) in enumerate(self._groups, 1):
            if place < first + most:
                at = start + (place - first) * size
                return self._pieces[at : at + size].decode()
        return ""

    def _place(self, piece: str, unknown: int) -> int:
        """Return the row of a piece, as ``get`` of a dictionary."""
        if len(self._word_lanes) >= _MANY_WORDS:
            self._all_pieces = self._all_pieces or self._read_pieces()
        return self._find(piece.encode(), unknown)

    def _read_pieces(self) -> dict[str, int]:
        """Return the rows of all pieces."""
        numbers: dict[str, int] = {}
        for size, (start, first, most) in enumerate(self._groups, 1):
            for number in range(most):
                at = start + number * size
                numbers.setdefault(
                    self._pieces[at : at + size].decode(), first + number
                )
        return numbers

    def _find(self, piece: bytes, unknown: int) -> int:
        """Return the row of a piece by binary search."""
        size = len(piece)
        if size > len(self._groups):
            return unknown
        start, first, most = self._groups[size - 1]
        pieces, low, high = self._pieces, 0, most
        while low < high:
            middle = (low + high) // 2
            at = start + middle * size
            if pieces[at : at + size] < piece:
                low = middle + 1
            else:
                high = middle
        at = start + low * size
        is_there = low < most and pieces[at : at + size] == piece
        return first + low if is_there else unknown

    def _sum(self, counts: Mapping[str, int]) -> int:
        """Return the weighted sum of the rows of the words' pieces, in wide lanes."""
        lanes_of = self._lanes_of
        total = _ONCE * self._lanes.wide_sum(list(map(lanes_of, counts)))
        more = [
            (lanes_of(word), _MORE[min(count, _MOST_COUNTED)])
            for word, count in counts.items()
            if count > 1
        ]
        return total + self._lanes.weighted_sum(more) if more else total


def _counted(words: Iterable[str]) -> Mapping[str, int]:
    """Return the number of each of the words that count."""
    counts = Counter(words)
    if len(counts) <= _MOST_WORDS:
        return counts
    return dict(sorted(counts.items())[:_MOST_WORDS])
