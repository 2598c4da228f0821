"""The guard: what a concrete call of a tool may do, and which rule says so."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.guard import commands
from toolmem.core.guard.call_analysis import CallAnalysis, ShellText
from toolmem.core.guard.calls import ShellSource, ToolCall, queries, shell_sources
from toolmem.core.guard.compiled import CompiledRule, Probe, ToolRule, tool_rule
from toolmem.core.guard.derivation import stated
from toolmem.core.guard.may_run import may_name, may_run_script
from toolmem.core.guard.verdict import RuleForCall, Verdict, judge
from toolmem.core.model import ANY_TOOL, Action, Rule
from toolmem.core.names import is_tool_name
from toolmem.core.rules.effective import combine
from toolmem.core.rules.guard_table import parse_guards
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.shell.operations import CHANGE, READ, RESTORE
from toolmem.core.tools.manifest import ToolNames
from toolmem.ops.rules.compiled import CompiledGuards, compiled_guards
from toolmem.store.files import walk
from toolmem.store.files.archives import members_of
from toolmem.store.files.folders import real_path
from toolmem.store.files.scripts import names_in, recent_script, small_text
from toolmem.store.git.head import checked_out, remotes
from toolmem.store.guards.guard_file import UNLIKE, DamagedError
from toolmem.store.vault.rule_files import in_canonical_tools, lost_overrides
from toolmem.store.vault.vault import Vault

_SHELL, _WRITES, _READS = "bash", "write", "read"
_SQL_CLIENT = "psql"
_CHANGES = (*CHANGE, *RESTORE)


class GuardAnswer(NamedTuple):
    """Verdict on a call; ``rule`` decided, by its ``guard`` table.

    ``near`` are critical rules whose words match the call though no guard
    does; ``conservative`` says that the call could not be read in full.
    ``shown`` are the high and critical rules of the tools that it calls; ``duties``
    those with a duty that it may concern.
    """

    verdict: str
    rule: Rule | None = None
    guard: Mapping[str, Any] | None = None
    reason: str = ""
    near: tuple[Rule, ...] = ()
    conservative: bool = False
    shown: tuple[ToolRule, ...] = ()
    duties: tuple["RuleDuties", ...] = ()


class RuleDuties(NamedTuple):
    """A rule of a vault with the tables of its duties."""

    vault: Vault
    rule: Rule
    tables: tuple[dict[str, Any], ...]


class CallRules(NamedTuple):
    """The rules that a call may meet, the files that cannot be read, the rules of
    programs that it may run, though that is not seen, and the rules that it shows."""

    rules: tuple[Rule, ...]
    unreadable: tuple[UnreadableRule, ...]
    possible: tuple[Rule, ...] = ()
    of_others: tuple[tuple[Rule, tuple[str, ...]], ...] = ()
    """Rules of tools that use files or databases by other means: what they say of
    these is true of every tool. The uses of a file that the tool of each makes."""
    shown: tuple[ToolRule, ...] = ()
    duties: tuple[RuleDuties, ...] = ()


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
    reading = read_call(tool, arguments, cwd=cwd, home=home)
    answers = [
        _check(place, reading, more if place is vault.session_vault else ())
        for place in vault.in_force
    ]
    return strictest(answers)


def read_call(
    tool: str, arguments: Mapping[str, Any], *, cwd: str, home: str
) -> CallAnalysis:
    """Return a call with what its files, links, scripts and branches are here."""
    here = (real_path, checked_out, recent_script, small_text, remotes, names_in)
    call = ToolCall(tool, arguments, cwd, home, *here, members_of)
    return CallAnalysis(call, _read_shell)


def strictest(answers: Sequence[GuardAnswer]) -> GuardAnswer:
    """The first of the strictest answers, with the rules of all."""
    first = max(answers, key=lambda answer: Action(answer.verdict).rank)
    return first._replace(
        near=tuple(rule for answer in answers for rule in answer.near),
        shown=tuple(rule for answer in answers for rule in answer.shown),
        duties=tuple(rule for answer in answers for rule in answer.duties),
    )


def _check(vault: Vault, reading: CallAnalysis, more: Sequence[Rule]) -> GuardAnswer:
    """Judge a call by the rules of one vault."""
    subject = rules_for(vault, reading, more)
    answer = _judged(vault, subject, reading)
    if subject.unreadable and Action(answer.verdict).rank < Action.ASK.rank:
        broken = subject.unreadable[0]
        reason = (
            f"a rule of this tool cannot be read ({broken.place}): "
            f"`{repair(vault, broken.path)}` shows why and corrects it"
        )
        answer = GuardAnswer("ask", None, None, reason)
    return answer._replace(shown=subject.shown, duties=subject.duties)


def broken_rules(
    vault: Vault,
) -> tuple[tuple[UnreadableRule, ...], Mapping[str, int]]:
    """The rule files of a chain that cannot be read, and those of a newer format."""
    try:
        return _broken_rules(vault, compiled_guards(vault))
    except (DamagedError, *UNLIKE):
        return _broken_rules(vault, compiled_guards(vault, rebuild=True))


def _broken_rules(
    vault: Vault, compiled: CompiledGuards
) -> tuple[tuple[UnreadableRule, ...], Mapping[str, int]]:
    lost = lost_overrides(vault, compiled.overrides_alone())
    broken = in_canonical_tools((*compiled.unreadable(), *lost), compiled.names)
    return broken, compiled.newer()


def repair(vault: Vault, path: str) -> str:
    """Return the command that shows what is wrong in a rule file and opens it."""
    place = [] if vault is vault.session_vault else ["--vault", str(vault.root)]
    words = ["rule", "edit", path] if walk.kind_of(path) == "rule" else ["check"]
    return shlex.join(["toolmem", *place, *words])


def rules_for(
    vault: Vault, reading: CallAnalysis, more: Sequence[Rule] = ()
) -> CallRules:
    """The rules in effect that a call is subject to, as far as it may meet them."""
    try:
        return _rules_for(compiled_guards(vault), vault, reading, more)
    except (DamagedError, *UNLIKE):
        return _rules_for(compiled_guards(vault, rebuild=True), vault, reading, more)


def _rules_for(
    compiled: CompiledGuards, vault: Vault, reading: CallAnalysis, more: Sequence[Rule]
) -> CallRules:
    names = compiled.names
    own = _own_keys(names, reading.call)
    broken = in_canonical_tools(compiled.unreadable(), names)
    alone = in_canonical_tools(compiled.overrides_alone(), names)
    others = compiled.tools() | {entry.tool for entry in (*broken, *alone)}
    others |= {names.key(rule.tool) for rule in more}
    seen_programs, unseen = _programs(names, reading, others - own)
    subjects = own | seen_programs
    alike = _alike(names, reading) - subjects
    selected = compiled.select(subjects | unseen | alike, Probe(reading))
    own_rules = list(_in_effect(compiled, selected, vault))
    rules = [*own_rules, *more]
    shared = compiled.shared_ids()
    together = [
        tool_rule(rule)
        for rule in own_rules
        if rule.id in shared and names.key(rule.tool) in subjects
    ]
    return CallRules(
        tuple(rule for rule in rules if names.key(rule.tool) in subjects),
        (
            *(entry for entry in broken if entry.tool in subjects),
            *lost_overrides(
                vault, [override for override in alone if override.tool in subjects]
            ),
        ),
        tuple(rule for rule in rules if names.key(rule.tool) in unseen - subjects),
        tuple(
            (rule, _uses_of_tool(names, rule))
            for rule in rules
            if names.key(rule.tool) in alike - unseen
        ),
        (*compiled.shown(subjects, vault.now), *filter(None, together)),
        duties_of(compiled, vault, Probe(reading)),
    )


def duties_of(
    compiled: CompiledGuards, vault: Vault, probe: Probe | None
) -> tuple[RuleDuties, ...]:
    """Return the rules with a duty that a call may concern, or the end of a turn."""
    return _with_tables(compiled.with_duties(probe), vault)


def every_duty(compiled: CompiledGuards, vault: Vault) -> tuple[RuleDuties, ...]:
    """Return all rules with a duty."""
    return _with_tables(list(compiled.every()), vault)


def _with_tables(
    selected: Sequence[CompiledRule], vault: Vault
) -> tuple[RuleDuties, ...]:
    """Return the rules in effect that have duties, out of some files."""
    own = {
        (chosen.file.path, chosen.file.stated.get("rule")): chosen
        for chosen in selected
    }
    duties = []
    for entry in combine(chosen.file for chosen in selected):
        rule = entry.rule
        if rule is None or not entry.is_in_effect(vault.now):
            continue
        alone = len(entry.layers) == 1
        tables = (
            own[rule.path, rule.rule].duties if alone else stated.duties_in_force(rule)
        )
        if tables:
            duties.append(RuleDuties(vault, rule, tables))
    return tuple(duties)


def _in_effect(
    compiled: CompiledGuards, selected: Sequence[CompiledRule], vault: Vault
) -> Iterator[Rule]:
    """The rules that files make up together, with their guards."""
    tables = {(rule.file.path, rule.file.stated.get("rule")): rule for rule in selected}
    for entry in combine(rule.file for rule in selected):
        if entry.rule is None or not entry.is_in_effect(vault.now):
            continue
        if len(entry.layers) > 1:  # an override may have changed what is forbidden
            yield compiled.guarded(entry.rule)
        else:
            own = tables[entry.rule.path, entry.rule.rule]
            yield entry.rule._replace(guards=own.guards)


def _read_shell(source: ShellSource, call: ToolCall) -> ShellText:
    return commands.read_shell(source, call)


def _own_keys(names: ToolNames, call: ToolCall) -> frozenset[str]:
    """The keys under which rules for a tool may be kept, whatever it is called with;
    every tool that runs a shell text is a shell."""
    shells = names.ruling(_SHELL) if shell_sources(call) else frozenset()
    if not is_tool_name(call.tool):
        return shells | {ANY_TOOL}
    return names.ruling(call.tool) | shells | {ANY_TOOL}


def _alike(names: ToolNames, reading: CallAnalysis) -> frozenset[str]:
    """The keys of tools that do by other means what a call does."""
    keys = names.ruling(_WRITES) | names.ruling(_READS) | names.ruling(_SHELL)
    return keys | names.ruling(_SQL_CLIENT) if queries(reading.call) else keys


def _uses_of_tool(names: ToolNames, rule: Rule) -> tuple[str, ...]:
    """The uses of files that a tool makes; none for one that makes all."""
    key = names.key(rule.tool)
    if key in names.ruling(_WRITES):
        return _CHANGES
    return tuple(READ) if key in names.ruling(_READS) else ()


def _programs(
    names: ToolNames, reading: CallAnalysis, known: Iterable[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of the programs that a call's commands run, as far as any is known,
    and of those that they may run besides.

    A command is parsed only where it may run a program that has rules.
    """
    called = names.meaning(known)
    sources = shell_sources(reading.call)
    scripts = reading.call.script is not None and any(map(may_run_script, sources))
    if not scripts and not any(may_name(source, called) for source in sources):
        return frozenset(), frozenset()
    return (
        frozenset(map(names.key, filter(is_tool_name, reading.programs()))),
        frozenset(names.key(name) for name in called if reading.may_run(name)),
    )


