"""Texts of rules that say what failed here, and what worked instead."""

import re
from typing import NamedTuple

_FAILED = r"`([^`]{1,2000})` (failed|timed out) \d{1,9} times((?: \([a-z ]{1,40}\))?)"
_WORKED = (
    r"(, then passed|; `([^`]{1,2000})` worked|; with `([^`]{1,2000})` it worked)?"
)
_OBSERVED = _FAILED + _WORKED
_PROPOSED = r"`([^`]{1,2000})` fails here; `([^`]{1,2000})` works"
_OPEN = (
    r"`([^`]{1,2000})` (?:keeps failing here|fails here \(.{1,2000}\)): "
    r"find out why before you (?:run it again|call it)"
)


class ObservedText(NamedTuple):
    """Parts of the text of an observation, or of a rule that reflect proposed.

    ``has_cause`` is True if it states one, or asks to find it.
    """

    subject: str
    has_way_out: bool
    worked: str = ""
    has_cause: bool = False

    @property
    def is_hint(self) -> bool:
        """True if it helps before the next use: with a cause, or what worked."""
        return self.has_way_out or self.has_cause

    def concerns(self, command: str) -> bool:
        """Return True if a command is the one that failed, or runs it."""
        if self.worked and self.worked in command:
            return False
        pattern = rf"(?<![\w./-]){re.escape(self.subject)}(?![\w-])"
        return re.search(pattern, command) is not None


def observed_text(text: str) -> ObservedText | None:
    """Read the text of an observation; None for any other text."""
    if match := re.fullmatch(_PROPOSED, text):
        return ObservedText(match[1], True, match[2])
    if match := re.fullmatch(_OPEN, text):
        return ObservedText(match[1], False, has_cause=True)
    match = re.fullmatch(_OBSERVED, text)
    if match is None:
        return None
    worked, has_cause = match[5] or match[6] or "", match[2] == "timed out" or match[3]
    return ObservedText(match[1], match[4] is not None, worked, bool(has_cause))


def failing_text(tool: str, cause: str) -> str:
    """Return the text of a rule about a tool that fails for one cause."""
    subject = tool.replace("`", "'")
    return f"`{subject}` fails here ({cause}): find out why before you call it"


def recounted(text: str, total: int) -> str:
    """Change the number of times in the text of an observation."""
    return re.sub(_OBSERVED, rf"`\1` \2 {total} times\3\4", text)
