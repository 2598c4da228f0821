"""Find the forbidden part of each clause, whatever part of speech forbids it.

Words that forbid are before what they forbid ("never", "hands off", "no", "rather
than") or after it ("is off limits", "must not be edited", "… : never"). What is
reported, asked or past forbids nothing, and neither does what need not be done.
"""

import re
from collections.abc import Iterator

from toolmem.core.guard.derivation.cues import (
    ADVERBS,
    FORBIDS,
    INSTEAD_OF,
    SENTENCE_END,
    is_order,
    sentence_end,
)
from toolmem.core.guard.derivation.places import paths_in
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.sentence import CODE_START, SPAN, Ban, is_code

_SUBJECT_START = re.compile(
    r"[.!?;\n](?=\s)|\s[-–—]+\s|:\s|\b(?:but|so|because|since|while|whereas|though"
    r"|that)\s"
    r"|,\s(?=[^,]*$)(?<=\b(?:is|ok|up|it|me|us) )"
)
_FINITE = re.compile(
    r"(?i)\b(?:is|are|has|have|runs?|lives?|wip\w+|break\w*|goes|gets?|happens|depends?"
    r"|needs?|use|prefer|always|uses|only|please|if|when|in|on|during|while|for|after"
    r"|before)\b"
)
_LEADING = re.compile(
    r"(?i)\s*(?:(?:treat|consider|regard|please|so|and|also|mind that|note that|the|our"
    r"|any|all|using|running"
    r"|the use of|a|an|plain|bare|raw|calling|direct|new|calls? (?:to|of)|use of)\s+)*"
)
_PRONOUN = re.compile(r"(?i)(?:it|that|this|they|these|those|them|which)\b")
_WISHES = re.compile(
    r"(?i)\s*(?:even\s+)?(?:think (?:about|of)|dream of|consider|bother(?: with)?)\s+"
    r"|\s*(?:ever\s+)?(?:want|need|expect|wish|like)\s+"
    r"(?:(?:you|anyone|an? agent|agents) to|(?:to see )?any"
    r"|to (?:ever )?(?:see|catch|find|have) (?:(?:you|anyone|an? agent|agents)\b)?)\s*"
    r"|\s*let\s+(?:me\s+(?:see|catch|find)\s+)?(?:\w+\s+)"
)
"""Words after "don't" that leave the ban to what follows: "I don't want you to …"."""
_ELLIPSIS = re.compile(r"(?i)\s*(?:to|in|into|on|onto|from|with|against)\s")
_USE_VERB = re.compile(
    r"(?i)\b(run|use|push|post|deploy|send|write|install|commit|merge|connect|upload"
    r"|format"
    r"|search|build|read|save|put|create|format)s?\b"
)
_MAIN_VERB = re.compile(
    r"(?i)(?:^|[.;:!?]\s+)\s*(?:(?:only|always|please|just|you|we|should|may|can"
    r"|must)\s+)*"
    r"(?P<verb>[a-z]+)\b"
)
_ASKED = re.compile(
    rf"(?i)\s*(?:may|can|should|must|is"
    rf"|are)\s+(?P<subject>[^,.;]{{1,60}}?)\s+(?:(?:to )?be|get)"
    rf"{ADVERBS}\s+(?P<done>[a-z]+)"
)
"""The order of words after "under no circumstances": "may `x` be used"."""
_USED = re.compile(
    r"(?i)(?:ever\s+)?run\b(?=\s+(?:as|from|in|inside|on|outside|under|with|without)\b)"
)
"""What is not to be done with the subject before: "`tsc` must never run without -p"."""
_SUBJECT = re.compile(
    r"(?i)(?P<name>[\ue200-\ue5ff]|[\w./-]+)\s+(?:must|should|can|may|is to|shall)?\s*$"
)
_WITH_OPTION = re.compile(
    rf"(?i)\s*(?:ever\s+)?(?:use|pass|add|give|set|include)\s+(?:an?\s+|the\s+)?"
    rf"(?P<option>{SPAN}|--?[A-Za-z][\w-]*)(?:\s+(?:option|flag|switch))?\s+"
    r"(?:to|with|for|on|when (?:you )?(?:run|us|call)\w*)\s+"
    rf"(?P<command>{SPAN}|[a-z][\w.-]*(?:\s+[a-z][\w.-]*)?)(?=\s*(?:$|[,.;!)]|\b))"
)
_TASK_OF = re.compile(
    rf"(?i)\bthe\s+(?P<task>{SPAN}|[\w:.-]+)\s+(?:target|task|recipe|goal"
    rf"|subcommand)\s+"
    rf"(?:of|in|from)\s+(?:the\s+)?(?P<program>{SPAN}|gradle|make|just|rake|mvn|ant)\b"
)
"""A task named before its program: "the clean target of make"."""
_DEMAND = re.compile(
    r"(?i)(?<![\w-])(?:(?:use|using|prefer|go(?:ing)? through|instead[:,]?|always)"
    r"|(?P<weak>run|running|call|with|via|through|by|only))\s+(?!of\b)"
)
_ALLOWED = re.compile(
    r"(?i)(?:^|[.,;:!?(]\s|\b(?:but|and|so)\s)(?P<what>[^.,;:!?(]{1,80}?)\s+(?:is"
    r"|are)\s+"
    r"(?:(?:always|perfectly|totally|still)\s+)?(?:fine|ok(?:ay)?|allowed|good"
    r"|preferred"
    r"|the way(?: to go)?|encouraged|welcome)\b"
)
_CLAUSE_START = re.compile(r"(?:[.,;:(–—]|\s-|\bonly)\s*\Z")
_INSTEAD = re.compile(r"(?i)[^,.;:]{0,80}\binstead\b")
"""A demand after a ban: "never run x, run y instead"."""
_IS_BANNED = re.compile(r"\s*(?:\w+\s+)?")
"""At most one word between the words that forbid and a verb: it is forbidden."""
_CONDITION = re.compile(
    r"(?i)(?:^|[,;:(])[\s*•\d.)_-]*(?P<text>(?:if|when|whenever|while|until|once|unless"
    r"|for|on|in|during|after|before|except|outside|without|as long as|only|inside"
    r"|from(?! now on\b)|with)\b)"
)
_REPLACES = re.compile(
    r"(?i)[\s*•-]*(?:always |please |we (?:only |always )?)*(?:use|run|prefer|commit"
    r"|push|post|install|write|deploy|search)\b"
)
_CASE = re.compile(
    r"(?i)(?P<case>(?:when(?:ever)?|if)\s[^.;:,]{1,80}?),?\s+"
    r"(?=(?:always |please )*(?:use|run|prefer)\s)"
)
"""The case of a demand: "when you need a field use x, not y"."""
_NORM = re.compile(r"(?i)(?!\s*(?:i|he|she|they|it|there|this|that)\b)")
_STANDING = re.compile(
    r"(?i)(?:(?:(?:as )?from )?(?:now|today|here)(?: on(?:wards?)?)?|in (?:the )?future"
    r"|in (?:general|any case|all cases|principle)|on principle|with immediate effect"
    r"|for \w+ reasons)"
)
"""Words that begin like a condition and say that the ban is in effect."""
_ADDRESSED = re.compile(
    r"(?i)(?:[\s*_,;:(]|\b(?:then|you|we|please|agents?|must|should|also|and|so)\b)*$"
)


