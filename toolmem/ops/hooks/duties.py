"""Duties of rules: whether a call may run, or a turn end, before they are fulfilled."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.registry import agent_of
from toolmem.core.duties.commands import FAILED, UNKNOWN
from toolmem.core.duties.fulfils import demanded_words
from toolmem.core.duties.precedes import steps_before
from toolmem.core.duties.record import PASSED, UNFULFILLED, DutyState, duty_events
from toolmem.core.duties.standing import Demand, Standing, standings
from toolmem.core.duties.steps import (
    DutyNote,
    GitCommit,
    PathChange,
    Step,
    TurnStart,
)
from toolmem.core.duties.texts import demanded, reason
from toolmem.core.guard.calls import ToolCall
from toolmem.core.model import Priority, Rule
from toolmem.core.prompt import safe
from toolmem.core.rules.duty_table import Command, Duty, parse_duties
from toolmem.core.times import rfc3339
from toolmem.ops.hooks import late_outcomes
from toolmem.ops.hooks.journal_event import append_event
from toolmem.ops.rules.compiled import compiled_guards, has_duties
from toolmem.ops.rules.guard import RuleDuties, duties_of, every_duty
from toolmem.ops.session.steps import (
    MOST_LINES,
    SessionSteps,
    backwards,
    mark_line,
)
from toolmem.store.files.settings import home_folder
from toolmem.store.git.head import work_tree
from toolmem.store.journal import journal
from toolmem.store.vault.fact_files import chain_facts
from toolmem.store.vault.vault import Vault

ON, OFF = "on", "off"
"""Values of the setting ``guard.duties``; ``observe`` is neither."""
STOP = "stop"
"""Kind of the note that the end of a turn was answered."""
DENIED, HIDDEN, FAILING = "denied", "hidden", "failing"
"""Kinds of notes about a call that a duty concerned; ``PASSED`` is another."""
_RECORD = "duties"
"""Key of the lines that have events of duties."""
_STRICTEST = ("deny", "ask", "allow")


class DueDuty(NamedTuple):
    """A duty of a rule that is due."""

    vault: Vault
    rule: Rule
    demand: Demand
    text: str
    state: Standing


class DutyVerdict(NamedTuple):
    """What becomes of a call because of a duty; ``kind`` is noted for its session."""

    verdict: str
    due: DueDuty
    kind: str

    @property
    def is_observed(self) -> bool:
        """True if it is only counted: its vault's duties observe."""
        return self.due.vault.setting("guard.duties") != ON

    @property
    def reason(self) -> str:
        """The reason, without the rule."""
        return reason(self.due.text, self.due.state, self.due.demand.project)


def check(
    vault: Vault, event: Event, tables: Sequence[RuleDuties]
) -> list[DutyVerdict]:
    """Return the strictest consequences of the duties that a call must not precede.

    All of them have the same verdict, and each is of another duty.
    """
    call = ToolCall(event.tool, event.input, event.cwd, home_folder())
    late_outcomes.leave_outcomes(vault.session_vault, event)
    steps = SessionSteps(vault.session_vault, event.session)
    can_ask = agent_of(event.agent).asks
    groups: dict[tuple[Command, ...], list[CheckedDuty]] = {}
    for duty in checked_duties(vault, tables):
        groups.setdefault(duty.duty.before, []).append(duty)
    verdicts: dict[tuple[bool, int], dict[str, DutyVerdict]] = {}
    for before, duties in groups.items():
        for earlier in steps_before(call, before):
            for due in due_duties(duties, event.cwd, chain(earlier, steps)):
                decided = _decided(due, can_ask=can_ask)
                if decided is not None:
                    rank = decided.is_observed, _STRICTEST.index(decided.verdict)
                    verdicts.setdefault(rank, {})[decided.due.demand.key] = decided
    return [*verdicts[min(verdicts)].values()] if verdicts else []


def _decided(due: DueDuty, *, can_ask: bool) -> DutyVerdict | None:
    """Return what becomes of a call by the priority of the rule and by what was said
    since the change."""
    notes, last = due.state.notes, due.state.last
    passed = DutyVerdict("allow", due, PASSED)
    if due.rule.priority is Priority.NORMAL:
        return None
    if due.rule.priority is Priority.HIGH:
        return passed if notes else DutyVerdict("deny", due, DENIED)
    kind = {FAILED: FAILING, UNKNOWN: HIDDEN}.get(last, DENIED)
    if can_ask and (kind == FAILING or (kind == HIDDEN and HIDDEN in notes)):
        return DutyVerdict("ask", due, kind)
    if kind != DENIED and kind in notes:
        return passed._replace(kind=UNFULFILLED)
    return DutyVerdict("deny", due, kind)


def at_end(vault: Vault, event: Event) -> Answer:
    """Return what a turn has left undone: its end is answered once, with all of it."""
    if event.subagent or event.busy or not event.session:
        return Answer()
    rules = [
        row
        for each in vault.in_force
        if each.setting("guard.mode") == "enforce"
        for row in duties_of(compiled_guards(each), each, None)
    ]
    if vault.own is not None and has_duties(vault):
        append_event(vault, event, mark_line(event.session, event.cwd))
    required = [
        duty
        for duty in checked_duties(vault, rules)
        if not duty.duty.before and duty.vault.setting("guard.duties") == ON
    ]
    if not required:
        return Answer()
    late_outcomes.leave_outcomes(vault.session_vault, event)
    steps = SessionSteps(vault.session_vault, event.session)
    due = [duty for duty in due_duties(required, event.cwd, steps) if duty.state.now]
    if event.continued or _is_answered(steps):
        for duty in due:
            append_event(vault, event, note_line(event, duty.demand.key, PASSED))
        return Answer()
    if not due:
        return Answer()
    append_event(vault, event, note_line(event, "", STOP))
    lines = [
        f"- {reason(duty.text, duty.state, duty.demand.project, first=False)}: "
        f"{shown_rule(duty.rule)}"
        for duty in due
    ]
    return Answer(verdict="deny", reason="\n".join(["Before this turn ends:", *lines]))


