"""Runs many hooks in processes of their own, forked from one that has loaded them.

Standard input holds a JSON list of ``[argv, cwd, stdin]``; standard output gets a
list of ``[code, stdout, stderr, seconds]``.
"""

import json
import os
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from toolmem.core.agents.registry import HOOKED

LOADED = (
    *("toolmem.hooks.main", "toolmem.hooks.respond", "toolmem.ops.hooks.session_start"),
    *(
        "toolmem.ops.hooks.prompt_submitted",
        "toolmem.ops.hooks.before_tool",
        "toolmem.ops.hooks.after_tool",
    ),
    *(
        "toolmem.ops.hooks.turn_end",
        "toolmem.ops.capture.live",
        "toolmem.ops.capture.process_journal",
    ),
    *("toolmem.core.guard.commands", "toolmem.core.guard.derive"),
    *("toolmem.ops.prompt.memories_by_topic", "toolmem.ops.search.topic_gate"),
    *(f"toolmem.core.agents.{agent}" for agent in HOOKED),
)


def main() -> None:
    """Run the hooks one after the other."""
    for name in LOADED:
        import_module(name)
    given = json.loads(sys.stdin.read())
    json.dump([run(*one) for one in given], sys.stdout)


def run(argv: list[str], cwd: str, text: str) -> list[Any]:
    """One hook in a child; a child that hangs is ended after ten seconds."""
    with tempfile.TemporaryDirectory() as folder:
        places = [str(Path(folder, name)) for name in ("in", "out", "err")]
        Path(places[0]).write_bytes(text.encode("utf-8", "surrogatepass"))
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            _child(argv, cwd, places)
        code = _waited(child, begun + 10)
        seconds = time.monotonic() - begun
        out, err = (
            Path(place).read_text(errors="replace") if Path(place).exists() else ""
            for place in places[1:]
        )
        return [code, out, err, seconds]


def _child(argv: list[str], cwd: str, places: list[str]) -> None:
    code = 99
    try:
        flags = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2)
        for target, (place, flag) in enumerate(zip(places, flags, strict=True)):
            os.dup2(os.open(place, flag, 0o600), target)
        sys.stdin = os.fdopen(0, "r")
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w")
        os.chdir(cwd)
        code = import_module("toolmem.hooks.main").main(argv)
        sys.stdout.flush()
    finally:
        os._exit(code)


def _waited(child: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -9


if __name__ == "__main__":
    main()
