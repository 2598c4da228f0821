"""The text of a rule with its code spans masked, and one ban of it.

Text in code style is one token, so that no word in it counts as a word of the sentence:
``never run `docker stop` unless …`` has one condition and no second ban.
"""

import re
from typing import NamedTuple

CODE_START = 0xE200
"""First of the characters that represent code spans; rules never contain them."""
_MOST_CODES = 0x400
SPAN = "[\ue200-\ue5ff]"
"""A code span in a masked text."""
_CODE_CHARS = re.compile(f"[{chr(CODE_START)}-{chr(CODE_START + _MOST_CODES - 1)}]")
_CODE = re.compile(
    r"``([^\n]{1,120}?)``|`([^`\n]{1,120})`|[\"“]([^\"”\n]{2,120})[\"”]"
    r"|(?<![^\s(])['‘]([^'’\n]{2,120})['’](?!\w)"
)
_REASON = re.compile(
    r"(?i),?\s+(?:because|since|so that|(?<!told )(?<!asked )(?<!stated )otherwise"
    r"|or else"
    r"|(?<!soon )(?<!long )(?<!often )as (?:it|they|this|that|we|i)"
    r"(?! (?:is|are)\s*(?:[,.;]|$)))\b"
    r"(?:(?!\b(?:unless|except|but|use|instead)\b|[.](?=\s|$))[^;!?\n,])*"
)
"""Words that give a reason: no condition or ban is in them."""
_EMPHASIS = re.compile(
    r"(?<![\w/*.])\*\*(?=[A-Za-z\ue200-\ue5ff])"
    r"|(?<=[A-Za-z\ue200-\ue5ff.!?:)])\*\*(?![\w/*.])"
)
_SHORT = re.compile(r"(?i)(?<!\S)w/(?P<out>o)?(?=\s)")
"""The words "with" and "without", abbreviated."""


class Ban(NamedTuple):
    """The forbidden part of a clause: a verb, objects, and what limits them.

    Code spans are single characters. ``before`` is the condition before the words that
    forbid, ``after`` the rest of the sentence. ``is_noun``: it follows "no". ``wanted``
    are the texts that say what to do instead, ``option`` is what the sentence demands,
    ``about`` is the text before the words that forbid. ``form`` is how they forbid:
    "after" what is forbidden, "text" only that something is written, "kept" (out of
    somewhere), "contrast", "verb" (by a verb), or empty.
    """

    text: str
    codes: tuple[str, ...]
    before: str = ""
    after: str = ""
    is_noun: bool = False
    wanted: tuple[str, ...] = ()
    option: str = ""
    about: str = ""
    form: str = ""

    def code(self, char: str) -> str:
        """Return the text of a code span."""
        return self.codes[ord(char) - CODE_START]

    def plain(self, text: str) -> str:
        """Return a piece of the sentence with its code as it was written."""
        return "".join(self.code(char) if is_code(char) else char for char in text)

    def shown(self, text: str) -> str:
        """Return a piece of the sentence with its code spans written out."""
        return "".join(f"`{self.code(c)}`" if is_code(c) else c for c in text)


def is_code(char: str) -> bool:
    """Return True if a character represents a code span."""
    return len(char) == 1 and 0 <= ord(char) - CODE_START < _MOST_CODES


def masked_text(rule: str) -> tuple[str, tuple[str, ...]]:
    """Return a rule's text with code spans as single characters, and the spans."""
    codes: list[str] = []

    def lifted(match: re.Match[str]) -> str:
        text = next(filter(None, match.groups()), "").strip()
        if len(codes) >= _MOST_CODES or not text:
            return " "
        codes.append(text)
        return chr(CODE_START + len(codes) - 1)

    plain = _EMPHASIS.sub("", _CODE.sub(lifted, _CODE_CHARS.sub("", rule)))
    text = _REASON.sub(",", plain)
    text = _SHORT.sub(lambda short: "without" if short["out"] else "with", text)
    return text.lower() if text.isupper() else text, tuple(codes)
