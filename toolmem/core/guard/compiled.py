"""Rule files in a form that can be read in parts: by tool, and by trigger.

A trigger is a necessary condition on a call for a rule to apply: a program that it may
run with one of its words, a text or a piece of a path. It is compared by the same
functions as guards, so that a rule is left out only if its guards would match nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from toolmem.core.guard import call_analysis, keyword_overlap
from toolmem.core.guard.spellings import wanted_call
from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope
from toolmem.core.patterns import paths
from toolmem.core.patterns.match import fold
from toolmem.core.rules import observation
from toolmem.core.rules.effective import listing_order
from toolmem.core.rules.guard_table import Guard
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.rules.table_text import from_text, to_text
from toolmem.core.shell.words import has_gap


class Trigger(NamedTuple):
    """Necessary condition on a call for a rule to apply.

    ``kind`` is a kind of test, ``text`` its operand. For a command line that is the
    program; ``word`` is a further word of it, an option or an operand.
    """

    kind: str
    text: str = ""
    word: str = ""


RUN, TEXT, PATH = "run", "text", "path"
ALWAYS = Trigger("always")
"""Trigger of a rule that is checked at every call of its tool."""
_MOST_TRIGGERS = 6


class ToolRule(NamedTuple):
    """A high or critical rule as shown at the first call of its tool, or a hint.

    A hint is a normal rule that says why a call failed, or what works instead.
    ``order`` is its place in a listing, and ends with its id; ``expires`` is a time in
    seconds.
    """

    order: tuple[int, float, str]
    priority: str
    text: str
    expires: float | None = None

    @property
    def id(self) -> str:
        """Id of the rule."""
        return self.order[2]

    def concerns(self, tools: Collection[str], command: str) -> bool:
        """Return True unless it is a hint about other calls.

        ``tools`` are the names of the tool that is called, folded.
        """
        if self.priority != Priority.NORMAL.value:
            return True
        hint = observation.observed_text(self.text)
        return hint is not None and (
            hint.concerns(command) or fold(hint.subject) in tools
        )

    def is_hint_about(self, tools: Collection[str]) -> bool:
        """Return True if it is a hint about the tool itself, with any of its names."""
        hint = observation.observed_text(self.text)
        return hint is not None and fold(hint.subject) in tools


def tool_rule(rule: Rule) -> ToolRule | None:
    """Return the rule as it is shown; None for one that is not shown at calls."""
    if rule.tool == ANY_TOOL or not rule.enabled:
        return None
    if rule.priority is Priority.NORMAL:
        hint = observation.observed_text(rule.rule)
        if hint is None or not hint.is_hint:
            return None
    expires = rule.expires_at.timestamp() if rule.expires_at else None
    return ToolRule(listing_order(rule), rule.priority.value, rule.rule, expires)


class CompiledRule(NamedTuple):
    """A rule file with its tool (a key) and the triggers of its rule.

    A plain scan of a call looks for ``names``; an empty name is in any call. ``guards``
    are the tables of the rule, derived ones included, and so are ``duties``.
    """

    file: RuleFile
    tool: str
    triggers: tuple[Trigger, ...]
    names: tuple[str, ...]
    guards: tuple[dict[str, Any], ...] = ()
    shown: ToolRule | None = None
    duties: tuple[dict[str, Any], ...] = ()


def triggers_of(rule: Rule, guards: Sequence[Guard]) -> tuple[Trigger, ...]:
    """Return the triggers of a rule: calls without any of them cannot match it.

    A rule without triggers is for reading only.
    """
    triggers: set[Trigger] = set()
    for guard in guards:
        triggers.update(_guard_triggers(guard))
    if rule.priority is Priority.CRITICAL:
        triggers.update(
            Trigger(TEXT, fold(literal))
            for literal in keyword_overlap.literals(rule.rule)
        )
    if ALWAYS in triggers or len(triggers) > _MOST_TRIGGERS:
        return (ALWAYS,)
    return tuple(sorted(triggers))


def duty_triggers(commands: Iterable[tuple[str, ...]]) -> tuple[Trigger, ...]:
    """Return the triggers of the commands that a duty must precede."""
    return tuple(Trigger(RUN, words[0], _needed(words)) for words in commands)


def _guard_triggers(guard: Guard) -> Iterator[Trigger]:
    if guard.broken or guard.argument or guard.recipient_outside:
        yield ALWAYS
    elif guard.command:
        yield from (Trigger(RUN, words[0], _needed(words)) for words in guard.command)
    elif guard.adds:
        shown = [fold(text) for text in guard.adds]
        yield from (Trigger(TEXT, t) if t.strip() else ALWAYS for t in shown)
    elif guard.contains or guard.recipient:
        texts = guard.contains or guard.recipient
        yield from (Trigger(TEXT, fold(text)) for text in texts)
    elif guard.path:
        for wanted in guard.path:
            literal = paths.literal_of(wanted)
            yield Trigger(PATH, literal) if literal else ALWAYS
    else:
        yield ALWAYS


def _needed(words: tuple[str, ...]) -> str:
    """Return a word that any matching command contains: the longest, as it is usually
    the rarest. Spellings of an option are reduced to one."""
    call = wanted_call(words).call
    operands = [operand.text for operand in call.operands if not operand.after]
    return max([*call.flags, *operands], key=len, default="")


def scan_names(guards: Iterable[Guard]) -> tuple[str, ...]:
    """Return folded names of the guards' subjects, for a plain scan of a whole call."""
    names: set[str] = set()
    for guard in guards:
        known = [words[0] for words in guard.command]
        known += [*guard.contains, *guard.adds, *guard.recipient, *guard.host]
        known += [paths.literal_of(path).strip("/") for path in guard.path]
        if guard.broken or not known or guard.glob or guard.regex:
            known.append("")
        names.update(fold(name.lstrip("*.")) for name in known)
    return tuple(sorted(names))


