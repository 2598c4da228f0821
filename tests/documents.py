"""Read code blocks of markdown documents, and examples of manual pages."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.docs.roff import plain
from tests.program import ROOT

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(
    r"^\\fI\\%([^\n]+)\\fR\n\.RS 4\n\.EX\n(.*?)^\.EE$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    """A fenced block: its language and its text."""

    language: str
    text: str


class Step(NamedTuple):
    """A command of a transcript and what it prints."""

    command: str
    output: str


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a markdown file."""
    return [Block(*found) for found in _FENCE.findall(path.read_text("utf-8"))]


def steps(transcript: str) -> list[Step]:
    """The commands of a ``console`` block; each begins with ``$``."""
    found: list[Step] = []
    for line in transcript.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Step(line[2:].rstrip("\n"), ""))
        else:
            found[-1] = Step(found[-1].command, found[-1].output + line)
    return found


def examples() -> dict[str, str]:
    """Path → text of the files that the manual page of the format shows."""
    page = (ROOT / "man" / "toolmem-vault.5").read_text("utf-8")
    return {
        plain(path): "".join(f"{plain(line)}\n" for line in text.splitlines())
        for path, text in _EXAMPLE.findall(page)
    }
