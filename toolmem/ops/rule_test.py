"""The examples inside rules: what a guard must and must not match."""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.guard.examples import run_examples
from toolmem.core.guard.tables import parse_guards
from toolmem.core.model import Problem, Rule
from toolmem.ops.rules import list_rules, show_rule
from toolmem.store.vault import Vault


class RuleTest(NamedTuple):
    """What the examples of one rule came to."""

    rule: Rule
    examples: int
    problems: tuple[Problem, ...]


def run_rules(vault: Vault, prefixes: Sequence[str] = ()) -> tuple[RuleTest, ...]:
    """Run the examples of some rules, or of all that have guards."""
    if prefixes:
        shown = [show_rule(vault, prefix) for prefix in prefixes]
        rules = [rule for rule in shown if rule is not None]
    else:
        rules = list(list_rules(vault).rules)
    return tuple(run_rule(rule) for rule in rules if rule.guards)


def run_rule(rule: Rule) -> RuleTest:
    """Run the examples of one rule's guards."""
    guards, problems = parse_guards(rule.guards, path=rule.path)
    found = list(problems)
    count = 0
    for number, guard in enumerate(guards, 1):
        count += len(guard.match) + len(guard.not_match)
        for failed in run_examples(guard):
            verb = "does not match" if failed.key == "match" else "matches"
            text = f"guard {number} {verb} {failed.example!r}"
            found.append(Problem(rule.path, 1, "guard-example", text))
    return RuleTest(rule, count, tuple(found))
