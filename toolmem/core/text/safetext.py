"""Refuse and display unsafe characters.

Commands refuse to write text with an invisible, bidirectional or control character
(``find_unsafe``). Text that is already in a file is shown with the character spelled
out (``visible``), because dropping it could disable a rule.
"""

import re
import unicodedata
from collections.abc import Callable

# Characters that are invisible without being of category Cf: fillers, the
# grapheme joiner, Khmer vowels inherent, Mongolian and other selectors, the
# blank Braille pattern.
_HIDDEN = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
_DENIED = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_NAMELESS = {
    "Cc": "CONTROL CHARACTER",
    "Cn": "NO CHARACTER",
    "Co": "PRIVATE USE",
    "Cs": "SURROGATE",
}
# Bytes of a file's name, where the system says that names are ASCII.
_ESCAPED_BYTES = "[\udc80-\udcff]+"
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_LAYOUT = {ord("\n"): None, ord("\t"): None}
_ZWNJ, _ZWJ, _VS16, _KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
# Compiled at first use, which is rare. Joiners shape Arabic, Indic, Myanmar and Khmer
# letters.
_JOINING = "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff]"
_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)


def find_unsafe(text: str, *, multiline: bool = False) -> tuple[int, str] | None:
    """Return the offset and the name of the first character that may not be written.

    With ``multiline`` line feeds and tabs are allowed (and a carriage return before a
    line feed). Joiners and the emoji selector are allowed only where they shape an
    emoji or a letter of a joining script.
    """
    if _is_plain(text.translate(_LAYOUT) if multiline else text):
        return None
    for offset, char in enumerate(text):
        if _is_denied(char) and not _is_excused(text, offset, multiline):
            return offset, describe(char)
    return None


def _is_plain(text: str) -> bool:
    """Return True for nearly every text; otherwise each character must be checked."""
    return text.isprintable() and (text.isascii() or not re.search(_HIDDEN, text))


def _is_denied(char: str) -> bool:
    if unicodedata.category(char) in _DENIED or re.match(_HIDDEN, char):
        return True
    # Noncharacters, two at the end of each plane and a block: XML forbids some, and no
    # text needs them.
    number = ord(char)
    return number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF


def _is_excused(text: str, offset: int, multiline: bool) -> bool:
    char = text[offset]
    after = text[offset + 1 : offset + 2]
    before = text[offset - 1 : offset] if offset else ""
    if char in "\n\t\r":
        return multiline and (char != "\r" or after == "\n")
    if char == _VS16:
        return bool(re.match(_EMOJI, before)) or (
            after == _KEYCAP and before in "0123456789#*"
        )
    if char == _ZWJ and re.match(_EMOJI, after):
        return bool(before == _VS16 or re.match(_EMOJI, before))
    if char in (_ZWJ, _ZWNJ):
        return bool(re.match(_JOINING, before) and re.match(_JOINING, after))
    return False


def describe(char: str) -> str:
    """Return ``U+202E RIGHT-TO-LEFT OVERRIDE``: the character by number and name."""
    name = unicodedata.name(char, "") or _NAMELESS[unicodedata.category(char)]
    return f"U+{ord(char):04X} {name}"


def one_line(text: str) -> str:
    """Return the text on one line: blanks and control characters become one space."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # nearly every text of a vault
    return _BLANKS.sub(" ", text).strip()


def visible(text: str) -> str:
    r"""Return the text on one line with unsafe characters as ``\u{202e}``."""
    return _spelled_out(one_line(text), _in_braces)


def _in_braces(char: str) -> str:
    return f"\\u{{{ord(char):x}}}"


def spell_out(text: str, spelling: Callable[[str], str] = _in_braces) -> str:
    """Spell out the unsafe characters of each line.

    Line feeds and tabs stay; ``spelling`` overrides the form of ``visible``.
    """
    return "\n".join(_spelled_out(line, spelling) for line in text.split("\n"))


def _decoded(escaped: re.Match[str]) -> str:
    """Return the characters that the bytes of a name stand for, if it is UTF-8."""
    try:
        return escaped[0].encode("utf-8", "surrogateescape").decode()
    except UnicodeDecodeError:
        return escaped[0]


def _spelled_out(line: str, spelling: Callable[[str], str]) -> str:
    if _is_plain(line.replace("\t", "")):
        return line
    line = re.sub(_ESCAPED_BYTES, _decoded, line)
    return "".join(
        spelling(char)
        if char != "\t" and _is_denied(char) and not _is_excused(line, offset, False)
        else char
        for offset, char in enumerate(line)
    )
