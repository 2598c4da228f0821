"""A stranger's folder: what the user's own vault says stays in force in it."""

import json
import os
from pathlib import Path

import pytest

from tests.hooks.players import PLAYERS, Claude, Player
from tests.world import World
from toolmem.ops.setup.trust import trust
from toolmem.store.files.settings import user_file

BAN = "Never email Sarah at sarah@example.com"
FORCED = "git push --force"


def empty_vault(folder: Path) -> None:
    (folder / "toolmem.toml").write_text("")


def broken_pointer(folder: Path) -> None:
    (folder / ".toolmem.toml").write_text("vault = \n")


def pointer_to_nowhere(folder: Path) -> None:
    (folder / ".toolmem.toml").write_text('vault = "../nowhere"\n')


def broken_vault(folder: Path) -> None:
    (folder / "toolmem.toml").write_text("schema = \n")


STRANGERS = (empty_vault, broken_pointer, pointer_to_nowhere, broken_vault)


@pytest.fixture
def own(tmp_path: Path) -> World:
    """The user's default vault, with one ban."""
    (tmp_path / "own").mkdir()
    vault = World(tmp_path / "own").vault("template")
    for sample in vault.root.glob("system/rules/*/*.toml"):
        sample.unlink()
    rule(vault, "system", FORCED)
    user_file().parent.mkdir(parents=True)
    user_file().write_text(f'vault = "{vault.root}"\n')
    return vault


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    return folder


def rule(world: World, scope: str, command: str, action: str = "deny", **more: str):
    words = json.dumps(command.split())
    keys = "".join(f'{key} = "{value}"\n' for key, value in more.items())
    name = command.replace(" ", "-")
    world.write(
        f"{scope}/rules/git/{name}.toml",
        f'id = "{name}"\ntool = "git"\nrule = "never run {command}"\n'
        f'priority = "critical"\n{keys}'
        f'[[guard]]\naction = "{action}"\ncommand = {words}\n',
    )


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def verdict(player: Player, command: str) -> str:
    event = "shell" if player.agent == "cursor" else "before"
    payload = player.call(player.shell, {"command": command})
    if event == "shell":
        payload = {"command": command, "cwd": str(player.folder)}
    return player.send(event, payload).verdict


@pytest.mark.one_of(3)
@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("agent", PLAYERS)
def test_a_stranger_s_folder_silences_no_rule_and_gets_nothing(
    own, clone, agent, stranger
):
    stranger(clone)
    before = files(clone)
    player = agent(clone)
    start = player.start()
    assert str(own.root) in (start.message or start.context)
    assert verdict(player, FORCED) == "deny"
    player.prompt(BAN)
    player.end()
    sent = player.before(player.mail, to="sarah@example.com", body="hi")
    assert sent.verdict == "deny"
    assert files(clone) == before
    [kept] = own.root.glob("system/rules/send_email/*.toml")
    assert BAN in kept.read_text()


def test_the_start_of_a_session_names_the_vaults_and_what_to_run(own, clone):
    empty_vault(clone)
    start = Claude(clone).start()
    assert start.message == (
        f"toolmem: vaults in force: {own.root} (yours) and {clone} (not trusted: its "
        "rules are added to yours, and what you type is not saved in it; to use it "
        f"alone, run `toolmem trust add {clone}`)"
    )
    assert start.context.endswith(f"\n{start.message}\n")
    assert f"never run {FORCED}" in start.context


@pytest.mark.parametrize("stranger", [broken_pointer, pointer_to_nowhere])
def test_the_start_of_a_session_says_whose_guards_are_off(own, clone, stranger):
    stranger(clone)
    message = Claude(clone).start().message
    assert message.startswith(f"toolmem: vault in force: {own.root}; not in force: ")
    assert ": its rules are not enforced; " in message


def test_without_any_vault_that_works_the_start_says_so(clone):
    broken_pointer(clone)
    start = Claude(clone).start()
    assert start.message.startswith(f"toolmem: no rules are enforced: {clone}/")
    assert start.message == start.context


def test_where_no_vault_is_named_nothing_is_said(clone):
    assert Claude(clone).start().document == {}


def test_a_gone_default_vault_leaves_the_one_that_was_found(own, clone):
    empty_vault(clone)
    rule(World(clone), "system", "git stash")
    (own.root / "toolmem.toml").unlink()
    player = Claude(clone)
    message = player.start().message
    assert message.startswith(f"toolmem: vault in force: {clone}; not in force: ")
    assert (
        "its rules are not enforced; restore the folder, or correct the setting that "
        "names it" in message
    )
    assert verdict(player, "git stash") == "deny"


