"""An open vault: its location, its settings, and its tree.

Reading goes through a ``Tree``, on disk or at a git revision, and records the files
read, so that a prompt can list its sources.
"""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.language import language as languages
from toolmem.core.model import SYSTEM, Problem, Scope
from toolmem.core.rules import rule_file
from toolmem.core.scope import chain_for, write_scope
from toolmem.core.tools import manifest
from toolmem.core.visibility import Audience, audience_of
from toolmem.errors import (
    InvalidFileError,
    NewerVaultError,
    StorageError,
    ToolmemError,
    UsageError,
)
from toolmem.store.files.settings import SCHEMA, SettingValue
from toolmem.store.files.tree import DirectoryEntry, DiskTree, Tree
from toolmem.store.index import warm as warm_index
from toolmem.store.vault.discover import VaultLocation
from toolmem.store.vault.visible_tree import PrivateIds, VisibleTree

Progress = Callable[[str, int, int], None]
"""Called with the current step, its progress, and its total."""


class RecordingTree:
    """A tree that records the git blob id of everything that is read through it."""

    rule_files: "Mapping[Scope, rule_file.RuleFiles] | None" = None
    """Rule files of every scope, if they were loaded for many chains."""
    tool_names: "manifest.ToolNames | None" = None
    """Names of the tools, if they were loaded for many chains."""

    def __init__(self, tree: VisibleTree) -> None:
        self._tree = tree
        self.read_files: dict[str, bytes] = {}

    def shows(self, path: str) -> bool:
        """Return whether a path is visible, as ``VisibleTree.shows``."""
        return self._tree.shows(path)

    @property
    def unrecorded(self) -> VisibleTree:
        """The same tree; data that is read through it is not kept."""
        return self._tree

    @property
    def every(self) -> Tree:
        """The tree including files its audience may not see, for choosing free names
        only."""
        return self._tree.every

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        return self._tree.entries(folder)

    def each_entry(self, folder: str) -> Iterator[DirectoryEntry]:
        """See ``Tree.each_entry``."""
        return iter(self.entries(folder))

    def has_files(self, folder: str) -> bool:
        """Return whether a folder has a visible file.

        One that cannot be listed has, unless that may all be private.
        """
        entries = self.every.each_entry(folder)
        paths = ((f"{folder}/{each.name}", each.kind == "folder") for each in entries)
        try:
            return any(
                self.has_files(path) if is_folder else self.shows(path)
                for path, is_folder in paths
            )
        except InvalidFileError:  # a link or a file in its place
            return False
        except StorageError:
            return self._tree.sees_all

    def read(self, path: str, limit: int) -> bytes:
        """See ``Tree.read``."""
        data = self._tree.read(path, limit)
        self.read_files[path] = data
        return data

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """See ``Tree.read_all``."""
        contents = self._tree.read_all(folder, suffix, limit)
        self.read_files.update((p, d) for p, d in contents if isinstance(d, bytes))
        return contents

    def versions(self) -> list[tuple[str, str]]:
        """Return path and git blob id of every file that was read, by path."""
        return [(path, blob_id(data)) for path, data in sorted(self.read_files.items())]


def blob_id(data: bytes, length: int = 40) -> str:
    """Return git's id of these bytes: of a header and the content.

    Its length is that of SHA-1, or of SHA-256 in a repository of that format.
    """
    import hashlib  # slow to import, and only receipts need it

    content = b"blob %d\0%b" % (len(data), data)
    if length == 64:
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


