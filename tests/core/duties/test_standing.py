"""The states of duties are found in one reading of a session's steps."""

from toolmem.core.duties.commands import FAILED, OK
from toolmem.core.duties.standing import NOT_DUE, Demand, Standing, standings
from toolmem.core.duties.steps import CommandEnd, DutyNote, GitCommit, PathChange, Step

EDIT = PathChange("/p/src/a.py")
NOTE = PathChange("/p/NOTES.md")


def run(command: str, end: str = OK) -> CommandEnd:
    return CommandEnd(tuple(command.split()), end)


def demand(key: str, run: str = "", change: str = "", after: str = "") -> Demand:
    runs = (tuple(run.split()),) if run else ()
    changes = (change,) if change else ()
    return Demand(key, runs, changes, (after,) if after else (), "/p", "/h")


LINT = demand("lint", run="make lint")
TEST = demand("test", run="make test", after="src/")
LOG = demand("log", change="CHANGES.md", after="src/")
OTHER = demand("other", run="make other", after="lib/")


def test_each_duty_has_the_state_that_it_has_alone():
    steps: list[Step] = [
        DutyNote("test", "denied"),
        run("make test", FAILED),
        run("make lint"),
        EDIT,
        run("make test"),
        EDIT,
    ]
    states = standings([LINT, TEST, LOG, OTHER], steps)
    denied = frozenset(("denied",))
    assert states == [
        NOT_DUE,
        Standing(True, EDIT.path, FAILED, denied, now=True, was_ok=True),
        Standing(True, EDIT.path, now=True),
        NOT_DUE,
    ]
    alone = [standings([one], steps)[0] for one in (LINT, TEST, LOG, OTHER)]
    assert alone == states


def test_a_commit_ends_what_a_change_goes_with():
    commit_last: list[Step] = [GitCommit(), EDIT]
    assert standings([LOG], commit_last) == [NOT_DUE]
    assert standings([LOG], commit_last[::-1])[0].due
    assert standings([LOG], [PathChange("/p/CHANGES.md"), EDIT]) == [NOT_DUE]


def test_steps_are_read_only_until_each_duty_is_decided():
    every: list[Step] = [NOTE, run("make lint"), EDIT, run("make test")]
    steps = iter(every)
    assert standings([LINT], steps) == [NOT_DUE]
    assert next(steps) == EDIT
