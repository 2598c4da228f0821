"""Find the vault, project and agent of a command.

In this order: the flag, ``TOOLMEM_VAULT``, the closest ``toolmem.toml`` (a vault) or
``.toolmem.toml`` (a pointer to one) above the working folder, the user's default vault.
A vault found above the working folder may be a stranger's: unless the user trusts it, a
vault of the user's own stays in force.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from toolmem.core.model import Problem
from toolmem.core.text import conflict_marks
from toolmem.errors import (
    InvalidFileError,
    LostVaultError,
    NoVaultError,
    StorageError,
    ToolmemError,
    UnreadSettingsError,
)
from toolmem.store.files.folders import read_text
from toolmem.store.files.layout import SETTINGS as VAULT_FILE
from toolmem.store.files.settings import (
    SettingsLayer,
    SettingValue,
    environment_layer,
    read_layer,
    resolve,
    user_layer,
)
from toolmem.store.files.trust import is_trusted
from toolmem.store.vault.pointer import (
    NO_POINTER,
    Site,
    look_up,
    name_of,
    named_folder,
    project_of,
    require_vault,
)

_UNTRUSTED = ("vault", "project", "agent_type")
"""Settings that a pointer without trust may set for a vault of the user's."""

MISSING = "is missing"


class VaultLocation(NamedTuple):
    """The vault found and every setting, with its origin.

    ``own`` is a vault of the user's own whose rules are in force, too, because the user
    does not trust the one found. ``faults`` are the reasons why other vaults are not in
    force, and settings in force that cannot be read.
    """

    root: Path
    settings: Mapping[str, SettingValue]
    layers: tuple[SettingsLayer, ...]
    own: "VaultLocation | None" = None
    faults: tuple[ToolmemError, ...] = ()

    def text(self, name: str) -> str | None:
        """Return a text setting, or None if it is not set."""
        value = self.settings[name].value
        return str(value) if value else None

    def for_agent(self, agent: str) -> "VaultLocation":
        """Return what ``find_vault`` finds with this agent as a flag, too."""
        flag, *others = self.layers
        flag = flag._replace(values={**flag.values, "agent": agent})
        settings = {**self.settings, "agent": SettingValue("agent", agent, flag.origin)}
        own = self.own.for_agent(agent) if self.own else None
        return self._replace(settings=settings, layers=(flag, *others), own=own)


def find_vault(
    flags: Mapping[str, str], cwd: Path, *, tolerant: bool = False
) -> VaultLocation:
    """Find the vault and combine the settings.

    ``flags`` are the settings on the command line, by name; ``tolerant`` makes a broken
    ``toolmem.toml`` a problem of its layer, for read-only commands. Raises
    ``NoVaultError`` with the next step, ``InvalidFileError`` for a broken settings file
    and ``StorageError`` for inaccessible folders.
    """
    return _find(flags, cwd, tolerant=tolerant, in_force=False)


def find_in_force(flags: Mapping[str, str], cwd: Path) -> VaultLocation:
    """Find the vault like ``find_vault``, but a broken one does not disable others.

    Rules stay in force where ``toolmem.toml`` is broken or gone, with the default
    settings. The errors are the ``faults``. Raises the same if no usable vault is left.
    """
    return _find(flags, cwd, tolerant=False, in_force=True)


def _find(
    flags: Mapping[str, str], cwd: Path, *, tolerant: bool, in_force: bool
) -> VaultLocation:
    flag = SettingsLayer("flag", "flag", {k: v for k, v in flags.items() if v})
    faults: list[ToolmemError] = []
    try:
        user = user_layer()
    except InvalidFileError as error:
        if not in_force:
            raise
        user = SettingsLayer("user", "", {})
        faults.append(error)
    try:
        search = _Search(flag, environment_layer(), user, cwd, tolerant, in_force)
        location = search.location()
    except OSError as error:
        raise StorageError(f"{error.filename}: {error.strerror}") from error
    return location._replace(faults=(*faults, *location.faults))


