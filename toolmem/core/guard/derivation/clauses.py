"""Find the forbidden part of each clause, whatever part of speech forbids it.

Words that forbid are before what they forbid ("never", "hands off", "no", "rather
than") or after it ("is off limits", "must not be edited", "… : never"). What is
reported, asked or past forbids nothing, and neither does what need not be done.
"""

import re
from collections.abc import Iterator

from toolmem.core.guard.derivation.places import paths_in
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.sentence import CODE_START, SPAN, Ban, is_code

_NOT = r"(?:\s+(?:not|never|no longer|neither)|n['’]?t)"
_PEOPLE = (
    r"(?:I|me|we|us|humans?|people|maintainers?|admins?|owners?|staff|CI|ops|sre|dba"
    r"|developers|reviewers|(?:the |our )?(?:[\w-]+ )?(?:team|bot|manager|lead|owner"
    r"|pipeline|maintainers?|admins?|engineers?)s?)"
)
_ADVERBS = (
    r"(?:\s+(?:strictly|absolutely|simply|just|now|also|really|completely|totally|always"
    r"|still|currently|entirely|explicitly|generally|directly|manually|ever))*"
)
_BAD = (
    r"(?:forbidden|prohibited|banned|barred|disallowed|blocked|out of bounds|taboo|illegal"
    r"|verboten|unacceptable|unwanted|unwelcome|untouchable|immutable|sacred|sacrosanct"
    r"|off (?:the )?[- ]?(?:limits|table)|off-limits|read[- ]only|frozen"
    r"|none of your (?:business|concern)|out(?=\s*(?:[,;]|[.!](?:\s|$)|$))"
    r"|an? (?:\w+ )?no(?:[- ]?go|[- ]?no)?(?: (?:area|zone))?(?=\s*(?:[,;.!]|$| in| on"
    r"| for| around| here))|no[- ]go)(?![\w-])"
    r"(?!\s+(?:to|from)\s+\w+ing\b|\s+to\b)"
)
_GOOD = (
    r"(?:allowed(?! to)|permitted(?! to)|ok(?:ay)?(?! to)|acceptable(?! to)|welcome"
    r"|wanted|tolerated|fine(?! to)|an option|on the table"
    r"|something (?:you|we|agents?)(?:['’]re| are)?(?: \w+)? ?(?:do|run|use|touch|call)?"
    r"|for you\b(?! to)|yours\b(?! to)|(?:for you |yours )?to (?:be )?(?P<to>[a-z]+)"
    r"|for (?P<use>[a-z]+ing)|(?=$|[,;!)]|[.](?:\s|$)))"
)
_LONE = (
    r"\s*[:?,–—-]+\s*(?:(?:absolutely|definitely|just|simply|please|again)\s+)*"
    r"(?:never|not|no way|nope?|don['’]?t|forbidden|banned|off[- ]limits)\b"
    r"(?=\s*(?:$|[!;,]|[.](?:\s|$)|(?:(?:ever|again|please)\b\s*)?"
    r"(?:(?:in|on|at|here|from|around|without|unless|for|by)\b(?!\s+(?:any\b|the\s+)?"
    r"[\ue200-\ue5ff`]))))"
)
_AFTER = (
    rf"(?P<bad>(?:\s+(?:is|are|as|stays?|remains?|counts as)|['’](?:s|re)){_ADVERBS}\s+{_BAD})"
    rf"|(?P<no_good>(?:\s+(?:is|are)){_NOT}{_ADVERBS}\s*{_GOOD})"
    rf"|(?P<passive>(?:\s+(?:must|should|may|can|shall|will|do(?:es)?|need)(?:\s+(?:not|never)"
    rf"|n['’]?t)|\s+cannot|\s+never){_ADVERBS}\s+(?:be|get){_ADVERBS}\s+(?P<done>[a-z]+))"
    rf"|(?P<kept>\s+(?:(?:must|should|has to|have to|needs? to|to)\s+)?(?:stays?|remains?"
    r"|(?:is|are|be) (?:left|kept|to stay))\s+(?:untouched|unchanged|intact|alone"
    r"|as[- ](?:is|they are|it is)|the way (?:it|they) (?:is|are))\b)"
    rf"|(?P<reserved>\s+(?:is|are)\s+(?:(?:only|reserved|there|meant)\s+)+for\s+{_PEOPLE}\b"
    rf"|\s+(?:is|are)\s+for\s+{_PEOPLE}\s+(?:only|alone|exclusively)\b)"
    rf"|(?P<only_if>\s+only(?=\s+(?:in|on|for|from|inside|within|against|under|if|when"
    r"|after|once)\b))"
    rf"|(?P<lone>{_LONE})"
)
_STRONG = (
    r"\b(?:never(?:,? ever)?|(?:do|does)(?: not|n['’`]?t)(?: ever)?|dont|doesnt"
    r"|must(?: not|n['’]?t)(?: ever)?|cannot|can['’]?t|should(?: not|n['’]?t)(?: ever)?"
    r"|may not|shall not|no longer|no more|nothing|under no circumstances|at no point"
    r"|won['’]?t|rather (?:you |agents |we )?(?:not|didn['’]?t)"
    rf"|(?:is|are|it['’]s|you['’]re|it is){_ADVERBS}\s+(?:forbidden|prohibited|banned|barred)"
    r" (?:to|from)|(?:forbidden|prohibited|banned|barred) (?:to|from)(?= \w+)"
    r"|(?:not|isn['’]?t|aren['’]?t) (?:(?:ok(?:ay)?|allowed|acceptable|fine|permitted"
    r"|supposed|meant|expected|your (?:job|place|task|business)) )?to(?! be\b)"
    r"|no business|but not(?= [a-z]+\b)|not (?:a single|any|one|even))\b"
)
_WEAK = (
    r"(?:(?<=^)|(?<=[.;:!?,\n(] )|(?<=[-–—*•] )|(?<=\*\*)|(?<=\bplease )|(?<=\band )"
    r"|(?<=\bnever )|(?<=\bto )|(?<=\blonger )|(?<=\bbut )|(?<=\bso )|(?<=\bmust )"
    r"|(?<=\bshould ))(?:avoid|stop|quit|refrain from|(?<!never )(?<!longer )(?<!to )(?:ban|skip))\b"
    r"(?=\s+(?:\w+ing\b|[^\x00-\x7f`\w]|(?:the|any)\b|\w+))"
)
_NO = (
    r"(?<!\bhas )(?<!\bhave )(?<!\bis )(?<!\bare )(?<!\bwith )(?<!\bthere['’]s )"
    r"(?<!\bsays )(?<!\bsay )(?<!\bif )(?<!\bor )(?<!\bin )(?<!\bby )(?<!\bneed )"
    r"(?<!\bgives )(?<!\bhad )(?<!\bneeds )(?<!\bto )(?<!\bof )(?<!\bmakes )"
    r"(?<![\w-])no(?![-\w])(?=\s+(?![a-z]+\s+(?:is|are|was|will|can|should|has|have"
    r"|needs?)\b|[^,.;:!?]{1,80}\s(?:should|must|may|can|is|are) (?!be (?:run|us|edit|chang|"
    r"modif|touch|delet|push|commit|merg|install|remov))[a-z])\S)"
)
_TOUCH = (
    r"\b(?:(?:keep )?(?:your )?(?:hands|fingers|paws|mitts) off|(?:keep|stay|steer)(?: well)? (?:out|away|clear)"
    r"(?: of| from)|lay off|(?:stay|keep) off)\b(?:\s+of\b)?"
)
_ONLY = (
    rf"\bonly {_PEOPLE}\s+(?:(?:may|can|should|must|gets? to|(?:is|are) allowed to|ever)"
    r"\s+)*(?=[a-z]+\b)|\bonly (?!you\b|in\b|on\b|if\b|when\b)[\w-]+(?: \w+)? (?:may|can"
    r"|gets? to|(?:is|are) allowed to)\s+"
    r"|\bno(?:body| one| agent)(?: (?:but|except)(?: for)? [\w-]+(?: team)?)?\b"
    r"(?:\s+(?:may|can|should|gets? to|ever|is allowed to|are allowed to))*"
)
_BEFORE = re.compile(
    rf"(?i)(?P<after>{_AFTER})|(?P<touch>{_TOUCH})|(?P<only>{_ONLY})"
    rf"|(?:{_STRONG}|{_WEAK}|(?P<no>{_NO}))(?:[\s:!*_]|\.(?=\s)|,(?=\s+(?:under|in|for) ))*"
)
_INSTEAD_OF = re.compile(
    r"(?i)(?:,|;|\s[-–—]|(?<=\w)|(?<=[\ue200-\ue5ff]))\s*(?:and )?\bnot\s+(?=\S)"
    r"|\b(?:instead of|rather than|as opposed to)\s+(?:(?:runn|us|call)ing\s+)?"
    r"|(?<=\S)\s+(?P<over>over|to)\s+(?:(?:plain|raw|bare)\s+)?(?=\S)"
)
_REFRAINS = re.compile(
    r"(?i)\s*(?:ever\s+)?(?:avoid|skip|ignor|refus|neglect|omit|bypass|forget|delay"
    r"|disregard|overlook|exclud|refrain|hesitat|miss|fail to|leav\w* out"
    r"|(?:need|have) to\b|worr|mind|matter|care|trust|document|describ|explain"
    r"|quote|assum|expect (?!you|any|an? )|know|rely on (?:me|us)|complain|panic|doubt"
    r"|go wrong|hurt|beat\b|wait\b)"
    r"\w*"
)
"""Verbs of not doing and of mere talk: "never skip tests/" forbids no use of them."""
_IDLE = re.compile(
    r"(?i)\s*(?:need|problem|point|matter|harm|doubt|sense|difference|rush|worr\w+|hurry"
    r"|reason|issue|wonder|idea|surprise|changes? needed)\b"
)
"""Words after "no" that leave the choice: "no need to run it"."""
_NOT_ALONE = re.compile(r"(?i)\s*(?:just|only|merely)\s")
"""What is not to be done alone is not forbidden: "do not just run the tests"."""
_HOOKS = re.compile(
    r"(?i)\s*(?:skip|bypass|ignor|disabl)\w*\s+(?:the\s+|any\s+)?(?:\S+\s+){0,2}?hooks?"
)
_REPORTED = re.compile(
    r"(?i)\b(?:(?<!is )(?<!are )(?<!be )used to|(?:people|they|some(?:one|body)?|everyone"
    r"|others|folks|he|she|wiki|docs?|article|blog|handbook|readme|manual|guide|post)"
    r"\s+(?:\w+\s+)?(?:says?|said|claim\w*|told|tells?|think\w*|suggest\w*|recommend\w*"
    r"|wrote|writes?|argue\w*)|last (?:week|month|year|time|sprint|quarter|night)"
    r"|yesterday|previously|formerly|historically|in the past|back then|ago"
    r"|at (?:my|our|the) (?:old|last|previous|former)|was|were|wasn['’]?t|weren['’]?t|had"
    r"|did(?:n['’]?t)?)\b(?!\s+(?:agreed|decided)\b)"
    r"|(?:\b(?:have|has)|['’]ve)\s+(?:never|not)\b"
)
"""Words of the past, and of what others say: no order."""
_VOID = re.compile(
    r"(?i)\b(?:(?:is|are|was) (?:now |long )?(?:outdated|obsolete|not true|no longer (?:true"
    r"|valid|needed|enforced|the case))|but (?:it|that|this)(?:['’]s| is) (?:\w+ )?"
    r"(?:fine|ok(?:ay)?|allowed))\b"
)
_SUBJECT_START = re.compile(
    r"[.!?;\n](?=\s)|\s[-–—]+\s|:\s|\b(?:but|so|because|since|while|whereas|though|that)\s"
    r"|,\s(?=[^,]*$)(?<=\b(?:is|ok|up|it|me|us) )"
)
_FINITE = re.compile(
    r"(?i)\b(?:is|are|has|have|runs?|lives?|wip\w+|break\w*|goes|gets?|happens|depends?"
    r"|needs?|use|prefer|always|uses|only|please|if|when|in|on|during|while|for|after|before)\b"
)
_LEADING = re.compile(
    r"(?i)\s*(?:(?:treat|consider|regard|please|so|and|also|mind that|note that|the|our|any|all|using|running"
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
    r"(?i)\b(run|use|push|post|deploy|send|write|install|commit|merge|connect|upload|format"
    r"|search|build|read|save|put|create|format)s?\b"
)
_MAIN_VERB = re.compile(
    r"(?i)(?:^|[.;:!?]\s+)\s*(?:(?:only|always|please|just|you|we|should|may|can|must)\s+)*"
    r"(?P<verb>[a-z]+)\b"
)
_ASKED = re.compile(
    rf"(?i)\s*(?:may|can|should|must|is|are)\s+(?P<subject>[^,.;]{{1,60}}?)\s+(?:(?:to )?be|get)"
    rf"{_ADVERBS}\s+(?P<done>[a-z]+)"
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
    rf"(?i)\bthe\s+(?P<task>{SPAN}|[\w:.-]+)\s+(?:target|task|recipe|goal|subcommand)\s+"
    rf"(?:of|in|from)\s+(?:the\s+)?(?P<program>{SPAN}|gradle|make|just|rake|mvn|ant)\b"
)
"""A task named before its program: "the clean target of make"."""
_DEMAND = re.compile(
    r"(?i)(?<![\w-])(?:(?:use|using|prefer|go(?:ing)? through|instead[:,]?|always)"
    r"|(?P<weak>run|running|call|with|via|through|by|only))\s+(?!of\b)"
)
_ALLOWED = re.compile(
    r"(?i)(?:^|[.,;:!?(]\s|\b(?:but|and|so)\s)(?P<what>[^.,;:!?(]{1,80}?)\s+(?:is|are)\s+"
    r"(?:(?:always|perfectly|totally|still)\s+)?(?:fine|ok(?:ay)?|allowed|good|preferred"
    r"|the way(?: to go)?|encouraged|welcome)\b"
)
_CLAUSE_START = re.compile(r"(?:[.,;:(–—]|\s-|\bonly)\s*\Z")
_INSTEAD = re.compile(r"(?i)[^,.;:]{0,80}\binstead\b")
"""A demand after a ban: "never run x, run y instead"."""
_IS_BANNED = re.compile(r"\s*(?:\w+\s+)?")
"""At most one word between the words that forbid and a verb: it is forbidden."""
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|;\s")
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
    r"(?i)(?:\s|\b(?:anything|files?|code|in|under|inside|within|below|from|the|all|folder"
    r"|directory|file|everything|an?|any|our|your)\b)*"
)
"""Words before a path that say nothing of it."""