Chosen = TypeVar("Chosen")
Buckets = Mapping[str, Mapping[str, Mapping[str, Chosen]]]
"""A value for each trigger, by its kind, its text and its further word."""


class Probe:
    """A call as triggers see it; each part is computed at most once."""

    def __init__(self, reading: "call_analysis.CallAnalysis") -> None:
        self._reading = reading
        self._texts: str | None = None
        self._paths: str | None = None
        self._unsure = {TEXT: False, PATH: False}

    def chosen(self, buckets: Buckets[Chosen]) -> Iterator[Chosen]:
        """Yield the values of the triggers that the call may match."""
        for kind, by_text in buckets.items():
            if kind == RUN:
                yield from self._run(by_text)
            elif kind == ALWAYS.kind:
                yield by_text[""][""]
            else:
                seen = self._all_texts() if kind == TEXT else self._all_paths()
                every = self._unsure[kind]
                for text, found in by_text.items():
                    if every or text in seen:
                        yield found[""]

    def _run(self, by_program: Mapping[str, Mapping[str, Chosen]]) -> Iterator[Chosen]:
        for program, by_word in by_program.items():
            if self._reading.cannot_run((), ((program,),)):
                continue
            words = self._reading.command_words()
            if words is None:
                yield from by_word.values()
            else:
                yield from (by_word[word] for word in words & by_word.keys())
                if "" in by_word:
                    yield by_word[""]

    def _all_texts(self) -> str:
        if self._texts is None:
            values = self._reading.values()
            self._texts = "\n".join(
                text for reading in values for text in reading.readings
            )
            self._unsure[TEXT] = has_gap(self._texts)
        return self._texts

    def _all_paths(self) -> str:
        if self._paths is None:
            seen = self._reading.files()
            self._paths = "\n".join(f"{path.absolute}\n{path.below}" for path in seen)
            # Files below are included, and those that it does not name.
            trees = any(path.tree for path in seen) or self._reading.reaches()
            self._unsure[PATH] = trees or has_gap(self._paths)
        return self._paths


class Row(NamedTuple):
    """A rule in values of JSON.

    ``stated``, ``guards`` and ``duties`` are tables as JSON texts, read only for a rule
    that is used; every TOML value is restored exactly.
    """

    id: str
    path: str
    folder_tool: str
    tool: str
    stated: str
    guards: str
    names: tuple[str, ...]
    triggers: tuple[tuple[str, ...], ...]
    shown: tuple[Any, ...] | None
    duties: str = "[]"


def row_of(rule: CompiledRule) -> Row:
    """Convert a rule to a row."""
    file = rule.file
    return Row(
        file.id,
        file.path,
        file.folder_tool,
        rule.tool,
        to_text(file.stated),
        to_text(rule.guards),
        rule.names,
        tuple(map(tuple, rule.triggers)),
        tuple(rule.shown) if rule.shown else None,
        to_text(rule.duties),
    )


def from_row(values: Iterable[Any], scope: Scope) -> CompiledRule:
    """Convert a row back to a rule of its scope."""
    row = Row(*values)
    return CompiledRule(
        RuleFile(row.id, scope, row.path, row.folder_tool, from_text(row.stated)),
        row.tool,
        tuple(Trigger(*trigger) for trigger in row.triggers),
        tuple(row.names),
        tuple(from_text(row.guards)),
        shown_rule(row.shown) if row.shown else None,
        tuple(from_text(row.duties)),
    )


def shown_rule(values: Sequence[Any]) -> ToolRule:
    """Convert the values of a rule that is shown back to the rule."""
    order, *rest = values
    return ToolRule(tuple(order), *rest)
