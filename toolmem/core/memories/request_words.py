"""Words of requests and reports that do not indicate their subject.

"Fix the test that fails" may be about anything. Such a word is rare in a small vault,
so its frequency there does not distinguish it from a word such as "bastion".
"""

from functools import cache

from toolmem.core.language.language import Language

_WORDS = """
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


@cache
def request_stems(language: Language) -> frozenset[str]:
    """Return the stems of the words."""
    return frozenset(language.stems(_WORDS.split()))
