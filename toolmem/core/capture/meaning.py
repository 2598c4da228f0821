"""Which purposes of tools a rule's text speaks of, in the order in which they count."""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.catalogue import (
    FILE_NOUNS,
    GENERAL,
    HTTP_WORDS,
    NO_MEANING,
    OWN_PURPOSE,
    PURPOSES,
    SQL_WORDS,
    SUBCOMMANDS,
    WEAK_VERBS,
)
from toolmem.core.capture.clauses import commands
from toolmem.core.capture.openings import read_opening
from toolmem.core.capture.programs import EVERYDAY_PROGRAMS, PROGRAMS
from toolmem.core.capture.reading import read
from toolmem.core.capture.smallwords import (
    BREAKS,
    COORDINATORS,
    PREPOSITIONS,
    word_set,
)
from toolmem.core.capture.spans import own_prose
from toolmem.core.capture.stems import stem
from toolmem.core.capture.words import ENTITY, Token, tokenize

_MEANS = word_set("in on via with by using through from into to at inside within")
"""What comes after these is a means or a place, not the object."""
_ASIDE = word_set(
    "unless except excluding about because since like for per over instead rather if"
    " when whenever while until so exception"
)
"""What comes after these is a condition, an exception or the other way."""
_BEFORE_ACTS = COORDINATORS | word_set(
    "before after without by when while from of avoid stop not mind , about"
)
_POINTERS = word_set("that this it so them these those")
_FILE_PURPOSES = word_set("edit write read delete")
_TOUCHING = word_set(
    "touch edit modify change alter delete remove overwrite rename move read open"
)
_PLACES = word_set("file directory folder")
_NEEDS_FILE = word_set("write create put save add generate open print store")
"""Verbs that mean a file only where one is spoken of."""
_CALLED = word_set("me us him her it them this that")
_WHEN_CALLED = word_set("again back directly ever now today tomorrow yourself")
_PHRASAL = {("push", "back"), ("push", "for"), ("commit", "me"), ("commit", "us")}
"""Verbs that mean no tool before these words."""
_SENT = word_set("call email send tweet")
"""Beside these, "texts" are sent and not read."""
_SITES = word_set("com org net io gov edu example")


