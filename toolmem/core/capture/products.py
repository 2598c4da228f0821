"""Which sentences speak of a product: what it does, or a text that is written for it.

"The parser must not throw" is a requirement, and so is the "never load the whole
file" right behind it; "write the system prompt for our bot" is followed by rules
for the bot.
"""

from collections.abc import Sequence

from toolmem.core.capture.lexicon import PROCESS_NOUNS
from toolmem.core.capture.smallwords import MODALS, SUBJECTS, word_set
from toolmem.core.capture.words import Token

_ACTORS = word_set(
    "admin admins app apps application automation backend bot bots chatbot client"
    " clients component consumer crawler cron customer customers daemon dashboard"
    " device endpoint engine firmware form frontend game guest guests handler importer"
    " interrupt job jobs listener macro middleware page pages parser player players"
    " plugin process processor queue readme scheduler scraper screen server servers"
    " service site system user users visitor visitors watcher webhook website widget"
    " wizard worker workers"
)
"""Who or what acts in a product."""
_ACTING = MODALS | word_set("has have does do is are gets get")
_SUBJECT_WORDS = 5
_WISHING = word_set("want need expect")
_WRITING = word_set(
    "add compose create draft generate give improve make prepare produce proofread"
    " provide review rewrite shorten translate update write"
)
_FOR_OTHERS = word_set("prompt prompts template templates persona")
_AGENTS = word_set("agent assistant bot chatbot")
_ORDER_WORDS = 12


def describes(tokens: Sequence[Token]) -> bool:
    """Whether a sentence says what a product or who uses it does."""
    words = [token.word for token in tokens[: _SUBJECT_WORDS + 1]]
    if words[0:1] == ["i"] and words[2:3] == ["the"] and words[1] in _WISHING:
        return True
    if not words or words[0] in SUBJECTS | {"you"}:
        return False
    for at, word in enumerate(words):
        if word in _ACTING:
            subject = set(words[:at])
            return bool(_ACTORS & subject) and not PROCESS_NOUNS & subject
    return False


def orders_text(tokens: Sequence[Token]) -> bool:
    """Whether a sentence orders a text by which others shall act."""
    words = [token.word for token in tokens[:_ORDER_WORDS]]
    if words[:2] == ["role", "of"] and _AGENTS & set(words):
        return True
    ordered = next((at for at, word in enumerate(words) if word in _WRITING), -1)
    return 0 <= ordered <= 3 and bool(_FOR_OTHERS & set(words[ordered + 1 :]))
