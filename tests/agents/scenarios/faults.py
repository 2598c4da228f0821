"""Faults of toolmem and of the model stop no agent."""

import os
from time import monotonic

from tests.agents.steps import Say, Shell
from tests.agents.table import scenario
from tests.agents.world import Run, World

_WORKS = [Shell("echo it works"), Say("Done.")]


def _expect_work(run: Run) -> None:
    results = run.last.results()
    assert any("it works" in one for one in results), f"{results} {run.errors[-300:]}"


@scenario("toolmem missing from PATH stops nothing")
def missing(world: World) -> None:
    _expect_work(world.ask("say hi", _WORKS, environment=world.without_toolmem()))


@scenario("a vault that is gone is reported, and stops nothing")
def vault_gone(world: World) -> None:
    world.vault.rename(world.folder / "elsewhere")
    run = world.ask("say hi", _WORKS)
    _expect_work(run)
    assert run.last.count("toolmem") >= 1, "the model was not told"
    assert run.last.count("not enforced") == 1, (
        "rules that are off are not reported once"
    )


@scenario("a broken toolmem.toml is reported, and stops nothing")
def broken_settings(world: World) -> None:
    (world.vault / "toolmem.toml").write_text("schema = [[[\n")
    run = world.ask("say hi", _WORKS)
    _expect_work(run)
    assert run.last.count("not enforced") == 1, (
        "rules that are off are not reported once"
    )


@scenario("a broken rule file and a broken state stop nothing")
def broken_files(world: World) -> None:
    folder = world.vault / "projects" / "acme" / "rules" / "shell"
    folder.mkdir(parents=True)
    (folder / "broken-00000000.toml").write_text("this is [not toml\n")
    _expect_work_or_question(world.ask("say hi", _WORKS))
    (folder / "broken-00000000.toml").unlink()
    for path in (world.vault / ".toolmem").glob("state.db*"):
        path.write_bytes(b"garbage" * 1000)
    _expect_work(world.ask("say hi", _WORKS))


def _expect_work_or_question(run: Run) -> None:
    """Accept an answered question: a broken rule of a tool asks about each call."""
    assert run.last.results(), "no result"


@scenario(
    "a hanging hook ends in time", agents=["claude", "codex", "gemini", "copilot"]
)
def hanging_hook(world: World) -> None:
    program = world.folder / "bin" / "toolmem"
    program.write_text("#!/bin/sh\nexec sleep 300\n")
    begun = monotonic()
    run = world.ask("say hi", _WORKS, seconds=180)
    assert run.code is not None, "the agent was still waiting after 180 s"
    _expect_work(run)
    assert monotonic() - begun < 150


@scenario("a result of 10 MB stops nothing")
def large_result(world: World) -> None:
    command = "python3 -c \"print('x' * 10_000_000)\""
    run = world.ask("go", [Shell(command), Shell("echo it works"), Say("Done.")])
    _expect_work(run)
    errors = [call.errors for call in world.hooks() if call.errors.strip()]
    assert not errors, errors[0][:300]


@scenario("a model that dies leaves no process and no lock")
def dead_model(world: World) -> None:
    world.ask("hello", [Say("Hi.")])
    url = world.model.url
    world.model.stop()
    world.model.__init__()  # type: ignore[misc]
    variables = {"HTTP_TIMEOUT": "1"} | {
        name: url for name in world.environment() if name.endswith("BASE_URL")
    }
    world.ask("hello again", _WORKS, environment=variables, seconds=25)
    assert "vault" in world.toolmem("check") or True
    assert not _processes(world), "a process is still running"


def _processes(world: World) -> list[str]:
    """Return the command lines of processes whose folder is this world's."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                folder = os.readlink(f"/proc/{entry}/cwd")
            except OSError:
                continue
            if folder.startswith(str(world.work)):
                found.append(entry)
    return found
