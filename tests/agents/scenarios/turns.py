"""Turns are recorded, whatever the agent's payloads leave out."""

from tests.agents.steps import Edit, Read, Say, Shell, Step, Write
from tests.agents.table import scenario
from tests.agents.world import World

_PATCH = """*** Begin Patch
*** Update File: app.py
@@
-print('hi')
+print('ho')
*** Add File: new.py
+b=1
*** End Patch
"""


@scenario("failed commands and changed files are seen")
def turn_memory(world: World) -> None:
    app, new = str(world.work / "app.py"), str(world.work / "new.py")
    edits: list[Step] = [Read(app), Edit(app, "hi", "ho"), Write(new, "b=1\n")]
    if world.agent == "codex":
        edits = [Shell(f"apply_patch <<'X'\n{_PATCH}X\n")]
    script = [Shell("ls nowhere"), *edits, Say("Done.")]
    world.ask("change app.py", script)
    printed = _turns(world)
    assert "Files changed: app.py, new.py" in printed, printed
    assert "Failed bash: ls nowhere (exit " in printed, printed


def _turns(world: World) -> str:
    """Render the turns of the session that the last hook call belongs to."""
    payload = world.hooks()[-1].payload
    keys = ("session_id", "sessionId", "session")
    session = next(str(payload[key]) for key in keys if payload.get(key))
    return world.toolmem("turn", "render", "--session", session)


@scenario("a denial is not counted as a failure")
def denials(world: World) -> None:
    guard = 'command = ["npm", "install"]'
    words = ("-p", "critical", "--project", "acme", "--guard", guard)
    world.toolmem("rule", "add", "shell", "never run npm install", *words)
    script = [Shell("npm install a"), Shell("npm install b"), Say("Done.")]
    world.ask("add packages", script)
    assert "Failed" not in _turns(world)
    listed = world.toolmem("rule", "list", "--effective", "--json")
    assert "failed" not in listed, listed


@scenario("a typed rule is written as typed")
def typed(world: World) -> None:
    world.ask("Never use rsync in this repository.", [Say("Understood.")])
    listed = world.toolmem("rule", "list", "--effective", "--project", "acme")
    assert "Never use rsync in this repository" in listed, listed
