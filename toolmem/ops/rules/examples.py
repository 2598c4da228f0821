"""The examples inside rules: what a guard or duty must and must not match."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from toolmem.core.duties import examples as duty_examples
from toolmem.core.guard import verdict
from toolmem.core.model import Problem, Rule
from toolmem.core.rules.duty_table import parse_duties
from toolmem.core.rules.guard_table import impossible, parse_guards
from toolmem.errors import NextStep, NotFoundError
from toolmem.ops.rules import listing
from toolmem.store.vault.vault import Vault

_HEADER = re.compile(r"\s*\[\[\s*(guard|duty)\s*\]\]")


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
        rules = list(listing.list_rules(vault).rules)
    return tuple(run_rule(rule) for rule in rules if rule.guards or _duties(rule))


def _required(vault: Vault, prefix: str) -> Rule:
    rule = listing.show_rule(vault, prefix)
    if rule is None:
        raise NotFoundError(
            f"no rule {prefix!r}: ", NextStep("rule.list"), " shows the ids"
        )
    return rule


def run_rule(rule: Rule) -> RuleTest:
    """Run the examples of one rule's guards and duties."""
    count, problems = guard_problems(rule.guards, rule.path)
    more, defects = duty_problems(_duties(rule), rule.path)
    return RuleTest(rule, count + more, (*problems, *defects))


def _duties(rule: Rule) -> Sequence[Mapping[str, Any]]:
    tables: Sequence[Mapping[str, Any]] = rule.stated.get("duty", ())
    return tables


def guard_problems(
    tables: Sequence[Mapping[str, Any]], path: str, text: str = ""
) -> tuple[int, tuple[Problem, ...]]:
    """Return the number of examples in guard tables, and the problems of both.

    ``text`` is the file's, for the lines of the tables.
    """
    lines = _header_lines(text, "guard")
    wrong: list[Problem] = []
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
        for failed in verdict.run_examples(guard):
            verb = "does not match" if failed.key == "match" else "matches"
            message = f"guard {number} {verb} {failed.example!r}"
            problems.append(Problem(path, 0, "guard-example", message))
        line = lines[number - 1] if number <= len(lines) else 1
        wrong += [problem._replace(line=line) for problem in problems]
    return count, tuple(wrong)


def duty_problems(
    tables: Sequence[Mapping[str, Any]], path: str, text: str = ""
) -> tuple[int, tuple[Problem, ...]]:
    """Return the number of examples in duty tables, and the problems of both."""
    lines = _header_lines(text, "duty")
    count = 0
    problems: list[Problem] = []
    for number, (table, line) in enumerate(zip_longest(tables, lines), 1):
        if table is None:
            break
        (duty,), defects = parse_duties([table], path=path, first=number)
        problems += [problem._replace(line=line or 1) for problem in defects]
        if duty.broken:
            continue
        count += len(duty.match) + len(duty.not_match)
        for failed in duty_examples.failed_examples(duty):
            verb = "does not match" if failed.key == "match" else "matches"
            message = f"duty {number} {verb} {failed.example!r}"
            problems.append(Problem(path, line or 1, "duty-example", message))
    return count, tuple(problems)


def _header_lines(text: str, name: str) -> list[int]:
    headers = ((n, _HEADER.match(line)) for n, line in enumerate(text.split("\n"), 1))
    return [number for number, header in headers if header and header[1] == name]
