"""Arithmetic on vectors of integers, without numpy.

The numbers of a vector are in lanes of bits of one large integer, so that one operation
of Python works on all of them. Many rows of bytes are added in narrow lanes of 16 bits.
The sum is widened to lanes of 32 bits, which may be multiplied: a wide vector is the
sum of its numbers times 2^(32 × place).
"""

import struct
from collections.abc import Iterable, Sequence
from math import hypot, sqrt
from zlib import adler32

_BIAS = 128
_RAISED = bytes((number + _BIAS) % 256 for number in range(256))
"""Byte of a signed number → that of the number plus `_BIAS`, and the reverse."""
_MOST_SUMMED = 257
"""Rows whose raised numbers add up to 16 bits at most."""
_AT_ONCE = 96
"""Words summed at once: of more, there are often too many rows."""
_SQUARES = bytes(n * n & 255 for n in range(-_BIAS, _BIAS))
_SQUARES_ABOVE = bytes(n * n >> 8 for n in range(-_BIAS, _BIAS))
"""Raised byte → lower and upper byte of the square of its number."""
_LENGTH = 512
"""Length of a packed vector in steps; half as much if a number is above 127, and so
on."""
_FRACTION = 20
"""Bits behind the point in which the numbers of a packed vector are computed."""
_SCALE = struct.Struct("<f")


class Lanes:
    """Lanes for vectors of so many dimensions."""

    def __init__(self, dimensions: int) -> None:
        self._size = 4 * dimensions
        self._half = (dimensions + 1) // 2
        self._top = 32 * self._half
        self._low = int.from_bytes(b"\xff\xff\0\0" * self._half, "little")
        self._ones = int.from_bytes(b"\x01\0\0\0" * dimensions, "little")
        self._biases = self._ones * _BIAS
        self._signs = self._ones << 31
        self._numbers = struct.Struct(f"<{dimensions}i")
        self._steps = tuple(map(self._step, range(_FRACTION, 25)))
        self.nothing = bytes(_SCALE.size + dimensions)

    def _step(self, shift: int) -> tuple[int, int, int]:
        """Return a shift, what rounds numbers and raises them to be bytes after it, and
        the bits of numbers that are none then."""
        raised = (_BIAS << shift) + (1 << shift - 1)
        return shift, self._ones * raised, self._ones * ((1 << 32) - (1 << shift + 8))

    def of_row(self, row: bytes) -> int:
        """Return signed bytes, raised by `_BIAS`, in narrow lanes.

        Even lanes have the first half, odd ones the second. A 1 above all of them
        counts the rows of a sum.
        """
        raised = row.translate(_RAISED).ljust(2 * self._half, b"\0")
        lanes = bytearray(4 * self._half + 1)
        lanes[:-1:4] = raised[: self._half]
        lanes[2::4] = raised[self._half :]
        lanes[-1] = 1
        return int.from_bytes(lanes, "little")

    def wide_sum(self, rows: Sequence[int]) -> int:
        """Return the wide sum of rows, or of sums of rows, in narrow lanes."""
        if len(rows) > _AT_ONCE:
            return self._sum_of_halves(rows)
        total = sum(rows)
        many = total >> self._top
        if many > _MOST_SUMMED:
            return self._sum_of_halves(rows)
        return self._widened(total, many)

    def weighted_sum(self, rows: Sequence[tuple[int, int]]) -> int:
        """Return the wide sum of rows, or of small sums of rows, each times a factor.

        Factors are positive.
        """
        total = sum([row * factor for row, factor in rows])
        many = total >> self._top
        if many <= _MOST_SUMMED:
            return self._widened(total, many)
        return sum(factor * self.wide_sum([row]) for row, factor in rows)

    def _widened(self, total: int, many: int) -> int:
        second = total >> 16 & self._low
        return (total & self._low | second << self._top) - many * self._biases

    def _sum_of_halves(self, rows: Sequence[int]) -> int:
        middle = len(rows) // 2
        return self.wide_sum(rows[:middle]) + self.wide_sum(rows[middle:])

    def numbers(self, vector: int) -> tuple[int, ...]:
        """Return the numbers of a wide vector."""
        # With opposite sign bits no lane borrows from the next one.
        raised = vector + self._signs ^ self._signs
        return self._numbers.unpack(raised.to_bytes(self._size, "little"))

    def length(self, vector: int) -> float:
        """Return the length of a wide vector, the same on any machine."""
        return _root(hypot(*self.numbers(vector)))

    def packed(self, parts: Iterable[tuple[int, float]]) -> bytes:
        """Return a sum of wide vectors, each times a factor, as signed bytes.

        Before them is 1 / their length, as a 32 bit float. The first vector times its
        factor has the length 1, and no other is longer.
        """
        total = 0
        for vector, factor in parts:
            # A rounded factor, so that sums are exact.
            total += max(1, round(factor * (_LENGTH << _FRACTION))) * vector
        for shift, raise_by, above in self._steps:
            raised = total + raise_by
            if not raised & above:
                total = raised >> shift
                break
        data = total.to_bytes(self._size, "little")[::4]
        return _SCALE.pack(1 / _length(data)) + data.translate(_RAISED)


def _length(raised: bytes) -> float:
    """Return the length of the vector of at most 256 raised numbers."""
    below, above = raised.translate(_SQUARES), raised.translate(_SQUARES_ABOVE)
    # The lower half of an Adler-32 is the sum of the bytes plus 1, modulo 65,521.
    squares = (adler32(below) & 0xFFFF) - 1 + ((adler32(above) & 0xFFFF) - 1 << 8)
    return sqrt(squares)


def products(factors: Sequence[int], data: bytes, size: int) -> list[int]:
    """Return the products of a vector of integers and each of many packed ones.

    These are ``size`` bytes each, one after the other. Each factor is multiplied with
    the numbers of all vectors at once, in lanes of 32 bits.
    """
    many, raised = len(data) // size, data.translate(_RAISED)
    lanes = bytearray(4 * many)
    # Lanes have no sign: the numbers are raised, and negative factors apart.
    above = below = 0
    for at, factor in enumerate(factors, _SCALE.size):
        if factor:
            lanes[::4] = raised[at::size]
            if factor > 0:
                above += factor * int.from_bytes(lanes, "little")
            else:
                below -= factor * int.from_bytes(lanes, "little")
    numbers, bias = struct.Struct(f"<{many}I"), sum(factors) * _BIAS
    plus = numbers.unpack(above.to_bytes(len(lanes), "little"))
    minus = numbers.unpack(below.to_bytes(len(lanes), "little"))
    return [more - less - bias for more, less in zip(plus, minus, strict=True)]


def _root(length: float) -> float:
    """Return the root of the integer whose approximate root this is."""
    return sqrt(round(length * length))
