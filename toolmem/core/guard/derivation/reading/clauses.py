"""Read the forbidden part of each clause, whatever part of speech forbids it.

Words that forbid are before what they forbid ("never", "hands off", "no", "rather
than") or after it ("is off limits", "must not be edited", "… : never").
"""

import re
from collections.abc import Iterator

from toolmem.core.guard.derivation.places import paths_in
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.reading.bodies import (
    completed,
    in_order,
    of_nobody,
    passive_order,
)
from toolmem.core.guard.derivation.reading.contrasts import demanded, replaced_ones
from toolmem.core.guard.derivation.reading.cues import Cue, cues_in
from toolmem.core.guard.derivation.reading.orders import is_order
from toolmem.core.guard.derivation.reading.read_text import ReadText
from toolmem.core.guard.derivation.reading.sentence import (
    SPAN,
    Ban,
)
from toolmem.core.guard.derivation.reading.vocabulary import BEING, PRONOUNS
from toolmem.core.guard.derivation.reading.words import (
    verb_of,
    words_of,
)

_SUBJECT_LEAD = frozenset(
    """treat consider regard please so and also mind note that the our any all using
    running a an plain bare raw calling direct new calls call of to use invoking
    executing launching as for about regarding concerning re""".split()
)
_PLAIN = re.compile(
    r"(?i)(?:\s|\b(?:anything|files?|code|in|under|inside|within|below|from|the|all"
    r"|folder|directory|file|everything|an?|any|our|your)\b)*"
)
"""Words before a path that say nothing of it."""
_OPTION_NEXT = re.compile(r"\s*with\s+(?:an?\s+|the\s+|explicit\s+)*[`\"]?-")
_NOTHING_ELSE = re.compile(r"(?i)\bnothing (?:else|but|other)\b")
"""Words that forbid what is not named: what is, is the way to go."""
_PARTICIPLES = re.compile(r"[A]*[pV](?:,?b?A*p)*(?=$|[.;!?,])")
"""What is done, without an object: "never overwritten or removed"."""
_HANDS = re.compile(
    r"(?i)(?:your(?:self)?|ur)?\s*(?:dirty |little |grubby )?(?:hands?|fingers?|paws?"
    r"|mitts?|claws?|nose|tools?|edits?|clear)?"
)
_VERSIONED = re.compile(
    r"(?i)(?:(?:the|our|your|any)\s+)*(?:git|version control|commits?|the index)\b"
)
_KEPT_OUT = (
    re.compile(
        r"(?i)\b(?:keep|leave)\s+(?P<what>(?:[^,.;:\s]|[.;:](?=\S)|\s){1,80}?)\s+"
        r"(?:out of|off|away from|out from)\s+(?P<place>[^,;:.]{1,60})"
    ),
    re.compile(
        r"(?i)(?:^|[.;:]\s+|\bkeep\s+)(?P<place>[^,.;:]{1,40}?)\s+(?:(?:must|should"
        r"|has to|is to)\s+)?(?:(?:be|stay|is|are|kept)\s+)*(?:free|clear|clean)\s+"
        r"(?:of|from)\s+(?P<what>[^,;]{1,80})"
    ),
    re.compile(
        r"(?i)\b(?:reject|refuse|block)\b[^,;]{1,60}?\b(?:that|which|with)\s+"
        r"(?:\w+s\s+)?(?P<what>[^,;]{1,80})(?P<place>)"
    ),
    re.compile(
        r"(?i)\b(?:write|keep|implement|produce|make)\s+(?P<place>[\w\s]{1,40}?)\s+"
        r"without\s+(?P<what>[^,;]{1,80})"
    ),
)
"""Forms that say where a piece of text must not be."""


def _subject_of(words: str) -> str:
    """Return the subject of the first of two predicates: "X is old and must not …"."""
    read = words_of(words)
    joined = bool(read) and read[-1].text in ("and", "so", "but")
    verb = next((word for word in read if word.role in "BM"), None)
    return words[: verb.start] if joined and verb else words


def _without_lead(subject: str) -> str:
    """Return a subject without the words that say nothing of it."""
    words = words_of(subject)
    if [word.text for word in words[:1]] == ["just"] and len(words) == 2:
        return subject
    for word in words:
        if word.text not in _SUBJECT_LEAD and word.role not in "Ab,:":
            return subject[word.start :]
    return ""


_AGREED = frozenset("yes ok okay fine".split())
_STARTING = frozenset("start launch trigger fire kick perform do type issue".split())
_CREATING = frozenset("made done created performed".split())
_ACTS = frozenset("commit push merge rebase release deploy tag publish".split())
"""Nouns that say what is done: "commits must not be made with …"."""