class _Reader:
    """One pass over the words of a rule that forbid."""

    def __init__(self, text: str, codes: tuple[str, ...]) -> None:
        self.text = text
        self.codes = codes
        self.cues = list(_BEFORE.finditer(text))

    def bans(self) -> Iterator[Ban]:
        for number, cue in enumerate(self.cues):
            following = self.cues[number + 1 :][:1]
            end = following[0].start() if following else len(self.text)
            rest = self.text[cue.end() : end]
            doubled = number > 0 and self.cues[number - 1].end() == cue.start()
            if not self._is_order(cue, rest) or (following and end == cue.end()):
                continue  # in "never avoid" the second word forbids
            if doubled and re.match(r"(?i)avoid|stop|refrain|skip", cue[0]):
                continue
            ban = self._of_subject(cue, rest) if cue["after"] else self._ban(cue, rest)
            if ban:
                yield ban
        yield from self._replaced_ones()

    def _is_order(self, cue: re.Match[str], rest: str) -> bool:
        """Return False for what is reported, past, asked or not to be left out."""
        sentence = _end(self.text, cue.end())
        if self.text[sentence : sentence + 1] == "?" and "?" not in cue[0]:
            return False
        clause = re.split(r"[.;!?\n:]\s|,\s|\sso\s|\sbut\s", self.text[: cue.start()])[-1]
        told = _REPORTED.search(f"{clause}{cue[0]}{' '.join(rest.split()[:1])}")
        if told and not cue[0].lower().startswith("rather"):
            return False
        if _VOID.search(self.text, cue.end(), sentence):
            return False
        if cue["after"]:
            return True
        return not (
            _NOT_ALONE.match(rest)
            or (cue["no"] and _IDLE.match(rest))
            or (_REFRAINS.match(rest) and not _HOOKS.match(rest))
        )

    def _ban(self, cue: re.Match[str], rest: str) -> Ban:
        """Return the ban of what follows words that forbid."""
        about = self.text[: cue.start()]
        subject = _SUBJECT.search(about)
        used = _USED.match(rest) if subject else None
        before = "" if used else _condition_before(about)
        whole = _completed(rest, about)
        before = "" if whole.endswith(rest.lstrip()) and whole != rest else before
        asked, option = _ASKED.match(whole), _WITH_OPTION.match(whole)
        after = self.text[cue.end() + len(rest) :]
        after = "" if _SENTENCE_END.search(rest) else after[: _end(after, 0)]
        if used and subject:
            whole = f"run {subject['name']}{whole[used.end() :]}"
        elif asked:
            whole = f"{asked['done']} {asked['subject']}{whole[asked.end() :]}"
        elif option and self._code(option["option"]).startswith("-"):
            whole = f"run {option['command']} {option['option']}{whole[option.end() :]}"
        whole = _TASK_OF.sub(self._task, whole, count=1)
        whole = f"touch {whole}" if cue["touch"] else whole
        is_noun = cue["no"] is not None
        return Ban(whole, self.codes, before, after, is_noun, about=about)

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
        after = self.text[cue.end() + len(rest) :][: _end(self.text, cue.end())]
        after = "" if _SENTENCE_END.search(rest) else after[: _end(after, 0)]
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
        start = max((m.end() for m in _SUBJECT_START.finditer(self.text, 0, end)), default=0)
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
        for other in _INSTEAD_OF.finditer(self.text):
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
            return programs[0] and (bool(prefers) or (all(programs) and other["over"] == "over"))
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
    cues = [*before, *_INSTEAD_OF.finditer(text)]
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


def _end(text: str, start: int) -> int:
    """Return the end of the sentence that a position is in."""
    end = _SENTENCE_END.search(text, start)
    return end.start() if end else len(text)


def _condition_before(text: str) -> str:
    """Return the condition before a ban: "In CI, never …"."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    sentence = text[ends[-1] :] if ends else text
    found = _CONDITION.search(sentence)
    condition = _ADDRESSED.sub("", sentence[found.start("text") :]) if found else ""
    return "" if _STANDING.fullmatch(condition) else condition
