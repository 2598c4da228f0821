"""End a rule that its user takes back, as a step that can be undone."""

from toolmem.core.model import Rule, Scope
from toolmem.ops.rules.change import Edits, archive_rule, edit_rule, override_rule
from toolmem.ops.rules.listing import find_file
from toolmem.store.state import undo_steps
from toolmem.store.vault.vault import Vault


def retire(vault: Vault, rule: Rule, reason: str) -> str:
    """Archive a rule; return the path in the archive.

    Raises ``UsageError`` where that is not allowed.
    """
    before = undo_steps.file_text(vault, rule.path)
    path = archive_rule(vault, rule.id, reason, rule.scope).path
    undo_steps.note_step(vault, "retracted", rule.rule, rule.path, before)
    return path


def switch_off(vault: Vault, rule: Rule, scope: Scope, reason: str) -> str:
    """Switch a rule off in a narrower scope; return the path of the override.

    Raises ``UsageError`` where that is not allowed.
    """
    _, files = find_file(vault, rule.id)
    there = next((file.path for file in files if file.scope == scope), "")
    before = undo_steps.file_text(vault, there) if there else ""
    edits = Edits(reason=reason)
    path = override_rule(vault, rule.id, scope, edits, enabled=False).path
    undo_steps.note_step(vault, "retracted", rule.rule, path, before)
    return path


def amend(vault: Vault, rule: Rule, text: str, evidence: str) -> str:
    """Give a rule another text; return its path.

    Raises ``UsageError`` where that is not allowed.
    """
    before = undo_steps.file_text(vault, rule.path)
    path = edit_rule(vault, rule.id, Edits(text, evidence=evidence), rule.scope).path
    undo_steps.note_step(vault, "retracted", rule.rule, path, before)
    return path
