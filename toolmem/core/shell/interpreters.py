"""Programs whose arguments are code in another language, or settings that run."""

import re
from collections.abc import Iterator, Sequence

from toolmem.core.shell.argv import Call
from toolmem.core.shell.code import InnerCommand
from toolmem.core.shell.settings import is_run
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
_DATABASES = ("psql", "mysql", "sqlite3")
_LEAVES_SQL = r"(?i)\\!|\.(?:shell|system)\b|\bprogram\b|(?:^|;)\s*system\s"
"""How their languages run a command."""


_NAMED_RUN = (
    r"(?i)(?:[\w.-]*[._-])?\w*(?:cmd|command|exec|shell|editor|pager|rsh|program|hooks?)"
    r"|(?:-?-|scripts\.|pre|post|[\w.-]+\.)(?:run|script|scripts\.\w+)|scripts\.[\w:-]+"
)
"""Options and settings whose name says that a program runs their value."""
_SED_RUNS = r"(?:^|[;{\n\d$/,])\s*e\s+([^\n]+)"
_RECIPE = r"(?m)^(?:\t|[\w.-]+:[^=\n;]*;)\s*[@+-]*(.*)$"
_BUILD_RUNS = r"(?im)^\s*RUN\s+(?:--\S+\s+)*(.+)$"
_SOCAT_RUNS = r"(?is)(?:exec|system|shell):(.*)"


def run_values(call: Call) -> Iterator[str]:
    """Yield the texts that a program runs by the name of an option or setting."""
    if call.program in _DATABASES:
        return
    for name, values in call.flags.items():
        for value in values:
            key, equals, rest = value.partition("=")
            if re.fullmatch(_NAMED_RUN, name) and " " in value:
                yield value
            elif equals and " " in rest and re.fullmatch(_NAMED_RUN, key):
                yield rest
    for operand in call.operands:
        key, equals, rest = operand.text.partition("=")
        if equals and " " in rest and re.fullmatch(_NAMED_RUN, key):
            yield rest
        elif key[:2] == "+!":
            yield operand.text[2:]


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
    elif not values and operands[:1] == [UNSEEN_PIPE] and not command.stdin:
        inner.opaque = f"what {call.program} reads from another command"
    elif command.stdin and not values and operands[:1] in ([], ["-"], [UNSEEN_PIPE]):
        if command.stdin == GAP:
            inner.opaque = f"what is piped into {call.program}"
        else:
            inner.add_code([command.stdin])


def read_escapes(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the arguments of a program that can run commands in its own language."""
    texts = [word.text for word in command.argv[1:] if " " in word.text.strip()]
    texts = [text for text in (*texts, command.stdin) if text and text != GAP]
    if call.program in _DATABASES:
        texts = [text for text in texts if re.search(_LEAVES_SQL, text)]
    inner.code += texts


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
        for match in re.finditer(_SED_RUNS, program):
            inner.run_text(match[1])


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
    if set(call.flags.get("--file", ())) & {"-", "/dev/stdin", UNSEEN_PIPE}:
        for recipe in re.findall(_RECIPE, command.stdin):
            inner.run_text(recipe)


def read_docker(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands of a build file that is given as input."""
    operands = [operand.text for operand in call.operands]
    if "build" in operands[:2] and {"-", "/dev/stdin"} & {
        *operands,
        *call.flags.get("--file", ()),
        *call.flags.get("-f", ()),
    }:
        for line in re.findall(_BUILD_RUNS, command.stdin.replace("\\\n", " ")):
            inner.run_text(line)


def read_socat(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read the commands among the addresses of ``socat``: ``EXEC:…``."""
    for operand in call.operands:
        match = re.match(_SOCAT_RUNS, operand.text)
        if match:
            inner.run_text(match[1])


def _module(words: Sequence[Word], inner: InnerCommand) -> None:
    for at, word in enumerate(words[1:], 1):
        if word.text.startswith("-m"):
            name = (Word(word.text[2:]),) if len(word.text) > 2 else ()
            inner.commands.append((*name, *words[at + 1 :]))
            return


def read_git(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read aliases and commands in git's settings."""
    operands = [operand.text for operand in call.operands]
    given = [setting.partition("=")[::2] for setting in call.flags.get("-c", ())]
    for name, value in given:
        if is_run(name) and not name.startswith("alias."):
            inner.run_text(value.removeprefix("!"))
    verb = "".join(operands[:1])
    for name, value in (*command.settings, *given):
        if verb and name == f"alias.{verb}":
            at = [word.text for word in command.argv].index(verb)
            text = value[1:] if value[:1] == "!" else f"git {value}"
            inner.run_text(text, command.argv[at + 1 :])
            inner.aliased |= {name}
        elif verb == "push":
            _push_setting(name, value, inner)
    if verb == "filter-branch":
        for option, texts in call.flags.items():
            if option.endswith("-filter"):
                inner.texts += [(text, ()) for text in texts]


def _push_setting(name: str, value: str, inner: InnerCommand) -> None:
    """Read ``remote.NAME.push`` and ``.mirror`` as the push that they mean."""
    section, _, rest = name.partition(".")
    remote, _, key = rest.rpartition(".")
    words = ("git", "push", "--mirror") if key.lower() == "mirror" else ("git", "push")
    named = (remote, value) if key.lower() == "push" else (remote,)
    if section == "remote" and remote and key.lower() in ("push", "mirror"):
        inner.commands.append(tuple(map(Word, (*words, *named))))
        inner.aliased |= {name}
