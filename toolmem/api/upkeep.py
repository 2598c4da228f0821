"""Maintenance of a vault: review, history, sharing, reflection, and copies."""

from collections.abc import Iterator, Sequence
from time import sleep

from toolmem.api import history, reports, transfer
from toolmem.api import review as reviewing
from toolmem.api import sync as sharing
from toolmem.api.access import Access, bounded
from toolmem.errors import Arg, UsageError
from toolmem.ops.history import diff as history_diff
from toolmem.ops.history import log as history_log
from toolmem.ops.history import review as history_review
from toolmem.ops.history import review_change, uncommitted
from toolmem.ops.judging import past as past_candidates
from toolmem.ops.reflect import apply as reflect_apply
from toolmem.ops.reflect import plan as reflect_plan
from toolmem.ops.sync import resolve as sync_resolve
from toolmem.ops.sync import sync as sync_sync
from toolmem.ops.sync import unmerged as sync_unmerged


@bounded()
class Upkeep:
    """The part of ``toolmem.Vault`` for the vault as a whole.

    Paths outside the vault are relative to the caller's folder. Items of scopes that
    are not visible are left out; an operation that cannot leave any out raises
    ``NotAllowedError``.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def review(
        self,
        *,
        accept: str = "",
        reject: str = "",
        text: str = "",
        rule: str = "",
        priority: str = "",
        scope: str = "",
        past: bool = False,
    ) -> (
        "reviewing.ReviewQueue | history_review.ReviewResult"
        " | review_change.ReviewedEntry | past_candidates.PastCandidates"
    ):
        """List proposals and uncommitted changes, or ``accept`` or ``reject`` one.

        Both take an id (or a unique prefix), or the path of an uncommitted file.
        Accepting a proposal makes the change, accepting an uncommitted change commits
        it; rejecting that reverts it, with a backup. ``text``, ``priority`` and
        ``scope`` replace those of an accepted proposal; ``rule`` selects one of several
        rules. ``past`` lists the candidates of the last 14 days instead, and how many
        decrees were kept, dropped and undone. Raises ``NotFoundError`` and
        ``UsageError``.
        """
        wanted = reviewing.wish_of(
            self._access, text=text, rule=rule, priority=priority, scope=scope
        )
        return reviewing.review(
            self._access, accept=accept, reject=reject, past=past, wanted=wanted
        )

    def commit(
        self,
        id: Sequence[str] = (),
        *,
        message: str = "",
        dry_run: bool = False,
        allow_secret: bool = False,
        all: bool = False,
    ) -> "uncommitted.CommitResult":
        """Commit all changes, or those with these ids or paths.

        ``all`` adds the files outside the vault that set toolmem up; without it
        ``.left`` names those that git does not have yet. The default message says what
        was learned. ``.id`` is None if everything is already committed, or with
        ``dry_run``. Raises ``NotFoundError``, ``UsageError`` and ``SecretError``.
        """
        return history.commit(
            self._access,
            id,
            message=message,
            dry_run=dry_run,
            allow_secret=allow_secret,
            all=all,
        )

    def diff(self, before: str = "", after: str = "") -> "history_diff.Diff":
        """Return semantic changes, and their effect on the prompt.

        From a revision or date (default HEAD) to another (default: the files as they
        are); ``before`` may be ``A..B`` or ``A...B``. Raises ``NotFoundError``.
        """
        return history.diff(self._access, before, after)

    def log(
        self, id: str = "", *, scope: str = "", limit: int = 20
    ) -> "Iterator[history_log.LogEntry]":
        """Yield the history of a rule, memory or fact (its key), or the vault's,
        newest first.

        ``limit`` bounds the commits of the vault that are read; one of more than 100
        files has ``counts`` in place of changes. Raises ``NotFoundError`` and
        ``UsageError``.
        """
        return history.log(self._access, id, scope=scope, limit=limit)

    @property
    def git(self) -> "sharing.Git":
        """Drivers that let git merge and compare by meaning."""
        return sharing.Git(self._access)

    def resolve(
        self, path: Sequence[str] = (), *, take: str = "", key: str = ""
    ) -> "sharing.ResolveResult":
        """Merge files with git's conflict marks again, and list the conflicts.

        ``take`` settles them for ``ours``, ``theirs``, ``stricter`` (rules) or ``both``
        (texts): all of them, or those of these paths or rules' ids, or the one that
        ``key`` names. Raises ``NotFoundError`` and ``UsageError``.
        """
        if key and not take:
            raise UsageError(Arg("key"), " needs ", Arg("take"))
        vault = self._access.whole(write=True)
        path = sync_resolve.in_vault(vault, path)
        merged = list(sync_resolve.merge_again(vault, path))
        done = [one for one in merged if isinstance(one, sync_unmerged.ResolvedFile)]
        left = sync_resolve.open_conflicts(vault.fresh()).open
        if take and (path or not done or left):
            done += sync_resolve.resolve_conflicts(vault.fresh(), take, path, key)
        unmerged = sharing.unmerged(vault, path, merged)
        return sharing.outcome(vault, path, done, unmerged)

    def sync(
        self,
        *,
        remote: str = "",
        offline: bool = False,
        all: bool = False,
        dry_run: bool = False,
    ) -> "sync_sync.SyncResult":
        """Fetch, merge by meaning, check and push; ``.action`` is the outcome.

        ``remote`` replaces the branch's own; ``offline`` merges what was fetched last
        and pushes nothing. If a commit changes files outside the vault, nothing is
        pushed without ``all``. A dry run fetches, and changes nothing here. Raises
        ``NotFoundError`` without a remote, ``StorageError``, ``ExistsError`` and
        ``LockedError``.
        """
        vault = self._access.whole(write=True)
        return sync_sync.sync_vault(
            vault,
            sleep,
            self._access.before_push,
            remote=remote,
            offline=offline,
            everything=all,
            dry_run=dry_run,
        )

    def reflect(
        self,
        *,
        folder: str = "",
        apply: str = "",
        plan: str | None = None,
        model: bool = False,
        output: str = "",
    ) -> "reflect_plan.Reflection | tuple[reflect_apply.StepResult, ...]":
        """Propose what to retire, merge, promote or review, and why.

        ``folder`` contains the project's own files, in git; with ``model`` the user's
        model command writes merged texts; the plan is written to the file ``output``.
        Instead, ``apply`` names a plan to carry out (``plan`` is its text). Raises
        ``UsageError`` and ``NotFoundError``.
        """
        return reports.reflect(
            self._access,
            folder=folder,
            apply=apply,
            plan=plan,
            model=model,
            output=output,
        )

    def doctor(self, *, deep: bool = False) -> "reports.Diagnosis":
        """Diagnose the installation, the vault, hooks, git and the disk.

        ``deep`` reads every page, object and text. Nothing is changed.
        """
        return reports.doctor(self._access, deep=deep)

    def report(self, *, output: str = "", base_url: str = "") -> "reports.VaultReport":
        """Return the figures of the vault; ``.page`` is the HTML for ``output``.

        ``base_url`` is the address of the repository on its host, to which files and
        commits are linked; with ``{path}`` in it, it is that of a file. Raises
        ``UsageError`` for anything but an http address, and ``StorageError`` if the
        file cannot be written.
        """
        return reports.report(self._access, output=output, base_url=base_url)

    def import_(
        self,
        path: Sequence[str],
        *,
        text: str | bytes | None = None,
        format: str = "auto",
        scope: str = "",
        priority: str = "critical",
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> "transfer.ImportResult":
        """Import rule files and notes from files, folders and a text.

        ``priority`` is the maximum for an imported rule. A second import changes
        nothing; rules and memories that were changed since are not overwritten. Raises
        ``UsageError``, ``NotFoundError`` and ``StorageError``.
        """
        return transfer.take_in(
            self._access,
            path,
            text=text,
            format=format,
            scope=scope,
            priority=priority,
            dry_run=dry_run,
            allow_secret=allow_secret,
        )

    def export(
        self,
        target: str,
        *,
        output: str = "",
        permissions: bool = True,
        check: bool = False,
        private: bool = False,
    ) -> "transfer.ExportResult":
        """Write our section into the file of a program, or make a copy (``json``).

        ``output`` is that file or the project's folder (default: this folder; a copy is
        returned); with ``-`` nothing is written, and ``.text`` is the content.
        ``check`` only reports stale files. A copy has private memories only with
        ``private``, which is for people. Raises ``UsageError``, ``InvalidFileError``
        and ``StorageError``.
        """
        return transfer.give_out(
            self._access,
            target,
            output=output,
            permissions=permissions,
            check=check,
            private=private,
        )
