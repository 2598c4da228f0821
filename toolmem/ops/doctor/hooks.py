"""Doctor: agents that are wired to toolmem, and what went wrong in their hooks."""

import shutil
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from toolmem.core.agents.registry import wirings
from toolmem.core.finding import Finding
from toolmem.ops.rules.verdict_times import CURE, time_warning
from toolmem.ops.setup import activation, agent_install
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.store.files.settings import state_folder
from toolmem.store.journal import hook_log, verdict_log
from toolmem.store.warm import helpers

_RECENT = timedelta(days=7)


def hooks(places: InstallPlaces, now: datetime) -> Iterator[Finding]:
    """Agents wired half, twice or in vain; hooks that failed of late."""
    wired: dict[str, dict[Path, str]] = {}
    status = agent_install.status(places)
    for hook in status:
        flag = "--user" if hook.place == "user" else "--project"
        again = f"toolmem agent install {hook.agent} {flag}"
        if hook.state == "unreadable":
            text = f"the settings of {hook.agent} cannot be read, so it has no hooks"
            cure = f"fix the file, then run `{again}`"
            yield Finding("hooks", "agent-unreadable", text, cure, path=str(hook.path))
        elif hook.state == "partly":
            text = f"{hook.agent} has incomplete hooks, or those of an older toolmem"
            cure = f"toolmem doctor --fix, or `{again}`"
            yield Finding(
                "hooks",
                "agent-partly",
                text,
                cure,
                "warning",
                str(hook.path),
                fixable=True,
            )
        elif hook.state == "installed":
            wired.setdefault(hook.agent, {})[hook.path.resolve()] = hook.place
            if hook.todo:
                text, _, cure = hook.todo.partition(": ")
                text = f"{hook.agent}: {text}"
                yield Finding(
                    "hooks", "agent-inactive", text, cure, "warning", str(hook.path)
                )
    yield from _twice(wired)
    yield from _warm(any(hook.warm for hook in status))
    path = places.environment.get("PATH")
    remembered = activation.remembered_program()
    if wired and not remembered and shutil.which("toolmem", path=path) is None:
        text = f"{', '.join(wired)} call toolmem, which is not on PATH"
        cure = "add it to PATH; until then rules are neither enforced nor shown"
        yield Finding("hooks", "hooks-in-vain", text, cure)
    yield from _trouble(now)
    yield from _late(now)


def _twice(wired: dict[str, dict[Path, str]]) -> Iterator[Finding]:
    for agent, files in wired.items():
        if len(files) > 1 and wirings()[agent].twice:
            message = f"{agent} has project hooks and user hooks: they run twice"
            cure = f"toolmem agent uninstall {agent}"
            yield Finding("hooks", "agent-twice", message, cure, "warning")


def _late(now: datetime) -> Iterator[Finding]:
    late = time_warning(now)
    if late:
        path = str(verdict_log.log_path())
        yield Finding("hooks", "not-judged", late, CURE, "warning", path)


def _warm(is_warm: bool) -> Iterator[Finding]:
    """Reasons why no helper answers; the hooks of tool calls run cold then."""
    if not is_warm or sys.platform != "linux":
        return
    folder = str(helpers.folder() or "")
    if not helpers.is_available():
        message = "no helper can be asked: its client belongs to another toolmem"
        cure = "run `toolmem agent install` with the toolmem that the hooks run"
        yield Finding("hooks", "helper-client", message, cure, "warning")
    elif not helpers.is_private():
        message = "no helper can be asked: others can enter the folder of its socket"
        cure = "delete the folder; the next session makes it again"
        yield Finding("hooks", "helper-folder", message, cure, "warning", folder)
    for helper in helpers.running():
        if not helper.process:
            message = "a helper does not answer in time: its session runs cold"
            cure = f"remove {helper.name}; the next event of the session starts another"
            yield Finding("hooks", "helper-late", message, cure, "warning", folder)


def _trouble(now: datetime) -> Iterator[Finding]:
    recent = []
    for line in hook_log.recent(most=100):
        try:
            when = datetime.fromisoformat(line["when"])
            if now - when <= _RECENT:
                recent.append(line)
        except (ValueError, TypeError):
            continue
    if recent:
        last = recent[-1]
        times = "once" if len(recent) == 1 else f"{len(recent)} times"
        yield Finding(
            "hooks",
            "hook-trouble",
            f"hooks failed {times} in a week, last "
            f"{hook_log.where_and_when(last)}: {last['error']}",
            "fix the cause, then delete the log",
            "warning",
            str(hook_log.log_path()),
        )
    crash = state_folder() / "crash.log"
    if crash.is_file() and now.timestamp() - crash.stat().st_mtime < 7 * 86_400:
        message = "toolmem itself failed within a week"
        cure = "`toolmem doctor --bundle FILE` writes the details for a bug report"
        yield Finding("hooks", "crashed", message, cure, "warning", str(crash))
