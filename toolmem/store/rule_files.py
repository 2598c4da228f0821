"""Which rule files a vault holds; a broken one hides no other and is not lost."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.manifest import Manifest, ToolNames, parse_manifest
from toolmem.core.model import ANY_TOOL, Scope, Unreadable
from toolmem.core.names import decode_name, folder_key
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.errors import InvalidFileError
from toolmem.store import layout
from toolmem.store.vault import Vault, decode


class RuleFiles(NamedTuple):
    """The rule files of some scopes, and those that cannot be read."""

    files: tuple[RuleFile, ...]
    unreadable: tuple[Unreadable, ...]


def load_rule_files(vault: Vault, scopes: Iterable[Scope]) -> RuleFiles:
    """Every rule and override file of the scopes."""
    found = [entry for scope in scopes for entry in _scope_files(vault, scope)]
    return RuleFiles(
        tuple(entry for entry in found if isinstance(entry, RuleFile)),
        tuple(entry for entry in found if isinstance(entry, Unreadable)),
    )


def _scope_files(vault: Vault, scope: Scope) -> Iterator[RuleFile | Unreadable]:
    folder = f"{layout.scope_folder(scope)}/{layout.RULES}"
    try:
        tools = vault.tree.entries(folder)
    except InvalidFileError as error:
        yield Unreadable(ANY_TOOL, scope, folder, error.reason)
        return
    for entry in tools:
        if entry.kind == "folder":
            yield from _tool_files(vault, scope, f"{folder}/{entry.name}", entry.name)
        elif entry.kind == "link":
            tool = folder_key(entry.name)
            yield Unreadable(tool, scope, f"{folder}/{entry.name}", "is a link")


def _tool_files(
    vault: Vault, scope: Scope, folder: str, name: str
) -> Iterator[RuleFile | Unreadable]:
    tool = folder_key(name)
    for path, data in vault.tree.read_all(folder, ".toml", limits.RULE_FILE_BYTES):
        try:
            if isinstance(data, InvalidFileError):
                raise data
            yield parse_rule_file(
                decode(data, path), path=path, scope=scope, folder_tool=tool
            )
        except InvalidFileError as error:
            yield Unreadable(tool, scope, path, error.reason)


def load_manifests(vault: Vault) -> tuple[tuple[Manifest, ...], list[InvalidFileError]]:
    """The tool manifests, and why others cannot be read."""
    manifests: list[Manifest] = []
    broken: list[InvalidFileError] = []
    for path, data in vault.tree.read_all(
        layout.TOOLS, ".toml", limits.RULE_FILE_BYTES
    ):
        name = decode_name(path.rpartition("/")[2].removesuffix(".toml"))
        try:
            if isinstance(data, InvalidFileError):
                raise data
            manifests.append(parse_manifest(decode(data, path), path=path, name=name))
        except InvalidFileError as error:
            broken.append(error)
    return tuple(manifests), broken


def load_tool_names(vault: Vault) -> ToolNames:
    """The tools' keys, aliases and spellings."""
    return ToolNames(load_manifests(vault)[0])
