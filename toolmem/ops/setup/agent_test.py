"""Try an installed wiring: its own commands, on sample events and a copy of a vault."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core import hook_limits
from toolmem.core.agents.event import BEFORE_TOOL, PROMPT, SESSION_START
from toolmem.core.agents.hook_command import HookCommand
from toolmem.core.agents.registry import agent_of, hooked, samples
from toolmem.core.agents.samples import PROGRAM, Sample
from toolmem.errors import UsageError
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault
from toolmem.store.warm import helpers

_SECONDS = 20
_ATTEMPTS = 3
_RULE = f'''id = "0f3c1d2e-7a5b-4c6d-8e9f-a0b1c2d3e4f5"
tool = "shell"
rule = "never run {PROGRAM} (a rule of this test)"
priority = "critical"
created_at = 2026-01-01T00:00:00Z
updated_at = 2026-01-01T00:00:00Z

[[guard]]
command = ["{PROGRAM}"]
'''
_LATE = "no answer in time: the machine is busy"
_CAPTURED = "captured: "
_CONTEXT = ("additionalContext", "additional_context", "contextModification", "context")
_VERDICT = ("permissionDecision", "permission", "decision", "verdict")
_DENIED = ("deny", "block")
_REASON = ("permissionDecisionReason", "agent_message", "errorMessage", "reason")
_MESSAGE = ("systemMessage", "user_message", "banner", "message")


class Trial(NamedTuple):
    """Result of one event; ``error`` is empty if it worked.

    ``shown`` is for the model and ``message`` for the user; ``denied`` is the reason
    of a denial, ``captured`` are rules that were made of what the sample typed. A
    ``slow`` one took as long as a hook has, and may have had an answer to give.
    """

    kind: str
    event: str
    shown: str = ""
    message: str = ""
    denied: str = ""
    captured: tuple[str, ...] = ()
    error: str = ""
    slow: bool = False


def try_wiring(agent: str, vault: Vault, *, warm: bool = False) -> tuple[Trial, ...]:
    """Run the commands that an agent was given, on a copy of the vault.

    On a busy machine they are run again, on a new copy whose guards are compiled
    before. ``warm`` hooks start a separate helper. Raises ``UsageError`` for an
    agent without hooks.
    """
    if agent not in hooked():
        raise UsageError(f"{agent} has no hooks to test")
    for attempt in range(_ATTEMPTS):
        trials = _tried(agent, vault, warm=warm, compile_first=attempt > 0)
        if not any(trial.slow for trial in trials):
            break
    return trials


def _tried(
    agent: str, vault: Vault, *, warm: bool, compile_first: bool
) -> tuple[Trial, ...]:
    with tempfile.TemporaryDirectory(prefix="toolmem-test-") as name:
        folder = Path(name).resolve()
        work = folder / "work"
        work.mkdir()
        environment = _environment(vault, folder)
        if compile_first:
            _compile(work, environment)
        command = HookCommand(agent, sys.platform, warm=warm)
        trials = [
            _try(command, sample, work, environment)
            for sample in samples(agent, str(work))
        ]
        helpers.end_all(helpers.folder(environment))
    copy, own = environment["TOOLMEM_VAULT"], str(vault.root)
    named = [
        trial._replace(message=trial.message.replace(copy, own)) for trial in trials
    ]
    hooks_give_it = agent_of(agent).wiring.block is None
    return tuple(_judged(named, hooks_give_it=hooks_give_it))


def _environment(vault: Vault, folder: Path) -> Mapping[str, str]:
    """Copy the vault with a rule of our own; the variables that lead to the copy."""
    copy = folder / "vault"
    left_out = shutil.ignore_patterns(".git", layout.STATE)
    shutil.copytree(vault.root, copy, ignore=left_out, symlinks=True)
    rules = copy / "system" / "rules" / "shell"
    rules.mkdir(parents=True, exist_ok=True)
    (rules / "toolmem-sample-a0b1c2d3.toml").write_text(_RULE, encoding="utf-8")
    own = {
        "TOOLMEM_VAULT": str(copy),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_RUNTIME_DIR": str(folder),
    }
    project = vault.setting("project")
    return {**os.environ, **own, **({"TOOLMEM_PROJECT": project} if project else {})}


def _compile(work: Path, environment: Mapping[str, str]) -> None:
    """Judge a call without a limit of time, which saves the compiled guards."""
    words = ["guard", "shell", "--input", json.dumps({"command": PROGRAM})]
    subprocess.run(
        [sys.executable, "-P", "-m", "toolmem", *words],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,  # the call is denied
    )


def _try(
    command: HookCommand, sample: Sample, work: Path, environment: Mapping[str, str]
) -> Trial:
    plain = Trial(sample.kind, sample.name)
    began = time.monotonic()
    try:
        done = subprocess.run(
            _words(command, sample.name),
            input=json.dumps(sample.payload).encode(),
            cwd=work,
            env=environment,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return plain._replace(error=f"no answer within {_SECONDS} s")
    except OSError as error:
        return plain._replace(error=str(error))
    if done.returncode:
        output = done.stderr.decode("utf-8", "replace").strip()[-300:]
        return plain._replace(error=f"exit code {done.returncode}: {output}")
    try:
        documents = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:
        return plain._replace(error="printed something that is not JSON")
    trial = _read(plain, documents)
    took = time.monotonic() - began
    return trial._replace(slow=took > hook_limits.CALL_SECONDS and _is_silent(trial))


def _is_silent(trial: Trial) -> bool:
    if trial.kind == BEFORE_TOOL:
        return not trial.denied
    is_start = trial.kind in (SESSION_START, PROMPT)
    return is_start and not (trial.shown or trial.message)


def _words(command: HookCommand, event: str) -> list[str]:
    if sys.platform != "win32":
        return ["/bin/sh", "-c", command.sh(event)]
    agent = agent_of(command.agent)
    if agent.powershell or agent.wiring.shape == "shells":
        return ["powershell", "-NoProfile", "-Command", command.powershell(event)]
    return ["cmd", "/c", f"toolmem {command.words(event)}"]


def _read(plain: Trial, documents: Sequence[Any]) -> Trial:
    tables = [document for document in documents if isinstance(document, dict)]
    message = "\n".join(filter(None, (_first(part, _MESSAGE) for part in tables)))
    table = tables[-1] if tables else {}
    inner = table.get("hookSpecificOutput")
    answer = {**table, **(inner if isinstance(inner, dict) else {})}
    shown = _first(answer, _CONTEXT)
    lines = dict.fromkeys(f"{shown}\n{message}".splitlines())
    captured = [line for line in lines if line.startswith(_CAPTURED)]
    denied = _first(answer, _VERDICT) in _DENIED or answer.get("cancel") is True
    return plain._replace(
        shown=shown,
        message="" if denied else message,
        denied=_first(answer, _REASON) if denied else "",
        captured=tuple(line.removeprefix(_CAPTURED) for line in captured),
    )


def _first(answer: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    texts = (answer[key] for key in keys if isinstance(answer.get(key), str))
    return next(texts, "")


def _judged(trials: Sequence[Trial], *, hooks_give_it: bool) -> Iterator[Trial]:
    """The trials, with an error where one that must say something is silent.

    The first results of a call are the latest place of the prompt block.
    """
    starts = [trial for trial in trials if trial.kind in (SESSION_START, PROMPT)]
    shown = any(trial.shown for trial in trials) or not hooks_give_it
    late = any(trial.slow for trial in starts)
    for trial in trials:
        error = trial.error
        if not error and trial.kind == BEFORE_TOOL and not trial.denied:
            error = _LATE if trial.slow else "a call that breaks a rule was not denied"
        if not error and trial.kind == SESSION_START and not shown:
            error = _LATE if late else "the prompt block was not given"
        yield trial._replace(error=error, slow=trial.slow or error == _LATE)
