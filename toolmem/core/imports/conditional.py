"""Take the rules out of a text, each with the conditions that it has in the text."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.decree import BACK
from toolmem.core.capture.detect.candidates import Candidate, find_candidates
from toolmem.core.capture.text.words import tokenize, word_set
from toolmem.core.guard.derive import derive_guards
from toolmem.core.imports.conditions import (
    LIMITS,
    FileContext,
    Meaning,
    introduces,
    meaning,
    reports,
    retracts,
    split_ban,
    with_conditions,
)
from toolmem.core.imports.items import RuleItem
from toolmem.core.imports.limiting import (
    MOST_LIMITS,
    LimitingSentences,
    introductions,
)
from toolmem.core.imports.outline import OutlineLine, Parent, outline
from toolmem.core.imports.ruled import Toolbox, tools_ruled
from toolmem.core.model import ANY_TOOL, Action
from toolmem.core.text.safetext import one_line

_TAG_LINE = re.compile(r"^[ \t]*</?[A-Za-z][\w.:-]*(?:[ \t][^<>\n]*)?>[ \t]*$", re.M)
_ALERT = re.compile(r"^[ \t]*>[ \t]*\[![A-Z]+\].*(?:\n[ \t]*>.*)*", re.M)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![A-Z]+\][ \t]*)?", re.M)
_STRUCK = re.compile(r"(?<!~)~~(?!~)(?:[^~\n]|\n(?![ \t]*\n))+~~(?!~)")
_STRONG = re.compile(r"\*\*|__(?=\w)|(?<=\w)__(?!\w)")
_MARKER = re.compile(r"^[\s>]*(?:[-*+•]|\d{1,3}[.)])?[\s*_]*(?:\[[ xX]\]\s+)?[*_]*")
_LEFT = re.compile(r"^[\s\-*+>.\d()\[\]_#:,;!?|✅❌⚠️]*$")
_HEAD = re.compile(
    r"(?:[(\[](?P<aside>[^()\[\]\n]{2,120})[)\]]:?\s+|"
    r"(?P<head>(?:`[^`\n]{1,80}`|[^:`\n]){1,120}?)(?::|\s[-–—])\s+)(?=\S)"
)
"""Words before the sentence itself: "Production: never …", "(CI only) never …"."""
_BACK_REFERENCE = re.compile(
    r"(?i)(?:then|otherwise|else|instead|in (?:that|this|such|those|these) cases?|if so"
    r"|if not|in (?:that|this) situation|there|here|for (?:those|these|that|this))\b"
)
"""Beginnings that refer to a condition in the sentence before."""
_THEN = re.compile(r"(?i)(?:\A|(?<=\n\n))then\b,?[ \t]+")
"""A word that a block begins with: it is an order, or none, without it."""
_POINTS_BACK = re.compile(
    r"(?i)(?:never|do not|don['’]?t|avoid|always|only|must not)\s+[\w-]+\s+"
    r"(?:(?:to|on|in|into|with|for|from)\s+)?(?:it|them|this|that|these|those)\b(?!\s+\w)"
)
"""A sentence whose object is named in the one before: "never commit it"."""
_NO_LONGER = re.compile(r"(?i)\bno longer\b")
_ENCOURAGES = re.compile(
    r"(?i)(?:never|do not|don['’]?t)\s+(?:ever\s+)?"
    r"(?:just|only|merely|forget|hesitate|fail|neglect|be afraid|be shy|worry)\b"
)
"""A negated omission or fear, which forbids nothing."""
_IF = re.compile(r"(?i)(?:if|when|whenever|while|until|once|unless|before|after)\b")
_HABITS = word_set("always whenever everytime strictly exclusively")
_ORDERS = word_set("use prefer only run must ensure")
"""First words of an order."""
_DEMANDS = re.compile(r"(?i)(?:always|use|prefer|run|only|must|ensure|please)\b")
_OWN_BAN = re.compile(
    r"(?i)\b(?:never|do not|don['’]?t|avoid|must not|mustn['’]t|cannot|no|not|forbidden"
    r"|prohibited|stop)\b"
)
_STATED = re.compile(
    r"(?i)\b(?:(?:is|are|was|were)(?: not|n['’]t)"
    r"(?! (?:\w+ly )?(?:allowed|permitted|acceptable|ok(?:ay)?|to)\b)"
    r"|(?:has|have) no"
    r"|may not (?:work|be|have|need|exist|apply|support))\b|\bnot (?=[`\"“(])"
)
"""Words that say what is not so, which forbids nothing: "forks may not work"."""
_DESCRIBED = re.compile(
    r"(?i)(?!(?:you|we|they|agents?|assistants?|developers?|contributors?|everyone"
    r"|please|also|and|or|so|but|then|ever|to)\b)"
    r"(?:[\w-]+ ){1,3}(?:does|do)(?: not|n['’]t) (?!ever\b)\w"
)
"""A subject and what it does not do: "edge functions do not run for …"."""
_ASIDE = re.compile(r"\([^()]*\)")


class _Extract(NamedTuple):
    """A rule, the span of its text, and the parents that are in it."""

    rule: RuleItem
    start: int
    end: int
    parents: tuple[Parent, ...]


def take_rules(
    text: str, first_line: int, box: Toolbox, context: FileContext | None = None
) -> tuple[list[RuleItem], str]:
    """Return the rules of a text, and the text without the lines of rules only."""
    taken = list(_take(text, first_line, box, context or FileContext()))
    spans = [(rule.start, rule.end) for rule in taken]
    parents = {parent for rule in taken for parent in rule.parents}
    return [rule.rule for rule in taken], _without_lines(text, spans, parents)


def _take(
    text: str, first_line: int, box: Toolbox, context: FileContext
) -> Iterator[_Extract]:
    shown = _as_prose(text)
    places = outline(shown)
    shown = _STRUCK.sub(_blank, _TAG_LINE.sub(_blank, shown))
    starts = _line_starts(shown)
    scopes = LimitingSentences(shown.split("\n"), places)
    line = done = 0
    for find in _candidates(shown):
        line += shown.count("\n", done, find.start)
        done = find.start
        place = places[line]
        first = starts[max(place.block, 0)]
        cut = max(first, find.start - 2 * limits.RULE_CHARS)
        block = shown[cut : find.start]
        begin, before = _unfinished(block) if place.block >= 0 else (0, "")
        beginning = shown[first : min(find.start, first + limits.RULE_CHARS)]
        label = _label(beginning) if place.block >= 0 and not before else ""
        limiting = scopes.of(line)
        if len(limiting) > MOST_LIMITS:
            continue  # longer than a rule may be
        said = [*limiting, *introductions(block[:begin] if before else block)]
        said += filter(None, (label, before))
        if scopes.limits_back(line, shown[find.end : find.end + limits.RULE_CHARS]):
            continue
        taken = _rule(find, said, place, box, context)
        if taken is not None:
            start = cut + begin if before else find.start
            quoted = one_line(text[start : find.sentence.end])
            rule = taken._replace(line=first_line + line, sentence=quoted)
            yield _Extract(rule, start, find.end, place.parents)


def _candidates(shown: str) -> list[Candidate]:
    """Return the candidates in their order, read without a "then" before them."""
    words = {match.end(): match[0] for match in _THEN.finditer(shown)}
    bare = _THEN.sub(lambda then: "\n" * len(then[0]), shown)
    candidates = []
    for find in find_candidates(bare):
        word = words.get(find.start, "")
        start, text = find.start - len(word), word + find.text
        candidates.append(find._replace(start=start, text=text))
    return sorted(candidates, key=lambda candidate: candidate.start)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _unfinished(block: str) -> tuple[int, str]:
    """Return the beginning of a sentence in the lines above its rule, and its offset.

    "If the build is red," above "then never deploy".
    """
    ends = [match.end() for match in re.finditer(r"[.!?。](?:[\s*_)\"']|$)", block)]
    at = ends[-1] if ends else 0
    rest = block[at:]
    plain = _MARKER.sub("", rest)
    said = one_line(plain).strip(" *_")
    if not any(char.isalnum() for char in said):
        return 0, ""
    if said.endswith(";") and not _IF.match(said):
        return 0, ""
    return at, said.rstrip(" ,;:")


def _label(block: str) -> str:
    """Return the label at the beginning of a block: "Production: …"."""
    plain = _MARKER.sub("", block)
    head = _HEAD.match(_STRONG.sub("", plain))
    label = (head["aside"] or head["head"] or "").strip(" *_") if head else ""
    return "" if re.search(r"[.!?]\s", label) else label


def _is_incomplete(sentence: str) -> bool:
    """Return True for a sentence that another one explains: "never commit it"."""
    return bool(_NO_LONGER.search(sentence) or _POINTS_BACK.match(sentence))


def _rule(
    find: Candidate,
    said: Sequence[str],
    place: OutlineLine,
    box: Toolbox,
    context: FileContext,
) -> RuleItem | None:
    """Return the rule of a candidate under its conditions; its line is set later."""
    sentence = _STRONG.sub("", one_line(find.text)).strip(" *_")
    if _is_incomplete(sentence) or _ENCOURAGES.search(sentence):
        return None
    if find.kind == BACK or place.table or not sentence or sentence.endswith(":"):
        return None
    remarks = [parent.text for parent in place.parents if parent.kind == "remark"]
    if any(map(retracts, (*said, *remarks, sentence))) or reports(sentence):
        return None
    if not _is_order(find):
        return None
    above = [*context.titles]
    above += [parent.text for parent in place.parents if parent.kind != "remark"]
    above += filter(introduces, remarks)
    above += said
    if _BACK_REFERENCE.match(sentence) and not any(map(_IF.match, above[-1:])):
        return None
    ban = find.kind == "ban" or _OWN_BAN.search(sentence) is not None
    head = _HEAD.match(sentence)
    own = (head["aside"] or head["head"] or "").strip(" *_") if head else ""
    if head and own and not _OWN_BAN.search(own) and not _DEMANDS.match(own):
        above.append(own)
        sentence = sentence[head.end() :]
    read = _read(above, sentence, context)
    if read is None or (read.needs_ban and not ban):
        return None
    bans = read.bans and not _OWN_BAN.match(sentence)
    polarity = "ban" if bans or find.kind == "ban" else "demand"
    conditions = (*read.conditions, *context.conditions)
    text = with_conditions(conditions, sentence, ban=bans)
    tools = tools_ruled(with_conditions((), sentence, ban=bans), polarity, box)
    if not tools or len(text) > limits.RULE_CHARS:
        return None
    if _denies(text, with_conditions(conditions, "", ban=False), tools, polarity):
        return None
    return RuleItem(text, tools, polarity, 0, "")


class _Effect(NamedTuple):
    conditions: tuple[str, ...]
    bans: bool
    needs_ban: bool


def _read(above: Sequence[str], sentence: str, context: FileContext) -> _Effect | None:
    """Return the conditions in the texts above a sentence; None if it is no rule."""
    conditions = []
    bans = needs_ban = False
    for text in above:
        sense = meaning(text, sentence, context.names)
        if sense is Meaning.VOID:
            return None
        text, led = split_ban(text) if sense is Meaning.LIMIT else (text, False)
        bans = bans or led or sense is Meaning.BAN
        needs_ban = needs_ban or sense is Meaning.ORDER
        if sense in (Meaning.LIMIT, Meaning.ORDER):
            conditions.append(text)
    return _Effect(tuple(conditions), bans, needs_ban)


def _denies(text: str, head: str, tools: Sequence[str], polarity: str) -> bool:
    """Return True if a guard of a rule would ignore the conditions at its head."""
    return any(
        guard["action"] == Action.DENY.value
        and not str(guard.get("note", "")).startswith(head.strip(": "))
        for tool in (*tools, ANY_TOOL)
        for guard in derive_guards(text, tool, polarity)
    )


def _is_order(find: Candidate) -> bool:
    if find.kind == "ban":
        text = _ASIDE.sub("", find.text)
        left = _STATED.sub("", text)
        if _DESCRIBED.match(_MARKER.sub("", text)) and not LIMITS.match(left):
            return False
        if _OWN_BAN.search(find.text) and not _OWN_BAN.search(text):
            return False
        return left == text or _OWN_BAN.search(left) is not None
    words = [token.word for token in tokenize(find.text)]
    return bool(_HABITS & set(words) or _ORDERS & set(words[:1]))


def _as_prose(text: str) -> str:
    """Return the text without the marks of alerts, with all offsets unchanged."""
    return _ALERT.sub(lambda alert: _QUOTED.sub(_blank, alert[0]), text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _without_lines(
    text: str, spans: Sequence[tuple[int, int]], parents: set[Parent]
) -> str:
    """Remove the lines that consist of the spans only, and parents of nothing else."""
    lines = text.split("\n")
    starts = _line_starts(text)
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    drop = set()
    for at, line in enumerate(lines):
        begin = starts[at]
        mine = covered[begin : begin + len(line)]
        left = "".join(c for c, taken in zip(line, mine, strict=True) if not taken)
        if any(mine) and _LEFT.match(left) and "```" not in left:
            drop.add(at)
    _drop_alone(text, lines, parents, drop)
    return "\n".join(line for at, line in enumerate(lines) if at not in drop)


def _drop_alone(
    text: str, lines: Sequence[str], parents: set[Parent], drop: set[int]
) -> None:
    """Drop the introductions and items of rules that have nothing else below them."""
    places = outline(_as_prose(text))
    left = Counter(
        parent
        for at, place in enumerate(places)
        if at not in drop and any(char.isalnum() for char in lines[at])
        for parent in place.parents
        if at >= parent.end
    )
    for parent in sorted(parents, key=lambda item: -item.start):
        if parent.kind not in ("tag", "remark") and not left[parent]:
            own = range(parent.start, parent.end)
            drop.update(own)
            for at in own:
                left.subtract(places[at].parents)
