"""Match patterns in linear time, as automata without backtracking.

Thompson's construction with determinisation on demand, as in Cox, "Regular Expression
Matching Can Be Simple And Fast" (2007). A gap in the text represents any text, so that
a partly unknown word can be matched too.
"""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.shell.words import NAME_GAP, Fit, fill_gaps, has_gap


class Chars(NamedTuple):
    """One character out of a set; ``kinds`` are the letters of ``\\d``, ``\\W`` …"""

    singles: frozenset[str] = frozenset()
    ranges: tuple[tuple[str, str], ...] = ()
    kinds: tuple[str, ...] = ()
    negated: bool = False
    fold: bool = False

    def accepts(self, char: str) -> bool:
        """Return True if the set contains the character, in either case if it folds."""
        is_in = self._holds(char)
        if not is_in and self.fold:
            is_in = self._holds(char.lower()) or self._holds(char.upper())
        return is_in is not self.negated

    def _holds(self, char: str) -> bool:
        return (
            char in self.singles
            or any(low <= char <= high for low, high in self.ranges)
            or any(_is_kind(char, kind) for kind in self.kinds)
        )


class Sequence(NamedTuple):
    """Parts one after the other; without parts, the empty pattern."""

    parts: "tuple[Pattern, ...]" = ()


class Choice(NamedTuple):
    """One of several patterns."""

    options: "tuple[Pattern, ...]"


class Repeat(NamedTuple):
    """A pattern ``low`` to ``high`` times; ``high`` None: unlimited."""

    part: "Pattern"
    low: int
    high: int | None


class Edge(NamedTuple):
    """A position: ``^`` ``$`` of a line, ``A`` ``Z`` of the text, ``b`` ``B`` of a
    word."""

    kind: str


Pattern = Chars | Sequence | Choice | Repeat | Edge

_SLASH = Chars(frozenset("/"))
_END, _LINE, _WORD, _OTHER, _UNKNOWN = range(5)


def _is_kind(char: str, kind: str) -> bool:
    low = kind.lower()
    if low == "d":
        found = char.isdecimal()
    elif low == "w":
        found = char.isalnum() or char == "_"
    else:
        found = char.isspace()
    return found if kind == low else not found


def _side(char: str) -> int:
    if char == "\n":
        return _LINE
    return _WORD if _is_kind(char, "w") else _OTHER


def _edge_holds(kind: str, before: int, after: int) -> bool:
    """Return True if a position is such an edge; next to a gap it may be one of a line
    or word, while the ends of the text are known."""
    if kind in "AZ":
        return (before if kind == "A" else after) == _END
    if _UNKNOWN in (before, after):
        return True
    if kind in "^$":
        return (before if kind == "^" else after) in (_END, _LINE)
    return ((before == _WORD) != (after == _WORD)) is (kind == "b")


def _may_hold(gap: str, test: Chars) -> bool:
    """Return True if a gap may contain a character that is wanted."""
    return gap != NAME_GAP or test != _SLASH


def _literal(parts: "tuple[Pattern, ...]") -> str:
    """Return the longest text that every match contains, from literal parts only."""
    best = run = ""
    for part in parts:
        if (
            isinstance(part, Chars)
            and len(part.singles) == 1
            and part == Chars(part.singles)
        ):
            run += next(iter(part.singles))
            best = max(best, run, key=len)
        elif not isinstance(part, Edge):
            run = ""
    return best


class _State:
    """A set of places in the pattern, and the transition for each character."""

    __slots__ = ("before", "moves", "places")

    def __init__(self, places: frozenset[int], before: int) -> None:
        self.places = places
        self.before = before
        self.moves: dict[str, _State] = {}


_ACCEPTED = _State(frozenset(), _END)


