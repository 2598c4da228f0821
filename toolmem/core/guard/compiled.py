"""Rule files in a form that a verdict can read in parts: by tool, and by trigger.

A trigger is something that a call must have for a rule to say anything about it: a
program that it may run, a text or a piece of a path. It is compared by the very
functions that guards compare with, so that a rule is left out only where its guards
would have found nothing.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.keyword_overlap import literals
from toolmem.core.guard.patterns.match import fold
from toolmem.core.guard.patterns.paths import literal_of
from toolmem.core.guard.tables import Guard
from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.shell.words import has_gap

ALWAYS = ""
"""The trigger of a rule that every call of its tool is held against."""
_RUN, _TEXT, _PATH = "run:", "text:", "path:"
_MOST_TRIGGERS = 6
_TIME = "\0time"


class CompiledRule(NamedTuple):
    """A rule file with its tool (a key) and the triggers of the rule in it.

    ``names`` are what a plain scan of a call looks for; an empty one is in any call.
    """

    file: RuleFile
    tool: str
    triggers: tuple[str, ...]
    names: tuple[str, ...]


def triggers_of(rule: Rule, guards: Sequence[Guard]) -> tuple[str, ...]:
    """The triggers of a rule: no call without one of them can meet it.

    None at all: the rule is for reading only. Rules that are shown at the first call
    of their tool have the trigger ``ALWAYS``.
    """
    if rule.tool != ANY_TOOL and rule.priority is not Priority.NORMAL:
        return (ALWAYS,)
    found: set[str] = set()
    for guard in guards:
        found.update(_guard_triggers(guard))
    if rule.priority is Priority.CRITICAL:
        found.update(_TEXT + fold(literal) for literal in literals(rule.rule))
    if ALWAYS in found or len(found) > _MOST_TRIGGERS:
        return (ALWAYS,)
    return tuple(sorted(found))


def _guard_triggers(guard: Guard) -> Iterator[str]:
    if guard.broken or guard.argument:
        yield ALWAYS
    elif guard.command:
        yield from (_RUN + words[0] for words in guard.command)
    elif guard.contains:
        yield from (_TEXT + fold(text) for text in guard.contains)
    elif guard.path:
        for wanted in guard.path:
            literal = literal_of(wanted)
            yield _PATH + literal if literal else ALWAYS
    else:
        yield ALWAYS


def scan_names(guards: Iterable[Guard]) -> tuple[str, ...]:
    """Names of what guards are about, folded, for a plain scan of a whole call."""
    found: set[str] = set()
    for guard in guards:
        known = [words[0] for words in guard.command]
        known += [*guard.contains, *guard.host]
        known += [literal_of(path).strip("/") for path in guard.path]
        if guard.broken or not known or guard.glob or guard.regex:
            known.append("")
        found.update(fold(name.lstrip("*.")) for name in known)
    return tuple(sorted(found))


class Probe:
    """A call as triggers see it; each part of it is worked out at most once."""

    def __init__(self, reading: CallAnalysis) -> None:
        self._reading = reading
        self._texts: str | None = None
        self._paths: str | None = None
        self._unsure = {_TEXT: False, _PATH: False}

    def fires(self, trigger: str) -> bool:
        """Whether a call may meet a rule with this trigger."""
        if trigger == ALWAYS:
            return True
        if trigger.startswith(_TEXT):
            return trigger[len(_TEXT) :] in self._all_texts() or self._unsure[_TEXT]
        if trigger.startswith(_PATH):
            return trigger[len(_PATH) :] in self._all_paths() or self._unsure[_PATH]
        program = (trigger[len(_RUN) :],)
        return not self._reading.cannot_run((), (program,))

    def _all_texts(self) -> str:
        if self._texts is None:
            values = self._reading.values()
            self._texts = "\n".join(text for one in values for text in one.readings)
            self._unsure[_TEXT] = has_gap(self._texts)
        return self._texts

    def _all_paths(self) -> str:
        if self._paths is None:
            seen = self._reading.files()
            self._paths = "\n".join(f"{path.absolute}\n{path.below}" for path in seen)
            trees = any(path.tree for path in seen)  # files below are meant, too
            self._unsure[_PATH] = trees or has_gap(self._paths)
        return self._paths


def encode(rules: Iterable[CompiledRule]) -> str:
    """The rules as one JSON text; every value that TOML has comes back as it was."""
    rows = [
        (rule.file.id, rule.file.path, rule.file.folder_tool, rule.file.stated,
         rule.tool, rule.triggers, rule.names)
        for rule in rules
    ]  # fmt: skip
    return json.dumps(rows, default=_moment, separators=(",", ":"))


def decode(text: str, scope: Scope) -> list[CompiledRule]:
    """The rules of such a text, which are of one scope."""
    hook = _from_moment if "\\u0000" in text else None
    return [
        CompiledRule(
            RuleFile(id_, scope, path, folder, stated),
            tool,
            tuple(triggers),
            tuple(names),
        )
        for id_, path, folder, stated, tool, triggers, names in json.loads(
            text, object_hook=hook
        )
    ]


def _moment(value: object) -> dict[str, str]:
    for kind in (datetime, date, time):  # a datetime is a date, too
        if isinstance(value, kind):
            return {_TIME: f"{kind.__name__} {value.isoformat()}"}
    raise TypeError(f"{type(value).__name__} is no value of TOML")


_KINDS = {kind.__name__: kind.fromisoformat for kind in (datetime, date, time)}


def _from_moment(table: dict[str, Any]) -> Any:
    if len(table) != 1 or not isinstance(table.get(_TIME), str):
        return table
    kind, _, text = table[_TIME].partition(" ")
    try:
        return _KINDS[kind](text)
    except (KeyError, ValueError):
        return table  # a rule file has such a table itself
