"""Undo what a capture, an agent or a deletion did to rules, newest first.

Local state has what capture, ``rule keep``, ``rule retract`` and ``rule delete`` did.
Rules that were deleted in another way are in git, committed or not.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.core.times import rfc3339
from toolmem.errors import InvalidFileError, NotFoundError, UsageError
from toolmem.ops.history.diff import start_of
from toolmem.ops.memories.restore import archived_files, restore
from toolmem.ops.rules.listing import every_file
from toolmem.store.files import layout, lock
from toolmem.store.files.walk import kind_of
from toolmem.store.git.diff import History
from toolmem.store.git.log import steps as commits
from toolmem.store.git.repo import Repo
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.undo_steps import (
    StoredStep,
    file_text,
    mark_undone,
    stored_steps,
)
from toolmem.store.vault import worktree
from toolmem.store.vault.rule_writer import create_file, delete_file, replace_file
from toolmem.store.vault.vault import Vault

_COMMITS = 100
"""Newest commits of the vault that are searched for deleted rules."""


class UndoStep(NamedTuple):
    """A step that can be undone: its files, and the id by which it is chosen."""

    id: str
    at: str
    action: str
    rule: str
    files: tuple[StoredStep, ...]

    @property
    def line(self) -> str:
        """The step in words."""
        return f"{self.action} “{self.rule}”"


def undo_steps(vault: Vault, most: int = 10) -> tuple[UndoStep, ...]:
    """Return the newest steps that can be undone, newest first."""
    stored: tuple[StoredStep, ...] = ()
    if has_state(vault.root):
        with open_state(vault.root) as state:
            stored = stored_steps(state)
    grouped = groupby(
        (step for step in stored if not step.undone),
        lambda step: (step.at, step.action, step.rule),
    )
    steps = [
        _step(at, action, rule, tuple(files)) for (at, action, rule), files in grouped
    ]
    known = {step.path for step in stored if bool(step.before) == step.undone} | {
        step.path for step in stored if step.action == "retracted"
    }
    steps += _deleted_in_git(vault, known)
    return tuple(sorted(steps, key=lambda step: step.at, reverse=True)[:most])


def undo(vault: Vault, step: UndoStep) -> None:
    """Put back the files of a step; durable when it returns.

    Raises ``NotFoundError`` for a file that has changed since.
    """
    vault.require_writable()
    for file in step.files:
        if file_text(vault, file.path) != file.after:
            raise NotFoundError(_changed(step, file))
    for file in step.files:
        _put_back(vault.fresh(), file)
    if has_state(vault.root):
        with open_state(vault.root) as state:
            for file in step.files:
                mark_undone(state, file.number)


def require_person(vault: Vault) -> None:
    """Raise ``UsageError`` where an agent is named: it may not undo anything."""
    if vault.setting("agent"):
        raise UsageError("only a person can undo changes of rules")


def _changed(step: UndoStep, file: StoredStep) -> str:
    if file.after:
        way = f"`toolmem rule delete {step.id}` deletes it"
        return f"{file.path} has changed since: {way}"
    return f"{file.path} is there again: delete it first"


def _put_back(vault: Vault, stored: StoredStep) -> None:
    archived = {file.path for file in archived_files(vault)}
    if stored.before and not stored.after and layout.archived(stored.path) in archived:
        restore(vault, stored.path)
        return
    with lock.hold(vault.root):
        if not stored.before:
            delete_file(vault, stored.path)
        elif stored.after:
            replace_file(
                vault, stored.path, stored.after.encode(), stored.before.encode()
            )
        else:
            create_file(vault, stored.path, stored.before)


def _step(at: str, action: str, rule: str, files: Sequence[StoredStep]) -> UndoStep:
    name = files[0].path.rpartition("-")[2].removesuffix(".toml")
    return UndoStep(name[: limits.ID_SHOWN], at, action, rule, tuple(files))


class _DeletedFile(NamedTuple):
    at: datetime
    path: str
    blob: str


def _deleted_in_git(vault: Vault, known: set[str]) -> Iterator[UndoStep]:
    """Yield the rules that git has and the vault has no longer, newest first."""
    repo = Repo.find(vault.root)
    if repo is None or vault.revision is not None:
        return
    with History(repo) as history:
        deleted = [
            gone for gone in _deleted_files(vault, history) if gone.path not in known
        ]
        if not deleted:
            return
        ids = {file.id for file in every_file(vault).files}
        ids |= {file.id for file in archived_files(vault)}
        texts = history.contents([gone.blob for gone in deleted])
        for gone in deleted:
            data = texts[gone.blob]
            scope = layout.scope_of(gone.path)
            if isinstance(data, str) or scope is None:
                continue
            text = data.decode("utf-8", "replace")
            try:
                file = parse_rule_file(
                    text, path=gone.path, scope=scope, folder_tool=""
                )
            except InvalidFileError:
                continue
            if file.id not in ids:
                ids.add(file.id)
                at, rule = rfc3339(gone.at), str(file.stated.get("rule", file.id))
                stored = (0, at, "deleted", rule, gone.path, text, "")
                yield _step(at, "deleted", rule, [StoredStep(*stored, undone=False)])


def _deleted_files(vault: Vault, history: History) -> Iterator[_DeletedFile]:
    start = start_of(history, "HEAD")
    if start is None:
        return
    for changed in worktree.differing(vault, history, start.tree):
        if changed.before and not changed.exists and kind_of(changed.path) == "rule":
            yield _DeletedFile(vault.now, changed.path, changed.before)
    for step in islice(commits(history.repo, _COMMITS), _COMMITS):
        for file in step.touched:
            if file.before and not file.after and kind_of(file.path) == "rule":
                yield _DeletedFile(step.commit.when, file.path, file.before)
