"""Find files that a successful shell command certainly deleted or moved away.

Only a chain of plain commands joined by ``&&`` counts: had one failed, the whole would
have. Nothing is concluded from a glob, a variable, a pipe, or an ``rm -f`` of a file
that is not known to have existed.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from toolmem.core.guard.may_run import may_name
from toolmem.core.shell import steps as shell
from toolmem.core.transcript.probes import git_words

_IN_BACKGROUND = re.compile(r"(?<!&)&\s*\Z")
_VERBS = ("rm", "mv", "unlink")
_RESTORING = ("checkout", "restore", "reset", "stash", "revert", "switch")
_NO_DELETION = frozenset(("--cached", "--dry-run", "--interactive"))
_NO_MOVE = frozenset(("--target-directory", "--no-clobber", "--backup", "--dry-run"))


class DeletedPaths(NamedTuple):
    """Paths as the command names them, and the folder that they are relative to."""

    base: str
    deleted: tuple[str, ...]
    created: tuple[str, ...] = ()


def removed_files(
    command: str, had: Callable[[str, str], bool]
) -> tuple[DeletedPaths, ...]:
    """Return what a successful command deleted; ``had(path, base)`` is True for known
    files."""
    if not may_name(command, _VERBS):
        return ()
    steps = shell.shell_steps(command)
    if not steps.complete or {step.operator for step in steps.plain} - {"", "&&"}:
        return ()
    if _IN_BACKGROUND.search(command):
        return ()
    deletions: list[DeletedPaths] = []
    base = ""
    for step in steps.plain:
        still = (_still_gone(removed, step) for removed in deletions)
        deletions = [paths for paths in still if paths]
        if step.name in ("pushd", "popd"):
            break
        if step.name == "cd":
            if len(step.words) != 2 or not step.words[1].certain:
                break
            base = _entered(base, step.words[1].text)
            continue
        removed = _removed(step, base, had)
        if removed:
            deletions.append(removed)
    return tuple(deletions)


def _still_gone(removed: DeletedPaths, step: "shell.ShellStep") -> DeletedPaths | None:
    """Return what a later step certainly leaves deleted; git may restore all of it."""
    if git_words(step)[:1] and git_words(step)[0] in _RESTORING:
        return None
    if step.name in _VERBS or git_words(step)[:1] in (("rm",), ("mv",)):
        return removed
    named = {word.rpartition("/")[2] for word in step.arguments}
    left = tuple(p for p in removed.deleted if p.rpartition("/")[2] not in named)
    return removed._replace(deleted=left) if left else None


def _removed(
    step: "shell.ShellStep", base: str, had: Callable[[str, str], bool]
) -> DeletedPaths | None:
    subcommand = git_words(step)
    verb = step.name if step.name in _VERBS else ""
    words = step.arguments
    if subcommand[:1] in (("rm",), ("mv",)):
        verb, words = subcommand[0], subcommand[1:]
        if words != tuple(word.text for word in step.words[2:]):
            return None  # ``git -C elsewhere``: other paths
    if not verb or not all(word.certain for word in step.words):
        return None
    options, paths = _parted(words)
    if verb == "mv":
        return _moved(options, paths, base)
    if options & _NO_DELETION or _short(options) & set("inI") or not paths:
        return None
    forced = step.name == "rm" and ("--force" in options or "f" in _short(options))
    sure = [path for path in paths if not forced or had(path, base)]
    return DeletedPaths(base, tuple(sure)) if sure else None


def _short(options: frozenset[str]) -> set[str]:
    return {char for word in options if word[1:2] != "-" for char in word[1:]}


def _moved(options: frozenset[str], paths: list[str], base: str) -> DeletedPaths | None:
    """Return the source as deleted, and the target if it certainly is a file."""
    long = {option.partition("=")[0] for option in options}
    if long & _NO_MOVE or _short(options) & set("ntTibS") or len(paths) < 2:
        return None
    *sources, target = paths
    suffix = target.rpartition("/")[2].rpartition(".")[2]
    renamed = len(sources) == 1 and sources[0].endswith(f".{suffix}")
    return DeletedPaths(base, tuple(sources), (target,) if renamed else ())


def _parted(words: tuple[str, ...]) -> tuple[frozenset[str], list[str]]:
    options: set[str] = set()
    for number, word in enumerate(words):
        if word == "--":
            return frozenset(options), [*_paths(words[:number]), *words[number + 1 :]]
        if word.startswith("-"):
            options.add(word)
    return frozenset(options), _paths(words)


def _paths(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word and not word.startswith("-")]


def _entered(base: str, folder: str) -> str:
    if folder.startswith(("/", "~")) or not base:
        return folder
    return f"{base.rstrip('/')}/{folder}"
