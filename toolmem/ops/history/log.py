"""The life of one rule, fact or memory; or of the whole vault, commit by commit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.changes.compare import Comparison
from toolmem.core.changes.message import subject
from toolmem.core.changes.model import Change, ChangeCount, ChangedItem
from toolmem.core.changes.summary import Counted, Tally, summary
from toolmem.core.model import Scope
from toolmem.core.visibility import Audience
from toolmem.errors import NotFoundError, UsageError
from toolmem.ops.history.diff import (
    changes_in,
    counted_file,
    items_in,
    repo_of,
    shown_to,
    uncommitted_changes,
)
from toolmem.store.files.layout import FACTS
from toolmem.store.files.tree import DiskTree
from toolmem.store.git.diff import History
from toolmem.store.git.log import CommitStep, steps
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.repo import Commit, Repo
from toolmem.store.vault.vault import Vault

_SHORT = 8
"""Characters of an id that the name of its file ends in, at least."""


class LogEntry(NamedTuple):
    """Changes of a commit; without a commit, the uncommitted changes.

    A commit of many files has no ``changes``: ``counts`` has their numbers.
    """

    commit: Commit | None
    changes: tuple[Change, ...]
    counts: tuple[ChangeCount, ...] = ()


def vault_log(vault: Vault, limit: int | None = None) -> Iterator[LogEntry]:
    """Yield the newest commits of the vault and what they changed, newest first.

    Raises ``NotFoundError`` where there is no git.
    """
    repo = repo_of(vault)
    if vault.audience is Audience.PERSON:
        return _entries(vault, repo, limit)
    # A commit without anything visible is not one of the newest.
    seen = (
        entry for entry in _entries(vault, repo, None) if entry.changes or entry.counts
    )
    return islice(seen, limit)


def _entries(vault: Vault, repo: Repo, limit: int | None) -> Iterator[LogEntry]:
    seen = _VisibleCommits(vault)
    with History(repo) as history:
        for step in steps(repo, limit):
            yield seen.summarised(history, step)


def life_of(vault: Vault, name: str, scope: Scope | None = None) -> list[LogEntry]:
    """Return the history of one item, newest first, through archive and moves.

    ``name`` is the id of a rule or memory, or its beginning, or ``key`` or
    ``namespace.key`` of a fact. Raises ``NotFoundError`` for what never was, and
    ``UsageError`` for a beginning that several share.
    """
    if not name:
        raise UsageError("the id of the rule, fact or memory is blank")
    repo = repo_of(vault)
    seen = _VisibleCommits(vault)
    with History(repo) as history:
        uncommitted = _uncommitted(vault, history, name)
        named = _file_names(uncommitted)
        for step in steps(repo):
            touched = [file for file in step.touched if _may_be(file, name, named)]
            if not touched:
                continue
            event = seen.event(history, step.commit, touched)
            named |= _file_names([LogEntry(None, tuple(_about(event.changes, name)))])
            uncommitted.append(event)
    return _chosen(uncommitted, name, scope)


class _VisibleCommits:
    """Commits as the vault's audience sees them."""

    def __init__(self, vault: Vault) -> None:
        self._root = vault.root
        self._shows = shown_to(vault)
        self._all = vault.audience is Audience.PERSON

    def summarised(self, history: History, step: CommitStep) -> LogEntry:
        """A commit and its changes, or only the number of files if there are many.

        To a person, files that are only counted are not read; an agent may not even
        know how many of them are private.
        """
        first = tuple(islice(step.touched, limits.LOG_FILES + 1))
        if len(first) <= limits.LOG_FILES:
            return self.event(history, step.commit, first)
        every = chain(first, step.touched)
        if self._all:
            return LogEntry(step.commit, (), summary(map(_counted, every)))
        tally = Tally()
        if first[0].others:
            changes: Iterable[Change] = self._changes(history, tuple(every))
        else:
            changes = self._each_change(history, every)
        for change in changes:
            tally.add(change)
        commit = replace(step.commit, subject=tally.subject() or step.commit.subject)
        return LogEntry(commit, (), tally.counts())

    def event(
        self, history: History, commit: Commit, touched: Sequence[ChangedFile]
    ) -> LogEntry:
        """A commit and its changes; a subject may name what is not shown."""
        changes = self._changes(history, touched)
        if not self._all and changes:
            commit = replace(commit, subject=subject(changes))
        return LogEntry(commit, changes)

    def _each_change(
        self, history: History, touched: Iterable[ChangedFile]
    ) -> Iterator[Change]:
        """Yield changes that are only counted: long texts are not kept."""
        comparison = Comparison()
        with DiskTree(self._root) as disk:
            for before, after in items_in(history, touched, disk):
                yield from comparison.of_file(
                    map(_without_text, filter(self._shows, before)),
                    map(_without_text, filter(self._shows, after)),
                )
        yield from comparison.of_the_rest()

    def _changes(
        self, history: History, touched: Sequence[ChangedFile]
    ) -> tuple[Change, ...]:
        """Return the changes of a commit; of a merge, what differs from all parents."""
        changes = changes_in(history, list(touched), self._shows)
        parents = max((len(file.others) for file in touched), default=0)
        for number in range(parents):
            others = [_from(file, number) for file in touched]
            compared = changes_in(history, others, self._shows)
            known = {_name(change) for change in compared}
            changes = tuple(change for change in changes if _name(change) in known)
        return changes


