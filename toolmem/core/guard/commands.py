"""Whether a command in a shell text is the one that a guard names."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.guard.calls import ArgumentValue, ShellSource, ToolCall
from toolmem.core.guard.conditions import (
    NOTHING,
    GuardMatch,
    MatchSubject,
    excerpt,
    fit_all,
    seen_files,
    seen_hosts,
)
from toolmem.core.guard.files import files_by_command
from toolmem.core.guard.patterns.match import readings
from toolmem.core.guard.tables import Guard
from toolmem.core.shell import argv
from toolmem.core.shell.parse import parse_argv, parse_command, program_names
from toolmem.core.shell.program import program_name
from toolmem.core.shell.words import Fit, SimpleCommand, Word, fit_text, has_gap
from toolmem.core.shell.wrappers import PASSES


class CommandPattern(NamedTuple):
    """A guard's command line, and the wrappers (``sudo``) that must be around it."""

    call: argv.Call
    via: tuple[str, ...]


def read_shell(source: ShellSource, call: ToolCall) -> "ShellReading":
    """A shell text of a call, or the words of one that hands over a list, read."""
    return ShellReading(source, call)


class ShellReading:
    """A shell text, its commands taken apart once for all guards."""

    __slots__ = ("_call", "_calls", "_loose", "_programs", "_unsure", "command")

    def __init__(self, source: ShellSource, call: ToolCall) -> None:
        self.command = (
            parse_command(source) if isinstance(source, str) else parse_argv(source)
        )
        self._call = call
        self._calls = [argv.take_apart(c.argv) for c in self.command.commands]
        self._programs = frozenset(call.program for call in self._calls)
        self._unsure = (
            not self.command.complete
            or bool(self.command.code)
            or any(map(has_gap, self._programs))
        )
        self._loose: dict[tuple[str, str], list[argv.Call]] = {}

    def programs(self) -> tuple[str, ...]:
        """The names of the programs that it runs, each once."""
        return program_names(self.command)

    def may_run(self, name: str) -> bool:
        """Whether a program may be run that is not among those seen: one whose name,
        or whose whole command, only the shell knows."""
        if self.command.opaque:
            return True
        gaps = (program for program in self._programs if has_gap(program))
        return any(fit_text(program, name) for program in gaps)

    def files(self) -> Iterator[tuple[str, str]]:
        """Words that may name a file, with the folder they are seen from."""
        call = self._call
        for folder, texts in files_by_command(
            self.command.commands, cwd=call.cwd, home=call.home
        ):
            yield from ((text, folder) for text in texts)
        if not self.command.complete:
            yield from ((w, call.cwd) for w in argv.loose_words(self.command.text))

    def hosts(self) -> Iterator[str]:
        """Words that may name a host."""
        for command in self.command.commands:
            yield from _host_texts(command)
        if not self.command.complete:
            yield from argv.loose_words(self.command.text)

    def fit_command(self, guard: Guard) -> GuardMatch:
        """How surely one of its commands is the guard's and meets its conditions."""
        wanted = [wanted_call(words) for words in guard.command if self._may_run(words)]
        best = NOTHING
        for at, command in enumerate(self.command.commands):
            fit = _fit_any(wanted, self._calls[at], command)
            if fit > best.fit:
                fit = min(fit, fit_all(guard, self._part(at)).fit)
            if fit > best.fit:
                shown = excerpt(" ".join(word.text for word in command.argv))
                best = GuardMatch(fit, shown, as_text=not self.command.complete)
        if best.fit is Fit.YES:
            return best
        unseen = self._unseen(guard, wanted)
        return unseen if unseen.fit > best.fit else best

    def _may_run(self, words: tuple[str, ...]) -> bool:
        """Whether a guard's command line is worth taking apart for this text."""
        return self._unsure or program_name(words[0]) in self._programs

    def _part(self, at: int) -> MatchSubject:
        command = self.command.commands[at]
        texts = [word.text for word in command.argv[1:]]
        texts += [" ".join(word.text for word in command.argv), command.stdin]

        def files() -> Iterator[tuple[str, str]]:
            folder, names = files_by_command(
                self.command.commands[: at + 1],
                cwd=self._call.cwd,
                home=self._call.home,
            )[-1]
            return ((name, folder) for name in names)

        return MatchSubject(
            tuple(map(_value, texts)),
            lambda: seen_files(files(), self._call, guess=True),
            lambda: seen_hosts(_host_texts(command)),
            self._call.home,
            guess=True,
        )

    def _unseen(self, guard: Guard, wanted: Sequence[CommandPattern]) -> GuardMatch:
        """What may run besides the commands that were read: a text that was not
        understood, a program in another language, a script from elsewhere."""
        command = self.command
        if not command.complete and self._fit_loosely(guard, command.text, wanted):
            why = f"{command.reason}: {excerpt(command.text)}"
            return GuardMatch(Fit.YES, why, as_text=True)
        for code in command.code:
            if self._fit_loosely(guard, code, wanted):
                return GuardMatch(Fit.MAYBE, f"a program: {excerpt(code)}")
        return GuardMatch(Fit.MAYBE, command.opaque) if command.opaque else NOTHING

    def _fit_loosely(
        self, guard: Guard, text: str, wanted: Sequence[CommandPattern]
    ) -> bool:
        if not any(
            argv.fit_call(one.call, call, loose=True)
            for one in wanted
            for call in self._loose_calls(text, one.call.program)
        ):
            return False
        words = argv.loose_words(text)
        part = MatchSubject(
            tuple(map(_value, (*words, text))),
            lambda: seen_files(((w, self._call.cwd) for w in words), self._call),
            lambda: seen_hosts(words),
            self._call.home,
        )
        return fit_all(guard, part).fit is not Fit.NO

    def _loose_calls(self, text: str, program: str) -> list[argv.Call]:
        key = (text, program)
        if key not in self._loose:
            self._loose[key] = argv.loose_calls(text, program)
        return self._loose[key]


@lru_cache(maxsize=1024)
def wanted_call(words: tuple[str, ...]) -> CommandPattern:
    """A guard's command line, taken apart as the commands are."""
    via: list[str] = []
    while len(words) > 1 and PASSES.get(words[0]) == 0 and not words[1].startswith("-"):
        via.append(words[0])
        words = words[1:]
    return CommandPattern(argv.take_apart([Word(word) for word in words]), tuple(via))


def _fit_any(
    wanted: Sequence[CommandPattern], call: argv.Call, command: SimpleCommand
) -> Fit:
    best = Fit.NO
    for one in wanted:
        if all(wrapper in command.via for wrapper in one.via):
            seen = call
            if has_gap(call.program) and fit_text(call.program, one.call.program):
                seen = argv.take_apart(command.argv, one.call.program)
            best = max(best, argv.fit_call(one.call, seen))
    return best


def _value(text: str) -> ArgumentValue:
    return ArgumentValue("command", text, readings(text))


def _host_texts(command: SimpleCommand) -> Iterator[str]:
    for word in command.argv:
        yield word.text
        if "=" in word.text:
            yield word.text.partition("=")[2]
