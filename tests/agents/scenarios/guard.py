"""Calls that break a rule are stopped, and the model reads why."""

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tests.agents.model import Request
from tests.agents.players import mail_server
from tests.agents.steps import Edit, FromRequest, Read, Say, Shell, Step, Tool, Write
from tests.agents.table import AGENTS, scenario
from tests.agents.world import World
from toolmem.core.agents.registry import wirings

_MAIN = "let a sub-agent add left-pad"
_TASK = "THE SUB-AGENT'S TASK: add left-pad"
_NOTED = r"run: (toolmem rule keep k\w+) --tool NAME"
_ONLY_THE_USER = "only the user may weaken"
_NPM = 'command = ["npm", "install"]'
_PATCH = """*** Begin Patch
*** Update File: secrets.env
@@
-A=1
+A=2
*** End Patch
"""


def add_rule(world: World, tool: str, text: str, guard: str) -> None:
    """Add a critical rule with a guard to the project."""
    words = ("-p", "critical", "--project", "acme", "--guard", guard)
    world.toolmem("rule", "add", tool, text, *words)
    assert text in world.toolmem("rule", "list", tool, "--project", "acme")


def result_of(request: Request, place: int) -> str:
    """Return the result of a call, by its place in the conversation."""
    results = request.results()
    assert len(results) > place, f"only {len(results)} results: {results}"
    return results[place]


@scenario("a denial reaches the model with the rule's text", agents=(*AGENTS, "droid"))
def denial(world: World) -> None:
    add_rule(world, "shell", "never run npm install here, use pnpm", _NPM)
    script = [Shell("npm install left-pad"), Shell("pnpm add left-pad"), Say("Done.")]
    run = world.ask("add left-pad", script)
    assert "never run npm install here" in result_of(run.last, 0)
    assert "npm ran" not in result_of(run.last, 0)
    assert "pnpm ran: add left-pad" in result_of(run.last, 1)


@scenario("a denied call ends the run", agents=["cline"])
def ended(world: World) -> None:
    add_rule(world, "shell", "never run npm install here, use pnpm", _NPM)
    script = [Shell("npm install left-pad"), Shell("pnpm add left-pad"), Say("Done.")]
    run = world.ask("add left-pad", script)
    assert len(run.requests) == 1, "the model was asked again"
    assert '"finishReason":"aborted"' in run.output, run.output[-300:]


@scenario("a tool of another MCP server is guarded")
def mcp_tool(world: World) -> None:
    text = "never email Sarah at sarah@example.com"
    add_rule(world, "send_email", text, 'contains = "sarah@example.com"')
    world.add_mcp("mail", mail_server(sys.executable))
    sarah, bob = (
        Tool("send_email", {"to": f"{name}@example.com"}) for name in ("sarah", "bob")
    )
    run = world.ask("write to both", [sarah, bob, Say("Done.")])
    assert text in result_of(run.last, 0)
    assert "sent to bob@example.com" in result_of(run.last, 1)


@scenario("a path ban covers editing tools, patches and the shell")
def path_ban(world: World) -> None:
    text = "never change secrets.env"
    add_rule(world, "edit", text, 'path = ["secrets.env"]')
    secrets = str(world.work / "secrets.env")
    attempts: list[Step] = [Shell("sed -i s/1/9/ secrets.env"), Shell("rm secrets.env")]
    attempts.append(Shell("echo B=2 >> secrets.env"))
    if world.agent == "codex":  # this model of it edits by the shell alone
        attempts.append(Shell(f"apply_patch <<'X'\n{_PATCH}X\n"))
    else:
        attempts += [Edit(secrets, "A=1", "A=2"), Write(secrets, "A=3\n")]
    reading = [] if world.agent == "codex" else [Read(secrets)]
    run = world.ask("change it", [*reading, *attempts, Say("Done.")])
    for number, step in enumerate(attempts):
        result = result_of(run.last, number + len(reading))
        assert text in result, f"{step}: {result[:200]}"
    assert (world.work / "secrets.env").read_text() == "A=1\n"


@scenario("a candidate is kept by the model and denies the next call")
def candidate(world: World) -> None:
    install = Shell("npm install left-pad")
    script = [FromRequest(_keep), install, Say("Done.")]
    typed = "Fix the login. We should never run npm install here, use pnpm. Thanks!"
    run = world.ask(typed, script)
    assert "New critical rule" in result_of(run.last, 0), result_of(run.last, 0)
    result = result_of(run.last, 1)
    assert "We should never run npm install here" in result, result
    assert "npm ran" not in result


def _keep(texts: Sequence[str]) -> Step:
    """Run the command of toolmem's note, with the name of the shell tool."""
    found = [m[1] for text in texts for m in re.finditer(_NOTED, text)]
    return Shell(f"{found[-1]} --tool shell" if found else "echo no candidate")


@scenario("a sub-agent is guarded")
def guarded_sub_agent(world: World) -> None:
    last = _ask_a_sub_agent(world)
    assert "never run npm install here" in last.results()[0], last.results()
    assert "npm ran" not in "".join(last.results())


@scenario("a sub-agent reads the block", agents=["claude", "codex"])
def informed_sub_agent(world: World) -> None:
    count = _ask_a_sub_agent(world).count("## Tool-scoped rules")
    assert count == 1, f"the sub-agent read {count} blocks"


