"""Match the commands of a shell text with the commands of guards."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

from toolmem.core.guard import branches, contacts
from toolmem.core.guard.brought import brought_files
from toolmem.core.guard.calls import ArgumentValue, FileUse, ShellSource, ToolCall
from toolmem.core.guard.conditions import (
    NOTHING,
    GuardMatch,
    MatchSubject,
    excerpt,
    fit_all,
    seen_files,
)
from toolmem.core.guard.files import (
    code_files,
    files_by_command,
    folders_of,
    outputs_of,
)
from toolmem.core.guard.reach import Reach, reaches
from toolmem.core.guard.scripts import SQL_CLIENTS, is_script_run, with_scripts
from toolmem.core.guard.spellings import (
    fit_any,
    is_bare,
    is_run_by,
    plain_words,
    wanted_call,
)
from toolmem.core.guard.unparsed import ANY_USE, UnparsedCode, text_value
from toolmem.core.patterns import paths
from toolmem.core.patterns.paths import OPPOSITE
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell import argv
from toolmem.core.shell.argv import Operand
from toolmem.core.shell.operations import READ
from toolmem.core.shell.parse import parse_argv, parse_command, program_names
from toolmem.core.shell.programs import PASSES, RENAMED, program_name, split_name
from toolmem.core.shell.words import (
    PIPES,
    UNSEEN_PIPE,
    Fit,
    SimpleCommand,
    fit_text,
    has_gap,
)
from toolmem.core.shell.wrappers import is_ordinary

_FILE = re.compile(r"(?:~|\.{1,2})?/?[\w.*-]+(?:/[\w.*-]*)+|[\w*-]+\.[a-z]\w{0,7}")


def read_shell(source: ShellSource, call: ToolCall) -> "ShellReading":
    """Parse a shell text of a call, or the words of a call that passes a list."""
    return ShellReading(source, call)


class ShellReading:
    """A shell text, its commands parsed once for all guards."""

    __slots__ = (
        "_call", "_calls", "_foreign", "_programs", "_reaches", "_unseen", "_unsure",
        "command",
    )  # fmt: skip

    def __init__(self, source: ShellSource, call: ToolCall) -> None:
        self.command = (
            parse_command(source) if isinstance(source, str) else parse_argv(source)
        )
        self.command = with_scripts(self.command, call)
        self._call = call
        self._calls = [argv.take_apart(plain_words(c)) for c in self.command.commands]
        self._programs = frozenset(call.program for call in self._calls)
        self._unsure = (
            not self.command.complete
            or bool(self.command.code)
            or any(map(has_gap, self._programs))
        )
        self._foreign: list[SimpleCommand] | None = None
        self._reaches: tuple[Reach, ...] | None = None
        self._unseen = UnparsedCode(self.command, call, self.foreign)

    def programs(self) -> tuple[str, ...]:
        """Return the names of the programs that it runs, without duplicates."""
        return program_names(self.command)

    def may_run(self, name: str) -> bool:
        """Return True if a program of this name may run besides those found.

        Its name or its whole command may be known only to the shell, or an unknown
        program may run it.
        """
        if self.command.opaque:
            return True
        if any(has_gap(p) and fit_text(p, name) for p in self._programs):
            return True
        words = (word.text for c in self.foreign() for word in c.argv[1:])
        return any(name in map(program_name, text.split()) for text in words)

    def foreign(self) -> list[SimpleCommand]:
        """Return the commands of programs that may run their arguments."""
        if self._foreign is None:
            self._foreign = [
                command
                for command, call in zip(
                    self.command.commands, self._calls, strict=True
                )
                if (len(command.argv) > 1 or command.stdin)
                and not (is_ordinary(call.program) or is_script_run(command))
            ]
        return self._foreign

    def words(self) -> frozenset[str] | None:
        """Return the options and operands of its commands; None if any is unknown."""
        known = self.command
        if self._unsure or known.inert or known.opaque or self.foreign():
            return None
        spelled: set[str] = set()
        for call in self._calls:
            operands = [operand.text for operand in call.operands]
            if call.wild or any(word.many for word in call.operands):
                return None
            if any(map(has_gap, operands)):
                return None
            spelled.update(call.spelled, operands)
        return frozenset(spelled)

    def files(self) -> Iterator[FileUse]:
        """Yield words that may name a file, with the folder they are relative to."""
        call = self._call
        for uses in files_by_command(
            self.command.commands, cwd=call.folder, home=call.home
        ):
            yield from uses
        yield from brought_files(self.command.commands, call)
        for code in (*self.command.code, *self.command.inert):
            yield from code_files(code, call.folder)
        if not self.command.complete:
            for word in argv.loose_words(self.command.text):
                yield FileUse(word, call.folder, ANY_USE)

    def reaches(self) -> tuple[Reach, ...]:
        """Return the files that it may change without naming them."""
        if self._reaches is None:
            self._reaches = tuple(reaches(self.command.commands, self._call))
        return self._reaches

    def hosts(self) -> "Iterator[contacts.Contact]":
        """Yield words that may name a host."""
        for at in range(len(self.command.commands)):
            yield from self._hosts(at)
        for code in (*self.command.code, *self.command.inert):
            yield from (
                contacts.Contact(word, unsure=True) for word in argv.loose_words(code)
            )
        if not self.command.complete:
            yield from map(contacts.Contact, argv.loose_words(self.command.text))

    def recipients(self) -> Iterator[tuple[ArgumentValue, bool]]:
        """Yield the words that may be addresses, and whether something is sent."""
        for text, sure in contacts.addresses_in(self.command):
            yield text_value(text), sure

    def _hosts(self, at: int) -> "Iterator[contacts.Contact]":
        call, commands = self._call, self.command.commands[: at + 1]
        folder = folders_of(commands, cwd=call.folder, home=call.home)[at]
        remotes = call.remotes(folder) if call.remotes else None
        return contacts.command_hosts(commands[at], remotes)

    def fit_command(self, guard: Guard) -> GuardMatch:
        """Match a guard's command and conditions with the commands."""
        wanted = [wanted_call(words) for words in guard.command if self._may_run(words)]
        best = NOTHING
        for at, command in enumerate(self.command.commands):
            call = self._calls[at]
            whole = command.equal and not (is_bare(call) or guard.regex)
            own = [
                pattern for pattern in wanted if not (whole and is_bare(pattern.call))
            ]
            fit = fit_any(own, call, command, partial(self._handed, at))
            if fit > best.fit:
                fit = min(fit, fit_all(guard, self._part(at)).fit)
            if command.unsure:
                fit = min(fit, Fit.MAYBE)
            if fit > best.fit:
                fit = min(fit, OPPOSITE[self._fit_exception(guard, at)])
            if fit > best.fit:
                shown = excerpt(" ".join(word.text for word in command.argv))
                best = GuardMatch(fit, shown, as_text=not self.command.complete)
        if best.fit is Fit.YES:
            return best
        unseen = self._unseen.fit(guard, wanted)
        return unseen if unseen.fit > best.fit else best

    def _handed(self, at: int, into: argv.Call) -> Fit:
        """Return whether a command gets the output of another one."""
        commands = self.command.commands
        after = range(at + 1, len(commands))
        if commands[at].substituted:
            calls = [c for c in self._calls if c.operands[:1] == [Operand(UNSEEN_PIPE)]]
            user = next((n for n in after if not commands[n].substituted), at)
            fit = min(argv.fit_call(into, self._calls[user]), Fit.MAYBE)
            return max([fit, *(argv.fit_call(into, call) for call in calls)])
        piped = takewhile(lambda n: commands[n].operator in PIPES, after)
        fits = (argv.fit_call(into, self._calls[n]) for n in piped)
        stored = any(self._runs_file(n, into, outputs_of(commands[at])) for n in after)
        return max([*fits, Fit.MAYBE if stored else Fit.NO])

    def _runs_file(self, at: int, into: argv.Call, files: frozenset[str]) -> bool:
        """Return whether a command runs one of some files, or a program does."""
        names = [w.text.removeprefix("./") for w in self.command.commands[at].argv]
        if not files.intersection(names):
            return False
        return names[0] in files or bool(argv.fit_call(into, self._calls[at]))

    def _fit_exception(self, guard: Guard, at: int) -> Fit:
        """Return whether a command matches the guard's ``unless``."""
        other = guard.unless
        if guard.instead and is_run_by(guard.instead, self.command.commands[at]):
            return Fit.YES
        if other is None or not other.command:
            return Fit.NO
        wanted = [wanted_call(words) for words in other.command]
        fit = fit_any(wanted, self._calls[at], self.command.commands[at])
        return min(fit, fit_all(other, self._part(at)).fit) if fit else Fit.NO

    def _may_run(self, words: tuple[str, ...]) -> bool:
        """Return True if a guard's command line may match a command of this text."""
        name = split_name(program_name(words[0]))[0]
        return (
            self._unsure
            or bool(self.command.inert)
            or name in self._programs
            or any(RENAMED.get(program) == name for program in self._programs)
            or bool(self.foreign())
            or words[0] in PASSES
        )

    def _part(self, at: int) -> MatchSubject:
        command = self.command.commands[at]
        texts = [word.text for word in command.argv[1:]]
        texts += [" ".join(word.text for word in command.argv), command.stdin]

        place = (self.command.commands, self._calls, at, self._call)

        def files() -> tuple[FileUse, ...]:
            return files_by_command(
                self.command.commands[: at + 1],
                cwd=self._call.folder,
                home=self._call.home,
            )[-1]

        sql = self._calls[at].program in SQL_CLIENTS
        values = [text_value(text, "sql" if sql else "command") for text in texts]
        return MatchSubject(
            tuple(values),
            lambda: seen_files(files(), self._call, guess=True),
            lambda: contacts.seen_hosts(self._hosts(at)),
            self._call.home,
            guess=True,
            branches=lambda: branches.checked_out(*place),
            pushed=lambda: branches.pushed(*place),
            places=lambda: seen_files(self._named(at, files()), self._call),
            folder=lambda: self._folder(at),
            recipients=lambda: [(text_value(text), True) for text in texts],
        )

    def _named(self, at: int, uses: Sequence[FileUse]) -> Iterator[FileUse]:
        """Yield the words of a command that certainly name a file."""
        refs = self._calls[at].program == "git"
        for use in uses:
            changes = use.operations - READ
            if changes or (not refs and _FILE.fullmatch(use.text)):
                yield use

    def _folder(self, at: int) -> "paths.SeenPath | None":
        """Return the folder that a command works in; None if it is unknown."""
        commands, call = self.command.commands[: at + 1], self._call
        if not call.cwd or any(map(branches.moves_unseen, commands)):
            return None
        folder = folders_of(commands, cwd=call.folder, home=call.home)[at]
        return paths.see_path(folder, folder="", home=call.home, project=call.cwd)
