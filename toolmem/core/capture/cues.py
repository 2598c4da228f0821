"""Which messages can hold no decree at all: those without any word of the grammar.

The grammar takes longer to load than all else that a hook does, and "please run
the tests" needs none of it. Every phrase of its tables has a place where only
words of ``CUES`` can stand, which a test holds against the tables; what is found
by shape and not by phrase is asked for here by the words that such a shape needs.
"""

import re

from toolmem.core.capture.lexicon import PROCESS_NOUNS
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.words import tokenize

CUES = word_set(
    """
    abolished absolutely abstain acceptable account address adhere adopt after again
    agree agreement agreements ahead all allow allowed always am ambiguous answer any
    anytime applies apply approval approved ask asked atomic attempting authorised
    authorized avoid avoided avoiding away back ban banned bans barred been before beg
    begged belong better blessing blunt bother boundaries bounds box brief by can
    canceled canceling cancelled cancelling careful cease certain chance chatty check
    clean clear cleared codebase comfortable communicate company computer concise
    conduct confirm confirmation confused consent consistent consistently constraint
    constraints consult convention conventional conventions cool coordinate critical
    crucial cut dare dead decided decree default deleted demanded desist direct
    directive disallowed discuss do's don'ts donts dos double-check doubt dropped
    dropping each effective embargo enough essential etiquette ever every exactly
    except exception exceptions excluded exclusively exempt exempted exist expect
    expired explicit extra favor favour feedback fine first focused follow for forbid
    forbidden forever forget forgotten formal forward forwards free freely frequently
    from frozen further future game general generally go go-ahead goes gone good
    granted great ground-rules guardrail guardrails guideline guidelines habit hands
    happy henceforth henceforward hereafter history hold holds honest honor if
    immutable imperative implore important impulse instead instructed instruction
    instructions keep kill kind knock laptop lay lean leave left less let lifted
    lifting limit limitation limits longer machine mandate mandatory matter may mean
    mentioned mind minimal monorepo moot moratorium more must my necessary need needed
    needs neutral never nevermind nix no no-go no-no nobody normally not nothing now
    obey objection obsolete off off-limits often okay only opt optional order
    ordinarily org organisation organization ought outdated over past per permanently
    permission permit permitted point policies policy polite possible practices prefer
    preference preferences principle principles private proactive professional
    prohibited prohibition project quit rather re-enable read-only readable reenable
    refrain refrained regularly relaxed remember reminder reminders removed removing
    repealed reply repo repository require required requirement requires rescinded
    rescinding resort respect respond restrict restriction restrictions resume retired
    retiring retracting revoked revoking rid role rule rules sacred sacrosanct safe
    said say scrapped scratch server shall short short- should sign-off signoff simple
    single skip skipped small spare speak stand standards stands stay steer stick stop
    stopped strike stuck subject succinct superseded supposed sure suspended taboo
    take talk team tell temptation terse thing thou tidy time times today told
    tomorrow try trying un-ban un-banned unban unbanned unblock unblocked uncertain
    unclear under unfreeze unless unlock unnecessary unsure untouchable up-to-date
    updated urge usually verbose verboten verify very veto vital void waived want
    warned welcome whatever when whenever while withdrawing withdrawn without workflow
    workspace would write wrong wrote you
    """
)
"""Words, as ``words.tokenize`` has them: contractions apart, slips mended."""
_SHAPED = word_set(
    "in with within as via through using must should need needs has have go goes"
)
"""Beside a thing of the work: "commit messages in English", "PRs have to pass"."""
_HEADED = re.compile(r"\bdo\s*:|\bhow (?:i|we) (?:\w+ )?work\b", re.IGNORECASE)
"""Heads of lists of rules that are made of common words."""


def may_rule(message: str) -> bool:
    """Whether the grammar has to be asked what a message decrees."""
    words = {token.word for token in tokenize(message)}
    # Where no blank follows a full stop, two sentences look like one name.
    words.update(*(word.split(".") for word in words if "." in word))
    if not words.isdisjoint(CUES) or _HEADED.search(message):
        return True
    return not words.isdisjoint(PROCESS_NOUNS) and not words.isdisjoint(_SHAPED)
