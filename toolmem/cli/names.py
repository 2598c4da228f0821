"""Names of the commands, and the modules that declare them."""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from toolmem.cli.tree import DeclaredGroup

# Name → the modules that declare it: only those of the command that is called
# are imported, for an agent may call toolmem often.
GROUPS = {
    "rule": (
        "toolmem.cli.commands.rule",
        "toolmem.cli.commands.rule_change",
        "toolmem.cli.commands.rule_keep",
        "toolmem.cli.commands.rule_examples",
    ),
    "fact": ("toolmem.cli.commands.fact",),
    "memory": ("toolmem.cli.commands.memory", "toolmem.cli.commands.memory_write"),
    "tool": ("toolmem.cli.commands.tool",),
    "turn": ("toolmem.cli.commands.turn",),
    "scratch": ("toolmem.cli.commands.scratch",),
    "working": ("toolmem.cli.commands.working",),
    "conversation": ("toolmem.cli.commands.conversation",),
    "index": ("toolmem.cli.commands.index",),
    "agent": ("toolmem.cli.commands.agent",),
    "git": ("toolmem.cli.commands.git",),
    "trust": ("toolmem.cli.commands.trust",),
}
COMMANDS = {
    "init": "toolmem.cli.commands.vault",
    "settings": "toolmem.cli.commands.vault",
    "check": "toolmem.cli.commands.check",
    "diff": "toolmem.cli.commands.diff",
    "log": "toolmem.cli.commands.log",
    "resolve": "toolmem.cli.commands.resolve",
    "sync": "toolmem.cli.commands.sync",
    "prompt": "toolmem.cli.commands.prompt",
    "guard": "toolmem.cli.commands.guard",
    "hook": "toolmem.cli.commands.hook",
    "search": "toolmem.cli.commands.search",
    "recall": "toolmem.cli.commands.search",
    "query": "toolmem.cli.commands.query",
    "apply": "toolmem.cli.commands.apply",
    "capture": "toolmem.cli.commands.capture",
    "review": "toolmem.cli.commands.review",
    "commit": "toolmem.cli.commands.commit",
    "browse": "toolmem.cli.commands.browse",
    "reflect": "toolmem.cli.commands.reflect",
    "doctor": "toolmem.cli.commands.doctor",
    "stats": "toolmem.cli.commands.stats",
    "trace": "toolmem.cli.commands.trace",
    "import": "toolmem.cli.commands.import_",
    "export": "toolmem.cli.commands.export",
    "report": "toolmem.cli.commands.report",
    "bench": "toolmem.cli.commands.bench",
    "restore": "toolmem.cli.commands.vault",
    "rpc": "toolmem.cli.commands.serve",
    "mcp": "toolmem.cli.commands.serve",
}


def group_of(name: str) -> DeclaredGroup:
    """Load a group of commands."""
    # Reading ``app`` runs a module, which registers its commands.
    apps = [import_module(module).app for module in GROUPS[name]]
    return cast("DeclaredGroup", apps[0])


def command_of(name: str) -> Callable[..., None]:
    """Load a command that is in no group."""
    function = f"{name.replace('-', '_')}_command"
    return cast("Callable[..., None]", getattr(import_module(COMMANDS[name]), function))