_PLAIN = re.compile(
    r"(?i)(?:\s|\b(?:anything|files?|code|in|under|inside|within|below|from|the|all"
    r"|folder"
    r"|directory|file|everything|an?|any|our|your)\b)*"
)
"""Words before a path that say nothing of it."""


class _Reader:
    """One pass over the words of a rule that forbid."""

    def __init__(self, text: str, codes: tuple[str, ...]) -> None:
        self.text = text
        self.codes = codes
        self.cues = list(FORBIDS.finditer(text))

    def bans(self) -> Iterator[Ban]:
        for number, cue in enumerate(self.cues):
            following = self.cues[number + 1 :][:1]
            end = following[0].start() if following else len(self.text)
            rest = self.text[cue.end() : end]
            doubled = number > 0 and self.cues[number - 1].end() == cue.start()
            if not is_order(self.text, cue, rest) or (following and end == cue.end()):
                continue  # in "never avoid" the second word forbids
            if doubled and re.match(r"(?i)avoid|stop|refrain|skip", cue[0]):
                continue
            ban = self._of_subject(cue, rest) if cue["after"] else self._ban(cue, rest)
            if ban:
                yield ban
        yield from self._replaced_ones()

    def _ban(self, cue: re.Match[str], rest: str) -> Ban:
        """Return the ban of what follows words that forbid."""
        about = self.text[: cue.start()]
        codes = self.codes
        subject = _SUBJECT.search(about)
        used = _USED.match(rest) if subject else None
        before = "" if used else _condition_before(about)
        whole = _completed(rest, about)
        before = "" if whole.endswith(rest.lstrip()) and whole != rest else before
        asked, option = _ASKED.match(whole), _WITH_OPTION.match(whole)
        after = self.text[cue.end() + len(rest) :]
        after = "" if SENTENCE_END.search(rest) else after[: sentence_end(after, 0)]
        if used and subject:
            whole = f"run {subject['name']}{whole[used.end() :]}"
        elif asked:
            whole = f"{asked['done']} {asked['subject']}{whole[asked.end() :]}"
        elif option and self._code(option["option"]).startswith("-"):
            command = self._code(option["command"]).rstrip(".")
            line = f"{command} {self._code(option['option'])}"
            whole = f"run {chr(CODE_START + len(codes))}{whole[option.end() :]}"
            codes = (*codes, line)
        whole = _TASK_OF.sub(self._task, whole, count=1)
        whole = f"touch {whole}" if cue["touch"] else whole
        is_noun = cue["no"] is not None
        return Ban(whole, codes, before, after, is_noun, about=about)

    def _of_subject(self, cue: re.Match[str], rest: str) -> Ban | None:
        """Return the ban of what is before words that forbid: "`x` is banned"."""
        start = self._subject_start(cue.start())
        about, subject = self.text[:start], self.text[start : cue.start()]
        condition = _CONDITION.match(subject)
        before, comma, named = subject.partition(", ")
        if condition and comma:
            subject = named
        elif not about.strip() or not condition:
            before = _condition_before(about)
        before = before if condition and comma else ""
        subject = subject[_leading(subject) :].strip(" ,:")
        if not subject:
            return None
        done = cue["done"] or cue["to"] or cue["use"] or ""
        verb = done or self._verb(subject, cue)
        after = self.text[cue.end() + len(rest) :][: sentence_end(self.text, cue.end())]
        after = "" if SENTENCE_END.search(rest) else after[: sentence_end(after, 0)]
        unless = " unless" if cue["only_if"] else ""
        paths = paths_in(Ban(subject, self.codes), 0, len(subject)) if done else []
        if paths and not _PLAIN.fullmatch(subject, 0, paths[0][1]):
            before = f"{before} {subject[: paths[0][1]].strip(' (')}"
            subject = subject[paths[0][1] :]
        text = f"{verb} {subject}{unless}{' ' if rest[:1].isalnum() else ''}{rest}"
        return Ban(text.lstrip(), self.codes, before.strip(), after, about=about)

    def _task(self, named: re.Match[str]) -> str:
        return f"{self._code(named['program'])} {self._code(named['task'])}"

    def _subject_start(self, end: int) -> int:
        """Return where the clause begins that ends at words that forbid it."""
        start = max(
            (m.end() for m in _SUBJECT_START.finditer(self.text, 0, end)), default=0
        )
        start = max([start, *(cue.end() for cue in self.cues if cue.end() <= end)])
        parts = self.text[start:end].split(", ")
        while len(parts) > 1 and _FINITE.search(parts[0]):
            if _CONDITION.match(parts[0]):
                break
            start += len(parts.pop(0)) + 2
        return start

    def _verb(self, subject: str, cue: re.Match[str]) -> str:
        """Return the verb for a subject without one: its kind decides."""
        first = subject.split()[0]
        name = self._code(first)
        if _PRONOUN.match(first) or cue["kept"]:
            return "touch"
        if name != first and " " in name:
            return "run"
        if is_program(name) or (name == "just" and " " in subject):
            return "run"
        if re.search(r"[./*]|file$", name) or name.isupper():
            return "edit" if "only" in cue[0].lower() else "touch"
        if name != first:
            return "use"
        return ""

    def _code(self, text: str) -> str:
        return self.codes[ord(text) - CODE_START] if is_code(text) else text

    def _replaced_ones(self) -> Iterator[Ban]:
        """Find "use Y, not X", "Y instead of X", "prefer Y over X"."""
        case = _CASE.match(self.text)
        start = case.end() if case else 0
        for other in INSTEAD_OF.finditer(self.text):
            if any(cue.start() <= other.start() < cue.end() for cue in self.cues):
                continue
            if not self._is_replaced(other, start):
                continue
            rest = self.text[other.end() :]
            whole = _completed(rest, self.text[: other.start()])
            before = case["case"] if case else ""
            text = whole if whole != rest else f"use {rest}"
            about = self.text[: other.start()]
            yield Ban(text, self.codes, before, about=about)
            return

    def _is_replaced(self, other: re.Match[str], start: int) -> bool:
        """Return True if the words after are what another thing replaces."""
        before = self.text[: other.start()]
        first, last = (
            [self._code(word).split()[:1] for word in words]
            for words in (self.text[other.end() :].split()[:1], before.split()[-1:])
        )
        if _PRONOUN.match(self.text, other.end()) and not other["over"]:
            return True
        programs = [
            bool(names and names[0] and is_program(names[0][0].strip(".,;:").lower()))
            for names in (first, last)
        ]
        prefers = re.search(r"(?i)\bprefer\b[^,.;]*\Z", before)
        if other["over"]:
            return programs[0] and (
                bool(prefers) or (all(programs) and other["over"] == "over")
            )
        if _REPLACES.match(self.text, start):
            return True
        is_not = other[0].strip().lower().endswith("not")
        if not _NORM.match(self.text) or not programs[0]:
            return False
        return not is_not or programs[1]


