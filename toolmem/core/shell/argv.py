"""Match a program call with a wanted command, with options in any order."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.shell import options
from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.programs import (
    RENAMED,
    is_version,
    program_name,
    program_version,
)
from toolmem.core.shell.words import (
    NAME_GAP,
    PLAIN_GAP,
    Fit,
    Word,
    before_gap,
    fill_gaps,
    fit_text,
    has_gap,
    starts_with_gap,
)

_SEGMENT = re.compile(r"[\n;|&]+")
_FALSE = frozenset(("false", "no", "off"))
"""Values that turn an option off: ``--privileged=false`` is no use of it."""
_PAIR = re.compile(r"(?<=['\"])\s*:\s*(?=['\"])")
_OCTAL = re.compile(r"\b0o(?=[0-7])")
_TOKEN = re.compile(r"[^\s`()\[\]{},<>]+")


class Operand(NamedTuple):
    """A word that is not an option.

    ``after`` is the unknown option before it, whose value it may be; ``many``: it may
    be several words or none.
    """

    text: str
    after: str = ""
    many: bool = False


class Call:
    """A parsed command line.

    ``flags`` maps every option, under its full name, to its values; ``spelled`` has
    them as written too; ``wild`` are words that may turn out to be options.
    """

    __slots__ = ("flags", "operands", "program", "spelled", "version", "wild")

    def __init__(self, program: str, version: str = "") -> None:
        self.program = program
        self.version = version
        self.operands: list[Operand] = []
        self.flags: dict[str, list[str]] = {}
        self.spelled: dict[str, list[str]] = {}
        self.wild: list[str] = []


def take_apart(words: Sequence[Word], program: str = "") -> Call:
    """Split a command line into options and operands, as of ``program`` if given."""
    reader = _Reader(words, program)
    while reader.at < len(words):
        reader.step()
    return reader.call


def own_words(words: Sequence[Word], operands: int = 0) -> int:
    """Return the start of the command that a wrapper runs: after the wrapper's options
    and so many of its operands."""
    reader = _Reader(words)
    while reader.at < len(words):
        text = words[reader.at].text
        if text == "--":
            reader.at += 1
            return reader.at + operands
        if not text.startswith("-") or text == "-":
            if operands == 0:
                return reader.at
            operands -= 1
        reader.step()
    return len(words)


_TOOLCHAINS = frozenset("cargo rustc rustfmt rustdoc".split())
"""Programs whose first word may choose a version."""


class _Reader:
    """One pass over a command line; ``key`` grows from ``git`` to ``git push``."""

    __slots__ = (
        "after", "at", "call", "ended", "extending", "key", "options", "own", "words",
    )  # fmt: skip

    def __init__(self, words: Sequence[Word], program: str = "") -> None:
        self.words = words
        name = (words[0].shape or words[0].text) if words else ""
        self.call = Call(program_name(name), program_version(name))
        self.at = 1
        self.key = program or self.call.program
        self.options: options.Options = options.options_of(self.key)
        self.after = ""
        self.ended = False
        self.extending = True
        self.own = 0

    def step(self) -> None:
        word = self.words[self.at]
        self.at += 1
        text = word.text
        if self.at == 2 and text[:1] == "+" and self.call.program in _TOOLCHAINS:
            return  # "cargo +nightly build"
        if self.options.signs and not self.ended and text[:1] == "+":
            self._short(text)
        elif self.options.bundle and self.at == 2 and text[:1] != "-":
            self._short("-" + text)
        elif self.ended or not text.startswith("-") or text == "-":
            self._operand(word)
        elif text == "--":
            self.ended = True
            self._record(text, (text,), "")
        elif has_gap(text.partition("=")[0]):
            self.call.wild.append(text)
            known = before_gap(text)
            if not text.startswith("--") and len(known) > 1:
                self._short(known)
        elif text.startswith("--") or self.options.single:
            self._long(text[1:] if self.options.single and text[1] == "-" else text)
        else:
            self._short(text)

    def _operand(self, word: Word) -> None:
        text = {"./": ".", "./*": "*"}.get(word.text, word.text)
        if not self.ended and (starts_with_gap(text) or word.many):
            self.call.wild.append(text)
        if self.extending:
            text = self.options.operands.get(text, text)
            if not text:
                return  # it only affects how the rest is run
            longer = f"{self.key} {text}"
            self.extending = longer in FLAGS
            if self.extending:
                self.key, self.options = longer, options.options_of(longer)
        if not self.extending:
            self.own += 1
            self.ended = self.ended or 0 <= self.options.stop <= self.own
        meaning = self.options.prefixes.get(text[:1]) if len(text) > 1 else None
        if meaning:
            self._record(text[0], (meaning,), "")
        self.call.operands.append(Operand(text, self.after, word.many))
        self.after = ""

    def _long(self, text: str) -> None:
        name, equals, value = text.partition("=")
        if name in self.options.sections:
            self._section(name)
            return
        names = self._full_names(name)
        if equals:
            if names == (name,) and name not in self.options.spellings:
                self.call.operands.append(Operand(value, name))
        elif not self.options.valued.isdisjoint(names):
            value = self._next_word()
        elif name not in self.options.spellings:
            value = self._maybe_value(name)
        self._record(name, names, value)

    def _section(self, name: str) -> None:
        """Skip the command line of another program, up to ``;`` or ``+``."""
        self._record(name, (name,), "")
        while self.at < len(self.words):
            self.at += 1
            if self.words[self.at - 1].text in (";", "+"):
                return

    def _full_names(self, name: str) -> tuple[str, ...]:
        exact = self.options.spellings.get(name)
        if exact or len(name) < 4:
            return exact or (name,)
        # A long option may be abbreviated as long as it is unambiguous.
        spellings = self.options.spellings
        longer = {
            full
            for spelled, full in spellings.items()
            if spelled[:2] == "--" and spelled.startswith(name)
        }
        return longer.pop() if len(longer) == 1 else (name,)

    def _short(self, text: str) -> None:
        for at, letter in enumerate(text[1:], 2):
            name = "-" + letter
            names = self.options.spellings.get(name)
            if names is None:
                value = self._maybe_value(name) if at == len(text) else ""
                self._record(name, (name,), value)
            elif not self.options.valued.isdisjoint(names):
                self._record(name, names, text[at:] or self._next_word())
                return
            elif not self.options.attached.isdisjoint(names):
                self._record(name, names, text[at:])
                return
            else:
                self._record(name, names, "")

    def _next_word(self) -> str:
        if self.at >= len(self.words):
            return ""
        self.at += 1
        return self.words[self.at - 1].text

    def _maybe_value(self, name: str) -> str:
        self.after = name
        following = self.words[self.at].text if self.at < len(self.words) else "-"
        return "" if following.startswith("-") else following

    def _record(self, written: str, names: tuple[str, ...], value: str) -> None:
        for name in names:
            self.call.flags.setdefault(name, []).append(value)
        for name in {written, *names}:
            self.call.spelled.setdefault(name, []).append(value)


def fit_call(wanted: Call, call: Call, *, loose: bool = False) -> Fit:
    """Return whether a call begins with the wanted one.

    The program is the same, every wanted option is there, and the wanted operands come
    first and in order; ``loose``: anywhere in order. ``MAYBE`` requires that an unknown
    word can be the missing one, and that something known matches. A call for help has
    no effect, and a dry run not that of a forbidden option.
    """
    fit = fit_program(call.program, wanted.program)
    if wanted.version and not is_version(call.program, call.version, wanted.version):
        return Fit.NO
    if fit is Fit.NO or _is_harmless(wanted, call):
        return Fit.NO
    named = NAME_GAP in call.program and fill_gaps(call.program, "")
    known = fit is Fit.YES or bool(named)  # a pattern such as `/bin/w?et`
    for name, values in wanted.flags.items():
        maybe_value = any(operand.after == name for operand in wanted.operands)
        values = [] if maybe_value else [value for value in values if value]
        found = _fit_flag(name, values, call)
        fit, known = min(fit, found), known or found is Fit.YES
    if fit is Fit.NO:
        return Fit.NO
    operands = [
        operand
        for operand in wanted.operands
        if not (operand.after and operand.text in call.spelled.get(operand.after, ()))
    ]
    if options.options_of(call.program).any_order:
        fits = [_fit_operands([one], call.operands, loose=True) for one in operands]
        found = min(fits, default=Fit.YES)
    else:
        found = _fit_operands(operands, call.operands, loose)
    fit, known = min(fit, found), known or (found is Fit.YES and bool(operands))
    if fit is Fit.MAYBE and not wanted.flags and _is_blank(call):
        return Fit.NO
    return fit if known else Fit.NO


def fit_program(name: str, wanted: str) -> Fit:
    """Return whether a program is the wanted one, or an equivalent one."""
    return Fit.YES if RENAMED.get(name) == wanted else fit_text(name, wanted)


def _is_harmless(wanted: Call, call: Call) -> bool:
    if "--help" in call.spelled and "--help" not in wanted.spelled:
        return True
    dry = [value for value in call.flags.get("--dry-run", ()) if value != "none"]
    if not dry or "--dry-run" in wanted.flags:
        return False
    return bool(wanted.flags) or (
        "--dry-run" in call.spelled and not ({"-n", "-N"} & call.spelled.keys())
    )


def _is_blank(call: Call) -> bool:
    """Return True if only one quoted, unknown word follows the program."""
    texts = [operand.text for operand in call.operands]
    return bool(texts) and not call.wild and not texts[-1].strip(PLAIN_GAP)


def _fit_flag(name: str, values: list[str], call: Call) -> Fit:
    if not values and set(call.spelled.get(name, ("",))) <= _FALSE:
        return Fit.NO
    if name in call.spelled:
        if not values:
            return Fit.YES
        fits = [fit_text(has, value) for has in call.spelled[name] for value in values]
        if any(fits):
            return max(fits)
    return Fit.MAYBE if any(fit_text(wild, name) for wild in call.wild) else Fit.NO


def _fit_operands(wanted: list[Operand], got: list[Operand], loose: bool) -> Fit:
    best = {0: Fit.YES}
    for operand in got:
        if len(wanted) in best and best[len(wanted)] is Fit.YES:
            break
        reached: dict[int, Fit] = {}
        for place, fit in best.items():
            if loose or operand.after or operand.many or place == len(wanted):
                _reach(reached, place, fit)
            if place < len(wanted):
                step = min(fit, fit_text(operand.text, wanted[place].text))
                last = len(wanted) if operand.many and step else place + 1
                for further in range(place + 1, last + 1):
                    _reach(reached, further, step)
        best = reached
    return best.get(len(wanted), Fit.NO)


def _reach(reached: dict[int, Fit], place: int, fit: Fit) -> None:
    if fit and fit > reached.get(place, Fit.NO):
        reached[place] = fit


def loose_words(text: str) -> tuple[str, ...]:
    """Split a text that was not understood into words: without quotes and backslashes,
    at brackets, commas and operators."""
    return tuple(_TOKEN.findall(_SEGMENT.sub(" ", _unquoted(text))))


def loose_calls(text: str, program: str, *, runs: bool = True) -> list[Call]:
    """Return possible calls of a program in such a text: in each line, from the first
    word that is the program's name, if it ``runs`` programs, or a function of a library
    with that name."""
    calls = []
    for segment in _SEGMENT.split(_unquoted(text)):
        if program not in segment.casefold():
            continue
        tokens = _TOKEN.findall(_OCTAL.sub("", segment))
        for at, token in enumerate(tokens):
            method = token.endswith(f".{program}") and f"{token}(" in segment
            if method or (runs and program_name(token) == program):
                name = program if method else token
                words = [Word(name), *map(Word, tokens[at + 1 :])]
                calls.append(take_apart(words))
                break
    return calls


def _unquoted(text: str) -> str:
    return re.sub(r"\\\n|[\\'\"]", "", _PAIR.sub(" : ", text))
