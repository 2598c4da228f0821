"""Words in the name of a tool, and the places where a text writes such a name.

``send_email``, ``sendEmail`` and ``mcp__mail__send_email`` contain *send* and
*email*; a text names the tool when it has these words in a row, inflected or not, or
the name itself. A name that is an everyday word (``Write``) counts only where it is
written as a name: in code, with a capital inside the text, or next to "use", "tool".
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.words import ENTITY, Token, word_set


class ToolWords(NamedTuple):
    """A tool and the words for it that its manifest states."""

    name: str
    aliases: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NON_WORD = re.compile(r"[\W_]+")
_EVERYDAY = word_list("names everyday")
_USING = word_set("use using call calling invoke invoking via tool")
_ARTICLES = word_set("a an any the your our my this that every each")


def parts_of(name: str) -> tuple[str, ...]:
    """Return the words of a tool's own name, without the server that offers it."""
    own = name.rsplit("__", 1)[-1].rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    spaced = _HUMP.sub(" ", own)
    return tuple(part.lower() for part in _NON_WORD.split(spaced) if part)


def naming_words(tool: ToolWords, text: str, tokens: Sequence[Token]) -> int:
    """Return how many words of a text name this tool, by name or alias."""
    best = 0
    for alias in tool.aliases:
        parts = tuple(filter(None, _NON_WORD.split(alias.lower())))
        best = max(best, _spelled_out(parts, tokens), _written(alias, text, tokens))
    parts = parts_of(tool.name)
    for name in {tool.name, tool.name.rsplit("__", 1)[-1]}:
        best = max(best, _written(name, text, tokens))
    if len(parts) > 1 or (parts and not _is_everyday(parts[0])):
        best = max(best, _spelled_out(parts, tokens))
    return best


def _is_everyday(word: str) -> bool:
    return word in _EVERYDAY or stem(word) in _EVERYDAY


def _written(name: str, text: str, tokens: Sequence[Token]) -> int:
    """Count the words of a name that is written as a name in the text."""
    everyday = _is_everyday(name.lower())
    for at, token in enumerate(tokens):
        raw = text[token.start : token.end]
        bare = raw.strip("`\"'*_()")
        if bare.lower() != name.lower():
            continue
        if not everyday or raw[:1] == "`":
            return max(1, len(parts_of(name)))
        before = tokens[at - 1].word if at else ""
        before = tokens[at - 2].word if before in _ARTICLES and at > 1 else before
        after = tokens[at + 1].word if at + 1 < len(tokens) else ""
        capital = at > 0 and bare == name and name[:1].isupper() and not text.isupper()
        if capital or after == "tool" or before in _USING:
            return 1
    return 0


def _spelled_out(parts: Sequence[str], tokens: Sequence[Token]) -> int:
    """Count the words of a name in a row, inflected, with articles between them."""
    wanted = [stem(part) for part in parts if part]
    if not wanted:
        return 0
    for start in range(len(tokens)):
        at, met = start, 0
        while at < len(tokens) and met < len(wanted):
            word = tokens[at].word
            if word != ENTITY and stem(word) == wanted[met]:
                met += 1
            elif not met or word not in _ARTICLES:
                break
            at += 1
        if met == len(wanted):
            return met
    return 0