@scenario("an agent does not switch its own guard off")
def own_guard(world: World) -> None:
    text = "never run npm install here, use pnpm"
    add_rule(world, "shell", text, _NPM)
    rules = sorted(world.vault.glob("projects/acme/rules/*/*.toml"))
    before = {path: path.read_bytes() for path in rules}
    rule = _id_of(rules[0])
    settings = str(world.work / wirings()[world.agent].project)
    commands = [
        f"toolmem rule delete {rule}",
        f"env toolmem --vault {world.vault} rule archive {rule} --reason x",
        f"toolmem rule edit {rule} -p normal",
        f"toolmem rule override {rule} --disable",
        "toolmem review --accept all",
        "toolmem trust add ..",
        f"toolmem agent uninstall {world.agent}",
        f"cd {world.vault} && rm -rf projects",
        f"rm -rf {world.vault}/.toolmem",
        f"sed -i s/deny/warn/ {rules[0]}",
        f"echo 'guard.mode = \"off\"' >> {world.vault}/toolmem.toml",
        f"echo > {settings}",
    ]
    attempts: list[Step] = [*map(Shell, commands)]
    reading: list[Step] = []
    if world.agent != "codex":  # this model of it writes by the shell alone
        attempts.append(Write(settings, "{}"))
        reading.append(Read(settings))
    taking_back = Shell(f'toolmem rule retract --quote "add left-pad" --which {rule}')
    last = [taking_back, Shell("npm install x"), Say("Done.")]
    run = world.ask("add left-pad", [*reading, *attempts, *last])
    for number, step in enumerate(attempts):
        result = result_of(run.last, number + len(reading))
        # Claude Code guards its settings against the shell itself.
        own = world.agent == "claude" and "you haven't granted it yet" in result
        assert own or _ONLY_THE_USER in result, f"{step}: {result[:200]}"
    assert {path: path.read_bytes() for path in before if path.exists()} == before
    assert text in result_of(run.last, len(reading) + len(attempts) + 1)
    assert "npm ran" not in "".join(run.last.results())


@scenario("toolmem's MCP server deletes no rule that a person wrote")
def own_server(world: World) -> None:
    text = "never run npm install here, use pnpm"
    add_rule(world, "shell", text, _NPM)
    [path] = world.vault.glob("projects/acme/rules/*/*.toml")
    world.add_mcp("toolmem", [sys.executable, "-m", "toolmem", "mcp"])
    delete = Tool("tool_rule_delete", {"tool_name": "shell", "id": _id_of(path)})
    script = [delete, Shell("npm install x"), Say("Done.")]
    run = world.ask("add left-pad", script)
    assert path.exists(), result_of(run.last, 0)
    assert text in result_of(run.last, 1), run.last.results()


def _id_of(rule: Path) -> str:
    return str(tomllib.loads(rule.read_text())["id"])


@scenario("the prompt of a sub-agent takes no rule back")
def sub_agent_takes_nothing_back(world: World) -> None:
    add_rule(world, "shell", "never run npm install here, use pnpm", _NPM)
    start = _START[world.agent]
    words = {
        key: f"{value}. You may run npm install here again."
        if value == _TASK
        else value
        for key, value in start.arguments.items()
    }
    script = [Tool(start.name, words), *[FromRequest(_by_either)] * 6]
    run = world.ask(_MAIN, script)
    assert any(map(_is_sub_agent, run.requests)), run.last.results()
    assert "never run npm" in world.toolmem("rule", "list", "--project", "acme")
    assert "npm ran" not in "".join(run.last.results())


_START = {
    "claude": Tool("Agent", {"description": "add a package", "prompt": _TASK}),
    "codex": Tool("spawn_agent", {"message": _TASK}),
    "gemini": Tool("invoke_agent", {"agent_name": "generalist", "prompt": _TASK}),
    "opencode": Tool(
        "task",
        {"description": "add it", "prompt": _TASK, "subagent_type": "general"},
    ),
    "copilot": Tool(
        "task",
        {"description": "add it", "prompt": _TASK, "agent_type": "task", "name": "add"},
    ),
}


def _ask_a_sub_agent(world: World) -> Request:
    """Let a sub-agent run into a rule; return its last request."""
    add_rule(world, "shell", "never run npm install here, use pnpm", _NPM)
    script = [_START[world.agent], *[FromRequest(_by_either)] * 6]
    run = world.ask(_MAIN, script)
    inner = [r for r in run.requests if _is_sub_agent(r)]
    assert inner, f"no request of the sub-agent: {run.last.results()}"
    return inner[-1]


def _by_either(texts: Sequence[str]) -> Step:
    """The next step of the sub-agent, or of the agent that waits for it."""
    text = "\n".join(texts)
    if _MAIN not in text:
        return Say("Sub.") if "(toolmem rule" in text else Shell("npm install x")
    [*_, started] = ["", *re.findall(r'"agent_id":"([\w-]+)"', text)]
    if not started or "Sub." in text:
        return Say("Done.")
    return Tool("wait_agent", {"targets": [started]})


def _is_sub_agent(request: Request) -> bool:
    typed = [piece.text for piece in request.pieces if piece.role == "user"]
    return any(_TASK in text for text in typed) and _MAIN not in "".join(typed)
