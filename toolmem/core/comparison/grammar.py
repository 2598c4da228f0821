"""English word tables for comparing two statements: function words, verbs, synonyms.

The tables decide which differences between two statements matter. Words outside them
are ordinary words, and a replaced ordinary word is a difference, so a gap in a table
causes a superfluous remark, never a loss.
"""

FILLERS = frozenset(
    """
    a an the else otherwise
    please just simply basically really very quite do does did been that
    already currently now's
    """.split()
)
"""Words that may be added or removed without a change of meaning."""
DETERMINERS = frozenset(
    """
    a an the this these those our my your his her its their every each all some any
    another no which
    """.split()
)
AUXILIARIES = frozenset(
    """
    is are am was were be has have had will would can could shall should must may
    might
    """.split()
)
SAME_FORM = {
    "are": "is",
    "am": "is",
    "were": "was",
    "has": "have",
    "does": "do",
}
"""Forms of one verb that differ in number or person only."""
PREPOSITIONS = frozenset(
    """
    about above across after against along among around as at because before behind
    below between by despite during for from if in inside instead into like near of
    off on onto or out outside over per since so than then through to toward towards
    under unless until up upon via when where while with within without and but
    """.split()
)
FUNCTION_WORDS = FILLERS | DETERMINERS | AUXILIARIES | PREPOSITIONS
CONDITIONS = frozenset("for when if while during unless per".split())
"""Words that begin a condition: when or for what a statement applies."""
OPENING_PHRASES = frozenset("to for on in at during with from under".split())
OPENING_CLAUSES = frozenset(
    "if when while once after before as since because until unless".split()
)
GENERIC_SUBJECTS = frozenset(
    """
    we i you they it this that there he she everyone everybody people one someone
    somebody
    """.split()
)
LIMITS = frozenset("only except unless instead rather solely exclusively".split())
"""Words that narrow a statement: adding one is a change, not a detail."""
LINKS = frozenset("then next afterwards afterward finally later second lastly".split())
"""Words by which a statement continues the one before it."""
DAYS_AND_MONTHS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday weekday weekend
    january february march april may june july august september october november
    december spring summer autumn winter
    """.split()
)
EXCLUSIVE = frozenset(
    """
    own lead manage head chair maintain approve handle run direct
    """.split()
)
"""Verbs of which only one subject is possible: who owns a thing."""
CHOOSING = frozenset(
    """
    use prefer choose pick take avoid wear pass call install import try enable
    disable adopt utilise employ need want run ask tell contact notify
    """.split()
)
"""Verbs of which the object is the answer and the rest the question."""
IMPERATIVES = CHOOSING | frozenset(
    """
    add alert allow append apply archive ask attach bake bring build buy cancel
    change check clean clear clone close commit compare configure convert copy
    create cut deliver deploy delete deny discard drain drop email escape fetch
    fill fix flush format forward freeze give go heat hold ignore include increase
    keep leave limit link list load lock log lower make mark merge mirror mix mock
    mount move name open order park paste pin place plant point prune publish pull
    push put raise read rebase record reduce reject release remove rename replace
    report reset restart retry return review rotate round save scale schedule see
    send serve set sign skip sort split squash start stop store subtract switch
    sync tag tell test throw translate trim turn update upload wait wash water
    wrap write
    """.split()
)
VERBS = IMPERATIVES | frozenset(
    """
    accept act aim answer appear approve arrive assume beat become begin believe
    belong block break burn carry cause charge chair climb come complete consist
    consume contain control cost count cover depart depend describe direct do draw
    drive eat emit end enjoy enter equal expect expire explain export extend face
    fail fall feed feel find finish fire fit flow fly follow forbid forget gain get
    grind grow guard handle hang happen hate have head help host indicate introduce
    invoke issue join know last lead learn let lie lift like listen live look lose
    love maintain manage map match mean measure meet mention need nest occur offer
    operate override own pay perform permit pick play point power prefer prevent
    print produce protect prove provide quote range reach receive recommend refer
    reflect refuse relate rely remain remember render renew rent repeat represent
    request require rest resolve respond rise rule say schedule seem sell serve
    share ship show sing sit sleep smell sound speak spend stand state stay study
    suggest supply support survive swim take talk teach tell tend think time trust
    trigger try understand use visit wake walk want warn watch wear weigh win work
    translate rehearse lay bloom ripen melt boil hatch migrate vote elect govern
    """.split()
)
PASTS = frozenset(
    """
    won lost sold taught beat came went took gave got wrote said made paid left
    held kept began broke brought built bought chose cut drew drove fell felt flew
    found forgot froze grew heard hid hit knew led lent let lay met moved ran rose
    sang sat saw sent shot slept spoke spent stood swam thought threw told woke wore
    """.split()
)
ACRONYMS = frozenset(
    """
    api apis url urls uri http https json xml html css sql csv pdf yaml toml tcp
    udp ip dns ssl tls ssh ok id ids ui ux os cpu gpu ram rom usb lan wan vpn ci cd
    pr prs qa sdk cli gui ide ai ml llm faq am pm eu uk us usa
    """.split()
)
"""Words that people capitalise or not without a difference in meaning."""
BRANDS = frozenset(
    """
    github gitlab javascript typescript postgresql mysql sqlite youtube linkedin
    macos ios iphone ipad oauth wifi paypal openai chatgpt graphql mongodb nosql
    bitbucket devops circleci wordpress
    """.split()
)
"""Names with inner capitals that people also write without them."""
_SYNONYMS = """
    file document
    directory folder
    remove delete erase
    create make
    show display print list
    use utilise utilize employ
    help assist aid
    specific particular
    begin start commence
    began started
    like enjoy
    plan intend
    buy purchase
    big large
    small little
    quick fast rapid
    quickly fast rapidly
    choose select pick
    fix repair
    need require
    often frequently
    usually normally typically
    shop store
    error mistake
    finish complete
    get obtain
    reply answer
    talk speak
    tell inform
    about regarding concerning
    maybe perhaps
    car automobile
    photo picture image
    kid child children
    phone telephone
    happy glad
    hard difficult
    easy simple
    wrong incorrect
    right correct
    seem appear
    let allow permit
    forbid prohibit
    ensure guarantee
    modify change alter
    contain include
    whole entire complete
    important essential
    retrieve fetch
"""
SYNONYMS = {
    word: group.split()[0] for group in _SYNONYMS.splitlines() for word in group.split()
}
"""Word to the first word of its group; the last group of a word counts."""
