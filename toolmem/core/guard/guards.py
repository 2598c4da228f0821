"""Whether a concrete call matches a guard, and how surely."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from toolmem.core.guard import argv
from toolmem.core.guard.calls import SHELL_KEYS, Reading, Shell, ToolCall, Value
from toolmem.core.guard.files import files_by_command, patch_paths
from toolmem.core.guard.hosts import fit_host
from toolmem.core.guard.paths import fit_path
from toolmem.core.guard.patterns import fit_contains, fit_glob, fit_regex, readings
from toolmem.core.guard.tables import Action, Guard
from toolmem.core.guard.words import GAP, PLAIN_GAP, Fit, ShellCommand, Word
from toolmem.core.guard.wrappers import PASSES

_PROSE = frozenset(
    ("content", "contents", "newstring", "oldstring", "newstr", "oldstr", "filetext",
     "inserttext", "body", "message", "description", "prompt", "text", "subject",
     "query", "pattern", "summary", "title")
)  # fmt: skip
"""Arguments that are never a file's name, although a path may stand in them."""
_EXCERPT = 120


@dataclass(frozen=True, slots=True)
class Match:
    """A guard that a call matches: what to do, and what in the call did it.

    ``conservative``: the call could not be read in full. Where the match rests
    on what is unknown, and not on words that are there, ``deny`` is ``ask``.
    """

    action: Action
    why: str
    conservative: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    fit: Fit
    why: str = ""
    as_text: bool = False


_NOTHING = _Found(Fit.NO)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A guard's command line, and the wrappers (``sudo``) that must be around it."""

    call: argv.Call
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """What the conditions look at: a whole call, or one command in it.

    ``files`` gives texts that may name a file with the folder they are seen
    from. ``guess``: what is wholly unknown may be the wanted file or host.
    """

    values: Sequence[Value]
    files: Callable[[], Iterator[tuple[str, str]]]
    hosts: Callable[[], Iterator[str]]
    guess: bool = False


def match_guard(
    guard: Guard, call: ToolCall, *, reading: Reading | None = None
) -> Match | None:
    """Whether a call matches; ``reading`` is shared between guards of one call."""
    if guard.broken:
        return Match(Action.ASK, guard.broken, conservative=True)
    reading = reading or Reading(call)
    found = _by_command(guard, reading) if guard.command else _by_values(guard, reading)
    if found.fit is Fit.NO:
        return None
    sure = found.fit is Fit.YES
    action = Action.ASK if not sure and guard.action is Action.DENY else guard.action
    return Match(action, found.why, conservative=found.as_text or not sure)


def _by_values(guard: Guard, reading: Reading) -> _Found:
    values = reading.values(guard.argument)
    if guard.argument and not values:
        return _NOTHING
    part = _Part(values, lambda: _files(guard, reading), lambda: _hosts(guard, reading))
    return _fit_all(guard, part, reading.call)


def _files(guard: Guard, reading: Reading) -> Iterator[tuple[str, str]]:
    cwd, home = reading.call.cwd, reading.call.home
    for value in reading.values(guard.argument):
        for path in patch_paths(value.text):
            yield path, cwd
        if value.key not in SHELL_KEYS and (guard.argument or value.key not in _PROSE):
            yield value.text, cwd
    for shell in reading.shell(guard.argument):
        for folder, texts in files_by_command(
            shell.command.commands, cwd=cwd, home=home
        ):
            yield from ((text, folder) for text in texts)
        if not shell.command.complete:
            yield from ((token, cwd) for token in argv.loose_words(shell.command.text))


def _hosts(guard: Guard, reading: Reading) -> Iterator[str]:
    yield from (value.text for value in reading.values(guard.argument))
    for shell in reading.shell(guard.argument):
        for command in shell.command.commands:
            for word in command.argv:
                yield from _word_hosts(word)
        if not shell.command.complete:
            yield from argv.loose_words(shell.command.text)


def _word_hosts(word: Word) -> Iterator[str]:
    yield word.text
    if "=" in word.text:
        yield word.text.partition("=")[2]


def _fit_all(guard: Guard, part: _Part, call: ToolCall) -> _Found:
    """The weakest of the conditions, each at its best; all hold if there are none."""
    fit, why = Fit.YES, _why(part.values[0]) if part.values else "every call"
    tests: list[tuple[tuple[str, ...], Callable[[Value, str], Fit]]] = [
        (guard.contains, lambda value, wanted: fit_contains(value.readings, wanted)),
        (guard.glob, lambda value, wanted: fit_glob(value.readings, wanted)),
        (guard.regex, lambda value, wanted: fit_regex(value.text, wanted)),
    ]
    for alternatives, test in tests:
        if alternatives and fit:
            best = Fit.NO
            for value in part.values:
                found = max(test(value, wanted) for wanted in alternatives)
                if found > best:
                    best, why = found, _why(value)
            fit = min(fit, best)
    if guard.path and fit:
        file = _fit_files(guard, part, call)
        fit, why = min(fit, file.fit), file.why
    if guard.host and fit:
        host = _fit_hosts(guard, part)
        fit, why = min(fit, host.fit), host.why
    return _Found(fit, why)


