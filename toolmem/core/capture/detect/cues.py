"""Cues: groups of words and phrases that decrees use, as features of the model."""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.kind import Kind
from toolmem.core.capture.text.lists import phrase_lists, word_list, word_lists
from toolmem.core.capture.text.words import RULE_LEADS, Token, word_set

_WORDS = word_lists("cue ")
_PHRASES = {
    name: tuple(f" {phrase} " for phrase in phrases)
    for name, phrases in phrase_lists("phrase ").items()
}
_ORDER_VERBS = word_set("use keep stay treat answer sign squash leave save stick")


def cues(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the names of the cues in a sentence."""
    return tuple(_cues(tokens))


def _cues(tokens: Sequence[Token]) -> Iterator[str]:
    words = [token.word for token in tokens]
    present = set(words)
    yield from (name for name, group in _WORDS.items() if present & group)
    text = f" {' '.join(words)} "
    for name, phrases in _PHRASES.items():
        if any(phrase in text for phrase in phrases):
            yield f"phrase {name}"
    if "again" in present and "you" in present:
        yield "again"
    yield from (word for word in ("not", "no", "zero") if word in present)
    first = words[0] if words[0] != "please" else " ".join(words[1:2])
    if first in _ORDER_VERBS:
        yield "order"
    if permits(words):
        yield "permits"


def announces_rules(lead: str) -> bool:
    """Return whether a heading or the line above a list mentions rules."""
    words = lead.replace(",", " ").split()
    return bool(RULE_LEADS & set(words))


def is_question(tokens: Sequence[Token], text: str) -> bool:
    """Return whether a sentence asks something and requests nothing."""
    words = [token.word for token in tokens]
    if words[:1] and words[0] in _ASKS and _AUXILIARIES & set(words[1:4]):
        return not {"i", "we", "id"} & set(words[1:2])
    if text.rstrip(" *_)\"'").endswith("?"):
        polite = {"can", "could", "would", "please", "will", "that", "okay", "mind"}
        return not polite & set(words) and "you" not in words[:6]
    return False


_ASKS = word_set("what why how where who which")
_AUXILIARIES = word_set(
    "is are was were do does did has have had can could will would should must may"
    " happens happened about"
)
_BANS = word_list("kinds bans")
_WISHES = word_set("prefer preferred preferably rather like love favor wish")
_DEMANDS = word_set("always use run only must ensure keep")
_GOVERNORS = word_set("must always ensure that you we to make sure be do please")
_REMEMBERS = word_set("remember memory note memorize reminder")
_DROPS = word_list("kinds drops")
_RULES = word_list("kinds rules")
_KEEPS = word_set("keep leave retain")
_DETERMINERS = word_set("the that this my our your those these")
_RULE_NOUNS = word_set(
    "rule rules ban bans restriction restrictions instruction instructions policy"
)
_AFTER_RULE = word_set("about on against for that as in please . ! , …")
_LETS = word_set("can may allowed okay fine open back lifted reopened")
_AGAIN = word_set("again now anymore")


def kind_of(tokens: Sequence[Token]) -> Kind:
    """Return the kind of a sentence that may be a decree."""
    words = [token.word for token in tokens]
    present = set(words)
    if takes_back(words):
        return "back"
    if words[:1] and words[0] in _REMEMBERS:
        return "remember"
    if _forbids(words):
        return "ban"
    if present & _WISHES:
        return "preference"
    if present & _REMEMBERS:
        return "remember"
    return "demand"


def _forbids(words: Sequence[str]) -> bool:
    """Return whether the first ban or demand, or what it governs, is a ban."""
    orders = (n for n, word in enumerate(words) if word in _BANS | _DEMANDS)
    rest = words[next(orders, len(words)) :]
    return next((word for word in rest if word not in _GOVERNORS), "") in _BANS


def takes_back(words: Sequence[str]) -> bool:
    """Return whether a sentence revokes a rule or makes an exception to one."""
    present = set(words)
    negated = bool(present & {"not", "never", "no"})
    opens = {word for at, word in enumerate(words) if at < 4 or words[at - 1] == ":"}
    if present & _DROPS & opens and present & _RULES:
        return not negated
    if (present & _LETS and present & _AGAIN) or _pair(words, "is", "over"):
        return not negated
    if " not have to " in f" {' '.join(words)} ":
        return True
    if _pair(words, "no", "longer") or ("any" in present and "more" in present):
        return bool(present & {"need", "needed", "necessary", "required", "applies"})
    if _pair(words, "not", "need") or _pair(words, "no", "need"):
        return True
    return "exception" in words[:3] or _pair(words, "never", "mind") or permits(words)


def keeps_rule(words: Sequence[str]) -> bool:
    """Return whether a sentence only asks to keep a rule that exists already."""
    if {"never", "always", "not"} & set(words):
        return False
    return any(
        words[at] in _KEEPS
        and words[at + 1] in _DETERMINERS
        and words[at + 2] in _RULE_NOUNS
        and (at + 3 == len(words) or words[at + 3] in _AFTER_RULE)
        for at in range(len(words) - 2)
    )


def permits(words: Sequence[str]) -> bool:
    """Return whether a sentence permits something: only a rule makes it matter."""
    if {"not", "never", "no"} & set(words):
        return False
    return _pair(words[:6], "you", "may") or _pair(words[:6], "you", "can")


def _pair(words: Sequence[str], one: str, other: str) -> bool:
    return any(
        words[at] == one and words[at + 1] == other for at in range(len(words) - 1)
    )
