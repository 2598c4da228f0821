"""What may stand before the head of a decree, and which of it is cut off.

``chaff`` (a greeting, thanks, an answer, a conjunction) is no part of the rule.
``kept`` (courtesy, stress) is passed over and stays in it. ``habit`` makes a rule
of what follows, ``usually`` may make one, ``while`` ties it to this task, and a
``label`` announces it.
"""

OPENERS = """
chaff
    hi|hello|hey|yo|howdy
    hi|hello|hey|yo|okay|thanks {any} {stop}
    hi|hello|hey there|all|again|claude|team|everyone
    good morning|afternoon|evening|job|work|stuff|point|catch|one {stop}?
    great|nice|well|excellent|solid|good job|work|stuff|done|one|catch {stop}?
    thanks|thx|ty|cheers a? so? lot|much? {stop}?
    thank you so|very? much?
    thanks|thank you? for {np} {stop}
    okay|and|but|so|also|plus|oh|ah|btw|anyway|fyi|hmm|um|uh|lol|yes|yep|yeah|yup
    nope|nah|sorry|additionally|furthermore|moreover|actually|then|finally|lastly
    no no no? {stop}
    no|great|good|nice|cool|perfect|sure|right|awesome|excellent|fine|wow {stop}
    lovely|lgtm|amazing|brilliant|correct|agreed|understood|super|sweet|well {stop}
    wait|look|listen|see|besides|yes|fantastic|wonderful|thanks {stop}
    looks good|great|fine|nice {stop}
    that|this worked|works|helped|helps {stop}
    by the way
    now {stop}?
    one|another|quick|small|side more|other|small|last? {thing} {stop}
    two|three|four|few|some more|other|small|last? {thing} {stop}
    a few|couple of? more|other? {thing} {stop}
    1|2|3|4|5|6|7|8|9|10|a|b|c|d|e|ii|iii|iv )
    {agent} {stop}
    buddy|man|dude|mate|folks|guys|friend|everyone|team {stop}
    p.s|ps|nb|n.b {stop}?

kept
    please|kindly|just|really|seriously|honestly|absolutely|definitely|strictly
    simply|again|clearly|obviously|ideally|preferably|importantly|instead|crucially
    basically|ever|maybe|perhaps|yet|immediately
    pretty please
    once|yet again|more
    more|most importantly|crucially
    above all
    first of all
    for the love of {any}
    for god's|heaven's|christ's|pete's|goodness|fuck's sake
    remember|note that
    let us agree {stop}
    i mean it|this {stop}
    tl ; dr {stop}?
    tldr {stop}?
    <entity> :|,|-|–|—
    keep|bear in mind that|,|:
    be aware|advised that|,|:
    i repeat|insist|mean|say|said|beg|stress that|,|:|-
    i will say it|this|that only? once|again {stop}
    i {adv} keep having to tell|remind you this|that? :|,|-
    it goes|should|must go? without saying ,|but|that|:
    needless to say ,|but|that|:
    per|under our|my|company policy|policies|rules ,?
    per|under our|my|company {any} policy|policies|rules ,?
    as per our|my|company policy|policies|rules ,?
    i beg you ,|:|-|to
    like|as i said|told|mentioned|asked you?
    i have? already? told|asked you already|before|that? :|,|-
    do me a favor and|,|:|-
    be so kind and
    to be clear|safe|honest|precise ,|:
    if you {can|please} ,
    if at? all? possible ,?
    if you do not mind ,?
    for the record ,|:
    i have? changed my mind ,|:|-|–|—|.
    on second thought ,?
    as always|usual|before ,?
    you know ,

label
    {label} {stop}
    {my} {kind}? {kind}? {label} for? you|me? {stop}
    {label} number|no|#? {any} {stop}
    rule of thumb for? you|me? {stop}
    the|my|our rule|deal|policy is {adv} simple|clear|this {stop}
    something|one|two|three general|else|thing|things more|important? {stop}
    one|a thing|rule for|in all {any} {any} {stop}

habit
    from now|here|today|this on|onward|onwards|forward|point|moment on|onwards|out|in?
    going|moving forward|forwards
    in the? future
    until further notice ,?
    until|unless i say|tell you? otherwise|so|different ,?
    effective immediately|now|today ,?
    henceforth|henceforward|hereafter
    as|starting of? now|today|tomorrow
    for future reference
    as a general|strict? rule|policy|principle|habit of? thumb?
    at all times
    next time
    the next time
    whatever you do|happens
    no matter what
    no matter what|how|who|when|if|whether {np} ,
    for the rest|remainder|duration of this|the|our {any}
    in|for|on this|the|our|my repo|repository|project|codebase|monorepo|workspace
    for|in all? future {any}
    remember for all? future? {any}

usually
    in|as general|default|principle
    generally|normally|usually|ordinarily
    by default

while
    for now|today|tonight
    for the moment|time being?
    right|just now
    today|tonight|tomorrow
    in|for|during|on|within this|that|our|current current? {any}
    just? this time|once
    at the? moment|point|stage|this
    in the meantime
    meanwhile
    until|till {np} ,
"""
