"""Measure the hook of each agent event, as a multiple of ``python -c pass``.

An agent waits while its hook runs, at every call of a tool. The vaults are made in a
temporary folder: 500 and 2,000 rules of 25 tools with guards, and the 1,000 rules of
the prompt's benchmark, all without memories; a small one has fifty on ten topics.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from bench.measure import NOTHING, Command, Line, Program, report, times
from bench.prompt import write_rules
from toolmem.core.agents.hook_command import ASK, PYTHON
from toolmem.store.warm import helpers

PAIRS = 21
COUNTED, JUDGED, BEGUN, WARM = 9, 9, 14, 2.2
TWO_VAULTS = 1.2
"""The cost with a second vault, as a multiple of that with the user's own alone."""
GUARDED = 500
MANY = 2_000
MEMORIES = 50
TOPICS = 10
TOOLS = 25
SHARED = ("shell", "git", "_any")
CALL = {"tool_name": "Bash", "tool_input": {"command": "cd x && git -C y push origin"}}
LIST = {"tool_name": "Bash", "tool_input": {"command": "ls -la src | tail -5"}}
READ = {"tool_name": "Read", "tool_input": {"file_path": "/home/you/src/main.py"}}
_GUARDS = (
    'command = ["git", "push", "--force-{number}"]',
    'contains = "user{number}@example.com"',
    'path = "secrets/{number}/**"',
    'command = ["rm", "-r"]\npath = "/data/{number}"',
)


