"""Which words of a text may not change without its meaning changing.

Numbers with their units, versions, identifiers, names and negations are the
*marks* of a text. Two texts that read alike without their marks, and whose
marks differ, contradict each other.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.memories.sentences import statements
from toolmem.core.search.terms import SPACELESS, fold, stem_of, words

_STAMP = re.compile(
    r"[(\[]?\b(?:last\s)?(?:updated|edited|modified|reviewed|verified|checked|"
    r"as of|noted|saved|recorded)(?:\s(?:on|at))?:?\s"
    r"\d{4}-\d\d-\d\d(?:[T\s]\d\d:\d\d(?::\d\d)?Z?)?[)\]]?",
    re.IGNORECASE,
)
_AROUND = "()[]{}\"'“”‘’`*,;:!?…<>|，。、；：！？（）「」『』《》【】"
_COMPARISON = re.compile(r"(<=|>=|[!=]==?|[<≤≥≠]|>(?=.))(?=[-+]?[.\d$€£]|$)")
"""A sign by itself or before a number; a lone ``>`` is a quote or a menu's."""
_SAME_SIGN = {"≤": "<=", "≥": ">=", "≠": "!=", "===": "==", "!==": "!="}
_NO_SPACES = re.compile(rf"([{SPACELESS}]+)")
_IDENTIFIER = re.compile(
    r"-{1,2}\w|.*[_/\\@=|~$&^%+]|.*\w[.:#]\w|.*[a-z][A-Z]|\.\w|\w+#$"
)
_GENITIVE = re.compile(r"['’]s?$")
_QUANTITY = re.compile(r"([-+]?[\d.,]*\d)([a-zA-Z%°µ]*)$")
_UNITS = {
    unit: names[0]
    for names in (
        ("ms", "millisecond", "milliseconds", "msec"),
        ("s", "sec", "secs", "second", "seconds"),
        ("min", "mins", "minute", "minutes"),
        ("h", "hr", "hrs", "hour", "hours"),
        ("d", "day", "days"),
        ("week", "weeks"),
        ("month", "months"),
        ("year", "years"),
        ("%", "percent"),
        ("b", "byte", "bytes"),
        ("kb", "kilobyte", "kilobytes"),
        ("mb", "megabyte", "megabytes"),
        ("gb", "gigabyte", "gigabytes"),
        ("tb", "terabyte", "terabytes"),
        ("kib",),
        ("mib",),
        ("gib",),
        ("px", "pixel", "pixels"),
        ("hz",),
        ("khz",),
        ("mhz",),
        ("ghz",),
        ("token", "tokens"),
        ("line", "lines"),
        ("char", "chars", "character", "characters"),
    )
    for unit in names
}
_COUNTED = "two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: str(value) for value, word in enumerate(_COUNTED.split(), 2)}
NEGATION = "not"
"""The mark of every negation."""
_NEGATING = """
    not no never none neither nor nothing nobody nowhere cannot without non
    cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt
    mustnt havent hasnt hadnt
    nicht kein keine keinen keiner nie niemals ohne pas jamais aucun aucune
    nunca jamas ningun ninguna nao не нет никогда нельзя
    不 没 沒 勿 别 別 未 無 无 非 禁 ない せん 안 않 못 없
"""
_NEGATIONS = frozenset(_NEGATING.split())
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_BETWEEN = "before after over than to into onto from under above"
_RELATIONS = frozenset(_BETWEEN.split())
_SUBJECT_VERBS = """
    is was has had will would can could does did said says told asked wants likes
    loves hates enjoys prefers uses owns works lives needs thinks believes knows
    manages leads runs maintains reviews approves handles requires supports
    returns expects gets takes makes writes reads sends
"""
_VERBS = frozenset(_SUBJECT_VERBS.split())
_OPENING = """
    a all also always an any as at both by do each every everyone everything for
    from he her here his how i if in it its make many most my new no not note
    nothing now of on one only or other our see she so some someone something that
    the their then there these they this those to use we what when where which who
    why with you your
"""
_NOT_A_NAME = frozenset(_OPENING.split())
_CONTRARY = """
    enable/disable allow/deny allow/forbid allow/disallow permit/forbid on/off
    true/false yes/no before/after add/remove start/stop open/close
    increase/decrease include/exclude accept/reject up/down left/right
    min/max minimum/maximum first/last push/pull import/export
    upload/download lock/unlock mount/unmount public/private
    sync/async required/optional mandatory/optional
    ascending/descending success/failure pass/fail more/less above/below
    over/under inbound/outbound input/output read/write encrypt/decrypt
    install/uninstall local/remote development/production staging/production
    always/sometimes all/none early/late even/odd must/may internal/external
    recommended/discouraged encouraged/discouraged prefer/avoid use/avoid
    love/hate good/bad works/fails keep/drop supported/deprecated
    safe/dangerous
"""
_OPPOSITES = tuple((pair, *map(stem_of, pair.split("/"))) for pair in _CONTRARY.split())
_UN = ("un", "in", "im", "ir", "dis", "non", "de", "mis", "a")