def bans_of_clauses(text: str, codes: tuple[str, ...]) -> list[Ban]:
    """Return the bans of a masked text, in order."""
    reader = _Reader(text, codes)
    bans = list(reader.bans())
    wanted = tuple(_demanded(text, reader.cues)) if bans else ()
    return [ban._replace(wanted=wanted) for ban in bans]


def _demanded(text: str, before: list[re.Match[str]]) -> Iterator[str]:
    """Yield the texts that begin with what is to be done: "use X", "through X"."""
    yield from (allowed["what"] for allowed in _ALLOWED.finditer(text))
    cues = [*before, *INSTEAD_OF.finditer(text)]
    for demand in _DEMAND.finditer(text):
        earlier = [cue.end() for cue in cues if cue.end() <= demand.start()]
        if earlier and _IS_BANNED.fullmatch(text, max(earlier), demand.start()):
            continue
        following = (cue.start() for cue in cues if cue.start() >= demand.end())
        wanted = text[demand.end() : min(following, default=len(text))]
        starts = _CLAUSE_START.search(text, 0, demand.start())
        instead = starts and (starts[0][0] != "," or _INSTEAD.match(wanted))
        if instead or not (earlier and demand["weak"]):
            yield wanted


def _completed(rest: str, before: str) -> str:
    """Return a ban with the verb that it leaves out: "post to #a, never to #b"."""
    wish = _WISHES.match(rest)
    rest = rest[wish.end() :] if wish else rest
    verbs = _USE_VERB.findall(before) or _MAIN_VERB.findall(before)
    if verbs and _ELLIPSIS.match(rest):
        return f"{verbs[-1]} {rest.lstrip()}"
    return rest


def _leading(subject: str) -> int:
    match = _LEADING.match(subject)
    return match.end() if match else 0


def _condition_before(text: str) -> str:
    """Return the condition before a ban: "In CI, never …"."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    sentence = text[ends[-1] :] if ends else text
    found = _CONDITION.search(sentence)
    condition = _ADDRESSED.sub("", sentence[found.start("text") :]) if found else ""
    return "" if _STANDING.fullmatch(condition) else condition
