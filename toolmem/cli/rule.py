"""``toolmem rule``: what is known about how to use each tool."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolmem.cli import complete
from toolmem.cli.documents import rule_document
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    PriorityOption,
    ProjectOption,
    RuleIdArgument,
    ScopeOption,
    TagOption,
    ToolArgument,
)
from toolmem.cli.output import emit, emit_json, fields, remark, table
from toolmem.cli.run import some_scope, target_scope, text_or_stdin
from toolmem.cli.tree import command, group, run_of
from toolmem.core import limits
from toolmem.core.model import Priority, Rule, Source
from toolmem.core.on_demand import OnDemand
from toolmem.core.times import parse_expiry
from toolmem.core.toml_edit import toml_value
from toolmem.core.toml_text import parse_toml
from toolmem.errors import InvalidFileError, UsageError
from toolmem.ops import rule_put, rules

if TYPE_CHECKING:
    from toolmem.cli import why as accounts
    from toolmem.core.guard import tables
    from toolmem.ops import rule_why
else:
    # They bring git and the prompt, which the other commands do not need.
    accounts = OnDemand("toolmem.cli.why")
    rule_why = OnDemand("toolmem.ops.rule_why")
    tables = OnDemand("toolmem.core.guard.tables")

app = group("Rules about tools: add, list, change, explain.")

ExpiresOption = Annotated[
    str,
    typer.Option(
        "--expires", metavar="WHEN", help="A date, a time, or a span such as 30d."
    ),
]


@command(app, "add")
def add(
    ctx: typer.Context,
    tool: ToolArgument,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The rule; - reads standard input.")
    ],
    priority: PriorityOption = "normal",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    tag: TagOption = [],  # noqa: B006 (Typer wants the list itself)
    expires: ExpiresOption = "",
    rule_id: Annotated[
        str,
        typer.Option("--id", metavar="ID", help="Put the rule under this id."),
    ] = "",
    source: Annotated[
        str,
        typer.Option(
            "--source",
            metavar="SOURCE",
            help="user_explicit, post_turn or programmatic.",
        ),
    ] = Source.USER_EXPLICIT.value,
    evidence: Annotated[
        str, typer.Option("--evidence", metavar="TEXT", help="What it came from.")
    ] = "",
    guard: Annotated[
        list[str],
        typer.Option(
            "--guard",
            metavar="TOML",
            help='What breaks the rule: \'command = ["git", "push", "-f"]\'; '
            "may be given several times.",
        ),
    ] = [],  # noqa: B006
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a rule to a tool, or find it if it is there already."""
    run = run_of(ctx)
    vault = run.open(project, agent_type)
    wanted = rule_put.NewRule(
        tool,
        text_or_stdin(text, "rule"),
        priority_of(priority),
        _source(source),
        tuple(tag),
        parse_expiry(expires, vault.now) if expires else None,
        evidence or None,
        rule_id or None,
        tuple(map(_guard, guard)),
    )
    result = rule_put.put_rule(
        vault,
        wanted,
        target_scope(vault, scope),
        run.new_id,
        allow_secret=allow_secret,
    )
    if result.clamped:
        remark("an agent's rule is at most high: a person can raise it")
    elif result.action == "exists" and wanted.priority.rank < result.rule.priority.rank:
        raised = f"rule edit {result.rule.id[: limits.ID_SHOWN]} -p {wanted.priority}"
        remark(f"it is there as {result.rule.priority}: `toolmem {raised}` raises it")
    elif result.rule.priority is Priority.NORMAL and result.action == "created":
        remark("a normal rule is not in the prompt block; -p high or critical is")
    if as_json:
        document = {**rule_document(result.rule), "action": result.action}
        emit_json({**document, **({"clamped": True} if result.clamped else {})})
    else:
        emit(done(result.action, result.rule.id, result.rule.path))


@command(app, "show")
def show(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    scope: ScopeOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one rule."""
    rule = rules.show_rule(run_of(ctx).open(), rule_id, some_scope(scope))
    if rule is None:
        remark(f"no rule {rule_id!r}: `toolmem rule list` shows the ids")
        raise typer.Exit(1)
    if as_json:
        emit_json(rule_document(rule))
    else:
        document = rule_document(rule)
        guards = document.pop("guard", [])
        emit(fields(document | {"guard": [toml_value(guard) for guard in guards]}))


@command(app, "list")
def list_(
    ctx: typer.Context,
    tool: Annotated[
        str,
        typer.Argument(
            metavar="TOOL",
            help="Only this tool's rules.",
            autocompletion=complete.tools,
        ),
    ] = "",
    effective: Annotated[
        bool,
        typer.Option(
            "--effective",
            help="Only rules in effect, as when a project, type or agent is given.",
        ),
    ] = False,
    scope: ScopeOption = "",
    priority: PriorityOption = "",
    tag: Annotated[
        str, typer.Option("--tag", metavar="TAG", help="Only rules with this tag.")
    ] = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List rules: by priority, then newest first."""
    vault = run_of(ctx).open(project, agent_type, agent)
    wanted = priority_of(priority) if priority else None
    effective = effective or bool(project or agent_type or agent)
    if effective and scope:
        raise UsageError("rules in effect are those of the chain: leave out --scope")
    if effective:
        found = rules.effective_rules(
            vault, tool or None, priority=wanted, tag=tag or None
        )
    else:
        found = rules.list_rules(
            vault,
            tool or None,
            scope=some_scope(scope),
            priority=wanted,
            tag=tag or None,
        )
    for broken in found.unreadable:
        remark(f"{broken.path}: cannot be read: {broken.reason}")
    if as_json:
        emit_json([rule_document(rule) for rule in found.rules])
    else:
        emit(table(_row(rule) for rule in found.rules))


@command(app, "why")
def why(
    ctx: typer.Context,
    rule_id: RuleIdArgument,
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Tell where a rule comes from, what overrides it, and whether it is shown."""
    vault = run_of(ctx).open(project, agent_type, agent)
    answer = rule_why.why_rule(vault, rule_id)
    if as_json:
        emit_json(accounts.why_document(answer))
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
        rule.tool,
        str(rule.scope),
        rule.rule + state,
    )


def priority_of(text: str) -> Priority:
    """The priority of a flag; ``UsageError`` for another word."""
    try:
        return Priority(text.strip().lower())
    except ValueError:
        raise UsageError(f"no priority {text!r}: critical, high or normal") from None


def _guard(text: str) -> dict[str, Any]:
    """A guard table of a flag: ``key = value``, or several in braces."""
    try:
        inside = parse_toml(f"guard = {text}" if text[:1] == "{" else text, "--guard")
    except InvalidFileError as error:
        raise UsageError(f"--guard {text!r}: {error.reason}") from error
    given = inside["guard"] if text[:1] == "{" else inside
    guard = {"action": "deny", **given} if isinstance(given, dict) else {}
    _, problems = tables.parse_guards([guard], path="--guard")
    if problems:
        raise UsageError(problems[0].message.replace("guard 1:", "--guard:"))
    return guard


def _source(text: str) -> Source:
    try:
        return Source(text.strip().lower())
    except ValueError:
        names = ", ".join(source.value for source in Source)
        raise UsageError(f"no source {text!r}: {names}") from None
