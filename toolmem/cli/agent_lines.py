"""Trials of hooks and changes of settings as lines of text."""

import difflib
from collections.abc import Iterator

from toolmem.ops.setup import agent_test
from toolmem.ops.setup.agent_install import SettingsChange


def trial_lines(trial: "agent_test.Trial") -> Iterator[str]:
    """Return the results of a trial event, a line each."""
    lines = [f"failed: {trial.error}"] if trial.error else []
    if trial.shown:
        first = trial.shown.strip().splitlines()[0]
        lines.append(f"shown to the model: {len(trial.shown)} characters: {first}")
    if trial.message:
        lines.append(f"shown to the user: {trial.message.splitlines()[0]}")
    if trial.denied:
        lines.append(f"denied: {trial.denied}")
    printed = "\n".join(lines)
    lines += [f"captured: {rule}" for rule in trial.captured if rule not in printed]
    for number, text in enumerate(lines or ["nothing to say"]):
        yield f"{'' if number else trial.event:20} {text}"


def difference(change: SettingsChange) -> Iterator[str]:
    """Yield the change of a file as lines of a unified diff."""
    return difflib.unified_diff(
        (change.before or "").splitlines(),
        (change.after or "").splitlines(),
        str(change.path) if change.before is not None else "/dev/null",
        str(change.path) if change.after is not None else "/dev/null",
        lineterm="",
    )
