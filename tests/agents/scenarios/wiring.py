"""Installing and uninstalling leave an agent's own files as they were."""

import hashlib
import json
import shlex
import subprocess
import sys

from tests.agents.packages import ROOT
from tests.agents.scenarios.guard import add_rule, result_of
from tests.agents.steps import Say, Shell, Tool, find_tool
from tests.agents.table import AGENTS, scenario
from tests.agents.world import BLOCK, World

_OWN_FILES = {
    "claude": (
        ".claude/settings.json",
        '{\n    "permissions": {"allow": ["Bash(ls:*)"]},\n\t"hooks": {"Stop": '
        '[{"hooks": [{"type":"command","command":"true"}]}]}\n}',
    ),
    "codex": (
        ".codex/hooks.json",
        '{"hooks": {"Stop": [ {"hooks":[{"type":"command","command":"true"}]} ]}}',
    ),
    "gemini": (".gemini/settings.json", '// mine\n{\n  "ui": {} // keep\n}\n'),
    "opencode": (".opencode/plugins/other.js", "// mine\n"),
    "copilot": (".github/hooks/other.json", '{"version":1,"hooks":{}}\n'),
    "droid": (".factory/settings.json", '{"hooks": {} , "sounds":"off"}'),
    "cline": (".clinerules/kind.md", "Be kind.\n"),
    "continue": (".continue/rules/kind.md", "Be kind.\n"),
}


_SWITCHES = {
    "claude": (".claude/settings.local.json", ".claude/settings.json"),
    "codex": (".codex/config.toml",),
    "gemini": (".gemini/settings.json",),
    "copilot": (".github/copilot/settings.json", ".claude/settings.json"),
}
"""Settings of a project in which an agent finds a switch that turns hooks off."""


@scenario(
    "uninstalling restores every file to the byte",
    agents=tuple(_OWN_FILES),
    install=False,
)
def uninstall(world: World) -> None:
    name, text = _OWN_FILES[world.agent]
    path = world.work / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    before = _tree(world)
    world.toolmem("agent", "install", world.agent)
    run = world.ask("say hi", [Shell("echo it works"), Say("Done.")])
    assert run.last.count(BLOCK) == 1
    world.toolmem("agent", "uninstall", world.agent)
    after = {name: value for name, value in _tree(world).items() if name in before}
    assert after == before
    assert "toolmem" not in "".join(
        p.read_text(errors="replace") for p in world.work.rglob("*.js*") if p.is_file()
    )


def _tree(world: World) -> dict[str, str]:
    return {
        str(path.relative_to(world.work)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(world.work.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(world.work).parts
    }


@scenario("Copilot with Claude's settings, too, counts once", agents=["copilot"])
def wired_twice(world: World) -> None:
    world.toolmem("agent", "install", "claude")
    run = world.ask("list the files", [Shell("ls"), Say("Two files.")])
    assert run.last.count(BLOCK) == 1, "the block came twice"
    stats = world.toolmem("stats", "--json")
    assert '"calls": 1' in stats, stats


@scenario(
    "hooks that the agent does not run yet are reported",
    agents=["codex", "gemini", "copilot"],
    trust=False,
)
def inactive(world: World) -> None:
    status = world.toolmem("agent", "status", world.agent)
    assert "installed, not yet active: " in status, status
    world.ask("list the files", [Shell("ls"), Say("Two files.")])
    assert world.hooks() == []


@scenario(
    "hooks that the agent's settings switch off are reported",
    agents=["claude", "codex", "gemini", "copilot"],
)
def switched_off(world: World) -> None:
    for name in _SWITCHES[world.agent]:
        path = world.work / name
        before = path.read_text() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_off(world.agent, before))
        status = world.toolmem("agent", "status", world.agent)
        assert "installed, switched off: " in status, f"{name}: {status}"
        world.ask("list the files", [Shell("ls"), Say("Two files.")])
        assert world.hooks() == [], name
        path.unlink()
        if before is not None:
            path.write_text(before)
    world.ask("list the files", [Shell("ls"), Say("Two files.")])
    assert world.hooks()


def _off(agent: str, before: str | None) -> str:
    if agent == "codex":
        return "[features]\nhooks = false\n"
    off = {"hooksConfig": {"enabled": False}, "disableAllHooks": True}
    key = "hooksConfig" if agent == "gemini" else "disableAllHooks"
    return json.dumps({**json.loads(before or "{}"), key: off[key]})


@scenario("installed hooks pass their own test", agents=(*AGENTS, "droid", "cline"))
def own_test(world: World) -> None:
    printed = world.toolmem("agent", "test", world.agent)
    assert "denied: never run toolmem-sample" in printed, printed
    assert "failed" not in printed, printed


@scenario("toolmem's MCP tools are there at the first request")
def mcp_in_time(world: World) -> None:
    world.add_mcp("toolmem", [sys.executable, "-m", "toolmem", "mcp"])
    call = Tool("memory_recall", {"query": "language"})
    run = world.ask("which language?", [call, Say("English.")])
    if world.agent != "codex":  # which looks for tools of servers when it needs them
        assert find_tool(run.first.offered, "memory_recall"), list(run.first.offered)
    assert "plain words" in "".join(run.last.results()), run.last.results()


_PLUGIN_COMMANDS = {
    "claude": (
        "claude plugin validate --strict {folder}/claude",
        "claude plugin marketplace add {folder}",
        "claude plugin install toolmem@toolmem",
    ),
    "codex": (
        "codex plugin marketplace add {folder}",
        "codex plugin add toolmem@toolmem",
    ),
    "gemini": (
        "gemini extensions validate {folder}/gemini",
        "gemini extensions link {folder}/gemini --consent",
    ),
}


@scenario(
    "the agent's own commands install the plugin, which denies a call",
    agents=tuple(_PLUGIN_COMMANDS),
    install=False,
)
def plugin(world: World) -> None:
    folder = shlex.quote(str(ROOT / "integrations"))
    for command in _PLUGIN_COMMANDS[world.agent]:
        done = subprocess.run(
            shlex.split(command.format(folder=folder)),
            cwd=world.work,
            env=world.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    add_rule(world, "shell", "never run npm install here", 'command = ["npm"]')
    run = world.ask("add left-pad", [Shell("npm install left-pad"), Say("Done.")])
    assert "never run npm install here" in result_of(run.last, 0)
