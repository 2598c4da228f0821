"""Add what the scripts run that a shell text runs, if their text is available."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from toolmem.core.guard import source_code
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.files import folders_of
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.argv import Call, take_apart
from toolmem.core.shell.interpreters import CODE_FLAGS
from toolmem.core.shell.lift import decode_ansi
from toolmem.core.shell.parse import parse_command
from toolmem.core.shell.programs import (
    SCRIPT_RUNNERS,
    SHELLS,
    is_script,
    program_name,
)
from toolmem.core.shell.settings import files_run
from toolmem.core.shell.words import ShellCommand, SimpleCommand, has_gap
from toolmem.core.shell.wrappers import is_ordinary

_MOST = 4
_RUNNERS = SHELLS | SCRIPT_RUNNERS | {"source", "."}
_BY_INTERPRETER = "#!"
"""Operator of a script that is shown as the program that it is."""
_SHELL_FILE = re.compile(r"\.(?:ba|z|k)?sh\Z")
_SHELL_LINE = re.compile(r"#!.*\b(?:ba|z|da|k|a)?sh\b")
_CODE_FILE = re.compile(r"\.(?:py|[cm]?[jt]sx?|rb|pl|pm|php|lua|r|jl|groovy|tcl)\Z")
_CODE_LINE = re.compile(r"#!.*\b(?:python|node|ruby|perl|php|lua|deno|bun|tsx)")
_SUBCOMMANDS = ("run", "test")
_PRINTERS = ("echo", "printf")
_COPIERS = ("cat", "tee")
_HOOK = re.compile(
    r"/(?:hooks|\.husky)/[\w-]+\Z|/\.(?:bashrc|profile|bash_profile|z(?:sh|prof|log)\w+)\Z"
)
"""Files that git or a shell runs by itself."""
_BUILD_FILES = {
    "make": ("Makefile", "makefile"), "just": ("justfile", "Justfile"),
    "docker": ("Dockerfile",), "npm": ("package.json",), "task": ("Taskfile.yml",),
    "rake": ("Rakefile",),
}  # fmt: skip
_TAKES = frozenset(_BUILD_FILES) | frozenset(
    """ansible-playbook at awk batch buildah crontab ed ex expect gdb kubectl mysql
    nvim parallel podman psql screen sed sqlite3 tmux vi vim xargs""".split()
)
"""Programs that run the commands of a file, besides shells and interpreters."""
SQL_CLIENTS = ("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "cockroach")


class _Script(NamedTuple):
    """The file of a script, and whether a shell runs it: None if its text decides."""

    path: str
    is_shell: bool | None = None


def with_scripts(command: ShellCommand, call: ToolCall) -> ShellCommand:
    """Return the command with what the scripts may run and use that it runs."""
    further: list[SimpleCommand] = []
    code: list[str] = []
    inert: list[str] = []
    folders = folders_of(command.commands, cwd=call.folder, home=call.home)
    scripts = dict.fromkeys(_scripts(command, folders, call))
    further += _as_programs(command)
    written = _written(command, folders, call)
    scripts |= dict.fromkeys(_hooks(written))
    code += _handed(command, folders, call, written)
    command = _fed(command, folders, call, written)
    for script in list(scripts)[:_MOST]:
        text = written.get(script.path, "")
        text = text or (call.script(script.path) if call.script else "")
        kind = _is_shell(script, text)
        if text and kind:
            inner = parse_command(text)
            further += [one._replace(unsure=True) for one in inner.commands]
            code, inert = [*code, *inner.code], [*inert, *inner.inert]
        elif text and kind is False:
            starting, using = source_code.source_parts(text)
            code, inert = [*code, *starting], [*inert, *using]
    if not (further or code or inert):
        return command
    return command._replace(
        commands=(*command.commands, *further),
        code=(*command.code, *code),
        inert=(*command.inert, *inert),
    )


def _hooks(written: Mapping[str, str]) -> Iterator[_Script]:
    """Yield the files of a text that are run by themselves."""
    yield from (_Script(path, is_shell=True) for path in written if _HOOK.search(path))


def _handed(
    command: ShellCommand,
    folders: Sequence[str],
    call: ToolCall,
    written: Mapping[str, str],
) -> Iterator[str]:
    """Yield the files of a text that it hands to a program that may run them."""
    for path, text in written.items():
        name = path.rpartition("/")[2]
        for inner, folder in zip(command.commands, folders, strict=True):
            program = program_name(inner.argv[0].text) if inner.argv else ""
            if not program or (program not in _TAKES and is_ordinary(program)):
                continue
            words = [
                part for w in inner.argv[1:] for part in (w.text, *_values(w.text))
            ]
            named = (resolve(word, cwd=folder, home=call.home) for word in words)
            if path in named or name in _BUILD_FILES.get(program, ()):
                yield text
                break


def _values(text: str) -> tuple[str, ...]:
    """Return the file in ``--file=F`` and ``-fF``."""
    return (text.partition("=")[2] or text[2:],) if text[:1] == "-" else ()


def _fed(
    command: ShellCommand,
    folders: Sequence[str],
    call: ToolCall,
    written: Mapping[str, str],
) -> ShellCommand:
    """Return the command with files of its text as the input of what reads them."""
    commands = []
    for inner, folder in zip(command.commands, folders, strict=True):
        files = [r.target.text for r in inner.redirects if r.operator == "<"]
        if inner.argv and program_name(inner.argv[0].text) in SQL_CLIENTS:
            files += [
                part for w in inner.argv[1:] for part in (w.text, *_values(w.text))
            ]
        texts = (written.get(resolve(f, cwd=folder, home=call.home)) for f in files)
        text = next(filter(None, texts), "")
        commands.append(inner._replace(stdin=text) if text else inner)
    return command._replace(commands=tuple(commands))


def _as_programs(command: ShellCommand) -> Iterator[SimpleCommand]:
    """Yield the scripts that shells and interpreters run, as if they were called."""
    for inner in command.commands:
        name = program_name(inner.argv[0].text) if inner.argv else ""
        text = _script_of(inner, name) if name in _RUNNERS else ""
        at = next((n for n, w in enumerate(inner.argv) if w.text == text), 0)
        if at and is_script(text):
            outer = (*inner.outer, inner.argv[:at])
            yield SimpleCommand(inner.argv[at:], outer=outer, operator=_BY_INTERPRETER)


def is_script_run(command: SimpleCommand) -> bool:
    """Return True for a script as it is called by a shell or an interpreter."""
    return command.operator == _BY_INTERPRETER


def _script_of(command: SimpleCommand, name: str) -> str:
    """Return the script that a shell or an interpreter runs; empty without one."""
    if name in SCRIPT_RUNNERS:
        return _interpreted(take_apart(command.argv), name)
    return _first(take_apart(command.argv), ("-c",))


def _is_shell(script: _Script, text: str) -> bool | None:
    """Return True for a shell script; None for a file that is not a script."""
    if script.is_shell is not None:
        return script.is_shell
    if _SHELL_LINE.match(text) or _SHELL_FILE.search(script.path):
        return True
    is_code = _CODE_LINE.match(text) or _CODE_FILE.search(script.path)
    return False if is_code else None


def _scripts(
    command: ShellCommand, folders: tuple[str, ...], call: ToolCall
) -> Iterator[_Script]:
    for inner, folder in zip(command.commands, folders, strict=True):
        name = program_name(inner.argv[0].text) if inner.argv else ""
        is_shell = name not in SCRIPT_RUNNERS if name in _RUNNERS else None
        if name in SHELLS:
            for started in (*files_run(inner), *_started(inner)):
                yield _Script(resolve(started, cwd=folder, home=call.home), True)
        if name in _RUNNERS:
            text = _script_of(inner, name)
        elif inner.argv and ("/" in inner.argv[0].text or inner.via):
            text = inner.argv[0].text
        else:
            continue
        if not text and name in SHELLS | SCRIPT_RUNNERS:
            fed = [r.target.text for r in inner.redirects if r.operator == "<"]
            text = "".join(fed[:1])
        if text and not has_gap(text) and " " not in text:
            yield _Script(resolve(text, cwd=folder, home=call.home), is_shell)


def _started(command: SimpleCommand) -> list[str]:
    """Return the files that options of a shell make it run at its start."""
    flags = take_apart(command.argv).flags
    return [*flags.get("--rcfile", ()), *flags.get("--init-file", ())]


def _first(call: Call, code: tuple[str, ...]) -> str:
    """The first operand, unless the program is given in an option."""
    if call.flags.keys() & set(code):
        return ""
    return call.operands[0].text if call.operands else ""


def _interpreted(call: Call, name: str) -> str:
    module = "".join(call.flags.get("-m", ())[:1]) if name in ("python", "py") else ""
    if module:
        return module.replace(".", "/") + ".py"
    words = [operand.text for operand in call.operands]
    if name in ("deno", "bun") and words[:1] and words[0] in _SUBCOMMANDS:
        return "".join(words[1:2])
    return _first(call, CODE_FLAGS.get(name, ()))


def _written(
    command: ShellCommand, folders: tuple[str, ...], call: ToolCall
) -> dict[str, str]:
    """The files that the commands of the same text write, as far as it is there."""
    written: dict[str, str] = {}
    for inner, folder in zip(command.commands, folders, strict=True):
        name = program_name(inner.argv[0].text) if inner.argv else ""
        words = [word.text for word in inner.argv[1:]]
        targets = [r.target.text for r in inner.redirects if ">" in r.operator]
        text = inner.stdin
        if name in _PRINTERS:
            text = decode_ansi(" ".join(w for w in words if w[:1] != "-"))
        elif name == "tee":
            targets += [word for word in words if not word.startswith("-")]
        elif name in ("cp", "mv", "ln") and len(words) > 1:
            source = resolve(words[-2], cwd=folder, home=call.home)
            text, targets = written.get(source, ""), words[-1:]
        elif name not in _COPIERS:
            continue
        for target in targets:
            if text and not has_gap(target):
                path = resolve(target, cwd=folder, home=call.home)
                written[path] = f"{written.get(path, '')}\n{text}".lstrip("\n")
    return written
