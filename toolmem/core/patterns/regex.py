"""Compile regular expressions of guards: Python's, as far as they are regular.

Back-references, look-around, possessive and atomic groups are refused, because no
linear-time engine has them. ``^`` and ``$`` match at every line; ``\\A`` and ``\\Z`` at
the ends of the value.
"""

import re

from toolmem.core import limits
from toolmem.core.patterns.automaton import (
    Automaton,
    Chars,
    Choice,
    Edge,
    Pattern,
    Repeat,
    Sequence,
)

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")
_COUNT = re.compile(r"\{(\d*)(,?)(\d*)\}")
_GROUP = re.compile(r"\?(?:P<\w+>|([ims]*):|([ims]+)\))")
_MAX_COUNT = 1000


def compile_regex(text: str) -> Automaton:
    """Compile a regular expression; ``ValueError`` says what is wrong with it."""
    if len(text) > limits.REGEX_PATTERN_CHARS:
        raise ValueError("the pattern is too large")
    reader = _Reader(text)
    pattern = reader.choice()
    if reader.at < len(text):
        raise ValueError("an unmatched )")
    return Automaton(pattern)


class _Reader:
    """One pass over a regular expression, from left to right."""

    __slots__ = ("at", "depth", "dot_all", "fold", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.fold = False
        self.dot_all = False

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def choice(self) -> Pattern:
        if self.depth > limits.REGEX_DEPTH:
            raise ValueError("too many groups inside groups")
        options = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            options.append(self.sequence())
        return Choice(tuple(options)) if len(options) > 1 else options[0]

    def sequence(self) -> Pattern:
        parts: list[Pattern] = []
        while self.peek() not in ("", "|", ")"):
            part = self.atom()
            if part is not None:
                parts.append(self.repeated(part))
        return Sequence(tuple(parts))

    def repeated(self, part: Pattern) -> Pattern:
        bounds = self.bounds()
        if bounds is None:
            return part
        if isinstance(part, Edge):
            raise ValueError("nothing to repeat")
        if self.peek() == "?":
            self.at += 1  # lazy: only the existence of a match matters
        elif self.peek() == "+":
            raise ValueError("possessive repeats are not supported")
        if self.bounds() is not None:
            raise ValueError("a repeat of a repeat")
        return Repeat(part, *bounds)

    def bounds(self) -> tuple[int, int | None] | None:
        simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(self.peek())
        if simple:
            self.at += 1
            return simple
        count = _COUNT.match(self.text, self.at)
        if not count or count[0] in ("{}", "{,}"):
            return None
        self.at = count.end()
        if len(count[1]) > 4 or len(count[3]) > 4:
            raise ValueError(f"a repeat count above {_MAX_COUNT}")
        low = int(count[1] or 0)
        high = int(count[3]) if count[3] else (None if count[2] else low)
        if high is not None and high < low:
            raise ValueError("a repeat count that ends before it begins")
        if max(low, high or 0) > _MAX_COUNT:
            raise ValueError(f"a repeat count above {_MAX_COUNT}")
        return low, high

    def atom(self) -> Pattern | None:
        char = self.peek()
        self.at += 1
        if char == "(":
            return self.group()
        if char == "[":
            return self.char_set()
        if char == "\\":
            return self.escape()
        if char in "^$":
            return Edge(char)
        if char == ".":
            newline = frozenset() if self.dot_all else frozenset("\n")
            return Chars(newline, negated=True)
        if char in "*+?":
            raise ValueError("nothing to repeat")
        return self.literal(char)

    def literal(self, char: str) -> Chars:
        return Chars(frozenset(char), fold=self.fold)

    def group(self) -> Pattern | None:
        fold, dot_all = self.fold, self.dot_all
        if self.peek() == "?":
            opened = _GROUP.match(self.text, self.at)
            if not opened:
                raise ValueError("look-around, back-references and the like")
            flags = opened[1] or opened[2] or ""
            self.fold, self.dot_all = fold or "i" in flags, dot_all or "s" in flags
            start, self.at = self.at, opened.end()
            if opened[2]:
                if start != 1:
                    raise ValueError("flags that are not at the start")
                return None
        self.depth += 1
        pattern = self.choice()
        self.depth -= 1
        if self.peek() != ")":
            raise ValueError("a ( without its )")
        self.at += 1
        self.fold, self.dot_all = fold, dot_all
        return pattern

    def escape(self) -> Pattern:
        char = self.peek()
        if char and char in "AZbB":
            self.at += 1
            return Edge(char)
        if char and char in "dDwWsS":
            self.at += 1
            return Chars(kinds=(char,))
        return self.literal(self.escaped_char())

    def escaped_char(self) -> str:
        char = self.peek()
        code = _HEX.match(self.text, self.at)
        if code:
            self.at = code.end()
            number = int(code[0][1:], 16)
            if number > 0x10FFFF:
                raise ValueError("a character that does not exist")
            return chr(number)
        if not char:
            raise ValueError("a backslash at the end")
        self.at += 1
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char.isdecimal():
            raise ValueError("back-references")
        if char.isascii() and char.isalpha():
            raise ValueError(f"the escape \\{char}")
        return char

    def char_set(self) -> Pattern:
        negated = self.peek() == "^"
        self.at += negated
        singles: set[str] = set()
        ranges: list[tuple[str, str]] = []
        kinds: list[str] = []
        first = True
        while first or self.peek() != "]":
            first = False
            low = self.member(kinds)
            dash = self.text[self.at : self.at + 1] == "-"
            if not dash or self.text[self.at + 1 : self.at + 2] in ("]", ""):
                singles.update(low)
                continue
            self.at += 1
            high = self.member(kinds)
            if not low or not high or high < low:
                raise ValueError("a range that ends before it begins")
            ranges.append((low, high))
        self.at += 1
        chars = Chars(frozenset(singles), tuple(ranges), tuple(kinds))
        return chars._replace(negated=negated, fold=self.fold)

    def member(self, kinds: list[str]) -> str:
        """Read one character of a set; empty for a class such as ``\\d``."""
        char = self.peek()
        if not char:
            raise ValueError("a [ without its ]")
        self.at += 1
        if char != "\\":
            return char
        if self.peek() and self.peek() in "dDwWsS":
            kinds.append(self.peek())
            self.at += 1
            return ""
        if self.peek() == "b":
            self.at += 1
            return "\b"
        return self.escaped_char()
