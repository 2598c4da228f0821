"""The examples inside rules: what a guard must and must not match."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.guard.verdict import run_examples
from toolmem.core.model import Problem, Rule
from toolmem.core.rules.guard_table import impossible, parse_guards
from toolmem.errors import NextStep, NotFoundError
from toolmem.ops.rules.listing import list_rules, show_rule
from toolmem.store.vault.vault import Vault

_HEADER = re.compile(r"\s*\[\[\s*guard\s*\]\]")


class RuleTest(NamedTuple):
    """Result of the examples of one rule."""

    rule: Rule
    examples: int
    problems: tuple[Problem, ...]


def run_rules(vault: Vault, prefixes: Sequence[str] = ()) -> tuple[RuleTest, ...]:
    """Run the examples of some rules, or of all that have guards.

    Raises ``NotFoundError`` for a rule that is not there.
    """
    if prefixes:
        rules = [_required(vault, prefix) for prefix in prefixes]
    else:
        rules = list(list_rules(vault).rules)
    return tuple(run_rule(rule) for rule in rules if rule.guards)


def _required(vault: Vault, prefix: str) -> Rule:
    rule = show_rule(vault, prefix)
    if rule is None:
        raise NotFoundError(
            f"no rule {prefix!r}: ", NextStep("rule.list"), " shows the ids"
        )
    return rule


def run_rule(rule: Rule) -> RuleTest:
    """Run the examples of one rule's guards."""
    return RuleTest(rule, *guard_problems(rule.guards, rule.path))


def guard_problems(
    tables: Sequence[Mapping[str, Any]], path: str, text: str = ""
) -> tuple[int, tuple[Problem, ...]]:
    """Return the number of examples in guard tables, and the problems of both.

    ``text`` is the file's, for the lines of the tables.
    """
    lines = [n for n, line in enumerate(text.split("\n"), 1) if _HEADER.match(line)]
    found: list[Problem] = []
    count = 0
    for number, table in enumerate(tables, 1):
        (guard,), defects = parse_guards([table], path=path, first=number)
        count += len(guard.match) + len(guard.not_match)
        severity = "error" if guard.broken else "warning"
        problems = [problem._replace(severity=severity) for problem in defects]
        problems += [
            Problem(path, 0, "guard", f"guard {number}: {text}", "warning")
            for text in impossible(table)
        ]
        for failed in run_examples(guard):
            verb = "does not match" if failed.key == "match" else "matches"
            message = f"guard {number} {verb} {failed.example!r}"
            problems.append(Problem(path, 0, "guard-example", message))
        line = lines[number - 1] if number <= len(lines) else 1
        found += [problem._replace(line=line) for problem in problems]
    return count, tuple(found)
