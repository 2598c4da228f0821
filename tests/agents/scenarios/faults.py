"""Faults of toolmem and of the model stop no agent."""

from pathlib import Path
from time import monotonic

from tests.agents.steps import Say, Shell
from tests.agents.table import scenario
from tests.agents.world import BLOCK, Run, World
from toolmem.core.agents.hook_command import NOT_INSTALLED, REMEMBERED

_BAN = "never use rsync."
_NO_SPACE = "toolmem: not in force yet: no space in the vault"
_WORKS = [Shell("echo it works"), Say("Done.")]


def _expect_work(run: Run) -> None:
    results = run.last.results()
    assert any("it works" in one for one in results), f"{results} {run.errors[-300:]}"


def _expect_report(run: Run) -> None:
    count = run.last.count("no rules are enforced")
    assert count == 1, f"rules that are off are reported {count} times"


@scenario("toolmem missing from PATH is run from where it was installed")
def missing(world: World) -> None:
    run = world.ask("say hi", _WORKS, environment=world.without_toolmem())
    _expect_work(run)
    assert run.last.count(BLOCK) == 1


@scenario("toolmem that is not installed is reported, and stops nothing")
def not_installed(world: World) -> None:
    (world.home / REMEMBERED).unlink()
    run = world.ask("say hi", _WORKS, environment=world.without_toolmem())
    _expect_work(run)
    if world.agent == "gemini":  # which says it to its user alone
        assert NOT_INSTALLED in run.errors
    else:
        assert run.last.count(NOT_INSTALLED) == 1


@scenario("a ban typed on a full disk is answered at once, and kept")
def no_space(world: World) -> None:
    world.ask("hello", [Say("Hi.")])
    with world.full_disk():
        run = world.ask(_BAN, _WORKS, resumed=True)
    _expect_work(run)
    answered = [request.count(_NO_SPACE) for request in run.requests]
    assert answered == [1] * len(answered), f"answered in the requests: {answered}"
    assert "rsync" not in world.toolmem("rule", "list", "--effective")
    world.ask("go on", [Say("Done.")], resumed=True)
    assert "never use rsync" in world.toolmem("rule", "list", "--effective")


@scenario("a ban typed on a disk full from the start is answered at once")
def no_space_at_all(world: World) -> None:
    with world.full_disk():
        run = world.ask(_BAN, _WORKS)
    _expect_work(run)
    assert run.first.count(_NO_SPACE) == 1, run.first.count(_NO_SPACE)


@scenario("a vault that is gone is reported, and stops nothing")
def vault_gone(world: World) -> None:
    world.vault.rename(world.folder / "elsewhere")
    run = world.ask("say hi", _WORKS)
    _expect_work(run)
    _expect_report(run)


@scenario("a broken toolmem.toml is reported, and stops nothing")
def broken_settings(world: World) -> None:
    (world.vault / "toolmem.toml").write_text("schema = [[[\n")
    run = world.ask("say hi", _WORKS)
    _expect_work(run)
    count = run.last.count("settings not read: ")
    assert count == 1, f"settings that are not read are reported {count} times"


@scenario("a broken rule file and a broken state stop nothing")
def broken_files(world: World) -> None:
    folder = world.vault / "projects" / "acme" / "rules" / "shell"
    folder.mkdir(parents=True)
    (folder / "broken-00000000.toml").write_text("this is [not toml\n")
    assert world.ask("say hi", _WORKS).last.results(), "the call had no result"
    (folder / "broken-00000000.toml").unlink()
    for path in (world.vault / ".toolmem").glob("state.db*"):
        path.write_bytes(b"garbage" * 1000)
    _expect_work(world.ask("say hi", _WORKS))


@scenario("a hanging hook ends in time")
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
    world.model.stop()
    world.ask("hello again", _WORKS, seconds=12)
    assert not _processes(world), f"still running: {_processes(world)}"
    words = ("rule", "add", "shell", "never wait for a dead model", "-p", "high")
    world.toolmem(*words, "--project", "acme")
    listed = world.toolmem("rule", "list", "shell", "--project", "acme")
    assert "never wait" in listed, listed


def _processes(world: World) -> list[str]:
    """Return the command lines of processes whose folder is this world's."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            folder = (entry / "cwd").readlink()
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if folder.is_relative_to(world.work):
            found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found
