"""The words of a demand with their roles, in clauses: before, until, after, then.

Words that say nothing have no role, so that what remains of a clause is a few
characters: "run the linter before you commit" is ``RQ`` and, before it, ``E``.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from toolmem.core.guard.derivation.files import (
    TASKS,
    bare_command,
    is_command,
    is_pathlike,
    kind_patterns,
)
from toolmem.core.guard.derivation.reading.demand_clauses import Clause, DemandWord
from toolmem.core.guard.derivation.reading.demand_vocabulary import (
    ACTS,
    DEMAND_ROLES,
    DEMAND_VERBS,
    FACTS,
)
from toolmem.core.guard.derivation.reading.sentence import CODE_START, is_code
from toolmem.core.guard.derivation.reading.words import ReadWord, base_of, words_of

_KIND_NOUNS = frozenset(
    "file files source sources code module modules script scripts schema schemas"
    " definition definitions document documents stuff".split()
)
_SUFFIX = re.compile(r"\.[a-z]\w{0,9}")
_NAMED_FILE = re.compile(r"[A-Z][a-z]+file|[A-Z]{4,}")
_QUANTIFIERS = ("each", "every", "any", "all", "changes")
_BEFORE_CLAUSES = frozenset(
    "sure certain ensure see it so check verify confirm remember every each".split()
)
"""Words before a "that" that begins no relative clause: "make sure that"."""
_LONGEST = 5


@cache
def _phrases() -> dict[str, str]:
    phrases = {
        " ".join(phrase.split()): role
        for role, listed in DEMAND_ROLES.items()
        for phrase in listed.split("|")
    }
    links = (f"{word} {quantifier}" for word in ("with", "on", "for", "at", "upon")
             for quantifier in _QUANTIFIERS)  # fmt: skip
    return phrases | dict.fromkeys(links, "a")


@cache
def _facts() -> dict[str, str]:
    return {word: fact for fact, words in FACTS.items() for word in words.split()}


def clauses_in(text: str, codes: Sequence[str]) -> Iterator[list[Clause]]:
    """Yield the sentences of a masked text as clauses; a case belongs to the next."""
    case: list[Clause] = []
    earlier: list[DemandWord] = []
    words: list[ReadWord] = []
    for word in (*words_of(text), ReadWord(".", ".", len(text), len(text))):
        if word.role not in ".;!?":
            words.append(word)
            continue
        clauses = list(_clauses(_tokens(words, text, codes), earlier)) if words else []
        words = []
        if word.role == "?" and len(clauses) == 1 and not clauses[0].limits:
            case = [clauses[0]._replace(link="a")]
        elif clauses:
            yield [*case, *clauses]
            case = []


def _clauses(
    tokens: Sequence[DemandWord], earlier: list[DemandWord]
) -> Iterator[Clause]:
    """Split the words of a sentence at links and marks."""
    link, part, only = "", list[DemandWord](), False
    for number, token in enumerate((*tokens, DemandWord(",", ""))):
        rest = [one.role for one in tokens[number + 1 : number + 4] if one.role != "d"]
        if token.role == "g" and rest[:1] == ["B"]:  # "with red tests"
            token = token._replace(role="w")
        is_link = token.role in "buwat"
        listed = (
            part and number + 1 < len(tokens) and _is_list(part, tokens[number + 1 :])
        )
        if not is_link and (listed or token.role not in ",:-"):
            part += [token] if token.role != "," else []
            continue
        if part:
            yield _clause(link, part, earlier, only=only)
            link, only = "", False
        if is_link:
            only = only or "only" in token.text.split() or (
                bool(part) and part[-1].role == "y")  # fmt: skip
            link = token.role
        part = []


def _is_list(before: Sequence[DemandWord], after: Sequence[DemandWord]) -> bool:
    """Return True for a comma in a list of objects: "`a`, `b` and `c`"."""
    if after[0].role not in "KFQ" or before[-1].role != after[0].role:
        return False
    rest = after[1:] or (DemandWord("", ""),)
    return rest[0].text in ("and", "or") or (
        rest[0].role == "," and len(rest) > 1 and _is_list(after[:1], rest[1:])
    )


def _clause(
    link: str, part: Sequence[DemandWord], earlier: list[DemandWord], *, only: bool
) -> Clause:
    """Return a clause; a pronoun after a verb of running is what was named before."""
    named = {"former": earlier[-2:-1], "latter": earlier[-1:]}
    part = [one for token in part for one in named.get(token.text) or [token]]
    kept = [token for token in part if token.role != "d"]
    objects = [token for token in kept if token.role in "KAFQL"]
    verbs = [n for n, t in enumerate(part[:-1]) if t.role in "RC"]
    pronoun = any(part[n + 1].text in ("it", "them", "this", "that") for n in verbs)
    again = bool(pronoun and earlier and not objects)
    if again:
        kept.append(earlier[-1])
    earlier += objects
    choice = [
        n for n, t in enumerate(kept) if t.role == "|"
        and not (0 < n < len(kept) - 1 and kept[n - 1].role + kept[n + 1].role in
                 ("KK", "KA", "AK", "AA"))
    ]  # fmt: skip
    rest = tuple(token for n, token in enumerate(kept) if n not in choice)
    limits = any(token.role in "NyH" for token in kept)
    return Clause(link, rest, only, again, limits)


def _tokens(
    words: Sequence[ReadWord], text: str, codes: Sequence[str]
) -> list[DemandWord]:
    """Return the words of a sentence with their roles in a demand."""
    tokens: list[DemandWord] = []
    at = 0
    while at < len(words):
        token, length = _token(words, at, text, codes, tokens)
        joined = (
            token.role == "E" and tokens[1:] and tokens[-1].text in ("and", "or", "/")
        )
        if joined and tokens[-2].role == "E":
            tokens[-2] = DemandWord(
                "E", token.text, (*tokens[-2].values, *token.values)
            )
        else:
            tokens.append(token)
        at += length
    return tokens


def _token(
    words: Sequence[ReadWord],
    at: int,
    text: str,
    codes: Sequence[str],
    before: Sequence[DemandWord],
) -> tuple[DemandWord, int]:
    phrases = _phrases()
    texts = [word.text for word in words[at : at + _LONGEST]]
    for length in range(len(texts), 1, -1):
        phrase = words[at]._replace(text=" ".join(texts[:length]))
        if phrase.text in phrases:
            return DemandWord(*_role(phrase)), length
    word = words[at]
    if word.role in ",:-()" and word.text not in phrases:
        return DemandWord("d" if word.role in "()" else word.role, word.text), 1
    bracketed = at > 0 and words[at - 1].role == "("
    return _object(words, at, text, codes, before, bracketed=bracketed) or (
        DemandWord(*_role(word)), 1)  # fmt: skip


_OTHER_ROLES = {"N": "N", "n": "N", "0": "N", "t": "N", "X": "N", "R": "H"}
"""Roles of words that forbid or report, and their role in a demand."""


def _role(read: ReadWord) -> tuple[str, str, tuple[str, ...]]:
    """Return the role of a word, the word, and the values that it has."""
    word = read.text.removeprefix("re-")
    if fact := _facts().get(word):
        return "Q", word, (fact,)
    role = _phrases().get(word, "")
    verbs = (r for r, bases in DEMAND_VERBS.items() if base_of(word, bases))
    role = role or _OTHER_ROLES.get(read.role) or next(verbs, "?")
    if role == "E":
        base = base_of(word, DEMAND_VERBS["E"])
        base = {"publish": "release", "deployment": "deploy"}.get(base, base)
        return "E", word, ACTS.get(base) or ACTS["deploy" if word[0] == "d" else "pr"]
    return role, word, ()


def _object(
    words: Sequence[ReadWord],
    at: int,
    text: str,
    codes: Sequence[str],
    before: Sequence[DemandWord],
    *,
    bracketed: bool,
) -> tuple[DemandWord, int] | None:
    """Return the command or the files that begin at a word."""
    word = words[at]
    written = text[word.start : word.end]
    files = "P" if bracketed else "F"
    if is_code(word.text):
        code = codes[ord(word.text) - CODE_START]
        return _of_code(" ".join(code.split()), files), 1
    following = words[at + 1].text if at + 1 < len(words) else ""
    if word.text == "having" and not before:
        return DemandWord("a", word.text), 1
    kinds = kind_patterns(word.text)
    if kinds and following in _KIND_NOUNS:
        return _within(words, at + 2, text, codes, kinds)
    if _SUFFIX.fullmatch(written):
        return DemandWord(files, written, (f"*{written}",)), 1
    runs = bool(before) and before[-1].role in "Rbun"
    if word.text in _phrases():
        return None
    if word.role == "o" and is_pathlike(written):
        return _of_code(written, files), 1
    if _begins_relative_clause(words, at):
        return None
    line = bare_command(_bare_words(words[at : at + 7], text))
    if line and following not in _KIND_NOUNS and (runs or line.split()[0] not in TASKS):
        return DemandWord("K", line, (line,)), len(line.split())
    if word.text in ("changelog", "readme") or _NAMED_FILE.fullmatch(written):
        known = is_pathlike(written)
        return DemandWord(files if known else "L", written, (written,)), 1
    return None


def _begins_relative_clause(words: Sequence[ReadWord], at: int) -> bool:
    """Return True after "that" of a noun: "a folder that git ignores"."""
    that = at > 1 and words[at - 1].text in ("that", "which")
    return that and words[at - 2].text not in _BEFORE_CLAUSES


def _bare_words(words: Sequence[ReadWord], text: str) -> Iterator[str]:
    for word in words:
        if word.role in ",:;.()-?!" or is_code(word.text):
            return
        yield text[word.start : word.end]


def _of_code(code: str, files: str) -> DemandWord:
    if _SUFFIX.fullmatch(code):
        return DemandWord(files, code, (f"*{code}",))
    if _NAMED_FILE.fullmatch(code):
        return DemandWord("F" if is_pathlike(code) else "L", code, (code,))
    is_file, runs = is_pathlike(code), is_command(code)
    name = code.rstrip("/").rpartition("/")[2]
    script = "." not in name or re.search(r"\.(?:sh|bash|ps1|py|rb|pl|js|ts)$", name)
    if is_file and runs and not code.endswith("/") and script:
        return DemandWord("A", code, (code,))
    if is_file and not (runs and script and not code.endswith("/")):
        return DemandWord(files, code, (code,))
    return DemandWord("K" if runs else "!", code, (code,))


def _within(
    words: Sequence[ReadWord],
    at: int,
    text: str,
    codes: Sequence[str],
    kinds: tuple[str, ...],
) -> tuple[DemandWord, int]:
    """Return files of a kind, those of a folder if one follows: "SQL files in db/"."""
    start = at - 2
    inside = at < len(words) and words[at].text in ("in", "under", "inside", "within")
    where = (
        at
        + 1
        + (inside and words[at + 1 : at + 2] != [] and words[at + 1].text == "the")
    )
    place = _object(words, where, text, codes, (), bracketed=False) if (
        inside and where < len(words)) else None  # fmt: skip
    if place and place[0].role in "FA":
        folder = place[0].values[0].rstrip("/*")
        kinds = tuple(f"{folder}/**/{kind}" for kind in kinds)
        return DemandWord("F", "", kinds), where + place[1] - start
    return DemandWord("F", "", kinds), 2
