"""Tool manifests: list, show, add, and import from a listing of tools."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.declaration import (
    Declaration,
    access_text,
    is_declaration,
    read_declaration,
)
from toolmem.core.access.permit import ACCESS
from toolmem.core.formats.document_text import read_document
from toolmem.core.formats.toml_edit import edit_toml, toml_document
from toolmem.core.model import ANY_TOOL, Scope
from toolmem.core.names import clean_name, encode_name, tool_key
from toolmem.core.rules.compose import clean_line
from toolmem.core.tools.listing import read_listing
from toolmem.core.tools.manifest import Manifest, parse_manifest
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops.rules.listing import every_file
from toolmem.store.files import files, layout, lock
from toolmem.store.vault.rule_files import load_manifests, load_tool_names
from toolmem.store.vault.vault import Vault, decode


class ToolRow(NamedTuple):
    """A tool that has rules or a manifest; ``rules`` counts its rule files."""

    name: str
    key: str
    manifest: Manifest | None
    rules: int


class ToolChange(NamedTuple):
    """``created``, ``updated``, ``unchanged`` or ``refused`` (with the reason)."""

    name: str
    action: str
    path: str
    reason: str = ""
    remarks: tuple[str, ...] = ()


class ManifestChange(NamedTuple):
    """Fields of a manifest to set; lists are added to the existing ones."""

    name: str
    aliases: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    description: str = ""
    version: str = ""


def _everywhere(_: Scope) -> bool:
    return True


def list_tools(
    vault: Vault, counts_in: Callable[[Scope], bool] = _everywhere
) -> tuple[ToolRow, ...]:
    """Every tool with a manifest or a rule in a scope that counts, by name."""
    names = load_tool_names(vault)
    manifests = {tool_key(m.name): m for m in load_manifests(vault)[0]}
    spelling = {key: manifest.name for key, manifest in manifests.items()}
    counts: dict[str, int] = dict.fromkeys(manifests, 0)
    for file in every_file(vault).files:
        if not counts_in(file.scope):
            continue
        tool = str(file.stated.get("tool", file.folder_tool))
        key = names.key(tool)
        counts[key] = counts.get(key, 0) + 1
        spelling.setdefault(key, tool)
    rows = [
        ToolRow(spelling[key], key, manifests.get(key), count)
        for key, count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.key != ANY_TOOL, row.key)))


def show_tool(
    vault: Vault, name: str, counts_in: Callable[[Scope], bool] = _everywhere
) -> ToolRow | None:
    """The tool that a name or an alias means, or None."""
    key = load_tool_names(vault).key(name)
    return next((row for row in list_tools(vault, counts_in) if row.key == key), None)


def add_tool(vault: Vault, wanted: ManifestChange) -> ToolChange:
    """Write a manifest, or add to the one that the tool has.

    Raises ``UsageError`` for a name or word that cannot be kept.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        return _put(vault, wanted, keep_description=False)


def import_tools(
    vault: Vault, listing: str, *, dry_run: bool = False
) -> tuple[ToolChange, ...]:
    """Write a manifest for each tool of a listing; none is overwritten.

    One manifest of the specification of tool memory access (YAML or JSON) is taken,
    too, with what it declares. Raises ``UsageError`` for what is neither.
    """
    document = _listing(listing)
    if is_declaration(document):
        declared = read_declaration(document)
        return (_declare(vault, declared, dry_run=dry_run),)
    tools = read_listing(document)
    if dry_run:
        return tuple(_trial(vault, tool) for tool in tools)
    vault.require_writable()
    changes = []
    with lock.hold(vault.root):
        for tool in tools:
            if tool.refused:
                changes.append(ToolChange(tool.name, "refused", "", tool.refused))
                continue
            wanted = ManifestChange(
                tool.name, arguments=tool.arguments, description=tool.description
            )
            try:
                changes.append(_put(vault, wanted, keep_description=True))
            except ToolmemError as error:
                changes.append(ToolChange(tool.name, "refused", "", str(error)))
    return tuple(changes)


def _trial(vault: Vault, tool: Any) -> ToolChange:
    if tool.refused:
        return ToolChange(tool.name, "refused", "", tool.refused)
    try:
        path = _path(vault, tool.name)
    except ToolmemError as error:
        return ToolChange(tool.name, "refused", "", str(error))
    known = vault.text(path) is not None
    return ToolChange(tool.name, "updated" if known else "created", path)