def _index(key: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for purpose in PURPOSES:
        for word in getattr(purpose, key):
            found[stem(word)] = (*found.get(stem(word), ()), purpose.key)
    return found


_NOUNS = _index("nouns")
_VERBS = _index("verbs")


class Meaning:
    """A rule's text, sorted by the places where a tool may be meant."""

    def __init__(self, text: str) -> None:
        prose = own_prose(text)
        self.text = text
        self.quoted = " ".join(text[start + 1 : end - 1] for start, end in prose.quotes)
        self.tokens = tokenize(prose.masked if prose.masked.strip() else text)
        self.stems = tuple(stem(token.word) for token in self.tokens)
        self._things = [text[t.start : t.end] for t in self.tokens if t.word == ENTITY]
        self._head, action = self._decree()
        self._verbs = self._coordinated(action)
        self._means: list[str] = []
        self._objects: list[str] = []
        self._aside: list[str] = []
        self._sort_nouns()

    def tiers(self) -> Iterator[tuple[str, ...]]:
        """Purposes, the most telling first; the first that a tool has decides."""
        general = [
            self.stems[at]
            for at in self._verbs
            if self.stems[at] in GENERAL and not self._idiomatic(at)
        ]
        yield self._by_verb(weak=False)
        yield tuple(self._means)
        if self._has_path():
            keys = (key for verb in general for key in GENERAL[verb])
            yield tuple(key for key in keys if key in _FILE_PURPOSES)
        yield tuple(self._objects)
        yield self._by_verb(weak=True)
        fitting = filter(self._fits_general, general)
        yield tuple(key for verb in fitting for key in GENERAL[verb])
        yield tuple(self._aside)
        yield from self._of_address()
        if self._has_path():
            yield ("edit",)

    def beside(self) -> tuple[str, ...]:
        """Purposes of nouns that are coordinated: "SMS or e-mail"."""
        return tuple(
            key
            for at in range(1, len(self.tokens))
            if self.tokens[at - 1].word in ("or", "and", "nor")
            for key in self._noun(at)
        )

    def points(self) -> bool:
        """Whether the text only points at what was done: "never do that"."""
        return any(token.word in _POINTERS for token in self.tokens)

    # Verbs

    def verbs(self) -> tuple[str, ...]:
        """The stems of what is done, by the decree's own verb and those beside it."""
        return tuple(self.stems[at] for at in self._verbs)

    def unmeant(self) -> frozenset[str]:
        """Verbs that mean no tool here: "call me boss"."""
        return frozenset(self.stems[at] for at in self._verbs if self._idiomatic(at))

    def _decree(self) -> tuple[int, int]:
        """Where the decree begins and where its verb stands; -1 if it has none."""
        if not self.tokens:
            return 0, -1
        candidates = read(self.tokens).candidates
        best = max(candidates, key=lambda one: one.sure, default=None)
        if best:
            return best.clause, best.action
        first = read_opening(self.tokens, 0).head
        return 0, first if commands(self.tokens, first) else -1

    def _coordinated(self, action: int) -> tuple[int, ...]:
        """The verb of the decree and those that are said beside it."""
        if not 0 <= action < len(self.tokens):
            return ()
        verbs = [action]
        for at in range(action + 1, len(self.tokens)):
            word, before = self._word(at), self._word(at - 1)
            if word in _ASIDE or (word in BREAKS and word != ","):
                break
            beside = before in COORDINATORS or before == ","
            if beside and (self.stems[at] in GENERAL or self.stems[at] in _VERBS):
                after = self._word(at + 1)
                governs = bool(after) and after not in BREAKS | PREPOSITIONS
                if at - 2 in verbs or governs:
                    verbs.append(at)
        return tuple(verbs)

    def _by_verb(self, *, weak: bool) -> tuple[str, ...]:
        verbs = [
            self.stems[at]
            for at in self._verbs
            if self.stems[at] in _VERBS and not self._idiomatic(at)
        ]
        strong = any(verb not in WEAK_VERBS for verb in verbs)
        if strong is weak:
            return ()
        return tuple(key for verb in verbs for key in _VERBS[verb])

    def _idiomatic(self, at: int) -> bool:
        """ "Push back a meeting", "commit me to", "call me boss", "reply in Dutch"."""
        verb, after, third = self.stems[at], self._word(at + 1), self._word(at + 2)
        if verb == "call":
            named = third and third not in PREPOSITIONS | BREAKS | _WHEN_CALLED
            return after in _CALLED and bool(named)
        if verb == "reply":
            return after in ("in", "with", "using")
        return (verb, after) in _PHRASAL

    def bars_files(self) -> bool:
        """Whether it speaks of touching what a path names, as it is."""
        placed = any("/" in thing for thing in self._things)
        files = placed or not _PLACES.isdisjoint(self.stems)
        return files and self._has_path() and not _TOUCHING.isdisjoint(self.verbs())

    def _edits(self) -> bool:
        verbs = (self.stems[at] for at in self._verbs)
        return any(_FILE_PURPOSES & set(GENERAL.get(verb, ())) for verb in verbs)

    def _fits_general(self, verb: str) -> bool:
        """Whether a verb of many meanings has its general one here."""
        if verb not in _NEEDS_FILE or self._has_path():
            return True
        return any(word in FILE_NOUNS for word in self.stems)

    # Nouns

    def _sort_nouns(self) -> None:
        into = self._aside if self._head else self._objects
        for at, token in enumerate(self.tokens):
            if at == self._head or at in self._verbs:
                into = self._objects
            elif token.word in _ASIDE:
                into = self._aside
            elif token.word in _MEANS and into is not self._aside:
                into = self._means
            elif token.word in (";", "—", ":") and at > self._head:
                into = self._objects
            program = token.word in PROGRAMS or token.word == "git"
            if at not in self._verbs or program or self._shouted(token):
                into.extend(self._noun(at))

    def _noun(self, at: int) -> tuple[str, ...]:
        """The purposes that the word at a place means."""
        token, word = self.tokens[at], self.stems[at]
        if token.word == ENTITY:
            return _of_code(self.text[token.start : token.end])
        if shouted := self._shouted(token):
            return shouted
        if word in FILE_NOUNS and self._edits():
            return ()
        if token.word in PROGRAMS or (token.word == "git" and self._word(at + 1)):
            return _of_command([one.word for one in self.tokens[at : at + 3]])
        if token.word == "texts":
            return ("sms",) if _SENT & set(self.stems) else ()
        pair = f"{word}-{self.stems[at + 1]}" if self._word(at + 1) else ""
        if pair in NO_MEANING:
            return ()
        found = _NOUNS.get(pair) or _NOUNS.get(word, ())
        return found or (_VERBS.get(word, ()) if self._acts(at) else ())

    def _shouted(self, token: Token) -> tuple[str, ...]:
        """``DELETE`` and ``POST`` in capitals are SQL and HTTP."""
        raw = self.text[token.start : token.end]
        if self.text.isupper():
            return ()
        return ("sql",) if raw in SQL_WORDS else ("fetch",) if raw in HTTP_WORDS else ()

    def _acts(self, at: int) -> bool:
        """Whether a verb is an act ("before pushing", "before you push")."""
        before = self._word(at - 1)
        if not self._word(at).endswith("ing"):
            return before in ("you", "ever")
        return not before or before in _BEFORE_ACTS

    def _word(self, at: int) -> str:
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    # Things

    def _has_path(self) -> bool:
        return any(map(_is_path, self._things))

    def _of_address(self) -> Iterator[tuple[str, ...]]:
        if any("://" in thing or _is_site(thing) for thing in self._things):
            yield ("browser",)
            yield ("fetch",)
        if any("@" in thing[1:] and "/" not in thing for thing in self._things):
            yield ("email",)


def _is_path(thing: str) -> bool:
    if _of_code(thing) or "@" in thing or "://" in thing or thing.startswith("-"):
        return False
    return ("." in thing or "/" in thing) and not _is_site(thing)


def _is_site(thing: str) -> bool:
    ending = thing.rsplit(".", 1)[-1].lower()
    if "@" in thing:
        return False  # somebody's address there
    return thing.startswith("www.") or ("/" not in thing and ending in _SITES)


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
        return tuple(word for word in bare[1:3] if word in SUBCOMMANDS) or ("shell",)
    if bare[0] in OWN_PURPOSE:
        return OWN_PURPOSE[bare[0]]
    known = bare[0] in PROGRAMS or bare[0] in EVERYDAY_PROGRAMS
    return ("shell",) if known else ()