class _Reader(ReadText):
    """One pass over the words of a text that forbid."""

    def __init__(self, text: str, codes: tuple[str, ...]) -> None:
        super().__init__(text, codes)
        self.cues = [
            cue
            for cue, end in self._with_ends(list(cues_in(self.words)))
            if is_order(self.words, cue, end)
        ]

    def _with_ends(self, cues: list[Cue]) -> Iterator[tuple[Cue, int]]:
        """Yield cues with the ends of what they may be about; one of several in a row
        that forbid the same, as in "no, never"."""
        for number, cue in enumerate(cues):
            following = cues[number + 1].first if cues[number + 1 :] else -1
            doubled = number > 0 and cues[number - 1].last == cue.first
            if following == cue.last and cue.kind != "after":
                continue  # in "never avoid" the second word forbids
            if doubled and self.roles[cue.first] == "v":
                continue
            yield cue, following if following >= 0 else len(self.words)

    def bans(self) -> Iterator[Ban]:
        for number, cue in enumerate(self.cues):
            following = self.cues[number + 1].first if self.cues[number + 1 :] else -1
            end = following if following >= 0 else len(self.words)
            read = self._of_subject if cue.kind == "after" else self._ban
            ban = read(cue, end)
            if ban:
                yield ban
        yield from self._kept_out()
        yield from replaced_ones(self, self.cues)

    def _kept_out(self) -> Iterator[Ban]:
        """Find "keep X out of Y", "Y is free of X", "write Y without X"."""
        for form in _KEPT_OUT:
            for match in form.finditer(self.text):
                place = match["place"].strip()
                if _HANDS.fullmatch(match["what"]):
                    yield Ban(f"touch {place}", self.codes)
                    continue
                if _VERSIONED.match(place):
                    yield Ban(f"commit {match['what'].strip()}", self.codes)
                    continue
                text = f"add {match['what'].strip()}{' in ' if place else ''}{place}"
                yield Ban(text, self.codes, form="text")

    def _after_of(self, end: int, cue: Cue) -> str:
        """Return the rest of the sentence after what a ban is about."""
        if any(role in ".;!?" for role in self.roles[cue.last : end]):
            return ""
        return self.slice(end, self.next(end, ".;!?"))

    def _ban(self, cue: Cue, end: int) -> Ban | None:
        """Return the ban of what follows words that forbid."""
        about = self.text[: self.start(cue.first)]
        rest = self.slice(cue.last, end)
        before = self.condition_before(cue.first)
        after = self._after_of(end, cue)
        if cue.kind == "nothing":
            rest = of_nobody(self, cue, end)
        elif cue.kind == "no" and (moved := passive_order(self, cue, end)):
            rest = moved
        rest = rest.lstrip(" ,:") if rest.lstrip(" ,:")[:1].isalpha() else rest
        whole = completed(self, cue, rest)
        if participles := _PARTICIPLES.match(self.roles, cue.last):
            whole = self._without_object(cue, participles.end()) or whole
        subject = self._program_before(cue)
        if subject and (used := re.match(r"(?i)(?:ever\s+)?run\b(?=\s)", rest)):
            whole, before = f"run {subject}{rest[used.end() :]}", ""
        if whole != rest and whole.endswith(rest.lstrip()):
            before = ""
        whole, codes = in_order(self, whole)
        if placed := self._placed(cue, whole):
            return placed._replace(before=before, after=after)
        whole = f"touch {whole}" if cue.kind == "touch" else whole
        whole = f"add {whole}" if cue.kind == "text" else whole
        form = cue.kind if cue.kind == "text" else ""
        if cue.kind == "" and self.roles[cue.first] != "v":
            form = "verb"
        return Ban(
            whole, codes, before, after, cue.kind == "no", about=about, form=form
        )

    def _placed(self, cue: Cue, whole: str) -> Ban | None:
        """Return the ban of what must not be somewhere: "must never end up in y"."""
        said = [word for word in words_of(whole)[:4] if word.role not in "A,"]
        first = self._subject_start(cue.first)
        if not said or verb_of(said[0].text) not in BEING or first >= cue.first:
            return None
        if self.words[first].role == "S" or not re.search(
            "[owV]", self.roles[first : cue.first]
        ):
            return None
        at = said[0].end
        follows = [word.text for word in said[1:3]]
        if follows[1:] and follows[1] in ("in", "on", "to", "into"):
            at = said[1].end
        subject = self.slice(first, cue.first).strip()
        about = self.text[: self.start(first)]
        return Ban(f"add {subject}{whole[at:]}", self.codes, about=about, form="after")

    def _without_object(self, cue: Cue, end: int) -> str:
        """Return "removed x" for "x may be read, never removed"."""
        first = max(
            (self.roles.rfind(mark, 0, cue.first) for mark in ".;!?"), default=-1
        )
        said = re.compile("[MB]").search(self.roles, first + 1, cue.first)
        if not said or self.roles[first + 1] in "ciS":
            return ""
        things = self.slice(first + 1, said.start()).strip()
        return f"{self.exact(cue.last, end)} {things}"

    def _program_before(self, cue: Cue) -> str:
        """Return the program that is the subject of words that forbid."""
        before = self.words[cue.first - 1 : cue.first]
        if not before or before[0].role not in "ow":
            return ""
        name = before[0].text
        return name if before[0].role == "o" or is_program(name) else ""

    def _of_subject(self, cue: Cue, end: int) -> Ban | None:
        """Return the ban of what is before words that forbid: "`x` is banned"."""
        first = self._subject_start(cue.first)
        start, stop = self.start(first), self.start(cue.first)
        about, subject = self.text[:start], self.text[start:stop]
        rest = self.slice(cue.last, end)
        before = ""
        words = self.words[first : cue.first]
        commas = [n for n, word in enumerate(words) if word.role == ","]
        if words and self.limits(first) and commas:
            before = self.text[start : words[commas[0]].start].strip()
            subject = self.text[words[commas[0]].end : stop]
        elif not (words and self.limits(first)) or not about.strip():
            before = self.condition_before(first) if about.strip() else ""
        subject = _without_lead(_subject_of(subject)).strip(" ,:")
        if not subject:
            if cue.form != "passive" or self.roles[cue.first] != "t":
                return None
            subject = "it"
        if cue.form == "only_if" and _OPTION_NEXT.match(self._shown(rest)):
            return None
        bracketed = re.search(r"\(([^()\s]*[/~.][^()\s]*)\)$", subject)
        subject = bracketed[1] if bracketed else subject
        after = self._after_of(end, cue)
        verb, subject = self._act(subject, cue)
        paths = paths_in(Ban(subject, self.codes), 0, len(subject)) if cue.verb else []
        if paths and not _PLAIN.fullmatch(subject, 0, paths[0][1]):
            before = f"{before} {subject[: paths[0][1]].strip(' (')}"
            subject = subject[paths[0][1] :]
        unless = " unless" if cue.form == "only_if" else ""
        space = " " if unless or rest[:1].isalnum() or rest[:1] == "(" else ""
        text = f"{verb} {subject}{unless}{space}{rest}"
        text, before = text.lstrip(), before.strip()
        reads = self.words[cue.last - 1].text in ("read only", "read-only")
        form = "kept" if reads or cue.form == "kept" else "after"
        return Ban(text, self.codes, before, after, about=about, form=form)

    def _act(self, subject: str, cue: Cue) -> tuple[str, str]:
        """Return what is not to be done, and with what: "started" of a command runs it,
        "commits made" are committing."""
        verb = cue.verb or self._verb(subject, cue)
        if cue.verb and self._verb(subject, cue) == "run":
            if verb_of(cue.verb) in (*_STARTING, "run"):
                return "run", subject
            if cue.form == "to":  # "curl is not allowed to reach x"
                return subject, cue.verb
        act = verb_of(subject.lower())
        return (act, "") if cue.verb in _CREATING and act in _ACTS else (verb, subject)

    def _subject_start(self, end: int) -> int:
        """Return where the clause begins that ends at words that forbid it."""
        first = max((cue.last for cue in self.cues if cue.last <= end), default=0)
        for at in range(end - 1, first - 1, -1):
            word = self.words[at]
            joins = word.role == "u" or word.text in ("but", "so", "while")
            if word.role in ".;!?" or joins or (word.role in ":-" and at < end):
                first = at + 1
                break
        commas = [n for n in range(first, end) if self.words[n].text == ","]
        for comma in commas:
            part = self.roles[first:comma]
            agreed = any(word.text in _AGREED for word in self.words[first:comma])
            said = agreed or re.search("[BMDPcyiV]", part)
            if not said or self.limits(first):
                break
            first = comma + 1
        return first

    def _verb(self, subject: str, cue: Cue) -> str:
        """Return the verb for a subject without one: its kind decides."""
        first = subject.split()[0]
        name = self.code(first)
        if first.lower() in PRONOUNS or cue.form == "kept":
            return "touch"
        if name != first and " " in name:
            return "run"
        if is_program(name) or (name == "just" and " " in subject):
            return "run"
        if re.search(r"[./*]|file$", name) or name.isupper():
            said = " ".join(word.text for word in self.words[cue.first : cue.last])
            return "edit" if "only" in said else "touch"
        return "use" if name != first else ""

    def _shown(self, text: str) -> str:
        return Ban("", self.codes).shown(text)


def bans_of_clauses(text: str, codes: tuple[str, ...]) -> list[Ban]:
    """Return the bans of a masked text, in order."""
    reader = _Reader(text, codes)
    bans = list(reader.bans())
    wanted = tuple(demanded(reader)) if bans else ()
    if bans and _NOTHING_ELSE.search(reader.text):
        wanted += tuple(re.findall(SPAN, reader.text))
    return [ban._replace(wanted=wanted) for ban in bans]