class Automaton:
    """A compiled pattern; raises ``ValueError`` if it is too large."""

    __slots__ = (
        "_edges", "_links", "_literal", "_restart", "_start", "_states", "_steps",
        "_tests", "_work",
    )  # fmt: skip

    def __init__(self, pattern: Pattern) -> None:
        parts = pattern.parts if isinstance(pattern, Sequence) else (pattern,)
        self._literal = _literal(parts)
        self._tests: list[Chars | None] = [None]
        self._edges: list[str] = [""]
        self._links: list[tuple[int, ...]] = [()]
        self._work = 0
        self._start = self._build(pattern, 0)
        # A pattern anchored at the start of the text is not restarted.
        self._restart = () if parts and parts[0] == Edge("A") else (self._start,)
        self._states: dict[tuple[frozenset[int], int], _State] = {}
        self._steps = 0

    def fit(self, text: str) -> Fit | None:
        """Return whether the pattern occurs in a text; ``None``: too expensive to
        decide."""
        if len(text) > limits.REGEX_CHARS:
            return None
        if not has_gap(text):
            return self._run(text) if self._literal in text else Fit.NO
        certain = self._run(fill_gaps(text, "\ufffd"))
        if certain is not Fit.NO:
            return certain
        return Fit.MAYBE if self._run(text, gaps=True) is not Fit.NO else Fit.NO

    def _add(self, test: Chars | None, edge: str, links: tuple[int, ...]) -> int:
        self._tests.append(test)
        self._edges.append(edge)
        self._links.append(links)
        return len(self._tests) - 1

    def _build(self, pattern: Pattern, after: int) -> int:
        """Return the first place of a pattern before ``after``; 0 accepts."""
        self._work += 1
        if (
            self._work > 4 * limits.REGEX_STATES
            or len(self._links) > limits.REGEX_STATES
        ):
            raise ValueError("the pattern is too large")
        match pattern:
            case Chars():
                return self._add(pattern, "", (after,))
            case Edge(kind):
                return self._add(None, kind, (after,))
            case Sequence(parts):
                for part in reversed(parts):
                    after = self._build(part, after)
                return after
            case Choice(options):
                return self._add(
                    None, "", tuple(self._build(o, after) for o in options)
                )
        return self._repeat(pattern, after)

    def _repeat(self, repeat: Repeat, after: int) -> int:
        if repeat.high is None:
            start = self._add(None, "", ())
            self._links[start] = (self._build(repeat.part, start), after)
        else:
            start = after
            for _ in range(repeat.high - repeat.low):
                start = self._add(None, "", (self._build(repeat.part, start), after))
        for _ in range(repeat.low):
            start = self._build(repeat.part, start)
        return start

    def _run(self, text: str, *, gaps: bool = False) -> Fit | None:
        self._steps = 0
        state = self._state((self._start,), _END)
        for char in text:
            following = state.moves.get(char) or self._step(state, char, gaps)
            if following is _ACCEPTED:
                return Fit.YES
            if following is None:
                return None
            if not following.places:
                return Fit.NO
            state = following
        _, accepted = self._reach(state.places, state.before, _END)
        return Fit.YES if accepted else Fit.NO

    def _step(self, state: _State, char: str, gaps: bool) -> _State | None:
        self._steps += 1
        if self._steps > limits.REGEX_STEPS:
            return None
        gap = gaps and has_gap(char)
        side = _UNKNOWN if gap else _side(char)
        skip = char if gap else ""
        places, accepted = self._reach(state.places, state.before, side, skip=skip)
        if accepted:
            following = _ACCEPTED
        else:
            tests = self._tests
            moved = set(self._restart)
            if gap:
                moved |= places
            for place in places:
                test = tests[place]
                if not gap and test and test.accepts(char):
                    moved.add(self._links[place][0])
            following = self._state(moved, side)
        if not gap:
            state.moves[char] = following
        return following

    def _state(self, places: Iterable[int], before: int) -> _State:
        key = (frozenset(places), before)
        if len(self._states) > limits.REGEX_STEPS // 10:
            self._states.clear()
        return self._states.setdefault(key, _State(*key))

    def _reach(
        self, places: Iterable[int], before: int, after: int, *, skip: str = ""
    ) -> tuple[set[int], bool]:
        """Return the places that expect a character, and whether the end is reached.

        ``skip``: a gap, whose characters may be in between.
        """
        seen: set[int] = set()
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            edge = self._edges[place]
            test = self._tests[place]
            if test and not (skip and _may_hold(skip, test)):
                continue
            if not edge or _edge_holds(edge, before, after):
                waiting.extend(self._links[place])
        return seen, 0 in seen
