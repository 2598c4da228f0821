"""Find what a ban names elsewhere than after its verb: a program, an address."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.core.guard.derivation.items import VERB, items_in
from toolmem.core.guard.derivation.objects.addresses import (
    address_texts,
    addresses_end,
    addresses_in,
    one_or_list,
)
from toolmem.core.guard.derivation.programs import is_program, is_subcommand
from toolmem.core.guard.derivation.qualifiers import exception_in, limit_of
from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.guard.derivation.reading.words import verb_of, words_of

TURN = re.compile(
    r"(?i)[;!?]|[.:](?=\s|$)|\s[-–—]+\s|\s\(|,?\s(?:e\.g\.|i\.e\.)|,?\s(?:but|instead"
    r"|because|since|rather|as it|so that|and (?:use|then|instead)|use|prefer|only|just"
    r"|other than|besides|apart from|anything but|except|unless|without"
    r"|with the exception|until|outside)\b"
)
"""Words and marks that end what a ban is about."""
_RUNS = re.compile(r"(?i)\b(?:run|us|execut|issu|send|post|call)(?:e|ing|ning)?\b")
_LIST_END = re.compile(r",(?!\s*(?:(?:or|and|nor)\b|[`\"]?[\w~*-]*[.@/~*][\w~*/-]))")
_CONDITION = re.compile(
    r"(?i)\b(?:if|when|whenever|while|during|before|after|today|tonight|tomorrow|yet"
    r"|now"
    r"|until|unless|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends?|for)\b"
)
_MEANS = re.compile(
    r"(?i)\b(?:with|using|via|through|by (?:running|using|calling))\s+"
    r"|(?P<listed>[(:]\s*(?:(?:e\.g\.|i\.e\.|such as|like|including|namely),?\s*)?)"
)
_NO_VERB = re.compile(r"(?i)(?:an?|the|one|my|your|such)\b")
_IN_BRACKETS = re.compile(r"\s*\(([^()]{1,80})\)")


class MentionedObject(NamedTuple):
    """Tests of an object, and the words that limit its ban.

    ``unsure``: the limit is not understood, so that the guard asks.
    """

    tests: dict[str, Any]
    limit: str
    unsure: bool = False


def of_lines(lines: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the tests for command lines; a path at the end of one is a file."""
    if len(lines) > 1:
        return {"command": [list(line) for line in lines]}
    *words, last = lines[0]
    if words and last.startswith(("./", "~/", "/")):
        return {"command": words, "path": last}
    return {"command": [*words, last]}


def named_later(ban: Ban) -> Iterator[MentionedObject]:
    """Find commands named after their purpose: "kill processes with kill -9", "run
    migrations: `a`, `b`"."""
    means = _MEANS.search(ban.text)
    if not means:
        return
    rest = ban.text[means.end() :]
    if rest.startswith("-"):
        return
    listed = means["listed"] is not None
    verb = VERB.match(ban.text)
    is_run = not listed or (verb is not None and verb["run"] is not None)
    # quotations after another verb may be any words: 'no comments ("used by me")'
    items = items_in(ban._replace(text=f"run {rest}" if is_run else rest))
    purpose = ban.text[: means.start()].strip()
    purpose = "" if VERB.fullmatch(f"{purpose} ") else purpose
    certain = items.certain or not purpose
    if not items.lines or _NO_VERB.match(purpose):
        return
    if not certain:
        doing = words_of(purpose)[:1]
        if listed or len(rest.split()) > 3 or not doing:
            return
        done = verb_of(doing[0].text)
        if not done:
            return
        lines = [
            (*line, done) if is_subcommand(list(line), done) else line
            for line in items.lines
        ]
        yield MentionedObject(of_lines(lines), purpose, unsure=True)
        return
    soft = _CONDITION.search(purpose)
    condition = exception_in(ban.text + ban.after) or (purpose if soft else "")
    limit = condition if listed or condition else purpose
    yield MentionedObject(of_lines(items.lines), limit)


def _after_addresses(clause: str) -> str:
    """Return the words after the last address that limit the ban."""
    tail = clause[addresses_end(clause) :].lstrip("/*`\"')>")
    limit = limit_of(tail, 0)
    return " ".join(tail.split()).rstrip(" .,") if limit is None else limit


def named_addresses(ban: Ban, *, shell: bool) -> Iterator[MentionedObject]:
    """Yield the addresses that a ban names, and spans for a tool that is no shell."""
    named = _IN_BRACKETS.search(ban.text)
    if named and ban.form != "after" and list(address_texts(named[1])):
        ban = ban._replace(text=_IN_BRACKETS.sub(r" \1", ban.text, count=1))
    turn = TURN.search(ban.text)
    clause = ban.shown(ban.text[: turn.start() if turn else None])
    listed = _LIST_END.search(clause)
    clause = clause[: listed.start()] if listed else clause
    limit = exception_in(ban.text + ban.after)
    soft = _CONDITION.search(clause)
    limit = limit or (clause[soft.start() :].strip() if soft else "")
    found = list(addresses_in(clause))
    limit = limit or (_after_addresses(clause) if found else "")
    first = "".join(clause.split()[:1])
    runs = shell and first not in ("touch", "read") and is_program(first)
    client = {"command": [first]} if runs else {}
    yield from (
        MentionedObject(client | tests if "host" in tests else tests, limit)
        for tests in found
    )
    if not shell and not found and _RUNS.search(clause):
        codes = [ban.code(c) for c in ban.text[: len(ban.text)] if is_code(c)]
        spans = [code for code in codes if " " in code and f"`{code}`" in clause]
        if spans:
            yield MentionedObject({"contains": one_or_list(spans)}, limit)