class ComparisonToken(NamedTuple):
    """One word: as compared, and the mark it is, if it is one.

    ``segment`` numbers the statement that it stands in.
    """

    word: str
    mark: str
    segment: int


def read(text: str, names: frozenset[str] = frozenset()) -> list[ComparisonToken]:
    """The words of a text; those in ``names`` are marks wherever they stand."""
    found: list[ComparisonToken] = []
    for number, statement in enumerate(statements(_STAMP.sub(" ", text))):
        raw = _cores(statement)
        for before, core, after in zip(["", *raw], raw, [*raw[1:], ""], strict=False):
            if fold(core) in _UNITS and _is_number(before):
                continue
            found += _tokens(core, after, names, number)
    return found


def names_in(*texts: str) -> frozenset[str]:
    """Words that these texts write as names, folded.

    A name has a capital where a sentence gives it none, or is the subject of
    its first verb, and nowhere stands without one. A text whose words mostly
    have capitals says nothing.
    """
    named: set[str] = set()
    lower: set[str] = set()
    for text in texts:
        inner: list[str] = []
        for statement in statements(text):
            cores = [core for piece in statement.split() if (core := _core(piece))]
            spoken = [_GENITIVE.sub("", core) for core in cores if core[0].isalpha()]
            inner += spoken[1:]
            if len(spoken) > 1 and spoken[1] in _VERBS and spoken[0][0].isupper():
                named.add(fold(spoken[0]))
        capital = {word for word in inner if word[0].isupper()}
        lower.update(fold(word) for word in inner if not word[0].isupper())
        if 2 * sum(word[0].isupper() for word in inner) <= len(inner):
            named.update(map(fold, capital))
    return frozenset(named) - lower - _NOT_A_NAME


def marks(tokens: Iterable[ComparisonToken]) -> Counter[str]:
    """How often each mark stands in a text."""
    return Counter(token.mark for token in tokens if token.mark)


def _cores(statement: str) -> list[str]:
    """The words of a statement without the signs around them, and comparisons."""
    found = []
    pieces = statement if statement.isascii() else _NO_SPACES.sub(r" \1 ", statement)
    for piece in pieces.split():
        if sign := _COMPARISON.match(piece):
            found.append(_SAME_SIGN.get(sign[0], sign[0]))
            piece = piece[sign.end() :]
        if core := _core(piece):
            found.append(core)
    return found


def _core(piece: str) -> str:
    core = piece.strip(_AROUND).rstrip(".")
    return core if any(letter.isalnum() for letter in core) else ""


