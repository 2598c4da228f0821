"""A helper of a test's session, and clients that ask it as an agent does."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.forked import Answer, forked
from tests.world import World
from toolmem.core.agents.hook_command import ASK, PYTHON
from toolmem.core.visibility import Audience
from toolmem.ops.rules.compiled import known_guards
from toolmem.ops.setup import activation
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.vault import Vault, utc_now
from toolmem.store.warm import client, helpers, peer

SESSION = "s-1"
_SETTLED = 1.1
"""Seconds after which a file's stamp proves that it has not changed."""
COLD = 99
"""Exit code of the program that runs where no helper has answered."""
RULE = "system/rules/git/never-force-push-00000001.toml"
BAN = (
    'id = "00000001"\ntool = "git"\nrule = "never force push"\n'
    'priority = "critical"\n\n'
    '[[guard]]\ncommand = ["git", "push", "--force"]\n'
)
_HELPER = """
import os
from toolmem.hooks import helper, output
from toolmem.store.warm import client
client.SECONDS = helper._ANSWER_SECONDS = 30.0
{more}
helper.main()
"""
_DIES = "output.output_of = lambda _: os.kill(os.getpid(), 9)"
_CLIENT = """
import sys
sys.path.append(sys.argv.pop(1))
import client
client.SECONDS = 30.0
sys.exit(client.main(sys.argv[1:]))
"""
_OFTEN = """
import json, sys
sys.path.append(sys.argv[1])
import client
client.SECONDS = 30.0
opened = client.open_folder(sys.argv[2])
denied, allowed = json.load(sys.stdin)
for number in range(int(sys.argv[4])):
    data = allowed if number % 2 else denied
    answer = client.exchanged(opened, sys.argv[3], b"\\n" + data.encode())[1]
    assert answer and (b'"deny"' in answer) == (data is denied), answer
"""
_HOOK = """
from toolmem.core import hook_limits
hook_limits.QUICK_SECONDS = hook_limits.CALL_SECONDS = hook_limits.SECONDS = 30.0
from toolmem.__main__ import main
main()
"""
"""Helper, clients and hook that have time, however busy the machine is."""


class Helper:
    """A helper that this test ends; one that ``dies`` does so before it answers."""

    def __init__(self, *words: str, dies: bool = False, **more: Any) -> None:
        program = _HELPER.format(more=_DIES if dies else "")
        fixed = words or ("claude",)
        self.name = client.socket_name(fixed, SESSION)
        environment = peer.read_variables(os.environ)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", program, SESSION, *fixed],
            env=environment,
            **more,
        )

    def __enter__(self) -> "Helper":
        until(lambda: self.place.exists() or self.process.poll() is not None)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()

    @property
    def place(self) -> Path:
        """The helper's socket."""
        return folder() / self.name


def folder() -> Path:
    """Return the folder of the sockets."""
    return Path(client.helper_folder(os.environ))


