"""Items of a prompt block that a file states already outside our section.

After an import the file and the vault say the same: an export does not repeat it.
"""

import re
from collections.abc import Iterable, Iterator

from toolmem.core.prompt.parts import PromptItem, PromptPart

_MARKUP = re.compile(r"[*_`>#\-+\s]+")
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
        lines = [_plain(line) for line in _text_of(item).splitlines()]
        said = [line for line in lines if line.strip()]
        is_long = sum(map(len, said)) >= _FEWEST_CHARS
        if not (is_long and all(line in stated for line in said)):
            yield item


def _text_of(item: PromptItem) -> str:
    """The words of an item, without the marks that the block adds."""
    return str(item.data.get("rule") or item.text)


def _plain(text: str) -> str:
    """The text without markup, case and line breaks."""
    return f" {_MARKUP.sub(' ', text).strip(' .!').casefold()} ".replace(". ", " ")
