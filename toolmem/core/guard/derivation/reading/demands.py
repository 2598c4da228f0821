"""Find the bans that a demand implies: "only use X", "always with --locked"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.guard.derivation.items import items_in
from toolmem.core.guard.derivation.programs import ENGLISH, PROGRAMS, is_subcommand
from toolmem.core.guard.derivation.reading.read_text import ReadText
from toolmem.core.guard.derivation.reading.sentence import (
    CODE_START,
    Ban,
    is_code,
)
from toolmem.core.guard.derivation.reading.vocabulary import (
    EDITS,
    FAMILIES,
    PASSING,
)
from toolmem.core.guard.derivation.reading.words import (
    ReadWord,
    verb_of,
)

_INTO = frozenset("in inside within under to from into".split())
_RUNS = frozenset("run use call execute".split())
_MANAGERS = FAMILIES[0] | FAMILIES[1]
_READING = frozenset(
    "read reading search searching select queries lookups look".split()
)
_NOUNS = {"diffs": "git diff", "diff": "git diff", "commits": "git commit"}


def demanded_bans(
    text: str, codes: tuple[str, ...], words: list[ReadWord]
) -> Iterator[Ban]:
    """Yield the bans that demands imply: places, other programs, missing options."""
    sentences = [_Sentence(text, codes, part) for part in _sentences(words)]
    for sentence in sentences:
        yield from (*sentence.places(), *sentence.others(), *sentence.servers())
    for sentence in sentences:
        yield from sentence.options()


def _sentences(words: list[ReadWord]) -> Iterator[list[ReadWord]]:
    part: list[ReadWord] = []
    for word in words:
        if word.role in ".;!?":
            yield part
            part = []
        else:
            part.append(word)
    yield part


class _TextPart(NamedTuple):
    """A command or an option of a sentence: the words from ``first`` to ``last``."""

    text: str
    first: int
    last: int


class _Sentence(ReadText):
    """A sentence that says what is to be done: the only way, or with an option."""

    def places(self) -> Iterator[Ban]:
        """Read "only edit files in X" as a ban outside of X, "only run X in Y"."""
        at = self.roles.find("y")
        if at < 0 or set(self.roles[: self._turn(at)]) & set("tN"):
            return
        limited = self.words[at].text.endswith(" to")
        linking = (n for n in range(at + 1, min(at + 8, len(self.words)))
                   if self.words[n].text in _INTO)  # fmt: skip
        link = at if limited else next(linking, -1)
        if link < 0:
            return
        said = [
            verb_of(word.text) for word in self.words[max(0, at - 4) : max(link, at)]
        ]
        end = self._paths_end(link + 1)
        if set(said) & EDITS and end > link + 1:
            yield Ban(f"edit files outside {self.exact(link + 1, end)}", self.codes)
        runs = [
            n for n, verb in enumerate(said, max(0, at - 4)) if verb in _RUNS and n > at
        ]
        named = runs and self.roles[runs[0] + 1] not in "iTc"
        if runs and named and link > runs[0] + 1 and link + 1 < len(self.words):
            stop = self.next(link, ",:-(")
            what, where = self.exact(runs[0] + 1, link), self.exact(link + 1, stop)
            yield Ban(f"run {what} outside {where}", self.codes)

    def _paths_end(self, at: int) -> int:
        """Return the end of the paths that begin at a word."""
        end = last = at
        while end < len(self.words):
            word = self.words[end]
            if word.role == "o" and ("/" in self.code(word.text) or is_code(word.text)):
                last = end + 1
            elif (
                word.text not in ("and", "or", "the", "in", "our") and word.role != ","
            ):
                break
            end += 1
        return last

    def others(self) -> Iterator[Ban]:
        """Read "only use X" as a ban on the programs that do the same."""
        if set(self.roles) & set("tNcnI") or "y" not in self.roles:
            return
        at = self.roles.index("y")
        around = [word.text for word in self.words[at : at + 5]]
        uses = (
            bool({"use", "using", "run", "with"} & set(around))
            or self.roles[-1] == "y"
            or ({"manager", "tool", "runner"} & set(around))
        )
        alike = frozenset().union(*FAMILIES)
        named = [command for command in self._commands() if command.text in alike]
        near = [command for command in named if abs(command.first - at) <= 8]
        if (
            not uses
            or len(near) != 1
            or any(self._is_option(n) for n in range(len(self.words)))
        ):
            return
        yield from self._instead_of(near[0])

    def _instead_of(self, program: _TextPart) -> Iterator[Ban]:
        """Yield the ban of the programs that one program takes the place of."""
        family = next(one for one in FAMILIES if program.text in one)
        other = sorted(family - {program.text})
        rest = self.exact(program.last, len(self.words))
        verb, purpose = "use", rest if rest.startswith(("for", "to")) else ""
        if program.text in _MANAGERS and re.search(
            r"install|package|depend", self.exact(0, len(self.words))
        ):
            other = [f"{name} {verb}" for name in other for verb in ("install", "add")]
            verb, purpose = "run", ""
        text = f"{verb} {' or '.join(other)} {purpose}".strip()
        yield Ban(text, self.codes, wanted=(program.text,))

    def servers(self) -> Iterator[Ban]:
        """Read "the X MCP is for reading only" as a ban on changes by its tools."""
        texts = [word.text for word in self.words]
        if "y" not in self.roles or "MCP" not in self.text or not _READING & set(texts):
            return
        server = re.search(r"(?P<name>[\w-]+)\s+MCP\b", self.exact(0, len(self.words)))
        if server:
            yield Ban(f"change anything on the {server['name']} MCP server", self.codes)

    def _is_option(self, at: int) -> bool:
        text = self.code(self.words[at].text)
        return re.fullmatch(r"--?[A-Za-z][\w-]*(?:[= ]\S+)?", text) is not None

    def _commands(self) -> list[_TextPart]:
        """Return the commands that the sentence names."""
        named: list[_TextPart] = []
        at = 0
        while at < len(self.words):
            read = self._command(at)
            if read:
                named.append(read)
            at = read.last if read else at + 1
        return named

    def _command(self, at: int) -> _TextPart | None:
        word = self.words[at]
        if word.text in _NOUNS:
            return _TextPart(_NOUNS[word.text], at, at + 1)
        bare = not is_code(word.text)
        following = [one.text for one in self.words[at + 1 : at + 2]]
        known = word.text in PROGRAMS and (
            word.text not in ENGLISH
            or any(is_subcommand([word.text], one) for one in following)
        )
        if (bare and not known) or self._is_option(at):
            return None
        start = word.start
        items = items_in(Ban(self.text[start:], self.codes, is_noun=True))
        if not items.lines:
            return None
        ended = start + items.end
        last = at + sum(word.start < ended for word in self.words[at:])
        options = [n for n in range(at + 1, last) if self._is_option(n)]
        last = max(min([last, *options]), at + 1)
        if is_code(word.text):
            last = at + 1
            return _TextPart(self.code(word.text), at, last)
        return _TextPart(self.exact(at, last), at, last)

    def options(self) -> Iterator[Ban]:
        """Read the demand of an option as a ban on the command without it."""
        options = [n for n in range(len(self.words)) if self._is_option(n)]
        said = self.roles[: self._clause_end(options[0])] if options else ""
        if not options or set(said) & set("tNvIP0"):
            return
        may = [word.text for word in self.words if word.role == "M"]
        if any(word in ("may", "can", "could", "might", "would") for word in may):
            return
        option = options[0]
        commands = self._commands()
        if not commands or not self._is_demanded(option, commands):
            return
        before = [one for one in commands if one.last <= option]
        after = [one for one in commands if one.first > option]
        meant = before[-1:] if before else after
        between = self.exact(before[-2].last, before[-1].first) if before[1:] else ""
        if between.strip() in ("and", "or", ","):
            meant = before[-2:]
        shown = self._shown(option)
        limit = next((n for n in range(option, len(self.words)) if self.roles[n] == "c"
                      and self.words[n].text in ("unless", "except")), -1)  # fmt: skip
        rest = f" {self.exact(limit, len(self.words))}" if limit >= 0 else ""
        for command in meant:
            span = chr(CODE_START + len(self.codes))
            text = f"run {command.text} without {span}{rest}"
            yield Ban(text, (*self.codes, shown), option=shown)

    def _clause_end(self, option: int) -> int:
        """Return the end of a demand: "with X, or do not run it at all" goes on."""
        end = self._turn(option)
        other = self.next(option, "b")
        return min(end, other) if self._or_not(option) else end

    def _or_not(self, option: int) -> bool:
        """Return True for "… or not at all" after an option."""
        at = self.next(option, "b")
        return re.match(r"b[,A]*(?:D?t|N)", self.roles[at:]) is not None and (
            self.words[at].text == "or"
        )

    def _turn(self, at: int) -> int:
        """Return the end of the clause that a word is in."""
        ends = (n for n in range(at, len(self.words)) if self.roles[n] in ",-(u")
        return next(ends, len(self.words))

    def _shown(self, at: int) -> str:
        """Return an option with the value that is demanded, if any."""
        option = self.code(self.words[at].text)
        name, _, value = option.partition(" ")
        if value:
            return name if value.isdecimal() else option
        follows = self.words[at + 1 : at + 3]
        ends = len(follows) < 2 or follows[1].role in ",:-(bu"
        if "=" not in option and follows and follows[0].role in "wo" and ends:
            text = follows[0].text
            if option.startswith("--") and not is_code(text) and text not in (
                "first", "too", "flag", "option", "switch", "set", "on"):  # fmt: skip
                return option if text.isdecimal() else f"{option} {text}"
        return option

    def _is_demanded(self, option: int, commands: list[_TextPart]) -> bool:
        """Return True if an option must be there: "only with X", "must pass X"."""
        texts = [word.text for word in self.words]
        near = {*texts[max(0, option - 4) : option]}
        must = re.search("M[VwAp]{1,3}$", self.roles[:option]) is not None
        linked = must or near & PASSING or verb_of(texts[option - 1]) in PASSING
        strong = (
            "M" in self.roles
            or set(texts)
            & {"always", "only", "every", "each", "needs", "requires", "ensure"}
            or "y" in self.roles
            or " sure " in f" {' '.join(texts)} "
            or self._or_not(option)
        )
        orders = verb_of(texts[0]) in PASSING | {
            "run",
            "call",
            "invoke",
            "use",
            "always",
        } or (texts[0] in ("please", "always", "when", "whenever"))
        for at, role in enumerate(self.roles[: self._turn(option)]):
            if role == "c" and texts[at] not in ("unless", "except"):
                inside = any(at < one.first <= at + 4 for one in commands)
                if not inside or texts[at] not in ("when", "whenever", "if", "before"):
                    return False
        adjacent = option > 0 and self.roles[option - 1] in ":,A" and strong
        return bool((linked or adjacent) and (strong or orders))
