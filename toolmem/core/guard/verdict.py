"""Decide on a call by every rule that applies to it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.guard import branches, commands, keyword_overlap
from toolmem.core.guard.call_analysis import CallAnalysis, is_tool
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.conditions import (
    NOTHING,
    GuardMatch,
    MatchSubject,
    fit_all,
    fit_file,
)
from toolmem.core.guard.contents import additions
from toolmem.core.model import ANY_TOOL, Action, Priority, Scope
from toolmem.core.patterns.paths import see_path
from toolmem.core.rules.guard_table import Example, Guard
from toolmem.core.shell.operations import CHANGE
from toolmem.core.shell.words import Fit

_PROSE = re.compile(r"\.(?:md|markdown|mdx|txt|rst|adoc)$", re.IGNORECASE)


class RuleForCall(NamedTuple):
    """A rule in effect with its guards.

    ``scope_rank`` is 0 for the most specific scope of the chain. ``certain`` is False
    for the rule of a program that may run but was not found: only its guards count, not
    its words.
    """

    id: str
    rule: str
    priority: Priority
    scope: Scope
    scope_rank: int
    guards: tuple[Guard, ...] = ()
    certain: bool = True


class Verdict(NamedTuple):
    """Action and reason: the rule that decided and its guard's number from 0.

    ``near``: no guard matched, but words of these critical rules are in the call.
    ``conservative``: the call could not be read in full.
    """

    verdict: Action
    rule_id: str | None = None
    rule: str = ""
    guard: int | None = None
    reason: str = ""
    near: tuple[str, ...] = ()
    conservative: bool = False


def subjects(reading: CallAnalysis) -> tuple[str, ...]:
    """Return the names under which rules for a call are stored: its tool, each program
    that its shell texts run, and ``_any``. Aliases are up to the tool's manifest."""
    return tuple(dict.fromkeys((reading.call.tool, *reading.programs(), ANY_TOOL)))


def judge(reading: CallAnalysis, rules: Sequence[RuleForCall]) -> Verdict:
    """Return the strictest answer of all guards.

    The most specific scope breaks ties, then a call that was read in full, the priority
    and the id.
    """
    best: tuple[tuple[object, ...], RuleForCall, int, Match] | None = None
    for rule in rules:
        for number, guard in enumerate(rule.guards):
            match = match_guard(guard, reading)
            if match is None:
                continue
            order = (
                -match.action.rank,
                rule.scope_rank,
                match.conservative,
                rule.priority.rank,
                rule.id,
                number,
            )
            if best is None or order < best[0]:
                best = (order, rule, number, match)
    if best is None:
        return _similar(rules, reading)
    _, rule, number, match = best
    return Verdict(
        match.action,
        rule.id,
        rule.rule,
        number,
        match.why,
        conservative=match.conservative,
    )


def _similar(rules: Sequence[RuleForCall], reading: CallAnalysis) -> Verdict:
    readings = [text for value in reading.values() for text in value.readings]
    whole = "\n".join(dict.fromkeys(readings))
    critical = [r for r in rules if r.certain and r.priority is Priority.CRITICAL]
    critical.sort(key=lambda rule: (rule.scope_rank, rule.id))
    named = [
        (rule, keyword_overlap.matching_words(rule.rule, whole)) for rule in critical
    ]
    matching = [(rule, words) for rule, words in named if words]
    if not matching:
        return Verdict(Action.ALLOW)
    first, words = matching[0]
    reason = "the call names " + ", ".join(words)
    ids = tuple(rule.id for rule, _ in matching)
    return Verdict(Action.WARN, first.id, first.rule, reason=reason, near=ids)


class Match(NamedTuple):
    """A guard that a call matches: the action, and what in the call matched.

    ``conservative``: the call could not be read in full. If the match depends on the
    unknown part, ``deny`` becomes ``ask``.
    """

    action: Action
    why: str
    conservative: bool = False


def match_guard(guard: Guard, reading: CallAnalysis) -> Match | None:
    """Match a call with a guard; a broken guard matches and asks."""
    if guard.broken:
        return Match(Action.ASK, guard.broken, conservative=True)
    if guard.tool and not is_tool(guard.tool, reading.call.tool):
        return None
    if guard.adds:
        fit = _by_additions(guard, reading)
    else:
        by = _by_command if guard.command else _by_values
        fit = by(guard, reading)
    if fit.fit is Fit.NO:
        return None
    sure = fit.fit is Fit.YES
    action = Action.ASK if not sure and guard.action is Action.DENY else guard.action
    why = f"{fit.why} ({guard.note})" if guard.note else fit.why
    return Match(action, why, conservative=fit.as_text or not sure)


