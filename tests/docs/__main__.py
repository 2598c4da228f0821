"""Write man/toolmem.1, completions/ and agents' plugins of this checkout."""

from typer.core import TyperGroup

from tests.command_tree import command_tree
from tests.docs import generated
from tests.docs.greeting import greeting
from tests.program import ROOT

program = command_tree()
assert isinstance(program, TyperGroup)
for name, text in generated(program).items():
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
(ROOT / "toolmem/servers/greeting.json").write_text(greeting(), encoding="utf-8")
