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


_SED_RUNS = re.compile(r"(?:^|[;{\n\d$/,])\s*e\s+([^\n]+)")
_RECIPE = re.compile(r"^(?:\t|[\w.-]+:[^=\n;]*;)\s*[@+-]*(.*)$", re.MULTILINE)
_BUILD_RUNS = re.compile(r"(?im)^\s*RUN\s+(?:--\S+\s+)*(.+)$")
_SOCAT_RUNS = re.compile(r"(?is)(?:exec|system|shell):(.*)")


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
    for at, word in enumerate(command.argv[1:], 1):
        if word.text.lower().endswith(".ps1"):
            inner.commands.append(command.argv[at:])
            return
    inner.code.append(" ".join(word.text for word in command.argv[1:]))


def read_sed(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands that a program of ``sed`` runs: ``1e git push``."""
    programs = call.flags.get("--expression") or [one.text for one in call.operands[:1]]
    for program in programs:
        for found in _SED_RUNS.finditer(program):
            inner.run_text(found[1])


def read_tar(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands that ``tar`` runs at checkpoints, or to pack and unpack."""
    for action in call.flags.get("--checkpoint-action", ()):
        if action.startswith("exec="):
            inner.run_text(action.removeprefix("exec="))
    for option in ("--to-command", "--use-compress-program"):
        for text in call.flags.get(option, ()):
            inner.run_text(text)


def read_make(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the recipes of a makefile that is given as input."""
    if set(call.flags.get("--file", ())) & {"-", "/dev/stdin"}:
        for recipe in _RECIPE.findall(command.stdin):
            inner.run_text(recipe)


def read_docker(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands of a build file that is given as input."""
    operands = [operand.text for operand in call.operands]
    if "build" in operands[:2] and {"-", "/dev/stdin"} & {
        *operands,
        *call.flags.get("--file", ()),
        *call.flags.get("-f", ()),
    }:
        for line in _BUILD_RUNS.findall(command.stdin.replace("\\\n", " ")):
            inner.run_text(line)


def read_socat(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands among the addresses of ``socat``: ``EXEC:…``."""
    for operand in call.operands:
        found = _SOCAT_RUNS.match(operand.text)
        if found:
            inner.run_text(found[1])


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
        if operands[:1] == ["push"]:
            _push_setting(name, value, inner)
    if operands[:1] == ["filter-branch"]:
        for option, texts in call.flags.items():
            if option.endswith("-filter"):
                inner.texts += [(text, ()) for text in texts]
    stored = operands[:1] == ["config"] and len(operands) > 2
    if stored and not operands[-2].startswith("alias."):
        _setting(operands[-2], operands[-1], (), inner)


def _push_setting(name: str, value: str, inner: InnerCommand) -> None:
    """Read ``remote.NAME.push`` and ``.mirror`` as the push that they mean."""
    section, _, rest = name.partition(".")
    remote, _, key = rest.rpartition(".")
    words = ("git", "push", "--mirror") if key.lower() == "mirror" else ("git", "push")
    named = (remote, value) if key.lower() == "push" else (remote,)
    if section == "remote" and remote and key.lower() in ("push", "mirror"):
        inner.commands.append(tuple(map(Word, (*words, *named))))


def _setting(
    name: str, value: str, tail: tuple[Word, ...], inner: InnerCommand
) -> None:
    if _RUN_SETTINGS.fullmatch(name):
        plain = name.startswith("alias.") and not value.startswith("!")
        inner.run_text(f"git {value}" if plain else value.removeprefix("!"), tail)
