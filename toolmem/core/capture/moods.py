"""Whether a sentence asks, supposes or reports instead of commanding.

Only a command to the agent can be a decree, and a polite question is one.
"""

from collections.abc import Sequence

from toolmem.core.capture.lexicon import TASK_VERBS
from toolmem.core.capture.phrases import Table
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    DETERMINERS,
    SUBJECTS,
    WH_WORDS,
    word_set,
)
from toolmem.core.capture.words import ENTITY, Token

_SUPPOSING = word_set("imagine suppose supposing assume assuming pretend say")
_TAGS = word_set("okay please understood deal clear thanks pls capisce kapish")
_TAG_ENDS = frozenset({"it", "me", "that", "yes"})
_ASKED_SUBJECTS = SUBJECTS | DETERMINERS | {"you", "not"}
_POLITE = word_set("can could would will may might do any mind is how did have if")
_POLITELY_ASKED = word_set("you we i chance not it about many please")
_SAYING = word_set(
    "says said saying reads stating states titled called named labelled labeled quote"
    " quoted quoting wrote writes mentions mentioning prints told"
)
_TEXTS = _SAYING | word_set(
    "message title subject text string banner sign tooltip placeholder caption headline"
    " tagline motto slogan lyrics error comment docstring heading header button label"
    " commit scenario alternative expected actual example option output input log"
    " changelog clarification summary description story criteria criterion poem joke"
    " song name behaviour behavior read failed"
)
_SENDING = word_set(
    "email mail tell text reply send post message write dm slack announce notify ask"
    " remind answer respond tweet publish translate draft say"
)
_TEXT_ACTS = word_set("translate rephrase proofread say write type print echo")
_TELLERS = word_set("they he she people everyone everybody")
_SOURCES = word_set("from in per under at")
_MEMORY = word_set(
    "memory memories rules rule notes note preferences preference instructions remember"
    " claude.md agents.md guidelines this these following things thing request reminder"
    " ask favor do know"
)


def asks(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause at this place is built as a question, marked or not."""
    if at >= len(tokens):
        return False
    word = tokens[at].word
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    marked = tokens[-1].word == "?"
    if word in WH_WORDS:
        said = {token.word for token in tokens[at + 2 : at + 5]}
        wished = word == "what" and after in ("i", "we") and "is" in said
        return after != "ever" and (marked or not wished)
    if word == "should" and after == "you" and not marked:
        return all(token.word != "," for token in tokens[at:])
    if word == "do" and after == "not":
        third = tokens[at + 2].word if at + 2 < len(tokens) else ""
        return third in SUBJECTS or third == "you" or third in ("the", "these", "those")
    if word == "do" and not marked:
        return after in SUBJECTS or after == "you"
    if word in AUXILIARIES and word not in ("be", "being", "been", "need"):
        return after in _ASKED_SUBJECTS and (after != "not" or word != "do")
    return word == "when" and after in AUXILIARIES


def asks_politely(tokens: Sequence[Token], at: int) -> bool:
    """Whether the words at this place can open a polite command: "could you …"."""
    if at + 1 >= len(tokens) or tokens[at].word not in _POLITE:
        return False
    return tokens[at + 1].word in _POLITELY_ASKED


def supposes(tokens: Sequence[Token], at: int) -> bool:
    """Whether the sentence only imagines something, or tells what a text says."""
    words = [token.word for token in tokens if token.word not in ".!"][-3:]
    if words == ["am", "i", "right"]:
        return True
    if words[-1:] == ["said"] and words[-2:-1] != [] and words[-2] in _TELLERS:
        return True  # "…, they said"
    words = [token.word for token in tokens[at : at + 2]]
    if words[:1] == ["per"] or words in (["according", "to"], ["as", "per"]):
        return True
    return at < len(tokens) and tokens[at].word in _SUPPOSING


def tag(tokens: Sequence[Token]) -> str:
    """How a marked question ends: ``plea`` (", ok?"), ``check`` (", right?"), or ""."""
    words = [token.word for token in tokens]
    while words and words[-1] in ("?", "!", "."):
        words.pop()
    comma = max(
        (at for at, word in enumerate(words) if word in (",", "-", "–", "—")),
        default=-1,
    )
    last = words[comma + 1 :]
    if comma < 1 or not 1 <= len(last) <= 4:
        return "plea" if words and words[-1] == "please" else ""
    if last[0] in _TAGS or (len(last) > 1 and last[-1] in _TAG_ENDS):
        return "plea"
    return "check" if len(last) <= 2 or last[0] in AUXILIARIES else ""


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
    command = words[:1] != [] and words[0] in _SENDING | TASK_VERBS | _SOURCES
    command = command and (len(words) > 1 or words[0] in _TEXT_ACTS)
    if _TEXTS & set(words) or command:
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
