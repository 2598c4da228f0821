"""Open a vault for each operation, within the bounds of its user.

Every operation opens the vault again: settings, files and branches may have changed
since the last one, and a server runs for days.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import OPERATIONS
from toolmem.core.access.agent_bounds import WHOLE, Bound, agent_bounds
from toolmem.core.access.argument_types import require_types
from toolmem.core.model import Scope
from toolmem.core.names import clean_name
from toolmem.core.scope import chain_for, parse_scope
from toolmem.errors import Arg, NotAllowedError, UsageError
from toolmem.ops.access import query
from toolmem.ops.capture import context
from toolmem.ops.rules import new_names
from toolmem.ops.sync import sync
from toolmem.store.files import outside
from toolmem.store.index import warm as warm_index
from toolmem.store.vault.discover import VaultLocation, find_vault
from toolmem.store.vault.vault import Progress, Vault

_T = TypeVar("_T")
NAMES = ("project", "agent_type", "agent")
"""Settings that make the chain of scopes."""


_SERVICES = 8
"""Agents and projects whose answers are cached at a time."""


class Queries:
    """One service for each agent, project and state of the settings."""

    def __init__(self) -> None:
        self._services: dict[object, query.QueryService] = {}

    def answer(
        self, vault: Vault, document: Any, *, budget: int, now: Callable[[], datetime]
    ) -> "query.QueryResult":
        """Answer a ToolRequest; see ``ops.query.QueryService.answer``."""
        settings = (
            (setting.name, repr(setting.value)) for setting in vault.settings.values()
        )
        key = (vault.root, tuple(settings))
        service = self._services.pop(key, None)
        self._services[key] = service or query.QueryService(vault, clock=now)
        while len(self._services) > _SERVICES:
            self._services.pop(next(iter(self._services)))
        return self._services[key].answer(document, budget=budget)


class Bounds(NamedTuple):
    """Bounds of requests; None is no bound.

    ``own`` hides the scopes of other agents. ``author`` marks writes as an agent's if
    no agent is set; ``search_tool`` is its tool for searches. ``served``: requests come
    from another program, which has no working folder here.
    """

    project: str | None = None
    agent_type: str | None = None
    agent: str | None = None
    read_only: bool = False
    own: bool = False
    author: str = ""
    search_tool: str = ""
    served: bool = False

    def allows(self, scope: Scope) -> bool:
        """Return True if this scope may be read and changed."""
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
        """True if some scope is not visible."""
        return self.own or any((self.project, self.agent_type, self.agent))

    def allows_all(self, scopes: Iterable[Scope | None]) -> bool:
        """Return True if scopes are visible; None is the vault as a whole."""
        return all(self.allows(scope) if scope else not self.narrow for scope in scopes)


def _silent(_: "sync.Outgoing") -> None:
    """Report no push."""


class Access(NamedTuple):
    """Location, user and bounds for opening a vault.

    ``flags`` are settings by name; ``now`` is called once per operation. ``queries``
    caches answers to tools, ``warm`` keeps the index open. ``asked``: for a project or
    agent by name. ``before_push`` is called with the commits of each push.
    """

    flags: Mapping[str, str]
    cwd: Path
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    bounds: Bounds = Bounds()
    progress: Progress | None = None
    queries: Queries | None = None
    asked: bool = False
    warm: "warm_index.WarmIndexes | None" = None
    before_push: Callable[["sync.Outgoing"], None] = _silent

    def find(self, *, tolerant: bool = False) -> VaultLocation:
        """Return the vault and its current settings; for ``tolerant`` see
        ``find_vault``.

        Raises ``NoVaultError`` and ``InvalidFileError``.
        """
        location = find_vault(self.flags, self.cwd, tolerant=tolerant)
        for name in NAMES:
            self._require_same(name, location.text(name))
        return location

    def read(self, *, tolerant: bool = False) -> Vault:
        """Open the vault for reading; ``tolerant``: even if its settings are broken."""
        location = self.find(tolerant=tolerant)
        if location.text("agent") or not self.bounds.author:
            vault = Vault.open(location, self.now())
            return vault._replace(progress=self.progress, warm=self.warm)
        marked = location.for_agent(self.bounds.author)
        vault = Vault.open(marked, self.now())._replace(warm=self.warm)
        # It is marked as an agent's, but there is no such agent with a scope.
        chain = chain_for(location.text("project"), location.text("agent_type"))
        return vault.with_chain(chain)

    def write(self, *, dry_run: bool = False) -> Vault:
        """Open the vault for writing; for a dry run, for reading.

        Raises ``NotAllowedError`` and ``NewerVaultError`` if that is not allowed.
        """
        if dry_run:
            return self.read()._replace(dry_run=True)
        self.require_writable()
        vault = self.read()
        vault.require_writable()
        return vault

    def whole(self, *, write: bool = False) -> Vault:
        """Open the vault for an operation that cannot leave a scope out.

        Raises ``NotAllowedError`` if some are not visible, and as ``write`` does.
        """
        if self.bounds.narrow:
            raise NotAllowedError(
                "this operation covers the whole vault and is for people, not for an "
                "agent"
            )
        return self.write() if write else self.read()

    def require_writable(self) -> None:
        """Raise ``NotAllowedError`` if nothing may be written, here or elsewhere."""
        if self.bounds.read_only:
            raise NotAllowedError("read-only: the server was started with --read-only")

    def require_allowed(self, operation: str, given: Mapping[str, Any]) -> None:
        """Raise ``NotAllowedError`` for a request that agents may not make; see
        ``Bound``.

        ``given`` are the arguments by name; empty ones count as omitted.
        """
        bounds = agent_bounds(operation)
        asked = {name: bounds.get(name, Bound.PERSON) for name in _named(given, bounds)}
        asked |= {WHOLE: bounds[WHOLE]} if WHOLE in bounds else {}
        if not set(asked.values()) - {Bound.FREE, Bound.LIMITED}:
            return
        location = self.find(tolerant=True)
        if not (self.bounds.author or location.text("agent")):
            return
        for name, bound in asked.items():
            if bound is Bound.PERSON:
                what = f"{operation}: {name}".removesuffix(f": {WHOLE}")
                raise NotAllowedError(f"{what} is for people, not for an agent")
            if bound in (Bound.READS, Bound.WRITES, Bound.WRITES_HERE):
                self._require_inside(location.root, operation, given.get(name))

    def _require_inside(self, root: Path, operation: str, value: Any) -> None:
        """Raise ``NotAllowedError`` for a file outside of an agent's folders."""
        places = (root,) if self.bounds.served else (root, self.cwd)
        names = [value or "."] if isinstance(value, str | None) else value
        for name in names:
            path = self.file(name).resolve()
            if name != "-" and not any(
                path.is_relative_to(place.resolve()) for place in places
            ):
                where = (
                    "the vault" if self.bounds.served else "this folder or the vault"
                )
                raise NotAllowedError(
                    f"{operation}: an agent's files are in {where}, {name} is not"
                )

    def file(self, name: str) -> Path:
        """Return a file named by the caller, relative to the caller's folder."""
        return self.cwd / Path(name).expanduser()

    def output(self, name: str) -> Path:
        """Return a file to write; raise ``StorageError`` if its folder is missing.

        A name that ends in a slash is a folder itself.
        """
        path = self.file(name)
        outside.require_folder(path / "file" if name.endswith("/") else path)
        return path

    def narrowed(self, **names: str) -> "Access":
        """Return the same for another project, agent type or agent (empty: unchanged).

        Raises ``NotAllowedError`` beyond the bounds.
        """
        given = {name: value for name, value in names.items() if value}
        for name, value in given.items():
            self._require_same(name, value)
        flags = {**self.flags, **given}
        return self._replace(flags=flags, asked=self.asked or bool(given))

    def scope(self, text: str) -> Scope | None:
        """Parse a scope, None for an empty text.

        Raises ``UsageError``, and ``NotAllowedError`` beyond the bounds.
        """
        scope = parse_scope(text) if text else None
        if scope is not None and not self.bounds.allows(scope):
            raise NotAllowedError(f"{scope} is not open to you")
        return scope

    def target(self, vault: Vault, text: str, words: str = "") -> Scope:
        """Return the scope for writes: of the option, else of the words, the chain."""
        named = self.scope(text)
        if named is None and words and self.flags.keys().isdisjoint(NAMES):
            named = context.stated_by(words, vault, str(self.cwd))
        return named if named and self.bounds.allows(named) else vault.write_scope

    def place(
        self, vault: Vault, text: str, tool: str = "", words: str = "", *, create: bool
    ) -> tuple[Scope, tuple[str, ...]]:
        """Return the scope for writes, and a remark on each new name.

        Raises ``UnknownNameError`` for a new name that may be a typo of a known one,
        unless ``create``.
        """
        scope = self.target(vault, text, words)
        return scope, new_names.accepted_names(vault, scope, tool, create=create)

    def seen(self, things: Iterable[_T], of: Callable[[_T], Scope]) -> tuple[_T, ...]:
        """Return the items whose scope is visible."""
        return tuple(thing for thing in things if self.bounds.allows(of(thing)))

    def _require_same(self, name: str, value: str | None) -> None:
        bound = getattr(self.bounds, name)
        if bound is not None and value is not None and clean_name(value) != bound:
            what = name.replace("_", " ")
            raise NotAllowedError(f"this is for {what} {bound!r}, not for {value!r}")


