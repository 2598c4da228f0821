"""Run a guard's own examples and find those that fail."""

from typing import NamedTuple

from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.verdict import match_guard
from toolmem.core.rules.guard_table import Example, Guard

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
    return match_guard(guard, CallAnalysis(call, read_shell)) is not None
