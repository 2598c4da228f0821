"""The first commands of the README, from an empty machine to a call that is stopped."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.documents import steps
from tests.program import ROOT, environment_with_toolmem

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Machine:
    """A new user's home, with a project in it and toolmem on PATH."""

    def __init__(self, folder: Path) -> None:
        self.environment = environment_with_toolmem(folder, client("patient"))
        self.home = Path(self.environment["HOME"]).resolve()
        self.project = self.home / "app"
        self.project.mkdir()
        self.run("git init --quiet")

    def run(self, command: str, text: str = "") -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.project,
            env=self.environment,
            input=text,
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout

    def event(self, name: str, **payload: Any) -> Mapping[str, Any]:
        """Claude Code's event: each hook of the settings that fits it is run."""
        base = {
            "session_id": "0d7e6c1e-3a52-4f0e-9c1f-8f2f6f8f7c11",
            "transcript_path": str(self.home / ".claude/projects/app/0d7e.jsonl"),
            "cwd": str(self.project),
            "permission_mode": "default",
            "hook_event_name": name,
        }
        tool = str(payload.get("tool_name", ""))
        answers = [
            self.run(command, json.dumps({**base, **payload}))
            for command in self.commands(name, tool)
        ]
        [answer] = [json.loads(one) for one in answers if one]
        return dict(answer)

    def commands(self, event: str, tool: str) -> Iterator[str]:
        settings = json.loads((self.home / ".claude/settings.json").read_text())
        for group in settings["hooks"].get(event, ()):
            matcher = group.get("matcher", "") or ".*"
            if matcher == "*" or not tool or re.fullmatch(matcher, tool):
                yield from (hook["command"] for hook in group["hooks"])


def test_the_first_commands_of_the_readme_lead_to_a_stopped_call(tmp_path):
    machine = Machine(tmp_path)
    first = _CONSOLE.findall((ROOT / "README.md").read_text())[0]
    commands = [step.command for step in steps(first)]
    assert commands == ["toolmem setup --yes --agents claude"]
    for command in commands:
        machine.run(command)
    started = machine.event("SessionStart", source="startup")
    assert "vault in force" in started["systemMessage"]
    typed = machine.event("UserPromptSubmit", prompt="Never force-push.")
    assert (
        "new critical rule for every tool: Never force-push" in (typed["systemMessage"])
    )
    call = {"command": "git push --force origin main", "description": "Push"}
    answer = machine.event("PreToolUse", tool_name="Bash", tool_input=call)
    verdict = answer["hookSpecificOutput"]
    assert verdict["permissionDecision"] == "deny"
    assert verdict["permissionDecisionReason"].startswith("Never force-push (toolmem")
