"""``toolmem fact``: short facts that every session needs."""

from toolmem.api.facts import FactResult
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_lines, emit_table
from toolmem.cli.tree import group
from toolmem.ops.memories.fact_listing import FactAnswer, FactListing

group("fact", "Facts: keys and values, one line each in facts.md.")


@operation("fact.set")
def set_(change: FactResult) -> None:
    """Set a fact.

    Changes one line of facts.md.
    """
    fact = change.fact
    if fact is not None:
        emit_lines(
            [f"{change.action} {fact.path}:{fact.line}: {fact.key}: {fact.value}"]
        )


@operation("fact.get")
def get(answer: FactAnswer) -> None:
    """Print the value of a fact.

    The narrowest scope that has the fact wins.
    """
    if answer.fact is not None:
        emit(answer.fact.value or "\n")


@operation("fact.list")
def list_(listing: FactListing) -> None:
    """List facts."""
    rows = ((str(f.scope), f.namespace, f"{f.key}: {f.value}") for f in listing.facts)
    emit_table(rows, ("SCOPE", "NAMESPACE", "FACT"))


operation("fact.delete", about="Delete a fact of one scope.")(set_)
