"""Files that a shell text may change although it does not name them.

The names come from a search, a list or a variable, or are in an archive. A search
reaches what its filters let through, a list what is in it, an unknown beginning any
folder above. An archive, a patch or a folder that is copied reaches what is in it; one
that cannot be read everything below the folder that it is unpacked in.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.guard.brought import COPIERS, Brought
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.files import folders_of
from toolmem.core.guard.searches import Search, option, search_of
from toolmem.core.patterns.paths import is_anchored, resolve
from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.operations import (
    CHANGE,
    DELETE,
    FORMATTERS,
    READ,
    RESTORE,
    Use,
    restores_all,
    uses_of,
    writes_in_place,
)
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import (
    GAP,
    PIPES,
    PLAIN_GAP,
    UNSEEN_PIPE,
    SimpleCommand,
    Word,
    has_gap,
)

_HANDING = frozenset(("find", "fd", "fdfind", "xargs", "parallel"))
"""Programs that run others with names that they found or read."""
_READERS = frozenset(("cat", "head", "tail", "sort", "uniq", "tac", "shuf", "cut"))
"""Programs that print what is in their files."""
_LISTERS = frozenset(("ls", "tree", "du"))
_PATTERN_FIRST = frozenset(("rg", "ag", "grep", "egrep", "fgrep"))
"""Those that search for a pattern; without a folder, in this one."""
_WITH_VERB = frozenset(
    ("biome", "cargo", "dart", "dprint", "go", "mix", "ruff", "sqlfluff", "terraform")
)
_LANGUAGES = {
    **dict.fromkeys(
        ("autoflake", "autopep8", "black", "isort", "pyupgrade", "ruff"), "py pyi ipynb"
    ),
    **dict.fromkeys(("go", "gofmt", "gofumpt", "goimports"), "go"),
    "cargo": "rs", "dart": "dart", "ktlint": "kt kts", "mix": "ex exs heex",
    "rubocop": "rb", "shfmt": "sh bash", "sqlfluff": "sql", "swiftformat": "swift",
    "terraform": "tf tfvars hcl",
}  # fmt: skip
"""Files that formatters of one language write."""
_PLAIN_PRINTERS = frozenset(
    """awk basename date dirname docker echo for grep hostname id jq kubectl lsof mktemp
    nproc paste pgrep pidof printf pwd read realpath sed seq tee tr uname wc which while
    whoami xargs""".split()
)
"""Programs that print no names of files but those that they are handed, if any."""
_EVERYTHING = "/"
_UNKNOWN = re.compile(f"[{GAP}{PLAIN_GAP}]")
"""A part that may have slashes in it; that of a file glob has none."""


class Reach(NamedTuple):
    """Files that a command may change, by the absolute path of a folder or file.

    ``globs`` are those that their paths fit, ``paths`` the only ones that are meant.
    ``into``: something unreadable is brought there. ``guess``: nothing is known of the
    names. ``operations`` is the use of the files.
    """

    path: str
    globs: tuple[str, ...] = ()
    tree: bool = True
    operations: frozenset[str] = CHANGE
    paths: frozenset[str] = frozenset()
    into: bool = False
    guess: bool = False


def reaches(commands: tuple[SimpleCommand, ...], call: ToolCall) -> Iterator[Reach]:
    """Yield what the commands of a text may change without naming it."""
    text = _Text(commands, call)
    for at in range(len(commands)):
        yield from text.brought(at)
        yield from text.searched(at)
        yield from text.unnamed(at)


class _Text:
    """The commands of a shell text, and the folder that each works in."""

    def __init__(self, commands: tuple[SimpleCommand, ...], call: ToolCall) -> None:
        self.commands = commands
        self.call = call
        self.folders = folders_of(commands, cwd=call.folder, home=call.home)
        self._brought = Brought(commands, call, self.folders)
        self._names: tuple[Reach, ...] | None = None
        self._known: set[tuple[str, str]] = set()

    def brought(self, at: int) -> Iterator[Reach]:
        """Yield the folders that something unreadable is brought into."""
        texts = [word.text for word in self.commands[at].argv]
        for to, names in self._brought.unpacked(at):
            paths = (resolve(name, cwd=to, home="") for name in names or ())
            if names is None:
                copies = program_name(texts[0]) in COPIERS
                yield Reach(to, into=not copies)
            elif names:
                yield Reach(to, paths=frozenset(path.casefold() for path in paths))
        if "" in (self._brought.patches(at) or ()):
            target = option(texts, "--directory") or "."
            prefix = target if program_name(texts[0]) == "git" else "."
            uses = RESTORE if self._brought.is_from_git(at) else CHANGE
            yield Reach(self._resolve(prefix, at), into=True, operations=uses)

    def searched(self, at: int) -> Iterator[Reach]:
        """Yield what ``find -delete`` deletes."""
        command = self.commands[at]
        if any(word.text == "-delete" for word in command.argv):
            search = search_of(command)
            for reach in self._found(search, at) if search else ():
                yield reach._replace(operations=DELETE)
        yield from self._formatted(at)
        if restores_all(command.argv):
            root = self.call.cwd or self.folders[at]
            yield Reach(root, operations=RESTORE)

    def _formatted(self, at: int) -> Iterator[Reach]:
        """Yield the folders below which a formatter writes files."""
        texts = [word.text for word in self.commands[at].argv]
        name = program_name(texts[0]) if texts else ""
        if name in FORMATTERS and writes_in_place(name, texts[1:]):
            named = [text for text in texts[1:] if not text.startswith("-")]
            verbs = named[:1] if name in _WITH_VERB else []
            unknown = any(map(has_gap, named))
            for text in () if unknown else named[len(verbs) :] or ["."]:
                globs = tuple(f"*.{end}" for end in _LANGUAGES.get(name, "").split())
                yield Reach(self._resolve(text.removesuffix("/..."), at), globs)

    def unnamed(self, at: int) -> Iterator[Reach]:
        """Yield what unknown names may be in a command that changes files."""
        for use in _changed(self.commands[at]):
            for reach in self._meant(use, at):
                yield reach._replace(operations=use.operations)

    def _meant(self, use: Use, at: int) -> Iterator[Reach]:
        shape = _shape(use.word)
        known, *rest = _UNKNOWN.split(shape)
        if rest and not known:
            yield from self._unknown(rest[-1], at)
            if use.operations >= DELETE and not rest[-1].startswith("/"):
                yield from self._guessed(rest[-1], at)
        elif rest:
            folder, _, name = known.rpartition("/")
            start = self._resolve(folder or ("/" if known[0] == "/" else "."), at)
            named = f"{start}/{name}*{rest[-1]}"
            yield Reach(start, (named,) if name or rest[-1] else ())
        elif has_gap(shape):
            yield Reach(self._resolve(shape, at), tree=use.tree)

    def _unknown(self, tail: str, at: int) -> Iterator[Reach]:
        """Yield what a word with an unknown beginning may be: with ``/`` after it the
        name below any folder above, else what other commands print."""
        folder = self.folders[at]
        if (folder, tail) in self._known:
            return
        self._known.add((folder, tail))
        if tail.startswith("/"):
            parts = folder.split("/")
            above = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
            yield from (
                Reach(resolve(parent + tail, cwd="", home="")) for parent in above
            )
            return
        if self._names is None:
            self._names = tuple(self._printed())
        for reach in self._names:
            yield reach._replace(globs=reach.globs or ((f"*{tail}",) if tail else ()))

    def _guessed(self, tail: str, at: int) -> Iterator[Reach]:
        """Yield all below the folder of a command if names come from nowhere that is
        seen, or from a program of which it is not known what it prints."""
        sources = [
            n
            for n, command in enumerate(self.commands)
            if self._is_used(n)
            or search_of(command)
            or any(True for _ in _lists(command))
        ]
        if not sources or any(map(self._is_unread, sources)):
            globs = (f"*{tail}",) if tail else ()
            yield Reach(self.folders[at], globs, guess=True)

    def _is_unread(self, at: int) -> bool:
        """Return whether it is not known what the output of a command may name."""
        command = self.commands[at]
        name = program_name(command.argv[0].text) if command.argv else ""
        read = _READERS | _LISTERS | _PATTERN_FIRST | _PLAIN_PRINTERS
        is_read = name in read or name == "git" or search_of(command) is not None
        return not is_read and not any(True for _ in _lists(command))

    def _printed(self) -> Iterator[Reach]:
        """Yield the files that the commands whose output is used may print."""
        for at, command in enumerate(self.commands):
            search = search_of(command)
            if search:
                yield from self._found(search, at)
            elif self._is_used(at):
                yield from self._listed(at)
            for name in _lists(command):
                yield from self._in_list(name, at)

    def _is_used(self, at: int) -> bool:
        command = self.commands[at]
        if command.substituted or (command.argv and command.argv[0].text == "for"):
            return True
        after = self.commands[at + 1 : at + 2]
        return any(later.operator in PIPES for later in after)

    def _listed(self, at: int) -> Iterator[Reach]:
        command = self.commands[at]
        name = program_name(command.argv[0].text) if command.argv else ""
        words = [word for word in command.argv[1:] if not word.text.startswith("-")]
        texts = [word.text for word in command.argv]
        listing = ("ls-files", "grep", "diff", "status", "ls-tree")
        if name == "git" and words and words[0].text in listing:
            globs = tuple(
                f"{self._resolve(pathspec, at)}*" for pathspec in _pathspecs(command)
            )
            yield Reach(self.folders[at], globs)
            return
        if name in _PATTERN_FIRST and not {"-e", "--files", "-f"} & set(texts):
            words = words[1:]
        for word in words:
            if name in _READERS:
                yield from self._in_list(word.text, at)
            elif not _is_unknown(_shape(word)):
                include = option(texts, "--include")
                globs = (f"*/{include}",) if include else ()
                yield Reach(self._resolve(_shape(word), at), globs)
        if name in _LISTERS | _PATTERN_FIRST and not words:
            yield Reach(self.folders[at])

    def _in_list(self, name: str, at: int) -> Iterator[Reach]:
        """Yield the files that a list names; every file if it cannot be read."""
        if name == UNSEEN_PIPE or self._is_written(name):
            return
        lines = dict.fromkeys(self._read(name, at).replace("\0", "\n").split())
        if not 0 < len(lines) <= limits.SHELL_LISTED:
            yield Reach(_EVERYTHING)
            return
        for line in lines:
            yield Reach(self._resolve(line, at))

    def _found(self, search: Search, at: int) -> Iterator[Reach]:
        for start in search.starts:
            path = self._resolve(start, at)
            globs = tuple(_absolute(glob, start, path) for glob in search.globs)
            yield Reach(path, globs)

    def _is_written(self, name: str) -> bool:
        """Return whether the text itself writes the list: of what it prints."""
        written = (
            redirect.target.text
            for command in self.commands
            for redirect in command.redirects
            if ">" in redirect.operator
        )
        return name in written

    def _read(self, name: str, at: int) -> str:
        if not self.call.read or has_gap(name):
            return ""
        return self.call.read(self._resolve(name, at))

    def _resolve(self, text: str, at: int) -> str:
        return resolve(text, cwd=self.folders[at], home=self.call.home)


def _changed(command: SimpleCommand) -> Iterator[Use]:
    """Yield the uses that change files; of a program that is handed names, of those."""
    for redirect in command.redirects:
        if ">" in redirect.operator:
            yield Use(redirect.target, CHANGE)
    if not command.argv:
        return
    named = any(has_gap(w.text) or "{}" in w.text for w in command.argv[1:])
    if _HANDING & set(command.via) and not named:
        command = command._replace(argv=(*command.argv, Word(GAP, many=True)))
    yield from (use for use in uses_of(command) if not use.operations <= READ)


def _shape(word: Word) -> str:
    """Return a word without what adds nothing, its unknown parts as gaps."""
    text = (word.shape or word.text).replace("{}", GAP)
    return text.removeprefix("./")


def _is_unknown(shape: str) -> bool:
    return bool(_UNKNOWN.match(shape))


def _lists(command: SimpleCommand) -> Iterator[str]:
    """Yield the files that a command or a loop reads names from."""
    texts = [word.text for word in command.argv]
    for redirect in command.redirects:
        if redirect.operator == "<":
            yield redirect.target.text
    if texts and program_name(texts[0]) in ("xargs", "parallel"):
        named = option(texts, "-a") or option(texts, "--arg-file")
        if named:
            yield named


def _absolute(glob: str, start: str, path: str) -> str:
    """Return a search's filter for absolute paths."""
    if is_anchored(glob) or glob.startswith("*"):
        return glob
    return path + glob.removeprefix(start) if glob.startswith(start) else f"*/{glob}"


def _pathspecs(command: SimpleCommand) -> Iterator[str]:
    """Yield the globs of a listing by git; ``*`` also matches ``/``.

    Without ``--``, operands of ``git diff`` may be revisions.
    """
    texts = [word.text for word in command.argv]
    if "--" in texts:
        yield from texts[texts.index("--") + 1 :]
        return
    call = take_apart(command.argv)
    verb, *operands = [operand.text for operand in call.operands if not operand.after]
    if verb == "diff":
        return
    has_pattern = verb == "grep" and not {"-e", "-f"} & call.spelled.keys()
    yield from operands[has_pattern:]