def _judged(vault: Vault, subject: CallRules, reading: CallAnalysis) -> GuardAnswer:
    order = {scope: rank for rank, scope in enumerate(vault.chain)}
    others = [(rule, "", uses) for rule, uses in subject.of_others]
    programs = [(rule, "command", ()) for rule in subject.possible]
    together = [*((rule, "", None) for rule in subject.rules), *programs, *others]
    rules = [rule for rule, _, _ in together]
    for_call = []
    for rule, needed, uses in together:
        certain = uses is None
        guards = parse_guards(rule.guards, path=rule.path)[0]
        if needed:
            guards = tuple(guard for guard in guards if guard.command)
        elif uses is not None:
            guards = tuple(
                guard._replace(operation=guard.operation or uses)
                for guard in guards
                if guard.path or guard.outside or guard.argument or guard.tool
            )
        rank = order.get(rule.scope, len(order))
        for_call.append(
            RuleForCall(
                rule.id, rule.rule, rule.priority, rule.scope, rank, guards, certain
            )
        )
    verdict = judge(reading, for_call)
    by_id = {rule.id: rule for rule in rules}
    # A second file in one scope may have the id of another rule.
    by_id |= {rule.id: rule for rule in rules if rule.rule == verdict.rule}
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
        tuple(by_id[rule_id] for rule_id in verdict.near),
        verdict.conservative,
    )
