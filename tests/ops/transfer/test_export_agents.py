"""Exporting into files of other programs: only our section changes."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.prompt.hostile import TEXTS
from tests.examples import examples
from tests.program import ROOT
from tests.world import World
from toolmem.core.exports.targets import TARGETS
from toolmem.core.text.marked import BEGIN, END

OUTSIDE = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["", "\ufeff# BOM\n", "a\r\nb\r\n", "a\nb\r\n", "no end", "\n\n", "---\nx: y\n"]
    ),
).filter(lambda text: "toolmem:" not in text and "\r" not in text.replace("\r\n", ""))


@examples(60)
@given(OUTSIDE, OUTSIDE, TEXTS, st.sampled_from(sorted(TARGETS)))
def test_what_is_outside_stays_byte_for_byte(before, after, said, target):
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).vault("empty")
        world.write("system/guidance/a.md", said)
        path = TARGETS[target].path
        world.write(path, f"{before}{BEGIN}\nold\n{END}{after}")
        assert world.call("export", target).code == 0
        text = world.read(path)
        start, end = text.index(BEGIN), text.index(END) + len(END)
        assert (text[:start], text[end:]) == (before, after)
        assert text.count(BEGIN) == text.count(END) == 1
        assert world.call("export", target, "--check").code == 0
        assert world.call("export", target).stdout.startswith("unchanged")
        assert world.read(path) == text


@examples(40)
@given(TEXTS, TEXTS, st.sampled_from(sorted(TARGETS)))
def test_what_was_exported_is_not_imported(rule, guidance, target):
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).vault("one-rule")
        world.write("system/guidance/a.md", guidance)
        world.write(
            "system/rules/shell/x.toml",
            f'id = "x"\ntool = "shell"\nrule = {json.dumps(rule or "x")}\n',
        )
        (world.root / "out").mkdir()
        world.call("export", target, "-o", "out/")
        world.call("export", target, "-o", f"out/{TARGETS[target].path}")
        before = world.files()
        done = world.call("import", f"out/{TARGETS[target].path}")
        assert (done.code, done.stdout) == (0, "")
        assert world.files() == before


def test_half_a_section_is_not_guessed_at(world):
    world.vault("one-rule").write("AGENTS.md", f"a\n{BEGIN}\nb\n")
    done = world.call("export", "agents-md")
    assert (done.code, "AGENTS.md:2" in done.stderr) == (11, True)
    assert world.read("AGENTS.md") == f"a\n{BEGIN}\nb\n"


@pytest.mark.parametrize("data", [b"\xff\n", b"{"])
def test_a_file_that_cannot_be_read_is_left(world, data):
    world.vault("one-rule").write("AGENTS.md", data).write("settings", data)
    world.write(".claude/settings.json", data)
    world.write(
        "system/rules/shell/x.toml",
        'id = "x"\ntool = "shell"\nrule = "r"\n[[guard]]\ncommand = "npm ci"\n',
    )
    before = world.files()
    assert world.call("export", "claude").code == 11
    assert world.files() == before


def test_the_scope_of_one_agent_is_not_exported(world, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    world.vault("empty").write("agents/helper/guidance/a.md", "private words")
    world.call("export", "agents-md")
    assert "private words" not in world.read("AGENTS.md")


def test_a_link_is_followed_to_its_file(world):
    world.vault("one-rule").write("AGENTS.md", "# Ours\n")
    (world.root / "CLAUDE.md").symlink_to("AGENTS.md")
    world.call("export", "claude")
    assert (world.root / "CLAUDE.md").is_symlink()
    assert world.read("AGENTS.md").startswith("# Ours\n")


def test_permissions_of_a_person_are_never_taken_out(world):
    rule = 'id = "x"\ntool = "shell"\nrule = "r"\n[[guard]]\ncommand = "npm ci"\n'
    mine = {"permissions": {"deny": ["Bash(npm ci)", {"odd": 1}], "allow": ["x"]}}
    world.vault("empty").write("system/rules/shell/x.toml", rule)
    world.write(".claude/settings.json", json.dumps(mine))
    assert world.call("export", "claude").code == 0
    held = json.loads(world.read(".claude/settings.json"))["permissions"]
    assert held["deny"] == ["Bash(npm ci)", {"odd": 1}, "Bash(npm ci *)"]
    (world.root / "system/rules/shell/x.toml").unlink()
    assert world.call("export", "claude").code == 0
    assert json.loads(world.read(".claude/settings.json")) == mine


@pytest.mark.parametrize(
    "words",
    [
        ("export", "agents-md", "-o", "docs/A.md"),
        ("export", "claude", "-o", "docs/"),
        ("export", "json", "-o", "docs/copy.json"),
        ("report", "-o", "docs/page.html"),
        ("reflect", "-o", "docs/plan.toml"),
        ("doctor", "--bundle", "docs/bundle.json"),
    ],
)
def test_a_folder_that_is_not_there_is_named_and_not_made(world, words):
    world.vault("one-rule")
    done = world.call(*words)
    said = "toolmem: no such folder: /world/docs; create it first\n"
    assert (done.code, done.stdout, done.stderr) == (15, "", said)
    assert not (world.root / "docs").exists()


def test_an_export_into_the_file_that_was_imported_repeats_nothing(world):
    world.vault("empty")
    claude = (
        "# Shop\n\nNever push to `main`. Use pnpm, not npm.\n\n"
        "## Layout\n\nThe server is in `api/`.\nThe pages are in `web/`.\n"
    )
    world.write("../app/CLAUDE.md", claude)
    assert world.call("import", "../app/CLAUDE.md").code == 0
    world.call("rule", "add", "shell", "never use sudo", "-p", "critical")
    done = world.call("export", "claude", "-o", "../app/CLAUDE.md")
    assert done.code == 0, done.stderr
    text = world.read("../app/CLAUDE.md")
    assert text.startswith(claude)
    said = text.removeprefix(claude).casefold()
    assert "never use sudo" in said
    for words in ("push to", "pnpm", "server is in", "pages are in"):
        assert words not in said
    assert world.call("export", "claude", "-o", "../app/CLAUDE.md", "--check").code == 0


PROGRAMS = ROOT / ".venv/node/node_modules/.bin"
"""Of npm: rulesync, and the Node.js that it needs."""
READERS = {
    "claude": ("claudecode", "CLAUDE.md"),
    "codex": ("codexcli", "overview.md"),
    "copilot": ("copilot", "copilot-instructions.md"),
    "agents-md": ("agentsmd", "overview.md"),
}
"""Target → its name in rulesync, and the file that rulesync makes of it."""


@pytest.mark.skipif(
    not (PROGRAMS / "rulesync").exists(),
    reason="no rulesync (npm install --prefix .venv/node rulesync@17 node@22)",
)
@pytest.mark.parametrize(
    "target",
    ["cursor", *(pytest.param(name, marks=pytest.mark.soak) for name in READERS)],
)
def test_rulesync_reads_what_is_exported(world, tmp_path, target):
    vault = world.vault("one-rule")
    project = tmp_path / "project"
    project.mkdir()
    assert vault.call("export", target, "-o", str(project)).code == 0
    name, file = READERS.get(target, ("cursor", "toolmem.md"))
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["rulesync", "import", "--targets", name, "--features", "rules"],
        cwd=project,
        env={**os.environ, "PATH": path, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rules = (project / ".rulesync/rules" / file).read_text(encoding="utf-8")
    assert f"{BEGIN}\n" in rules
    assert f"\n{END}" in rules
