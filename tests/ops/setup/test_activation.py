"""Steps that a user must still take before an agent runs installed hooks."""

import json
from pathlib import Path

import pytest

from tests.ops.setup.test_agent_install import install, settings
from tests.world import World


def todo(world: World, agent: str, place: str = "project") -> str:
    if not settings(world, agent).exists():
        install(world, agent)
    found = json.loads(world.call("agent", "status", agent, "--json").stdout)
    return next(str(one["todo"]) for one in found if one["place"] == place)


def write(name: str, text: str) -> None:
    path = Path.home() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def project(world: World) -> World:
    return world.vault("template")


def test_claude_runs_what_is_installed(project):
    assert todo(project, "claude") == ""


def test_codex_wants_trust_in_the_folder_and_a_review_of_the_hooks(project):
    started = "start codex in this folder, trust it, then trust its hooks with /hooks"
    assert todo(project, "codex") == f"installed, not yet active: {started}"
    trusted = f'[projects."{project.root}"]\ntrust_level = "trusted"\n'
    write(".codex/config.toml", trusted)
    reviewed = "run /hooks in codex and trust them"
    assert todo(project, "codex") == f"installed, not yet active: {reviewed}"
    path = project.root / ".codex" / "hooks.json"
    state = f'[hooks.state."{path}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"\n'
    write(".codex/config.toml", trusted + state)
    assert todo(project, "codex") == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".gemini/trustedFolders.json", '{{"{folder}": "TRUST_FOLDER"}}'),
        (".gemini/trustedFolders.json", '{{"{above}": "TRUST_PARENT"}}'),
        (
            ".gemini/settings.json",
            '{{"security": {{"folderTrust": {{"enabled": false}}}}}}',
        ),
    ],
)  # fmt: skip
def test_gemini_wants_trust_in_the_folder(project, name, text):
    assert todo(project, "gemini") == (
        "installed, not yet active: start gemini in this folder and trust it "
        "(--skip-trust runs no hooks)"
    )
    write(name, text.format(folder=project.root, above=project.root.parent))
    assert todo(project, "gemini") == ""


def test_copilot_wants_trust_in_the_folder(project):
    asked = "installed, not yet active: start copilot in this folder and trust it"
    assert todo(project, "copilot") == asked
    write(".copilot/config.json", '{"trusted_folders": 1}')
    assert todo(project, "copilot") == asked
    for key in ("trusted_folders", "trustedFolders"):
        text = json.dumps({key: [str(project.root)]})
        write(".copilot/config.json", f"// managed by Copilot\n{text}")
        assert todo(project, "copilot") == ""


@pytest.mark.parametrize("text", ["no TOML [[", "projects = 1\nhooks = []\n", "\udc80"])
def test_settings_that_cannot_be_read_count_as_not_done(project, text):
    path = Path.home() / ".codex" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "not yet active" in todo(project, "codex")


def test_install_and_doctor_say_it_too(world):
    world.vault("template")
    done = world.call("agent", "install", "copilot")
    asked = "start copilot in this folder and trust it"
    assert f"toolmem: copilot: installed, not yet active: {asked}\n" in done.stderr
    findings = json.loads(world.call("doctor", "--json").stdout)["findings"]
    [found] = [one for one in findings if one["code"] == "agent-inactive"]
    assert (found["message"], found["cure"]) == (
        "copilot: installed, not yet active",
        asked,
    )


def test_claude_and_copilot_may_have_hooks_in_two_places(world):
    world.vault("template")
    for agent in ("claude", "copilot"):
        world.call("agent", "install", agent)
        done = world.call("agent", "install", agent, "--user")
        assert "may run twice" not in done.stderr
    findings = json.loads(world.call("doctor", "--json").stdout)["findings"]
    assert "agent-twice" not in {one["code"] for one in findings}


OFF = {
    "claude project": ("claude", ".claude/settings.json", True),
    "claude local": ("claude", ".claude/settings.local.json", True),
    "claude user": ("claude", "~/.claude/settings.json", True),
    "gemini project": ("gemini", ".gemini/settings.json", {"enabled": False}),
    "gemini user": ("gemini", "~/.gemini/settings.json", {"enabled": False}),
    "gemini by name": ("gemini", "~/.gemini/settings.json", {"disabled": ["toolmem"]}),
    "codex project": ("codex", ".codex/config.toml", "hooks"),
    "codex user": ("codex", "~/.codex/config.toml", "codex_hooks"),
    "copilot project": ("copilot", ".github/copilot/settings.json", True),
    "copilot local": ("copilot", ".github/copilot/settings.local.json", True),
    "copilot by Claude's": ("copilot", ".claude/settings.json", True),
    "copilot by Claude's local": ("copilot", ".claude/settings.local.json", True),
}


def switch_off(world: World, name: str, value: object) -> Path:
    """Write the setting that switches hooks off into an agent's settings."""
    user = name.startswith("~/")
    path = Path.home() / name[2:] if user else world.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".toml":
        path.write_text(f"[features]\n{value} = false\n")
        return path
    document = json.loads(path.read_text()) if path.exists() else {}
    key = "disableAllHooks" if value is True else "hooksConfig"
    path.write_text(json.dumps({**document, key: value}))
    return path


@pytest.mark.one_of(3)
@pytest.mark.parametrize("case", OFF)
def test_hooks_that_the_agent_s_settings_switch_off_are_reported(world, case):
    agent, name, value = OFF[case]
    world.vault("template")
    install(world, agent)
    path = switch_off(world, name, value)
    for words in (
        ("agent", "install", agent),
        ("agent", "status", agent),
        *([("agent", "test", agent)] if case == "claude project" else []),
    ):
        done = world.call(*words)
        assert "installed, switched off: " in done.stderr
        assert f" in {world.plain(str(path))}\n" in done.stderr
        assert "the hooks work" not in done.stderr
    rows = world.call("agent", "status", agent).stdout.splitlines()
    assert f"{agent}  project  installed, warm, switched off" in " ".join(rows)
    found = json.loads(world.call("doctor", "--json").stdout)["findings"]
    messages = [one["message"] for one in found if one["code"] == "agent-inactive"]
    assert messages == [f"{agent}: installed, switched off"]


def test_the_narrowest_setting_decides(world):
    world.vault("template")
    install(world, "claude")
    switch_off(world, "~/.claude/settings.json", True)
    world.write(".claude/settings.local.json", '{"disableAllHooks": false}')
    assert todo(world, "claude") == ""


@pytest.mark.parametrize(
    ("on", "off"),
    [
        (".github/copilot/settings.local.json", ".github/copilot/settings.json"),
        (".github/copilot/settings.json", ".claude/settings.local.json"),
        (".claude/settings.local.json", ".claude/settings.json"),
    ],
)
def test_of_copilot_s_settings_the_first_decides(project, on, off):
    write(".copilot/config.json", json.dumps({"trustedFolders": [str(project.root)]}))
    switch_off(project, off, True)
    assert "switched off" in todo(project, "copilot")
    project.write(on, '{"disableAllHooks": false}')
    assert todo(project, "copilot") == ""


def test_installing_where_hooks_are_off_does_not_call_them_working(world, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: "toolmem")
    world.vault("template")
    path = switch_off(world, ".claude/settings.json", True)
    assert world.call("agent", "install", "claude").stderr == (
        f"toolmem: claude: installed, switched off: remove disableAllHooks in "
        f"{world.plain(str(path))}\n"
    )
