"""How a phrase of the grammar is written down and matched against words.

A phrase is a row of slots: ``never {adv} {base}``. A slot is a word, a choice
(``can|could``), an optional one (``please?``), or a class in braces: one of the
word lists in ``CLASSES``, several of them (``{must|can}``), or

``{adv}``   any number of adverbs and fillers, commas between them included
``{base}``  one word that can be the verb of a command
``{ing}``   one gerund
``{done}``  one participle
``{np}``    one to six words without punctuation, as few as will do
``{noun}``  one word that can begin a bare noun phrase
``{any}``   one word of any kind

A match tells where the phrase ends and where its action begins: at its last
class other than ``{adv}``, else right after it. Matching tries a bounded number
of ways, so a text costs time in proportion to its length.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.lexicon import AGENT_VERBS
from toolmem.core.capture.smallwords import (
    BASE_ED,
    BASE_ING,
    DETERMINERS,
    FILLER_ADVERBS,
    NOT_BASE,
    NOT_GERUND,
    PREPOSITIONS,
    PRONOUNS,
    PUNCTUATION,
    word_set,
)
from toolmem.core.capture.words import ENTITY, QUOTE, Token

_NP_WORDS = 6

KINDS = word_set("adv base ing done np noun any")
CLASSES = {
    name: frozenset(words.split())
    for name, words in {
        "in": "under on in at",
        "no": "no absolutely",
        "case": "circumstance circumstances account event case cases time point"
        " condition conditions",
        "must": "must shall may",
        "should": "should ought",
        "can": "can could would will might may",
        "do": "do did does will should are would must can have",
        "did": "did have",
        "not": "not never",
        "into": "into on inside at",
        "avoid": "avoid avoided stop stopped quit refrain refrained cease leave left"
        " skip skipped",
        "allowed": "allowed permitted authorized authorised supposed cleared free",
        "banned": "forbidden prohibited banned barred disallowed",
        "okay": "okay allowed permitted acceptable cool fine comfortable happy",
        "able": "okay possible too good fine",
        "agent": "claude cursor copilot codex gemini assistant chatgpt ai bot agent"
        " agents assistants",
        "stay": "stay keep steer stand",
        "be": "be make making being",
        "sure": "sure certain careful",
        "want": "want need expect require wish",
        "like": "like love prefer rather appreciate want",
        "asking": "asking begging telling warning",
        "very": "really very so much super",
        "great": "great nice good better best cool helpful lovely awesome appreciated"
        " ideal wonderful fantastic",
        "told": "told asked warned instructed begged said tell ask say",
        "hate": "hate dislike loathe stand like appreciate enjoy love",
        "act": "touch change edit modify push delete install commit send share publish"
        " deploy tell email add remove write post merge run do",
        "check": "check confirm clear discuss verify double-check consult coordinate",
        "get": "get wait obtain seek request await",
        "my": "my our explicit an a the for new house golden hard ground simple team"
        " safety important another general strict",
        "kind": "general simple new golden hard important strict explicit written",
        "approval": "approval permission okay go-ahead confirmation consent sign-off"
        " signoff feedback approved blessing",
        "tell": "tell warn notify inform alert ping message remind",
        "short": "short brief concise small simple minimal clean focused tidy atomic"
        " terse professional formal polite neutral private consistent up-to-date"
        " updated direct honest succinct explicit verbose blunt chatty"
        " proactive short- readable conventional",
        "answer": "answer reply respond speak talk communicate write",
        "vital": "important crucial essential vital imperative mandatory required"
        " critical",
        "stop": ", . ! : ; - – —",
        "please": "please",
        "touched": "touched edited pushed committed merged force-pushed rebased deployed"
        " emailed contacted used reformatted messaged amended squashed checked",
        "this": "pr prs task tasks session sessions branch commit change changes"
        " ticket issue feature fix one ones test tests step part conversation"
        " refactor migration release chat thread run round iteration pass phase sprint"
        " story bug pull review plan demo prototype"
        " exercise attempt request turn case example"
        " spike poc experiment hotfix spec",
        "thing": "thing note request question point favor remark comment rule things notes"
        " requests points rules",
        "drop": "forget ignore drop remove delete cancel scrap scratch disregard discard"
        " lift undo revoke retract rescind withdraw repeal retire kill nix void clear"
        " reverse abandon waive abolish erase unset relax loosen suspend ditch axe",
        "lifting": "lifting dropping cancelling canceling revoking removing withdrawing"
        " retracting rescinding retiring",
        "lifted": "lifted dropped cancelled canceled revoked removed withdrew retracted",
        "det": "the that this my your our all any these those every previous earlier",
        "ruling": "rule rules ban bans restriction restrictions instruction instructions"
        " prohibition policy constraint constraints limit limitation order decree"
        " directive guideline preference requirement mandate thing embargo moratorium"
        " veto no-go",
        "wrote": "wrote mentioned demanded decided",
        "free": "free allowed permitted welcome okay good fine clear cleared authorized"
        " authorised",
        "fine": "okay fine allowed safe cool acceptable good permitted possible welcome"
        " great",
        "goes": "goes gets is ships lands leaves enters may must should can be",
        "gone": "lifted gone over off void obsolete cancelled canceled retired revoked"
        " dropped dead history unnecessary outdated removed withdrawn rescinded repealed"
        " suspended waived forgotten abolished moot deleted scrapped relaxed expired"
        " superseded",
        "valid": "valid needed necessary in relevant required applicable active current",
        "adv2": "perfectly totally completely absolutely generally again now also",
        "label": "rule rules remember note important reminder warning caution attention"
        " policy notice hint tip instruction instructions request preference"
        " preferences guideline guidelines nb style",
    }.items()
}


class Slot(NamedTuple):
    """One place of a phrase: the words that fit, or the class that decides."""

    words: frozenset[str]
    kind: str
    optional: bool


Phrase = tuple[Slot, ...]


def parse(text: str) -> Phrase:
    """Read a phrase as the module describes it."""
    return tuple(_slot(part) for part in text.split())


def _slot(part: str) -> Slot:
    optional = part.endswith("?")
    part = part.removesuffix("?")
    if part[1:-1] in KINDS:
        return Slot(frozenset(), part[1:-1], optional)
    words: set[str] = set()
    listed = False
    for piece in part.split("|"):
        listed = listed or piece.startswith("{")
        words |= CLASSES[piece.strip("{}")] if listed else {piece}
        listed = listed and not piece.endswith("}")
    return Slot(frozenset(words), "", optional)


def is_base(word: str) -> bool:
    """Whether a word can be the verb of a command."""
    if word == ENTITY:
        return True
    if word in NOT_BASE or word == QUOTE or not word[0].isalpha():
        return False
    if word.endswith("ing"):
        return word in BASE_ING
    if word.endswith("ed"):
        return word in BASE_ED
    return not word.endswith("s") or word.endswith(("ss", "us"))


def is_gerund(word: str) -> bool:
    """Whether a word is the -ing form of a verb."""
    if word.endswith("in") and word[:-2] in AGENT_VERBS:
        return True  # pushin'
    return len(word) > 4 and word.endswith("ing") and word not in NOT_GERUND


def is_participle(word: str) -> bool:
    """Whether a word can be the participle of a passive."""
    return word.endswith("ed") or word in _PARTICIPLES


_PARTICIPLES = word_set(
    "done run sent written made put set built kept read hit cut given taken overwritten"
    " rewritten broken shown left begun spent sold bought reset rebuilt hidden"
)


def _fits(kind: str, word: str) -> bool:
    if kind == "base":
        return is_base(word)
    if kind == "ing":
        return is_gerund(word)
    if kind == "done":
        return is_participle(word)
    if kind == "noun":
        return word not in _NO_NOUN and word not in PUNCTUATION
    return word not in PUNCTUATION


_NO_NOUN = PRONOUNS | (PREPOSITIONS - {"as"}) | DETERMINERS


def match(
    phrase: Phrase, tokens: Sequence[Token], at: int, slot: int = 0
) -> tuple[int, int] | None:
    """Where the phrase ends and where its action begins, None if it does not fit."""
    if slot == len(phrase):
        return at, at
    words, kind, optional = phrase[slot]
    if kind == "adv":
        while at < len(tokens) and tokens[at].word in FILLER_ADVERBS:
            at += 1
        return match(phrase, tokens, at, slot + 1)
    if kind == "np":
        return _match_np(phrase, tokens, at, slot)
    if at < len(tokens):
        word = tokens[at].word
        if word in words if words else _fits(kind, word):
            found = match(phrase, tokens, at + 1, slot + 1)
            if found:
                last = slot + 1 == len(phrase)
                return (found[0], at) if last and kind else found
    return match(phrase, tokens, at, slot + 1) if optional else None


def _match_np(
    phrase: Phrase, tokens: Sequence[Token], at: int, slot: int
) -> tuple[int, int] | None:
    for end in range(at + 1, min(at + _NP_WORDS, len(tokens)) + 1):
        if tokens[end - 1].word in PUNCTUATION:
            return None
        found = match(phrase, tokens, end, slot + 1)
        if found:
            return (found[0], at)
    return None


class Table:
    """Phrases by group, looked up by the word that they begin with.

    The text has a group's name at the margin, followed by what belongs to it,
    and its phrases under it. A phrase is read when its first word is met for
    the first time: most messages need a handful of them.
    """

    def __init__(self, text: str) -> None:
        self.groups: dict[str, str] = {}
        self._rows: dict[str, list[tuple[str, str]]] = {}
        self._read: dict[str, tuple[tuple[str, Phrase], ...]] = {}
        name = ""
        for line in text.splitlines():
            if line.startswith("    "):
                for word in _first_words(line.strip().split(" ", 1)[0]):
                    self._rows.setdefault(word, []).append((name, line))
            elif line:
                name, _, self.groups[name] = line.partition(" ")

    def at(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[str, int, int]]:
        """Each phrase that fits at a place: its group, its end, its action."""
        for name, phrase in self._phrases(tokens[at].word):
            found = match(phrase, tokens, at)
            if found:
                yield name, found[0], found[1]

    def _phrases(self, word: str) -> tuple[tuple[str, Phrase], ...]:
        if word not in self._read:
            rows = self._rows.get(word, []) + self._rows.get("", [])
            self._read[word] = tuple((name, parse(text)) for name, text in rows)
        return self._read[word]


def _first_words(part: str) -> Iterable[str]:
    """The words that a phrase can begin with; "" when any word may begin it."""
    if "{" not in part:
        return part.removesuffix("?").split("|")
    return _slot(part).words or ("",)
