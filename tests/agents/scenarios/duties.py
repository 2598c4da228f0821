"""Duties: what agents tell about calls and the ends of turns, and one that is due."""

from tests.agents.steps import Say, Shell
from tests.agents.table import scenario
from tests.agents.told import TOLD, HookReport
from tests.agents.world import World
from toolmem.core.agents.event import AFTER_TOOL, TOOL_FAILED, TURN_END, Event
from toolmem.core.agents.registry import dialect_of

_DUTY = "Always run `make check` at the end of your work."
_STOPPED = tuple(agent for agent, told in TOLD.items() if told.stop_answered)
_ENDED = (AFTER_TOOL, TOOL_FAILED)


def add_duty(world: World) -> None:
    """Add the duty to the project, with what it runs."""
    (world.work / "Makefile").write_text("check:\n\t@echo all checks ran\n")
    world.shell("git add -A && git commit -qm makefile")
    words = ("-p", "high", "--project", "acme")
    printed = world.toolmem("rule", "add", "shell", _DUTY, *words)
    assert "make check" in world.toolmem("rule", "list", "shell", "--json"), printed


def events(world: World) -> list[Event]:
    """Return the events that the agent sent, oldest first."""
    calls = [(call, call.words.split()) for call in world.hooks()]
    names = [
        words[words.index("--event") + 1] if "--event" in words else ""
        for _, words in calls
    ]
    read = dialect_of(world.agent).read
    return [
        read(call.payload, name) for (call, _), name in zip(calls, names, strict=True)
    ]


@scenario("a turn that leaves a duty undone goes on, and ends", agents=_STOPPED)
def due(world: World) -> None:
    add_duty(world)
    script = [
        Shell("echo 'x = 1' >> app.py"),
        Say("Done."),
        Shell("make check"),
        Say("Now it is done."),
        Say("It went on."),
    ]
    run = world.ask("change app.py", script)
    assert len(run.requests) > 2, "the end of the turn was not answered"
    assert "all checks ran" in "".join(run.last.results()), run.last.results()
    assert len(run.requests) == 4, f"{len(run.requests)} requests"


@scenario("a turn without a change ends at once", agents=_STOPPED)
def nothing_due(world: World) -> None:
    add_duty(world)
    run = world.ask("look around", [Shell("ls"), Say("Done."), Say("It went on.")])
    assert len(run.requests) == 2, f"{len(run.requests)} requests"


@scenario("an agent tells what the manual says of it", agents=tuple(TOLD))
def tells(world: World) -> None:
    world.toolmem("agent", "install", world.agent, "--no-warm")  # so each is logged
    script = [Shell("ls nowhere"), Shell("echo it works"), Say("Done.")]
    world.ask("look around", script)
    seen = events(world)
    ended = {str(one.input.get("command")): one for one in seen if one.kind in _ENDED}
    failed = next((one for name, one in ended.items() if "nowhere" in name), None)
    passed = next((one for name, one in ended.items() if "works" in name), None)
    told = HookReport(
        failure=_said(failed),
        success=_said(passed),
        call_ids=bool(passed and passed.call_id),
        stop=next((one.name for one in seen if one.kind == TURN_END), ""),
        stop_answered=False,
    )
    known = TOLD[world.agent]._replace(stop_answered=False)  # the scenario above
    assert told == known, told


def _said(event: Event | None) -> str:
    """Return the event after a call, and how it says that the call ended."""
    if event is None:
        return ""
    unknown = "outcome unknown" if event.unfinished else "no exit code"
    code = unknown if event.exit_code is None else f"exit code {event.exit_code}"
    return f"{event.name}: {code}"
