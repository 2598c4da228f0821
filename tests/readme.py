"""Run the transcripts of the README, and its sessions of an agent with hooks.

``python -m tests.readme`` writes what they print now into the README.
"""

import json
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

from tests.client import client
from tests.documents import steps
from tests.program import ROOT, environment_with_toolmem

README = ROOT / "README.md"
_TRANSCRIPT = re.compile(
    r"(?<=^```)(console|session)\n(.*?)(?=^```$)", re.MULTILINE | re.DOTALL
)
_HOME = "/home/you"


def fresh(text: str, folder: Path) -> str:
    """Return the text with what the commands of its transcripts print now.

    They run one after another in one shell, in an empty home below ``folder``.
    """
    environment = environment_with_toolmem(folder, client())
    found = [_inputs(*match) for match in _TRANSCRIPT.findall(text)]
    script = "exec 2>&1\nmkdir -p app && cd app && git init --quiet\n" + "".join(
        f"{command}\nprintf '\\0'\n" for inputs in found for _, command in inputs
    )
    home = Path(environment["HOME"]).resolve()
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=home,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    printed = iter(done.stdout.replace(str(home), _HOME).split("\0"))
    transcripts = iter(
        "".join(f"{shown}\n{_readable(next(printed))}" for shown, _ in inputs)
        for inputs in found
    )
    return _TRANSCRIPT.sub(lambda match: f"{match[1]}\n{next(transcripts)}", text)


def _inputs(language: str, transcript: str) -> list[tuple[str, str]]:
    """Each line that a person or an agent enters, with the command that runs it."""
    if language == "console":
        return [(f"$ {step.command}", step.command) for step in steps(transcript)]
    return [
        (line, _hook(line))
        for line in transcript.splitlines()
        if line.startswith(("you: ", "claude: "))
    ]


def _hook(line: str) -> str:
    """The call of a hook for a typed message or a command of the agent."""
    speaker, _, text = line.partition(": ")
    event = (
        {"hook_event_name": "UserPromptSubmit", "prompt": text}
        if speaker == "you"
        else {
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": text},
        }
    )
    payload = json.dumps({"session_id": "s1", "cwd": "@", **event})
    return f'echo {shlex.quote(payload)} | sed "s|@|$PWD|" | toolmem hook claude'


def _readable(output: str) -> str:
    """The output; of a hook's answer, the line that the user sees."""
    if not output.startswith('{"'):
        return output
    answer = json.loads(output)
    specific = answer["hookSpecificOutput"]
    if "permissionDecision" in specific:
        decision, reason = (
            specific[f"permissionDecision{part}"] for part in ("", "Reason")
        )
        return f"toolmem: {decision}: {reason}\n"
    return f"toolmem: {answer['systemMessage']}\n"


def main() -> None:
    """Rewrite the transcripts of the README."""
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(fresh(README.read_text("utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
