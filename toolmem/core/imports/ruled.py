"""Tools that a sentence of a file rules for certain.

A file about code says *fetch*, *email* and *edit* of the code that is to be written,
so fewer words point to a tool than in a message: an e-mail counts only where none may
be sent or an address is given, and a file only by its path.
"""

from typing import NamedTuple

from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.tools import choose_tools, is_program
from toolmem.core.guard.derive import derive_guards
from toolmem.core.model import ANY_TOOL


class Toolbox(NamedTuple):
    """The tools that a file may speak of; ``shell`` is the one that runs commands.

    Without a ``shell`` the rule is one of the program itself.
    """

    tools: tuple[ToolWords, ...] = ()
    shell: str = ""


def tools_ruled(text: str, kind: str, box: Toolbox) -> tuple[str, ...]:
    """Return the tools that a sentence rules; none where it rules none for certain."""
    found = choose_tools(text, box.tools)
    sends = kind == "ban" or "@" in text
    shell = box.shell or None
    named = (shell or tool if is_program(tool) else tool for tool in found)
    own = {tool.name for tool in box.tools}
    ruled = tuple(
        dict.fromkeys(
            tool for tool in named if sends or tool not in own or tool == box.shell
        )
    )
    return ruled or _by_guards(text, kind, box)


def _by_guards(text: str, kind: str, box: Toolbox) -> tuple[str, ...]:
    """The shell, where what a ban names is a command: "never force-push"."""
    guards = derive_guards(text, ANY_TOOL) if kind == "ban" else ()
    commands = any("command" in guard for guard in guards)
    return (box.shell or "shell",) if commands else ()
