"""How the tests of capture look at finds."""

from toolmem.core import limits
from toolmem.core.capture.decree import Find, find_decrees


def lasting(message: str) -> list[Find]:
    """The finds that would make a rule, now or after review."""
    return [
        find for find in find_decrees(message) if find.lasting and find.effect == "add"
    ]


def applied(message: str) -> list[tuple[str, str]]:
    """Polarity and text of each rule that is made at once."""
    return [
        (find.polarity, find.text)
        for find in lasting(message)
        if find.confidence >= limits.CAPTURE_APPLY
    ]


def proposed(message: str) -> list[tuple[str, str]]:
    """Polarity and text of each rule that waits for review."""
    return [
        (find.polarity, find.text)
        for find in lasting(message)
        if find.confidence < limits.CAPTURE_APPLY
    ]