def _fit_files(guard: Guard, part: _Part, call: ToolCall) -> _Found:
    best = _NOTHING
    for text, folder in part.files():
        for wanted in guard.path:
            fit = fit_path(
                text,
                wanted,
                cwd=folder,
                home=call.home,
                base=call.cwd,
                guess=part.guess,
            )
            if fit > best.fit:
                best = _Found(fit, f"the file {_excerpt(text)}")
    return best


def _fit_hosts(guard: Guard, part: _Part) -> _Found:
    best = _NOTHING
    for text in part.hosts():
        for wanted in guard.host:
            fit = fit_host(text, wanted, guess=part.guess)
            if fit > best.fit:
                best = _Found(fit, f"the host in {_excerpt(text)}")
    return best


def _by_command(guard: Guard, reading: Reading) -> _Found:
    best = _NOTHING
    wanted = [wanted_call(words) for words in guard.command]
    for shell in reading.shell(guard.argument):
        for at in range(len(shell.calls)):
            fit = _fit_any(wanted, shell, at)
            if fit > best.fit:
                part = _command_part(shell, at, reading.call)
                fit = min(fit, _fit_all(guard, part, reading.call).fit)
            if fit > best.fit:
                best = _Found(fit, _shown(shell.command, at))
        if best.fit is not Fit.YES:
            unseen = _unseen(guard, shell, wanted, reading.call)
            best = unseen if unseen.fit > best.fit else best
    return best


def _fit_any(wanted: Sequence[Wanted], shell: Shell, at: int) -> Fit:
    call = shell.calls[at]
    via = shell.command.commands[at].via
    fits = [
        argv.fit_call(one.call, call)
        for one in wanted
        if call and all(wrapper in via for wrapper in one.via)
    ]
    return max(fits, default=Fit.NO)


def _command_part(shell: Shell, at: int, call: ToolCall) -> _Part:
    command = shell.command.commands[at]
    texts = [word.text for word in command.argv[1:]]
    texts += [" ".join(word.text for word in command.argv), command.stdin]

    def files() -> Iterator[tuple[str, str]]:
        commands = shell.command.commands[: at + 1]
        folder, names = files_by_command(commands, cwd=call.cwd, home=call.home)[-1]
        return ((name, folder) for name in names)

    def hosts() -> Iterator[str]:
        return (text for word in command.argv for text in _word_hosts(word))

    return _Part(tuple(map(_value, texts)), files, hosts, guess=True)


def _value(text: str) -> Value:
    return Value("command", text, readings(text))


def _unseen(
    guard: Guard, shell: Shell, wanted: Sequence[Wanted], call: ToolCall
) -> _Found:
    """What may run besides the commands that were read: a text that was not
    understood, a program in another language, a script from elsewhere."""
    command = shell.command
    if not command.complete and _fit_loosely(guard, shell, command.text, wanted, call):
        return _Found(Fit.YES, f"{command.reason}: {_excerpt(command.text)}", True)
    for code in command.code:
        if _fit_loosely(guard, shell, code, wanted, call):
            return _Found(Fit.MAYBE, f"a program: {_excerpt(code)}")
    return _Found(Fit.MAYBE, command.opaque) if command.opaque else _NOTHING


def _fit_loosely(
    guard: Guard, shell: Shell, text: str, wanted: Sequence[Wanted], call: ToolCall
) -> bool:
    if not any(
        argv.fit_call(one.call, found, loose=True)
        for one in wanted
        for found in shell.loose_calls(text, one.call.program)
    ):
        return False
    words = argv.loose_words(text)
    part = _Part(
        tuple(map(_value, (*words, text))),
        lambda: ((word, call.cwd) for word in words),
        lambda: iter(words),
        guess=True,
    )
    return _fit_all(guard, part, call).fit is not Fit.NO


@lru_cache(maxsize=1024)
def wanted_call(words: tuple[str, ...]) -> Wanted:
    """A guard's command line, taken apart as the commands are."""
    via: list[str] = []
    while len(words) > 1 and PASSES.get(words[0]) == 0 and not words[1].startswith("-"):
        via.append(words[0])
        words = words[1:]
    return Wanted(argv.take_apart([Word(word) for word in words]), tuple(via))


def _shown(command: ShellCommand, at: int) -> str:
    return _excerpt(" ".join(word.text for word in command.commands[at].argv))


def _why(value: Value) -> str:
    return f"{value.key}: {_excerpt(value.text)}"


def _excerpt(text: str) -> str:
    """A short piece of a call for a message: one line, no control characters."""
    text = text.replace(GAP, "…").replace(PLAIN_GAP, "…")[: 4 * _EXCERPT]
    line = "".join(c if c.isprintable() else " " for c in text)
    line = " ".join(line.split())
    return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…"
