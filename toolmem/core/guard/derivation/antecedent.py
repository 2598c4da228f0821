"""Find what a ban refers to: "`x` hangs, so don't run it"."""

import re
from collections.abc import Iterator

from toolmem.core.guard.derivation.items import items_in
from toolmem.core.guard.derivation.objects.actions import named_object
from toolmem.core.guard.derivation.objects.addresses import address_texts
from toolmem.core.guard.derivation.objects.tools import TOOL_NAME
from toolmem.core.guard.derivation.places import paths_in
from toolmem.core.guard.derivation.programs import ENGLISH
from toolmem.core.guard.derivation.reading.sentence import CODE_START, Ban, is_code
from toolmem.core.guard.derivation.reading.words import verb_of, words_of

_PRONOUN = re.compile(
    r"(?i)\b(?P<word>it|them|this|that|those|these|(?:the |any )?existing ones"
    r"|(?:in |to )?there)\b"
)
_CLAUSES = re.compile(r"[.!?;:](?=\s|$)|\n|\s[-–—]+\s|,\s(?:but|and|so)\b")
_DEMANDED = re.compile(
    r"(?i)\s*(?:please\s+|always\s+|we\s+)*(?:use|prefer|run|only|always)\b"
)
_SAYS = re.compile(
    r"(?i)\s*(.{1,80}?)\s+(?:is|are|was|has|takes?|breaks?|hangs?|kills?|deletes?|will"
    r"|can|costs?|needs?)\b"
)
_BRANCH = re.compile(r"(?i)\b(?!the\b|a\b|this\b|that\b)([\w./-]+)\s+branch\b")
_MAIN = re.compile(
    r"(?i)\s*(main|master|develop|trunk|staging|production)\s+(?:is|are|has|stays)\b"
)
_INTO = re.compile(
    r"(?i)\s*(?:push|post|writ|say|repl|deploy|send|connect|ssh|upload)\w*\s"
)
_MOST_BACK = 3


def with_antecedent(ban: Ban) -> Ban | None:
    """Return a ban with what its pronoun refers to; None if that is unknown."""
    named = next(_named(ban), "")
    noun = "" if named else _noun(ban)
    if noun:
        return ban._replace(text=_PRONOUN.sub(noun, ban.text, count=1))
    if not named:
        return None
    span = chr(CODE_START + len(ban.codes))
    pronoun = _PRONOUN.search(ban.text)
    if pronoun is None:
        text = f"{_doing(ban)} {span}{ban.text[len(ban.text.rstrip(' ,.;!')) :]}"
        return ban._replace(text=text, codes=(*ban.codes, named))
    if pronoun["word"].lower().endswith("there"):
        span = ("to " if _INTO.match(ban.text) else "in ") + span
    text = ban.text[: pronoun.start()] + span + ban.text[pronoun.end() :]
    return ban._replace(text=text, codes=(*ban.codes, named))


def _doing(ban: Ban) -> str:
    """Return what the clause before a ban is about doing: "reading x is …, don't"."""
    clauses = [part for part in _CLAUSES.split(ban.about) if part and part.strip()]
    first = words_of(clauses[-1])[:1] if clauses else []
    return (
        verb_of(first[0].text) if first and first[0].text.endswith("ing") else "touch"
    )


_PROTECTED = re.compile(
    r"(?i)(?:^|[.;]\s)\s*(?:the\s+)?(?P<name>[\ue200-\ue5ff]|[\w./-]+)(?:\s+branch)?\s+(?:is"
    r"|stays)\s+(?:protected|locked|shared|sacred|frozen|untouchable)\b[^.]*$"
)
_NO_BRANCH = re.compile(
    r"(?i)\s*(?:direct\s+)?(?:commit|push|merge)\w*\s*(?:[,.;!]|and\b|$)"
)


def on_protected(ban: Ban) -> Ban:
    """Return a ban on commits or pushes with the branch that they are said of."""
    said = _PROTECTED.search(ban.about)
    if not said or not _NO_BRANCH.match(ban.text):
        return ban
    end = re.search(r"\s*(?:[,.;!]|and\b|$)", ban.text)
    at = end.start() if end else len(ban.text)
    return ban._replace(text=f"{ban.text[:at]} to {said['name']}{ban.text[at:]}")


def _noun(ban: Ban) -> str:
    """Return the object of a service that the words before a ban are about."""
    clauses = [part for part in _CLAUSES.split(ban.about) if part and part.strip()]
    names = (named_object(clause) for clause in clauses[: -_MOST_BACK - 1 : -1])
    return next(filter(None, names), "")


def _named(ban: Ban) -> Iterator[str]:
    """Yield commands and files that the clauses before a ban begin with or quote."""
    clauses = [part for part in _CLAUSES.split(ban.about) if part and part.strip()]
    for clause in clauses[: -_MOST_BACK - 1 : -1]:
        if _DEMANDED.match(clause):
            return
        yield from (ban.code(char) for char in clause if is_code(char))
        subject = _SAYS.match(clause)
        texts = [f"use {clause.strip()}", f"run {subject[1]}" if subject else ""]
        for text in texts:
            lines = items_in(ban._replace(text=text)).lines
            yield from (
                " ".join(line)
                for line in lines[:1]
                if line[0].lower() not in ENGLISH
                or f"`{' '.join(line)}`" in ban.shown(clause)
            )
        about = ban._replace(text=clause)
        yield from TOOL_NAME.findall(clause)
        yield from re.findall(r"(?<!\S)#[a-z][\w-]*\w", clause)
        yield from address_texts(clause)
        yield from (path for path, _, _ in paths_in(about, 0, len(clause)))
        branch = _BRANCH.search(clause) or _MAIN.match(clause)
        yield from (branch[1],) if branch else ()