class _Search(NamedTuple):
    """Inputs that decide which vaults are in force."""

    flag: SettingsLayer
    environment: SettingsLayer
    user: SettingsLayer
    cwd: Path
    tolerant: bool
    in_force: bool
    detects: bool = True

    def location(self) -> VaultLocation:
        """Return the vault in force, with the user's own next to an untrusted one."""
        site = look_up(self.cwd, unmarked=self.in_force)
        for layer in (self.flag, self.environment):
            if "vault" in layer.values:
                if isinstance(site.error, InvalidFileError) and not self.in_force:
                    raise site.error
                root = self._required(layer)
                return self._opened(root, self._limited(site.pointer), name_of(layer))
        if site.folder is None:
            return self.default(self._limited(site.pointer))
        try:
            return self._at(site)
        except (InvalidFileError, LostVaultError) as error:
            own = self._own(site.folder) if self.in_force else None
            if own is None or own.own is None:
                raise
            return own.own._replace(faults=(error, *own.faults))

    def _at(self, site: Site) -> VaultLocation:
        if site.error is not None or site.folder is None or site.root is None:
            raise site.error or NoVaultError(f"no vault above {self.cwd}")
        is_users = self._is_users(site)
        pointer = self._limited(site.pointer) if is_users else site.pointer
        named = site.pointer if "vault" in site.pointer.values else None
        origin = name_of(named) if named else "found above the working folder"
        location = self._opened(site.root, pointer, origin)
        own = None if is_users else self._own(site.folder)
        if own is None:
            return location
        return location._replace(own=own.own, faults=(*location.faults, *own.faults))

    def _required(self, layer: SettingsLayer) -> Path:
        """Return the vault that a layer names."""
        folder = named_folder(self.cwd, layer)
        return require_vault(folder, layer, unmarked=self.in_force)

    def _is_users(self, site: Site) -> bool:
        """Return True if the vault is the user's default one, or trusted with its
        pointer."""
        if site.folder is None or site.root is None:
            return False
        if self._is_default(site.root):
            return True
        trusted = self.user.trusted
        places = {site.folder, site.root}
        return bool(trusted) and all(is_trusted(place, trusted) for place in places)

    def _is_default(self, root: Path) -> bool:
        if "vault" not in self.user.values:
            return False
        try:
            return root.resolve() == named_folder(self.cwd, self.user)
        except NoVaultError:
            return False

    def _own(self, folder: Path) -> "_Own | None":
        """Return the trusted vault next above a folder, else the default one."""
        faults: list[ToolmemError] = []
        for site in self._trusted_above(folder):
            try:
                location = self._at(site)
                return _Own(location, (*faults, *location.faults))
            except (InvalidFileError, LostVaultError) as error:
                faults.append(error)
        if "vault" in self.user.values:
            try:
                location = self._for_any_project().default(NO_POINTER)
                return _Own(location, (*faults, *location.faults))
            except (InvalidFileError, LostVaultError) as error:
                faults.append(error)
        return _Own(None, tuple(faults)) if faults else None

    def _trusted_above(self, folder: Path) -> Iterator[Site]:
        if not self.user.trusted:
            return
        while folder != folder.parent:
            site = look_up(folder.parent, unmarked=self.in_force)
            if site.folder is None:
                return
            is_broken = site.error is not None
            if self._is_users(site) or (
                is_broken and is_trusted(site.folder, self.user.trusted)
            ):
                yield site
            folder = site.folder

    def _for_any_project(self) -> "_Search":
        """Return the search without a project; a broken settings file is an error."""
        layers = (self.flag, self.environment)
        flag, environment = (
            each._replace(
                values={k: v for k, v in each.values.items() if k != "project"}
            )
            for each in layers
        )
        return self._replace(
            flag=flag, environment=environment, tolerant=False, detects=False
        )

    def _limited(self, pointer: SettingsLayer) -> SettingsLayer:
        """Return the settings that a pointer may make for a vault of the user's own.

        An untrusted one may name the project, and the agent type if the user has not.
        """
        if not pointer.origin or is_trusted(
            Path(pointer.origin).parent, self.user.trusted
        ):
            return pointer
        allowed = {
            name: value
            for name, value in pointer.values.items()
            if name in _UNTRUSTED
            and not (name == "agent_type" and name in self.user.values)
        }
        passed_over = sorted(pointer.values.keys() - allowed.keys())
        if not passed_over:
            return pointer
        message = (
            f"{', '.join(passed_over)}: ignored, because the pointer is not "
            "trusted (run `toolmem trust add` in its folder)"
        )
        problem = Problem(pointer.origin, 0, "not-trusted", message, "warning")
        return pointer._replace(values=allowed, problems=(*pointer.problems, problem))

    def default(self, pointer: SettingsLayer) -> VaultLocation:
        """Return the user's default vault; raise ``NoVaultError`` without one."""
        if "vault" in self.user.values:
            root = self._required(self.user)
            return self._opened(root, pointer, self.user.origin)
        pointed = f", and {pointer.origin} names none" if pointer.origin else ""
        raise NoVaultError(
            f"no vault here: no {VAULT_FILE} in {self.cwd} or above{pointed}; "
            "`toolmem init` creates one, --vault selects one"
        )

    def _opened(self, root: Path, pointer: SettingsLayer, origin: str) -> VaultLocation:
        vault, error = _vault_layer(root)
        if error is not None and not (self.tolerant or self.in_force):
            raise error
        layers = (self.flag, self.environment, pointer, vault, self.user)
        settings = resolve(list(layers))
        if self.detects and not settings["project"].value:
            project = project_of(self.cwd, root)
            settings["project"] = project or settings["project"]
        settings["vault"] = SettingValue("vault", str(root), origin)
        faults = (error,) if error is not None and self.in_force else ()
        return VaultLocation(root, settings, layers, faults=faults)


class _Own(NamedTuple):
    """A vault of the user's own, if one can be used, and why others cannot."""

    own: VaultLocation | None
    faults: tuple[ToolmemError, ...]


def _vault_layer(root: Path) -> tuple[SettingsLayer, UnreadSettingsError | None]:
    """Return the settings of a vault; none, with the error, if they are unreadable."""
    path, text = root / VAULT_FILE, ""
    try:
        text = read_text(path, follow=False)
        return read_layer(text, where="vault", origin=VAULT_FILE), None
    except InvalidFileError as error:
        reason = error.reason if os.path.lexists(path) else MISSING
        code = "conflict-marker" if conflict_marks.conflict_line(text) else "unreadable"
        problem = Problem(VAULT_FILE, error.line, code, reason)
        unread = UnreadSettingsError(str(path), error.line, reason)
        return SettingsLayer("vault", VAULT_FILE, {}, (problem,)), unread
