"""Changing memories that exist: edit, archive, delete, move to another scope."""

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.memories.front_matter import split_header
from toolmem.core.memories.memory_edit import edit_header, replace_body
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.naming import title_of, without_title
from toolmem.core.memories.original import with_summary, without_marker
from toolmem.core.memories.retired import retired
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.memories.topics import stated_topic
from toolmem.core.model import Scope
from toolmem.core.rules.compose import clean_line, clean_tags
from toolmem.core.search.doc import CONTESTED
from toolmem.core.secrets import detect
from toolmem.core.text.safetext import find_unsafe
from toolmem.core.times import rfc3339
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    NotAllowedError,
    UsageError,
)
from toolmem.ops.memories.contradictions import settled_with, unlink_rivals
from toolmem.store.files import files, layout, lock
from toolmem.store.vault.memory_files import MemoryPath, find_memory
from toolmem.store.vault.memory_writer import drop_original, move_memory, set_aside
from toolmem.store.vault.vault import Vault, decode

_OF_OLD_TEXT = {"summary": None, "original": None}
"""Fields that say something about a text, and go with it."""


class MemoryChange(NamedTuple):
    """``updated``, ``unchanged``, ``archived``, ``deleted`` or ``moved``.

    ``remarks`` say which names are new.
    """

    id: str
    action: str
    path: str
    scope: Scope
    remarks: tuple[str, ...] = ()


class MemoryEdits(NamedTuple):
    """Changes of a memory; None keeps a field, an empty value removes it.

    ``uncontested`` takes away the links to memories that contradict it, on both sides;
    ``allow_secret`` stores it even if it looks like a credential.
    """

    body: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] | None = None
    kind: str | None = None
    importance: float | None = None
    private: bool | None = None
    expires_at: date | None = None
    never_expires: bool = False
    uncontested: bool = False
    allow_secret: bool = False

    def fields(self) -> dict[str, Any]:
        """The header fields that change; None where a field goes."""
        changes: dict[str, Any] = {}
        for name in ("topic", "kind"):
            value = getattr(self, name)
            if value is not None:
                changes[name] = clean_line(value, name) if value else None
        if changes.get("topic"):
            changes["topic"] = stated_topic(changes["topic"])
        if self.expires_at or self.never_expires:
            changes["expires_at"] = self.expires_at
        if self.tags is not None:
            changes["tags"] = clean_tags(self.tags) or None
        if self.importance is not None:
            changes["importance"] = checked_importance(self.importance)
        if self.private is not None:
            changes["private"] = self.private or None
        return changes


def checked_importance(value: float) -> float:
    """An importance from 0 to 1, or ``UsageError``."""
    if not 0 <= value <= 1:
        raise UsageError(f"importance is from 0 to 1, not {value:g}")
    return value


def edit_memory(vault: Vault, prefix: str, edits: MemoryEdits) -> MemoryChange:
    """Change fields or the text of a memory; every other byte stays.

    Raises ``NotFoundError``, ``SecretError`` for a credential in the text, and
    ``InvalidFileError`` for a memory whose header cannot be edited safely.
    """
    vault.require_writable()
    changes = edits.fields()
    if not edits.allow_secret:
        about = (changes.get("topic"), changes.get("kind"), *(edits.tags or ()))
        detect.refuse_secrets("\n".join(filter(None, about)), "header")
    if not changes and edits.body is None and not edits.uncontested:
        raise UsageError("nothing to change: name a topic, a tag, a text …")
    with lock.hold(vault.root):
        where = find_memory(vault, prefix)
        data, text = _read(vault, where)
        _require_author(vault, text, where.path)
        edited = edit_header(text, changes, path=where.path) if changes else text
        if edits.uncontested:
            edited = _without_rivals(vault, edited, where.path)
        if edits.body is not None:
            if not edits.allow_secret:
                detect.refuse_secrets(edits.body, "memory", known=text)
            body = new_body(vault, text, checked_body(edits.body), where.path)
            edited = edit_header(edited, _OF_OLD_TEXT, path=where.path)
            edited = replace_body(edited, body, path=where.path)
            edited = set_aside(vault, where.path, edited)
        if edited == text:
            return MemoryChange(where.id, "unchanged", where.path, where.scope)
        now = {"updated": vault.now.replace(microsecond=0)}
        edited = edit_header(edited, now, path=where.path)
        _require_size(edited.encode())
        files.replace(vault.root, where.path, edited.encode(), expected=data)
        if edits.body is not None:
            drop_original(vault, parse_memory(text, path=where.path))
        return MemoryChange(where.id, "updated", where.path, where.scope)


def _require_author(vault: Vault, text: str, path: str) -> None:
    """Refuse an agent the memories that it did not save itself."""
    agent = vault.setting("agent")
    if not agent:
        return
    parsed = parse_memory(text, path=path)
    if parsed.agent != agent:
        author = f"the agent {parsed.agent}" if parsed.agent else "a person"
        raise NotAllowedError(
            f"{parsed.id} was saved by {author}: an agent changes only memories that "
            "it saved itself; save a new one that says what changed"
        )


def _require_size(data: bytes) -> None:
    """Refuse what could not be read again."""
    if len(data) > limits.TEXT_FILE_BYTES:
        size = limits.TEXT_FILE_BYTES // 1024
        raise UsageError(
            f"the memory would be larger than {size} KiB: save it as a new one"
        )


def _without_rivals(vault: Vault, text: str, path: str) -> str:
    """The memory, and those that it is contested with, without these links."""
    parsed = parse_memory(text, path=path)
    unlink_rivals(vault, parsed)
    tags = [tag for tag in parsed.tags if tag != CONTESTED]
    changes = {"contested_with": None, "tags": tags or None}
    changes |= settled_with(parsed, *parsed.contested_with)
    return edit_header(text, changes, path=path) if parsed.contested_with else text


