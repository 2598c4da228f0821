"""What somebody who opened a vault may do with it, and how it is opened each time.

Every operation opens the vault anew: settings, files and branches may have changed
since the last one, and a server lives for days.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from toolmem.api.queries import Queries
from toolmem.core.model import Scope
from toolmem.core.names import clean_name
from toolmem.core.scope import chain_for, parse_scope, write_scope
from toolmem.errors import NotAllowedError
from toolmem.store.files import outside
from toolmem.store.vault.discover import VaultLocation, find_vault
from toolmem.store.vault.vault import Progress, Vault

_T = TypeVar("_T")
NAMES = ("project", "agent_type", "agent")
"""What an operation may be for: the settings that make the chain."""


class Bounds(NamedTuple):
    """What requests cannot go beyond; None leaves a thing open.

    ``own`` hides the scopes of other agents. ``author`` marks what is written as
    an agent's where no agent is set; ``search_tool`` is what it searches with.
    """

    project: str | None = None
    agent_type: str | None = None
    agent: str | None = None
    read_only: bool = False
    own: bool = False
    author: str = ""
    search_tool: str = ""

    def allows(self, scope: Scope) -> bool:
        """Whether what is in this scope may be seen and changed."""
        kind = scope.kind
        if kind == "agent":
            return scope.name == self.agent if self.agent or self.own else True
        if kind == "agent-type":
            return self.agent_type in (None, scope.name)
        if kind == "override" and self.agent_type not in (None, scope.sub):
            return False
        return kind == "system" or self.project in (None, scope.name)

    @property
    def narrow(self) -> bool:
        """Whether some scope may not be seen."""
        return self.own or any((self.project, self.agent_type, self.agent))

    def allows_all(self, scopes: Iterable[Scope | None]) -> bool:
        """Whether things may be seen; None is what belongs to the vault as a whole."""
        return all(self.allows(one) if one else not self.narrow for one in scopes)


class Access(NamedTuple):
    """How to open a vault: where to look for it, for whom, and within what bounds.

    ``flags`` are settings by name; ``now`` is asked once an operation. ``queries``
    remember what tools were answered; with ``believe`` a tool's own word counts for
    whom it asks, where no agent is set. ``asked``: for a project or agent by name.
    """

    flags: Mapping[str, str]
    cwd: Path
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    bounds: Bounds = Bounds()
    progress: Progress | None = None
    queries: Queries | None = None
    believe: bool = False
    asked: bool = False

    def find(self, *, tolerant: bool = False) -> VaultLocation:
        """The vault and its settings as they are now; ``tolerant``: ``find_vault``.

        Raises ``NoVaultError`` and ``InvalidFileError``.
        """
        found = find_vault(self.flags, self.cwd, tolerant=tolerant)
        for name in NAMES:
            self._require_same(name, found.text(name))
        return found

    def read(self, *, tolerant: bool = False) -> Vault:
        """The vault, to be looked at; ``tolerant``: even if its settings are broken."""
        found = self.find(tolerant=tolerant)
        if found.text("agent") or not self.bounds.author:
            vault = Vault.open(found, self.now())
            return vault._replace(progress=self.progress)
        flags = {**self.flags, "agent": self.bounds.author}
        marked = find_vault(flags, self.cwd, tolerant=tolerant)
        vault = Vault.open(marked, self.now())
        # It is marked as an agent's, but there is no such agent with a scope.
        chain = chain_for(found.text("project"), found.text("agent_type"))
        return vault.with_chain(chain)

    def write(self) -> Vault:
        """The vault, to be changed.

        Raises ``NotAllowedError`` and ``NewerVaultError`` where it may not be.
        """
        self.require_writable()
        vault = self.read()
        vault.require_writable()
        return vault

    def whole(self, *, write: bool = False) -> Vault:
        """The vault, for an operation that cannot leave a scope out.

        Raises ``NotAllowedError`` where some may not be seen, and as ``write`` does.
        """
        if self.bounds.narrow:
            raise NotAllowedError("this is about the whole vault, which is not yours")
        return self.write() if write else self.read()

    def require_writable(self) -> None:
        """Raise ``NotAllowedError`` where nothing may be written, here or elsewhere."""
        if self.bounds.read_only:
            raise NotAllowedError("read-only: nothing can be changed from here")

    def file(self, name: str) -> Path:
        """A file that whoever asks names, from the folder where they are."""
        return self.cwd / Path(name).expanduser()

    def output(self, name: str) -> Path:
        """The same for one that is to be written; ``StorageError`` without its folder.

        What ends in a slash is a folder itself.
        """
        path = self.file(name)
        outside.require_folder(path / "file" if name.endswith("/") else path)
        return path

    def narrowed(self, **names: str) -> "Access":
        """The same for another project, agent type or agent (empty: as before).

        Raises ``NotAllowedError`` beyond the bounds.
        """
        given = {name: value for name, value in names.items() if value}
        for name, value in given.items():
            self._require_same(name, value)
        flags = {**self.flags, **given}
        return self._replace(flags=flags, asked=self.asked or bool(given))

    def scope(self, text: str) -> Scope | None:
        """The scope that a text names, None for an empty one.

        Raises ``UsageError``, and ``NotAllowedError`` beyond the bounds.
        """
        scope = parse_scope(text) if text else None
        if scope is not None and not self.bounds.allows(scope):
            raise NotAllowedError(f"{scope} is not open to you")
        return scope

    def target(self, vault: Vault, text: str) -> Scope:
        """Where something is written: the scope named, else that of the chain."""
        return self.scope(text) or write_scope(vault.chain)

    def seen(self, things: Iterable[_T], of: Callable[[_T], Scope]) -> tuple[_T, ...]:
        """Those of some things whose scope may be seen."""
        return tuple(thing for thing in things if self.bounds.allows(of(thing)))

    def _require_same(self, name: str, value: str | None) -> None:
        bound = getattr(self.bounds, name)
        if bound is not None and value is not None and clean_name(value) != bound:
            what = name.replace("_", " ")
            raise NotAllowedError(f"this is for {what} {bound!r}, not for {value!r}")
