"""The grammar of mandates: how a clause begins that demands a way of working.

Written as in ``bans``. Most commands of a user are steps of the task, so only
words of habit (*always*) rule by themselves; the rest needs a sign beside it.
"""

MANDATES = """
always 0.9
    always {adv} {base}
    only ever {base}
    do always {base}
    make it a rule|habit|point to always? {base}
    get into the habit of {ing}
    my|our|the rule|policy is to? always {base}
    you must|should|shall|will {adv} always {base}
    it is {adv} {vital} to always {base}
    it is {adv} {vital} that you always {base}
    you need|have|ought to {adv} always {base}
    you always need|have|must|should to? {base}
    i {adv} {want} you to {adv} always {base}
    i would {adv} {like} you to {adv} always|only {base}
    i {adv} always {want} {any}
    {can} you {adv} always|consistently {adv} {base}
    {can} you {adv} {be} {sure} that? you? to? always {any}
    {be} {sure} {adv} that? you always|only {any}
    {be} {sure} {adv} to always|only {base}
    ensure {adv} that? you always|only {any}
    remember to always|only {base}
    try to always {base}
    never fail to {base}
    it would help me|us? a? lot? if you {can}? {adv} always {any}
    it would be|make {np}? if you {can}? {adv} always {any}
    would it be {okay|able} for? you? to always {base}

agents-must 0.6
    {agent} {must|should} always|only {base}

we-must 0.3
    we {must|should} always|only {base}
    we need|have to always|only {base}
    let us always {base}
    let us agree that? you|we always {base}
    let us stick to|with {any}

only 0.7
    only {adv} {base}
    exclusively {base}
    limit|restrict yourself to {any}

prefer 0.75
    prefer|favor|favour {any}
    default to {any}
    stick to|with {any}
    opt|go for|with {np} over|instead {any}
    lean towards|toward|on {any}

prefers-over 0.75
    i {adv} prefer {np} over|to {any}
    i would {adv} prefer {np} over|to {any}
    i like {np} better|more than {any}

prefers 0.55
    i {adv} prefer you|your|it|that|to {any}
    i would {adv} {like} that|it? if? you {any}
    i would {adv} {like} it? if you {can} {any}
    my preference is {any}
    i like it when you {any}
    what i want|need|expect is that|for {any}
    what i would {like} is that|for {any}

ensure 0.4
    {be} {sure} {adv} that? you {base}
    {be} {sure} {adv} that? you have|are {any}
    {be} {sure} {adv} to {adv} {base}
    ensure {adv} that? you {base}
    see to? it? that you {base}
    take care to {base}
    remember you {must|should} {base}

must 0.4
    you {adv} must|shall {adv} {base}
    you {adv} should be? {adv} {base}
    you {adv} need|have|ought|got to {adv} {base}
    you are {adv} to|required|expected|supposed|obliged to? {adv} {base}
    i {adv} {want} you to {adv} {base}
    i would {adv} {like} you to {adv} {base}
    going to need you to {adv} {base}
    i am going to need you to {adv} {base}
    {can} i {adv} ask|beg that? you to? {adv} {base}
    it would be {adv} {very}? {great} if you {can}? {any}
    it is {adv} {vital} that you {any}
    it is {adv} {vital} to {base}

ask-not-guess 0.75
    ask ,? do not|never {any}
    ask instead|rather of|than {ing}

ask-first 0.65
    ask me|us? {adv} first|before|permission|approval|whenever {any}
    ask me|us? {adv} for {my}? {approval} {any}?
    ask me|us? {adv} if|when|whenever unsure|in|uncertain|unclear {any}?
    ask me|us? {adv} if|when|whenever you are unsure|uncertain|not {any}?
    ask first
    ask me|us? if|when {np} unclear|ambiguous|unsure
    {check} it|this|that|everything|things? with me|us {any}
    {check} before|first|in with|me|us? {any}
    consult me|us {any}
    {get} {my} {approval} {any}
    let me|us know before|whenever|first|each|every {any}
    {tell} me|us before|whenever|first|every|each {any}
    double-check|verify|check|confirm|review {np} before {ing}
    run {np} by|past me|us {any}
    run {np} by|past {np} before|first {any}
    show|send me|us {np} before|first {any}
    propose|present|explain {np} before {any}

keep 0.7
    keep {np} {short}
    keep {np} to a|one|two|three|under|below {any}
    keep {np} under|below|within {any}
    keep {np} in sync|order {any}

style 0.6
    be {short}
    be more|less|extra|very {short}
    {answer} me|us? in|using {any}
    {answer} to|back {noun} in|using {any}
    {answer} to|back me|us in|using {any}
    address me as|by|with {any}
"""