class Vault(NamedTuple):
    """One vault as one command sees it; ``now`` is the command's time.

    ``revision`` is the commit if it is read from git, else None; ``chain`` are the
    scopes of the current project, agent type and agent, narrowest first. ``own`` is a
    vault of the user's own whose rules are in force, too; for ``faults`` see
    ``VaultLocation``. ``warm`` keeps its index open in a process that serves.
    With ``dry_run`` changes of rule files are only worked out.
    """

    root: Path
    settings: Mapping[str, SettingValue]
    now: datetime
    tree: RecordingTree
    revision: str | None = None
    chain: tuple[Scope, ...] = (SYSTEM,)
    problems: tuple[Problem, ...] = ()
    progress: Progress | None = None
    audience: Audience = Audience.PERSON
    own: "Vault | None" = None
    faults: tuple[ToolmemError, ...] = ()
    warm: "warm_index.WarmIndexes | None" = None
    dry_run: bool = False

    @classmethod
    def open(
        cls, location: VaultLocation, now: datetime, audience: Audience | None = None
    ) -> "Vault":
        """Open the vault that was found, on disk.

        ``audience`` defaults to an agent's if one is named, else a person's.
        """
        problems = tuple(p for layer in location.layers for p in layer.problems)
        chain = chain_for(
            location.text("project"),
            location.text("agent_type"),
            location.text("agent"),
        )
        audience = audience or audience_of(location.text("agent"))
        tree = RecordingTree(VisibleTree(DiskTree(location.root), audience))
        own = cls.open(location.own, now, audience) if location.own else None
        return cls(
            location.root,
            location.settings,
            now,
            tree,
            chain=chain,
            problems=problems,
            audience=audience,
            own=own,
            faults=location.faults,
        )

    def at(self, tree: Tree, revision: str, when: datetime) -> "Vault":
        """Return the same vault, without the user's own, at a git revision."""
        hidden: Container[str] = frozenset()
        if self.audience is Audience.AGENT:
            hidden = PrivateIds(DiskTree(self.root))
        seen = RecordingTree(VisibleTree(tree, self.audience, hidden))
        return self._replace(tree=seen, revision=revision, now=when, own=None)

    def fresh(self) -> "Vault":
        """Return the same vault without cached reads, for use after a write."""
        own = self.own.fresh() if self.own else None
        tree = VisibleTree(DiskTree(self.root), self.audience)
        return self._replace(tree=RecordingTree(tree), own=own)

    def as_person(self) -> "Vault":
        """Return the vault for a change that the user's own words decided."""
        no_agent = SettingValue("agent", None, "the user's words")
        return self._replace(settings={**self.settings, "agent": no_agent})

    def with_chain(self, chain: Iterable[Scope]) -> "Vault":
        """Return the same vault for another chain of scopes."""
        return self._replace(chain=tuple(chain))

    @property
    def write_scope(self) -> Scope:
        """Return the default scope for writing: that of the chain, without a project
        that no option, pointer or setting names.

        So which folders exist never decides where something is written.
        """
        project = self.settings["project"]
        detected = Scope("project", str(project.value)) if project.detected else None
        return write_scope([scope for scope in self.chain if scope != detected])

    @property
    def in_force(self) -> "tuple[Vault, ...]":
        """Vaults whose rules are in force, the user's own first."""
        return (self.own, self) if self.own else (self,)

    @property
    def session_vault(self) -> "Vault":
        """Vault with a session's local state and the messages that the user types."""
        return self.own or self

    def setting(self, name: str) -> str | None:
        """Return a text setting, or None if it is not set."""
        value = self.settings[name].value
        return str(value) if value else None

    @property
    def session_days(self) -> int:
        """Days for which local state stores a session that has ended."""
        return int(self.settings["session.days"].value)

    @property
    def language(self) -> "languages.Language":
        """Language of the texts."""
        return languages.LANGUAGES[str(self.settings["language"].value)]

    @property
    def id_salt(self) -> str:
        """Return what the id of a new memory depends on besides its text.

        It prevents an agent from deducing a private memory with the same text from an
        id.
        """
        agent = self.setting("agent")
        return f"\n{agent}\n{self.now.isoformat()}" if agent else ""

    @property
    def is_newer(self) -> bool:
        """True if a newer toolmem wrote the vault, so that it is read-only."""
        return int(self.settings["schema"].value) > SCHEMA

    def require_writable(self) -> None:
        """Raise ``NewerVaultError`` for a vault that this program may only read."""
        if self.is_newer:
            raise NewerVaultError(
                f"{self.root}: the vault has schema {self.settings['schema'].value}, "
                f"this toolmem writes {SCHEMA}: upgrade toolmem to change it"
            )

    def text(self, path: str, limit: int = limits.TEXT_FILE_BYTES) -> str | None:
        """Return the text of a file, or None.

        Raises ``InvalidFileError`` for anything but UTF-8 text in a regular file.
        """
        try:
            return decode(self.tree.read(path, limit), path)
        except FileNotFoundError:
            return None


def decode(data: bytes, path: str) -> str:
    """Decode the bytes of a file; ``InvalidFileError`` with the line if not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidFileError(path, line, "is not UTF-8 text") from error


def utc_now() -> datetime:
    """Return the current time, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


def clock() -> datetime:
    """Return the current time, or the one that ``SOURCE_DATE_EPOCH`` fixes.

    Raises ``UsageError`` if that is not a number of seconds since 1970.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else utc_now()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"SOURCE_DATE_EPOCH {epoch!r}: {error}") from error
