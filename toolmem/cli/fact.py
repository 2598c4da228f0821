"""``toolmem fact``: short facts that every session needs."""

from typing import Annotated

import typer

from toolmem.cli import complete
from toolmem.cli.documents import fact_document, missing_fact
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    NamespaceOption,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import emit, emit_json, remark, table
from toolmem.cli.run import some_scope, target_scope, text_or_stdin
from toolmem.cli.tree import command, group, run_of
from toolmem.ops import fact_change, facts

app = group("Facts: key and value, a line each in facts.md.")

KeyArgument = Annotated[
    str,
    typer.Argument(
        metavar="KEY", help="The fact's key.", autocompletion=complete.fact_keys
    ),
]


@command(app, "set")
def set_(
    ctx: typer.Context,
    key: KeyArgument,
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="One line; - reads standard input.")
    ],
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    namespace: NamespaceOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Set a fact; one line of facts.md changes."""
    vault = run_of(ctx).open(project, agent_type)
    text = text_or_stdin(value, "value").rstrip("\r\n")
    change = fact_change.set_fact(
        vault,
        key,
        text,
        target_scope(vault, scope),
        namespace or None,
        allow_secret=allow_secret,
    )
    _show_change(change, as_json)


@command(app, "get")
def get(
    ctx: typer.Context,
    key: KeyArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the value of a fact: the narrowest scope that has it."""
    vault = run_of(ctx).open(project, agent_type, agent)
    answer = facts.get_fact(vault, key, some_scope(scope), namespace or None)
    for problem in answer.problems:
        remark(f"{problem.path}:{problem.line}: {problem.message}")
    if answer.fact is None:
        if as_json:
            emit_json(missing_fact(key, namespace or None))
        _explain_miss(answer)
        raise typer.Exit(1)
    for other in answer.others:
        remark(
            f"{other.path}:{other.line}: {key} is also in namespace "
            f"{other.namespace}: {other.value}"
        )
    if as_json:
        emit_json(fact_document(answer.fact))
    else:
        emit(answer.fact.value or "\n")


@command(app, "list")
def list_(
    ctx: typer.Context,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List facts: of a scope, of a project's chain, or of the whole vault."""
    vault = run_of(ctx).open(project, agent_type, agent)
    listing = facts.list_facts(vault, some_scope(scope), namespace or None)
    for problem in listing.problems:
        remark(f"{problem.path}:{problem.line}: {problem.message}")
    if as_json:
        emit_json([fact_document(fact) for fact in listing.facts])
    else:
        emit(
            table(
                (str(f.scope), f.namespace, f"{f.key}: {f.value}")
                for f in listing.facts
            )
        )


@command(app, "delete")
def delete(
    ctx: typer.Context,
    key: KeyArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Delete a fact of one scope."""
    vault = run_of(ctx).open(project, agent_type)
    wanted = target_scope(vault, scope)
    change = fact_change.delete_fact(vault, key, wanted, namespace or None)
    if change.fact is None:
        remark(f"no fact {key!r} in {wanted}")
        raise typer.Exit(1)
    _show_change(change, as_json)


def _show_change(change: fact_change.FactChange, as_json: bool) -> None:
    fact = change.fact
    if fact is None:
        return
    if as_json:
        emit_json({**fact_document(fact), "action": change.action})
    else:
        emit(f"{change.action} {fact.path}:{fact.line}: {fact.key}: {fact.value}")


def _explain_miss(answer: facts.FactAnswer) -> None:
    near = f"; near: {', '.join(answer.near)}" if answer.near else ""
    remark(f"no fact {answer.key!r}{near}")
    for fact in answer.elsewhere:
        remark(f"{fact.scope} has it ({fact.path}:{fact.line}): ask with --scope")
