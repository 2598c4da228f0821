"""A text of a rule with its words, for those who read it by their roles."""

import re

from toolmem.core.guard.derivation.reading.sentence import CODE_START, is_code
from toolmem.core.guard.derivation.reading.words import ReadWord, roles_of, words_of

_STANDING = re.compile(
    r"(?i)(?:for \w+ reasons|(?:in|for|on|with|at) (?:this|our|the) "
    r"(?:repo(?:sitory)?|project|code ?base|house|team|company))"
)
"""Words that begin like a condition and say that the ban is in effect."""


class ReadText:
    """A masked text, its words, and their roles as a text of one character each."""

    def __init__(
        self, text: str, codes: tuple[str, ...], words: list[ReadWord] | None = None
    ) -> None:
        self.text = text
        self.codes = codes
        self.words = words_of(text) if words is None else words
        self.roles = roles_of(self.words)

    def start(self, word: int) -> int:
        """Return where a word begins in the text."""
        return self.words[word].start if word < len(self.words) else len(self.text)

    def slice(self, first: int, last: int) -> str:
        """Return the text from a word up to another one."""
        if first >= last:
            return ""
        return self.text[self.words[first].start : self.start(last)]

    def exact(self, first: int, last: int) -> str:
        """Return the text from a word to the end of the one before another."""
        words = self.words[first:last]
        return self.text[words[0].start : words[-1].end] if words else ""

    def next(self, first: int, roles: str) -> int:
        """Return the first word from a position with one of some roles, or the end."""
        places = (n for n in range(first, len(self.words)) if self.roles[n] in roles)
        return next(places, len(self.words))

    def code(self, text: str) -> str:
        """Return what a code span contains, and any other text itself."""
        return self.codes[ord(text) - CODE_START] if is_code(text) else text

    def limits(self, at: int) -> bool:
        """Return True for a word that begins a condition."""
        return self.roles[at] in "ciy" and not _STANDING.match(
            self.text, self.words[at].start
        )

    def condition_before(self, first: int) -> str:
        """Return the condition before a ban: "In CI, never …"."""
        start = (
            max((self.roles.rfind(mark, 0, first) for mark in ".;!?"), default=-1) + 1
        )
        for at in range(start, first):
            begins = at == start or self.roles[at - 1] in ",;:("
            if begins and self.limits(at):
                end = first
                while end > at and (
                    self.roles[end - 1] in "-,;:(SMbA"
                    or self.words[end - 1].text == "then"
                ):
                    end -= 1
                if end > at:
                    return self.text[self.words[at].start : self.words[end - 1].end]
        return ""
