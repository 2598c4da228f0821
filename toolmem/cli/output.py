"""Print answers: text for people, JSON for programs; nothing else prints.

Data goes to standard output, remarks to standard error; both are UTF-8 on every system,
without control and invisible characters.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TextIO

from toolmem.cli import terminal
from toolmem.core.formats.json_text import json_text
from toolmem.core.shown import show as show
from toolmem.core.text.safetext import spell_out
from toolmem.errors import Arg, NextStep, StorageError, ToolmemError, worded

_AT_ONCE = 1000
"""Lines that are written at once."""


def emit(text: str) -> None:
    """Print an answer to standard output; a final newline is added if missing.

    Raises ``StorageError`` when it cannot be written, as all of these do.
    """
    if text:
        _write(sys.stdout, text if text.endswith("\n") else text + "\n")


def emit_lines(
    lines: Iterable[str], paint: Callable[[str], str] = terminal.styled_tags
) -> None:
    """Print each text as one line: a name with a line feed in it forges no other.

    ``paint`` styles a line that is safe already, where the output has colour.
    """
    written = safe_lines(lines, paint)
    while part := "\n".join(islice(written, _AT_ONCE)):
        _write(sys.stdout, part + "\n", safe=True)


def safe_lines(
    lines: Iterable[str], paint: Callable[[str], str] = terminal.styled_tags
) -> Iterator[str]:
    """Yield each text as one safe line, in colour where standard output has any."""
    safe = map(show, lines)
    return map(paint, safe) if terminal.has_colour(sys.stdout) else safe


def emit_table(rows: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> None:
    """Print rows in columns; a terminal shows the names of the columns, too."""
    listed = list(rows)
    if not listed:
        return
    has_heads = heads and terminal.is_terminal(sys.stdout)
    lines = _aligned([heads, *listed] if has_heads else listed)
    if terminal.has_colour(sys.stdout):
        head = [terminal.styled_head("  ".join(lines[0]).rstrip())] if has_heads else []
        body = map(terminal.styled_row, lines[len(head) :])
        texts = [*head, *("  ".join(line).rstrip() for line in body)]
    else:
        texts = ["  ".join(line).rstrip() for line in lines]
    _write(sys.stdout, "\n".join(texts) + "\n", safe=True)


def emit_json(document: Mapping[str, Any] | Sequence[Any] | None) -> None:
    """Print one JSON document."""
    _write(sys.stdout, json_text(document) + "\n")


def print_notice(text: str) -> None:
    """Print a notice in one line on standard error."""
    _write(sys.stderr, f"toolmem: {show(worded(text, in_shell))}\n")


def in_shell(part: Arg | NextStep) -> str:
    """Return an argument as an option, an operation as a command."""
    if isinstance(part, Arg):
        return f"--{part.name.replace('_', '-')}"
    words = f"{part.operation.replace('.', ' ')} {part.words}".rstrip()
    return f"`toolmem {words}`"


def answer_to(question: str) -> str:
    """Return the user's answer at the terminal; the end of the input quits."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else "q"


def remark_dry_run(dry_run: bool) -> None:
    """Print that a dry run changed nothing."""
    if dry_run:
        print_notice("dry run: nothing was changed")


def print_notices(remarks: Iterable[str]) -> None:
    """Print each notice on standard error."""
    for text in remarks:
        print_notice(text)


def aside(text: str) -> None:
    """Print several lines on standard error."""
    _write(sys.stderr, text + "\n")


def aside_lines(lines: Iterable[str]) -> None:
    """Print each text as one line on standard error."""
    aside("\n".join(map(show, lines)))


def report(error: ToolmemError, *, as_json: bool) -> None:
    """Show a failure on standard error: one line, or one JSON object."""
    if as_json:
        document = {**error.data(), "message": error.message.worded(in_shell)}
        _write(sys.stderr, json_text(document, indent=None) + "\n")
    else:
        print_notice(error.message)


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows with their columns aligned, the last one ragged."""
    return "\n".join("  ".join(line).rstrip() for line in _aligned(rows))


def _aligned(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """The cells of rows, safe to print, padded to the width of their columns."""
    listed = [[show(cell) for cell in row] for row in rows]
    if not listed:
        return []
    widths = [max(len(row[n]) for row in listed) for n in range(len(listed[0]) - 1)]
    return [
        [*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]]
        for row in listed
    ]


def fields(values: Mapping[str, Any]) -> str:
    """``key: value`` lines of what is set."""
    return "\n".join(f"{key}: {show(value)}" for key, value in values.items() if value)


def _write(stream: TextIO, text: str, *, safe: bool = False) -> None:
    data = (text if safe else spell_out(text)).encode()
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError as error:
        # The interpreter flushes once more at its end: nothing may be left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            # The reader closed the pipe, which is not a failure.
            raise SystemExit(0) from None
        if stream is sys.stdout:
            raise StorageError(
                f"the output: {error.strerror}; any change is stored already"
            ) from error
