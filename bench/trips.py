"""Count what a call passes through: modules, functions, returns and types.

``python -m bench.trips`` runs five operations in this process on a fresh vault and
counts, for each, the modules of toolmem whose functions ran, those functions, their
returns, and the types of toolmem among the values returned.
"""

import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from toolmem.cli.main import run_program
from toolmem.cli.run import Run

_NOT_OURS = ("lazy_import",)


class Trip:
    """Modules, functions and types used between ``start`` and ``stop``."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.functions: set[tuple[str, str]] = set()
        self.types: set[str] = set()
        self.returns = 0

    def __call__(self, frame: FrameType, event: str, value: Any) -> None:
        if event != "return":
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("toolmem") or module.endswith(_NOT_OURS):
            return
        code = frame.f_code
        if code.co_name == "<module>":
            return
        self.modules.add(module)
        self.functions.add((module, code.co_qualname))
        self.returns += 1
        if type(value).__module__.startswith("toolmem"):
            self.types.add(f"{type(value).__module__}.{type(value).__name__}")


def traced(run: Callable[[], object]) -> Trip:
    """Run once to load the modules, and once more to count."""
    trip = Trip()
    with redirect_stdout(_stream()), redirect_stderr(_stream()):
        run()
        sys.setprofile(trip)
        try:
            run()
        finally:
            sys.setprofile(None)
    return trip


def _stream(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def command(folder: Path, *words: str) -> Callable[[], object]:
    """A command line in a folder; ``{}`` is another number each time."""
    numbers = count()

    def run() -> object:
        number = next(numbers)
        filled = [word.format(number) for word in words]
        return run_program(filled, Run(cwd=folder))

    return run


def event(folder: Path, name: str, **more: Any) -> Callable[[], object]:
    """An event of Claude Code, from its payload to the answer."""
    from toolmem.core.agents.registry import dialect_of
    from toolmem.hooks import work

    base = {"session_id": "s-1", "cwd": str(folder), "hook_event_name": name}

    def answer() -> object:
        dialect = dialect_of("claude")
        read = dialect.read(json.loads(json.dumps({**base, **more})), name)
        return dialect.write(read, work.respond(read, ""))

    return answer


def later(run: Callable[[], object]) -> Callable[[], object]:
    """The same a minute later, when no file counts as just written."""
    clock = time.time_ns

    def run_later() -> object:
        time.time_ns = lambda: clock() + 60 * 10**9
        try:
            return run()
        finally:
            time.time_ns = clock

    return run_later


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = place
        folder = Path(place) / "vault"
        folder.mkdir()
        (folder / "toolmem.toml").write_text("schema = 1\n")
        command(folder, "rule", "add", "shell", "never force push", "-p", "critical")()
        git = {"tool_name": "Bash", "tool_input": {"command": "git push -f"}}
        trips = {
            "rule add": command(folder, "rule", "add", "shell", "never use tool{}"),
            "prompt": command(folder, "prompt"),
            "hook, rules changed": event(folder, "PreToolUse", tool_use_id="t", **git),
            "hook to verdict": later(
                event(folder, "PreToolUse", tool_use_id="t", **git)
            ),
            "message to candidate": event(
                folder, "UserPromptSubmit", prompt="we should always squash commits"
            ),
        }
        for name, run in trips.items():
            trip = traced(run)
            print(
                f"{name:22} {len(trip.modules):4} modules {len(trip.functions):4}"
                f" functions {trip.returns:6} returns {len(trip.types):3} types"
            )


if __name__ == "__main__":
    main()
