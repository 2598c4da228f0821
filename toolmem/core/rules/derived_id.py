"""Derive ids from content, so that the same content gets the same id."""

from hashlib import blake2b


def derived_id(*parts: str) -> str:
    """Return an id in the form of a UUID (version 8, RFC 9562) made from the parts.

    Capturing the same message again, on any machine, gives the same id.
    """
    data = "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "replace")
    number = int.from_bytes(blake2b(data, digest_size=16).digest(), "big")
    number &= ~(0xF << 76) & ~(0x3 << 62)
    digits = f"{number | 0x8 << 76 | 0x2 << 62:032x}"
    return "-".join(
        (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    )
