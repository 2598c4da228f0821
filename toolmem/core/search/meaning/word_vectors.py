"""Vectors of words, for a search that compares meanings.

A table has a row of signed bytes for each piece of a word ("token", "##ize"); a word
that is not a piece itself is cut greedily into the longest ones, as by WordPiece. The
vector of a text is the sum of the rows of its words' pieces, each word weighted by the
square root of its count. Function words have rows of zeros. All sums are of integers
and every other result is rounded, so that vectors are the same on any machine.

The table is read in place, without numpy. Format, little-endian: `MAGIC`; the number of
dimensions, the length of the longest piece and the number of similar pieces of each;
the number of pieces of each length from 1; the pieces, by length and then by their
bytes; the rows, in the same order; the rows of the pieces that are similar to each, as
16 bit numbers, with its own in place of missing ones.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import hypot, sqrt
from operator import mul

from toolmem.core import search_limits
from toolmem.core.named_tuple import NamedTuple
from toolmem.hints import Any

MAGIC = b"toolmem-words-2\n"
_HEAD = struct.Struct("<III")
_MOST_DIMENSIONS = 1024
_MOST_PIECES = 65_536
_MOST_SIMILAR = 100
_WORD_CHARS = 40
"""Longer words are digests and the like, and have no vector."""
_MOST_WORDS = 3_000
"""Different words of a text that count, far more than a passage has: with this many no
weighted sum exceeds the 32 bits of a lane."""
_WEIGHTS = tuple(round(16 * sqrt(count)) for count in range(60))
_STEPS = 1 << 15
"""Numbers of a question's vector are multiples of 1 / 2^15: products with bytes and
their sums are then exact in any order.
"""
_BIAS = 128
_RAISED = bytes((number + _BIAS) % 256 for number in range(256))
"""Byte of a signed number → that of the number plus `_BIAS`."""
_CUT = 256
"""Words whose pieces are kept: a question asks for those of each word three times."""
_REMEMBERED = 50_000
"""Words whose sums are kept, of some 300 bytes each."""
_MANY_WORDS = 1_000
"""From so many different words on, a dictionary of all pieces is worth its making."""
_MANY_VECTORS = 40
"""Vectors from which comparing all of them at once takes less time."""
_SCALE = struct.Struct("<f")
_PLACE = struct.Struct("<H")
_PARTS = 1024
"""Weights of a passage and of its head are integers, this one and another."""
_MOST_SUMMED = 257
"""Pieces whose raised numbers add up to 16 bits at most."""


class _Group(NamedTuple):
    """Pieces of one length: where they begin, the row of the first, their number."""

    start: int
    first: int
    pieces: int


class _PieceLanes(dict[int, int]):
    """Row → its numbers, raised by `_BIAS`, in the 16 bit lanes of one integer.

    After an even number of lanes there is a 1, so that a sum counts its pieces there.
    """

    def __init__(self, table: "WordVectors") -> None:
        self._table = table

    def __missing__(self, place: int) -> int:
        row = self._table.row(place).tobytes().translate(_RAISED)
        lanes = bytearray(4 * ((len(row) + 1) // 2) + 1)
        lanes[: 2 * len(row) : 2] = row
        lanes[-1] = 1
        found = self[place] = int.from_bytes(lanes, "little")
        return found


class _WordLanes(dict[str, int]):
    """Word → sum of the lanes of its pieces."""

    def __init__(self, table: "WordVectors") -> None:
        self._cut = table.cut
        self._lane = _PieceLanes(table).__getitem__

    def __missing__(self, word: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[word] = sum(map(self._lane, self._cut(word)))
        return found


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
        rows = start + sum(sizes)
        similar = rows + sum(counts) * self.dimensions
        if len(view) != similar + sum(counts) * self._many * _PLACE.size:
            raise ValueError("is not as long as its header says")
        starts, firsts = accumulate(sizes, initial=0), accumulate(counts, initial=0)
        self._groups = tuple(map(_Group, starts, firsts, counts))
        self._pieces = bytes(view[start:rows])
        self._rows = view[rows:similar].cast("b")
        self._similar = view[similar:]
        self._all_pieces: dict[str, int] | None = None
        self.cut = lru_cache(maxsize=_CUT)(self._cut)
        """The rows of the pieces that a word is cut into."""
        self._lanes = _WordLanes(self)
        self._half = (self.dimensions + 1) // 2
        self._ones = int.from_bytes(b"\x01\0\0\0" * self._half, "little")
        self._mask = self._ones * 0xFFFF | 0xFFFF << 32 * self._half
        self._form = f"<{self._half}i"

    def question(self, words: Iterable[str]) -> tuple[float, ...]:
        """Return the vector of a question's words, of length 1; zeros if none is known.

        Words are as `terms` splits them: in lower case, without signs.
        """
        total = self._sum(words)
        length = sqrt(sum(map(mul, total, total))) or 1.0
        return tuple(round(number / length * _STEPS) / _STEPS for number in total)

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
        above = self._sum(head) if head else []
        of_head = sqrt(sum(map(mul, above, above)))
        found = []
        for words in texts:
            total = self._sum(words)
            if of_head:
                length = sqrt(sum(map(mul, total, total)))
                # A ratio of integers, so that all sums are exact.
                share = round(_PARTS * search_limits.VECTOR_HEAD * length / of_head)
                pairs = zip(total, above, strict=True)
                total = [_PARTS * n + share * m for n, m in pairs]
            found.append(self._packed(total))
        return tuple(found)

    def _packed(self, total: Sequence[int]) -> bytes:
        most = max(max(total), -min(total))
        if not most:
            return bytes(_SCALE.size + self.dimensions)
        # Rounded in integers: 127 × number / most, halves up; 128 more is a byte.
        raised, twice = 257 * most, 2 * most
        data = bytes([(254 * n + raised) // twice for n in total]).translate(_RAISED)
        numbers = array("b", data)
        # ``hypot`` is close to the root of an integer, which is therefore known.
        scale = 1 / sqrt(round(hypot(*numbers) ** 2))
        return _SCALE.pack(scale) + data

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

        Of many, each dimension is multiplied at once, in 32 bit lanes of an integer.
        """
        size = _SCALE.size + self.dimensions
        raised = b"".join(packed).translate(_RAISED)
        if len(packed) < _MANY_VECTORS or len(raised) != size * len(packed):
            return [self.cosine(question, one) for one in packed]
        lanes = bytearray(4 * len(packed))
        # Lanes have no sign: the numbers are raised, and negative factors apart.
        above = below = total = 0
        for at, number in enumerate(question, _SCALE.size):
            if factor := int(number * _STEPS):
                lanes[::4] = raised[at::size]
                total += factor
                if factor > 0:
                    above += factor * int.from_bytes(lanes, "little")
                else:
                    below -= factor * int.from_bytes(lanes, "little")
        form, length = f"<{len(packed)}I", len(lanes)
        plus = struct.unpack(form, above.to_bytes(length, "little"))
        minus = struct.unpack(form, below.to_bytes(length, "little"))
        bias = total * _BIAS
        return [
            (more - less - bias) / _STEPS * _SCALE.unpack_from(one)[0]
            for more, less, one in zip(plus, minus, packed, strict=True)
        ]

    def places(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces, without those of zeros."""
        return tuple(place for place in self.cut(word) if any(self.row(place)))

    def _cut(self, word: str) -> Sequence[int]:
        if not word.isascii() or len(word) > _WORD_CHARS:
            return ()
        place_of = self._place if self._all_pieces is None else self._all_pieces.get
        found: list[int] = []
        start, head = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                place = place_of(head + word[start:end], -1)
                if place >= 0:
                    break
            else:
                break
            found.append(place)
            start, head = end, "##"
        return found

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

    def row(self, place: int) -> memoryview:
        """Return the numbers of a piece."""
        start = place * self.dimensions
        return self._rows[start : start + self.dimensions]

    def _name(self, place: int) -> str:
        """Return the piece of a row."""
        for size, (start, first, most) in enumerate(self._groups, 1):
            if place < first + most:
                at = start + (place - first) * size
                return self._pieces[at : at + size].decode()
        return ""

    def _place(self, piece: str, unknown: int) -> int:
        """Return the row of a piece, as ``get`` of a dictionary."""
        if len(self._lanes) >= _MANY_WORDS:
            self._all_pieces = self._all_pieces or self._read_pieces()
        return self._find(piece.encode(), unknown)

    def _read_pieces(self) -> dict[str, int]:
        """Return the rows of all pieces."""
        found: dict[str, int] = {}
        for size, (start, first, most) in enumerate(self._groups, 1):
            for number in range(most):
                at = start + number * size
                found.setdefault(self._pieces[at : at + size].decode(), first + number)
        return found

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

    def _sum(self, words: Iterable[str]) -> list[int]:
        """Return the weighted sum of the rows of the words' pieces."""
        counts = Counter(words)
        if len(counts) > _MOST_WORDS:
            counts = Counter(dict(sorted(counts.items())[:_MOST_WORDS]))
        even, odd = self._weighted(list(counts), _WEIGHTS[1])
        repeated: dict[int, list[str]] = {}
        for word, count in counts.items():
            if count > 1:
                repeated.setdefault(count, []).append(word)
        for count, group in repeated.items():
            more = _WEIGHTS[min(count, len(_WEIGHTS) - 1)] - _WEIGHTS[1]
            others = self._weighted(group, more)
            even, odd = even + others[0], odd + others[1]
        pieces = even >> 32 * self._half
        even -= pieces << 32 * self._half
        total = [0] * (2 * self._half)
        total[::2] = self._lowered(even, pieces * _BIAS)
        total[1::2] = self._lowered(odd, pieces * _BIAS)
        return total[: self.dimensions]

    def _lowered(self, lanes: int, bias: int) -> tuple[int, ...]:
        """Return the numbers in lanes of 32 bits that were raised by ``bias``."""
        signs = self._ones << 31
        # With opposite sign bits no lane borrows from the next one.
        lowered = lanes + signs - bias * self._ones ^ signs
        return struct.unpack(self._form, lowered.to_bytes(4 * self._half, "little"))

    def _weighted(self, words: Sequence[str], weight: int) -> tuple[int, int]:
        """Return the weighted sum of the lanes of words: the even lanes, and the odd
        ones, in 32 bits each."""
        found = sum(map(self._lanes.__getitem__, words))
        if found >> 32 * self._half > _MOST_SUMMED:
            middle = len(words) // 2
            first = self._weighted(words[:middle], weight)
            second = self._weighted(words[middle:], weight)
            return first[0] + second[0], first[1] + second[1]
        return weight * (found & self._mask), weight * (found >> 16 & self._mask)
