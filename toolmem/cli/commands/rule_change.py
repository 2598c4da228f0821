"""``toolmem rule edit``, ``override``, ``archive`` and ``delete``."""

from functools import partial
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.documents import changed_document, deleted_document
from toolmem.cli import editor, offers
from toolmem.cli.commands.rule import app, done
from toolmem.cli.options import (
    AllowSecretFlag,
    JsonFlag,
    PriorityOption,
    ReasonOption,
    RuleIdArgument,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, print_notice, print_notices
from toolmem.cli.run import some_scope, text_or_stdin
from toolmem.cli.tree import Exit, command, run_of
from toolmem.ops.rules import change as rule_change


@command(app, "edit")
def edit(
    ctx: Context,
    rule_id: RuleIdArgument,
    text: Annotated[str, Option("--text", metavar="TEXT", help="The new text.")] = "",
    priority: PriorityOption = "",
    tag: Annotated[
        list[str],
        Option("--tag", metavar="TAG", help="The new tags (all of them; '' for none)."),
    ] = [],  # noqa: B006
    expires: Annotated[
        str,
        Option(
            "--expires",
            metavar="WHEN",
            help="A date (its end), a span such as 30d, or never.",
        ),
    ] = "",
    evidence: Annotated[
        str,
        Option(
            "--evidence",
            metavar="TEXT",
            help="Where the rule comes from, such as a quotation.",
        ),
    ] = "",
    no_guard: Annotated[
        bool,
        Option("--no-guard", help="Do not derive a guard from the text."),
    ] = False,
    scope: ScopeOption = "",
    reason: ReasonOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Change a rule by flags or in your editor."""
    run = run_of(ctx)
    if not any((text, priority, tag, expires, evidence, reason, no_guard)):
        vault = run.open()
        path, before = rule_change.rule_source(vault, rule_id, some_scope(scope))
        problem = rule_change.source_problem(path, before)
        print_notices([problem] if problem else [])
        put = partial(rule_change.replace_source, allow_secret=allow_secret)
        _show_change(editor.edited(vault, path, before, put), as_json)
        return
    changed = run.vault_for().rule.edit(
        rule_id,
        text=text_or_stdin(text, "rule") if text else "",
        priority=priority,
        tag=tag,
        expires=expires,
        evidence=evidence,
        scope=scope,
        reason=reason,
        allow_secret=allow_secret,
        no_guard=no_guard,
    )
    _show_change(changed, as_json)


@command(app, "override")
def override(
    ctx: Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption,
    disable: Annotated[
        bool, Option("--disable", help="Disable the rule in that scope.")
    ] = False,
    enable: Annotated[
        bool, Option("--enable", help="Enable the rule in that scope again.")
    ] = False,
    priority: PriorityOption = "",
    text: Annotated[
        str,
        Option("--text", metavar="TEXT", help="Text of the rule in that scope."),
    ] = "",
    reason: ReasonOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Override a rule in a narrower scope."""
    changed = (
        run_of(ctx)
        .vault_for()
        .rule.override(
            rule_id,
            scope=scope,
            disable=disable,
            enable=enable,
            priority=priority,
            text=text,
            reason=reason,
            allow_secret=allow_secret,
        )
    )
    _show_change(changed, as_json)


@command(app, "archive")
def archive(
    ctx: Context,
    rule_id: RuleIdArgument,
    reason: ReasonOption,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Move a rule to the archive, with a reason."""
    changed = run_of(ctx).vault_for().rule.archive(rule_id, reason=reason, scope=scope)
    _show_change(changed, as_json)


@command(app, "move")
def move(
    ctx: Context,
    rule_id: RuleIdArgument,
    scope: Annotated[
        str,
        Option(
            "--scope",
            metavar="SCOPE",
            help="Scope to move the rule to.",
            autocompletion=offers.scopes,
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Move a rule to another scope."""
    changed = run_of(ctx).vault_for().rule.move(rule_id, scope=scope)
    _show_change(changed, as_json)


@command(app, "delete")
def delete(
    ctx: Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Delete a rule (git keeps what was committed)."""
    deleted = run_of(ctx).vault_for().rule.delete(rule_id, scope=scope)
    if as_json:
        emit_json(deleted_document(deleted))
    elif deleted.change is not None:
        _show_change(deleted.change, as_json)
    if deleted.change is None:
        print_notice(deleted.reason)
        raise Exit(1)


def _show_change(changed: rule_change.ChangeResult, as_json: bool) -> None:
    rule = changed.rule
    print_notices(notices.change_notices(changed))
    if as_json:
        emit_json(changed_document(changed))
    else:
        emit(done(changed.action, rule.id if rule else "", changed.path))
