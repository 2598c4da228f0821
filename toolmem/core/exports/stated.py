"""Items of a prompt block that a file states already outside our section.

After an import the file and the vault say the same: an export does not repeat it.
"""

import re
from collections.abc import Iterable, Iterator

from toolmem.core.prompt.parts import PromptItem, PromptPart

_MARKUP = re.compile(r"[*_`>#\-+\s]+")
_BETWEEN = re.compile(r'",? ?| (?=")|, ')
_LEAD = re.compile(r"(?i)^(?:in|for|never)\s*$|^for (?=`)")
_FEWEST_CHARS = 12
"""A shorter text may be part of another sentence by chance."""


def without_stated(parts: Iterable[PromptPart], text: str) -> tuple[PromptPart, ...]:
    """Return the parts without rules and guidance that the text states."""
    stated = _plain(text)
    return tuple(
        part._replace(items=tuple(_missing(part, stated)))
        if part.kind in ("rules", "guidance")
        else part
        for part in parts
    )


def _missing(part: PromptPart, stated: str) -> Iterator[PromptItem]:
    for item in part.items:
        text = _text_of(item)
        if not (_states(stated, text.splitlines()) or _states(stated, _pieces(text))):
            yield item


def _states(stated: str, texts: Iterable[str]) -> bool:
    said = [plain for text in texts if (plain := _plain(text)).strip()]
    return sum(map(len, said)) >= _FEWEST_CHARS and all(word in stated for word in said)


def _pieces(text: str) -> list[str]:
    """Return an imported rule and its conditions, which are apart in its file."""
    conditions, _, rule = text.partition(": ")
    return [
        rule or text,
        *(_LEAD.sub("", condition) for condition in _BETWEEN.split(conditions)),
    ]


def _text_of(item: PromptItem) -> str:
    """The words of an item, without the marks that the block adds."""
    return str(item.data.get("rule") or item.text)


def _plain(text: str) -> str:
    """The text without markup, case and line breaks."""
    return f" {_MARKUP.sub(' ', text).strip(' .!').casefold()} ".replace(". ", " ")
