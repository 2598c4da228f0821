"""Texts that a call adds to files and to messages of commits and pull requests.

What was there before is not added: a text counts if it occurs more often afterwards.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from toolmem.core.guard.calls import ToolCall, shell_sources
from toolmem.core.guard.conditions import excerpt
from toolmem.core.guard.files import folders_of
from toolmem.core.names import plain_key
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.argv import Call, take_apart
from toolmem.core.shell.parse import parse_argv, parse_command
from toolmem.core.shell.words import SimpleCommand, fill_gaps

_PATHS = ("filepath", "path", "notebookpath", "targetfile", "filename", "file",
          "absolutepath", "relativeworkspacepath")  # fmt: skip
_WHOLE = ("content", "contents", "filetext", "codeedit", "text", "body")
_NEW = ("newstring", "newstr", "newsource", "newtext", "replacement", "inserttext",
        "new", "replace", "repl")  # fmt: skip
_OLD = ("oldstring", "oldstr", "oldtext", "old", "search", "needle")
_MESSAGE_TOOLS = re.compile(r"pull_?request|(?:^|_)pr(?:_|$)|commit", re.IGNORECASE)
_MESSAGE_KEYS = ("body", "title", "message", "description", "commitmessage", "subject")
_PATCH_FILE = re.compile(r"\*\*\* (?:Add|Update) File: (.+)|\+\+\+ (?:b/)?([^\t\n]+)")
_SED_EDITS = ("sed", "gsed", "perl")
_PRINTS = ("echo", "printf", "cat", "tee")
_SIGNED = "Signed-off-by:"
_MOST_PIECES = 500


class Addition(NamedTuple):
    """A text before and after a call: of a file, or of a message, whose ``path`` is
    empty.

    ``start`` is the number of lines before the text in its file, -1 if unknown.
    """

    path: str
    after: str
    before: str = ""
    start: int = -1

    def adds(self, literal: str) -> str:
        """Return the line that a literal is added in, and where; empty if it is not."""
        pattern = token_pattern(literal, fold=not self.path)
        if len(pattern.findall(self.after)) <= len(pattern.findall(self.before)):
            return ""
        known = Counter(self.before.split("\n"))
        lines = list(enumerate(self.after.split("\n"), 1))
        seen = [(number, line) for number, line in lines if pattern.search(line)]
        new = [addition for addition in seen if not known[addition[1]]]
        number, line = (new or seen or [(0, literal)])[0]
        place = self.path or "the message"
        if self.path and number and self.start >= 0:
            place += f":{self.start + number}"
        return f"adds {excerpt(line)} to {place}"


@lru_cache(maxsize=512)
def token_pattern(literal: str, *, fold: bool) -> re.Pattern[str]:
    """Return the pattern of a whole token: no word goes on at its ends.

    ``fold``: without case, as trailers of commits are compared.
    """
    start = r"(?<!\w)" if literal[:1].isalnum() or literal[:1] == "_" else ""
    end = r"(?!\w)" if literal[-1:].isalnum() or literal[-1:] == "_" else ""
    flags = re.IGNORECASE if fold else re.NOFLAG
    return re.compile(f"{start}{re.escape(literal)}{end}", flags)


def additions_of(call: ToolCall) -> tuple[Addition, ...]:
    """Return the texts that a call adds or replaces."""
    sources = shell_sources(call)
    if sources:
        additions: list[Addition] = []
        for source in sources:
            text = source if isinstance(source, str) else ""
            shell = parse_command(text) if text else parse_argv(tuple(source))
            folders = folders_of(shell.commands, cwd=call.folder, home=call.home)
            for command, folder in zip(shell.commands, folders, strict=True):
                additions += _of_command(command, folder, call)
        return tuple(additions[:_MOST_PIECES])
    return tuple(_of_tool(call))[:_MOST_PIECES]


def _of_tool(call: ToolCall) -> Iterator[Addition]:
    for value in call.arguments.values():
        if isinstance(value, str) and ("*** Begin Patch" in value or "\n+++ " in value):
            yield from patched(value, call.cwd, call)
            return
    given = {plain_key(str(key)): value for key, value in call.arguments.items()}
    path = next((str(given[key]) for key in _PATHS if given.get(key)), "")
    if not path:
        if _MESSAGE_TOOLS.search(call.tool):
            for key in _MESSAGE_KEYS:
                if isinstance(given.get(key), str):
                    yield Addition("", given[key])
        return
    path = resolve(path, cwd=call.cwd, home=call.home)
    before, after = _replaced_texts(given)
    if after:
        old = "\n".join(before or [_cell(call, path, given)])
        at = _read(call, path).partition(old) if old else ("", "", "")
        start = at[0].count("\n") if at[1] else -1
        yield Addition(path, "\n".join(after), old, start)
        return
    whole = _texts(given, _WHOLE)
    if whole:
        yield Addition(path, "\n".join(whole), _read(call, path), 0)


def _replaced_texts(given: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the texts that edits replace, and those that they write instead."""
    edits = given.get("edits")
    before: list[str] = []
    after: list[str] = []
    for piece in (given, *(edits if isinstance(edits, list) else ())):
        if isinstance(piece, Mapping):
            named = {plain_key(str(key)): value for key, value in piece.items()}
            before += _texts(named, _OLD)
            after += _texts(named, _NEW)
    return before, after


