"""A scratch world for one agent: home, project, vault, model and a log of hooks."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.model import Model, Request, dump
from tests.agents.packages import FOLDER, PACKAGES, ROOT, Package, bin_folder
from tests.agents.players import PLAYERS, Place
from tests.agents.screen import Screen
from tests.agents.steps import Answer
from tests.agents.terminals import TERMINALS, Terminal

BLOCK = "## Tool-scoped rules"
_SECONDS = 120
_running: set["subprocess.Popen[Any]"] = set()
_NOWHERE = "http://127.0.0.1:9"
_LOGGED = """#!/bin/sh
log={log}
case "$*" in
*hook*) ;;
*) exec {python} -m toolmem "$@" ;;
esac
mark=$(mktemp "$log/XXXXXX")
printf '%s' "$*" >"$mark.words"
tee "$mark.in" | {python} -m tests.agents.patient "$@" 2>"$mark.err" | tee "$mark.out"
"""
_FULL = """#!/bin/sh
exec {python} -m tests.agents.full_disk "$@"
"""
_HARMLESS = """#!/bin/sh
echo "${0##*/} ran: $*"
"""


@dataclass(frozen=True)
class Run:
    """One run of an agent: what it printed, and the requests that it sent."""

    code: int | None
    output: str
    errors: str
    requests: Sequence[Request]

    @property
    def last(self) -> Request:
        """Return the last request; it carries the whole conversation."""
        assert self.requests, f"no request; exit {self.code}: {self._tail()}"
        return self.requests[-1]

    @property
    def first(self) -> Request:
        """Return the first request."""
        assert self.requests, f"no request; exit {self.code}: {self._tail()}"
        return self.requests[0]

    def _tail(self) -> str:
        return (self.output + self.errors)[-400:]


@dataclass(frozen=True)
class HookCall:
    """A call of ``toolmem hook`` by an agent."""

    words: str
    payload: Mapping[str, Any]
    answer: str
    errors: str


class World:
    """Folders, a vault and an installed wiring. Use as a context."""

    def __init__(
        self,
        name: str,
        agent: str,
        *,
        package: Package | None = None,
        install: bool = True,
        trust: bool = True,
    ) -> None:
        self.agent, self.trusted = agent, trust
        self._package = package or next(one for one in PACKAGES if one.agent == agent)
        self.folder = FOLDER / "runs" / f"{name}-{agent}-{self._package.version}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.home, self.work = self.folder / "home", self.folder / "work"
        self.vault, self._hooks = self.folder / "vault", self.folder / "hooks"
        for path in (self.home, self.work, self._hooks, self.folder / "tmp"):
            path.mkdir(parents=True)
        self.model, self._player, self._runs = Model(), PLAYERS[agent], 0
        self._make_programs()
        self._make_project()
        self._player.configure(self.place)
        if install:
            self.toolmem("agent", "install", agent)
            for path in self._hooks.iterdir():
                path.unlink()  # of the check that installing ends with
        if trust:
            self._player.trust(self.place)

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_error: object) -> None:
        self.model.stop()

    @property
    def place(self) -> Place:
        """Return the folders and the model's address, as players need them."""
        return Place(self.home, self.work, self.folder / "logs", self.model.url)

    @property
    def path(self) -> str:
        """Return the search path: logged toolmem, harmless programs, the agents."""
        node = Path(shutil.which("node") or "/usr/bin/node").parent
        folders = [
            self.folder / "bin",
            bin_folder(self._package),
            node,
            "/usr/bin",
            "/bin",
        ]
        return os.pathsep.join(map(str, folders))

    def environment(self) -> dict[str, str]:
        """Return the agent's whole environment: the model is all it can reach."""
        proxies = {
            name: _NOWHERE
            for word in ("HTTP_PROXY", "HTTPS_PROXY")
            for name in (word, word.lower())
        }
        return {
            "HOME": str(self.home),
            "PATH": self.path,
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(self.folder / "tmp"),
            "SHELL": "/bin/bash",
            "USER": "you",
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "NO_COLOR": "1",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "",
            **patience(),
            **proxies,
            **self._player.environment(self.place),
        }

    def ask(
        self,
        prompt: str,
        script: Sequence[Answer],
        *,
        resumed: bool = False,
        environment: Mapping[str, str] | None = None,
        seconds: int = _SECONDS,
    ) -> Run:
        """Run the agent on a prompt while the model plays a script."""
        command = self._player.command(
            self.place, prompt, resumed=resumed, trusted=self.trusted
        )
        return self.run(command, script, environment or {}, seconds)

    def run(
        self,
        command: Sequence[str],
        script: Sequence[Answer],
        environment: Mapping[str, str],
        seconds: int = _SECONDS,
    ) -> Run:
        """Run a command in the project while the model plays a script."""
        self.model.play(script)
        variables = {**self.environment(), **environment}
        program = shutil.which(command[0], path=variables["PATH"])
        process = subprocess.Popen(
            [program or command[0], *command[1:]],
            cwd=self.work,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        _running.add(process)
        code: int | None
        try:
            output, errors = process.communicate(timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            end_group(process)
            output, errors = process.communicate()
            code = None
        _running.discard(process)
        self._runs += 1
        requests = self.model.requests()
        folder = self.folder / f"run{self._runs}"
        list(dump(requests, folder))
        folder.mkdir(exist_ok=True)
        (folder / "stdout").write_text(output, encoding="utf-8")
        (folder / "stderr").write_text(errors, encoding="utf-8")
        return Run(code, output, errors, requests)

    @property
    def terminal(self) -> Terminal:
        """Return how the agent is run on a terminal."""
        return TERMINALS[self.agent]

    @contextmanager
    def on_screen(
        self, script: Sequence[Answer], environment: Mapping[str, str] | None = None
    ) -> Iterator[Screen]:
        """Run the agent on a terminal, trusted and ready for a message."""
        self.model.play(script)
        options = self.terminal.trusted if self.trusted else ()
        program, *words = [*self.terminal.command, *options]
        variables = {**self.environment(), **(environment or {})}
        found = shutil.which(program, path=variables["PATH"]) or program
        screen = Screen([found, *words], self.work, variables)
        _running.add(screen.process)
        try:
            asked = () if self.trusted else self.terminal.trusting
            texts = [question for question, _ in asked] + [self.terminal.ready]
            screen.wait(texts[0])
            for (question, keys), following in zip(asked, texts[1:], strict=True):
                screen.answer(question, keys, following)
            yield screen
        finally:
            end_group(screen.process)
            screen.close()
            _running.discard(screen.process)

    def toolmem(self, *words: str) -> str:
        """Run toolmem in the project as its user; return what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "toolmem", *words],
            cwd=self.work,
            env=self._user(),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def shell(self, command: str) -> str:
        """Run a command line in the project as its user."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.work,
            env=self._user(),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def hooks(self) -> list[HookCall]:
        """Return the calls of hooks so far, oldest first."""
        files = sorted(self._hooks.glob("*.words"), key=lambda p: p.stat().st_mtime_ns)
        return [_hook_call(path) for path in files]

    def add_mcp(self, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server for the agent."""
        self._player.add_mcp(self.place, name, command)

    def without_toolmem(self) -> dict[str, str]:
        """Return a search path on which there is no toolmem."""
        kept = [
            one for one in self.path.split(os.pathsep) if self.folder.name not in one
        ]
        path = os.pathsep.join([str(self.folder / "fake"), *kept])
        (self.home / ".bash_profile").write_text(f'export PATH="{path}"\n')
        return {"PATH": path}

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """Let hooks find no free space on any disk."""
        program = self.folder / "bin" / "toolmem"
        logged = program.read_text(encoding="utf-8")
        program.write_text(_FULL.format(python=sys.executable), encoding="utf-8")
        try:
            yield
        finally:
            program.write_text(logged, encoding="utf-8")

    def _user(self) -> dict[str, str]:
        path = f"{self.folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
        return {
            "HOME": str(self.home),
            "PATH": path,
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            **patience(),
        }

    def _make_programs(self) -> None:
        """Write the logged toolmem, and package managers that change nothing."""
        programs, fake = self.folder / "bin", self.folder / "fake"
        programs.mkdir()
        fake.mkdir()
        logged = _LOGGED.format(log=self._hooks, python=sys.executable)
        texts = {programs / "toolmem": logged}
        for folder in (programs, fake):
            for name in ("npm", "pnpm", "yarn"):
                texts[folder / name] = _HARMLESS
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        # A login shell, which some agents run, sets PATH again.
        profile = f'export PATH="{self.path}"\n'
        (self.home / ".bash_profile").write_text(profile, encoding="utf-8")

    def _make_project(self) -> None:
        """Make a vault and a repository that points at it."""
        self.shell(
            "git config --global user.name You;"
            "git config --global user.email you@example.com;"
            "git config --global init.defaultBranch main"
        )
        self.toolmem("init", "--sample", str(self.vault))
        pointer = 'vault = "../vault"\nproject = "acme"\n'
        (self.work / ".toolmem.toml").write_text(pointer, encoding="utf-8")
        (self.work / "app.py").write_text("print('hi')\n", encoding="utf-8")
        (self.work / "secrets.env").write_text("A=1\n", encoding="utf-8")
        self.shell("git init -q . && git add -A && git commit -qm start")


def _hook_call(path: Path) -> HookCall:
    def text(suffix: str) -> str:
        file = path.with_suffix(suffix)
        return file.read_text(encoding="utf-8") if file.exists() else ""

    try:
        payload = json.loads(text(".in"))
    except ValueError:
        payload = {}
    return HookCall(text(".words"), payload, text(".out"), text(".err"))


def patience() -> dict[str, str]:
    """Return the variable that gives hooks more time than they have, if it is set."""
    given = os.environ.get("HOOK_SECONDS")
    return {"HOOK_SECONDS": given} if given else {}


def end_all() -> None:
    """End every agent that runs."""
    for process in list(_running):
        end_group(process)


def end_group(process: subprocess.Popen[Any]) -> None:
    """End a process that leads a group, with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
