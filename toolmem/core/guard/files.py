"""Which words of a shell text may name a file, and seen from which folder."""

from collections.abc import Iterator

from toolmem.core.guard.patch import patch_paths
from toolmem.core.guard.patterns.paths import resolve
from toolmem.core.shell.program import program_name
from toolmem.core.shell.words import SimpleCommand, Word, has_gap

_NO_FILES = frozenset(("echo", "printf"))
_PATTERN_FIRST = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "jq"))
_PATTERN_FILES = frozenset(("-f", "--file"))
_TEXT_OPTIONS = frozenset(("-m", "--message", "-e", "--regexp", "--title", "--body"))


def files_by_command(
    commands: tuple[SimpleCommand, ...], *, cwd: str, home: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For every command the folder that it runs in and the files it may name.

    ``cd DIR`` moves the commands after it; file globs are gaps.
    """
    found = []
    for command in commands:
        found.append((cwd, tuple(_files(command))))
        cwd = _moved(command, cwd, home)
    return tuple(found)


def _moved(command: SimpleCommand, cwd: str, home: str) -> str:
    texts = [word.text for word in command.argv]
    if texts[:1] not in (["cd"], ["pushd"]):
        return cwd
    target = next((text for text in texts[1:] if not text.startswith("-")), "~")
    return cwd if has_gap(target) else resolve(target, cwd=cwd, home=home)


def _files(command: SimpleCommand) -> Iterator[str]:
    for redirect in command.redirects:
        yield _shape(redirect.target)
    yield from patch_paths(command.stdin)
    words = command.argv
    name = program_name(words[0].text) if words else ""
    if name in _NO_FILES:
        return
    pattern = name in _PATTERN_FIRST
    before = ""
    for word in words:
        option = word.text.startswith("-")
        first = pattern and word is not words[0] and not option
        pattern = pattern and not first
        is_text = before in _TEXT_OPTIONS or (first and before not in _PATTERN_FILES)
        if not is_text:
            yield from _readings(_shape(word))
        before = word.text


def _shape(word: Word) -> str:
    return word.shape or word.text


def _readings(text: str) -> Iterator[str]:
    """A word, and the files in ``--file=F``, ``-fF``, ``@F`` and ``F:G``."""
    yield text
    if "=" in text:
        yield text.partition("=")[2].removeprefix("@")
    if text[:1] == "@":
        yield text[1:]
    elif text[:1] == "-" and text[2:3] in ("/", "~", "."):
        yield text[2:]
    if ":" in text and "://" not in text:
        yield from (part for part in text.split(":") if "/" in part)
