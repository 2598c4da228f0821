"""Parse a shell text into every simple command that it runs, through every wrapper."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.shell import tree
from toolmem.core.shell.programs import program_name, split_name
from toolmem.core.shell.settings import Setting, is_run, normal, stored
from toolmem.core.shell.words import ShellCommand, SimpleCommand, Word
from toolmem.core.shell.wrappers import inner_of

_TOKEN = re.compile(r"[^\s`()\[\]{},<>;|&'\"]+")


def parse_command(text: str) -> ShellCommand:
    """Parse a shell text; never raises.

    Text that is too long, too deep or not understood makes ``complete`` false; the rest
    is returned all the same.
    """
    reading = _Reading(text)
    reading.read(_Job(text))
    return reading.finish()


def parse_argv(argv: tuple[str, ...]) -> ShellCommand:
    """Parse a call that passes words instead of a text."""
    reading = _Reading(" ".join(argv))
    reading.run(SimpleCommand(tuple(Word(word) for word in argv)), _Job(""))
    return reading.finish()


def programs(text: str) -> tuple[str, ...]:
    """Return the names of the programs that a shell text runs, in order, each once.

    If the text is not understood, every word of it counts as one, and so does every
    word of a program in another language.
    """
    return program_names(parse_command(text))


def program_names(shell: ShellCommand) -> tuple[str, ...]:
    """Return the same for a text that is already parsed."""
    names: list[str] = []
    for command in shell.commands:
        name = program_name(command.argv[0].text) if command.argv else ""
        names += dict.fromkeys((name, split_name(name)[0]))
    unread = shell.code if shell.complete else (shell.text, *shell.code)
    for text in unread:
        names += [program_name(token) for token in _TOKEN.findall(text)]
    return tuple(dict.fromkeys(name for name in names if name))


class _Job(NamedTuple):
    """A text to read, and its context in the surrounding text."""

    text: str
    tail: tuple[Word, ...] = ()
    outer: tuple[tuple[Word, ...], ...] = ()
    depth: int = 0
    stdin: str = ""
    variables: Mapping[str, str | None] | None = None
    aliased: frozenset[str] = frozenset()
    settings: tuple[Setting, ...] = ()
    operator: str = ""
    substituted: bool = False


class _Reading:
    """One shell text and the texts inside it, in the order in which they run."""

    __slots__ = (
        "aliases", "chars", "code", "commands", "inert", "opaque", "reason",
        "settings", "text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.commands: list[SimpleCommand] = []
        self.code: list[str] = []
        self.inert: list[str] = []
        self.aliases: dict[str, str] = {}
        self.settings: dict[str, str] = {}
        self.reason = ""
        self.opaque = ""
        self.chars = 0

    def finish(self) -> ShellCommand:
        commands, code = tuple(self.commands), tuple(self.code)
        complete = not self.reason
        return ShellCommand(
            self.text,
            commands,
            complete,
            self.reason,
            self.opaque,
            code,
            tuple(self.inert),
        )

    def read(self, job: _Job) -> None:
        self.chars += len(job.text) + len(job.tail)
        if job.depth > limits.SHELL_DEPTH:
            self.reason = "too many shells inside shells"
            return
        if self.chars > limits.SHELL_BYTES:
            self.reason = "the shell text is too long"
            return
        script = tree.read_tree(job.text, job.variables, job.stdin)
        self.reason = self.reason or script.reason
        job = job._replace(variables=script.variables)
        for text in filter(None, script.nested):
            self._inner(job._replace(stdin="", substituted=True), text, (), ())
        last = len(script.commands) - 1
        for at, command in enumerate(script.commands):
            if at == last and job.tail:
                command = command._replace(argv=(*command.argv, *job.tail))
            placed = command._replace(
                outer=job.outer,
                settings=self._settled(command, job),
                operator=command.operator or job.operator,
                substituted=command.substituted or job.substituted,
            )
            self.run(placed, job)

    def _settled(self, command: SimpleCommand, job: _Job) -> tuple[Setting, ...]:
        """Return all settings of a command, and read those that a program runs."""
        own = normal(command.settings)
        later = stored(command)
        self.settings |= dict(later)
        for name, value in (*own, *later):
            if is_run(name) and not name.startswith("alias."):
                self._inner(job, value.removeprefix("!"), (), command.outer)
        every = self.settings | dict(job.settings) | dict(own)
        return tuple(one for one in every.items() if one[0] not in job.aliased)

    def run(self, command: SimpleCommand, job: _Job) -> None:
        """Add a command, and everything that it runs."""
        waiting = [command]
        while waiting:
            command = waiting.pop()
            self.commands.append(command)
            self.chars += len(command.argv)
            if len(self.commands) >= limits.SHELL_COMMANDS:
                self.reason = "the shell text has too many commands"
                return
            if len(command.outer) > 2 * limits.SHELL_DEPTH:
                self.reason = "too many wrappers around a command"
                return
            inner = inner_of(command)
            outer = (*command.outer, command.argv) if command.argv else command.outer
            self.code += inner.code
            self.inert += inner.inert
            self.opaque = self.opaque or inner.opaque
            placed = job._replace(
                operator=command.operator,
                substituted=command.substituted,
                settings=(*command.settings, *inner.settings),
                aliased=job.aliased | inner.aliased,
            )
            for text, tail in inner.texts:
                stdin = "" if text == command.stdin else command.stdin
                self._inner(placed._replace(stdin=stdin), text, tail, outer)
            waiting += [
                command._replace(
                    argv=argv, redirects=(), outer=outer, settings=placed.settings
                )
                for argv in inner.commands
            ]
            waiting += [
                command._replace(argv=argv, redirects=(), outer=outer, equal=True)
                for argv in inner.equals
            ]
            self._alias(command, job)

    def _inner(
        self,
        job: _Job,
        text: str,
        tail: tuple[Word, ...],
        outer: tuple[tuple[Word, ...], ...],
    ) -> None:
        self.read(job._replace(text=text, tail=tail, outer=outer, depth=job.depth + 1))

    def _alias(self, command: SimpleCommand, job: _Job) -> None:
        words = [word.text for word in command.argv]
        if words[:1] == ["alias"]:
            for word in words[1:]:
                name, equals, value = word.partition("=")
                if equals:
                    self.aliases[name] = value
        elif words and words[0] in self.aliases and words[0] not in job.aliased:
            aliased = job.aliased | {words[0]}
            self._inner(
                job._replace(aliased=aliased, stdin=command.stdin),
                self.aliases[words[0]],
                command.argv[1:],
                command.outer,
            )
