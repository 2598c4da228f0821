"""Changing rules that exist: edit, override, archive, delete."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.guard.derivation.stored import read_rule
from toolmem.core.model import Priority, Rule, Scope
from toolmem.core.names import folder_key
from toolmem.core.rules import compose
from toolmem.core.rules.effective import layers_of, rule_from
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import is_narrower
from toolmem.core.secrets import detect
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import InvalidFileError, NextStep, UsageError
from toolmem.ops.rules.listing import Views, find_file, one_scope, require_person
from toolmem.ops.rules.put import reread
from toolmem.store.files import layout, lock
from toolmem.store.files.walk import kind_of
from toolmem.store.state import undo_steps
from toolmem.store.vault.rule_writer import (
    archive_file,
    create_file,
    delete_file,
    edit_file,
    read_rule_text,
    replace_file,
)
from toolmem.store.vault.vault import Vault


class ChangeResult(NamedTuple):
    """The current rule, and ``updated``, ``unchanged``, ``archived`` …

    ``remarks`` say which names are new.
    """

    rule: Rule | None
    action: str
    path: str
    remarks: tuple[str, ...] = ()


class Edits(NamedTuple):
    """Changes of a rule; None keeps a field.

    ``never_expires`` takes the expiry away; ``tags`` replace those there are;
    ``allow_secret`` stores it even if it looks like a credential, ``no_guard`` that
    no guard is to follow from the text.
    """

    text: str | None = None
    priority: Priority | None = None
    tags: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    never_expires: bool = False
    evidence: str | None = None
    reason: str | None = None
    allow_secret: bool = False
    no_guard: bool = False

    def changes(self) -> dict[str, Any]:
        """The keys that change, checked; None where a key goes.

        Raises ``UsageError`` for what cannot be kept, ``SecretError`` for a secret.
        """
        changes: dict[str, Any] = {}
        if self.text is not None:
            changes["rule"] = compose.clean_rule_text(self.text)
        if self.priority is not None:
            changes["priority"] = self.priority.value
        if self.tags is not None:
            cleaned = compose.clean_tags(self.tags)
            changes["tags"] = cleaned or None
        if self.expires_at is not None or self.never_expires:
            changes["expires_at"] = self.expires_at
        if self.evidence is not None:
            changes["evidence"] = compose.clean_line(self.evidence, "evidence")
        if self.reason is not None:
            changes["reason"] = compose.clean_line(self.reason, "reason")
        if not self.allow_secret:
            for key in ("rule", "evidence", "reason"):
                detect.refuse_secrets(changes.get(key) or "", key)
            detect.refuse_secrets(
                "\n".join(self.tags or ()), "tag"
            )  # before their form
        return changes


def edit_rule(
    vault: Vault, prefix: str, edits: Edits, scope: Scope | None = None
) -> ChangeResult:
    """Change some keys of one rule file; every other byte stays.

    Raises ``NotFoundError``, and ``UsageError`` where the change is not allowed.
    """
    vault.require_writable()
    changes = edits.changes()
    if not changes and not edits.no_guard:
        raise UsageError("nothing to change: name a text, a priority, a tag …")
    with lock.hold(vault.root):
        file, same = find_file(vault, prefix, scope)
        changes = {k: v for k, v in changes.items() if file.stated.get(k) != v}
        changes |= _no_guard(file) if edits.no_guard else {}
        agent = vault.setting("agent")
        if agent:
            changes = _by_agent(file, changes, agent)
        elif "agent" in file.stated and changes.get("priority") == "critical":
            # A person raises it, and answers for it from now on.
            changes |= {"agent": None, "source": "user_explicit"}
        if not changes:
            return ChangeResult(Views(same).rule(file), "unchanged", file.path)
        _require_allowed(vault, same, file, changes)
        text = edit_file(vault, file.path, {**changes, "updated_at": vault.now})
        return ChangeResult(_seen(text, file, same), "updated", file.path)


def _no_guard(file: RuleFile) -> dict[str, Any]:
    """The change that refuses guards which follow from the text.

    Raises ``UsageError`` for guards that a person wrote: the file has those.
    """
    guards = file.stated.get("guard")
    if guards:
        raise UsageError(
            f"the guards of this rule are written in {file.path}: edit them there (",
            NextStep("rule.edit", f"{file.id[: limits.ID_SHOWN]}"),
            ")",
        )
    return {} if guards == [] else {"guard": []}


def rule_source(vault: Vault, name: str, scope: Scope | None) -> tuple[str, bytes]:
    """Path and bytes of a rule file, for an editor; ``name`` is an id or the path."""
    path = name if kind_of(name) == "rule" else find_file(vault, name, scope)[0].path
    return path, read_rule_text(vault, path)[0]


def source_problem(path: str, data: bytes) -> str:
    """Return why a rule file with this content cannot be read, with its place."""
    try:
        _source(path, data)
    except InvalidFileError as error:
        return str(error)
    return ""


def _source(path: str, data: bytes) -> RuleFile:
    scope = layout.scope_of(path)
    if scope is None:
        raise UsageError(f"{path} is not a rule file")
    text, tool = data.decode("utf-8", "replace"), folder_key(path.split("/")[-2])
    return read_rule(text, path=path, scope=scope, folder_tool=tool)


def replace_source(
    vault: Vault, path: str, before: bytes, after: bytes, *, allow_secret: bool = False
) -> ChangeResult:
    """Put an edited file in the place of what it was made from.

    Raises ``InvalidFileError`` when it is not a rule file any more, ``SecretError``
    for a new credential in it and ``ExistsError`` when the vault's file has
    changed meanwhile.
    """
    vault.require_writable()
    if vault.setting("agent"):
        raise UsageError("an agent cannot use an editor: change the rule with flags")
    new = _source(path, after)
    stated = {} if source_problem(path, before) else _source(path, before).stated
    if "rule" in stated and stated["id"] != new.id:
        known = stated["id"]
        raise InvalidFileError(path, 1, f"the id of a rule cannot change ({known})")
    if "rule" in new.stated:
        compose.clean_rule_text(new.stated["rule"])
    _require_visible(stated, new)
    if not allow_secret:
        texts = (data.decode("utf-8", "replace") for data in (after, before))
        detect.refuse_secrets(next(texts), "rule", known=next(texts))
    stamp = new.stated.get("updated_at")
    is_dated = stamp is not None or "created_at" in new.stated
    if before != after and is_dated and stamp == stated.get("updated_at"):
        after = _stamped(after, vault.now, path)
    with lock.hold(vault.root):
        if before != after:
            replace_file(vault, path, before, after)
    rule = rule_from(new.stated, new) if "rule" in new.stated else None
    return ChangeResult(rule, "unchanged" if before == after else "updated", path)


def _require_visible(stated: Mapping[str, Any], new: RuleFile) -> None:
    """Raise ``UsageError`` for an unsafe character in a short text that is new."""
    for key in ("tool", "tags", "evidence", "reason"):
        value = new.stated.get(key)
        for text in value if isinstance(value, list) else [value or ""]:
            unsafe = find_unsafe(text, multiline=True)
            if unsafe and value != stated.get(key):
                raise UsageError(f"the {key} contains {unsafe[1]}")


def _stamped(data: bytes, now: datetime, path: str) -> bytes:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data  # bytes that are no text are kept as they came
    return edit_toml(text, {"updated_at": now}, path).encode()


def override_rule(
    vault: Vault,
    prefix: str,
    scope: Scope,
    edits: Edits,
    *,
    enabled: bool | None = None,
) -> ChangeResult:
    """Write what a narrower scope says differently about a rule.

    Raises ``NotFoundError``, and ``UsageError`` for a scope that is not narrower
    and for a weakening of a critical rule that is not allowed.
    """
    vault.require_writable()
    changes = edits.changes()
    if enabled is not None:
        changes["enabled"] = enabled
    if not set(changes) - {"reason"}:
        raise UsageError("nothing to override: disable it, or name a priority or text")
    with lock.hold(vault.root):
        first, same = find_file(vault, prefix)
        base = next((f for f in same if is_narrower(scope, f.scope)), None)
        if base is None:
            raise UsageError(
                f"{first.id} is a rule of {first.scope}: an override needs a narrower "
                f"scope than that, {scope} is not"
            )
        known = next((file for file in same if file.scope == scope), None)
        stated = dict(known.stated) if known else {}
        table = {**stated, **_author(vault), **changes}
        table |= {"id": base.id, "updated_at": vault.now}
        table = {key: value for key, value in table.items() if value is not None}
        wanted = RuleFile(base.id, scope, "", base.folder_tool, table)
        _require_allowed(vault, same, wanted, table)
        if known is not None:
            text = edit_file(vault, known.path, {**changes, "updated_at": vault.now})
            return ChangeResult(_seen(text, known, same), "updated", known.path)
        return _new_override(vault, base, wanted)


def archive_rule(
    vault: Vault, prefix: str, reason: str, scope: Scope | None = None
) -> ChangeResult:
    """Retire a rule: its file moves to ``archive/`` with the reason."""
    vault.require_writable()
    cleaned = compose.clean_line(reason, "reason")
    detect.refuse_secrets(cleaned, "reason", way_out=False)
    with lock.hold(vault.root):
        file, same = find_file(vault, prefix, scope)
        if scope is None:
            one_scope(prefix, file, same)
        require_person(vault, file, same)
        rule = Views(same).rule(file)
        changes = {"reason": cleaned, "archived_at": vault.now}
        target = archive_file(vault, file.path, changes)
        return ChangeResult(rule, "archived", target)


def delete_rule(vault: Vault, prefix: str, scope: Scope | None = None) -> ChangeResult:
    """Delete a rule file (git keeps what was committed)."""
    vault.require_writable()
    with lock.hold(vault.root):
        file, same = find_file(vault, prefix, scope)
        if scope is None:
            one_scope(prefix, file, same)
        require_person(vault, file, same)
        rule = Views(same).rule(file)
        _, text = read_rule_text(vault, file.path)
        delete_file(vault, file.path)
    undo_steps.note_step(
        vault, "deleted", rule.rule if rule else file.id, file.path, text
    )
    return ChangeResult(rule, "deleted", file.path)


def _new_override(vault: Vault, base: RuleFile, wanted: RuleFile) -> ChangeResult:
    name = base.path.rpartition("/")[2]
    folder = layout.rules_folder(wanted.scope, base.folder_tool)
    path = layout.free_path(vault.tree, f"{folder}/{name}")
    table = {**wanted.stated, "created_at": vault.now}
    text = compose.rule_file_text(table)
    create_file(vault, path, text)
    made = RuleFile(base.id, wanted.scope, path, base.folder_tool, table)
    return ChangeResult(_seen(text, made, (base, made)), "created", path)


def _author(vault: Vault) -> dict[str, Any]:
    agent = vault.setting("agent")
    if agent:
        return {"source": "programmatic", "agent": agent}
    return {"source": "user_explicit"}


def _by_agent(file: RuleFile, changes: Mapping[str, Any], agent: str) -> dict[str, Any]:
    """Mark the changes of an agent as its own."""
    allowed = dict(changes)
    if allowed.get("priority") == "critical":
        allowed["priority"] = "high"
    if "rule" in allowed and "agent" not in file.stated:
        allowed |= {"agent": agent, "source": "programmatic"}
    return allowed


def _require_allowed(
    vault: Vault, same: tuple[RuleFile, ...], file: RuleFile, changes: Mapping[str, Any]
) -> None:
    """Raise ``UsageError`` where a change weakens what it may not weaken."""
    broader = [f for f in same if is_narrower(file.scope, f.scope)]
    if broader:
        stated = {**file.stated, **changes}
        trial = RuleFile(file.id, file.scope, file.path, file.folder_tool, stated)
        for refused in (layer.refused for layer in layers_of(broader, trial)):
            if refused:
                raise UsageError(f"{file.id}: {refused}{_HINTS.get(refused, '')}")
    require_person(vault, file, same)


_HINTS = {"changing a critical rule needs a reason": " (--reason)"}


def _seen(text: str, file: RuleFile, same: tuple[RuleFile, ...]) -> Rule | None:
    if "rule" in file.stated and not any(
        is_narrower(file.scope, f.scope) for f in same
    ):
        return reread(text, file)
    fresh = read_rule(
        text, path=file.path, scope=file.scope, folder_tool=file.folder_tool
    )
    others = [f for f in same if f.path != file.path]
    return Views([*others, fresh]).rule(fresh)
