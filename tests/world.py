"""A folder with a vault, and toolmem run inside this process.

``World(folder).vault("scopes").run("rule", "list").stdout("…")``: what a command
prints and how it ends is declared right after it; what is not declared must be
nothing and 0. The clock does not advance until it is set, and ids count up.
"""

import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api.access import Access, Bounds
from toolmem.api.vault import Vault
from toolmem.cli.main import run_program
from toolmem.cli.run import Run
from toolmem.core.times import rfc3339
from toolmem.servers import rpc

VAULTS = Path(__file__).with_name("vaults")
TEMPLATE = Path(__file__).parents[1] / "vault-template"
START = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
_WIDE = re.compile(r"(?<=\S) {3,}(?=\S)")


class Done(NamedTuple):
    """Exit code and output of a command."""

    command: str
    code: int
    stdout: str
    stderr: str


class World:
    """The folder ``root`` is where commands run; a vault lies in it or is made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = START
        self.done: Done | None = None
        self._ids = 0
        self._want: dict[str, Any] = {}

    def vault(self, name: str) -> "World":
        """Copy a sample vault (or ``template``) into the folder."""
        source = TEMPLATE if name == "template" else VAULTS / name
        shutil.copytree(source, self.root, dirs_exist_ok=True)
        return self

    def write(self, path: str, text: str | bytes) -> "World":
        """Write a file, with the folders on the way to it."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def read(self, path: str) -> str:
        """The text of a file, ends of lines as they are."""
        return (self.root / path).read_bytes().decode()

    def clock(self, *, days: float = 0, at: str = "") -> "World":
        """Let time pass, or set it."""
        self.now = datetime.fromisoformat(at) if at else self.now
        self.now += timedelta(days=days)
        return self

    def git(self, *args: str) -> str:
        """Run git as a person would, at the time of the clock."""
        moment = rfc3339(self.now)
        done = subprocess.run(
            ["git", *args],
            cwd=self.root,
            env={
                **os.environ,
                "GIT_AUTHOR_DATE": moment,
                "GIT_COMMITTER_DATE": moment,
            },
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "surrogateescape")

    def commit(self, message: str = "work") -> str:
        """Commit all there is; the id of the commit."""
        if not (self.root / ".git").exists():
            make_repository(self.root)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        head = self.root / ".git/HEAD"
        if not head.exists():  # a further work tree
            return self.git("rev-parse", "HEAD").strip()
        text = head.read_text().strip()
        branch = text.removeprefix("ref: ")
        return text if branch == text else self.read(f".git/{branch}").strip()

    def run(self, *args: str, stdin: str | bytes = "", cwd: str = "") -> "World":
        """Run a command line; what the one before printed must be declared."""
        self.settle()
        self.done = self.call(*args, stdin=stdin, cwd=cwd)
        self._want = {"stdout": "", "stderr": "", "code": 0}
        return self

    def call(self, *args: str, stdin: str | bytes = "", cwd: str = "") -> Done:
        """Run a command line and give back what it printed."""
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        out, err = _stream(b""), _stream(b"")
        before = sys.stdin
        with ExitStack() as stack:
            stack.enter_context(redirect_stdout(out))
            stack.enter_context(redirect_stderr(err))
            sys.stdin = _stream(data)
            try:
                code = run_program(args, self._program(cwd))
            finally:
                sys.stdin = before
        words = " ".join(("toolmem", *args))
        return Done(words, code, self._text(out), self._text(err))

    def ask(self, method: str, **params: Any) -> Any:
        """Return the answer of an operation to a program."""
        access = Access({}, self.root, lambda: self.now, self._new_id, Bounds())
        return rpc.call(Vault(access), method, params)

    def stdout(self, text: str) -> "World":
        """The last command prints exactly this."""
        self._want["stdout"] = text
        return self

    def stderr(self, text: str) -> "World":
        """The last command remarks exactly this."""
        self._want["stderr"] = text
        return self

    def exits(self, code: int) -> "World":
        """The last command ends with this code."""
        self._want["code"] = code
        return self

    def file(self, path: str, text: str) -> "World":
        """A file holds exactly this."""
        self.settle()
        held = self.read(path)
        if held != text:
            raise AssertionError(_lines(path, text, held))
        return self

    def settle(self) -> None:
        """Compare the last command with what was declared of it."""
        done, self.done = self.done, None
        if done is not None:
            wanted = Done(done.command, **self._want)
            if done != wanted:
                raise AssertionError(_difference(wanted, done))

    def files(self) -> dict[str, bytes]:
        """Every file but git's own and local state, by path."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            place = path.relative_to(self.root)
            if path.is_file() and not {".git", ".toolmem"} & set(place.parts):
                found[place.as_posix()] = path.read_bytes()
        return found

    def _program(self, cwd: str) -> Run:
        return Run(cwd=self.root / cwd, now=lambda: self.now, new_id=self._new_id)

    def _new_id(self) -> str:
        self._ids += 1
        return f"{self._ids:08x}-0000-4000-8000-000000000000"

    def _text(self, stream: io.TextIOWrapper) -> str:
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        return self.plain(stream.buffer.getvalue().decode())

    def plain(self, text: str) -> str:
        """The text with this machine's paths, and the columns they widen, masked."""
        masked = text
        for place, name in ((self.root, "/world"), (Path.home(), "/home/ada")):
            masked = masked.replace(str(place), name)
        return text if masked == text else _WIDE.sub("  ", masked)


def make_repository(folder: Path) -> None:
    """Make what ``git init`` makes; git itself runs once for all tests."""
    for path, data in _new_repository().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir() if data is None else place.write_bytes(data)


@cache
def _new_repository() -> dict[str, bytes | None]:
    """Return the folders (None) and files of a new repository."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "init", "--quiet", name], check=True)
        return {
            path.relative_to(folder).as_posix(): (
                None if path.is_dir() else path.read_bytes()
            )
            for path in sorted(folder.rglob("*"))
        }


def _stream(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")


def _difference(wanted: Done, done: Done) -> str:
    """Return undeclared output of a command, as a diff of each stream."""
    told = [f"$ {done.command}"]
    if done.code != wanted.code:
        told.append(f"ended with {done.code}, not with {wanted.code}")
    for name in ("stdout", "stderr"):
        told.append(_lines(name, getattr(wanted, name), getattr(done, name)))
    return "\n".join(filter(None, told))


def _lines(name: str, wanted: str, found: str) -> str:
    old, new = (text.splitlines(keepends=True) for text in (wanted, found))
    names = f"{name}, as declared", f"{name}, as it is"
    lines = difflib.unified_diff(old, new, *names)
    return "".join(line if line.endswith("\n") else f"{line}⏎\n" for line in lines)