def note_record(vault: Vault, event: Event) -> None:
    """Note what became of duties since this was noted last, to be counted."""
    if not event.session or not has_duties(vault):
        return
    lines = journal.read(vault.session_vault.root, journal.name_of(event.session))
    noted = (at for at, line in enumerate(lines) if _RECORD in line)
    start = 1 + max(noted, default=-1)
    steps = list(backwards(lines[start:][-MOST_LINES:]))[::-1]
    if not steps:
        return
    earlier = SessionSteps(vault.session_vault, event.session, lines[:start])
    checked = list(checked_duties(vault, duties_in_force(vault)))
    project = work_tree(event.cwd)
    demands = [duty.demand(project) for duty in checked]
    answered = _is_answered(earlier)
    events: dict[str, list[str]] = {}
    for demand, standing in zip(demands, standings(demands, earlier), strict=True):
        state = DutyState(standing, answered, _is_made(demand, earlier))
        for kind in duty_events(demand, state, steps):
            events.setdefault(kind, []).append(demand.key.partition(":")[0])
    if events:
        line = {"session": event.session, "at": rfc3339(vault.now), _RECORD: True}
        append_event(vault, event, {**line, **events})


def _is_made(demand: Demand, steps: Iterable[Step]) -> bool:
    """Return True if the demanded change was made since the last commit."""
    since = takewhile(lambda step: not isinstance(step, GitCommit), steps)
    return bool(demand.change) and any(
        demand.is_made_by(step) for step in since if isinstance(step, PathChange)
    )


def duties_in_force(vault: Vault) -> list[RuleDuties]:
    """Return all rules with a duty."""
    return [
        rule
        for place in vault.in_force
        for rule in every_duty(compiled_guards(place), place)
    ]


def passed_lines(vault: Vault, event: Event) -> list[str]:
    """Return the critical duties of this turn before which a call passed, for users."""
    lines = journal.read(vault.root, journal.name_of(event.session))
    notes = [line["noted"] for line in lines if isinstance(line.get("noted"), list)]
    ids = dict.fromkeys(
        key[: limits.ID_SHOWN] for key, kind in notes if kind == UNFULFILLED
    )
    return [
        f"toolmem: a call passed before rule {rule_id} was fulfilled" for rule_id in ids
    ]


def shown_rule(rule: Rule) -> str:
    """Return a rule's text as a reason, with its id."""
    why = rule.stated.get("why")
    text = safe.safe_line(f"{rule.rule} ({why})" if why else rule.rule)
    return f"{text} (toolmem rule {rule.id[: limits.ID_SHOWN]})"


def _is_answered(steps: SessionSteps) -> bool:
    """Return True if the end of this turn was answered, or the user stopped it."""
    for step in steps:
        if isinstance(step, TurnStart):
            return False
        if isinstance(step, DutyNote) and step.kind == STOP:
            return True
    return False


def note_line(event: Event, duty: str, kind: str) -> dict[str, object]:
    """Return the line of the journal that notes a notice to an agent."""
    return {"session": event.session, "cwd": event.cwd, "noted": [duty, kind]}


class CheckedDuty(NamedTuple):
    """A duty in force, with the command that its fact names."""

    vault: Vault
    rule: Rule
    number: int
    duty: Duty
    command: str

    @property
    def text(self) -> str:
        """Words for what it demands."""
        return demanded(self.duty, self.command)

    def demand(self, project: str) -> Demand:
        """Return what it demands in a project."""
        lines = [(self.command,)] if self.command else self.duty.run
        return Demand(
            f"{self.rule.id}:{self.number}",
            tuple(map(demanded_words, lines)),
            self.duty.change,
            self.duty.after,
            project,
            home_folder(),
            takes_unknown=self.rule.priority is not Priority.CRITICAL,
        )


def due_duties(
    duties: Sequence[CheckedDuty], cwd: str, steps: Iterable[Step]
) -> list[DueDuty]:
    """Return the duties that are due after some steps, newest first, in the project
    around a folder."""
    project = work_tree(cwd)
    demands = [duty.demand(project) for duty in duties]
    states = standings(demands, steps)
    return [
        DueDuty(duty.vault, duty.rule, demand, duty.text, state)
        for duty, demand, state in zip(duties, demands, states, strict=True)
        if state.due
    ]


def checked_duties(vault: Vault, rules: Sequence[RuleDuties]) -> Iterator[CheckedDuty]:
    """Yield the duties that can be checked; one whose fact is missing cannot."""
    for place, rule, tables in rules:
        if place.setting("guard.duties") == OFF:
            continue
        for number, duty in enumerate(parse_duties(tables, path=rule.path)[0]):
            command = _fact(vault, duty.fact) if duty.fact else ""
            if not duty.broken and (command or not duty.fact):
                yield CheckedDuty(place, rule, number, duty, command)


def _fact(vault: Vault, key: str) -> str:
    """Return the command that a fact names, of the first vault in force that has it."""
    for place in reversed(vault.in_force):
        for fact in chain_facts(place, place.chain).facts:
            if fact.key == key:
                return fact.value.strip("` ")
    return ""
