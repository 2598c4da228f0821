"""Derive duties that follow with certainty from the text of a rule.

A sentence is read by the roles of its clauses, in any order: the occasion (before a
commit, after a change of files), and what is demanded, a command or a change. With a
refusal the roles change: in "no X until Y", Y is demanded before X. What names neither
a command nor a fact, or a file without a pattern, stays advice.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolmem.core import limits
from toolmem.core.guard.derivation.duty_clauses import (
    Clause,
    clauses_of,
    sentences,
    text_of,
)
from toolmem.core.guard.derivation.duty_demands import LEAD, demands_in
from toolmem.core.guard.derivation.duty_occasions import (
    Occasion,
    action_at,
    change_at,
    change_noun_at,
    changed_files_at,
)
from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    Text,
    place_at,
)

_MAY_DEMAND = re.compile(
    r"(?i)before|prior to|ahead of|after|when|whenever|every|each|any ?time|until"
    r"|without|unless|once|\bend\b|\bif\b|touch|first|last|final|preced|requires?"
    r"|needs?|only|with|chang|edit|modif|then|\bin sync|->|→|\?"
)
_MOST_CHARS = 4 * limits.RULE_CHARS
_LIMITS = re.compile(
    r"(?i)\b(?:except|but not|apart from|only if|if (?:possible|needed|necessary"
    r"|you can|time)|where possible|as needed|when needed|if appropriate|for now"
    r"|(?:just|only) (?:this|once)|this (?:one )?(?:time|once)|instead of|used to)\b"
)


def derive_duties(rule: str) -> tuple[dict[str, Any], ...]:
    """Return the duty tables of a rule; none unless a sentence demands something that
    can be checked."""
    asks = rule.rstrip().endswith("?")
    if asks or len(rule) > _MOST_CHARS or not _MAY_DEMAND.search(rule):
        return ()
    text = text_of(rule)
    if _LIMITS.search(text.text):
        return ()
    tables: list[dict[str, Any]] = []
    for sentence in sentences(text.text):
        tables += [table for table in _tables(text, sentence) if table not in tables]
    return tuple(tables)


def _tables(text: Text, sentence: str) -> Iterator[dict[str, Any]]:
    demands, occasion = _read(text, sentence)
    keys = {
        key: patterns[0] if len(patterns) == 1 else list(patterns)
        for key, patterns in (("after", occasion.after), ("before", occasion.before))
        if patterns
    }
    for demand in demands:
        yield {**demand, **keys}


_Demands = list[dict[str, Any]]
_NOTHING: tuple[_Demands, Occasion] = [], Occasion()


_REFUSES = re.compile(
    r"(?i)\b(?:never|not|no|n['’]?t|dont|cannot|nothing|nobody|neither|hold off|wait"
    r"|refrain|avoid|refuse|postpone|delay)\b|n['’]t\b"
)
_IS_REFUSED = re.compile(
    r"(?i)(?:\s|\b(?:is|are|be|being|may|must|can|should|will|not|never|n['’]?t|only"
    r"|ever|allowed|ok(?:ay)?|fine|permitted|acceptable|done|finished|complete|valid"
    r"|ready|over|accepted|forbidden|prohibited|unfinished|incomplete|banned|happens?"
    r"|made|opened|up|goes|go|gets?|as|to|please|cannot|can['’]t|until|work|at all"
    r"|land|lands|merged|considered|counts?|to me)\b)*"
)
_REFUSAL = re.compile(
    r"(?i)(?:(?:never(?: ever)?|not|no|don['’]?t|do|does|dont|cannot|can['’]?t"
    r"|nothing|nobody|may|must|shall|should|mustn['’]?t|shouldn['’]?t|hold off(?: on"
    r"| with)?|wait|with|refrain from|avoid|you|we|i|want|are|be|is|there|aren['’]?t"
    r"|['’]re|you['’]re|isn['’]?t|please|also|only|to|see|let|ever|gets?|may be|will"
    r"|won['’]?t|a|the|refuse to|postpone|delay|even|think of|think about)\s+)*"
)


def _read(text: Text, sentence: str) -> tuple[_Demands, Occasion]:
    """Return what a sentence demands, and when."""
    clauses = clauses_of(text, sentence)
    for number, clause in enumerate(clauses[1:], 1):
        if _is_refused(clauses[number - 1], clause):
            rest = [*clauses[: number - 1], *clauses[number + 1 :]]
            return _refused(text, clauses[number - 1], clause, rest)
    demands, occasion = _ordered(text, clauses)
    if not demands or occasion == Occasion(None, None, occasion.at):
        return _NOTHING
    return demands, occasion


def _is_refused(main: Clause, clause: Clause) -> bool:
    """Return True for "no X until Y", "only X after Y", "X without Y is forbidden"."""
    if main.joint or not clause.joint:
        return False
    if clause.joint in ("until", "without", "before") and _REFUSES.search(main.words):
        return True
    if clause.joint == "without":
        return bool(re.search(r"(?i)\b(?:not|never|forbidden|unfinished|incomplete"
                              r"|prohibited|banned)\b", clause.words))  # fmt: skip
    only = clause.only or re.search(r"(?i)\bonly\b", main.words)
    return clause.joint == "after" and bool(only)


def _refused(
    text: Text, main: Clause, clause: Clause, rest: Sequence[Clause]
) -> tuple[_Demands, Occasion]:
    """Read a refusal: what must have happened before an act, or with a change."""
    act = main.words[_REFUSAL.match(main.words).end() :]  # type: ignore[union-attr]
    event = change_noun_at(text, act) or action_at(text, act)
    if event is None or not _IS_REFUSED.fullmatch(event[1]):
        return _NOTHING
    words = re.sub(
        r"(?i)\s+(?:is|are)\s+(?:not|never|forbidden|unfinished|incomplete|prohibited"
        r"|banned)\b.*", "", clause.words
    )  # fmt: skip
    demands = demands_in(text, words, met=True)
    for other in rest:
        more = _event(text, other) if other.joint else None
        if more and not _trimmed(more[1]):
            event = event[0].joined(more[0]), ""
        elif other.joint or demands_in(text, other.words):
            return _NOTHING
    return demands, event[0]


def _ordered(text: Text, clauses: Sequence[Clause]) -> tuple[_Demands, Occasion]:
    """Read orders, each with the occasions next to it."""
    demands: _Demands = []
    occasion = Occasion()
    first = bool(re.search(r"(?i)\bfirst\b", " ".join(one.words for one in clauses)))
    timed = any(one.joint in ("before", "after") for one in clauses)
    for number, clause in enumerate(clauses):
        event, demanded, rest = _roles(text, clause, begins=number == 0)
        if demands and not timed and (clause.joint == "then" or not demanded):
            act = _next_act(text, clause, sure=first or clause.only)
            event, demanded, rest = (act, [], "") if act else (event, demanded, rest)
        if event is not None:
            occasion = occasion.joined(event)
        elif clause.joint in _JOINED:
            return _NOTHING
        if rest and not demanded and (clause.joint or _LIMITING.search(rest)):
            return _NOTHING
        demands += [one for one in demanded if one not in demands]
    changes = all("change" in demand for demand in demands)
    if occasion.at and (first or changes) and not occasion.before:
        occasion = occasion._replace(before=occasion.at)
    return demands, occasion


_EDGE_AND = re.compile(r"(?i)^(?:and|or|so)\b\s*|\s*\b(?:and|or)$")
_JOINED = ("before", "after", "until", "without")
_LIMITING = re.compile(
    r"(?i)\b(?:not|never|only|unless|instead|but|except|no)\b|n['’]t\b"
)


def _roles(
    text: Text, clause: Clause, *, begins: bool
) -> tuple[Occasion | None, _Demands, str]:
    """Return the occasion in a clause, what it demands, and the words that remain."""
    words, event = clause.words, None
    if clause.joint in _JOINED:
        event, words = _event(text, clause) or (None, "")
    elif begins and (synced := _SYNCED.fullmatch(words)):
        place = place_at(text, synced["with"])
        if place and place.patterns and place.end == len(synced["with"]):
            event, words = Occasion(place.patterns), synced["keep"]
    elif begins and (subject := _subject(text, words)):
        if demands := demands_in(text, subject[1], met=True):
            return subject[0], demands, ""
        if not subject[1].strip():
            return subject[0], [], ""
    words = _trimmed(words)
    ending = _trimmed(_ENDING.sub("run ", _AT_END.sub("", words)))
    if ending != words:
        event = (event or Occasion()).joined(Occasion(None, ()))
    demands = demands_in(text, ending) if ending else []
    return event, demands, "" if demands else ending


def _trimmed(words: str) -> str:
    return _EDGE_AND.sub("", words.strip(" ,"))


def _event(text: Text, clause: Clause) -> tuple[Occasion, str] | None:
    """Return the occasion that a clause names, and the words after it."""
    if clause.joint == "before":
        return action_at(text, clause.words)
    if clause.joint != "after":
        return None
    if change := change_at(text, clause.words):
        return change
    act = action_at(text, clause.words)
    if act and act[0].before:
        return Occasion(None, None, act[0].before), act[1]
    return act


def _next_act(text: Text, clause: Clause, *, sure: bool) -> Occasion | None:
    """Return the act that a demand comes before: "build, then push".

    ``sure``: the order is said, so that the act may be any command.
    """
    act = action_at(text, clause.words)
    named = act is not None and bool(re.search(CODE, clause.words))
    if act and not act[1].strip() and (sure or (clause.joint == "then" and not named)):
        return act[0]
    return None


_CALLS_FOR = re.compile(
    r"(?i)\s*(?:(?:always|also|must|should|has to|have to|needs? to|(?:is|are) to|is"
    r"|are|be|not only|then|gets?)\s+)*(?P<link>(?:need|requir|demand|mean|impl"
    r"|entail|call|follow|accompan|com|go|includ|deserv|match|pair|trigger|preced"
    r"|ha)\w*(?:\s+(?:together|along|up|hand in hand))?(?:\s+(?:for|by|with))?"
    r"|\w+ed\s+(?:with|by|using|via|in(?:to)?)|to be)\s+"
)


def _subject(text: Text, words: str) -> tuple[Occasion, str] | None:
    """Return the occasion that a clause begins with, and what it calls for."""
    words = words[LEAD.match(words).end() :]  # type: ignore[union-attr]
    change = change_noun_at(text, words) or changed_files_at(text, words)
    act = None if change else action_at(text, words)
    event = change or act
    calls = _CALLS_FOR.match(event[1]) if event else None
    if change and (not change[1].strip() or calls):
        rest = change[1][calls.end() if calls else 0 :]
        noted = calls and re.search(r"(?i)\bin(?:to)?$", calls["link"])
        return change[0], f"a change in {rest}" if noted else rest
    if (
        act
        and act[0].before
        and calls
        and not re.match(r"(?i)follow|has?\b", calls["link"])
    ):
        return act[0], act[1][calls.end() :]
    return None


_SYNCED = re.compile(
    rf"(?i)(?P<keep>(?:(?:please |always )*keep\s+)?(?:the\s+)?(?:{PATHS}|changelog"
    r"|readme)\s+(?:(?:must|should|has to|is to|needs to|always|also|be|stay|remain"
    r"|kept|is)\s+)*(?:in sync|up[ -]to[ -]date|current|aligned|in step|consistent"
    r"|in line))\s+with\s+(?P<with>.+)"
)
_TASK = (
    r"(?:(?:a|the|your|each|every|any|all)\s+)*(?:task|turn|work|job|session|change"
    r"|ticket)s?"
)
_AT_END = re.compile(
    rf"(?i)(?:\b(?:at|by|before)\s+the\s+(?:very\s+)?end(?:\s+of\s+{_TASK})?|\b(?:as"
    r"|is|are|be)\s+(?:always\s+)?(?:a|the|your)\s+(?:very\s+)?(?:last"
    rf"|final)\s+(?:step|thing|act|check)(?:\s+(?:of|in)\s+{_TASK})?(?:\s+you do)?)(?!["
    r"\w-])"
)
_ENDING = re.compile(
    rf"(?i)\b(?:(?:finish|end|conclude|complete|close|wrap up)\s+(?:{_TASK}\s+)?(?:by"
    r"|with|off with)|the\s+(?:very\s+)?(?:last|final)\s+(?:step|thing"
    rf"|act)(?:\s+(?:of|in)\s+{_TASK})?\s+(?:is|must be"
    r"|should be)(?:\s+always)?(?:\s+to)?)(?:\s+(?:run|running|executing|calling))?\s+"
)
"""A demand that is said to be the last act: "finish each task with X"."""
