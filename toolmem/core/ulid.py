"""ULIDs: ids that sort by their time of creation."""

from datetime import datetime

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def ulid(now: datetime, unique_id: str) -> str:
    """Return the id of a moment (in whole milliseconds) and a UUID, 26 characters."""
    number = int(unique_id.replace("-", ""), 16)
    random = (number >> 48 ^ number) & ((1 << _RANDOM_BITS) - 1)
    value = round(now.timestamp() * 1000) << _RANDOM_BITS | random
    return "".join(_DIGITS[value >> shift & 31] for shift in range(125, -1, -5))
