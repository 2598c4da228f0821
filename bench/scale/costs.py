"""Measure whole processes of toolmem in one vault."""

import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from bench.hooks import CALL
from bench.measure import NOTHING, Command, Program
from bench.scale import vaults
from bench.scale.questions import questions
from bench.servers import Server, Talk, request

PAIRS = 5
LONG = 60
"""Multiples of ``python -c pass`` above which one pair is enough."""
QUESTIONS = ("rogozo tarued kociloku", "how do I refresh the lued monas", "zakebo")
NOTES = (
    "The queue of {0} is drained at {1} past the hour",
    "A job of {0} that is late by {1} minutes says so in its log",
)
REQUESTS = 20


class Cost(NamedTuple):
    """CPU of a command as a multiple of ``python -c pass``, and its peak in MB."""

    times: float
    peak: float


class Bench(NamedTuple):
    """A program and the vault that it works on."""

    program: Program
    vault: Path

    def command(self, *arguments: str) -> Command:
        """Return a command on the vault."""
        return self.program.command("--vault", str(self.vault), *arguments)

    def cost(self, *arguments: str, given: bytes = b"") -> Cost:
        """Measure one command, run several times unless it is long."""
        return self.each(lambda _: self.command(*arguments), given=given)

    def each(
        self,
        command: Callable[[int], Command],
        *,
        given: bytes = b"",
        warm: bool = True,
    ) -> Cost:
        """Measure a command that differs from run to run."""
        found: list[Cost] = []
        numbers = count()
        if warm and self._pair(command(next(numbers)), given).times > LONG:
            warm = False
        for number in islice(numbers, PAIRS if warm else 1):
            found.append(self._pair(command(number), given))
        times, peaks = zip(*found, strict=True)
        return Cost(statistics.median(times), max(peaks))

    def _pair(self, command: Command, given: bytes) -> Cost:
        before = self.program.cost(NOTHING).cpu
        own = self.program.cost(command, given)
        after = self.program.cost(NOTHING).cpu
        return Cost(own.cpu / ((before + after) / 2), own.peak)


def reading(bench: Bench) -> Iterator[tuple[str, Cost]]:
    """Measure the commands that change nothing."""
    status = (*vaults.GIT, "-C", str(bench.vault), "status", "--porcelain")
    yield "git status", bench.each(lambda _: status)
    rebuild = bench.command("index", "rebuild")
    yield "index rebuild", bench.each(lambda _: rebuild, warm=False)
    yield (
        "search",
        bench.each(lambda at: bench.command("search", QUESTIONS[at % len(QUESTIONS)])),
    )
    yield "prompt", bench.cost("prompt")
    yield "prompt --task", bench.cost("prompt", "--task", QUESTIONS[0])
    for name in _EVENTS:
        yield f"hook {name}", hook(bench, name)
    yield "memory list --project", bench.cost("memory", "list", "--project", "p01")
    yield "check", bench.cost("check")
    yield "log -n 1", bench.cost("log", "-n", "1")
    yield "log", bench.cost("log")
    yield "review", bench.cost("review")
    yield "diff", bench.cost("diff")
    yield "reflect --project", bench.cost("reflect", "--project", "p01")
    yield "reflect", bench.each(lambda _: bench.command("reflect"), warm=False)


_EVENTS: Mapping[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": "can you fix the importer? I do not see why."},
    "PreToolUse": CALL,
    "PostToolUse": CALL,
    "SessionStart": {"source": "startup"},
}


def hook(bench: Bench, name: str) -> Cost:
    """Measure the hook of an event."""
    document = {"session_id": "s", "cwd": str(bench.vault), "hook_event_name": name}
    given = json.dumps({**document, **_EVENTS[name]}).encode()
    command = bench.program.command("hook", "claude")
    return bench.each(lambda _: command, given=given)


def changed(bench: Bench) -> Iterator[tuple[str, Cost]]:
    """Measure commands with 100 files changed."""
    vaults.change_some(bench.vault)
    for name in ("diff", "review", "check"):
        yield f"{name}, 100 files changed", bench.cost(name)
    vaults.undo(bench.vault)


def writing(bench: Bench) -> Iterator[tuple[str, Cost]]:
    """Measure saves, each of a new text."""
    yield (
        "memory save",
        bench.each(lambda at: bench.command("memory", "save", note(at))),
    )
    vaults.undo(bench.vault)


def note(number: int) -> str:
    """Return a text that is unlike the others."""
    subject = "".join(chr(ord("a") + int(digit)) * 2 for digit in f"{number * 7919:06}")
    return NOTES[number % len(NOTES)].format(subject, number)


def serving(bench: Bench) -> Iterator[tuple[str, Cost]]:
    """Measure requests to a server that runs, by the CPU of its process.

    The median of different questions of each kind, and the largest.
    """
    command = bench.command("mcp")
    server = Server(
        "toolmem", command, bench.program.environment, lambda _: ("", {}), str
    )
    empty = statistics.median(bench.program.cost(NOTHING).cpu for _ in range(PAIRS))
    talk = Talk(server)
    for question in QUESTIONS:  # the first ones load modules and open the index
        _request(talk, "memory_recall", query=question)
    for kind, asked in questions(REQUESTS):
        found = [_request(talk, "memory_recall", query=text) / empty for text in asked]
        yield from _spread(f"MCP memory_recall, {kind}", found)
    for number in range(3):
        _request(talk, "memory_idea_save", content=note(number))
    notes = [note(number + 1_000) for number in range(REQUESTS)]
    found = [_request(talk, "memory_idea_save", content=text) / empty for text in notes]
    yield from _spread("MCP memory_idea_save", found)
    talk.close()
    vaults.undo(bench.vault)


def _spread(name: str, found: list[float]) -> Iterator[tuple[str, Cost]]:
    yield name, Cost(statistics.median(found), 0.0)
    yield f"{name}: largest", Cost(max(found), 0.0)


def _request(talk: Talk, tool: str, **arguments: str) -> float:
    """Return the CPU seconds of a tool call."""
    call = {"name": tool, "arguments": arguments}
    before = _cpu(talk.pid)
    talk.send([request(1, "tools/call", call)])
    answer = talk.receive()
    if "result" not in answer or answer["result"].get("isError"):
        raise RuntimeError(f"{tool}: {answer}")
    return _cpu(talk.pid) - before


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process's threads, from Linux's scheduler."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(path.read_text().split()[0]) for path in threads) / 1e9


def disk(vault: Path) -> dict[str, float]:
    """Return megabytes of the vault's files, of git and of local state."""
    found = {"files": 0, ".git": 0, ".toolmem": 0}
    for path in vault.rglob("*"):
        if path.is_file():
            part = path.relative_to(vault).parts[0]
            found[part if part in found else "files"] += path.stat().st_size
    return {name: size / 1e6 for name, size in found.items()}


def settle() -> None:
    """Wait until files just written no longer count as possibly changed."""
    time.sleep(2.1)