def _tokens(
    core: str, after: str, names: frozenset[str], segment: int
) -> list[ComparisonToken]:
    if _COMPARISON.match(core) or core == ">":
        return [ComparisonToken(core, core, segment)]
    folded = fold(core)
    plain = folded.replace("’", "'")
    bare = plain.replace("'", "")
    if bare in _NEGATIONS or plain.endswith("n't"):
        verb = bare.removesuffix("not").removesuffix("nt") if len(bare) > 3 else ""
        negation = ComparisonToken(NEGATION, NEGATION, segment)
        spoken = _CONTRACTED.get(verb, verb)
        return (
            [ComparisonToken(spoken, "", segment), negation] if spoken else [negation]
        )
    if any(letter.isdigit() for letter in core) or folded in _NUMBERS:
        return [_quantity(folded, fold(after), segment)]
    if _IDENTIFIER.match(core):
        kept = core if core[0] == "-" and len(core) <= 3 else folded
        return [ComparisonToken(kept, kept, segment)]
    found = []
    for word in words(_GENITIVE.sub("", core).lower()):
        mark = NEGATION if word in _NEGATIONS else word if word in names else ""
        found.append(ComparisonToken(word, mark, segment))
    return found


def _is_number(core: str) -> bool:
    folded = fold(core)
    return folded in _NUMBERS or folded.replace(".", "").replace(",", "").isdecimal()


def _quantity(folded: str, after: str, segment: int) -> ComparisonToken:
    value = _NUMBERS.get(folded, folded)
    if match := _QUANTITY.match(value.removeprefix("v")):
        unit = match[2] or (after if after in _UNITS else "")
        value = match[1].replace(",", "") + _UNITS.get(unit, unit)
    return ComparisonToken(value, value, segment)


def opposites(
    ours: list[ComparisonToken], theirs: list[ComparisonToken]
) -> tuple[str, ...]:
    """Words that only one text has, where only the other has their opposite."""
    words = {stem_of(token.word): token.word for token in (*ours, *theirs)}
    here = {stem_of(token.word) for token in ours}
    there = {stem_of(token.word) for token in theirs}
    here, there = here - there, there - here
    found = set()
    for pair, word, against in _OPPOSITES:
        if (word in here and against in there) or (against in here and word in there):
            found.add(pair)
    negated = there & {prefix + word for word in here for prefix in _UN}
    negated |= here & {prefix + word for word in there for prefix in _UN}
    found.update(words[term] for term in negated)
    return tuple(sorted(found))


def swapped(
    ours: list[ComparisonToken], theirs: list[ComparisonToken]
) -> tuple[str, ...]:
    """Words that stand in each other's place: "tabs over spaces" and back.

    Either another word stands between the same two neighbours, though both
    texts have both words; or a statement of the same words has some of them
    on the other side of a "before" or "over". Moved statements do not count.
    """
    if turned := _turned(ours, theirs):
        return tuple(sorted(turned))
    one, other = _places(ours), _places(theirs)
    both = {token.word for token in ours} & {token.word for token in theirs}
    found: set[str] = set()
    for place in one.keys() & other.keys():
        left, right = one[place] - other[place], other[place] - one[place]
        moved = left.keys() | right.keys()
        if left and right and both >= moved:
            found |= moved
    return tuple(sorted(found))


def _turned(ours: list[ComparisonToken], theirs: list[ComparisonToken]) -> set[str]:
    known = {tuple(sorted(one)): one for one in _statements(theirs)}
    found: set[str] = set()
    for one in _statements(ours):
        other = known.get(tuple(sorted(one)), one)
        for word in _RELATIONS.intersection(one):
            here, there = one.index(word), other.index(word)
            to_right = set(one[:here]) & set(other[there + 1 :]) - set(other[:there])
            to_left = set(one[here + 1 :]) & set(other[:there]) - set(one[:here])
            if to_right and to_left:
                found |= to_right | to_left
    return found


def _statements(tokens: list[ComparisonToken]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for token in tokens:
        found.setdefault(token.segment, []).append(token.word)
    return list(found.values())


def _places(tokens: list[ComparisonToken]) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for before, token, after in zip(
        tokens, tokens[1:], [*tokens[2:], None], strict=False
    ):
        if before.segment == token.segment:
            ends = after is None or after.segment != token.segment
            place = (before.word, "" if ends or after is None else after.word)
            found.setdefault(place, Counter())[token.word] += 1
    return found
