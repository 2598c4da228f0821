"""Files that a command brings: out of patches, archives and other folders."""

import re
from collections.abc import Iterator, Sequence

from toolmem.core import limits
from toolmem.core.guard.calls import FileUse, ToolCall
from toolmem.core.guard.files import folders_of
from toolmem.core.guard.searches import option
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.operations import CHANGE
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import SimpleCommand, has_gap
from toolmem.core.text.patches import patch_paths

COPIERS = frozenset(("cp", "rsync", "scp"))
"""Programs that copy whole folders."""
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
        command, folder = self.commands[at], self.folders[at]
        texts = [word.text for word in command.argv]
        name = program_name(texts[0]) if texts else ""
        if name in COPIERS:
            for source, target in _copied(command):
                yield self._resolve(target, at), self._below(self._resolve(source, at))
        elif name == "tar" and _extracts(texts[1:]):
            named = take_apart(command.argv).flags.get("--file", ())
            yield folder, self._members("".join(named), at)
        elif name == "unzip" and not {"-l", "-t", "-p", "-Z"} & set(texts):
            operands = [text for text in texts[1:] if not text.startswith("-")]
            target = self._resolve(option(texts, "-d") or ".", at)
            yield target, self._members("".join(operands[:1]), at)

    def _members(self, name: str, at: int) -> Sequence[str] | None:
        readable = self.call.members and name not in ("", "-") and not has_gap(name)
        if not (readable and self.call.members):
            return None
        return self.call.members(self._resolve(name, at))

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
            waiting += [f"{path}/{one}" for one in more or ()]
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
        named += [one.target.text for one in command.redirects if one.operator == "<"]
        if not named and at and command.operator == "|":
            before = self.commands[at - 1].argv
            is_cat = bool(before) and program_name(before[0].text) == "cat"
            named = [word.text for word in before[1:]] if is_cat else []
        texts = [command.stdin] if patch_paths(command.stdin).operations else []
        texts += [self._read(name, at) for name in named]
        return texts or [""]

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


def _extracts(texts: Sequence[str]) -> bool:
    first = texts[0] if texts else ""
    short = [t for t in (first, *texts) if t[:1] != "-" or t[1:2] != "-"]
    bundles = [first, *(text for text in short if text[:1] == "-")]
    return any("x" in text for text in bundles) or bool(
        {"--extract", "--get"} & set(texts)
    )