def new_body(vault: Vault, text: str, body: str, path: str) -> str:
    """The new body below its title, with a summary where it is long.

    ``text`` is that of the memory before. The old title stays where it is more than
    the beginning of the old text.
    """
    first, _, rest = body.partition("\n")
    if first.startswith("# "):
        title, body = first[2:].strip(), rest.strip("\n") + "\n"
    else:
        parsed = parse_memory(text, path=path)
        old = without_title(parsed.original or parsed.body)
        title = parsed.title
        if not title or title.rstrip("…") == title_of(old).rstrip("…"):
            title = title_of(body)
    if needs_summary(body):
        body = with_summary(summary_of(title, body, vault.language), body)
    return f"# {title}\n\n{body}"


def checked_body(text: str) -> str:
    """A body as it may be written: its lines end in a line feed, the last too.

    Raises ``UsageError`` for a blank text and one with unsafe characters.
    """
    if split_header(text).opening:
        raise UsageError(
            "the text begins with front matter: use `memory save`, or the "
            "options of `memory edit`"
        )
    body = without_marker(text.replace("\r\n", "\n")).strip("\n")
    unsafe = find_unsafe(body, multiline=True)
    if unsafe:
        line = body.count("\n", 0, unsafe[0]) + 1
        raise UsageError(f"line {line} of the memory contains {unsafe[1]}")
    if not body.strip():
        raise UsageError("the memory is blank")
    return body + "\n"


def memory_source(vault: Vault, prefix: str) -> tuple[str, bytes]:
    """Path and bytes of a memory, for an editor."""
    where = find_memory(vault, prefix)
    return where.path, _read(vault, where)[0]


def replace_memory(
    vault: Vault, path: str, before: bytes, after: bytes, *, allow_secret: bool = False
) -> MemoryChange:
    """Put an edited memory in the place of what it was made from.

    Raises ``InvalidFileError`` when its header cannot be read any more,
    ``SecretError`` for a new credential in it, and ``ExistsError`` when the vault's
    file has changed meanwhile.
    """
    vault.require_writable()
    scope = layout.scope_of(path)
    if scope is None:
        raise UsageError(f"{path} is not a memory")
    _require_size(after)
    parsed = parse_memory(decode(after, path), path=path)
    for problem in parsed.problems:
        if problem.severity == "error":
            raise InvalidFileError(path, problem.line, problem.message)
    known = before.decode("utf-8", "replace")
    _require_author(vault, known, path)
    if not allow_secret:
        detect.refuse_secrets(after.decode("utf-8", "replace"), "memory", known)
    with lock.hold(vault.root):
        if before != after:
            files.replace(vault.root, path, after, expected=before)
    action = "unchanged" if before == after else "updated"
    return MemoryChange(parsed.id, action, path, scope)


def archive_memory(vault: Vault, prefix: str, reason: str) -> MemoryChange:
    """Retire a memory: its file moves to ``archive/`` with the reason."""
    cleaned, moment = clean_line(reason, "reason"), rfc3339(vault.now)
    detect.refuse_secrets(cleaned, "reason", way_out=False)

    def edit(text: str, path: str) -> str:
        return retired(text, cleaned, moment, path=path)

    return _move(vault, prefix, edit, lambda w: layout.archived(w.path), "archived")


def change_scope(vault: Vault, prefix: str, target: Scope) -> MemoryChange:
    """Move a memory to another scope; its id stays."""

    def new_path(where: MemoryPath) -> str:
        old = f"{layout.scope_folder(where.scope)}/"
        return f"{layout.scope_folder(target)}/{where.path.removeprefix(old)}"

    change = _move(vault, prefix, lambda text, _: text, new_path, "moved")
    return change._replace(scope=target)


def delete_memory(vault: Vault, prefix: str) -> MemoryChange:
    """Delete a memory (git keeps what was committed)."""
    vault.require_writable()
    with lock.hold(vault.root):
        where = find_memory(vault, prefix)
        data = vault.tree.read(where.path, limits.TEXT_FILE_BYTES)
        _require_author(vault, data.decode("utf-8", "replace"), where.path)
        files.delete(vault.root, where.path, expected=data)
        parsed = parse_memory(data.decode("utf-8", "replace"), path=where.path)
        drop_original(vault, parsed)
        unlink_rivals(vault, parsed)
        return MemoryChange(where.id, "deleted", where.path, where.scope)


def _move(
    vault: Vault,
    prefix: str,
    edit: Callable[[str, str], str],
    new_path: Callable[[MemoryPath], str],
    action: str,
) -> MemoryChange:
    vault.require_writable()
    with lock.hold(vault.root):
        where = find_memory(vault, prefix)
        wanted = new_path(where)
        if wanted == where.path:
            raise ExistsError(f"{where.id} already exists ({where.path})")
        target = layout.free_path(vault.tree, wanted)
        if action != "archived" and target != wanted:
            raise ExistsError(f"{wanted} is the id of another memory")
        data, text = _read(vault, where)
        _require_author(vault, text, where.path)
        edited = edit(text, where.path)
        move_memory(vault, where.path, target, data, edited)
        if action == "archived":
            unlink_rivals(vault, parse_memory(text, path=where.path))
        return MemoryChange(where.id, action, target, where.scope)


def _read(vault: Vault, where: MemoryPath) -> tuple[bytes, str]:
    data = vault.tree.read(where.path, limits.TEXT_FILE_BYTES)
    return data, decode(data, where.path)
