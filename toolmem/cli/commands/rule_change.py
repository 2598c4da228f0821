"""``toolmem rule edit``, ``override``, ``archive``, ``move`` and ``delete``."""

from collections.abc import Sequence
from functools import partial

from toolmem.cli import editor
from toolmem.cli.commands.rule import done
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, print_notices, remark_dry_run
from toolmem.core.scope import parse_scope
from toolmem.ops.rules import change as rule_change


def _edited(call: Invocation) -> "rule_change.ChangeResult":
    """Change a rule by flags; without any, in the user's editor."""
    if not call.has_only("id", "scope", "allow_secret"):
        changed: rule_change.ChangeResult = call.perform()
        return changed
    vault, scope = call.run.open(**call.names), call.values["scope"]
    path, before = rule_change.rule_source(
        vault, call.values["id"], parse_scope(scope) if scope else None
    )
    problem = rule_change.source_problem(path, before)
    print_notices([problem] if problem else [])
    allow_secret = call.values["allow_secret"]
    put = partial(rule_change.replace_source, allow_secret=allow_secret)
    return editor.edited(vault, path, before, put)


@operation("rule.edit", perform=_edited)
def edit(changed: "rule_change.ChangeResult", dry_run: bool) -> None:
    """Change a rule by flags or in your editor."""
    show(changed)
    remark_dry_run(dry_run)


@operation("rule.move", about="Move a rule to another scope.")
@operation("rule.archive", about="Move a rule to the archive, with a reason.")
@operation("rule.override", about="Override a rule in a narrower scope.")
def show(changed: "rule_change.ChangeResult") -> None:
    """Print what was done to a rule."""
    rule_id = changed.rule.id if changed.rule else ""
    emit(done(changed.action, rule_id, changed.path))


@operation("rule.delete")
def delete(changes: "Sequence[rule_change.ChangeResult]") -> None:
    """Delete rules (git keeps what was committed)."""
    for changed in changes:
        show(changed)
