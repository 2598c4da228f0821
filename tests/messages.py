"""``python -m tests.messages``: write all texts that users see into one file.

``tests/messages.txt`` has the help of every command, the message of every error, and
every other text of a module that reads as prose: remarks, notes of hooks, headings of
the prompt block. A change of words is a change of that file, so a review sees it.
"""

import re
from collections.abc import Iterator

from typer.core import TyperCommand, TyperGroup

from tests.command_tree import command_tree
from tests.docs.manual import leaves
from tests.source import ROOT, SOURCES, Text, strings

FILE = ROOT / "tests/messages.txt"
_PROSE = re.compile(r"(?<![\w.])[A-Za-z]+[,:;.]? (?:[a-z]+\b|[`'{(\"-])")
_CODE = re.compile(
    r"\(\?|\[\^|\\[bsdwn.]|\\u|<!--|merge-driver|diff-driver"
    r"|\b(?:SELECT|INSERT|CREATE|DELETE|UPDATE|PRAGMA|WHERE|ORDER BY|ON CONFLICT"
    r"|AND|ALTER|COALESCE|DEFAULT|CASE|import) [\w({*'?]|\?$"
)
_COMMON = ("--vault", "--json", "--project", "--agent-type", "--agent", "--scope")


def collected() -> str:
    """Content of the file."""
    lines = ["# Help of the commands", *_help()]
    shown = "\n".join(lines)
    found = [(name, one) for name, one in _shown() if f": {one.text}\n" not in shown]
    errors = sorted({f"{one.error}: {one.text!r}" for _, one in found if one.error})
    lines += ["", "# Messages of errors", *errors, "", "# Other texts"]
    module = ""
    for name, one in found:
        if one.error:
            continue
        if name != module:
            module = name
            lines += ["", f"## {name}"]
        lines.append(repr(one.text) if "\n" not in one.text else one.text.rstrip("\n"))
    return "\n".join(lines) + "\n"


def _help() -> Iterator[str]:
    tree = command_tree()
    assert isinstance(tree, TyperGroup)
    for words, group in _groups(tree):
        yield f"{' '.join(('toolmem', *words))} …: {group.help or ''}"
    yield from ("", "Options of many commands:")
    common = {
        line: None
        for _, command in leaves(tree)
        for line in _parameters(command)
        if line.split(":")[0].strip() in _COMMON
    }
    yield from sorted(common)
    for words, command in leaves(tree):
        yield ""
        yield f"toolmem {' '.join(words)}: {command.help or ''}"
        yield from (line for line in _parameters(command) if line not in common)


def _groups(
    tree: TyperGroup, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], TyperGroup]]:
    yield path, tree
    for name, command in sorted(tree.commands.items()):
        if isinstance(command, TyperGroup):
            yield from _groups(command, (*path, name))


def _parameters(command: TyperCommand) -> Iterator[str]:
    for parameter in command.params:
        if parameter.name not in ("help", "version"):
            name = parameter.opts[0] if parameter.opts else parameter.name
            yield f"  {name}: {getattr(parameter, 'help', '') or ''}"


def _shown() -> Iterator[tuple[str, Text]]:
    """Texts of the source that a user may see, with their modules."""
    for name in SOURCES:
        first: dict[str, Text] = {}
        for text in sorted(strings(name), key=lambda text: text.line):
            first.setdefault(text.text, text)
        yield from ((name, text) for text in first.values() if _reads(text))


def _reads(one: Text) -> bool:
    prose = _PROSE.search(one.text) or (one.error and " " in one.text)
    return bool(prose) and not _CODE.search(one.text)


if __name__ == "__main__":
    FILE.write_text(collected(), encoding="utf-8")
