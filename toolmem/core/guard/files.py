"""Find the words of a shell text that may name a file, its folder and its use."""

from collections.abc import Iterator

from toolmem.core.guard.calls import FileUse
from toolmem.core.guard.searches import option
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.argv import loose_words
from toolmem.core.shell.code import code_operations, joined, uses_trees
from toolmem.core.shell.operations import (
    CHANGE,
    DELETE,
    NOTHING,
    READ,
    Use,
    start_uses,
    uses_of,
)
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import SimpleCommand, Word, has_gap
from toolmem.core.shell.wrappers import is_ordinary
from toolmem.core.text.patches import patch_paths

_NO_FILES = frozenset(("echo", "printf"))
_PATTERN_FIRST = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "jq"))
_PATTERN_FILES = frozenset(("-f", "--file"))
_TEXT_OPTIONS = frozenset(("-m", "--message", "-e", "--regexp", "--title", "--body"))
_FOLDER_OPTIONS = {
    "git": ("-C",), "sudo": ("-D", "--chdir"), "env": ("-C", "--chdir"),
    "make": ("-C", "--directory"),
    **dict.fromkeys(("tar", "bsdtar", "gtar"), ("-C", "--directory")),
    "npm": ("-C", "--prefix"), "pnpm": ("-C", "--dir"), "yarn": ("--cwd",),
    "cargo": ("-C",), "go": ("-C",), "uv": ("--directory", "--project"),
    "patch": ("-d", "--directory"),
}  # fmt: skip
_LISTS = frozenset(("xargs", "parallel"))


def files_by_command(
    commands: tuple[SimpleCommand, ...], *, cwd: str, home: str
) -> tuple[tuple[FileUse, ...], ...]:
    """Return the files that each command may name.

    ``cd DIR`` applies to the commands after it; file globs are gaps.
    """
    by_command = []
    listed = SimpleCommand(())
    folders = folders_of(commands, cwd=cwd, home=home)
    for at, (command, folder) in enumerate(zip(commands, folders, strict=True)):
        by_command.append(tuple(_files(command, folder, listed)))
        if at and command.argv and program_name(command.argv[0].text) in _LISTS:
            listed = commands[at - 1]
    return tuple(by_command)


def folders_of(
    commands: tuple[SimpleCommand, ...], *, cwd: str, home: str
) -> tuple[str, ...]:
    """The folder that each command works in."""
    folders = []
    wrapped: dict[str, str] = {}
    for command in commands:
        folder = _inside(command, cwd, home)
        name = program_name(command.argv[0].text) if command.argv else ""
        if folder != cwd:
            wrapped[name] = folder
        folders.append(next((wrapped[n] for n in command.via if n in wrapped), folder))
        cwd = moved(command, cwd, home)
    return tuple(folders)


def _inside(command: SimpleCommand, cwd: str, home: str) -> str:
    """Return the folder that an option sets for a command, or for what it runs."""
    texts = [word.text for word in command.argv]
    names = _FOLDER_OPTIONS.get(program_name(texts[0]) if texts else "", ())
    named = next(filter(None, (option(texts, name) for name in names)), "")
    return cwd if has_gap(named) else resolve(named or ".", cwd=cwd, home=home)


def moved(command: SimpleCommand, cwd: str, home: str) -> str:
    """Return the folder that the commands after one work in."""
    texts = [word.text for word in command.argv]
    if texts[:1] not in (["cd"], ["pushd"]):
        return cwd
    target = next((text for text in texts[1:] if not text.startswith("-")), "~")
    return cwd if has_gap(target) else resolve(target, cwd=cwd, home=home)


def _files(
    command: SimpleCommand, folder: str, listed: SimpleCommand
) -> Iterator[FileUse]:
    for word in _emptied(command):
        yield FileUse(_shape(word), folder, DELETE, unsure=True)
    for redirect in command.redirects:
        operations = READ if redirect.operator == "<" else CHANGE
        yield FileUse(_shape(redirect.target), folder, operations)
    for path, operations in patch_paths(command.stdin).operations:
        yield FileUse(path, folder, operations)
    words = command.argv
    name = program_name(words[0].text) if words else ""
    if name in _NO_FILES:
        return
    yield from _operands(command, folder, name)
    if _LISTS & set(command.via):
        yield from _listed(command, folder, listed)


