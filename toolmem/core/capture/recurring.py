"""A condition that comes again, and what shall be done then: "when you push, …"."""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.candidates import MANDATE, Candidate
from toolmem.core.capture.clauses import commands
from toolmem.core.capture.openings import Opening, read_opening
from toolmem.core.capture.phrases import Table
from toolmem.core.capture.smallwords import AUXILIARIES, DETERMINERS, word_set
from toolmem.core.capture.words import Token, words_in

_RECURRING = Table("""
again 0.85
    whenever|anytime {any}
    every|each|any time {any}
    before|after|on|with every|each|any|all {any}
    for every|each|any|all {any}

unsure 0.75
    if|when|whenever you? are? {adv} unsure|uncertain|stuck|confused
    if|when in doubt
    if|when you? are? not 100? %? {adv} sure|certain
    if|when you do not know|understand {any}
    if|when something|anything|it is unclear|ambiguous|unsure
    if|when unclear

should 0.7
    should you ever? {base}

said 0.75
    if|when|whenever i say|write|ask {any}

work 0.7
    if|when a|an|any|the? {work} {any}

gerund 0.65
    when|before|after|while|for {ing}

you 0.6
    when|before|after|while you {adv} {base}

if 0.5
    if you {adv} {base}
    if|when a|an|any|anything|something|someone {any}
""")
_BEGINNINGS = word_set("start begin go finish")
_NO_COMMAND_AFTER = (
    DETERMINERS | AUXILIARIES | word_set("you we i they to not and or never always")
)
_ONLY_IN_RULES = word_set("watch monitor look roll flash pause escalate")
"""Commands that are too often other words to begin a step of the task."""


def recurring(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """A condition at the beginning, and a command behind it."""
    at = opening.head
    groups = _RECURRING.groups
    fits = [(float(groups[key]), key) for key, _, _ in _RECURRING.at(tokens, at)]
    if "habit" in opening.kinds and tokens[at - 1].word == "time":
        fits.append((0.7, "again"))  # "next time something fails, read …"
    if not fits:
        return
    sure, group = max(fits)
    if group != "again" and _BEGINNINGS & words_in(tokens, at + 1, at + 3):
        return  # "before you start" is once
    comma = next((n for n in range(at, len(tokens)) if tokens[n].word in ",:"), -1)
    if comma >= 0:
        main = read_opening(tokens, comma + 1)
        if "me" in words_in(tokens, main.head, len(tokens)):
            sure = max(sure, 0.7)  # "…, ask me": it is the agent who shall
        if _asks_for(tokens, main.head):
            yield Candidate("whenever", MANDATE, sure, at, main.head, opening)
            return
    end = comma if comma >= 0 else len(tokens)
    sure = _without_comma(tokens, at, end) if group == "again" else 0.0
    if sure > (0.6 if comma >= 0 else 0.0):
        yield Candidate("whenever", MANDATE, sure, at, at, opening)


def _asks_for(tokens: Sequence[Token], at: int) -> bool:
    """Whether a command stands here, also one that begins no step of a task."""
    if at < len(tokens) and tokens[at].word in _ONLY_IN_RULES:
        return True
    return commands(tokens, at)


def _without_comma(tokens: Sequence[Token], at: int, end: int) -> float:
    """How sure it is that "whenever you push run the tests" holds a command."""
    places = [n for n in range(at + 3, end) if _asks_for(tokens, n)]
    if not places:
        return 0.0
    free = any(tokens[n - 1].word not in _NO_COMMAND_AFTER for n in places)
    return 0.75 if free and "you" in words_in(tokens, at, places[-1]) else 0.6
