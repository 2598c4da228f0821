"""Many workers with hooks at once: no typed ban is lost or stuck when the load ends."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from tests.faults import kill

_WORKERS = 16
_SECONDS = float(os.environ.get("TOOLMEM_SOAK_SECONDS", "60"))
_KILLS = 200


class Worker:
    """One process: a command, or a hook with what its agent sends."""

    def __init__(self, vault: Path, words: list[str], event: Any = None) -> None:
        self.ban = ""
        if event is not None and "gadget" in event.get("prompt", ""):
            self.ban = event["prompt"].split()[2].strip(".")
        self.words, self.event = words, event
        self.killed = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolmem", *words],
            cwd=vault,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
        )
        assert self.process.stdin is not None
        if event is not None:
            self.process.stdin.write(json.dumps(event).encode())
        self.process.stdin.close()
        self.process.stdin = None

    @property
    def is_done(self) -> bool:
        return self.process.poll() is not None

    def kill(self) -> None:
        self.process.send_signal(SIGKILL)
        self.killed = True

    def result(self) -> tuple[int, str]:
        out, err = self.process.communicate()
        return self.process.returncode, (out + err).decode()


def _jobs(vault: Path, rng: random.Random) -> Iterator[Worker]:
    """Operations without end; every fourth is a typed ban of its own."""
    number = 0
    while True:
        number += 1
        session = f"s-{rng.randrange(6)}"
        base = {"session_id": session, "cwd": str(vault)}

        def hook(name: str, base: Any = base, **more: Any) -> Worker:
            event = {"hook_event_name": name, **base, **more}
            return Worker(vault, ["hook", "claude"], event)

        yield hook("UserPromptSubmit", prompt=f"never use gadget{number}.")
        tool = {"tool_name": "Bash", "tool_use_id": str(number)}
        call = {**tool, "tool_input": {"command": f"make {number}"}}
        more: Any
        name, more = rng.choice(
            [
                ("PostToolUse", {**call, "tool_response": {}}),
                ("PreToolUse", call),
                ("Stop", {}),
                ("SessionStart", {"source": "startup"}),
            ]
        )
        yield hook(name, **more)
        words = [
            ["rule", "add", "shell", f"never do thing {number}"],
            ["rule", "edit", "base-rule", "--text", f"never do {number}"],
            ["rule", "override", "base-rule", "--scope", "project:p", "-p", "high"],
            ["memory", "save", f"Thing number {number} is in drawer {number % 7}"],
            ["memory", "archive", f"none{number}", "--reason", "old"],
            ["fact", "set", f"key_{number % 20}", str(number)],
            ["fact", "delete", f"key_{number % 20}"],
            ["scratch", "add", f"note {number}", "--agent", "helper"],
            ["commit", "-m", f"work {number}"],
            ["index", "rebuild"],
            ["reflect", "-o", str(vault.parent / f"plan-{number % 4}.toml")],
            ["capture", str(vault.parent / "said.json")],
            ["search", f"thing {number} drawer"],
            ["prompt", "--only", "rules"],
            ["report", "-o", str(vault.parent / f"report-{number % 4}.html")],
        ]
        yield Worker(vault, rng.choice(words))
        yield Worker(vault, rng.choice(words))


def _run(
    vault: Path, rng: random.Random, seconds: float, kills: int
) -> tuple[list[Worker], list[Any]]:
    """Keep the workers at work, and kill them at random; those of typed bans, bugs."""
    jobs = _jobs(vault, rng)
    running: list[Worker] = []
    typed: list[Worker] = []
    bugs: list[Any] = []
    deadline = time.monotonic() + seconds
    left = kills
    while time.monotonic() < deadline or left > 0:
        running += [next(jobs) for _ in range(_WORKERS - len(running))]
        if kills and left > 0:
            time.sleep(rng.random())
            victim = rng.choice(running)
            left -= not victim.is_done
            victim.kill()
        done = [worker for worker in running if worker.is_done]
        running = [worker for worker in running if not worker.is_done]
        _judge(done, typed, bugs)
        time.sleep(0.01)
    for worker in running:
        worker.process.wait()
    _judge(running, typed, bugs)
    return typed, bugs


def _judge(done: list[Worker], typed: list[Worker], bugs: list[Any]) -> None:
    for worker in done:
        code, said = worker.result()
        if worker.ban and "this was not saved" not in said:
            typed.append(worker)
        if code not in (0, 1, 12, 13, 14, -SIGKILL) or "Traceback" in said:
            bugs.append((worker.words, code, said))


def _make(folder: Path) -> Path:
    vault = folder / "vault"
    vault.mkdir()
    vault.joinpath("toolmem.toml").write_text("schema = 1\n")
    rule = vault / "system/rules/shell/base.toml"
    rule.parent.mkdir(parents=True)
    rule.write_text('id = "base-rule"\ntool = "shell"\nrule = "never push"\n')
    said = {"messages": [{"role": "user", "content": "never use rsync."}]}
    folder.joinpath("said.json").write_text(json.dumps(said))
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", *words], cwd=vault, check=True)
    return vault


def _waiting(vault: Path) -> list[str]:
    """The messages that still wait, in the vault's state or in the user's."""
    places = (vault / ".toolmem", Path.home() / ".local/state/toolmem")
    return [path.name for one in places for path in one.glob("waiting/*.json")]


def _finish(vault: Path) -> set[str]:
    """The hooks of one more turn or two; the things that are banned then."""
    event = {"hook_event_name": "Stop", "session_id": "last", "cwd": str(vault)}
    for _ in range(40):
        if not _waiting(vault):
            break
        Worker(vault, ["hook", "claude"], event).result()
    # With thirty critical rules in force, capture proposes further ones.
    found = (*vault.glob("*/rules/*/*.toml"), *vault.glob(".toolmem/pending/*.toml"))
    words = (path.read_text().split('rule = "', 1)[-1].split('"')[0] for path in found)
    return {word.strip(".") for text in words for word in text.split()}


def _unsound(vault: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "toolmem", "check", "--json"],
        cwd=vault,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
    )
    problems = json.loads(done.stdout)["problems"]
    return [str(one) for one in problems if one["severity"] == "error"]


@pytest.mark.soak
def test_sixteen_workers_lose_no_typed_ban(tmp_path):
    vault = _make(tmp_path)
    typed, bugs = _run(vault, random.Random(1), _SECONDS, 0)
    banned = _finish(vault)
    assert len(typed) > 5
    assert _waiting(vault) == []
    assert [worker.ban for worker in typed if worker.ban not in banned] == []
    assert (bugs, _unsound(vault)) == ([], [])


@pytest.mark.soak
def test_two_hundred_random_kills_lose_no_ban_that_was_answered(tmp_path):
    vault = _make(tmp_path)
    typed, bugs = _run(vault, random.Random(2), 0, _KILLS)
    banned = _finish(vault)
    answered = [worker for worker in typed if not worker.killed]
    assert len(answered) > 5
    assert [worker.ban for worker in answered if worker.ban not in banned] == []
    assert _waiting(vault) == []
    assert (bugs, _unsound(vault)) == ([], [])
