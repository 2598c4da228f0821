"""Sharing a vault: fetch, merge by meaning, check, push; and again if we were late.

What others pushed is merged into a commit that stays local until it is checked and
pushed; only then do the files here change. A conflict is the one thing that is put on
disk unpushed, valid and with the stricter side in effect, for a person to settle.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.changes.model import Change
from toolmem.core.merge.result import Conflict
from toolmem.core.model import Problem
from toolmem.core.shown import counted
from toolmem.errors import Arg, LockedError, NotFoundError, StorageError, UsageError
from toolmem.ops.doctor.check import check_vault
from toolmem.ops.history.diff import changes_in, repo_of
from toolmem.ops.sync.checkout import check_out, finish_interrupted
from toolmem.ops.sync.merge_trees import merge_trees, require_ours
from toolmem.store.git import merge as gitmerge
from toolmem.store.git import run as gitrun
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git import working_tree
from toolmem.store.git.diff import History, Snapshot
from toolmem.store.git.log import OutgoingCommit, outgoing
from toolmem.store.git.remote import (
    Rejection,
    Remote,
    Transport,
    current_branch,
    known_commits,
    remote_of,
)
from toolmem.store.git.repo import Repo
from toolmem.store.git.tree import GitTree
from toolmem.store.vault import worktree
from toolmem.store.vault.vault import Vault

_FIRST_WAIT = 0.05
_LEARNED = ("rule", "fact", "memory", "text")


class SyncResult(NamedTuple):
    """Result of a sync: ``action`` is one of

    ``current`` (nothing to merge), ``forwarded`` (theirs taken as it is), ``merged``,
    ``conflict`` (merged here, not pushed) and ``stopped`` (the check found ``problems``
    that the other side does not have; nothing was changed). ``changes`` are those that
    came from others; ``uncommitted`` counts files whose changes stayed here.

    ``commits`` were pushed or, without ``pushed``, not: because of a ``rejection`` by
    the remote, or because of those that change files outside the vault.
    """

    action: str
    remote: str
    commit: str
    pushed: bool
    tries: int
    changes: tuple[Change, ...] = ()
    conflicts: tuple[tuple[str, Conflict], ...] = ()
    problems: tuple[Problem, ...] = ()
    uncommitted: int = 0
    commits: tuple[OutgoingCommit, ...] = ()
    rejection: Rejection | None = None

    @property
    def outside(self) -> tuple[OutgoingCommit, ...]:
        """Commits that were not pushed because they change files outside the vault."""
        if self.pushed or self.rejection:
            return ()
        return tuple(commit for commit in self.commits if commit.outside)


class Outgoing(NamedTuple):
    """Commits that are about to be pushed, newest first, and the branch."""

    remote: str
    commits: tuple[OutgoingCommit, ...]


class _Push(NamedTuple):
    """Connection to the remote; ``announce`` is called before each push.

    ``everything`` also pushes commits that change files outside the vault.
    """

    transport: Transport
    announce: Callable[[Outgoing], None]
    everything: bool


class _Plan(NamedTuple):
    """Result of a merge before it is written."""

    action: str
    target: Snapshot
    conflicts: tuple[tuple[str, Conflict], ...] = ()
    changes: tuple[Change, ...] = ()


def sync_vault(
    vault: Vault,
    wait: Callable[[float], None],
    announce: Callable[[Outgoing], None],
    *,
    remote: str = "",
    offline: bool = False,
    everything: bool = False,
    dry_run: bool = False,
) -> SyncResult:
    """Share the vault's branch with its remote; a dry run fetches and compares only.

    ``offline`` merges what was fetched last and pushes nothing. Commits that change
    files outside the vault are not pushed, nor any other then, unless ``everything``
    is. ``wait`` is given seconds, and ``announce`` what is pushed.

    Raises ``NotFoundError`` without a remote, ``StorageError`` when it cannot be
    reached, ``ExistsError`` where uncommitted changes are in the way, ``LockedError``
    when others keep being first.
    """
    vault.require_writable()
    announce = _once(announce)
    repo = repo_of(vault)
    if not dry_run:
        finish_interrupted(vault, repo)
    shared = _require_ready(repo, remote)
    with Transport(repo, shared) as transport:
        for number in range(1, limits.SYNC_TRIES + 1):
            push = None if offline else _Push(transport, announce, everything)
            done = _attempt(vault, repo, shared, push, dry_run=dry_run)
            if done is not None:
                return done._replace(
                    tries=number, uncommitted=_uncommitted(vault, repo)
                )
            longest = min(limits.SYNC_WAIT, _FIRST_WAIT * 2**number)
            wait(random.uniform(longest / 4, longest))
    raise LockedError("others keep pushing to the same branch: try again")


def _once(announce: Callable[[Outgoing], None]) -> Callable[[Outgoing], None]:
    """Return a function that announces a push that is tried again only once."""
    done: list[Outgoing] = []

    def announce_new(ahead: Outgoing) -> None:
        if ahead not in done:
            done.append(ahead)
            announce(ahead)

    return announce_new


def _require_ready(repo: Repo, remote: str) -> Remote:
    reason = gitunmerged.unfinished(repo)
    if reason:
        raise UsageError(reason)
    branch = current_branch(repo)
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        raise UsageError("nothing has been committed yet: commit first")
    gitmerge.require_whole(repo)
    return remote_of(repo, branch, remote)


def _attempt(
    vault: Vault, repo: Repo, shared: Remote, push: _Push | None, *, dry_run: bool
) -> SyncResult | None:
    """Try once; None if another process was first."""
    theirs = _fetch(repo, shared, push)
    with History(Repo(repo.top)) as history:
        head = history.snapshot("HEAD")
        plan = _plan(vault, repo, history, head, theirs, shared)
    if plan.conflicts:
        if not dry_run:
            check_out(vault, repo, shared.local, head, plan.target)
        return _result(plan, shared)
    problems = _problems(vault, repo, plan, theirs)
    if problems:
        stopped = plan._replace(action="stopped", target=head)
        return _result(stopped, shared)._replace(problems=problems)
    done = _result(plan, shared)
    if dry_run:
        known = known_commits(repo, shared) if theirs is None else [theirs]
        return done._replace(commits=tuple(outgoing(repo, done.commit, known)))
    if push is not None and plan.target.id != theirs:
        done = _pushed(repo, shared, push, done, theirs)
        if done.rejection and done.rejection.is_late:
            return None
    if plan.target.id != head.id:
        check_out(vault, repo, shared.local, head, plan.target)
    return done


def _fetch(repo: Repo, shared: Remote, push: _Push | None) -> str | None:
    """Return the commit of the shared branch, None where it does not exist yet."""
    if push is None:
        theirs = gitrun.verify(repo.top, f"{shared.tracking}^{{commit}}")
        if theirs is None:
            raise NotFoundError(
                f"{shared.label} has not been fetched yet: run without ", Arg("offline")
            )
        return theirs
    theirs = push.transport.fetch()
    if theirs is not None:
        gitmerge.move_ref(repo, shared.tracking, theirs)
    return theirs


def _pushed(
    repo: Repo, shared: Remote, push: _Push, done: SyncResult, theirs: str | None
) -> SyncResult:
    """Push the commit of a result, unless it would publish more than the vault."""
    known = known_commits(repo, shared) if theirs is None else [theirs]
    done = done._replace(commits=tuple(outgoing(repo, done.commit, known)))
    if done.outside and not push.everything:
        return done
    push.announce(Outgoing(shared.label, done.commits))
    rejection = push.transport.push(done.commit)
    if rejection is None:
        gitmerge.move_ref(repo, shared.tracking, done.commit)
    return done._replace(pushed=rejection is None, rejection=rejection)


def _result(plan: _Plan, shared: Remote) -> SyncResult:
    made = SyncResult(plan.action, shared.label, plan.target.id, False, 1)
    return made._replace(changes=plan.changes, conflicts=plan.conflicts)


def _plan(
    vault: Vault,
    repo: Repo,
    history: History,
    head: Snapshot,
    theirs: str | None,
    shared: Remote,
) -> _Plan:
    if theirs is None or theirs == head.id:
        return _Plan("current", head)
    bases = gitmerge.merge_bases(repo, head.id, theirs)
    if theirs in bases:
        return _Plan("current", head)
    other = history.snapshot(theirs)
    if not bases:
        raise StorageError(
            f"{shared.label} has no commit in common with this clone: they are "
            "different vaults"
        )
    conflicts: list[tuple[str, Conflict]] = []
    if head.id in bases:
        target = other
    else:
        base = history.snapshot(bases[0])
        trees = (base.tree, head.tree, other.tree)
        entries, conflicts = merge_trees(repo, history, *trees)
        message = _message(vault, repo, base, other, shared)
        parents = (head.id, theirs)
        commit = gitmerge.write_merge(repo, parents, entries, message)
        target = history.snapshot(commit)
    touched = history.touched(head.tree, target.tree)
    require_ours(repo, touched)
    gitmerge.require_unfiltered(repo, target.id, [file.path for file in touched])
    action = "conflict" if conflicts else "merged" if target != other else "forwarded"
    return _Plan(action, target, tuple(conflicts), _changes(repo, head, target))


def _changes(repo: Repo, old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    with History(repo) as history:
        touched = history.touched(old.tree, new.tree)
        return changes_in(history, touched, lambda _: True)


def _message(
    vault: Vault, repo: Repo, base: Snapshot, other: Snapshot, shared: Remote
) -> str:
    """The message of a merge: what came from the others, counted."""
    counts = Counter(change.item.kind for change in _changes(repo, base, other))
    parts = [counted(count, kind) for kind, count in counts.items() if kind in _LEARNED]
    return f"Merge {shared.label}" + (f": {', '.join(parts)}" if parts else "")


def _problems(
    vault: Vault, repo: Repo, plan: _Plan, theirs: str | None
) -> tuple[Problem, ...]:
    """The errors of a commit that is to be pushed and that are not theirs already."""
    if plan.target.id == theirs:
        return ()
    problems = _errors(vault, repo, plan.target.id)
    if not problems or theirs is None:
        return tuple(problems)
    known = {problem._replace(line=0) for problem in _errors(vault, repo, theirs)}
    return tuple(fault for fault in problems if fault._replace(line=0) not in known)


def _errors(vault: Vault, repo: Repo, commit: str) -> Sequence[Problem]:
    """Return the errors of a commit, apart from files that it has through a filter."""
    with GitTree(repo, commit) as tree:
        report = check_vault(vault.at(tree, commit, vault.now))
    errors = [problem for problem in report.problems if problem.severity == "error"]
    places = {problem.path: repo.place(problem.path) for problem in errors}
    filtered = working_tree.filters(repo.top, places.values())
    return [problem for problem in errors if places[problem.path] not in filtered]


def _uncommitted(vault: Vault, repo: Repo) -> int:
    with History(repo) as history:
        head = history.snapshot("HEAD")
        return len(worktree.differing(vault.fresh(), history, head.tree))
