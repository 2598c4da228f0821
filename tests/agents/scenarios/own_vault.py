"""Unknown names reach no rule, and the user reads which rules git changed."""

from tests.agents.scenarios.guard import add_rule, result_of
from tests.agents.steps import Say, Shell
from tests.agents.table import scenario
from tests.agents.world import World

_TEXT = "never run npm install here, use pnpm"
_NPM = 'command = ["npm", "install"]'
_ONLY_THE_USER = "only the user may weaken"


@scenario("no archive, list or name that is not known reaches the rules")
def unknown_names(world: World) -> None:
    add_rule(world, "shell", _TEXT, _NPM)
    [rule] = world.vault.glob("projects/acme/rules/*/never-run-npm*.toml")
    inside = rule.relative_to(world.folder)
    world.shell(f"tar cf evil.tar -C .. {inside} && tar cf good.tar app.py")
    attempts = (
        f"cd {world.folder} && tar xf no-such.tar",
        f"tar xf evil.tar -C {world.folder}",
        f"cat no-such.tar | tar x -C {world.vault}",
        f"cd {world.vault} && rm -rf $NAME",
        f"cd {world.vault} && python3 -c 'print(1)' | xargs rm -rf",
        f"cd {world.folder} && git apply no-such.patch",
    )
    honest = Shell("tar xf good.tar && echo it works")
    run = world.ask("tidy up", [*map(Shell, attempts), honest, Say("Done.")])
    for number, command in enumerate(attempts):
        result = result_of(run.last, number)
        assert _ONLY_THE_USER in result, f"{command}: {result[:200]}"
    assert "it works" in result_of(run.last, len(attempts))
    assert rule.exists()


@scenario("rules that git changed are listed with the next message")
def changed_by_git(world: World) -> None:
    commit = f"git -C {world.vault} add -A && git -C {world.vault} commit -qm"
    world.shell(f"git init -q {world.vault} && {commit} begin")
    add_rule(world, "shell", _TEXT, _NPM)
    world.shell(f"{commit} rules")
    pull = Shell(f"git -C {world.vault} checkout -q HEAD~1")
    run = world.ask("bring the vault up to date", [pull, Say("Done.")])
    assert _ONLY_THE_USER not in result_of(run.last, 0)
    run = world.ask("go on", [Say("Done.")], resumed=True)
    assert run.last.count(f"no longer in force: [critical] shell: {_TEXT}") == 1
