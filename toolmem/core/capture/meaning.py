"""Which purposes of tools a rule's text speaks of, in the order in which they count."""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.catalogue import (
    EVERYDAY_PROGRAMS,
    FILE_NOUNS,
    GENERIC,
    HTTP_WORDS,
    NO_MEANING,
    OWN_PURPOSE,
    PROGRAMS,
    PURPOSES,
    SQL_WORDS,
    SUBCOMMANDS,
    WEAK_VERBS,
)
from toolmem.core.capture.clauses import commands
from toolmem.core.capture.openings import read_opening
from toolmem.core.capture.reading import read
from toolmem.core.capture.smallwords import BREAKS, COORDINATORS, PREPOSITIONS, word_set
from toolmem.core.capture.spans import own_prose
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, Token, tokenize

_MEANS = word_set("in on via with by using through from into to at inside within")
_ASIDE = word_set(
    "unless except excluding about because since like for per over instead rather if"
    " when whenever while until so exception"
)
_BEFORE_ACTS = word_set(
    "before after without by when while from of avoid stop not mind , about"
) | {""}
_FILE_PURPOSES = frozenset(("edit", "write", "read", "delete"))
_NEEDS_FILE = word_set("write create put save add generate open print store")


def _index(key: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for purpose in PURPOSES:
        for word in getattr(purpose, key):
            found[stem(word)] = (*found.get(stem(word), ()), purpose.key)
    return found


_NOUNS = _index("nouns")
_VERBS = _index("verbs")
_ACTS = frozenset(GENERIC) | frozenset(_VERBS)


class Meaning:
    """A rule's text, sorted by the places where a tool may be meant."""

    def __init__(self, text: str) -> None:
        prose = own_prose(text)
        self.text = text
        self.quoted = " ".join(text[start + 1 : end - 1] for start, end in prose.quotes)
        self.tokens = tokenize(prose.masked if prose.masked.strip() else text)
        self.stems = tuple(stem(token.word) for token in self.tokens)
        candidates = read(self.tokens).candidates if self.tokens else ()
        best = max(candidates, key=lambda one: one.sure, default=None)
        self._head = best.clause if best else 0
        first = read_opening(self.tokens, 0).head if self.tokens else 0
        if best:
            self._verbs = self._coordinated(best.action)
        else:
            self._verbs = (
                self._coordinated(first) if commands(self.tokens, first) else ()
            )
        self._means: list[str] = []
        self._objects: list[str] = []
        self._aside: list[str] = []
        self._sort_nouns()

    def tiers(self) -> Iterator[tuple[str, ...]]:
        """Purposes, the most telling first; the first that a tool has decides."""
        yield self._by_verb(weak=False)
        yield tuple(self._means)
        general = tuple(
            GENERIC[self.stems[at]] for at in self._verbs if self.stems[at] in GENERIC
        )
        if self._has_path():
            yield tuple(key for key in general if key in _FILE_PURPOSES)
        yield tuple(self._objects)
        yield self._by_verb(weak=True)
        yield tuple(
            GENERIC[verb]
            for at in self._verbs
            if (verb := self.stems[at]) in GENERIC and self._fits_general(verb)
        )
        yield tuple(self._aside)
        yield from self._of_address()
        if self._has_path():
            yield ("edit",)

    def _by_verb(self, *, weak: bool) -> tuple[str, ...]:
        verbs = [at for at in self._verbs if self.stems[at] in _VERBS]
        strong = any(self.stems[at] not in WEAK_VERBS for at in verbs)
        if strong is weak:
            return ()
        return tuple(key for at in verbs for key in _VERBS[self.stems[at]])

    def points(self) -> bool:
        """Whether the text only points at what was done: "never do that"."""
        return any(
            token.word in ("that", "this", "it", "so", "them", "these", "those")
            for token in self.tokens
        )

    def _coordinated(self, action: int) -> tuple[int, ...]:
        """The verb of the decree and those that are said beside it."""
        verbs = [action] if action < len(self.tokens) else []
        for at in range(action + 1, len(self.tokens)):
            word, before = self.tokens[at].word, self.tokens[at - 1].word
            if word in _ASIDE or (word in BREAKS and word != ","):
                break
            beside = before in COORDINATORS or before == ","
            if not beside or self.stems[at] not in _ACTS:
                continue
            after = self.tokens[at + 1].word if at + 1 < len(self.tokens) else ""
            governs = bool(after) and after not in BREAKS | PREPOSITIONS
            if at - 2 in verbs or governs:
                verbs.append(at)
        return tuple(verbs)

    def _sort_nouns(self) -> None:
        into = self._aside if self._head else self._objects
        for at, token in enumerate(self.tokens):
            if at == self._head:
                into = self._objects
            if token.word in _ASIDE:
                into = self._aside
            elif token.word in _MEANS and into is not self._aside:
                into = self._means
            elif token.word in (";", "—", ":") and at > self._head:
                into = self._objects
            if at in self._verbs:
                into = self._objects
            program = token.word in PROGRAMS or token.word == "git"
            if at not in self._verbs or program or self._shouted(token):
                into.extend(self._noun(at))

    def _noun(self, at: int) -> tuple[str, ...]:
        token, word = self.tokens[at], self.stems[at]
        if token.word == ENTITY:
            return _of_code(self.text[token.start : token.end])
        if shouted := self._shouted(token):
            return shouted
        if word in FILE_NOUNS and self._edits():
            return ()
        if token.word in PROGRAMS or (
            token.word == "git" and at + 1 < len(self.tokens)
        ):
            return _of_command([one.word for one in self.tokens[at : at + 3]])
        after = self.stems[at + 1] if at + 1 < len(self.stems) else ""
        if f"{word}-{after}" in NO_MEANING:
            return ()
        found = _NOUNS.get(f"{word}-{after}") or _NOUNS.get(word, ())
        if not found and self._acts(at):
            return _VERBS.get(word, ())
        return found

    def _shouted(self, token: Token) -> tuple[str, ...]:
        """``DELETE`` and ``POST`` in capitals are SQL and HTTP."""
        raw = self.text[token.start : token.end]
        if self.text.isupper():
            return ()
        return ("sql",) if raw in SQL_WORDS else ("fetch",) if raw in HTTP_WORDS else ()

    def beside(self) -> tuple[str, ...]:
        """Purposes of nouns that are coordinated: "SMS or e-mail"."""
        return tuple(
            key
            for at in range(1, len(self.tokens))
            if self.tokens[at - 1].word in ("or", "and", "nor")
            for key in self._noun(at)
        )

    def _acts(self, at: int) -> bool:
        """Whether a verb is an act ("before pushing", "before you push")."""
        before = self.tokens[at - 1].word if at else ""
        if not self.tokens[at].word.endswith("ing"):
            return before in ("you", "ever")
        return before in _BEFORE_ACTS or before in COORDINATORS

    def _edits(self) -> bool:
        return any(GENERIC.get(self.stems[at]) in _FILE_PURPOSES for at in self._verbs)

    def _things(self) -> list[str]:
        return [self.text[t.start : t.end] for t in self.tokens if t.word == ENTITY]

    def _has_path(self) -> bool:
        return any(
            not _of_code(thing) and "@" not in thing and "://" not in thing
            and not thing.startswith("-") and ("." in thing or "/" in thing)
            and not _is_site(thing)
            for thing in self._things()
        )  # fmt: skip

    def _fits_general(self, verb: str) -> bool:
        """Whether a verb of many meanings has its general one here."""
        if verb not in _NEEDS_FILE:
            return True
        return self._has_path() or any(word in FILE_NOUNS for word in self.stems)

    def _of_address(self) -> Iterator[tuple[str, ...]]:
        things = self._things()
        if any("://" in thing or _is_site(thing) for thing in things):
            yield ("browser",)
            yield ("fetch",)
        if any("@" in thing[1:] and "/" not in thing for thing in things):
            yield ("email",)


def _is_site(thing: str) -> bool:
    ending = thing.rsplit(".", 1)[-1].lower()
    return thing.startswith("www.") or ("/" not in thing and ending in _SITES)


_SITES = word_set("com org net io gov edu example")


def _of_code(thing: str) -> tuple[str, ...]:
    """What a thing says when it is a command or a statement in code."""
    if not thing.startswith("`"):
        return ()
    words = thing.strip("`").split()
    if words and words[0].strip("()") in SQL_WORDS:
        return ("sql",)
    return _of_command(words)


def _of_command(words: Sequence[str]) -> tuple[str, ...]:
    bare = [word.strip("`.,;:!?") for word in words]
    if not bare:
        return ()
    if bare[0] == "git":
        after = [word for word in bare[1:3] if word in SUBCOMMANDS]
        return (after[0] if after else "shell",)
    if bare[0] in OWN_PURPOSE:
        return (OWN_PURPOSE[bare[0]],)
    known = bare[0] in PROGRAMS or bare[0] in EVERYDAY_PROGRAMS
    return ("shell",) if known or bare[0].startswith("./") else ()