def test_both_vaults_guard_and_are_in_the_block(own, clone):
    empty_vault(clone)
    rule(World(clone), "system", "git stash")
    player = Claude(clone)
    context = player.start().context
    assert f"never run {FORCED}" in context
    assert "never run git stash" in context
    assert (verdict(player, FORCED), verdict(player, "git stash")) == ("deny", "deny")


def test_a_trusted_vault_is_in_force_alone_and_gets_what_is_typed(own, clone):
    empty_vault(clone)
    trust(clone)
    player = Claude(clone)
    assert player.start().message == f"toolmem: vault in force: {clone}"
    assert verdict(player, FORCED) == ""
    assert "saved in" not in player.prompt(BAN).message
    assert len(list(clone.glob("system/rules/*/never-email*.toml"))) == 1


def test_what_was_typed_names_the_vault_that_has_it(own, clone):
    empty_vault(clone)
    message = Claude(clone).prompt(BAN).message
    assert message.endswith(
        f"saved in {own.root}; `toolmem --vault {own.root} review` shows it"
    )


@pytest.mark.parametrize(
    "override",
    [
        {"enabled": False},
        {"priority": "normal"},
        {"rule": "git push --force is welcome"},
        {"expires_at": "2020-01-01T00:00:00Z"},
    ],
)
def test_a_stranger_s_override_weakens_nothing(own, clone, override):
    empty_vault(clone)
    name = FORCED.replace(" ", "-")
    keys = "".join(f"{k} = {json.dumps(v)}\n" for k, v in override.items())
    for scope in ("system", "agent-types/coding", "projects/x"):
        World(clone).write(
            f"{scope}/rules/git/{name}.toml",
            f'id = "{name}"\nreason = "because"\n{keys}[[guard]]\naction = "warn"\n'
            'command = ["git", "never"]\n',
        )
    pointer = Path(clone / "sub/.toolmem.toml")
    pointer.parent.mkdir()
    pointer.write_text('project = "x"\nagent_type = "coding"\n')
    player = Claude(pointer.parent)
    assert f"**[critical]** never run {FORCED}" in player.start().context
    assert verdict(player, FORCED) == "deny"


def test_a_stranger_s_manifest_hides_no_rule(own, clone):
    empty_vault(clone)
    World(clone).write("tools/zzz.toml", 'name = "zzz"\naliases = ["git", "Bash"]\n')
    player = Claude(clone)
    assert "### `git`" in player.start().context
    assert verdict(player, FORCED) == "deny"


def test_many_rules_of_a_stranger_push_none_of_the_user_s_out(own, clone):
    empty_vault(clone)
    theirs = World(clone)
    for number in range(150):
        folder = f"system/rules/tool_{number}"
        theirs.write(
            f"{folder}/r.toml",
            f'id = "r{number}"\ntool = "tool_{number}"\npriority = "critical"\n'
            f'rule = "always {"x" * 90} {number}"\nupdated_at = 2099-01-01T00:00:00Z\n',
        )
        theirs.write(f"{folder}/broken.toml", "id = \n")
    context = Claude(clone).start().context
    assert len(context) <= 9_000
    assert f"never run {FORCED}" in context


def test_a_folder_below_a_trusted_vault_silences_it_as_little(tmp_path, clone):
    above = World(tmp_path)
    above.write("toolmem.toml", "schema = 1\n")
    rule(above, "system", FORCED)
    trust(tmp_path)
    empty_vault(clone)
    player = Claude(clone)
    assert f"{tmp_path} (yours) and {clone} (not trusted" in player.start().message
    assert verdict(player, FORCED) == "deny"
    player.prompt(BAN)
    assert len(list(tmp_path.glob("system/rules/*/never-email*.toml"))) == 1


def test_a_vault_that_is_named_guards_alone(own, clone, tmp_path, monkeypatch):
    named = tmp_path / "named"
    named.mkdir()
    empty_vault(named)
    empty_vault(clone)
    monkeypatch.setenv("TOOLMEM_VAULT", str(named))
    player = Claude(clone)
    assert player.start().message == f"toolmem: vault in force: {named}"
    assert verdict(player, FORCED) == ""


def test_in_continuous_integration_the_vault_of_the_checkout_is_in_force(
    clone, monkeypatch
):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(clone / "no-home"))
    empty_vault(clone)
    rule(World(clone), "system", FORCED)
    player = Claude(clone)
    assert player.start().message == f"toolmem: vault in force: {clone}"
    assert verdict(player, FORCED) == "deny"
    assert os.fspath(clone) not in player.start().context
