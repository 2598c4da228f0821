"""Memories that say nothing: greetings, raw data, bare addresses, a word or two."""

import json
import re

from toolmem.core.search.terms import is_spaceless, words

_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|thanks(?! to\b)|thank you|bye|goodbye|"
    r"good (?:morning|evening|afternoon)|ok|okay|sure|great|got it|"
    r"cheers|you'?re welcome|hallo|danke|merci|"
    r"bonjour|hola|gracias)\b",
    re.IGNORECASE,
)
_GREETING_WORDS = 8
"""A longer text that begins with a greeting goes on to say something."""
_URL = re.compile(r"<?\b(?:https?|ftp)://[^\s<>]+>?")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_ENTITIES = 3
_WORDS = 4
"""Fewer words say nothing by themselves (agent-queue's 8 refuse real ones)."""


def noise_in(title: str, body: str) -> str:
    """Why a memory says nothing; empty for one that does."""
    text = body if title and title in body else f"{title}\n{body}"
    bare = text.strip().lstrip("# \t").strip()
    said = _count(bare)
    if _GREETING.match(bare) and said <= _GREETING_WORDS and not _has_content(bare):
        return "a greeting"
    if _is_json(body.strip()) or _is_json(without_first_line(body)):
        return "raw JSON"
    rest = _URL.sub(" ", bare)
    if rest != bare and _count(rest) < _WORDS:
        return "a bare address"
    if len(_ENTITY.findall(text)) >= _ENTITIES and _ENTITY.search(title):
        return "raw HTML"
    if said < _WORDS:
        return "too short to be useful"
    return ""


def without_first_line(body: str) -> str:
    """A text below its heading."""
    first, _, rest = body.strip().partition("\n")
    return rest.strip() if first.startswith("#") else ""


def _count(text: str) -> int:
    """The words of a text; in scripts without spaces two characters make one."""
    found = words(text)
    dense = sum(is_spaceless(word) for word in found)
    return len(found) - dense + dense // 3


def _has_content(text: str) -> bool:
    """Whether there is something in it that only information has."""
    return any(char.isdigit() for char in text) or "`" in text or "/" in text


def _is_json(text: str) -> bool:
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    if text[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