def outputs_of(command: SimpleCommand) -> frozenset[str]:
    """Return the files that a command writes what it prints or loads to, as written."""
    texts = [word.text for word in command.argv]
    words = [r.target for r in command.redirects if ">" in r.operator]
    words += [use.word for use in uses_of(command) if use.operations & CHANGE]
    outputs = {word.text.removeprefix("./") for word in words}
    addresses = (text for text in texts if "://" in text)
    return frozenset(outputs | {text.rpartition("/")[2] for text in addresses})


def _operands(command: SimpleCommand, folder: str, name: str) -> Iterator[FileUse]:
    """Yield the files among the words of a command; a program of unknown kind may
    change them."""
    words = command.argv
    uses = _united(command)
    unknown = words[1:] if name and not is_ordinary(name) else ()
    for word in _named(words, name):
        use = uses.pop(id(word), None) or Use(word, _of_option(word, name))
        for text in _readings(_shape(word)):
            yield FileUse(text, folder, *use[1:])
    for word in unknown:
        for text in _readings(_shape(word)):
            yield FileUse(text, folder, CHANGE, unsure=True)
    own = set(map(id, words))
    for use in uses.values():
        if id(use.word) not in own:
            yield FileUse(_shape(use.word), folder, *use[1:])


def _emptied(command: SimpleCommand) -> Iterator[Word]:
    """Yield the files that a command empties."""
    texts = [word.text for word in command.argv]
    if texts in ([], [":"], ["true"], ["cat", "/dev/null"], ["echo", "-n"]):
        yield from (r.target for r in command.redirects if r.operator in (">", ">|"))
    elif texts[0] == "truncate" or texts[:2] == ["cp", "/dev/null"]:
        yield from command.argv[1:]


def _united(command: SimpleCommand) -> dict[int, Use]:
    """Merge several uses of the same word."""
    uses: dict[int, Use] = {}
    for use in uses_of(command):
        known = uses.get(id(use.word), use)
        uses[id(use.word)] = Use(
            use.word,
            use.operations | known.operations,
            use.tree or known.tree,
            use.unsure and known.unsure,
        )
    return uses


def _of_option(word: Word, name: str) -> frozenset[str]:
    """Return how the file in ``--env-file=.env`` is used."""
    return READ if word.text.startswith("-") and name != "git" else NOTHING


def _listed(
    command: SimpleCommand, folder: str, listed: SimpleCommand
) -> Iterator[FileUse]:
    """Yield files that the command before ``xargs`` lists, with the use by the command
    that xargs runs."""
    probe = Word("_listed")
    trial = command._replace(argv=(*command.argv, probe))
    for use in uses_of(trial):
        if use.word is probe:
            for found in start_uses(listed, use.operations):
                yield FileUse(_shape(found.word), folder, *found[1:])


def _named(words: tuple[Word, ...], name: str) -> Iterator[Word]:
    """Yield the words that may name a file; not a search pattern or message."""
    pattern = name in _PATTERN_FIRST
    before = ""
    for word in words:
        option = word.text.startswith("-")
        first = pattern and word is not words[0] and not option
        pattern = pattern and not first
        if not (before in _TEXT_OPTIONS or (first and before not in _PATTERN_FILES)):
            yield word
        before = word.text


def _shape(word: Word) -> str:
    return word.shape or word.text


def _readings(text: str) -> Iterator[str]:
    """Yield a word, and the files in ``--file=F``, ``-fF``, ``@F`` and ``F:G``."""
    yield text
    if "=" in text:
        yield text.partition("=")[2].removeprefix("@")
    if text[:1] == "@":
        yield text[1:]
    elif text[:1] == "-" and text[2:3] in ("/", "~", "."):
        yield text[2:]
    if ":" in text and "://" not in text:
        yield from (p for p in text.split(":") if "/" in p or "." in p)


def code_files(code: str, folder: str) -> Iterator[FileUse]:
    """Yield the files that a program may use."""
    operations = code_operations(code)
    tree = uses_trees(code)
    for word in loose_words(joined(code)):
        whole = tree and len(word.strip("/.~")) > 1
        yield FileUse(word, folder, operations, tree=whole, unsure=True)
