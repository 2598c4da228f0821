"""``toolmem rule edit``, ``override``, ``archive`` and ``delete``."""

from functools import partial
from typing import Annotated

import typer

from toolmem.cli import editor
from toolmem.cli.documents import rule_document
from toolmem.cli.options import (
    AllowSecretFlag,
    JsonFlag,
    PriorityOption,
    ReasonOption,
    RuleIdArgument,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.rule import app, done, priority_of
from toolmem.cli.run import some_scope, text_or_stdin
from toolmem.cli.tree import command, run_of
from toolmem.core.times import parse_expiry
from toolmem.errors import NotFoundError, UsageError
from toolmem.ops import rule_change


@command(app, "edit")
def edit(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    text: Annotated[
        str, typer.Option("--text", metavar="TEXT", help="The new text.")
    ] = "",
    priority: PriorityOption = "",
    tag: Annotated[
        list[str],
        typer.Option(
            "--tag", metavar="TAG", help="The new tags (all of them; '' for none)."
        ),
    ] = [],  # noqa: B006
    expires: Annotated[
        str,
        typer.Option(
            "--expires", metavar="WHEN", help="A date, a span such as 30d, or never."
        ),
    ] = "",
    evidence: Annotated[
        str, typer.Option("--evidence", metavar="TEXT", help="What it came from.")
    ] = "",
    scope: ScopeOption = "",
    reason: ReasonOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Change a rule by flags, or in your editor when there are none."""
    vault = run_of(ctx).open()
    edits = rule_change.Edits(
        text=text_or_stdin(text, "rule") if text else None,
        priority=priority_of(priority) if priority else None,
        tags=tuple(tag) if tag else None,
        expires_at=(
            parse_expiry(expires, vault.now) if expires not in ("", "never") else None
        ),
        never_expires=expires == "never",
        evidence=evidence or None,
        reason=reason or None,
        allow_secret=allow_secret,
    )
    if edits == rule_change.Edits(allow_secret=allow_secret):
        path, before = rule_change.rule_source(vault, rule_id, some_scope(scope))
        put = partial(rule_change.replace_source, allow_secret=allow_secret)
        changed = editor.edited(vault, path, before, put)
    else:
        changed = rule_change.edit_rule(vault, rule_id, edits, some_scope(scope))
    _show_change(changed, as_json)


@command(app, "override")
def override(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption,
    disable: Annotated[
        bool, typer.Option("--disable", help="The rule does not hold there.")
    ] = False,
    enable: Annotated[
        bool, typer.Option("--enable", help="The rule holds there again.")
    ] = False,
    priority: PriorityOption = "",
    text: Annotated[
        str, typer.Option("--text", metavar="TEXT", help="What it says there.")
    ] = "",
    reason: ReasonOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what a narrower scope does differently about a rule."""
    if disable and enable:
        raise UsageError("--disable and --enable at once")
    vault = run_of(ctx).open()
    edits = rule_change.Edits(
        text=text or None,
        priority=priority_of(priority) if priority else None,
        reason=reason or None,
        allow_secret=allow_secret,
    )
    wanted = some_scope(scope)
    if wanted is None:
        raise UsageError("--scope says where the override holds")
    enabled = False if disable else True if enable else None
    changed = rule_change.override_rule(vault, rule_id, wanted, edits, enabled=enabled)
    _show_change(changed, as_json)


@command(app, "archive")
def archive(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    reason: ReasonOption,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Retire a rule: it moves to archive/ with the reason."""
    changed = rule_change.archive_rule(
        run_of(ctx).open(), rule_id, reason, some_scope(scope)
    )
    _show_change(changed, as_json)


@command(app, "delete")
def delete(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Delete a rule (git keeps what was committed)."""
    vault = run_of(ctx).open()
    try:
        changed = rule_change.delete_rule(vault, rule_id, some_scope(scope))
    except NotFoundError as error:
        remark(str(error))
        raise typer.Exit(1) from None
    _show_change(changed, as_json)


def _show_change(changed: rule_change.Changed, as_json: bool) -> None:
    rule = changed.rule
    if as_json:
        document = rule_document(rule) if rule else {}
        emit_json({**document, "path": changed.path, "action": changed.action})
    else:
        emit(done(changed.action, rule.id if rule else "", changed.path))
