"""Moving a rule to another scope: the same file, with all of its history."""

from toolmem.core.model import Scope
from toolmem.errors import ExistsError, UsageError
from toolmem.ops.rules.change import ChangeResult
from toolmem.ops.rules.listing import Views, find_file, one_scope, require_person
from toolmem.store.files import files, layout, lock
from toolmem.store.vault.rule_writer import read_rule_text
from toolmem.store.vault.vault import Vault


def move_rule(
    vault: Vault, prefix: str, target: Scope, scope: Scope | None = None
) -> ChangeResult:
    """Move the file of a rule to another scope; its id and text stay.

    Raises ``NotFoundError``, ``ExistsError`` where the target holds its id, and
    ``UsageError`` for an override, which means nothing without its rule.
    """
    vault.require_writable()
    with lock.hold(vault.root):
        file, same = find_file(vault, prefix, scope)
        if scope is None:
            one_scope(prefix, file, same)
        require_person(vault, file, same)
        if "rule" not in file.stated:
            raise UsageError(
                f"{file.id} overrides a rule: move the overridden rule instead"
            )
        if any(one.scope == target for one in same):
            raise ExistsError(f"{target} contains {file.id} already")
        name = file.path.rpartition("/")[2]
        wanted = f"{layout.rules_folder(target, file.folder_tool)}/{name}"
        path = layout.free_path(vault.tree, wanted)
        data, _ = read_rule_text(vault, file.path)
        files.move(vault.root, file.path, path, expected=data)
        rule = Views(same).rule(file)
        moved = rule._replace(scope=target, path=path) if rule else None
        return ChangeResult(moved, "moved", path)
