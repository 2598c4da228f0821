"""Detect memories without content: greetings, raw data, bare addresses, a few words."""

import json
import re

from toolmem.core.text.terms import count_words
from toolmem.core.text.terms import words as split_words

_GREETING_WORDS = 8
"""A longer text has further content."""
_GREETING = frozenset(
    "hi hello hey thanks thank bye goodbye morning evening afternoon ok okay sure "
    "great got cheers welcome hallo danke merci bonjour hola gracias".split()
)
_FILLERS = frozenset(
    "you so much very well good it that was is this all there again everyone a lot and "
    "the for your help re see here link url".split()
)
"""Words that add no content to a greeting or an address."""
_URL = re.compile(r"<?\b(?:https?|ftp)://[^\s<>]+>?")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_ENTITIES = 3
_HEAD_CHARS = 128
"""Beginning of a text that usually has more words than any limit here."""
_WORDS = 4
"""Minimum number of words; a minimum of 8 refused real memories."""


def noise_in(title: str, body: str) -> str:
    """Return why a memory has no content; empty for one that has."""
    text = body if title and title in body else f"{title}\n{body}"
    bare = text.strip().lstrip("# \t").strip()
    words = count_words(bare[:_HEAD_CHARS])
    if words <= _GREETING_WORDS:
        words = count_words(bare)
    used = set(split_words(bare)) if words <= _GREETING_WORDS else set()
    if used & _GREETING and used <= _GREETING | _FILLERS:
        return "a greeting"
    if _is_json(body.strip()) or _is_json(without_first_line(body)):
        return "raw JSON"
    rest = _URL.sub(" ", bare) if "://" in bare else bare
    if rest != bare and not set(split_words(rest[:_HEAD_CHARS])) - _FILLERS:
        return "a bare address"
    if (
        "&" in title
        and len(_ENTITY.findall(text)) >= _ENTITIES
        and _ENTITY.search(title)
    ):
        return "raw HTML"
    if words < _WORDS:
        return "too short to be useful"
    return ""


def without_first_line(body: str) -> str:
    """Return a text below its heading."""
    first, _, rest = body.strip().partition("\n")
    return rest.strip() if first.startswith("#") else ""


def _is_json(text: str) -> bool:
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    if text[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
