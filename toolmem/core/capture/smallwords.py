"""The small words of English: what they are in a clause is fixed and listed here.

English is closed in its small words and open in its verbs: a verb is whatever
stands where a verb must stand and is none of these.
"""


def word_set(text: str) -> frozenset[str]:
    """The words of a text with blanks between them."""
    return frozenset(text.split())


PUNCTUATION = word_set(", ; : . ! ? ( ) [ ] - – — … ~ & | / > < = + % # \" '")
BREAKS = word_set(", ; : ( ) [ ] - – — … . ! ?")
"""Marks after which a clause may begin."""
COORDINATORS = word_set("& and but nor or plus so then yet")
FILLER_ADVERBS = word_set(
    ", accidentally actually again also auto automatically blindly bloody casually"
    " constantly dare directly either even ever explicitly fucking generally"
    " immediately intentionally just kindly manually maybe needlessly normally now"
    " perhaps please possibly randomly really silently simply then unnecessarily"
    " usually absolutely expressly strictly totally …"
)
"""What may stand between a head and its verb: "don't *just* rerun it"."""
DETERMINERS = word_set(
    "a all an another any both each either every her his its my neither no our some"
    " such that the their these this those whatever whichever your"
)
SUBJECTS = word_set("everybody everyone he i it she somebody someone there they we who")
"""Pronouns that make a clause a statement about somebody."""
PRONOUNS = word_set(
    "anyone anything everyone everything he her him i it me mine nobody nothing she"
    " someone something that them there these they this those us we you yours"
)
ANAPHORS = word_set("her him it that them these this those")
"""Objects that point at something said before."""
PREPOSITIONS = word_set(
    "about across after against although as at because before between by during for"
    " from if in into like of on onto over per since than though through till to"
    " under unless until using via when where whether while with within without"
)
"""Prepositions, and conjunctions that begin a subordinate clause."""
MODALS = word_set("can could may might must need ought shall should will would")
AUXILIARIES = word_set(
    "am are be been being can could did do does had has have is may might must"
    " shall should was were will would"
)
WH_WORDS = word_set("how what where which who whom whose why")
NOT_BASE = (
    DETERMINERS
    | PRONOUNS
    | PREPOSITIONS
    | (AUXILIARIES - {"be", "do", "have"})
    | COORDINATORS
    | WH_WORDS
    | PUNCTUATION
    | word_set(
        "able again annoying available bad began begun better bought bro broke"
        " broken brought built came chose chosen different done dude early easy else"
        " enough false felt forgot forgotten found fun funny gave given glad gone"
        " good got great haha happy hard heard held helpful however important"
        " impossible instead interesting kept knew known late least left less lmao"
        " lol made man many meant met mind more most much never nice not often okay"
        " once one only paid possible possibly quite ran rarely ready right sad said"
        " same saw seen sent sold sometimes spent stood strange sure taken taught"
        " thanks therefore tho thought threw thrown told too took true twice two ugh"
        " understood useful very weird went whereas worse worth written wrong wrote"
        " yes"
    )
)
"""Words that cannot be the verb of a command."""
BASE_ED = word_set(
    "bleed breed concede embed exceed feed heed impede need precede proceed reseed"
    " sed seed shed shred speed succeed wed weed"
)
"""Verbs that end in -ed without being past."""
BASE_ING = word_set("bring fling king ping ring sing spring sting string swing")
"""Verbs that end in -ing without being gerunds."""
NOT_GERUND = word_set(
    "anything bring ceiling during evening everything king morning nothing ping"
    " ring sibling sing something spring sting string swing thing wing"
)