def _listing(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        document = read_document(text, "listing")
        if document.is_yaml and is_declaration(document.value):
            return document.value
        raise UsageError(f"this is not JSON: {error}") from error


def _declare(vault: Vault, declared: Declaration, *, dry_run: bool) -> ToolChange:
    """Write what a tool may ask of memory; what is there already is never widened."""
    path = _path(vault, clean_name(declared.name))
    before = vault.text(path)
    stated = parse_manifest(before or "", path=path, name=declared.name).stated
    known = stated.get(ACCESS)
    if known is not None and known != declared.access:
        reason = f"{path} declares other access: change it by hand"
        return ToolChange(declared.name, "refused", path, reason)
    if dry_run:
        same = "unchanged" if known is not None else "updated"
        return ToolChange(declared.name, same if before else "created", path)
    vault.require_writable()
    wanted = ManifestChange(
        declared.name, description=declared.description, version=declared.version
    )
    with lock.hold(vault.root):
        change = _put(vault, wanted, keep_description=True)
        if known is not None or not declared.access:
            return change
        data = vault.fresh().tree.read(path, limits.RULE_FILE_BYTES)
        text = decode(data, path)
        newline = "" if text.endswith("\n") else "\n"
        text += newline + access_text(declared.access)
        if parse_manifest(text, path=path, name="").stated[ACCESS] != declared.access:
            raise UsageError(f"{path} cannot contain this: edit the file by hand")
        files.replace(vault.root, path, text.encode(), expected=data)
    action = "created" if change.action == "created" else "updated"
    return change._replace(action=action)


def _path(vault: Vault, name: str) -> str:
    """Return the path of a tool's manifest, existing or not."""
    key = load_tool_names(vault).key(name)
    for manifest in load_manifests(vault)[0]:
        if tool_key(manifest.name) == key:
            return manifest.path
    return f"{layout.TOOLS}/{encode_name(key)}.toml"


def _put(vault: Vault, wanted: ManifestChange, *, keep_description: bool) -> ToolChange:
    name = clean_name(wanted.name)
    if tool_key(name) == ANY_TOOL:
        raise UsageError("a manifest is for one tool: name it instead of *")
    path = _path(vault, name)
    words = {
        "aliases": [clean_name(alias) for alias in wanted.aliases],
        "verbs": [clean_line(verb, "verb") for verb in wanted.verbs],
        "arguments": [clean_line(word, "argument") for word in wanted.arguments],
    }
    _require_free(vault, path, words["aliases"])
    try:
        data = vault.tree.read(path, limits.RULE_FILE_BYTES)
    except FileNotFoundError:
        table = {"name": name, **{k: v for k, v in words.items() if v}}
        if wanted.description:
            table["description"] = clean_line(wanted.description, "description")
        if wanted.version:
            table["version"] = wanted.version
        text = toml_document(table)
        parse_manifest(text, path=path, name=name)
        files.create(vault.root, path, text.encode())
        return ToolChange(name, "created", path)
    text = decode(data, path)
    stated = parse_manifest(text, path=path, name=name).stated
    changes = _additions(stated, words)
    if wanted.description and not (keep_description and stated.get("description")):
        changes["description"] = clean_line(wanted.description, "description")
    if wanted.version and str(stated.get("version", "")) != wanted.version:
        changes["version"] = wanted.version
    edited = edit_toml(text, changes, path)
    if edited == text:
        return ToolChange(name, "unchanged", path)
    parse_manifest(edited, path=path, name=name)
    files.replace(vault.root, path, edited.encode(), expected=data)
    return ToolChange(name, "updated", path)


def _require_free(vault: Vault, path: str, aliases: Sequence[str]) -> None:
    """An alias means one tool: `check` calls one that means two a defect."""
    for manifest in load_manifests(vault)[0]:
        if manifest.path == path:
            continue
        taken = {tool_key(name) for name in (manifest.name, *manifest.aliases)}
        for alias in aliases:
            if tool_key(alias) in taken:
                raise UsageError(f"{alias!r} is also a name in {manifest.path}")


def _additions(
    stated: Mapping[str, Any], words: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for key, more in words.items():
        known = list(stated.get(key, []))
        new = [word for word in dict.fromkeys(more) if word not in known]
        if new:
            changes[key] = known + new
    return changes
