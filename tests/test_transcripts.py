"""Whole sessions at the command line, compared exactly.

A transcript is a text file of steps, each with the lines that belong to it::

    # a comment; blank lines stay as they are
    @ vault NAME          copy tests/vaults/NAME (or the template) into the folder
    @ commit MESSAGE      commit everything
    @ clock 2026-05-01T00:00:00Z
    @ env NAME=VALUE      for the commands below; without a value it is unset
    @ cd FOLDER           where the commands below run, below the world's folder
    @ rm PATH
    @ ask METHOD PARAMS   what a program asks for, its params in JSON
    @ write PATH          the text follows
    < a line of it, or of a command's standard input
    $ toolmem rule list   also `cat PATH`, `ls` (all files) and `git …`
    > a line of standard output
    ! a line of standard error
    ? 1                   the exit code, where it is not 0

Control characters show as their pictures (␛), and ``%`` follows a last line
without a line feed. ``pytest --update-transcripts`` writes what is printed now.
"""

import difflib
import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.world import Done, World

FOLDER = Path(__file__).with_name("transcripts")
NAMES = sorted(path.name for path in FOLDER.glob("*.txt"))
_PICTURES = {n: 0x2400 + n for n in range(32) if n != 10} | {0x7F: 0x2421}


class Step(NamedTuple):
    """One line that does something, with the lines of input below it."""

    line: str
    given: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.given)


def steps(text: str) -> Iterator[Step]:
    """The steps of a transcript; what was printed is left out."""
    lines = [line for line in text.split("\n") if line[:1] not in (">", "!", "?", "%")]
    while lines:
        line, given = lines.pop(0), []
        while lines and lines[0][:1] == "<":
            given.append(lines.pop(0)[2:])
        yield Step(line, tuple(given))


class Player:
    """Plays the steps in a world and writes down what comes of them."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self._world = world
        self._patch = monkeypatch
        self._folder = ""

    def play(self, text: str) -> str:
        """The transcript as it is when it is played now."""
        return "\n".join(line for step in steps(text) for line in self._step(step))

    def _step(self, step: Step) -> Iterator[str]:
        yield step.line
        yield from (f"< {line}".rstrip(" ") for line in step.given)
        if step.line.startswith("@ "):
            verb, _, what = step.line[2:].partition(" ")
            self._prepare(verb, what, step.text)
        elif step.line.startswith("$ "):
            done = self._command(shlex.split(step.line[2:]), step)
            yield from _printed(">", done.stdout)
            yield from _printed("!", done.stderr)
            yield from [f"? {done.code}"] * bool(done.code)

    def _command(self, words: list[str], step: Step) -> Done:
        match words:
            case ["toolmem", *args]:
                places = [
                    word.replace("/world", str(self._world.root)) for word in args
                ]
                return self._world.call(*places, stdin=step.text, cwd=self._folder)
            case ["cat", path]:
                return Done(step.line, 0, self._world.read(path), "")
            case ["ls"]:
                names = "".join(f"{name}\n" for name in self._world.files())
                return Done(step.line, 0, names, "")
            case ["git", *args]:
                return Done(step.line, 0, self._world.git(*args), "")
        raise ValueError(f"no such command in a transcript: {step.line}")

    def _prepare(self, verb: str, what: str, text: str) -> None:
        match verb:
            case "vault":
                self._world.vault(what)
            case "commit":
                self._world.commit(what)
            case "clock":
                self._world.clock(at=what)
            case "write":
                self._world.write(what, text)
            case "cd":
                self._folder = what
                (self._world.root / what).mkdir(parents=True, exist_ok=True)
            case "rm":
                place = self._world.root / what
                shutil.rmtree(place) if place.is_dir() else place.unlink()
            case "ask":
                method, _, params = what.partition(" ")
                self._world.ask(method, **json.loads(params))
            case "env":
                self._set(*what.partition("=")[::2])
            case _:
                raise ValueError(f"no such preparation in a transcript: {verb}")

    def _set(self, name: str, value: str) -> None:
        if value:
            value = value.replace("/world", str(self._world.root))
            self._patch.setenv(name, value)
        else:
            self._patch.delenv(name)


def _printed(mark: str, text: str) -> Iterator[str]:
    if not text:
        return
    *lines, last = text.translate(_PICTURES).split("\n")
    for line in [*lines, last] if last else lines:
        yield f"{mark} {line}" if line else mark
    if last:
        yield "%"


@pytest.mark.parametrize("name", NAMES)
def test_a_session_prints_what_it_did(name, world, monkeypatch, request):
    path = FOLDER / name
    told = path.read_text(encoding="utf-8")
    played = Player(world, monkeypatch).play(told)
    if request.config.getoption("--update-transcripts"):
        path.write_text(played, encoding="utf-8")
    elif played != told:
        sides = told.splitlines(), played.splitlines()
        difference = difflib.unified_diff(*sides, "as written", "as played", "", "", 6)
        pytest.fail("\n".join([name, *difference]), pytrace=False)


def test_every_sample_vault_is_used_by_a_transcript_or_a_test():
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")]
    here = Path(__file__).parent.rglob("test_*.py")
    texts += [path.read_text(encoding="utf-8") for path in here]
    unused = [
        vault.name
        for vault in FOLDER.with_name("vaults").iterdir()
        if not any(f"vault {vault.name}\n" in text for text in texts)
        and not any(f'vault("{vault.name}")' in text for text in texts)
    ]
    assert unused == []
