"""Effects of programs in other languages: commands they run, and uses of files."""

import re

from toolmem.core.shell.operations import CHANGE, DELETE, READ
from toolmem.core.shell.words import Word, fill_gaps

_RUNS = (
    r"(?i)system|exec|popen|spawn|process|command|`|qx|!|shell|\brun\b|\bcall\b|check_"
    r"|eval|\bsh\b|plumbum|fabric|invoke|pty|\|"
)
_TREES = r"rmtree|rm_rf|rimraf|recursive|remove_dir_all|\brm -\w*r"
_JOINS = r"(['\"])\s*[+.]\s*\1"
_FOLDERS = r"(['\"])\)?\s*/\s*\(?\1"
_CALLED = r"(['\"])\.(?=\w+\()"
_HOME = (
    r"(?:\$?ENV\{HOME\}|(?:ENV|environ)\[['\"]HOME['\"]\]|process\.env\.HOME"
    r"|\w*\.?homedir\(\)|(?:pathlib\.)?Path\.home\(\))(?:\s*[+/,]\s*['\"])?"
)
_CHANGES_CODE = (
    r"open\s*\([^)]*,\s*['\"]?(?:mode\s*=\s*['\"])?[wax+r]*[wax+]|>|\bwrite|\bdump\b"
    r"|\btruncate|\bcopy|\bsave|appendFile|createWriteStream|-i\b|\.put\b|touch\("
)
_DELETES_CODE = (
    r"unlink|rmtree|rmdir|\bremove|\brm\b|rmSync|\bdelete|\bmove\b|\brename|\breplace\("
)


def code_operations(code: str) -> frozenset[str]:
    """Return the possible uses of files by a program in another language."""
    found = READ
    if re.search(_DELETES_CODE, code):
        found |= DELETE
    return found | CHANGE if re.search(_CHANGES_CODE, code) else found


def runs_programs(code: str) -> bool:
    """Return True if a program may run another one; text that is not code may."""
    return re.search(_RUNS, code) is not None or not re.search(r"[(=;{\n]", code)


def joined(code: str) -> str:
    """Return the program with its string concatenations joined, the home folder as
    ``~``."""
    text = re.sub(_CALLED, r"\1 .", re.sub(_FOLDERS, "/", re.sub(_JOINS, "", code)))
    return re.sub(_HOME, "~/", text).replace("!", " ")


def uses_trees(code: str) -> bool:
    """Return True if a program may use whole folders."""
    return re.search(_TREES, code) is not None


_UNKNOWN = "${_unknown}"


class InnerCommand:
    """Code that a command runs in addition to itself.

    ``texts`` are shell texts, each with words that follow its last command; ``code`` is
    in another language, ``inert`` such code that runs no program; ``opaque`` describes
    code that cannot be seen. ``equals`` have the effect of the command. ``settings``
    are those of what it runs, except for the ``aliased`` ones.
    """

    __slots__ = (
        "aliased", "code", "commands", "equals", "inert", "opaque", "settings", "texts",
    )  # fmt: skip

    def __init__(self) -> None:
        self.commands: list[tuple[Word, ...]] = []
        self.equals: list[tuple[Word, ...]] = []
        self.texts: list[tuple[str, tuple[Word, ...]]] = []
        self.code: list[str] = []
        self.inert: list[str] = []
        self.opaque = ""
        self.settings: list[tuple[str, str]] = []
        self.aliased: frozenset[str] = frozenset()

    def add_code(self, programs: list[str]) -> None:
        """Add programs in another language."""
        for code in programs:
            (self.code if runs_programs(code) else self.inert).append(code)

    def run_text(self, text: str, tail: tuple[Word, ...] = ()) -> None:
        """Add a shell text; one that is completely unknown is opaque."""
        bare = fill_gaps(text, "")
        if not bare.strip() and bare != text:
            self.opaque = "a shell text that only the shell knows"
            return
        if not text:
            return
        self.texts.append((fill_gaps(text, _UNKNOWN), tail))