def prepare(tmp_path: Path) -> None:
    """Make what ``agent install`` makes, and a folder for sockets; cold hooks exit
    with ``COLD``."""
    runtime = tmp_path / "run"
    (runtime / "toolmem/helpers").mkdir(parents=True)
    (runtime / "toolmem/helpers").chmod(0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    activation.remember_program()
    cold = tmp_path / "cold/toolmem"
    cold.parent.mkdir()
    cold.write_text(f"#!/bin/sh\ncat >/dev/null\nexit {COLD}\n")
    cold.chmod(0o755)
    os.environ["PATH"] = f"{cold.parent}{os.pathsep}{os.environ['PATH']}"


def end_helpers() -> None:
    """End the helpers of this test, those that are still starting, too."""
    mark = f"HOME={os.environ['HOME']}\0".encode()
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_helper = b"toolmem.hooks.helper\0" in (place / "cmdline").read_bytes()
            if is_helper and mark in (place / "environ").read_bytes() + b"\0":
                os.kill(int(place.name), signal.SIGKILL)


@contextlib.contextmanager
def real_cold(*, patient: bool = True) -> Iterator[None]:
    """Let the hook answer where no helper does; ``PATH`` is the same at any time."""
    [stub, *_] = os.environ["PATH"].split(os.pathsep)
    program = Path(stub, "toolmem")
    before = program.read_text()
    words = ["-c", _HOOK] if patient else ["-m", "toolmem"]
    line = shlex.join([sys.executable, "-P", *words])
    program.write_text(f'#!/bin/sh\nexec {line} "$@"\n')
    try:
        yield
    finally:
        program.write_text(before)


def settle_guards(world: World) -> None:
    """Let hooks compile the guards, and rules become as old as they are any day.

    Compiled guards are believed once the rules have not changed for a moment.
    """
    data = event(world, session_id="earlier")
    for seconds in (0, _SETTLED):
        time.sleep(seconds)
        done = forked().hook(["claude"], world.root, data, patient=True)
        assert (done.code, done.stderr) == (0, "")
    until(lambda: are_known(world))  # a hook compiles after its answer


def are_known(world: World) -> bool:
    """Return whether the compiled guards are up to date."""
    vault = find_in_force({}, world.root)
    return known_guards(Vault.open(vault, utc_now(), Audience.AGENT)) is not None


def event(world: World, command: str = "git push --force", **more: object) -> bytes:
    """Return an event of Claude Code."""
    given = {
        "session_id": SESSION,
        "cwd": str(world.root),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return json.dumps({**given, **more}).encode()


def ask(data: bytes | int, *words: str, **more: Any) -> Answer:
    """Run the client on an event, or on an open file; see ``started``."""
    done = started(data, *words, **more)
    out, err = done.communicate(timeout=60)
    return Answer(done.returncode, out, err.decode())


def started(
    data: bytes | int, *words: str, patient: bool = True, **more: Any
) -> "subprocess.Popen[bytes]":
    """Start a client, as installed hooks do or one with more time."""
    if isinstance(data, bytes):
        reading = os.memfd_create("event")
        os.write(reading, data)
        os.lseek(reading, 0, os.SEEK_SET)
    else:
        reading = os.dup(data)
    try:
        return subprocess.Popen(
            command_line(*words, patient=patient),
            stdin=reading,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **{"cwd": "/", **more},
        )
    finally:
        os.close(reading)


def ask_often(events: Sequence[bytes], helper: Helper, times: int) -> None:
    """Let one client send an event that is denied and one that is not, by turns."""
    python, program = (Path.home() / link for link in (PYTHON, ASK))
    place = str(program.resolve().parent)
    words = ["-IS", "-c", _OFTEN, place, str(folder()), helper.name, str(times)]
    data = json.dumps([one.decode() for one in events])
    subprocess.run([str(python), *words], input=data.encode(), check=True)


def command_line(*words: str, patient: bool = False) -> list[str]:
    """Return the words that run a client."""
    python, program = (Path.home() / link for link in (PYTHON, ASK))
    with_time = ["-c", _CLIENT, str(program.resolve().parent)]
    script = with_time if patient else [str(program)]
    return [str(python), "-IS", *script, "hook", *(words or ("claude",)), "--warm"]


def denied(output: bytes) -> bool:
    """Return whether a call is denied."""
    document = json.loads(output or b"{}").get("hookSpecificOutput", {})
    return bool(document.get("permissionDecision") == "deny")


def is_running(process: int) -> bool:
    """Return whether there is such a process, which may be a zombie of another one."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return status[0] != "Z"
    return False


def only_helper() -> int | None:
    """Return the process of the one helper that answers."""
    found = [one.process for one in helpers.running() if one.process]
    return found[0] if found else None


def status_of(process: int) -> Mapping[str, str]:
    """Return the fields of a process's status."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def until(happened: Callable[[], object]) -> None:
    """Wait for something that another process does, for a minute at most."""
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
