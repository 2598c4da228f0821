"""A command's words in the spelling that guards have."""

from toolmem.core.guard.patterns.match import fold_marks
from toolmem.core.shell.program import program_name, split_name
from toolmem.core.shell.words import SimpleCommand, Word


def plain_words(command: SimpleCommand) -> tuple[Word, ...]:
    """A command's words in the spelling that guards have: ``git-reset`` as ``git
    reset``, ``docker-compose`` as ``docker compose``, plain dashes and letters."""
    words = command.argv
    if not words:
        return ()
    first = split_name(program_name(words[0].text))
    if len(first) > 1:
        words = (*(Word(part) for part in first), *words[1:])
    return tuple(map(_plain_word, words))


def _plain_word(word: Word) -> Word:
    text = word.text
    if text.isascii() and not (text.startswith("--") and text != text.lower()):
        return word
    if not text.isascii():
        text = fold_marks(text)
    name, equals, value = text.partition("=")
    if name.startswith("--"):
        text = name.lower() + equals + value
    return word if text == word.text else word._replace(text=text)
