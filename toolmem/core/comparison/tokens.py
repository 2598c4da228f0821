"""Tokenize a statement for comparison.

Numbers have their sign and unit, identifiers their case, and operators between operands
are tokens. Ordinary words are folded and lose a plural or third-person s.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.comparison.grammar import (
    ACRONYMS,
    AUXILIARIES,
    BRANDS,
    DETERMINERS,
    FUNCTION_WORDS,
    SAME_FORM,
)
from toolmem.core.comparison.variants import CONTRACTED, NEGATIONS, NUMBERS, UNITS
from toolmem.core.search.terms import SPACELESS, fold, is_spaceless, words

NEGATION = "not"
"""Key of every negation."""
WORD, NUMBER, NAME, CODE, OPERATOR, DASH = "word number name code operator dash".split()
_AROUND = "()[]{}\"'“”‘’`,;:!?…<>|，。、；：！？（）「」『』《》【】*"
_OPERATORS = {
    "<": "<",
    "<=": "<=",
    "≤": "<=",
    "=<": "<=",
    ">": ">",
    ">=": ">=",
    "≥": ">=",
    "=": "=",
    "==": "==",
    "===": "==",
    "!=": "!=",
    "!==": "!=",
    "≠": "!=",
    "<>": "!=",
    "+": "+",
    "&&": "&&",
    "||": "||",
    "%": "%",
    "^": "^",
    "**": "**",
    "//": "//",
    "×": "*",
    "÷": "/",
    "·": "*",
    "+=": "+=",
    "-=": "-=",
    ":=": ":=",
    "!": "!",
    "~": "~",
}
_DASHES = {
    "-": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "*": "*",
    "/": "/",
    "|": "|",
    "&": "&",
    "•": "•",
    "->": "->",
    "→": "->",
    "=>": "->",
    "#": "#",
}
"""Signs that may be punctuation: an added one means nothing by itself."""
_LEADING = re.compile(r"(<=|>=|[!=]==?|[<≤≥≠=]|>(?=.))(?=[-+]?[.\d$€£])")
_IDENTIFIER = re.compile(
    r"-{1,2}\w|[^*]*[_/\\@=|~$&^%+<>]|[^*]*\w\*+\w|.*[a-z][A-Z]|.*[A-Z]{2}[a-z]{2}"
    r"|.*\w[.:#]\w|\.\w|\w+#$"
)
_VALUED = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*)(==?|!=|<=|>=|<|>|\+=|-=|:=)(.+)")
_GENITIVE = re.compile(r"['’]s?$")
_QUANTITY = re.compile(r"([-+−]?[$€£]?[\d.,]*\d)([a-zA-Z%°µ]*)$")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_NO_SPACES = re.compile(rf"([{SPACELESS}]+)")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=[^\s*_])([^*_\n]+?)\1(?![\w*_])")
_CODE = re.compile(r"`+([^`\n]+)`+")
_STRESSED = ("ed", "ing", "ly", "ways")
"""Endings of words that people capitalise for emphasis, and that no name has."""
_ONE_LETTER = frozenset("sdhbmgvwal")
"""Units that are also words or names if a blank precedes them."""
_CONTRACTIONS = {"'re": "is", "'m": "is", "'ve": "have", "'ll": "will", "'d": "would"}


class ComparedToken(NamedTuple):
    """One word or sign of a statement.

    ``key`` is compared, ``word`` is the folded spelling, ``kind`` one of the constants
    above. ``ends`` is the punctuation after it, ``article`` is True after a determiner,
    ``capital`` if it is capitalised.
    """

    key: str
    word: str
    kind: str = WORD
    ends: str = ""
    article: bool = False
    capital: bool = False


def tokens_of(statement: str) -> tuple[ComparedToken, ...]:
    """Read one statement, without markdown before it."""
    quoted: set[str] = set()
    if "`" in statement:
        quoted.update(w for code in _CODE.findall(statement) for w in code.split())
        statement = _CODE.sub(r" \1 ", statement)
    if "*" in statement or "_" in statement:
        statement = _EMPHASIS.sub(r"\2", statement)
    if not statement.isascii():
        statement = _NO_SPACES.sub(r" \1 ", statement)
    pieces = _pieces(statement)
    shouted = _is_shouted(pieces)
    found: list[ComparedToken] = []
    skip = False
    for at, (core, ends) in enumerate(pieces):
        if skip:
            skip = False
            found[-1] = found[-1]._replace(ends=ends)
            continue
        after = pieces[at + 1][0] if at + 1 < len(pieces) and not ends else ""
        read, skip = _read(core, after, shouted, core in quoted)
        if core == "A" and found and _ends_a_name(after):
            read = [ComparedToken(core, "a", CODE, capital=True)]
        if read and ends:
            read[-1] = read[-1]._replace(ends=ends)
        if read and found and _is_determiner(found[-1]):
            read[0] = read[0]._replace(article=True)
        found += read
    return tuple(found)


def _ends_a_name(after: str) -> bool:
    """Return True if the word after an A makes it a name: "kiln A fires at night"."""
    return not after or after in AUXILIARIES or light(after) != after


def is_label(token: ComparedToken) -> bool:
    """Return True if a token is the A of "vitamin A" and not an article."""
    return token.word == "a" and token.kind == CODE


def _is_determiner(token: ComparedToken) -> bool:
    return token.word in DETERMINERS and not is_label(token)


def _pieces(statement: str) -> list[tuple[str, str]]:
    """Return the words and signs of a statement, each with the punctuation after it."""
    found: list[tuple[str, str]] = []
    for piece in statement.split():
        if piece in _OPERATORS or piece in _DASHES:
            found.append((piece, ""))
            continue
        if sign := _LEADING.match(piece):
            found.append((sign[0], ""))
            piece = piece[sign.end() :]
        core = piece.strip(_AROUND).rstrip(".")
        if not any(letter.isalnum() for letter in core):
            if found and piece[-1:] in ",;:":
                found[-1] = (found[-1][0], piece[-1])
            continue
        ends = next((s for s in piece[::-1] if s in ",;:，；："), "")
        found.append((core, ends if piece.endswith((ends, ends + "`")) else ""))
    return found


def _is_shouted(pieces: list[tuple[str, str]]) -> bool:
    long = [core for core, _ in pieces if len(core) > 1 and core.isalpha()]
    return len(long) > 1 and 2 * sum(core.isupper() for core in long) > len(long)


def _read(
    core: str, after: str, shouted: bool, quoted: bool
) -> tuple[list[ComparedToken], bool]:
    """Return the tokens of one piece; True if the next piece is its unit."""
    plain = not quoted and core.isascii() and core.isalpha() and core.islower()
    if plain and (known := _common_tokens(core)):
        return list(known), False
    if core in _OPERATORS:
        return [ComparedToken(_OPERATORS[core], core, OPERATOR)], False
    if core in _DASHES:
        return [ComparedToken(_DASHES[core], core, DASH)], False
    if any(letter.isdigit() for letter in core) or fold(core) in NUMBERS:
        if valued := _VALUED.fullmatch(core):
            return _valued(valued, after, shouted, quoted), False
        return _quantity(core, after)
    negated = _negated(core)
    if negated:
        return negated, False
    if valued := _VALUED.fullmatch(core):
        return _valued(valued, after, shouted, quoted), False
    return _spoken(core, shouted, quoted), False


def _spoken(core: str, shouted: bool, quoted: bool) -> list[ComparedToken]:
    """Return an identifier or ordinary words."""
    capital = core[0].isupper()
    folded = fold(core)
    if folded in ACRONYMS or folded in BRANDS:
        return [ComparedToken(light(folded), folded, WORD, capital=capital)]
    if _IDENTIFIER.match(core):
        return [ComparedToken(core, folded, CODE, capital=capital)]
    stressed = shouted or folded in FUNCTION_WORDS or folded.endswith(_STRESSED)
    if len(core) > 1 and core.isupper() and core.isascii() and not stressed:
        return [ComparedToken(core, folded, CODE, capital=True)]
    return _plain(core, quoted, capital and not shouted)


@lru_cache(maxsize=20_000)
def _common_tokens(core: str) -> tuple[ComparedToken, ...]:
    if core in NUMBERS:
        return ()
    return tuple(_negated(core) or _plain(core, quoted=False, capital=False))


def _valued(
    match: re.Match[str], after: str, shouted: bool, quoted: bool
) -> list[ComparedToken]:
    """Split ``retries=5`` into its name, sign and value."""
    name = ComparedToken(match[1], fold(match[1]), CODE)
    sign = _OPERATORS.get(match[2], match[2])
    value, _ = _read(match[3], "", shouted, quoted)
    return [name, ComparedToken(sign, match[2], OPERATOR), *value]


def _plain(core: str, quoted: bool, capital: bool) -> list[ComparedToken]:
    found = []
    kind = CODE if quoted else WORD
    bare = _GENITIVE.sub("", core)
    for contraction, verb in _CONTRACTIONS.items():
        if bare.replace("’", "'").endswith(contraction):
            stem = bare[: -len(contraction)]
            return [*_plain(stem, quoted, capital), ComparedToken(verb, verb)]
    spoken = list(bare) if is_spaceless(bare) else words(bare.lower())
    for word in spoken:
        key = NEGATION if word in NEGATIONS else word if quoted else light(word)
        found.append(ComparedToken(key, word, kind, capital=capital))
    return found


def _negated(core: str) -> list[ComparedToken]:
    plain = fold(core).replace("’", "'")
    bare = plain.replace("'", "")
    if bare not in NEGATIONS and not plain.endswith("n't"):
        return []
    verb = bare.removesuffix("not").removesuffix("nt") if len(bare) > 3 else ""
    negation = ComparedToken(NEGATION, NEGATION)
    if not verb or verb == bare:
        return [negation]
    spoken = CONTRACTED.get(verb, verb)
    return [ComparedToken(light(spoken), spoken), negation]


def _quantity(core: str, after: str) -> tuple[list[ComparedToken], bool]:
    folded = fold(core)
    value, unit_taken = NUMBERS.get(folded, core), False
    if match := _QUANTITY.match(value.removeprefix("v")):
        own = match[2] if match[2] else ""
        unit = fold(own)
        if not own and fold(after) in UNITS:
            single = len(after) == 1 and fold(after) in _ONE_LETTER
            if not single or after.islower():
                unit, unit_taken = fold(after), True
        number = _THOUSANDS.sub("", match[1].replace("−", "-"))
        value = number + UNITS.get(unit, unit)
    return [ComparedToken(value, folded, NUMBER)], unit_taken


@lru_cache(maxsize=20_000)
def light(word: str) -> str:
    """Return a folded word without a plural or third-person s."""
    if word in SAME_FORM:
        return SAME_FORM[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1]
