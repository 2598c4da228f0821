"""Runs the transcripts of the README and lists the commands in its table.

``python -m tests.readme`` writes both into the README.
"""

import re
import subprocess
import tempfile
from pathlib import Path

import typer
from typer.core import TyperGroup

from tests.documents import steps
from tests.program import ROOT, environment_with_toolmem
from toolmem.cli.docs.manual import leaves
from toolmem.cli.main import build

README = ROOT / "README.md"
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(?<=^\| command \| \|\n\|---\|---\|\n)(?:\|.*\n)*", re.MULTILINE)
_HOME = "/home/you"


def fresh(text: str, folder: Path) -> str:
    """The text with the table and the transcripts as they ought to be."""
    return rerun(_TABLE.sub(lambda _: _rows(), text), folder)


def rerun(text: str, folder: Path) -> str:
    """The text with what the commands of its transcripts print now.

    They run one after another in one shell, in an empty home below ``folder``.
    """
    environment = environment_with_toolmem(folder)
    transcripts = [steps(found) for found in _CONSOLE.findall(text)]
    commands = [step.command for transcript in transcripts for step in transcript]
    script = "exec 2>&1\n" + "".join(f"{c}\nprintf '\\0'\n" for c in commands)
    home = Path(environment["HOME"]).resolve()
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=home,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    printed = iter(done.stdout.replace(str(home), _HOME).split("\0"))
    transcripts_now = iter(
        "".join(f"$ {step.command}\n{next(printed)}" for step in transcript)
        for transcript in transcripts
    )
    return _CONSOLE.sub(lambda _: next(transcripts_now), text)


def _rows() -> str:
    """A row for each group of commands."""
    tree = typer.main.get_command(build())
    assert isinstance(tree, TyperGroup)
    groups: dict[str, list[str]] = {}
    for words, _ in leaves(tree):
        groups.setdefault(" ".join(("toolmem", *words[:-1])), []).append(words[-1])
    return "".join(
        f"| `{group}` | {' '.join(f'`{verb}`' for verb in verbs)} |\n"
        for group, verbs in groups.items()
    )


def main() -> None:
    """Rewrite the table and the transcripts of the README."""
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(fresh(README.read_text("utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