class Operations:
    """Operations on the vault that an access opens."""

    def __init__(self, access: Access) -> None:
        self._access = access


def bounded(group: str = "") -> Callable[[type[_T]], type[_T]]:
    """Decorate a class so that its operations check their arguments.

    They refuse values of other types, and requests that agents may not make.
    """

    def decorate(cls: type[_T]) -> type[_T]:
        for name, function in list(vars(cls).items()):
            words = name.rstrip("_").replace("_", "-")
            operation = f"{group}.{words}".lstrip(".")
            if operation in OPERATIONS:
                setattr(cls, name, _gated(function, operation))
        return cls

    return decorate


def _gated(function: Callable[..., Any], operation: str) -> Callable[..., Any]:
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount]

    @wraps(function)
    def gated(self: Any, *args: Any, **more: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **more}
        if unknown := given.keys() - function.__annotations__.keys():
            raise TypeError(f"{operation} has no argument {', '.join(sorted(unknown))}")
        require_types(function, given)
        _require_ranges(operation, given)
        self._access.require_allowed(operation, given)
        return function(self, *args, **more)

    return gated


def _require_ranges(operation: str, given: Mapping[str, Any]) -> None:
    """Raise ``UsageError`` for a number out of the range of its argument."""
    for name, value in given.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            about = argument(operation, name)
            least, most = about.least, about.most
            if least is not None and not least <= value <= (most or value):
                limit = f"from {least} to {most}" if most else f"at least {least}"
                raise UsageError(Arg(name), f" must be {limit}, not {value:g}")


def _named(given: Mapping[str, Any], bounds: Mapping[str, Bound]) -> list[str]:
    """Return the arguments given, and those that default to a file."""
    named = [
        name
        for name, value in given.items()
        if value is not None
        and value not in ("", (), [], {})
        and (value is not False or name == "private")
    ]
    here = [name for name, bound in bounds.items() if bound is Bound.WRITES_HERE]
    if given.get("target") == "json":
        here = []  # without a name the answer is a copy
    return [*named, *(name for name in here if name not in named)]


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return names, each once; a single one may be given as a text."""
    return tuple(dict.fromkeys([given] if isinstance(given, str) else given))


def new_uuid() -> str:
    """Return a random id."""
    import uuid  # slow to import, and only new rules need it

    return str(uuid.uuid4())
