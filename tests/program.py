"""A toolmem that can be called by name, with a home, a clock and ids of its own."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BODY = """\
import sys, time, uuid
argv = sys.argv[1:]
new_id = lambda: str(uuid.uuid5(uuid.NAMESPACE_OID, " ".join(argv)))
if argv[:1] == ["hook"]:
    time.time_ns = lambda: 1776160800 * 10**9
    from toolmem.hooks.main import main

    sys.exit(main(argv[1:]))
from toolmem.__main__ import serve
from toolmem.cli.main import run_program
from toolmem.cli.run import Run

run = Run(new_id=new_id, serve=serve)
sys.exit(run_program(argv, run))
"""
_PROGRAM = f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n{BODY}"


def environment_with_toolmem(folder: Path, text: str = _PROGRAM) -> dict[str, str]:
    """Return an environment whose ``toolmem`` is this checkout's.

    Ids depend on the command. ``folder`` gets the program and an empty home, and git
    gets a name.
    """
    program, home = folder / "bin" / "toolmem", folder / "home"
    program.parent.mkdir()
    home.mkdir()
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    kept = ("PATH", "LANG", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    git = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "You"),
            ("EMAIL", "you@example.com"),
            ("DATE", "2026-04-14T10:00:00Z"),
        )
    }
    return (
        environment
        | git
        | {
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "SOURCE_DATE_EPOCH": "1776160800",
        }
    )
