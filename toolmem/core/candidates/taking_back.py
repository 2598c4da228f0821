"""Decide whether words that take a rule back name what the rule is about."""

from toolmem.core.capture.relate.content import (
    content_of,
    content_words,
    parts_of_things,
)

_ANY_WORK = content_of(
    "add change code command commit create delete edit file fix folder make project"
    " read remove repository run test update write"
)
"""Words that are in rules about different things."""


def takes_back(text: str, tool: str, rule: str) -> bool:
    """Return whether a taking-back names what a rule is about.

    That is all that the text names, or a program, object or place of the rule: a word
    that names any work, such as "edit" or "file", is not enough.
    """
    words = content_words(text, ruling=False)
    topic = words.among(0, len(words.tokens))
    subject = content_of(rule) | parts_of_things(rule) | content_of(tool)
    shared = topic & subject
    return bool(shared) and (shared == topic or bool(shared - _ANY_WORK))
