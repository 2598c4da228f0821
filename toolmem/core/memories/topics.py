"""Find the topic of the vault that a text is about.

A topic whose name is in the text is the one. Otherwise the hits of a search for the
text decide: the topic of the memory that shares most with it, weighted by the rarity of
the shared words, if it shares enough and is clearly ahead of other topics. Words of any
request ("fix", "name") do not count.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.query import parse_query
from toolmem.core.text.terms import stored_label, words
from toolmem.errors import UsageError

_REQUEST_WORDS = """
    able add advice after again agree ago all allow already also always answer any
    anyone apply around ask away back bad because become before begin behave believe
    best better big bit break bring broken bug call came care cause certain chance
    change check choose clean clear close come common compare complete continue convert
    copy correct could count create current cut day decide delete describe detail did
    difference different do done down draft draw early easy edit either else end enough
    error especially even ever every everyone example expect explain fact fail fast
    feature feel few file fill finally find fine finish first fix follow form found
    free friend full gave general get give go good got great group grow guess half hand
    handle hang happen hard help high hour idea important improve include inform instead
    issue item job keep kind know large last late later lately latest lead learn least
    leave left less let like line list little live log long look lose lost lot low main
    make man many match matter maybe mean meet middle might mind minute miss missing
    moment month morning most move much must name near need never new next nice night
    nothing notice now number off offer often old once one only open option order other
    out over own page part pass people perhaps person place plain plan please point
    possible post prepare present problem produce put question quick quite ran rather
    reach read ready real really reason receive remain remember remove rename repair
    repeat replace report request require rest result return review rewrite right run
    safe same save saw say second see seem seen select send sense sent set several short
    show side similar simple since single slow small someone something sometimes soon
    sort sound special stand start state stay step still stop strange stuck such
    suddenly suggest sum summary support suppose sure take talk task team tell test
    text than thank thing think third thought three through time today together told
    tomorrow too took top total touch toward translate tried try turn two type
    understand undo unit until update upgrade use usual value various version wait walk
    want warn watch way week well went whole wide wish without wonder word work world
    worse worst write wrong year yes yesterday yet
"""
"""Words of requests and reports that do not indicate their subject.

"Fix the test that fails" may be about anything. Such a word is rare in a small vault,
so its frequency there does not distinguish it from a word such as "bastion".
"""


@cache
def _request_stems(language: Language) -> frozenset[str]:
    """Return the stems of words of requests."""
    return frozenset(language.stems(_REQUEST_WORDS.split()))


class Neighbour(NamedTuple):
    """A memory that a search for a text found.

    ``shared`` is the number of distinctive stems of the text in the memory,
    ``evidence`` the sum of their rarities.
    """

    topic: str
    shared: int
    evidence: float


def distinctive_stems(text: str, language: Language) -> frozenset[str]:
    """Return the stems of a text that indicate its subject."""
    asked = frozenset(stem for _, stem in parse_query(text, language).words)
    return asked - _request_stems(language)


def least_shared(asked: int, fewest: int = 1) -> float:
    """Return how many of ``asked`` distinctive stems a memory must share."""
    some = max(limits.TOPIC_WORDS, limits.TOPIC_OVERLAP * asked)
    enough = min(some, limits.TOPIC_COVERED * asked) if asked else float("inf")
    return max(fewest, enough)


def stated_topic(text: str) -> str:
    """Return the stored form of a given topic; empty for a blank one.

    Raises ``UsageError`` for one without a word.
    """
    topic = stored_label(text)
    if text.strip() and not topic:
        raise UsageError(f"{text!r} contains no word that can be a topic")
    return topic


def infer_topic(
    text: str,
    neighbours: Iterable[Neighbour],
    fewest: int = 1,
    language: Language = ENGLISH,
) -> str | None:
    """Return the topic that a text is about, or None if that is not clear.

    A memory must share at least ``fewest`` words with it.
    """
    stems = set(language.stems(words(text)))
    least = least_shared(len(distinctive_stems(text, language)), fewest)
    evidence: dict[str, float] = {}
    shared: dict[str, int] = {}
    for neighbour in neighbours:
        if neighbour.topic:
            known = evidence.get(neighbour.topic, 0.0)
            evidence[neighbour.topic] = max(known, neighbour.evidence)
            shared[neighbour.topic] = max(
                shared.get(neighbour.topic, 0), neighbour.shared
            )
    ordered = sorted(evidence, key=lambda topic: (-evidence[topic], topic))
    named = [topic for topic in ordered if _is_named(topic, stems, language)]
    if named:
        return named[0]
    if not ordered or shared[ordered[0]] < least:
        return None
    second = evidence[ordered[1]] if len(ordered) > 1 else 0.0
    is_clear = evidence[ordered[0]] >= limits.TOPIC_MARGIN * second
    return ordered[0] if is_clear else None


def _is_named(topic: str, stems: set[str], language: Language) -> bool:
    parts = language.stems(words(topic))
    return bool(parts) and stems.issuperset(parts)
