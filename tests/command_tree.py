"""The program with every command imported."""

import typer
from typer.core import TyperGroup

from toolmem.cli.program import program


def command_tree() -> TyperGroup:
    """Return the program, with the commands that it imports when they are asked for."""
    tree = program()
    tree.list_commands(typer.Context(tree))
    return tree
