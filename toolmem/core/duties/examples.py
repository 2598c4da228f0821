"""Run the examples of a duty and find those that fail."""

from collections.abc import Iterator, Mapping

from toolmem.core.duties.fulfils import demanded_words
from toolmem.core.duties.precedes import steps_before
from toolmem.core.duties.standing import Demand
from toolmem.core.duties.steps import PathChange
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.verdict import FailedExample
from toolmem.core.patterns.paths import resolve
from toolmem.core.rules.duty_table import Duty
from toolmem.core.rules.guard_table import Example

_CWD, _HOME = "/home/example/project", "/home/example"


def failed_examples(duty: Duty) -> Iterator[FailedExample]:
    """Yield the examples of a duty that fail, those under ``match`` first.

    A duty matches a command that must wait for it, and the path of a file whose change
    makes it due.
    """
    for key, examples, wanted in (
        ("match", duty.match, True),
        ("not_match", duty.not_match, False),
    ):
        for example in examples:
            if _concerns(duty, example) is not wanted:
                yield FailedExample(key, example)


def _concerns(duty: Duty, example: Example) -> bool:
    given = example if isinstance(example, Mapping) else {"command": example}
    call = ToolCall("example", given, _CWD, _HOME)
    if any(True for _ in steps_before(call, duty.before)):
        return True
    if not isinstance(example, str) or " " in example:
        return False
    runs = tuple(map(demanded_words, duty.run))
    demand = Demand("", runs, duty.change, duty.after, _CWD, _HOME)
    return demand.is_triggered_by(PathChange(resolve(example, cwd=_CWD, home=_HOME)))
