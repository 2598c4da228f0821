"""What looks like a ban and is none: idioms, reminders, waivers, lost subjects."""

IDIOMS = """
idiom
    never mind|fear|say|surrender
    never|do not? {adv} worry|panic|hesitate|mind|fret|sweat|despair
    never|do not? {adv} blink|freak|stress|cry|sulk|quit
    never|do not? {adv} give|lose up|hope|heart
    never|do not? {adv} stop
    do not get me|him|her|us wrong|started
    do not get excited|mad|upset|discouraged|confused|stuck|angry|cute|cocky|too|so|any
    do not get it|why|what|how|the|this|that
    do not be afraid|shy|sorry|surprised|alarmed|discouraged|scared|silly|too|so|upset
    do not be mad|ridiculous|mean|hard|angry|offended|fooled
    do not hold your breath
    do not hold back
    do not take it|this|that|me personally|wrong|the|seriously|literally
    do not take my|his|her|their word
    do not quote|blame|look|shoot me|the|at
    do not count your|on
    do not judge|shoot|jinx|beat {any}
    do not kill me|us|my|yourself
    do not kill the mood|vibe|buzz|messenger
    do not let it|that|this|me|him|them {any}
    do not ask me? why|how|what|where|when|who|about
    do not tell me you|that|it|this|the|we|there|he|she
    do not say i|you|we|that
    do not fix what|it
    do not look|sound|feel|seem|appear like|good|right|great|bad|as|very|so
    do not work for|yet|at|any|anymore|as|because|well|properly|correctly
    do not pretend|act like|surprised
    do not make me|us {any}
    do not thank|call me|us yet|later|shirley
    do not try this at home
    do not put all|words {any}
    do not rock|bite|burn|feed|poke the|your {any}
    do not cross the|that bridge
    do not judge a book
    never look back
    do no harm|evil|wrong
    always look on|at the bright
    stop|quit|cease avoiding {any}
    no longer avoid {any}
    never judge|change|bet {any}? {stop}

reminder
    never|do not? {adv} forget {any}?
    do not {adv} fail {any}?

waiver
    do not {adv} bother|care {any}?
    do not {adv} have|need to {any}
    do not be {done}
"""
"""Phrases as in ``phrases``; they are tried where a head would begin."""
