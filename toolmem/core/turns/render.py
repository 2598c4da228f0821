"""Render turn memories as the block at the end of a message."""

from collections.abc import Iterable

from toolmem.core import limits
from toolmem.core.turns.memory import FailedCommand, TurnMemory, merged

_HEADER = "Tool memory:"
_CHANGED, _DELETED = "- Files changed: ", "- Files deleted: "
_FAILED, _DANGEROUS = "- Failed bash: ", "- Dangerous bash: "
_LINES = (_CHANGED, _DELETED, _FAILED, _DANGEROUS)


def render(turns: Iterable[TurnMemory | None]) -> str:
    """Render turns as one block, without a newline at the end; may be empty."""
    memory = merged(turns)
    lines = [
        *_files(_CHANGED, memory.changed),
        *_files(_DELETED, memory.deleted),
        *_commands(_FAILED, [_failed(entry) for entry in memory.failed]),
        *_commands(_DANGEROUS, list(memory.dangerous)),
    ]
    return "\n".join((_HEADER, *lines)) if lines else ""


def append_to(message: str, block: str) -> str:
    """Append the block to a message after one blank line, replacing an old block."""
    text = strip_block(message).rstrip()
    if not block:
        return message
    return f"{text}\n\n{block}" if text else block


def strip_block(message: str) -> str:
    """Remove the block from a message.

    A block is one only at the very end, after a blank line or alone, with only lines
    that ``render`` writes; the same words anywhere else stay.
    """
    lines = message.rstrip().split("\n")
    at = len(lines) - 1
    while at >= 0 and lines[at].startswith(_LINES):
        at -= 1
    if at < 0 or at == len(lines) - 1 or lines[at] != _HEADER:
        return message
    if at == 0:
        return ""
    return "\n".join(lines[: at - 1]) if not lines[at - 1].strip() else message


def _files(label: str, paths: tuple[str, ...]) -> list[str]:
    if not paths:
        return []
    shown = list(paths[: limits.TURN_FILES])
    if len(paths) > len(shown):
        shown.append(f"… ({len(paths) - len(shown)} more)")
    return [label + ", ".join(shown)]


def _commands(label: str, commands: list[str]) -> list[str]:
    shown = [label + command for command in commands[: limits.TURN_COMMANDS]]
    if len(commands) > len(shown):
        shown.append(f"{label}… ({len(commands) - len(shown)} more)")
    return shown


def _failed(entry: FailedCommand) -> str:
    code = entry.error if entry.exit_code is None else f"exit {entry.exit_code}"
    times = f" ×{entry.count}" if entry.count > 1 else ""
    return f"{entry.command} ({code}){times}{', then passed' * entry.then_passed}"
