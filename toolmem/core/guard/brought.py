"""Files that a command brings: out of patches, archives and other folders."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.guard.calls import FileUse, ToolCall
from toolmem.core.guard.files import folders_of
from toolmem.core.guard.searches import option
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.operations import CHANGE
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import PIPES, SimpleCommand, has_gap
from toolmem.core.text.patches import patch_paths

COPIERS = frozenset(("cp", "rsync", "scp"))
"""Programs that copy whole folders."""
_TARS = ("tar", "bsdtar", "gtar")
_SEVEN = ("7z", "7za", "7zr", "7zz", "unrar")
_ONLY_LISTS = frozenset(("-l", "-t", "-p", "-Z", "-z", "-v"))
_PRINTERS = frozenset(
    ("cat", "zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "gunzip", "gzip", "xz", "pv")
)
"""Programs that print their files as they are or unpacked."""
_WHOLE = ("", ".", "..")
_HEADER = re.compile(
    r"^(?:diff --git (?:a/)?(\S+) (?:b/)?(\S+)|rename (?:from|to) (.+))$", re.MULTILINE
)
"""Files of a patch that need no lines of it: renamed, empty or binary ones."""


def brought_files(
    commands: tuple[SimpleCommand, ...], call: ToolCall
) -> Iterator[FileUse]:
    """Yield the files in the patches that the commands of a text apply, in the archives
    that they unpack and in the folders that they copy.

    The first folders of a path in a patch may be stripped: every end of it counts.
    """
    folders = folders_of(commands, cwd=call.folder, home=call.home)
    text = Brought(commands, call, folders)
    for at, base in enumerate(folders):
        for folder, names in text.unpacked(at):
            if f"{folder}/".startswith(f"{call.cwd}/"):
                yield from (FileUse(name, folder, CHANGE) for name in names or ())
        words = [word.text for word in commands[at].argv]
        prefix = option(words, "--directory") if words[:1] == ["git"] else ""
        folder = resolve(prefix, cwd=base, home=call.home)
        for patch in text.patches(at) or ():
            headers = [path for row in _HEADER.findall(patch) for path in row if path]
            named = [*patch_paths(patch).operations, *((h, CHANGE) for h in headers)]
            for path, operations in dict.fromkeys(named):
                parts = path.split("/")
                for start in range(len(parts)):
                    yield FileUse("/".join(parts[start:]), folder, operations)


class Brought:
    """What the commands of a text bring, each in the folder that it works in."""

    def __init__(
        self,
        commands: tuple[SimpleCommand, ...],
        call: ToolCall,
        folders: Sequence[str],
    ) -> None:
        self.commands = commands
        self.call = call
        self.folders = folders

    def unpacked(self, at: int) -> Iterator[tuple[str, Sequence[str] | None]]:
        """Yield folders and the paths that are brought there; None if unknown."""
        command = self.commands[at]
        name = program_name(command.argv[0].text) if command.argv else ""
        if name in COPIERS:
            for source, target in _copied(command):
                yield self._resolve(target, at), self._below(self._resolve(source, at))
        unpacking = _unpacking(command)
        if unpacking:
            target = self._resolve(unpacking.target, at)
            yield target, self._members(unpacking, at)

    def _members(self, unpacking: "_Unpacking", at: int) -> Sequence[str] | None:
        named = [unpacking.archive] if unpacking.archive != "-" else self._input(at)
        if not self.call.members or len(named) != 1 or has_gap(named[0]):
            return None
        names = self.call.members(self._resolve(named[0], at))
        if names is None or unpacking.stripped is None:
            return None
        return ["/".join(name.split("/")[unpacking.stripped :]) for name in names]

    def _input(self, at: int) -> list[str]:
        """Return the files whose content a command gets as its input, if known."""
        command = self.commands[at]
        named = [
            redirect.target.text
            for redirect in command.redirects
            if redirect.operator == "<"
        ]
        if not named and at and command.operator in PIPES:
            before = [word.text for word in self.commands[at - 1].argv]
            if before and program_name(before[0]) in _PRINTERS:
                named = [text for text in before[1:] if not text.startswith("-")]
        return named

    def _below(self, folder: str) -> Sequence[str] | None:
        """Return the paths below a folder; None if it is unknown or has too many."""
        names = self.call.names(folder) if self.call.names else None
        if names is None or has_gap(folder):
            return None
        waiting = list(names)
        paths: list[str] = []
        while waiting and len(paths) < limits.SHELL_LISTED:
            path = waiting.pop()
            paths.append(path)
            more = self.call.names(f"{folder}/{path}") if self.call.names else ()
            waiting += [f"{path}/{name}" for name in more or ()]
        return None if waiting else paths

    def patches(self, at: int) -> list[str] | None:
        """Return the patches that a command applies; None if it applies none.

        One that cannot be read is empty.
        """
        command = self.commands[at]
        texts = [word.text for word in command.argv]
        name = program_name(texts[0]) if texts else ""
        verb = next((text for text in texts[1:] if text in ("apply", "am")), "")
        if name != "patch" and not (name == "git" and verb):
            return None
        if {"--check", "--stat", "--numstat", "--summary", "--dry-run"} & set(texts):
            return None
        operands = [text for text in texts[1:] if not text.startswith("-")]
        named = operands[operands.index(verb) + 1 :] if verb else operands[1:2]
        named += [value for key in ("-i", "--input") if (value := option(texts, key))]
        named = named or self._input(at)
        texts = [command.stdin] if patch_paths(command.stdin).operations else []
        texts += [self._read(name, at) for name in named]
        return texts or [""]

    def is_from_git(self, at: int) -> bool:
        """Return whether git prints the input of a command, from what it has."""
        if not at or self.commands[at].operator not in PIPES:
            return False
        texts = [word.text for word in self.commands[at - 1].argv]
        is_git = bool(texts) and program_name(texts[0]) == "git"
        return is_git and "--no-index" not in texts

    def _read(self, name: str, at: int) -> str:
        if not self.call.read or has_gap(name):
            return ""
        return self.call.read(self._resolve(name, at))

    def _resolve(self, text: str, at: int) -> str:
        return resolve(text, cwd=self.folders[at], home=self.call.home)


def _copied(command: SimpleCommand) -> Iterator[tuple[str, str]]:
    """Yield the folders that are copied with their content, and where to."""
    words = [word for word in command.argv[1:] if not word.text.startswith("-")]
    flags = [word.text for word in command.argv[1:] if word.text.startswith("-")]
    if not any(re.match(r"-\w*[raR]|--rec|--arc", flag) for flag in flags):
        return
    for source in words[:-1]:
        name = (source.shape or source.text).rpartition("/")[2]
        whole = name in _WHOLE or has_gap(name)
        yield source.text, words[-1].text if whole else f"{words[-1].text}/{name}"


class _Unpacking(NamedTuple):
    """Unpacking of an archive (``-``: the input of the command).

    ``stripped`` is how many parts its paths lose; None if they are changed otherwise.
    """

    archive: str
    target: str = "."
    stripped: int | None = 0


def _unpacking(command: SimpleCommand) -> _Unpacking | None:
    """Return what a command unpacks, None if nothing."""
    texts = [word.text for word in command.argv]
    name = program_name(texts[0]) if texts else ""
    operands = [text for text in texts[1:] if not text.startswith("-")] + ["-"]
    flags = {text for text in texts if text.startswith("-")}
    if name in _TARS and _extracts(texts[1:]):
        return _of_tar(command)
    if name == "unzip" and not _ONLY_LISTS & flags:
        flat = None if "-j" in flags else 0
        return _Unpacking(operands[0], option(texts, "-d") or ".", flat)
    if name in _SEVEN and operands[0] in ("x", "e"):
        flat = None if operands[0] == "e" else 0
        target = operands[2] if name == "unrar" and len(operands) > 3 else "."
        return _Unpacking(operands[1], option(texts, "-o") or target, flat)
    if name == "unar":
        return _Unpacking(operands[0], option(texts, "-o") or ".")
    if name == "jar" and "x" in "".join(texts[1:2]):
        return _Unpacking(operands["x" in operands[0]])
    if name == "cpio" and any(re.match(r"-[a-z]*i|--extract", flag) for flag in flags):
        return _Unpacking("", option(texts, "-D") or ".")
    if name.startswith("python") and texts[1:2] == ["-m"] and len(texts) > 4:
        module, action, archive, *rest = texts[2:]
        if module in ("zipfile", "tarfile") and action in ("-e", "--extract"):
            return _Unpacking(archive, "".join(rest[:1]) or ".")
    return None


def _of_tar(command: SimpleCommand) -> _Unpacking:
    flags = take_apart(command.argv, "tar").flags
    strips = [value for key in flags if key[:7] == "--strip" for value in flags[key]]
    stripped = "".join(strips) or "0"
    renames = {"--transform", "--xform", "-s"} & flags.keys()
    return _Unpacking(
        "".join(flags.get("--file", ())) or "-",
        "".join(flags.get("--one-top-level", ())) or ".",
        int(stripped) if stripped.isdecimal() and not renames else None,
    )


def _extracts(texts: Sequence[str]) -> bool:
    first = texts[0] if texts else ""
    short = [t for t in (first, *texts) if t[:1] != "-" or t[1:2] != "-"]
    bundles = [first, *(text for text in short if text[:1] == "-")]
    return any("x" in text for text in bundles) or bool(
        {"--extract", "--get"} & set(texts)
    )
