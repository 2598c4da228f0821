"""``toolmem rule``: what is known about how to use each tool."""

from collections.abc import Mapping
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.api import documents, notices
from toolmem.api.documents import (
    found_rule_document,
    put_document,
    rule_document,
    rules_document,
)
from toolmem.cli import offers
from toolmem.cli.commands import why as accounts
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    PriorityOption,
    ProjectOption,
    ReasonOption,
    RuleIdArgument,
    ScopeOption,
    TagOption,
    ToolArgument,
)
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_table,
    fields,
    print_notice,
    print_notices,
    table,
)
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import Exit, command, group, run_of
from toolmem.core import limits
from toolmem.core.formats.toml_edit import toml_value
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.guard.derivation.stated import effect_of, guard_line
from toolmem.core.model import Rule
from toolmem.core.shown import tool_label
from toolmem.errors import InvalidFileError, NotFoundError, UsageError

app = group("Rules of tools: add, list, change, explain.")

ExpiresOption = Annotated[
    str,
    Option(
        "--expires",
        metavar="WHEN",
        help="A date (its end), a time, or a span such as 30d.",
    ),
]


@command(app, "add")
def add(
    ctx: Context,
    tool: ToolArgument,
    text: Annotated[
        str,
        Argument(metavar="TEXT", help="Text of the rule; - reads standard input."),
    ],
    priority: PriorityOption = "",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    tag: TagOption = [],  # noqa: B006 (Typer needs the list itself)
    expires: ExpiresOption = "",
    rule_id: Annotated[
        str,
        Option("--id", metavar="ID", help="Id to store the rule under."),
    ] = "",
    source: Annotated[
        str,
        Option(
            "--source",
            metavar="SOURCE",
            help="user_explicit, post_turn or programmatic.",
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
    guard: Annotated[
        list[str],
        Option(
            "--guard",
            metavar="TOML",
            help='A guard of the rule: \'command = ["git", "push", "-f"]\'; '
            "may be given several times.",
        ),
    ] = [],  # noqa: B006
    no_guard: Annotated[
        bool,
        Option("--no-guard", help="Do not derive a guard from the text."),
    ] = False,
    reason: ReasonOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a rule to a tool."""
    result = (
        run_of(ctx)
        .vault_for(project, agent_type)
        .rule.add(
            tool,
            text_or_stdin(text, "rule"),
            priority=priority,
            scope=scope,
            tag=tag or None,
            expires=expires,
            id=rule_id,
            source=source,
            evidence=evidence,
            guard=[guard_table(one) for one in guard],
            no_guard=no_guard,
            reason=reason,
            allow_secret=allow_secret,
        )
    )
    print_notices(notices.put_notices(result))
    if as_json:
        emit_json(put_document(result))
    else:
        emit(done(result.action, result.rule.id, result.rule.path))


@command(app, "show")
def show(
    ctx: Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one rule."""
    found = run_of(ctx).vault_for().rule.show(rule_id, scope=scope)
    if as_json:
        emit_json(found_rule_document(found))
    elif found.rule is not None:
        document = rule_document(found.rule)
        guards = document.pop("guard", [])
        shown = {"guard": [toml_value(guard) for guard in guards]}
        emit(fields(document | shown | {"checks": guard_line(found.rule)}))
    if found.rule is None:
        print_notice(f"no rule {rule_id!r}: `toolmem rule list` shows the ids")
        raise Exit(NotFoundError.exit_code)


@command(app, "list")
def list_(
    ctx: Context,
    tool: Annotated[
        str,
        Argument(
            metavar="TOOL",
            help="Only rules that apply to this tool.",
            autocompletion=offers.tools,
        ),
    ] = "",
    effective: Annotated[
        bool,
        Option(
            "--effective",
            help="Only rules in effect (the default with a project, agent type or "
            "agent).",
        ),
    ] = False,
    scope: ScopeOption = "",
    priority: PriorityOption = "",
    tag: Annotated[
        str, Option("--tag", metavar="TAG", help="Only rules with this tag.")
    ] = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List rules by priority, then newest first."""
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    effective = effective or bool(project or agent_type or agent)
    found = vault.rule.list(
        tool, effective=effective or None, scope=scope, priority=priority, tag=tag
    )
    print_notices(notices.rules_notices(found))
    if as_json:
        emit_json(rules_document(found))
    else:
        heads = ("ID", "PRIORITY", "TOOL", "SCOPE", "EFFECT", "RULE")
        emit_table(map(_row, found.rules), heads)


@command(app, "why")
def why(
    ctx: Context,
    rule_id: RuleIdArgument,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Explain where a rule comes from and what it does.

    Shows its overrides, its guards and whether the prompt contains it.
    """
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    answer = vault.rule.why(rule_id)
    if as_json:
        emit_json(documents.why_document(answer))
    else:
        emit(accounts.why_text(answer))


def done(action: str, rule_id: str, path: str) -> str:
    """One line that says what was done to which rule."""
    return table([(rule_id[: limits.ID_SHOWN], action, path)])


def _row(rule: Rule) -> tuple[str, ...]:
    state = "" if rule.enabled else " (disabled)"
    return (
        rule.id[: limits.ID_SHOWN],
        rule.priority.value,
        tool_label(rule.tool),
        f"{rule.scope} in {rule.vault}" if rule.vault else str(rule.scope),
        effect_of(rule),
        rule.rule + state,
    )


def guard_table(text: str) -> Mapping[str, Any]:
    """A guard table of a flag: ``key = value``, or several in braces."""
    try:
        inside = parse_toml(f"guard = {text}" if text[:1] == "{" else text, "--guard")
    except InvalidFileError as error:
        raise UsageError(f"--guard {text!r}: {error.reason}") from error
    given = inside["guard"] if text[:1] == "{" else inside
    return given if isinstance(given, Mapping) else {}
