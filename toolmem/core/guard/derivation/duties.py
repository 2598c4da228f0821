"""Derive duties that follow with certainty from the text of a rule.

A sentence yields one only if it is understood as a whole: what to run or to change, and
on which occasion. What names neither a command nor a fact, or a file without a pattern,
stays advice.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.guard.derivation.duty_demands import (
    LEAD,
    demands_in,
    demands_named,
)
from toolmem.core.guard.derivation.duty_occasions import (
    ACTION_CLAUSES,
    BEFORE,
    CHANGE_CLAUSE,
    COMMAND_CLAUSE,
    END_CLAUSE,
    OF,
    ON_CHANGES,
    TOUCHING,
    commands_of,
    named_command,
    patterns_after,
)
from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    PLACES,
    Text,
    with_codes,
)

_MAY_DEMAND = re.compile(
    r"(?i)before|prior to|after|when|whenever|every|each|any ?time|until|without|once"
    r"|\bend\b|\bif\b|touch|first|last|preced|requires?|needs?|only|with|chang|edit"
    r"|modif|then|\bin sync"
)
_MOST_CHARS = 4 * limits.RULE_CHARS
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|^[^\w`\"“*./@-]+|^\d+[.)]\s+")
_COURTESY = re.compile(
    r"(?i)(?:[\s,–-]+(?:please|pls|plz|thanks|thank you|thx|cheers|ok(?:ay)?|always"
    r"|(?:always )?in (?:that|this) order|every time|each time|without exception"
    r"|no exceptions))+[\s.!]*$"
)
"""Words at the end of a demand that change nothing of it."""
_WHEN_DOING = re.compile(
    r"(?i)^(?:when(?:ever)?|if|(?:each|every|any) ?time)\s+(?:you\s+)?(?=(?:git\s+)?"
    r"(?:commit|push|merg|deploy|releas|publish|tag|(?:open|creat)\w*\s+a\s+(?:pr"
    r"|pull)))"
)
"""The beginning of "whenever you commit, run X first"."""
_REFERS = re.compile(r"(?i)\b(?:it|that|this)\b")
_SENTENCE_END = re.compile(r"[.!;](?=\s|$)|\n")
_EXCEPTIONS = re.compile(
    r"(?i)\b(?:unless|except|but not|apart from|only if|if (?:possible|needed|necessary"
    r"|you can|time)|where possible|as needed|when needed|if appropriate)\b"
)


class _Occasion(NamedTuple):
    """When a duty is due and by when: patterns, and commands (none: the end)."""

    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def derive_duties(rule: str) -> tuple[dict[str, Any], ...]:
    """Return the duty tables of a rule; none unless a sentence demands something that
    can be checked."""
    asks = rule.rstrip().endswith("?")
    if asks or len(rule) > _MOST_CHARS or not _MAY_DEMAND.search(rule):
        return ()
    text = with_codes(_EMPHASIS.sub("", rule))
    if _EXCEPTIONS.search(text.text):
        return ()
    tables: list[dict[str, Any]] = []
    for sentence in _sentences(text.text):
        tables += [one for one in _tables(text, sentence) if one not in tables]
    return tuple(tables)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield text[start : end.start()].strip(" -*•\t")
        start = end.end()
    yield text[start:].strip(" -*•\t.!")


def _tables(text: Text, sentence: str) -> Iterator[dict[str, Any]]:
    sentence = _explained(_COURTESY.sub("", sentence))
    if re.search(r"(?i)\bfirst\b", sentence):
        sentence = _WHEN_DOING.sub("before ", sentence)
    for read in _READERS:
        found = read(text, sentence)
        if found is not None:
            demands, occasion = found
            for demand in demands:
                yield {**demand, **_occasion_keys(occasion)}
            return


def _explained(sentence: str) -> str:
    """Return what "X is mandatory: run it before Y" explains, with X for "it"."""
    head, mark, tail = sentence.partition(": ")
    named = re.findall(CODE, head)
    if not mark or len(named) != 1 or re.search(CODE, tail):
        return sentence
    said, count = _REFERS.subn(named[0], tail, count=1)
    return said if count else sentence


_Found = tuple[list[dict[str, Any]], _Occasion]


def _occasion_keys(occasion: _Occasion) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    if occasion.after:
        keys["after"] = _one(occasion.after)
    if occasion.before:
        keys["before"] = _one(occasion.before)
    return keys


def _one(texts: tuple[str, ...]) -> str | list[str]:
    return texts[0] if len(texts) == 1 else list(texts)


_FORBIDDEN = re.compile(
    rf"(?i){LEAD}(?:(?:(?:you|we)\s+)?(?:never|do not|don['’]?t|must not|should not|no"
    r"|nothing\s+(?:is|gets|is to be|may be|must be|should be))\s+"
    r"(?P<no>.{2,60}?)\s+(?P<joint>until|without|before)\s+(?P<cond>.+)"
    r"|(?:only\s+(?P<only>.{2,60}?)|(?P<late>.{2,60}?)\s+only)\s+(?:after|once|when|if"
    r"|with)\s+(?P<then>.+))"
)


def _forbidden(text: Text, sentence: str) -> _Found | None:
    """Read "never commit without running X", "only push after X has passed"."""
    found = _FORBIDDEN.fullmatch(sentence)
    if not found:
        return None
    action = found["no"] or found["only"] or found["late"]
    before = commands_of(text, action)
    if before is None:
        return None
    condition = found["cond"] or found["then"]
    condition = re.sub(
        r"(?i)^(?:first\s+|you(?:'ve|’ve| have)?\s+|having\s+|a\s+(?:green|clean"
        r"|successful|passing)\s+)+(?:run\b)?",
        lambda m: "run " if m[0].lower().endswith("run") else "",
        condition,
    )
    condition = re.sub(
        rf"(?i)^({CODE}|(?:(?!\bha(?:s|ve)\b).){{2,30}}?)\s+run$", r"run \1", condition
    )
    demands = demands_in(text, condition) or demands_named(text, condition)
    return (demands, _Occasion((), before)) if demands else None


def _in_order(text: Text, sentence: str) -> _Found | None:
    """Read "build and only then run docker push", "run X, then commit"."""
    found = re.fullmatch(
        r"(?i)(?P<demand>.+?)(?:\s+first)?,?(?:\s+and)?\s+(?:(?P<only>only\s+(?:"
        r"then|afterwards))|then)\s+(?P<action>.+)",
        sentence,
    )
    if not found:
        return None
    before = commands_of(text, found["action"])
    if not found["only"] and re.search(CODE, found["action"]):
        return None  # a recipe: "with `a` then `b`"
    demands = demands_in(text, found["demand"]) if before else []
    return (demands, _Occasion((), before)) if before and demands else None


_CALLS = (
    r"\s+(?:always\s+)?(?:calls? for|requires?|needs?|demands?|means|implies|must be"
    r" followed by|has to be followed by|have to be followed by|should be followed by"
    r"|is followed by|are followed by|goes? (?:together )?with|(?:must )?comes? with"
    r"|(?:must|should|has to|have to|needs? to|(?:is|are) to) be \w+ed (?:with|by|using"
    r"|via))\s+(?P<rest>.+)"
)
_CALLED_FOR = re.compile(
    rf"(?i){LEAD}(?:(?:each|every|any|all|an?)\s+)?(?:(?:{ON_CHANGES}\s+{OF}|{TOUCHING}"
    rf"(?:\s+(?:in|of))?)\s+{PLACES}|"
    + PLACES.replace("?P<", "?P<b_")
    + rf"\s+{ON_CHANGES}|(?:[\w-]+\s+){{0,2}}{ON_CHANGES}\s+\((?P<c_aside>{PATHS})\))"
    + _CALLS
)


_UNFINISHED = re.compile(
    rf"(?i){LEAD}(?:(?:each|every|any|an?|no)\s+)?(?:{ON_CHANGES}\s+{OF}|{TOUCHING})\s+"
    rf"{PLACES}\s+without\s+(?P<rest>.+?)(?:\s+(?:is|are)\s+(?:(?:not"
    rf"|never)\s+(?:finished"
    r"|done|complete|ok|okay|allowed|acceptable|ready)|unfinished|incomplete"
    r"|forbidden))?"
)


def _unfinished(text: Text, sentence: str) -> _Found | None:
    """Read "a change in Y without X is not finished", "no change in Y without X"."""
    found = _UNFINISHED.fullmatch(sentence)
    refused = re.match(rf"(?i){LEAD}no\s", sentence) or re.search(
        r"(?i)\b(?:not|never|unfinished|incomplete|forbidden)\s*\w*$", sentence
    )
    if not found or not refused:
        return None
    after = patterns_after(text, found, ("",))
    demands = demands_in(text, found["rest"]) or demands_named(text, found["rest"])
    return (demands, _Occasion(after, ())) if after is not None and demands else None


def _called_for(text: Text, sentence: str) -> _Found | None:
    """Read "every edit to Y calls for X"."""
    found = _CALLED_FOR.fullmatch(sentence)
    if not found:
        return None
    after = patterns_after(text, found, ("", "b_", "c_"))
    rest = found["rest"]
    demands = demands_in(text, rest) or demands_named(text, rest)
    return (demands, _Occasion(after, ())) if after is not None and demands else None


_PRECEDED = re.compile(
    rf"(?i){LEAD}(?P<action>.{{2,40}}?)\s+"
    r"(?:(?:(?:must|should|has to|have to|needs? to)\s+be|is|are)\s+(?:always\s+)?"
    r"preceded\s+by|(?:always\s+)?(?:needs?|requires?"
    r"|calls?\s+for))\s+(?P<rest>.+?)(?:\s+(?:first|beforehand|before\s+it))?"
)


def _preceded(text: Text, sentence: str) -> _Found | None:
    """Read "each commit must be preceded by X", "a push needs X first"."""
    found = _PRECEDED.fullmatch(sentence)
    before = commands_of(text, found["action"]) if found else None
    if not found or not before:
        return None
    demands = demands_in(text, found["rest"]) or demands_named(text, found["rest"])
    return (demands, _Occasion((), before)) if demands else None


def _with_occasions(text: Text, sentence: str) -> _Found | None:
    """Read a demand with the occasions next to it."""
    rest, after, before, seen = sentence, None, None, False
    for pattern, is_change in ((CHANGE_CLAUSE, True), (END_CLAUSE, False)):
        found = pattern.search(rest)
        if not found:
            continue
        if is_change:
            after = (
                ()
                if found["bare"]
                else patterns_after(text, found, ("", "b_", "c_", "d_"))
            )
            if after is None:
                return None
        rest, seen = _without(rest, found), True
    if clause := BEFORE.search(rest):
        action = _action(text, rest, clause.end())
        if not action:
            return None
        found, before, named = action
        after = after or named
        whole = rest[: clause.start()] + "\n" + rest[found.end() :]
        rest, seen = _joined(whole), True
    if not seen:
        return None
    demands = demands_in(text, rest)
    return (demands, _Occasion(after or (), before or ())) if demands else None


def _action(
    text: Text, words: str, start: int
) -> tuple[re.Match[str], tuple[str, ...], tuple[str, ...] | None] | None:
    """Return what a demand precedes: its place, its commands and its files."""
    for pattern, commands in ACTION_CLAUSES:
        if found := pattern.match(words, start):
            named = patterns_after(text, found, ("",))
            if not found["by"]:
                return found, commands, named
            command = named_command(text, found["by"])
            return (found, (command,), named) if command else None
    found = COMMAND_CLAUSE.match(words, start)
    command = named_command(text, found["command"]) if found else ""
    return (found, (command,), None) if found and command else None


def _without(text: str, found: re.Match[str]) -> str:
    return _joined(text[: found.start()] + "\n" + text[found.end() :])


def _joined(text: str) -> str:
    """Return the words around a clause that was taken out."""
    head, _, tail = text.partition("\n")
    tail = re.sub(r"(?i)^\s*(?:[,:;]|and\b)?\s*", " ", tail)
    head = re.sub(r"(?i)[\s,:;]*(?:\band\b)?\s*$", "", head)
    return f"{head}{tail}".strip(" ,:;")


_READERS = (
    _forbidden, _in_order, _unfinished, _called_for, _preceded, _with_occasions
)  # fmt: skip
