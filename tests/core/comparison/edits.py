"""Random single edits of a text, and whether the list of harmless ones explains one."""

import re
from random import Random

_SIGNS = "!?.,;:-*+/\\|<>=~#@$%^&()[]{}'\"`_–—→←✅❌∈∉’“ \n\t"
_CHARS = "abzABZ019äß中" + _SIGNS
_VALUE = re.compile(r"(?<=[:=] )\S[^,\n]*")


def edited(random: Random, text: str) -> str:
    """Insert, delete, replace or swap characters, words, lines or values."""
    kind = random.choice((_character, _character, _word, _line, _values, _case))
    return kind(random, text)


def _character(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    new = random.choice(_CHARS)
    after = text[at + 1 : at + 2]
    return random.choice(
        (
            text[:at] + new + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + new + text[at + 1 :],
            text[:at] + after + text[at : at + 1] + text[at + 2 :],
        )
    )


def _case(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]


def _parts(random: Random, parts: list[str], step: int) -> str:
    """Delete one of every ``step`` parts, double it, or swap it with another."""
    places = range(0, len(parts), step)
    one, other = random.choice(places), random.choice(places)
    kind = random.randrange(3)
    if kind == 0:
        parts[one] = ""
    elif kind == 1:
        parts[one] += " " + parts[one]
    else:
        parts[one], parts[other] = parts[other], parts[one]
    return "".join(parts)


def _word(random: Random, text: str) -> str:
    return _parts(random, re.split(r"(\s+)", text), 2)


def _line(random: Random, text: str) -> str:
    return _parts(random, re.split(r"(\n)", text), 2)


def _values(random: Random, text: str) -> str:
    spans = [found.span() for found in _VALUE.finditer(text)]
    if len(spans) < 2:
        return _word(random, text)
    (a, b), (c, d) = sorted(random.sample(spans, 2))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def is_explained(one: str, other: str) -> bool:
    """Return True if the texts are equal but for what the harmless edits may change.

    It is written without the code that it checks, and permits a little more.
    """
    if one.isupper() and len(one.split()) > 2:  # "A" and "I" in a sentence in capitals
        one, other = (re.sub(r"\b[AI]\b", "a", text) for text in (one, other))
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    text = re.sub(r"^[ \t]*[-*+•][ \t]+(?=\S)", "- ", text, flags=re.MULTILINE)
    text = re.sub(r"^[ \t]*(\d+)[.)][ \t]+(?=\S)", r"\1. ", text, flags=re.MULTILINE)
    text = re.sub(
        r"^([^#\n].*?)[ \t]*\n[ \t]*(?=[^\W\d_]|[\"'(])", r"\1 ", text, flags=re.M
    )
    text = text.translate(str.maketrans("“”‘’–‑", "\"\"''--"))
    text = re.sub(r"(?<=[^\W\d_])\s*—\s*(?=[^\W\d_])", " - ", text)
    text = re.sub(r"(?<=[^\W\d_]) -- (?=[^\W\d_])", " - ", text)
    text = re.sub(r",(?=\s+(?:and|because|so)\b)", "", text, flags=re.IGNORECASE)
    start = r"(?:^[\s\"'(#>|\-]*|^\d+\. |[.!?。！？][\"')\]]*\s+[\"'(]*)"
    lowered = re.sub(
        rf"({start})([^\W\d_])(?=[^\W\d_]*\b)",
        lambda m: m[1] + m[2].lower(),
        text,
        flags=re.MULTILINE,
    )
    ends = r"(?<=[\w`%)\]\"'])[.。](?=[\"')\]]*(?:\s|$))"
    return " ".join(re.sub(ends, "", lowered).split())
