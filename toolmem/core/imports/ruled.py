"""Choose the tools that a sentence of a file certainly rules.

A file about code uses *fetch*, *email* and *edit* for the code to be written, so fewer
words indicate a tool than in a message: an e-mail counts only if none may be sent or an
address is given, and a file only by its path.
"""

from typing import NamedTuple

from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.tools import choose_tools, is_program
from toolmem.core.guard.derive import derive_guards
from toolmem.core.model import ANY_TOOL


class Toolbox(NamedTuple):
    """Tools that a file may refer to; ``shell`` is the one that runs commands.

    Without a ``shell`` the rule is one of the program itself.
    """

    tools: tuple[ToolWords, ...] = ()
    shell: str = ""


def tools_ruled(text: str, kind: str, box: Toolbox) -> tuple[str, ...]:
    """Return the tools that a sentence certainly rules."""
    tools = choose_tools(text, box.tools)
    sends = kind == "ban" or "@" in text
    shell = box.shell or None
    named = (shell or tool if is_program(tool) else tool for tool in tools)
    own = {tool.name for tool in box.tools}
    ruled = tuple(
        dict.fromkeys(
            tool for tool in named if sends or tool not in own or tool == box.shell
        )
    )
    return ruled or _by_guards(text, kind, box)


def _by_guards(text: str, kind: str, box: Toolbox) -> tuple[str, ...]:
    """Return the shell if a ban names a command: "never force-push"."""
    guards = derive_guards(text, ANY_TOOL) if kind == "ban" else ()
    commands = any("command" in guard for guard in guards)
    return (box.shell or "shell",) if commands else ()
