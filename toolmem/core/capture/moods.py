"""Whether a sentence asks, tells, supposes or commands, and who is its subject.

Only a command to the agent can be a decree. A clause that goes on with the
subject before it ("the bot reads the queue and never answers") commands nobody.
"""

from collections.abc import Sequence

from toolmem.core.capture.lexicon import (
    AUXILIARIES,
    BREAKS,
    COORDINATORS,
    DETERMINERS,
    MODALS,
    SUBJECTS,
    TASK_VERBS,
    WH_WORDS,
)
from toolmem.core.capture.phrases import Table, is_base
from toolmem.core.capture.words import ENTITY, Token

_SUPPOSING = frozenset("imagine suppose supposing assume assuming pretend say".split())
_TAGS = frozenset("okay please understood deal clear thanks pls capisce kapish".split())
_TAG_ENDS = frozenset({"it", "me", "that", "yes"})
_ASKED_SUBJECTS = SUBJECTS | DETERMINERS | {"you", "not"}
_SAYING = frozenset(
    "says said saying reads stating states titled called named labelled labeled quote"
    " quoted quoting wrote writes mentions mentioning prints told".split()
)
_TEXTS = _SAYING | frozenset(
    "message title subject text string banner sign tooltip placeholder caption headline"
    " tagline motto slogan lyrics error comment docstring heading header button label"
    " commit scenario alternative expected actual example option output input log"
    " changelog clarification summary description story criteria criterion poem joke"
    " song name behaviour behavior read".split()
)
_SENDING = frozenset(
    "email mail tell text reply send post message write dm slack announce notify ask"
    " remind answer respond tweet publish translate draft say".split()
)
_MEMORY = frozenset(
    "memory memories rules rule notes note preferences preference instructions remember"
    " claude.md agents.md guidelines this these following things thing request reminder"
    " ask favor do know".split()
)


_MOST_CLAUSES = 48
"""Clauses of a sentence that are read: beyond them nobody lays down a rule."""


def asks(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause at this place is built as a question, marked or not."""
    if at >= len(tokens):
        return False
    word = tokens[at].word
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if word in WH_WORDS:
        return after != "ever"
    if word == "do" and after == "not":
        third = tokens[at + 2].word if at + 2 < len(tokens) else ""
        return third in SUBJECTS or third == "you" or third in ("the", "these", "those")
    if word == "do" and tokens[-1].word != "?":
        return after in SUBJECTS or after == "you"
    if word in AUXILIARIES and word not in ("be", "being", "been", "need"):
        return after in _ASKED_SUBJECTS and (after != "not" or word != "do")
    return word == "when" and after in AUXILIARIES


def supposes(tokens: Sequence[Token], at: int) -> bool:
    """Whether the sentence only imagines something."""
    return at < len(tokens) and tokens[at].word in _SUPPOSING


def tag(tokens: Sequence[Token]) -> str:
    """How a marked question ends: ``plea`` (", ok?"), ``check`` (", right?"), or ""."""
    words = [token.word for token in tokens]
    while words and words[-1] in ("?", "!", "."):
        words.pop()
    comma = max(
        (at for at, word in enumerate(words) if word in (",", "-", "–", "—")), default=-1
    )
    last = words[comma + 1 :]
    if comma < 1 or not 1 <= len(last) <= 4:
        return "plea" if words and words[-1] == "please" else ""
    if last[0] in _TAGS or (len(last) > 1 and last[-1] in _TAG_ENDS):
        return "plea"
    return "check" if len(last) <= 2 or last[0] in AUXILIARIES else ""


def clause_starts(tokens: Sequence[Token]) -> list[tuple[int, str]]:
    """Each place where a clause may begin, with the mark or word before it."""
    starts = [(0, "")]
    for at, token in enumerate(tokens[:-1]):
        word = token.word
        if word in BREAKS:
            starts.append((at + 1, word))
        elif word in COORDINATORS:
            marked = at > 0 and tokens[at - 1].word in BREAKS
            starts.append((at + 1, word + "," if marked else word))
        elif word == "please" and at and tokens[at - 1].word not in ("you", "we", "i"):
            starts.append((at, "please"))
        if len(starts) >= _MOST_CLAUSES:
            break
    return starts


def governed(tokens: Sequence[Token], at: int, mark: str) -> bool:
    """Whether a coordinate clause goes on with somebody else's subject.

    ``at`` is where the clause begins, ``mark`` what stands before it.
    """
    bare = mark.rstrip(",")
    if bare not in COORDINATORS or (bare in ("so", "but") and mark.endswith(",")):
        return False
    if bare == "so":
        return False
    start = _clause_before(tokens, at)
    words = [token.word for token in tokens[start:at]]
    if not words or words[0] == "you":
        return False
    if asks(tokens, start):
        return words[0] not in ("can", "could", "would", "will")
    if MODALS & set(words) and words[0] not in ("if", "when", *MODALS):
        return True
    if words[0] in SUBJECTS or words[0] in DETERMINERS or words[0] in ("to", "this"):
        return True
    return not is_base(words[0]) and words[0] not in TASK_VERBS | {"let", "if", "when"}


def _clause_before(tokens: Sequence[Token], at: int) -> int:
    """Where the clause begins that the coordinate clause at ``at`` goes on with."""
    start = 0
    for n in range(at - 2, 0, -1):
        if tokens[n - 1].word in (",", ";", ":", ".", "!", "?", "-", "–", "—"):
            first = tokens[n].word
            if first in SUBJECTS | DETERMINERS or is_base(first):
                start = n
                break
    while start < at and tokens[start].word in (*COORDINATORS, "please", "just", ","):
        start += 1
    return start


def reported(tokens: Sequence[Token], at: int) -> str:
    """What stands before a colon at ``at``: ``said``, ``label`` or nothing (``""``).

    A clause after "the docs say:" or "Title:" is somebody's words or a text to be
    written; after a strange label it may be; after "one more rule:" it is not.
    """
    colon = next(
        (n for n in range(at - 1, -1, -1) if tokens[n].word == ":" and n + 1 <= at), -1
    )
    before = tokens[: colon if colon >= 0 else at]
    words = [token.word for token in before]
    if colon < 0:
        return "said" if _SAYING & set(words[-3:]) else ""
    if _MEMORY & set(words):
        return ""
    if _TEXTS & set(words) or (len(words) > 1 and words[0] in _SENDING):
        return "said"
    return "label" if words and words[-1] != ENTITY else ""


_ADOPTING = Table("""
adopts
    i want you to follow|obey|remember|respect|honor|do|stick|keep|live
    follow|obey|respect|honor|apply|adopt|remember that|this|it|the|to
    same|that|this|it goes|applies|holds for|to you|us
    that|this|it is {adv} what|how|exactly i|we want|expect|mean
    exactly what i|we want|expect|mean
    that|this|it is {adv} our|my|the|a|your rule|policy
    make that|this|it a|your|our rule|policy
    stick|adhere|keep to that|this|it
    live|go by that|this|it
    that|this|it applies here|too
    remember <quote>
    rule for you
""")


def adopts(tokens: Sequence[Token]) -> bool:
    """Whether a sentence makes a quotation in it the user's own word."""
    return any(True for at in range(len(tokens)) for _ in _ADOPTING.at(tokens, at))
