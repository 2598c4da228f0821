"""Folders that the user trusts: their vaults and pointers count as the user's own."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core.formats import toml_edit
from toolmem.errors import NotAllowedError, NotFoundError, NoVaultError, UsageError
from toolmem.store.files import outside
from toolmem.store.files.settings import (
    SettingsLayer,
    environment_layer,
    user_file,
    user_layer,
)
from toolmem.store.files.trust import (
    TRUST,
    Identity,
    TrustedFolder,
    identity_of,
    read_mark,
    write_mark,
)
from toolmem.store.vault.pointer import look_up, named_folder


class TrustState(NamedTuple):
    """A folder, and how it is with the user's trust.

    ``state`` is ``default`` (the user's default vault), ``trusted``, ``gone`` (there
    is no such folder) or ``replaced`` (another folder is at its path) in a listing;
    ``added``, ``unchanged`` or ``removed`` after a change.
    """

    folder: str
    state: str


def list_trusted() -> tuple[TrustState, ...]:
    """The user's default vault and the folders that the user trusts, in their order."""
    user = user_layer()
    default = _default_of(user)
    first = (TrustState(default, "default"),) if default else ()
    return (
        *first,
        *(TrustState(entry.folder, _state(entry)) for entry in user.trusted),
    )


def trust(folder: Path) -> tuple[TrustState, ...]:
    """Trust the vault of a folder, and the pointers that lead to it.

    Raises ``NoVaultError`` where there is neither, ``NotAllowedError`` for an agent and
    ``StorageError`` for a folder that cannot be marked.
    """
    user = settings_of_person()
    default = _default_of(user)
    known = {entry.folder: entry.mark for entry in user.trusted}
    changes = []
    for identity in dict.fromkeys(map(identity_of, _places(folder))):
        name = identity.folder
        if name == default:
            changes.append(TrustState(name, "default"))
            continue
        mark = write_mark(identity, known.values())
        changes.append(
            TrustState(name, "unchanged" if known.get(name) == mark else "added")
        )
        known[name] = mark
    if any(change.state == "added" for change in changes):
        _write([TrustedFolder(*entry) for entry in known.items()])
    return tuple(changes)


def distrust(folder: Path) -> tuple[TrustState, ...]:
    """Take the trust in a folder back.

    Raises ``NotFoundError`` for one that is not trusted, ``NotAllowedError`` for an
    agent.
    """
    user = settings_of_person()
    trusted = {entry.folder for entry in user.trusted}
    names = (identity.folder for identity in _identities(folder))
    name = next((candidate for candidate in names if candidate in trusted), None)
    if name is None:
        raise NotFoundError(
            f"{folder} is not trusted: `toolmem trust list` shows the folders"
        )
    left = [entry for entry in user.trusted if entry.folder != name]
    gone = [entry.mark for entry in user.trusted if entry.folder == name]
    _write(left)
    identity = identity_of(Path(name))
    marks = {entry.mark for entry in left}
    if read_mark(identity) in gone and not marks & set(gone):
        with suppress(OSError):
            identity.mark_file.unlink()
    return (TrustState(name, "removed"),)


def settings_of_person(what: str = "decide which vaults to trust") -> SettingsLayer:
    """The user's settings; ``NotAllowedError`` where an agent would do ``what``."""
    user = user_layer()
    agent = environment_layer().values.get("agent") or user.values.get("agent")
    if agent:
        raise NotAllowedError(
            f"an agent ({agent}) cannot {what}: "
            "run this command yourself, without TOOLMEM_AGENT"
        )
    return user


def default_vault() -> str:
    """The user's default vault, or nothing."""
    return _default_of(user_layer())


def _default_of(user: SettingsLayer) -> str:
    if "vault" not in user.values:
        return ""
    with suppress(NoVaultError):
        return identity_of(named_folder(user_file().parent, user)).folder
    return ""


def _places(folder: Path) -> Iterator[Path]:
    """The folders whose files decide which vault is found from this one."""
    site = look_up(folder)
    if site.error is not None:
        raise site.error
    if site.folder is None and not site.pointer.origin:
        raise NoVaultError(
            f"nothing to trust: no toolmem.toml or .toolmem.toml in {folder} or above"
        )
    if site.pointer.origin:
        yield Path(site.pointer.origin).parent
    yield from (place for place in (site.folder, site.root) if place is not None)


def _identities(folder: Path) -> Iterator[Identity]:
    """The folder itself, then the one above it that names a vault."""
    yield identity_of(folder)
    site = look_up(folder)
    if site.folder is not None:
        yield identity_of(site.folder)


def _state(entry: TrustedFolder) -> str:
    folder = Path(entry.folder)
    if not folder.is_dir():
        return "gone"
    return "trusted" if read_mark(identity_of(folder)) == entry.mark else "replaced"


def _write(trusted: Sequence[TrustedFolder]) -> None:
    path = user_file()
    text = outside.read_text(path) or ""
    tables = [entry._asdict() for entry in trusted]
    try:
        changed = toml_edit.edit_toml(text, {TRUST: tables or None}, str(path))
        changed.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            "a folder whose name is not valid text cannot be trusted: rename it"
        ) from error
    outside.write_text(path, changed)
