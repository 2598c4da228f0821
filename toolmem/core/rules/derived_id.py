"""Ids that follow from what they stand for: found again, they are the same."""


def derived_id(*parts: str) -> str:
    """An id in the form of a UUID (version 8, RFC 9562) made from the parts.

    Whoever captures the same message again, on any machine, gets the same id.
    """
    import hashlib  # dear to import, and only new rules and proposals need it

    said = "\0".join(parts).encode("utf-8", "replace")
    number = int.from_bytes(hashlib.sha256(said).digest()[:16])
    number &= ~(0xF << 76) & ~(0x3 << 62)
    digits = f"{number | 0x8 << 76 | 0x2 << 62:032x}"
    return "-".join(
        (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    )
