"""Runs the transcripts of the README; ``python -m tests.readme`` rewrites them."""

import re
import subprocess
import tempfile
from pathlib import Path

from tests.documents import steps
from tests.program import ROOT, environment_with_toolmem

README = ROOT / "README.md"
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_HOME = "/home/you"


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
    fresh = iter(
        "".join(f"$ {step.command}\n{next(printed)}" for step in transcript)
        for transcript in transcripts
    )
    return _CONSOLE.sub(lambda _: next(fresh), text)


def main() -> None:
    """Rewrite the transcripts of the README."""
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(rerun(README.read_text("utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
