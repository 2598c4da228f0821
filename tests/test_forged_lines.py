"""Names with line feeds in them forge no line of what a command prints."""

import ast
import os

import pytest

from tests.source import SOURCES, nodes
from tests.world import World

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file names of POSIX")

MARK = "FORGED"
NAME = f"x\n{MARK}: 0 problems\r\n\x1b[2K{MARK}\u2028{MARK}"


@pytest.fixture
def odd(world: World) -> World:
    """A vault with such a name in every place that has names."""
    world.write("toolmem.toml", "schema = 1\n")
    rule = 'id = "a1"\ntool = "bash"\nrule = "never use rsync"\npriority = "critical"\n'
    world.write(f"system/rules/bash/{NAME}.toml", "rule = \n")
    world.write(f"system/rules/{NAME}/a.toml", rule)
    world.write(f"system/rules/bash/{NAME}2.toml", rule.replace("a1", "a2"))
    world.write(f"system/memory/{NAME}.md", "# Deploys\n\nThe deploy uses rsync.\n")
    world.write(f"system/memory/{NAME}2.md", "---\nprivate: [\n---\n# Deploys\n")
    world.write(f"system/guidance/{NAME}.md", "Use rsync with care.\n")
    world.write(f"tools/{NAME}.toml", "name = \n")
    world.write("system/facts.md", "## project\na: b\n")
    return world


COMMANDS = [
    ("search", "rsync"),
    ("search", "rsync", "--explain"),
    ("recall", "rsync"),
    ("rule", "list"),
    ("rule", "list", "--effective"),
    ("rule", "show", "a1"),
    ("rule", "why", "a1"),
    ("rule", "edit", "a2", "--text", "never use scp"),
    ("rule", "archive", "a2", "--reason", "old"),
    ("memory", "list"),
    ("memory", "show", NAME),
    ("memory", "archive", NAME, "--reason", "old"),
    ("fact", "list"),
    ("tool", "list"),
    ("prompt",),
    ("prompt", "--explain"),
    ("guard", "bash", "--input", '{"command": "rsync a b"}'),
    ("check",),
    ("doctor",),
    ("index", "status"),
    ("index", "check"),
    ("reflect",),
    ("review",),
    ("stats",),
    ("diff",),
    ("log",),
    ("commit", "-m", "work"),
    ("report", "-o", "-"),
    ("export", "claude", "-o", "-"),
    ("import", f"system/guidance/{NAME}.md"),
    ("import", f"no\n{MARK}"),
    ("capture", f"no\n{MARK}"),
    ("--vault", f"no\n{MARK}", "rule", "list"),
    ("--project", f"no\n{MARK}", "prompt"),
    ("rule", "add", f"no\n{MARK}", "never"),
    ("rule", "show", f"no\n{MARK}"),
    ("memory", "show", f"no\n{MARK}"),
    (f"no\n{MARK}",),
]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2])[:20])
@pytest.mark.parametrize("is_git", [False, True], ids=["plain", "git"])
def test_no_name_makes_a_line_of_its_own(odd, words, is_git):
    if is_git:
        odd.commit()
        odd.write(f"system/guidance/{NAME}.md", "Use rsync with much care.\n")
    done = odd.call(*words)
    printed = (done.stdout + done.stderr).replace("\u2028", "\n").splitlines()
    assert [line for line in printed if line.strip().startswith(MARK)] == []
    assert "\x1b" not in done.stdout + done.stderr


_JOIN = "'\\n'.join("


def test_what_is_printed_as_text_is_not_put_together_from_names():
    """Lines are printed by ``emit_lines``, each kept to itself."""
    found = []
    for name in SOURCES:
        if not name.startswith("cli/") or name == "cli/output.py":
            continue
        for node in nodes(name):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "emit":
                argument = node.args[0]
                made = ast.unparse(argument)
                if isinstance(argument, ast.JoinedStr) or made.startswith(_JOIN):
                    found.append(name)
    # The contents of notes, not their names.
    assert found == ["cli/commands/working.py"]
