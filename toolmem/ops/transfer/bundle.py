"""A whole vault as one document, and back: the same bytes of every file."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.imports.bundle import (
    BundleFile,
    BundleProblem,
    bundle_document,
    read_bundle,
)
from toolmem.core.model import Scope
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.text.safetext import visible
from toolmem.core.visibility import Audience
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    NotAllowedError,
    StorageError,
    UsageError,
)
from toolmem.ops.setup.init import fresh_files
from toolmem.ops.transfer.import_files import ImportSummary, Remark
from toolmem.ops.transfer.import_texts import ImportOutcome
from toolmem.store.files import files, folders, layout, lock
from toolmem.store.files.tree import DiskTree
from toolmem.store.vault import worktree
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.visible_tree import VisibleTree

_LeftOut = tuple[str, str]


class VaultBundle(NamedTuple):
    """The document, how many files it holds, and what it does not: path and why."""

    document: dict[str, Any]
    files: int
    left_out: tuple[tuple[str, str], ...]


def export_vault(
    vault: Vault,
    scopes: Iterable[Scope] = (),
    besides: str = "",
    *,
    private: bool = False,
) -> VaultBundle:
    """Return the files that git has or would take, or those of these scopes.

    Tools, settings and the files on top belong to all scopes. Private memories are
    exported only to a person who asks for them. ``besides`` is the path of a file that
    the document is written into. Raises ``NotAllowedError`` and ``StorageError``.
    """
    if private and vault.setting("agent"):
        raise NotAllowedError("private memories are for people, not for an agent")
    wanted = tuple(f"{layout.scope_folder(scope)}/" for scope in scopes)
    exported: list[BundleFile] = []
    left_out: list[_LeftOut] = []
    for path, reason in worktree.committable(vault):
        if path == besides or (wanted and not _belongs(path, wanted)):
            continue
        bundled = (path, reason) if reason else _exported(vault, path, private=private)
        if isinstance(bundled, BundleFile):
            exported.append(bundled)
        elif bundled is not None:
            left_out.append(bundled)
    return VaultBundle(bundle_document(exported), len(exported), tuple(left_out))


def _exported(
    vault: Vault, path: str, *, private: bool
) -> BundleFile | _LeftOut | None:
    """Return the file, or why it is left out; None for one an agent may not see."""
    public = VisibleTree(DiskTree(vault.root), Audience.AGENT)
    if not private and not public.shows(path):
        is_agent = not vault.tree.shows(path)
        return None if is_agent else (path, "is private: --private exports it")
    try:
        return BundleFile(path, public.every.read(path, limits.IMPORT_BYTES))
    except (InvalidFileError, FileNotFoundError, StorageError) as error:
        return path, str(error)


def import_vault(
    vault: Vault, text: str, name: str, *, dry_run: bool, allow_secret: bool
) -> ImportSummary:
    """Put the files of a document into the vault; none that differs is overwritten.

    Files that ``init`` created and no one changed are replaced. Raises ``UsageError``
    for an invalid document, and for an agent: with whole files it could pass for a
    person.
    """
    if vault.setting("agent"):
        raise UsageError("only a person can import whole files into a vault")
    bundled = tuple(read_bundle(text))
    work = _Restore(vault, dry_run=dry_run, allow_secret=allow_secret)
    if dry_run:
        outcomes = [work.put(file, name) for file in bundled]
    else:
        vault.require_writable()
        with lock.hold(vault.root):
            outcomes = [work.put(file, name) for file in bundled]
    remarks = [
        Remark(name, 0, "refused" if outcome.action == "refused" else "kept", message)
        for outcome in outcomes
        if outcome.action in ("refused", "kept")
        for message in [f"{outcome.path}: {outcome.reason}"]
    ]
    return ImportSummary(1, tuple(outcomes), tuple(remarks))


class _Restore:
    def __init__(self, vault: Vault, *, dry_run: bool, allow_secret: bool) -> None:
        self._vault = vault
        self._dry_run = dry_run
        self._allow_secret = allow_secret
        self._fresh = fresh_files()

    def put(self, file: BundleFile | BundleProblem, name: str) -> ImportOutcome:
        """Put one file in its place; the lock is held."""
        shown = visible(
            file.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        )
        outcome = ImportOutcome("file", "created", "", shown, shown, "", name)
        if isinstance(file, BundleProblem):
            return outcome._replace(action="refused", reason=file.message)
        why = self._refusal(file)
        if why:
            return outcome._replace(action="refused", reason=why)
        try:
            return self._write(file, outcome)
        except (ExistsError, InvalidFileError) as error:
            return outcome._replace(action="kept", reason=str(error))

    def _refusal(self, file: BundleFile) -> str:
        try:
            names = folders.split(file.path)
        except InvalidFileError as error:
            return error.reason
        if not names or names[0].casefold() == layout.STATE:
            return "is not the path of a vault file"
        if len(file.data) > limits.IMPORT_BYTES:
            return f"is larger than {limits.IMPORT_BYTES} bytes"
        if self._allow_secret:
            return ""
        text = file.data.decode("utf-8", "replace")
        for secret in find_secrets(text):
            line = text.count("\n", 0, secret.start) + 1
            return f"contains a secret ({secret.kind}) in line {line}"
        return ""

    def _write(self, file: BundleFile, outcome: ImportOutcome) -> ImportOutcome:
        root = self._vault.root
        try:
            present = self._vault.tree.read(file.path, limits.IMPORT_BYTES)
        except FileNotFoundError:
            if not self._dry_run:
                files.create(root, file.path, file.data)
            return outcome
        if present == file.data:
            return outcome._replace(action="unchanged")
        if present != self._fresh.get(file.path):
            reason = "exists with other content and was not changed"
            return outcome._replace(action="kept", reason=reason)
        if not self._dry_run:
            files.replace(root, file.path, file.data, expected=present)
        return outcome._replace(action="updated")


def _belongs(path: str, wanted: tuple[str, ...]) -> bool:
    return (
        "/" not in path
        or path.startswith((f"{layout.TOOLS}/", *wanted))
        or f"{path}/" in wanted
    )