def _texts(named: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    return [named[key] for key in keys if isinstance(named.get(key), str)]


def _cell(call: ToolCall, path: str, given: Mapping[str, Any]) -> str:
    """Return the source of the cell of a notebook that an edit replaces."""
    number = given.get("cellid")
    if number is None or given.get("editmode") == "insert":
        return ""
    try:
        cells = json.loads(_read(call, path) or "{}").get("cells", [])
    except (ValueError, AttributeError, RecursionError):
        return ""
    for cell in cells if isinstance(cells, list) else ():
        if isinstance(cell, Mapping) and cell.get("id") == number:
            source = cell.get("source", "")
            return source if isinstance(source, str) else "".join(map(str, source))
    return ""


def _read(call: ToolCall, path: str) -> str:
    return call.read(path) if call.read else ""


def patched(text: str, folder: str, call: ToolCall) -> Iterator[Addition]:
    """Yield what a patch adds to each of its files."""
    path = ""
    before: list[str] = []
    after: list[str] = []
    for line in text.split("\n"):
        named = _PATCH_FILE.match(line)
        if named:
            if path:
                yield Addition(path, "\n".join(after), "\n".join(before))
            path, before, after = (named[1] or named[2]).strip(), [], []
            path = resolve(path, cwd=folder, home=call.home)
        elif line.startswith("+"):
            after.append(line[1:])
        elif line.startswith("-") and not line.startswith("--- "):
            before.append(line[1:])
    if path:
        yield Addition(path, "\n".join(after), "\n".join(before))


def _of_command(
    command: SimpleCommand, folder: str, call: ToolCall
) -> Iterator[Addition]:
    if not command.argv:
        return
    seen = take_apart(command.argv)
    texts = [fill_gaps(operand.text, "") for operand in seen.operands]
    if seen.program in ("git", "gh", "glab", "hub"):
        yield from _message(seen, texts, command, folder, call)
        if "*** Begin Patch" in command.stdin or "\n+++ " in command.stdin:
            yield from patched(command.stdin, folder, call)
    elif seen.program in _SED_EDITS and _in_place(command):
        yield from _replaced(command, folder, call)
    elif "apply_patch" in (seen.program, *texts[:1]) or seen.program == "patch":
        for text in (*texts, command.stdin):
            yield from patched(text, folder, call)
    if seen.program in _PRINTS:
        written = " ".join(texts) if seen.program in ("echo", "printf") else ""
        text = fill_gaps(command.stdin, "") or written
        yield from _written(command, text, folder, call)


def _written(
    command: SimpleCommand, text: str, folder: str, call: ToolCall
) -> Iterator[Addition]:
    """Yield what is written to the files that a command's output goes to."""
    targets = [
        (redirect.target.text, redirect.operator)
        for redirect in command.redirects
        if redirect.operator in (">", ">>", ">|", "&>", "&>>")
    ]
    words = [word.text for word in command.argv]
    if words[0].endswith("tee"):
        append = ">>" if {"-a", "--append"} & set(words) else ">"
        targets += [(word, append) for word in words[1:] if not word.startswith("-")]
    for name, operator in targets:
        path = resolve(name, cwd=folder, home=call.home)
        before = "" if ">>" in operator else _read(call, path)
        yield Addition(path, text, before)


def _in_place(command: SimpleCommand) -> bool:
    return any(
        re.fullmatch(r"-[a-zA-Z]*i.*|--in-place.*", word.text)
        for word in command.argv[1:]
    )


_SUBSTITUTION = re.compile(r"s(?P<mark>[^\w\s\\])")
_INSERT = re.compile(r"(?:^|[;\n}])\s*[\d,$/\w]*\s*[aic]\\?\s*(?P<text>[^\n]+)")


def _replaced(
    command: SimpleCommand, folder: str, call: ToolCall
) -> Iterator[Addition]:
    """Yield what an editor of streams writes instead of what it finds."""
    words = [word.text for word in command.argv[1:]]
    scripts = [after for word, after in pairwise(words) if word in ("-e", "-pe")]
    rest = [word for word in words if not word.startswith("-") and word not in scripts]
    if not scripts:
        scripts, rest = rest[:1], rest[1:]
    before, after = [], []
    for script in scripts:
        pieces = list(_substitutions(script))
        before += [old for old, _ in pieces]
        after += [new for _, new in pieces]
        inserted = _INSERT.search(script) if not pieces else None
        after += [inserted["text"]] if inserted else []
    for name in rest:
        path = resolve(name, cwd=folder, home=call.home)
        yield Addition(path, "\n".join(after), "\n".join(before))


def _substitutions(script: str) -> Iterator[tuple[str, str]]:
    """Yield pattern and replacement of each ``s/…/…/`` in a script of sed."""
    at = 0
    while match := _SUBSTITUTION.search(script, at):
        if match.start() and script[match.start() - 1].isalnum():
            at = match.end()
            continue
        parts: list[str] = []
        part, place = "", match.end()
        while place < len(script) and len(parts) < 2:
            char = script[place]
            if char == "\\" and place + 1 < len(script):
                following = script[place + 1]
                part += following if not following.isalnum() else f"\\{following}"
                place += 1
            elif char == match["mark"]:
                parts.append(part)
                part = ""
            else:
                part += char
            place += 1
        if len(parts) < 2:
            return
        yield parts[0], parts[1]
        at = place


_MESSAGE_OPTIONS = ("--message", "--title", "--body", "--trailer", "--notes",
                    "--description", "--subject")  # fmt: skip
_FILE_OPTIONS = ("--file", "--body-file", "--notes-file")


def _message(
    seen: Call,
    texts: Sequence[str],
    command: SimpleCommand,
    folder: str,
    call: ToolCall,
) -> Iterator[Addition]:
    """Yield the messages of commits and pull requests that a command makes."""
    makes = texts[:1] in (["commit"], ["merge"]) or texts[:1] in (["pr"], ["mr"])
    if not makes:
        return
    short = ("-b", "-t", "-F", "-d") if seen.program != "git" else ()
    for name in (*_MESSAGE_OPTIONS, *short):
        for value in seen.flags.get(name, ()):
            yield Addition("", fill_gaps(value, ""))
    for name in _FILE_OPTIONS:
        for value in seen.flags.get(name, ()):
            if value in ("-", "/dev/stdin"):
                yield Addition("", fill_gaps(command.stdin, ""))
            else:
                path = resolve(value, cwd=folder, home=call.home)
                yield Addition("", _read(call, path))
    if texts[:1] == ["commit"] and "--signoff" in seen.flags:
        yield Addition("", _SIGNED)