def main() -> int:
    """Measure and print the table; 1 where a target was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        program = Program(root / "installed")
        names = ("template", "guarded", "large", "many")
        vaults = {name: root / name for name in names}
        for vault in vaults.values():
            program.output(program.command("init", "--sample", str(vault)))
            for memory in vault.rglob("memory/**/*.md"):
                memory.unlink()
        write_memories(vaults["template"])
        write_guarded(vaults["guarded"])
        write_rules(vaults["large"])
        write_guarded(vaults["many"], MANY)
        lines = [*_small(program, vaults["template"]), *_large(program, vaults)]
        lines += _two_vaults(program, vaults, root / "clone")
        return report([*lines, *_warm(program, vaults)])


def write_guarded(vault: Path, rules: int = GUARDED) -> None:
    """Half of the rules are for shell commands, the others for tools of their own."""
    for number in range(rules):
        tool = SHARED[number % 3] if number % 2 else f"tool_{number % TOOLS:02}"
        folder = vault / ("projects/apollo" if number % 4 < 2 else "system")
        folder = folder / "rules" / tool
        folder.mkdir(parents=True, exist_ok=True)
        priority = "critical" if number % 49 == 0 else "normal"
        guard = _GUARDS[number // 2 % 4].format(number=number)
        (folder / f"rule-{number:08x}.toml").write_text(
            f'id = "{number:08x}-0000-4000-8000-000000000000"\n'
            f'tool = "{tool}"\n'
            f'rule = "never do number {number} without asking first"\n'
            f'priority = "{priority}"\n'
            'source = "user_explicit"\n'
            'tags = ["bench"]\n'
            "created_at = 2026-04-07T10:00:00Z\n"
            "updated_at = 2026-04-07T10:00:00Z\n\n"
            f'[[guard]]\naction = "deny"\n{guard}\n',
            encoding="utf-8",
        )


def write_memories(vault: Path) -> None:
    """A rule with a guard on commands, and memories on topics of their own."""
    rules = vault / "system/rules/git"
    rules.mkdir(parents=True)
    (rules / "never-force-push-00000001.toml").write_text(
        'id = "00000001"\ntool = "git"\nrule = "never force push"\n'
        'priority = "critical"\n\n'
        '[[guard]]\naction = "deny"\ncommand = ["git", "push", "--force"]\n',
        encoding="utf-8",
    )
    folder = vault / "system/memory"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(MEMORIES):
        topic = f"subject{number % TOPICS}"
        (folder / f"note-{number:06x}.md").write_text(
            f"---\ntopic: {topic}\n---\n# What {topic} wants, part {number}\n\n"
            f"The queue of {topic} is drained at {number} past the hour; a job that "
            "is late waits for the next round and says so in its log.\n",
            encoding="utf-8",
        )


def settle(program: Program, vault: Path) -> None:
    """Wait until the guards of a vault are compiled, as they are any day.

    A compiled file is believed once its rules have been still for a second, and those
    of many rules are compiled after the first answer.
    """
    state = Path(program.environment["HOME"]) / ".local/state/toolmem/guards"
    before = {path: path.stat().st_mtime_ns for path in state.glob("*")}
    time.sleep(2)
    payload = {"session_id": "s", "cwd": str(vault), "hook_event_name": "PreToolUse"}
    given = json.dumps({**payload, **CALL}).encode()
    program.cost(program.command("hook", "claude"), given)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        now = {path: path.stat().st_mtime_ns for path in state.glob("*")}
        if now != before:
            return
        time.sleep(0.1)


def _cost(
    program: Program,
    vault: Path,
    name: str,
    payload: dict[str, Any],
    *,
    left: Path | None = None,
) -> float:
    """CPU of one event, time and again in one session; ``left`` is the journal that
    each of them finds as it is now."""
    given = _event(vault, name, payload)
    command = program.command("hook", "claude")
    commands = _each_with(left, command) if left else repeat(command)
    return program.ratio(commands, pairs=PAIRS, given=given)[0]


def _event(
    vault: Path, name: str, payload: dict[str, Any], session: str = "s-1"
) -> bytes:
    document = {"session_id": session, "cwd": str(vault), "hook_event_name": name}
    return json.dumps({**document, **payload}).encode()


def _topic_cost(program: Program, vault: Path) -> float:
    """CPU of a message that shows memories, each time in another session."""
    payload = {"prompt": "please drain the subject3"}
    command = program.command("hook", "claude")
    found = []
    for number in range(PAIRS + 1):
        given = _event(vault, "UserPromptSubmit", payload, f"topic-{number}")
        found.append(program.cost(command, given).cpu / program.cost(NOTHING).cpu)
    return statistics.median(found[1:])  # the first one makes the sketch


def _each_with(file: Path, command: Command) -> Iterator[Command]:
    held = file.read_bytes()
    while True:
        file.write_bytes(held)
        yield command


def _small(program: Program, vault: Path) -> Iterator[Line]:
    events: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("an event that is not for us", "Notification", {}),
        ("before a tool that has no rules", "PreToolUse", READ),
        ("before a command that no rule is about", "PreToolUse", LIST),
        ("after a tool", "PostToolUse", CALL),
        (
            "after a failure not seen before",
            "PostToolUseFailure",
            {**CALL, "error": "Exit code 1\nboom"},
        ),
    )
    for title, name, payload in events:
        yield times(title, _cost(program, vault, name, payload), COUNTED)
    [calls] = (vault / ".toolmem/sessions").glob("s-1.jsonl")
    left = calls.with_name("s-2.jsonl")
    left.write_text("".join(calls.read_text().splitlines(keepends=True)[:3]))
    cost = _cost(program, vault, "Stop", {"session_id": "s-2"}, left=left)
    yield times("end of a turn with calls", cost, COUNTED)
    cost = _cost(program, vault, "Stop", {"session_id": "s-3"})
    yield times("end of a turn without calls", cost, COUNTED)
    for title, text, target in (
        ("a prompt without any word of a rule", "please run the tests", COUNTED),
        (
            "a prompt that decrees nothing",
            "can you fix the importer for me? It fails and I do not see why.",
            COUNTED,
        ),
        ("a prompt that decrees", "Never email Sarah at sarah@example.com", None),
        ("a prompt on a topic that was told", "please drain the subject3", None),
    ):
        cost = _cost(program, vault, "UserPromptSubmit", {"prompt": text})
        yield times(title, cost, target)
    yield times("a prompt that shows memories", _topic_cost(program, vault), COUNTED)


def _large(program: Program, vaults: dict[str, Path]) -> Iterator[Line]:
    program.environment["TOOLMEM_PROJECT"] = "apollo"
    settle(program, vaults["guarded"])
    cost = _cost(program, vaults["guarded"], "PreToolUse", CALL)
    yield times(f"verdict on a shell command, {GUARDED} rules", cost, JUDGED)
    program.environment["TOOLMEM_PROJECT"] = "mech-fighters"
    cost = _cost(program, vaults["large"], "SessionStart", {"source": "startup"})
    yield times("session start, 1,000 rules", cost, BEGUN)


def _two_vaults(
    program: Program, vaults: dict[str, Path], clone: Path
) -> Iterator[Line]:
    """Measure the user's own vault in a stranger's folder, and the same vault alone."""
    del program.environment["TOOLMEM_PROJECT"]
    config = Path(program.environment["HOME"]) / ".config/toolmem/config.toml"
    config.parent.mkdir(parents=True)
    clone.mkdir()
    (clone / "toolmem.toml").write_text("")
    own = vaults["guarded"]
    config.write_text(f"vault = {json.dumps(str(own))}\n")
    events: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("a verdict on a shell command", "PreToolUse", CALL),
        ("a call that no rule is about", "PreToolUse", READ),
        ("after a tool", "PostToolUse", CALL),
        ("session start", "SessionStart", {"source": "startup"}),
    )
    command = program.command("hook", "claude")
    for title, name, payload in events:
        for found, folder in (("empty", clone), ("small", vaults["template"])):
            two, one = (
                json.dumps(
                    {
                        "session_id": "s-1",
                        "cwd": str(cwd),
                        "hook_event_name": name,
                        **payload,
                    }
                ).encode()
                for cwd in (folder, own)
            )
            cost = program.ratio(
                repeat(command), command, pairs=PAIRS, given=two, given_beside=one
            )[0]
            yield times(f"{title}: own vault and {found} one", cost, TWO_VAULTS)


def _warm(program: Program, vaults: dict[str, Path]) -> Iterator[Line]:
    """Measure hooks that a helper answers: client and helper together."""
    if not Path("/proc/self/stat").exists():
        return
    settle(program, vaults["many"])
    home = Path(program.environment["HOME"])
    program.environment["PYTHONPATH"] = str(program.folder)
    program.output(program.command("agent", "install", "claude", "--user"))
    python, client = (str(home / link) for link in (PYTHON, ASK))
    ask = (python, "-IS", client, "hook", "claude", "--warm")
    document = {"session_id": "s-1", "hook_event_name": "SessionStart"}
    given = json.dumps({**document, "cwd": str(vaults["template"])}).encode()
    program.cost(program.command("hook", "claude", "--warm"), given)
    place = helpers.folder({"HOME": str(home)})
    deadline = time.monotonic() + 30
    while not (found := list(helpers.running(place))):
        assert time.monotonic() < deadline, "no helper was started"
        time.sleep(0.1)
    helper = found[0].process or 0
    try:
        for title, vault, name, payload, target in (
            ("before a tool that has no rules", "template", "PreToolUse", READ, WARM),
            ("before a command of no rule", "template", "PreToolUse", LIST, WARM),
            ("after a tool", "template", "PostToolUse", CALL, WARM),
            (
                f"verdict on a command, {GUARDED} rules",
                "guarded",
                "PreToolUse",
                CALL,
                WARM,
            ),
            (f"verdict on a command, {MANY} rules", "many", "PreToolUse", CALL, WARM),
        ):
            given = json.dumps(
                {
                    "session_id": "s-1",
                    "cwd": str(vaults[vault]),
                    "hook_event_name": name,
                    **payload,
                }
            ).encode()
            cost = _with_helper(program, ask, given, helper)
            yield times(f"{title}: with a helper", cost, target)
    finally:
        helpers.end_all(place)


def _with_helper(program: Program, ask: Command, given: bytes, helper: int) -> float:
    """CPU of a client and of what the helper does for it; the first ones load it."""
    for _ in range(COUNTED):
        program.cost(ask, given)
    time.sleep(0.5)
    clients = nothing = 0.0
    before = _cpu(helper)
    for _ in range(2 * PAIRS):
        nothing += program.cost(NOTHING).cpu
        clients += program.cost(ask, given).cpu
    time.sleep(0.5)  # the last child ends after its client
    return (clients + _cpu(helper) - before) / nothing


def _cpu(process: int) -> float:
    """CPU of a process and of its children, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return own + sum(_cpu(int(child)) for child in children)


if __name__ == "__main__":
    sys.exit(main())
