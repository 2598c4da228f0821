"""An open vault: where it is, what it is set to, and how it is read.

Reading goes through a ``Tree``, on disk or at a git revision, and remembers
what it read, so that a prompt can say of which files it was made.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from toolmem.core import limits
from toolmem.core.access.visibility import Audience, audience_of
from toolmem.core.model import SYSTEM, Problem, Scope
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.scope import chain_for
from toolmem.errors import InvalidFileError, NewerVaultError, ToolmemError
from toolmem.store.files.settings import SCHEMA, SettingValue
from toolmem.store.files.tree import DirectoryEntry, DiskTree, Tree
from toolmem.store.vault.discover import VaultLocation
from toolmem.store.vault.visible import VisibleTree, private_ids

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and how much there is."""


class RecordingTree:
    """A tree that keeps the git blob id of everything that is read through it."""

    def __init__(self, tree: VisibleTree) -> None:
        self._tree = tree
        self.read_files: dict[str, bytes] = {}

    def shows(self, path: str) -> bool:
        """See ``VisibleTree.shows``."""
        return self._tree.shows(path)

    @property
    def every(self) -> Tree:
        """The tree with what its audience may not see: for free names alone."""
        return self._tree.every

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        return self._tree.entries(folder)

    def read(self, path: str, limit: int) -> bytes:
        """See ``Tree.read``."""
        data = self.read_files[path] = self._tree.read(path, limit)
        return data

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """See ``Tree.read_all``."""
        found = self._tree.read_all(folder, suffix, limit)
        self.read_files.update((p, d) for p, d in found if isinstance(d, bytes))
        return found

    def versions(self) -> list[tuple[str, str]]:
        """Path and git blob id of every file that was read, by path."""
        return [(path, blob_id(data)) for path, data in sorted(self.read_files.items())]


def blob_id(data: bytes) -> str:
    """The id that git gives to these bytes (SHA-1 of a header and the content)."""
    import hashlib  # dear to import, and only receipts need it

    header = b"blob %d\0" % len(data)
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


class Vault(NamedTuple):
    """One vault as one command sees it; ``now`` is the command's time.

    ``revision`` is the commit when it is read from git, else None; ``chain`` are the
    scopes of the project, agent type and agent that are set, narrowest first.
    ``own`` is a vault of the user's own whose rules are in force, too, and ``faults``
    say why others are not: see ``VaultLocation``.
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

    @classmethod
    def open(
        cls, found: VaultLocation, now: datetime, audience: Audience | None = None
    ) -> "Vault":
        """Open the vault that was found, on disk.

        Without an ``audience`` it is an agent's where one is named, else a person's.
        """
        problems = tuple(p for layer in found.layers for p in layer.problems)
        chain = chain_for(
            found.text("project"), found.text("agent_type"), found.text("agent")
        )
        audience = audience or audience_of(found.text("agent"))
        tree = RecordingTree(VisibleTree(DiskTree(found.root), audience))
        own = cls.open(found.own, now, audience) if found.own else None
        return cls(
            found.root,
            found.settings,
            now,
            tree,
            chain=chain,
            problems=problems,
            audience=audience,
            own=own,
            faults=found.faults,
        )

    def at(self, tree: Tree, revision: str, when: datetime) -> "Vault":
        """The same vault, and no other, as it was at a git revision."""
        hidden: frozenset[str] = frozenset()
        if self.audience is Audience.AGENT:
            hidden = private_ids(DiskTree(self.root))
        seen = RecordingTree(VisibleTree(tree, self.audience, hidden))
        return self._replace(tree=seen, revision=revision, now=when, own=None)

    def fresh(self) -> "Vault":
        """The same vault read anew: after a write, what was read may be gone."""
        own = self.own.fresh() if self.own else None
        tree = VisibleTree(DiskTree(self.root), self.audience)
        return self._replace(tree=RecordingTree(tree), own=own)

    def with_chain(self, chain: Iterable[Scope]) -> "Vault":
        """The same vault for another chain of scopes."""
        return self._replace(chain=tuple(chain))

    def for_project(self, project: str) -> "Vault":
        """The same vault for another project (agent type and agent stay)."""
        chain = chain_for(project, self.setting("agent_type"), self.setting("agent"))
        return self.with_chain(chain)

    @property
    def in_force(self) -> "tuple[Vault, ...]":
        """The vaults whose rules are in force, the user's own first."""
        return (self.own, self) if self.own else (self,)

    @property
    def session_vault(self) -> "Vault":
        """The vault that has a session's local state and what the user types."""
        return self.own or self

    def setting(self, name: str) -> str | None:
        """A text setting, or None where it is not set."""
        value = self.settings[name].value
        return str(value) if value else None

    @property
    def id_salt(self) -> str:
        """What the id of a new memory depends on besides its text.

        The id of an agent's memory says nothing of a private one with the same text.
        """
        agent = self.setting("agent")
        return f"\n{agent}\n{self.now.isoformat()}" if agent else ""

    @property
    def is_newer(self) -> bool:
        """Whether a newer toolmem wrote it: then it is read only."""
        return int(self.settings["schema"].value) > SCHEMA

    def require_writable(self) -> None:
        """Raise ``NewerVaultError`` for a vault that this program may only read."""
        if self.is_newer:
            raise NewerVaultError(
                f"{self.root}: the vault has schema {self.settings['schema'].value}, "
                f"this toolmem writes {SCHEMA}: upgrade toolmem to change it"
            )

    def text(self, path: str, limit: int = limits.TEXT_FILE_BYTES) -> str | None:
        """The text of a file, or None when there is none.

        Raises ``InvalidFileError`` for what is no UTF-8 text of a regular file.
        """
        try:
            return decode(self.tree.read(path, limit), path)
        except FileNotFoundError:
            return None


def decode(data: bytes, path: str) -> str:
    """Bytes of a file as text; ``InvalidFileError`` with the line if not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidFileError(path, line, "is not UTF-8 text") from error


def utc_now() -> datetime:
    """This moment, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)
