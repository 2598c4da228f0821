"""Moving a rule to another scope: the same file, with all of its history."""

from collections.abc import Sequence

from toolmem.core.model import Scope
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import is_narrower
from toolmem.errors import ExistsError, NextStep, UsageError
from toolmem.ops.rules.change import ChangeResult
from toolmem.ops.rules.listing import Views, find_file, require_person
from toolmem.store.files import files, layout, lock
from toolmem.store.vault.rule_writer import read_rule_text
from toolmem.store.vault.vault import Vault


def move_rule(
    vault: Vault, prefix: str, target: Scope, scope: Scope | None = None
) -> ChangeResult:
    """Move the file of a rule to another scope; its id and text stay.

    Raises ``NotFoundError``, ``ExistsError`` where the target contains its id, and
    ``UsageError`` for an override, which means nothing without its rule, and for a
    rule that would leave an override behind.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        file, same = find_file(vault, prefix, scope)
        if scope is None:
            file = _only_rule(prefix, file, same)
        require_person(vault, file, same)
        if "rule" not in file.stated:
            raise UsageError(
                f"{file.id} overrides a rule: move the overridden rule instead"
            )
        if any(version.scope == target for version in same):
            raise ExistsError(f"{target} contains {file.id} already")
        require_kept(file, same, target)
        name = file.path.rpartition("/")[2]
        wanted = f"{layout.rules_folder(target, file.folder_tool)}/{name}"
        path = layout.free_path(vault.tree, wanted)
        data, _ = read_rule_text(vault, file.path)
        files.move(vault.root, file.path, path, expected=data)
        rule = Views(same).rule(file)
        moved = rule._replace(scope=target, path=path) if rule else None
        return ChangeResult(moved, "moved", path)


def _only_rule(prefix: str, file: RuleFile, same: Sequence[RuleFile]) -> RuleFile:
    """Return the file that states the rule; the others are overrides of it."""
    stated = [rule for rule in same if "rule" in rule.stated]
    rules = [
        rule
        for rule in stated
        if not any(is_narrower(rule.scope, other.scope) for other in stated)
    ]
    if len(rules) > 1:
        scopes = ", ".join(dict.fromkeys(str(rule.scope) for rule in rules))
        raise UsageError(
            f"{prefix!r} is a rule in several scopes ({scopes}): "
            "archive or delete all but one of them first"
        )
    return rules[0] if rules else file


def require_kept(file: RuleFile, same: Sequence[RuleFile], target: Scope) -> None:
    """Raise ``UsageError`` for an override that would no longer apply."""
    for other in same:
        applies = is_narrower(other.scope, file.scope)
        if applies and not is_narrower(other.scope, target):
            raise UsageError(
                f"{file.id} is overridden in {other.scope}, which is not narrower than "
                f"{target}: ",
                NextStep("rule.delete", f"{file.id[:8]} --scope {other.scope}"),
                " removes the override",
            )
