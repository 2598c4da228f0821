"""Programs whose arguments are code in another language, or settings that run."""

import re
from collections.abc import Sequence

from toolmem.core.shell.argv import Call
from toolmem.core.shell.code import InnerCommand
from toolmem.core.shell.words import GAP, UNSEEN_PIPE, SimpleCommand, Word

CODE_FLAGS = {
    "python": ("-c",), "perl": ("-e", "-E"), "ruby": ("-e",), "php": ("-r",),
    "node": ("--eval",), "osascript": ("-e",), "lua": ("-e",), "luajit": ("-e",),
    "rscript": ("-e",), "r": ("-e",), "julia": ("--eval", "--print"),
    "bun": ("--eval",), "deno": (), "awk": (), "gawk": (), "mawk": (), "nawk": (),
}  # fmt: skip
"""Interpreter → the options whose value is a program in its language."""
_CODE_FIRST = frozenset(("awk", "gawk", "mawk", "nawk"))
"""Interpreters whose first operand is a program."""
ESCAPES = (
    "vim",
    "vi",
    "nvim",
    "ex",
    "ed",
    "emacs",
    "gdb",
    "lldb",
    "psql",
    "mysql",
    "sqlite3",
    "crontab",
    "tmux",
    "screen",
    "ftp",
    "sftp",
)
"""Programs whose own language can run a command."""
_RUN_SETTINGS = re.compile(
    r"(?:alias\..+|.*\.(?:editor|sshcommand|pager|command|cmd|driver|clean|smudge"
    r"|process|textconv|external|helper|askpass|fsmonitor))",
    re.IGNORECASE,
)
"""Settings of git whose value is a command."""


def read_interpreter(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the code that an interpreter of another language gets."""
    values = [
        value for flag in CODE_FLAGS[call.program] for value in call.flags.get(flag, ())
    ]
    operands = [operand.text for operand in call.operands if not operand.after]
    if call.program in _CODE_FIRST or (
        not values and "--print" in call.flags and call.program in ("node", "bun")
    ):
        values, operands = [*values, *operands[:1]], operands[1:]
    elif call.program == "deno" and operands[:1] == ["eval"]:
        values = operands[1:2]
    inner.add_code(values)
    if "-m" in call.flags and call.program == "python":
        _module(command.argv, inner)
    elif operands and operands[0] == UNSEEN_PIPE:
        inner.opaque = f"what {call.program} reads from another command"
    elif command.stdin and not values and (not operands or operands[0] == "-"):
        if command.stdin == GAP:
            inner.opaque = f"what is piped into {call.program}"
        else:
            inner.add_code([command.stdin])


def read_escapes(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the arguments of a program that can run commands in its own language."""
    texts = [word.text for word in command.argv[1:] if " " in word.text.strip()]
    inner.code += [text for text in (*texts, command.stdin) if text and text != GAP]


def read_windows_shell(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the text of a shell with another language, to be compared as code."""
    inner.code.append(" ".join(word.text for word in command.argv[1:]))


def _module(words: Sequence[Word], inner: InnerCommand) -> None:
    for at, word in enumerate(words[1:], 1):
        if word.text.startswith("-m"):
            name = (Word(word.text[2:]),) if len(word.text) > 2 else ()
            inner.commands.append((*name, *words[at + 1 :]))
            return


def read_git(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read aliases and commands in git's settings, given here or stored for later."""
    operands = [operand.text for operand in call.operands]
    for setting in call.flags.get("-c", ()):
        name, _, value = setting.partition("=")
        if name.removeprefix("alias.") in operands[:1]:
            at = [word.text for word in command.argv].index(operands[0])
            _setting(name, value, command.argv[at + 1 :], inner)
        elif not name.startswith("alias."):
            _setting(name, value, (), inner)
    stored = operands[:1] == ["config"] and len(operands) > 2
    if stored and not operands[-2].startswith("alias."):
        _setting(operands[-2], operands[-1], (), inner)


def _setting(
    name: str, value: str, tail: tuple[Word, ...], inner: InnerCommand
) -> None:
    if _RUN_SETTINGS.fullmatch(name):
        plain = name.startswith("alias.") and not value.startswith("!")
        inner.run_text(f"git {value}" if plain else value.removeprefix("!"), tail)
