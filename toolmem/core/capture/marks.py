"""Which words say that something holds as a habit, and which that it is for now.

``habit`` words make a rule by themselves (*every time*), ``usual`` ones lean
towards one (*without asking*, *by hand*), ``now`` words tie a decree to the task
at hand whatever else it says (*yet*, *in this PR*), ``until`` ones tie a plain
command to it, ``soon`` ones lean that way.
``here`` leans that way, too, but where something is stated to be forbidden.
``word`` ones are habit where they govern the verb; ``each`` and ``repeated`` ones
mean a habit in a mandate and nothing in a ban.
"""

from collections.abc import Sequence

from toolmem.core.capture.phrases import Table
from toolmem.core.capture.words import Token

_MARKS = Table("""
habit
    from now|here|today|this on|onward|onwards|forward|out
    going|moving forward
    in future
    in the future
    henceforth|henceforward
    as|starting of? now|today
    every|each|any time|single
    at all times
    at any time
    all the time
    as a rule|habit
    in general
    in|under all|every|any cases|case|circumstances|circumstance|situations
    without exception|exceptions|fail
    no exceptions
    no matter what|how|who|when
    any more|longer
    whenever
    before|after every|each|any|all
    on|with every
    for good
    for all future
    until further notice
    in|for|on|across this|the|our|my repo|repository|project|codebase|monorepo|team
    in|for|on|across this|the|our|my company|org|workspace|organisation|organization
    in this|the|our|my account
    in all the? next|future|other|later {any}
    prior to every|each|any|all
    on|for this|my machine|computer|laptop|box|server

word
    permanently|forever|consistently|always|ever|never

usual
    without {ing}
    without my|a|an|the|explicit|prior|first|permission|approval|asking|telling
    unless|until i|we|you|asked|told|explicitly|absolutely|otherwise
    unless|until the user|owner|team|maintainer|boss|client|customer
    unless|until {ing}
    except|excluding|outside {any}
    directly|manually|automatically|blindly|silently|unnecessarily|needlessly
    by hand|default|yourself
    on|at|over|after|before|during|by night|weekends|weekdays|weekend|holidays
    on|at|after|during business|work|office|working hours
    on|over mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays
    on monday|tuesday|wednesday|thursday|friday|saturday|sunday
    before|after|when {ing}
    before|after you {any}
    when|where you {any}
    to|on|in|from|against main|master|prod|production|staging|develop|trunk
    more|less|later|longer than
    just|merely because|to|for
    again
    this|that kind|sort|type of
    often|frequently|regularly
    early
    if|when possible|necessary|needed|unsure|doubt
    regardless
    even if|when|though i|we|you {any}

each
    any|all|every|each {any}
    anything|everything|anyone|everyone|anybody|everybody

repeated
    every|each {any}
    every|each|any {any} you {base}
    every|each|any {any} {any} you {base}
    before|after {ing}
    before|after you {base}
    often|regularly|frequently

now
    yet|today|tonight|tomorrow
    for now|today|tonight|tomorrow
    for the|this moment|time|session|task|rest|pr|ticket|one|sprint|release|issue
    right|just now
    now {stop}
    now and|or|but
    this time|once|week|morning|afternoon|evening|sprint|month|weekend|round
    in|for|on|during|with|within|of|inside this|that|these {this}
    in|for|on|during|with|within the? current {this}
    the current {this}
    just? this once
    at the? moment|point|stage|this
    at this|that moment|point|stage|time
    in the meantime
    meanwhile
    until|till monday|tuesday|wednesday|thursday|friday|tomorrow
    for|during the demo|meeting|call|presentation|incident|outage|audit|launch
    until|till next|then|later|noon|lunch|tonight|saturday|sunday|this|that|after
    until|till the review|meeting|call|release|freeze|demo|audit|launch|migration
    while i|we|he|she|they
    before|after|when you {base} this|that|these
    so far
    as part of this
    just? for this|that|these

until
    until|till|before i|we|he|she|they {any}
    while {ing}
    while the {any}
    until|till {np} has|have|is|are

here
    here

soon
    this|these|those {noun}
    {ing} this|that|it|these|those
    to|on|in|at|with|from|of that {noun}
    only|just the|this {noun}
    still
    the? first|second|third|last|next {noun}
    as well
""")
"""Phrases as in ``phrases``, tried at every word of the decree's clause."""


def marks_of(tokens: Sequence[Token], start: int, end: int) -> frozenset[str]:
    """The kinds of marks among the tokens from ``start`` to ``end``."""
    return frozenset(
        kind
        for at in range(start, end)
        for kind, to, _ in _MARKS.at(tokens, at)
        if to <= end + 1
    )
