"""Match the parts of a shell text that could not be parsed with guards."""

import re
from collections.abc import Callable, Sequence

from toolmem.core.guard.calls import ArgumentValue, FileUse, ToolCall
from toolmem.core.guard.conditions import (
    NOTHING,
    GuardMatch,
    MatchSubject,
    excerpt,
    fit_all,
    seen_files,
)
from toolmem.core.guard.contacts import Contact, seen_hosts
from toolmem.core.guard.files import code_files
from toolmem.core.guard.spellings import CommandPattern, is_run_by
from toolmem.core.patterns.match import readings
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell import argv
from toolmem.core.shell.code import joined
from toolmem.core.shell.operations import DELETE, READ, REMOVERS
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import Fit, ShellCommand, SimpleCommand

ANY_USE = READ | DELETE
"""The uses of a file by code that was not parsed."""
_ONLY_PRINTS = re.compile(r"\s*(?:echo|printf)\s[^;&|`$()\n]*\Z")


def text_value(text: str, key: str = "command") -> ArgumentValue:
    """Return a text of a command as an argument."""
    return ArgumentValue(key, text, readings(text))


class UnparsedCode:
    """Code of a shell text that only its words are known of.

    ``foreign`` returns the commands of programs that may run their arguments.
    """

    __slots__ = ("_call", "_command", "_foreign", "_loose")

    def __init__(
        self,
        command: ShellCommand,
        call: ToolCall,
        foreign: Callable[[], Sequence[SimpleCommand]],
    ) -> None:
        self._command = command
        self._call = call
        self._foreign = foreign
        self._loose: dict[tuple[str, str, bool], list[argv.Call]] = {}

    def fit(self, guard: Guard, wanted: Sequence[CommandPattern]) -> GuardMatch:
        """Match code that was not parsed: an unreadable text, a program in another
        language, a script from elsewhere."""
        command = self._command
        if (
            not command.complete
            and not _ONLY_PRINTS.match(command.text)
            and self._fit_loosely(guard, command.text, wanted)
        ):
            why = f"{command.reason}: {excerpt(command.text)}"
            return GuardMatch(Fit.YES, why, as_text=True)
        for code in command.code:
            if self._fit_loosely(guard, joined(code), wanted):
                return GuardMatch(Fit.MAYBE, f"a program: {excerpt(code)}")
        for code in (*command.code, *command.inert):
            calls = self._fit_loosely(guard, joined(code), wanted, runs=False)
            if calls or self._deletes(guard, code, wanted):
                return GuardMatch(Fit.MAYBE, f"a program: {excerpt(code)}")
        for foreign in self._foreign():
            demanded = guard.instead and is_run_by(guard.instead, foreign)
            if not demanded and self._fit_foreign(guard, foreign, wanted):
                shown = excerpt(" ".join(word.text for word in foreign.argv))
                return GuardMatch(Fit.MAYBE, f"{shown} (it may run its arguments)")
        return GuardMatch(Fit.MAYBE, command.opaque) if command.opaque else NOTHING

    def _deletes(
        self, guard: Guard, code: str, wanted: Sequence[CommandPattern]
    ) -> bool:
        """Return True if a program may delete what a guard forbids ``rm`` to delete."""
        places = guard.path or guard.outside
        if not places or all(
            pattern.call.program not in REMOVERS for pattern in wanted
        ):
            return False
        deleting = guard._replace(operation=("delete",))
        files = seen_files(code_files(code, self._call.folder), self._call)
        part = MatchSubject((), lambda: files, tuple, self._call.home)
        return fit_all(deleting, part).fit is not Fit.NO

    def _fit_foreign(
        self, guard: Guard, command: SimpleCommand, wanted: Sequence[CommandPattern]
    ) -> bool:
        """Return True if a guarded command is among the words of an unknown program."""
        words = command.argv
        for pattern in wanted:
            several = len(pattern.call.operands) + len(pattern.call.flags) > 0
            for at in range(1, len(words)):
                bare = at == 1 and at + 1 == len(words)
                if program_name(words[at].text) == pattern.call.program and (
                    several or not bare
                ):
                    call = argv.take_apart(words[at:])
                    if not _removes_pages(call) and argv.fit_call(pattern.call, call):
                        texts = [word.text for word in words[at:]]
                        part = self._loose_part(texts, " ".join(texts))
                        return fit_all(guard, part).fit > 0
        texts = [word.text for word in words[1:] if " " in word.text.strip()]
        texts += [command.stdin] if command.stdin else []
        longer = [
            pattern for pattern in wanted if pattern.call.operands or pattern.call.flags
        ]
        return any(self._fit_loosely(guard, text, longer) for text in texts)

    def _loose_part(self, texts: Sequence[str], whole: str) -> MatchSubject:
        """Return words that may be anything as the subject of a guard's tests."""
        call = self._call
        uses = [FileUse(text, call.folder, ANY_USE) for text in texts]
        return MatchSubject(
            tuple(map(text_value, (*texts, whole))),
            lambda: seen_files(uses, call),
            lambda: seen_hosts(map(Contact, texts)),
            call.home,
        )

    def _fit_loosely(
        self,
        guard: Guard,
        text: str,
        wanted: Sequence[CommandPattern],
        *,
        runs: bool = True,
    ) -> bool:
        """Match words that may be anything; unless it ``runs`` programs, the calls of
        functions that are named as a program is."""
        if not any(
            argv.fit_call(pattern.call, call, loose=True)
            for pattern in wanted
            for call in self._loose_calls(text, pattern.call, runs)
        ):
            return False
        part = self._loose_part(argv.loose_words(text), text)
        return fit_all(guard, part).fit is not Fit.NO

    def _loose_calls(self, text: str, of: argv.Call, runs: bool) -> list[argv.Call]:
        key = (text, of.program, runs)
        if not (runs or of.operands or of.flags):
            return []
        if key not in self._loose:
            self._loose[key] = argv.loose_calls(text, of.program, runs=runs)
        return self._loose[key]


def _removes_pages(call: argv.Call) -> bool:
    """Return True if the operands of ``rm`` are addresses: then it is a word of another
    program (``cloud s3 rm s3://…``)."""
    texts = [operand.text for operand in call.operands]
    return call.program in REMOVERS and bool(texts) and all("://" in t for t in texts)
