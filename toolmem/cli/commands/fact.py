"""``toolmem fact``: short facts that every session needs."""

from typing import Annotated

from typer import Argument, Context

from toolmem.api import notices
from toolmem.api.documents import (
    fact_answer_document,
    fact_change_document,
    facts_document,
)
from toolmem.api.facts import FactResult
from toolmem.cli import offers
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    AllowSecretFlag,
    JsonFlag,
    NamespaceOption,
    ProjectOption,
    ScopeOption,
)
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    emit_table,
    print_notice,
    print_notices,
)
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import Exit, command, group, run_of

app = group("Facts: keys and values, one line each in facts.md.")

KeyArgument = Annotated[
    str,
    Argument(metavar="KEY", help="The fact's key.", autocompletion=offers.fact_keys),
]


@command(app, "set")
def set_(
    ctx: Context,
    key: KeyArgument,
    value: Annotated[
        str, Argument(metavar="VALUE", help="One line; - reads standard input.")
    ],
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    namespace: NamespaceOption = "",
    allow_secret: AllowSecretFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Set a fact.

    Changes one line of facts.md.
    """
    vault = run_of(ctx).vault_for(project, agent_type)
    change = vault.fact.set(
        key,
        text_or_stdin(value, "value").rstrip("\r\n"),
        scope=scope,
        namespace=namespace,
        allow_secret=allow_secret,
    )
    _show_change(change, as_json)


@command(app, "get")
def get(
    ctx: Context,
    key: KeyArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the value of a fact.

    The narrowest scope that has the fact wins.
    """
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    answer = vault.fact.get(key, scope=scope, namespace=namespace)
    if as_json:
        emit_json(fact_answer_document(answer))
    elif answer.fact is not None:
        emit(answer.fact.value or "\n")
    print_notices(notices.fact_notices(answer))
    if answer.fact is None:
        raise Exit(1)


@command(app, "list")
def list_(
    ctx: Context,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List facts."""
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    listing = vault.fact.list(scope=scope, namespace=namespace)
    print_notices(notices.facts_notices(listing))
    if as_json:
        emit_json(facts_document(listing))
    else:
        rows = (
            (str(f.scope), f.namespace, f"{f.key}: {f.value}") for f in listing.facts
        )
        emit_table(rows, ("SCOPE", "NAMESPACE", "FACT"))


@command(app, "delete")
def delete(
    ctx: Context,
    key: KeyArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    namespace: NamespaceOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Delete a fact of one scope."""
    vault = run_of(ctx).vault_for(project, agent_type)
    change = vault.fact.delete(key, scope=scope, namespace=namespace)
    if change.fact is not None or as_json:
        _show_change(change, as_json)
    if change.fact is None:
        space = f", namespace {change.namespace!r}" if change.namespace else ""
        print_notice(f"no fact {key!r} in {change.scope}{space}")
        raise Exit(1)


def _show_change(change: FactResult, as_json: bool) -> None:
    fact = change.fact
    print_notices(notices.fact_change_notices(change))
    if as_json:
        emit_json(fact_change_document(change))
    elif fact is not None:
        emit_lines(
            [f"{change.action} {fact.path}:{fact.line}: {fact.key}: {fact.value}"]
        )
