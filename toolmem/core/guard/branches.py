"""The git branches that a command may find checked out, and those that it pushes."""

import re
from collections.abc import Sequence

from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.files import folders_of
from toolmem.core.shell.argv import Call
from toolmem.core.shell.words import PLAIN_GAP, SimpleCommand, has_gap

Branch = tuple[str, bool]
"""A name, which may be a gap, and whether it is certain."""
_UNKNOWN: tuple[Branch, ...] = ((PLAIN_GAP, False),)
_MAKES = ("-b", "-B", "--create", "--force-create", "--orphan")
_CURRENT = ("HEAD", "@")
_EVERY = ("--all", "--branches", "--mirror")
_NONE = ("--tags", "--delete")
_FILE = re.compile(r"\.|.*[^.]\.[a-z]{1,5}")


def checked_out(
    commands: tuple[SimpleCommand, ...], calls: Sequence[Call], at: int, call: ToolCall
) -> tuple[Branch, ...]:
    """The branch that a command finds checked out; none where there is no
    repository, or it was not asked for."""
    for earlier in reversed(calls[:at]):
        named = _switched_to(earlier)
        if named:
            return ((PLAIN_GAP if named == "-" else named, False),)
    if call.branch is None:
        return ()
    folder = folders_of(commands[: at + 1], cwd=call.folder, home=call.home)[at]
    elsewhere = {"--git-dir", "--work-tree"} & calls[at].flags.keys()
    if elsewhere or any(map(moves_unseen, commands[:at])):
        return _UNKNOWN
    return checked_out_in(folder, call)


def checked_out_in(folder: str, call: ToolCall) -> tuple[Branch, ...]:
    """The branch that is checked out in a folder; none where there is no repository,
    or it was not asked for."""
    if call.branch is None:
        return ()
    branch = call.branch(folder) if folder else None
    if branch is None:
        return _UNKNOWN
    return ((branch, True),) if branch else ()


def pushed(
    commands: tuple[SimpleCommand, ...], calls: Sequence[Call], at: int, call: ToolCall
) -> tuple[Branch, ...]:
    """The branches that a ``git push`` pushes without naming them."""
    words = [operand.text for operand in calls[at].operands]
    flags = calls[at].flags.keys()
    if calls[at].program != "git" or words[:1] != ["push"]:
        return ()
    if flags & set(_EVERY):
        return _UNKNOWN
    if not (words[2:] or flags & set(_NONE)) or set(words[2:]) & set(_CURRENT):
        return checked_out(commands, calls, at, call)
    return ()


def _switched_to(call: Call) -> str:
    """The branch that a command switches to; empty if it does not."""
    words = [operand.text for operand in call.operands]
    if call.program != "git" or words[:1] not in (["checkout"], ["switch"]):
        return ""
    made = [value for name in _MAKES for value in call.flags.get(name, ())]
    if made:
        return made[0]
    if words[0] == "switch":
        return "".join(words[1:2])
    files = "--" in call.flags or len(words) > 2 or _FILE.fullmatch("".join(words[1:]))
    return "" if files else "".join(words[1:2])


def moves_unseen(command: SimpleCommand) -> bool:
    """Return True if a command changes to a folder that only the shell knows."""
    texts = [word.text for word in command.argv]
    return texts[:1] in (["cd"], ["pushd"]) and any(map(has_gap, texts))
