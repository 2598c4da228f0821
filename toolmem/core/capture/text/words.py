"""Words of a message, with contractions split and common typing errors corrected.

``don’t``, ``don`t`` and ``dont`` are ``do not``, ``nver`` is ``never``.
"""

import re
from typing import NamedTuple

from toolmem.core.capture.text.lists import phrases, word_list


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, separated by blanks."""
    return frozenset(text.split())


RULE_LEADS = word_list("rule leads")
"""Words of a heading, or of the line above a list, that announces rules."""
ENTITY = "<entity>"
"""Word of a token that names a thing: code, address, URL, path, flag."""
QUOTE = "<quote>"
"""Word of a token that represents a quotation."""
ENTITY_MARK = "\ue000"
"""Character with which ``masking`` covers a thing."""
QUOTE_MARK = "\ue001"
"""Character with which ``masking`` covers a quotation."""


class Token(NamedTuple):
    """One word or punctuation mark, with its place in the message."""

    word: str
    start: int
    end: int


_TOKEN = re.compile(
    f"{ENTITY_MARK}+|{QUOTE_MARK}+"
    r"|(?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s,;]*)?"
    r"|[Dd]on;t\b|\.{2,}|…"
    r"|\w+(?:['’‘`´ʼ′＇\-/.+@&]\w+)*[+#]*'?"
    r"|[^\w\s]"
)
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´ʼ′＇", "'"))

_WHOLE = dict(line.split(" ", 1) for line in phrases("typed words"))
"""Typed words and their full forms."""
_ENDINGS = {
    "n't": "not", "'re": "are", "'m": "am", "'ll": "will", "'ve": "have", "'d": "would",
}  # fmt: skip
_IS_AFTER = word_set(
    "it that there what who where how here he she this everything nothing"
)

_PREDICATES = word_set(
    "fine okay ok allowed permitted acceptable forbidden banned not back"
)
"""Words after which ``'s`` is "is" rather than a possessive: "sudo's fine"."""


def _slips(word: str) -> set[str]:
    """Return the word with one letter left out, doubled, or swapped with the next."""
    swaps = {
        word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(len(word) - 1)
    }
    drops = {word[:n] + word[n + 1 :] for n in range(1, len(word))}
    doubles = {word[:n] + word[n] + word[n:] for n in range(len(word))}
    return (swaps | drops | doubles) - {word}


_ENGLISH = word_set("avid pleas preer neer")
_SLIPS = {
    slip: word
    for word in ("never", "always", "avoid", "please", "prefer")
    for slip in _slips(word) - _ENGLISH
}


def expand(raw: str) -> tuple[str, ...]:
    """Normalise one typed word to one or two words in lower case."""
    word = raw.lower().translate(_APOSTROPHES).rstrip("'").strip("_")
    if whole := _WHOLE.get(word) or _SLIPS.get(word):
        return tuple(whole.split())
    head, mark, tail = word.rpartition("'")
    if not mark:
        return (word,)
    if tail == "t" and head.endswith("n") and len(head) > 2:
        return (head[:-1], "not")
    if ending := _ENDINGS.get(mark + tail):
        return (head, ending)
    if tail == "s" and head in _IS_AFTER:
        return (head, "is")
    return (word,)


def tokenize(masked: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """Split a slice of a masked message into tokens."""
    tokens = []
    for match in _TOKEN.finditer(masked, start, len(masked) if end is None else end):
        raw, at, to = match[0], match.start(), match.end()
        if raw[0] == ENTITY_MARK or (raw[0] == "-" and len(raw) > 1):
            tokens.append(Token(ENTITY, at, to))
        elif raw[0] == QUOTE_MARK:
            tokens.append(Token(QUOTE, at, to))
        elif raw.startswith("..") or raw == "…":
            tokens.append(Token("…", at, to))
        elif raw not in "*_":  # emphasis is not a word
            words = expand(raw)
            if words[0] in _PREDICATES and tokens and tokens[-1].word.endswith("'s"):
                thing = tokens.pop()
                tokens.append(thing._replace(word=thing.word[:-2]))
                tokens.append(thing._replace(word="is"))
            tokens.extend(Token(word, at, to) for word in words if word)
    return tuple(tokens)


_TAIL = re.compile(
    r"(?:\s|[.!?…,;]|[:;]-?[)d(p]|<3|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]"
    r"|,\s*(?:ok|okay|alright|please and thank you|thanks|thank you|thx|cheers|got it"
    r"|understood|deal|yeah|capiche)(?=[\s.!?]*$))+$"
)
_ABBREVIATED = r"(?:\b[a-z]\.[a-z]|(?<![/\w])etc|\b(?:inc|ltd|co|approx))$"
_FORMATTING = r"</?(?:b|i|em|strong|u|mark|span|font|big|small)>"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LOWER = str.maketrans(_LETTERS.upper(), _LETTERS)
"""Lower case for ASCII only, which preserves offsets (``İ`` becomes two letters)."""
_TAIL_CHARS = 80


def trim_end(text: str) -> int:
    """Return the length of the text without its cut end."""
    if text.endswith(")") and "(" not in text and not text.endswith((":)", ";)", "-)")):
        return trim_end(text.rstrip(") "))
    closes = text.endswith(")") and 0 < text.count("(") == text.count(")")
    cut = None if closes else _TAIL.search(text[-_TAIL_CHARS:].translate(_LOWER))
    if cut is None:
        return len(text)
    end = max(0, len(text) - _TAIL_CHARS) + cut.start()
    if text[end : end + 1] == "." and re.search(
        _ABBREVIATED, text[max(0, end - 8) : end].lower()
    ):
        return end + 1
    return end


def collapse(text: str) -> str:
    """Return the text on one line, without formatting tags."""
    if "<" in text:
        text = re.sub(_FORMATTING, "", text)
    return " ".join(text.split())
