"""Write man/toolmem.1 and completions/ of this checkout."""

from typer.core import TyperGroup

from tests.command_tree import command_tree
from tests.docs import generated
from tests.docs.greeting import greeting
from tests.program import ROOT

program = command_tree()
assert isinstance(program, TyperGroup)
for name, text in generated(program).items():
    (ROOT / name).write_bytes(text.encode())
(ROOT / "toolmem/servers/greeting.json").write_text(greeting(), encoding="utf-8")
