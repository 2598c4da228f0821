"""The guard: what a concrete call of a tool may do, and which rule says so."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.guard import commands
from toolmem.core.guard.action import Action
from toolmem.core.guard.call_analysis import CallAnalysis, ShellText
from toolmem.core.guard.calls import ShellSource, ToolCall, shell_sources
from toolmem.core.guard.derivation.stated import guarded
from toolmem.core.guard.may_run import may_name
from toolmem.core.guard.tables import parse_guards
from toolmem.core.guard.verdict import RuleForCall, Verdict, judge
from toolmem.core.model import ANY_TOOL, Rule
from toolmem.core.names import is_tool_name
from toolmem.core.rules.effective import combine
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.rules.sketch import sketch
from toolmem.core.tools.manifest import ToolNames
from toolmem.errors import InvalidFileError
from toolmem.store.files.folders import real_path
from toolmem.store.files.scripts import recent_script
from toolmem.store.git.head import checked_out
from toolmem.store.vault.rule_files import (
    RuleText,
    in_canonical_tools,
    load_manifests,
    load_rule_texts,
    read_rule_texts,
)
from toolmem.store.vault.vault import Vault


class GuardAnswer(NamedTuple):
    """What is to be done with a call; ``rule`` decided, by its ``guard`` table.

    ``near`` are critical rules whose own words fit the call though no guard
    does; ``conservative`` says that the call could not be read in full.
    ``rules`` are all that the call is subject to.
    """

    verdict: str
    rule: Rule | None = None
    guard: Mapping[str, Any] | None = None
    reason: str = ""
    near: tuple[Rule, ...] = ()
    conservative: bool = False
    rules: tuple[Rule, ...] = ()


class CallRules(NamedTuple):
    """The rules that a call is subject to, the files that cannot be read, and the
    rules of programs that it may run, though that is not seen."""

    rules: tuple[Rule, ...]
    unreadable: tuple[UnreadableRule, ...]
    possible: tuple[Rule, ...] = ()


def check_call(
    vault: Vault,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    cwd: str = "",
    home: str = "",
    more: Sequence[Rule] = (),
) -> GuardAnswer:
    """Judge a call by every rule of its tool, the programs it runs and all tools.

    Each vault in force judges by itself, so that none weakens the rules of another:
    the strictest answer counts. ``more`` are rules in effect for this session.
    """
    call = ToolCall(tool, arguments, cwd, home, real_path, checked_out, recent_script)
    reading = CallAnalysis(call, _read_shell)
    answers = [
        _check(one, reading, more if one is vault.session_vault else ())
        for one in vault.in_force
    ]
    return strictest(answers)


def strictest(answers: Sequence[GuardAnswer]) -> GuardAnswer:
    """The first of the strictest answers, with the rules of all."""
    first = max(answers, key=lambda answer: Action(answer.verdict).rank)
    return first._replace(
        near=tuple(rule for answer in answers for rule in answer.near),
        rules=tuple(rule for answer in answers for rule in answer.rules),
    )


def _check(vault: Vault, reading: CallAnalysis, more: Sequence[Rule]) -> GuardAnswer:
    """Judge a call by the rules of one vault."""
    subject = rules_for(vault, reading, more)
    answer = _judged(vault, subject, reading)
    if subject.unreadable and Action(answer.verdict).rank < Action.ASK.rank:
        broken = subject.unreadable[0]
        reason = f"a rule of this tool cannot be read ({broken.path})"
        answer = GuardAnswer("ask", None, None, reason)
    return answer._replace(rules=subject.rules)


def rules_for(
    vault: Vault, reading: CallAnalysis, more: Sequence[Rule] = ()
) -> CallRules:
    """The rules in effect that a call is subject to.

    Only files that may be about it are parsed, and all others of the same rules.
    """
    names = ToolNames(load_manifests(vault)[0])
    own = _own_keys(names, reading.call.tool)
    texts = load_rule_texts(vault, vault.chain)
    seen = [(entry, _sketch(entry, names, own)) for entry in texts]
    first = read_rule_texts(entry for entry, sketched in seen if sketched is None)
    rest = [(entry, sketched) for entry, sketched in seen if sketched is not None]
    others = {names.key(f.stated.get("tool", f.folder_tool)) for f in first.files}
    broken = in_canonical_tools(first.unreadable, names)
    others |= {entry.tool for entry in broken}
    others |= {names.key(rule.tool) for rule in more}
    others = others.union(*(sketched.tools for _, sketched in rest))
    seen_programs, unseen = _programs(names, reading, others - own)
    subjects = own | seen_programs
    parsed = subjects | unseen
    ids = {sketched.id for _, sketched in rest if sketched.tools & parsed}
    ids |= {file.id for file in first.files}
    found = read_rule_texts(entry for entry, sketched in rest if sketched.id in ids)
    files = combine((*first.files, *found.files))
    held = [guarded(e.rule) for e in files if e.rule and e.holds(vault.now)]
    held += more
    unreadable = (*broken, *in_canonical_tools(found.unreadable, names))
    return CallRules(
        tuple(rule for rule in held if names.key(rule.tool) in subjects),
        tuple(entry for entry in unreadable if entry.tool in subjects),
        tuple(rule for rule in held if names.key(rule.tool) in unseen - subjects),
    )


class _Seen(NamedTuple):
    """The id of a rule file, and the keys of the tools that it may be about."""

    id: str
    tools: frozenset[str]


def _sketch(
    entry: RuleText | UnreadableRule, names: ToolNames, own: frozenset[str]
) -> _Seen | None:
    """What can be told of a file without parsing it; None where it is to be."""
    if isinstance(entry, UnreadableRule) or isinstance(entry.data, InvalidFileError):
        return None
    folder_tool = names.key(entry.folder_tool)
    if folder_tool in own:
        return None
    found = sketch(entry.data)
    if found is None or not is_tool_name(found.tool):
        return None
    return _Seen(found.id, frozenset({names.key(found.tool), folder_tool}))


def _read_shell(source: ShellSource, call: ToolCall) -> ShellText:
    return commands.read_shell(source, call)


def _own_keys(names: ToolNames, tool: str) -> frozenset[str]:
    """The keys under which rules for a tool may be kept, whatever it is called with."""
    if not is_tool_name(tool):
        return frozenset({ANY_TOOL})
    return names.ruling(tool) | {ANY_TOOL}


def _programs(
    names: ToolNames, reading: CallAnalysis, known: Iterable[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of the programs that a call's commands run, as far as any is known,
    and of those that they may run besides.

    A command is parsed only where it may run a program that has rules.
    """
    called = names.meaning(known)
    if not any(may_name(source, called) for source in shell_sources(reading.call)):
        return frozenset(), frozenset()
    return (
        frozenset(map(names.key, filter(is_tool_name, reading.programs()))),
        frozenset(names.key(name) for name in called if reading.may_run(name)),
    )


def _judged(vault: Vault, subject: CallRules, reading: CallAnalysis) -> GuardAnswer:
    order = {scope: rank for rank, scope in enumerate(vault.chain)}
    rules = (*subject.rules, *subject.possible)
    for_call = []
    for at, rule in enumerate(rules):
        certain = at < len(subject.rules)
        guards = parse_guards(rule.guards, path=rule.path)[0]
        if not certain:
            guards = tuple(guard for guard in guards if guard.command)
        rank = order.get(rule.scope, len(order))
        for_call.append(
            RuleForCall(
                rule.id, rule.rule, rule.priority, rule.scope, rank, guards, certain
            )
        )
    verdict = judge(reading, for_call)
    by_id = {rule.id: rule for rule in rules}
    return _answer(verdict, by_id)


def _answer(verdict: Verdict, by_id: Mapping[str, Rule]) -> GuardAnswer:
    rule = by_id.get(verdict.rule_id or "")
    guard = None
    if rule is not None and verdict.guard is not None:
        guard = rule.guards[verdict.guard]
    return GuardAnswer(
        verdict.verdict.value,
        rule,
        guard,
        verdict.reason,
        tuple(by_id[near] for near in verdict.near),
        verdict.conservative,
    )