def _without_text(item: ChangedItem) -> ChangedItem:
    """Return an item with a hash in place of its text, if that may be long."""
    if item.kind not in ("memory", "text"):
        return item
    return item._replace(text=str(hash(item.text)))


def _counted(file: ChangedFile) -> Counted:
    return counted_file(file.path, file.before, bool(file.after))


def _from(file: ChangedFile, number: int) -> ChangedFile:
    return (
        file._replace(before=file.others[number]) if number < len(file.others) else file
    )


def _name(change: Change) -> tuple[str, str, str]:
    return change.item.kind, change.item.id, change.item.home


def _uncommitted(vault: Vault, history: History, name: str) -> list[LogEntry]:
    mine = tuple(_about(uncommitted_changes(vault, history), name))
    return [LogEntry(None, mine)] if mine else []


def _file_names(events: Iterable[LogEntry]) -> set[str]:
    """The names of files that are known to be about it: they do not change."""
    return {
        item.path.rpartition("/")[2]
        for event in events
        for change in event.changes
        for item in (change.before, change.after)
        if item is not None
    }


def _may_be(touched: ChangedFile, name: str, named: set[str]) -> bool:
    """Return whether a file may contain the item; most do not."""
    file = touched.path.rpartition("/")[2]
    stem = file.rpartition(".")[0]
    if file == FACTS:
        return True
    if file.endswith(".toml") and not stem[-_SHORT - 1 :].startswith("-"):
        return True  # written by hand: its name says nothing
    return file in named or stem.startswith(name) or name[:_SHORT] in stem


def _about(changes: Iterable[Change], name: str) -> list[Change]:
    about = [change for change in changes if _is_about(change, name)]
    exact = [change for change in about if change.item.id == name]
    return exact or about


def _is_about(change: Change, name: str) -> bool:
    item = change.item
    if item.kind == "fact":
        return name in (item.id, item.title, f"{item.id}@{item.scope}")
    return item.kind in ("rule", "memory") and item.id.startswith(name)


def _chosen(
    events: Sequence[LogEntry], name: str, scope: Scope | None
) -> list[LogEntry]:
    about = [LogEntry(e.commit, tuple(_about(e.changes, name))) for e in events]
    things = {(c.item.kind, c.item.id) for event in about for c in event.changes}
    exact = {thing for thing in things if thing[1] == name}
    chosen = exact or things
    if len(chosen) > 1 and {kind for kind, _ in chosen} != {"fact"}:
        names = ", ".join(sorted(name_of for _, name_of in chosen)[:5])
        raise UsageError(f"{name!r} is a prefix of several ids: {names}")
    entries = [
        LogEntry(
            event.commit,
            tuple(
                change
                for change in event.changes
                if (change.item.kind, change.item.id) in chosen
                and (scope is None or change.item.scope == scope)
            ),
        )
        for event in about
    ]
    entries = [event for event in entries if event.changes]
    if not entries:
        raise NotFoundError(f"git has no rule, fact or memory {name!r}")
    return entries