def needs_shell(guard: Guard, reading: CallAnalysis) -> bool:
    """Return True if the guard depends on the call's shell text."""
    looks = guard.command or guard.path or guard.host or guard.recipient
    return bool(looks) and not guard.broken and reading.has_shell(guard.argument)


def _by_values(guard: Guard, reading: CallAnalysis) -> GuardMatch:
    names = guard.argument
    values = reading.values(names)
    if names and not values:
        return NOTHING
    fits = fit_all(
        guard,
        MatchSubject(
            values,
            lambda: reading.files(names),
            lambda: reading.hosts(names),
            reading.call.home,
            branches=lambda: branches.checked_out_in(reading.call.cwd, reading.call),
            recipients=lambda: reading.recipients(names),
            places=lambda: [p for p in reading.files(names) if p.operations],
        ),
    )
    if fits.fit is Fit.NO and guard.path and not guard.unless:
        fits = reading.reached(guard, names)
    if fits.fit is Fit.NO and not reading.read_shell and needs_shell(guard, reading):
        return _UNREAD
    return fits


def _by_additions(guard: Guard, reading: CallAnalysis) -> GuardMatch:
    """Match what a call adds: to the files of the guard, to the messages of its
    commands, or to any file and message."""
    if guard.command and reading.has_shell():
        called = _by_command(guard._replace(adds=(), path=()), reading)
        if called.fit is Fit.NO:
            return NOTHING
    for addition in reading.additions():
        if addition.path and (guard.command or not _is_place(guard, addition, reading)):
            continue
        if not addition.path and guard.path:
            continue
        for literal in guard.adds:
            why = addition.adds(literal)
            if why:
                return GuardMatch(Fit.YES, why)
    return NOTHING


def _is_place(
    guard: Guard, addition: "additions.Addition", reading: CallAnalysis
) -> bool:
    """Return True for a file of the guard; for one of prose only if it names such."""
    call = reading.call
    path = see_path(addition.path, folder=call.cwd, home=call.home, project=call.cwd)
    if path is None:
        return False
    if _PROSE.search(path.absolute) and not any(map(_PROSE.search, guard.path)):
        return False
    used = path._replace(operations=CHANGE)
    return fit_file(guard, used, call.home) is Fit.YES


def _by_command(guard: Guard, reading: CallAnalysis) -> GuardMatch:
    if reading.cannot_run(guard.argument, guard.command):
        return NOTHING
    best = NOTHING
    for shell in reading.shells(guard.argument):
        fit = shell.fit_command(guard)
        best = fit if fit.fit > best.fit else best
    if not reading.read_shell and needs_shell(guard, reading):
        return _UNREAD
    return best


_UNREAD = GuardMatch(Fit.MAYBE, "the shell text could not be parsed")


_CWD, _HOME = "/home/example/project", "/home/example"


class FailedExample(NamedTuple):
    """An example that did the opposite of its key (``match``, ``not_match``)."""

    key: str
    example: Example


def run_examples(guard: Guard) -> tuple[FailedExample, ...]:
    """Return the guard's own examples that fail, those under ``match`` first.

    A table is a call's arguments. A text (or list of words) is a command for a guard on
    commands, and, if it has several words, for one on files or hosts; otherwise it is
    the value of the guard's argument.
    """
    wrong = [FailedExample("match", e) for e in guard.match if not _holds(guard, e)]
    wrong += [
        FailedExample("not_match", e) for e in guard.not_match if _holds(guard, e)
    ]
    return tuple(wrong)


def _holds(guard: Guard, example: Example) -> bool:
    if isinstance(example, str | tuple):
        several = isinstance(example, tuple) or " " in example
        command = guard.command or (
            several and (guard.path or guard.outside or guard.host)
        )
        usual = "command" if command else "value"
        example = {guard.argument[0] if guard.argument else usual: example}
    call = ToolCall("example", example, cwd=_CWD, home=_HOME)
    return match_guard(guard, CallAnalysis(call, commands.read_shell)) is not None
