"""How tools are named: the words in a name, and where a text says the name.

``send_email``, ``sendEmail`` and ``mcp__mail__send_email`` hold the words *send*
and *email*; a text names the tool when it says these words in a row, inflected
or not, or when it writes the name itself. A name that is an everyday word
(``Write``) must be written as a name: in code, with its capital, or after "use".
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.catalogue import GENERAL, PURPOSES
from toolmem.core.capture.smallwords import DETERMINERS, word_set
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, Token


class ToolWords(NamedTuple):
    """A tool by the words that mean it, as its manifest states them."""

    name: str
    aliases: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_EVERYDAY = (
    frozenset(GENERAL)
    | frozenset(word for purpose in PURPOSES for word in purpose.nouns | purpose.verbs)
    | word_set("task agent skill plan edit write read find list get set do run use")
)
_USING = word_set("use using call calling invoke invoking via tool run running")


def parts_of(name: str) -> tuple[str, ...]:
    """The words of a tool's own name, without the server that offers it."""
    own = name.rsplit("__", 1)[-1].rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    spaced = _HUMP.sub(" ", own)
    return tuple(part.lower() for part in re.split(r"[\W_]+", spaced) if part)


def server_of(name: str) -> tuple[str, ...]:
    """The words of the server in ``mcp__server__tool``, else nothing."""
    if "__" not in name:
        return ()
    head = name.rsplit("__", 1)[0].removeprefix("mcp")
    return tuple(part.lower() for part in re.split(r"[\W_]+", head) if part)


def named(tool: ToolWords, text: str, tokens: Sequence[Token]) -> int:
    """How many words of the text name this tool: by name or alias, 0 if none do."""
    best = 0
    for alias in tool.aliases:
        parts = tuple(re.split(r"[\W_]+", alias.lower()))
        best = max(best, _said(parts, tokens), _written(alias, text, tokens))
    parts = parts_of(tool.name)
    short = tool.name.rsplit("__", 1)[-1]
    for name in {tool.name, short}:
        best = max(best, _written(name, text, tokens))
    if len(parts) > 1 or (
        parts and stem(parts[0]) not in _EVERYDAY and parts[0] not in _EVERYDAY
    ):
        best = max(best, _said(parts, tokens))
    return best


def _written(name: str, text: str, tokens: Sequence[Token]) -> int:
    """The name itself, as a whole word, written so that it must be a name."""
    everyday = name.lower() in _EVERYDAY or stem(name.lower()) in _EVERYDAY
    for at, token in enumerate(tokens):
        raw = text[token.start : token.end]
        bare = raw.strip("`\"'*_()")
        if bare.lower() != name.lower():
            continue
        if not everyday or raw[:1] == "`":
            return max(1, len(parts_of(name)))
        before = tokens[at - 1].word if at else ""
        after = tokens[at + 1].word if at + 1 < len(tokens) else ""
        capital = at > 0 and bare == name and name[:1].isupper() and not text.isupper()
        if capital or after == "tool" or before in _USING - {"run", "running"}:
            return 1
    return 0


def _said(parts: Sequence[str], tokens: Sequence[Token]) -> int:
    """The words of a name in a row, inflected, with articles between them."""
    wanted = [stem(part) for part in parts if part]
    if not wanted:
        return 0
    for start in range(len(tokens)):
        at, met = start, 0
        while at < len(tokens) and met < len(wanted):
            word = tokens[at].word
            if word != ENTITY and stem(word) == wanted[met]:
                met += 1
            elif not met or word not in DETERMINERS:
                break
            at += 1
        if met == len(wanted):
            return met
    return 0
