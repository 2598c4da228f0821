"""Bringing back what was retired: from ``archive/`` to where it was."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.retired import brought_back, successor_of
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.rules.rule_file import OWN_REASON, parse_rule_file
from toolmem.errors import ExistsError, InvalidFileError, NotFoundError, UsageError
from toolmem.ops.memories.contradictions import link_rivals, part_from
from toolmem.store.files import files, layout, lock
from toolmem.store.files.tree import Tree
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.memory_writer import move_memory
from toolmem.store.vault.rule_files import load_rule_files
from toolmem.store.vault.vault import Vault, decode


class RestoreResult(NamedTuple):
    """A rule or memory that is back, and where."""

    id: str
    kind: str
    path: str


class ArchivedFile(NamedTuple):
    """A retired rule or memory."""

    id: str
    kind: str
    path: str


def _everywhere(_: Scope) -> bool:
    return True


def restore(
    vault: Vault, prefix: str, allowed: Callable[[Scope], bool] = _everywhere
) -> RestoreResult:
    """Move an archived rule or memory back, without the reason it left for.

    One whose scope is not ``allowed`` counts as not there. Raises ``NotFoundError``
    for an id that is not in the archive, ``UsageError`` when several begin so,
    ``ExistsError`` when its place is taken.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        entry = _find(vault, prefix)
        target = _home(entry.path)
        scope = layout.scope_of(target)
        if scope is not None and not allowed(scope):
            raise NotFoundError(f"nothing in {layout.ARCHIVE}/ has the id {prefix!r}")
        if layout.free_path(vault.tree, target) != target:
            raise ExistsError(f"{target} already exists: move it away first")
        if entry.kind == "memory":
            _require_free(vault, entry.id)
        data = vault.tree.read(entry.path, limits.TEXT_FILE_BYTES)
        text = decode(data, entry.path)
        edited = unmarked(text, entry.path, entry.kind)
        if entry.kind == "rule":
            _require_no_twin(vault, edited, target)
        if entry.kind == "memory":
            move_memory(vault, entry.path, target, data, edited)
            link_rivals(vault, parse_memory(edited, path=target))
            _part_from_successor(vault, entry.id, successor_of(text))
        else:
            files.move(
                vault.root, entry.path, target, expected=data, data=edited.encode()
            )
        return RestoreResult(entry.id, entry.kind, target)


def _part_from_successor(vault: Vault, back: str, successor: str) -> None:
    """Note in the memory that one was merged into that it is back, under the lock.

    The successor may have been merged into another one since.
    """
    archived: dict[str, str] = {}
    if successor:
        archived = {entry.id: entry.path for entry in archived_files(vault)}
    while successor in archived:
        successor = successor_of(vault.text(archived.pop(successor)) or "")
    part_from(vault, back, successor)


def _require_free(vault: Vault, memory_id: str) -> None:
    """Refuse an id that another memory has: an id names one memory."""
    for where in every_memory(vault):
        if where.id == memory_id:
            raise ExistsError(f"{where.path} has this id: archive or delete it first")


def _require_no_twin(vault: Vault, text: str, path: str) -> None:
    """Refuse the id of a rule that is in use: in the scope, or for another rule."""
    scope = layout.scope_of(path) or SYSTEM
    file = parse_rule_file(text, path=path, scope=scope, folder_tool="")
    is_override = "rule" not in file.stated or "tool" not in file.stated
    for other in load_rule_files(vault, layout.all_scopes(vault.tree)).files:
        overrides = "rule" not in other.stated or "tool" not in other.stated
        same_place = other.scope == file.scope
        if other.id == file.id and (same_place or not (is_override or overrides)):
            raise ExistsError(f"{other.path} has this id: archive or delete it first")


def unmarked(text: str, path: str, kind: str) -> str:
    """An archived text as it was, without the reason it left for.

    Raises ``InvalidFileError`` for one that cannot be edited.
    """
    if kind == "rule":
        own = parse_toml(text, path).get(OWN_REASON)
        marks = {"reason": own, "archived_at": None, OWN_REASON: None}
        return edit_toml(text, marks, path)
    return brought_back(text, path=path)


def _find(vault: Vault, prefix: str) -> ArchivedFile:
    everything = list(archived_files(vault))
    by_path = [e for e in everything if prefix in (e.path, _home(e.path))]
    exact = by_path or [entry for entry in everything if entry.id == prefix]
    matches = exact or [entry for entry in everything if entry.id.startswith(prefix)]
    if not prefix or not matches:
        raise NotFoundError(f"nothing in {layout.ARCHIVE}/ has the id {prefix!r}")
    if len(matches) > 1:
        paths = ", ".join(entry.path for entry in matches[:5])
        raise UsageError(f"{prefix!r} is ambiguous, name one by its path: {paths}")
    return matches[0]


def _home(path: str) -> str:
    return path.removeprefix(f"{layout.ARCHIVE}/")


def archived_files(vault: Vault) -> Iterator[ArchivedFile]:
    """Yield the retired rules and memories."""
    for path in files_in(vault.tree, layout.ARCHIVE):
        name = path.rpartition("/")[2]
        if name.endswith(".md") and f"/{layout.MEMORY}/" in path:
            yield ArchivedFile(name.removesuffix(".md"), "memory", path)
        elif name.endswith(".toml") and f"/{layout.RULES}/" in path:
            rule_id = _rule_id(vault, path)
            if rule_id:
                yield ArchivedFile(rule_id, "rule", path)


def _rule_id(vault: Vault, path: str) -> str | None:
    scope = layout.scope_of(_home(path))
    if scope is None:
        return None
    try:
        text = vault.text(path, limits.RULE_FILE_BYTES)
        if text is None:
            return None
        return parse_rule_file(text, path=path, scope=scope, folder_tool="").id
    except InvalidFileError:
        return None


def files_in(tree: Tree, folder: str) -> Iterator[str]:
    """Every file below a folder, by path."""
    for entry in tree.entries(folder):
        path = f"{folder}/{entry.name}"
        if entry.kind == "folder":
            yield from files_in(tree, path)
        elif entry.kind == "file":
            yield path
