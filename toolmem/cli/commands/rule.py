"""``toolmem rule``: rules for the use of each tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.api.documents import plain
from toolmem.cli.commands import why as accounts
from toolmem.cli.operation import operation
from toolmem.cli.output import (
    emit,
    emit_lines,
    emit_table,
    fields,
    print_notice,
    remark_dry_run,
    table,
)
from toolmem.cli.tree import group
from toolmem.core import limits
from toolmem.core.candidates.answer import answer_lines
from toolmem.core.formats.toml_edit import toml_value
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.model import Rule
from toolmem.core.shown import tool_label
from toolmem.ops.reports import due as due_duties
from toolmem.ops.reports import explain_rule
from toolmem.ops.rules import examples, listing, put

group("rule", "Rules of tools: add, list, change, explain.")


@operation("rule.add")
def add(result: "put.PutResult", dry_run: bool) -> None:
    """Add a rule to a tool."""
    emit(done(result.action, result.rule.id, result.rule.path))
    remark_dry_run(dry_run)


@operation("rule.show")
def show(rule: Rule) -> None:
    """Show one rule."""
    document = plain(rule)
    guards = [toml_value(guard) for guard in document.pop("guard", [])]
    emit(fields({**document, "guard": guards, "checks": guard_line(rule)}))


@operation("rule.list")
def list_(listed: "listing.RuleListing") -> None:
    """List rules by priority, then newest first."""
    heads = ("ID", "PRIORITY", "TOOL", "SCOPE", "EFFECT", "RULE")
    emit_table(map(_row, listed.rules, listed.effects), heads)


@operation("rule.why")
def why(answer: "explain_rule.RuleExplanation") -> None:
    """Explain where a rule comes from and what it does.

    Shows its overrides, its guards and whether the prompt contains it.
    """
    emit(accounts.why_text(answer))


@operation("rule.test", code=lambda tests: int(any(test.problems for test in tests)))
def run_examples(tests: "Sequence[examples.RuleTest]") -> None:
    """Run the match and not_match examples of guards.

    Exits with 1 if one fails.
    """
    problems = [problem for test in tests for problem in test.problems]
    emit_lines(f"{p.path}: {p.message}" for p in problems)
    if not tests:
        print_notice("no rule has a guard to test")


@operation("rule.due", code=lambda duties: int(bool(duties)))
def due(duties: "Sequence[due_duties.DueNow]") -> None:
    """List what rules demand and is not done.

    Looks at the files that sessions of agents changed in this work tree, and at the
    commands that ran since. Exits with 1 if something is due.
    """
    ends = {"failed": ", failed since", "unknown": ", its result is unknown"}
    emit_lines(
        f"{duty.demand}: {duty.change} changed{ends.get(duty.last, '')} "
        f"({duty.rule.id[: limits.ID_SHOWN]}: {duty.rule.rule})"
        for duty in duties
    )


def _is_refused(document: Mapping[str, Any]) -> int:
    """Return 1 if nothing was kept, retracted or proposed."""
    results = (document.get("kept"), document.get("retracted"), document["proposed"])
    return int(not any(results))


@operation("rule.keep", code=_is_refused)
def keep(document: Mapping[str, Any]) -> None:
    """Keep the user's words as a rule.

    The words are verified against what the user typed.
    """
    emit_lines(answer_lines(document))


operation(
    "rule.retract",
    code=_is_refused,
    about="Retract a rule that the user takes back.\n\n"
    "The words are verified against what the user typed.",
)(keep)


def done(action: str, rule_id: str, path: str) -> str:
    """Return one line that says what was done to which rule."""
    return table([(rule_id[: limits.ID_SHOWN], action, path)])


def _row(rule: Rule, effect: str) -> tuple[str, ...]:
    state = "" if rule.enabled else " (disabled)"
    return (
        rule.id[: limits.ID_SHOWN],
        rule.priority.value,
        tool_label(rule.tool),
        f"{rule.scope} in {rule.vault}" if rule.vault else str(rule.scope),
        effect,
        rule.rule + state,
    )
