"""Write man/toolmem.1 and completions/ of this checkout."""

import typer
from typer.core import TyperGroup

from tests.docs import generated
from tests.docs.greeting import greeting
from tests.program import ROOT
from toolmem.cli.typer_tree import build

program = typer.main.get_command(build())
assert isinstance(program, TyperGroup)
for name, text in generated(program).items():
    (ROOT / name).write_bytes(text.encode())
(ROOT / "toolmem/servers/greeting.json").write_text(greeting(), encoding="utf-8")
