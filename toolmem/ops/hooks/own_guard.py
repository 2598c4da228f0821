"""Calls that can weaken rules, hooks or trust: the person decides, in every mode."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from toolmem.core.access import weakening
from toolmem.core.agents.event import Event
from toolmem.core.guard import may_run, targets
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import SHELL_KEYS, shell_sources
from toolmem.core.guard.conditions import excerpt
from toolmem.core.guard.verdict import RuleForCall, judge
from toolmem.core.model import SYSTEM, Action, Priority
from toolmem.core.names import plain_key
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.operations import DELETE, MODE
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.rules.guard import GuardAnswer, read_call
from toolmem.store.files import layout
from toolmem.store.files.settings import home_folder, state_folder, user_file
from toolmem.store.files.tree import DiskTree
from toolmem.store.files.walk import guarding_files
from toolmem.store.vault.vault import Vault

_REASON = "only the user may weaken rules, hooks or trust"
_COMMANDS = Guard(Action.ASK, command=weakening.COMMANDS)
_DRIVERS = Guard(
    Action.ASK, command=(weakening.SETTINGS_PROGRAM,), contains=("toolmem",)
)
_LIBRARY = Guard(
    Action.ASK, command=(("python",),), regex=(r"\b(import|from)\s+toolmem\b",)
)
"""Calls of the library, which has every operation."""


def check_own(vault: Vault, event: Event) -> GuardAnswer:
    """Return ``ask`` for a call that can weaken what a person decided."""
    home = home_folder()
    reading = read_call(event.tool, event.input, cwd=event.cwd, home=home)
    sources = shell_sources(reading.call)
    named = (_DRIVERS, _LIBRARY) if "toolmem" in str(sources) else ()
    guards = (_COMMANDS, *named)
    verdict = judge(reading, [_rule(guards)])
    if verdict.verdict is Action.ALLOW:
        if sources and not any(map(may_run.may_change, sources)):
            # No shell text is parsed in vain.
            rest = {k: v for k, v in event.input.items() if not _is_shell(k)}
            reading = read_call(event.tool, rest, cwd=event.cwd, home=home)
        verdict = judge(reading, [_rule(_files(vault))])
    if verdict.verdict is Action.ASK:
        return GuardAnswer("ask", reason=f"{_REASON} ({verdict.reason})")
    reached = _reached(vault, reading, event.cwd)
    if reached:
        shown = f"it may change the file {excerpt(reached)}"
        return GuardAnswer("ask", reason=f"{_REASON} ({shown})")
    return GuardAnswer("allow")


def _reached(vault: Vault, reading: CallAnalysis, cwd: str) -> str:
    """Return a file that a call may change without naming it, "" without one."""
    folders = [
        reach
        for shell in reading.shells()
        for reach in shell.reaches()
        if not targets.is_restoring(reach)
    ]
    if not folders:
        return ""
    guarded = _targets(vault, cwd)
    return next(filter(None, map(guarded.within, folders)), "")


def _targets(vault: Vault, cwd: str) -> "targets.Targets":
    roots = [str(root) for each in vault.in_force for root in _roots(each.root)]
    files = [f"{root}/{path}" for root in roots for path in _guarding(root)]
    places = (Path(cwd), Path(home_folder()))
    settings = {
        place / name.removeprefix("~/")
        for name in weakening.agent_files(os.environ)
        for place in places
    }
    here = [file for file in (*settings, user_file(), state_folder()) if file.exists()]
    folders = {file.parent for file in here}.difference(places)
    return targets.Targets([*files, *map(str, here)], [*roots, *map(str, folders)])


def _is_shell(key: str) -> bool:
    return plain_key(str(key)) in SHELL_KEYS


def _rule(guards: Sequence[Guard]) -> RuleForCall:
    return RuleForCall("toolmem", _REASON, Priority.HIGH, SYSTEM, 0, tuple(guards))


def _files(vault: Vault) -> tuple[Guard, ...]:
    changes = (*DELETE, *MODE)
    settings = (
        *weakening.agent_files(os.environ),
        str(user_file()),
        str(state_folder()),
    )
    return (
        Guard(Action.ASK, path=settings, operation=changes),
        Guard(Action.ASK, path=tuple(_paths(vault)), operation=changes),
    )


def _paths(vault: Vault) -> Iterator[str]:
    for place in vault.in_force:
        scopes = tuple(map(layout.scope_folder, place.chain))
        for root in _roots(place.root):
            yield from weakening.vault_files(root, scopes)


def _guarding(root: str) -> list[str]:
    try:
        with DiskTree(Path(root)) as tree:
            return list(guarding_files(tree))
    except (InvalidFileError, StorageError):
        return [layout.SETTINGS]


def _roots(root: Path) -> Iterable[str]:
    return dict.fromkeys((str(root), os.path.realpath(root)))
