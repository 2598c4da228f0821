"""The grammar of what is taken back: permissions, and rules that are dropped.

Written as in ``bans``. ``dropped`` names a rule, ``allowed`` permits an act,
``norm`` says that it is all right at any time, ``needless`` waives a duty,
``except`` carves something out of a rule. ``STATES`` stand after their subject
("the ban on X is lifted").
"""

PERMITS = """
dropped 0.9
    {drop} {det} {ruling}
    {drop} {det} {np} {ruling}
    {drop} {ruling} {any}
    {drop} what|everything|anything i|we {told|wrote} {any}
    {drop} what|everything|anything i|we {told|wrote}
    {drop} my earlier|previous|last|old|initial request|wish {any}
    forget|disregard|ignore about? what|everything|anything i|we {told|wrote} {any}
    forget i|we ever? {told|wrote} {any}
    forget about {det} {np} {ruling}
    forget about {det} {ruling}
    get rid of {det} {ruling}
    get rid of {det} {np} {ruling}
    do away with {det} {np} {ruling}
    i {adv} take back {any}
    i {adv} take it|that|this back
    i {adv} take {det} {np} back
    i was wrong about {any}
    i have? {adv} changed my mind about|on|regarding {any}
    changed my mind about|on|regarding {any}
    scratch|strike|nix that
    never mind what i|we {told|wrote} {any}?
    never mind about? {det} {np} {ruling}
    never mind about? {det} {ruling}
    nevermind about? {det} {np} {ruling}
    nevermind what i|we {told|wrote} {any}?
    no more {np} rule|ban|restriction|policy
    we|you|i no longer need|want {det} {np} {ruling}
    we|you|i no longer need|want {det} {ruling}
    i do not need|want {det} {np} {ruling} any {any}
    consider {det} {np} lifted|gone|void|cancelled|canceled|revoked|dropped
    i|we are|am {adv} {lifting} {det} {np} {ruling}
    i|we are|am {adv} {lifting} {det} {ruling}
    i|we hereby? have? {adv} {drop|lifted} {det} {np} {ruling}
    i|we hereby? have? {adv} {drop|lifted} {det} {ruling}
    unban|un-ban|unblock|unlock|unfreeze|re-enable|reenable {any}

allowed 0.6
    you can|may {adv} {base}
    you are {adv} {free} to {adv} {base}
    go ahead and|with {any}
    you have my? permission|approval|okay|blessing|leave|go-ahead to {base}
    i do not mind {any}
    i no longer mind {any}
    i am {adv} {fine} with {any}
    i {adv} allow|permit {any}
    i will allow|permit {any}
    i {adv} do not object to|if {any}
    resume {any}
    go back to {any}
    start {ing} {np} again
    use {np} again|freely|whenever
    {base} {np} whenever|anytime|however|as you like|want|wish|please
    we can|may {adv} {base} {any}
    stop|quit|cease avoiding {any}
    no longer avoid {any}
    no objection to {any}
    permission|approval granted to|for {any}

norm 0.6
    it is {adv} {fine} for? you? to {adv} {base}
    it is {adv} {fine} if you {base}
    feel free to {adv} {base}
    okay to {base}
    fine to {base}
    no problem {ing}

needless 0.6
    you {adv} do not {adv} have|need to {adv} {any}
    you {adv} no longer have|need to {any}
    you need not {any}
    there is? no need|reason to {any}
    no need|reason to {any}
    no need for {any}
    you can|may {adv} stop doing|with that|it|this
    you can|may {adv} skip|stop|drop|forget|omit|quit {any}
    it is not {adv} needed|necessary|required to {any}
    i do not need you to {any}
    do not bother {any}

except 0.8
    make|allow an? exception
    exception|exceptions :|,|-|–|—
    one|an|the|only only|one? exception :|,|-|–|—|is|to|are
    one|an|the|only only|one? exception for {np} :|,|-
    with one exception
    exception|exceptions to|from {any}
    except|unless {any}
    {np} is|are an|the exception|exceptions to|from {any}
    {np} is|are {adv} exempt|exempted|excluded from {any}
"""

STATES = """
dropped 0.85
    is|are {adv} {gone}
    has|have been {adv} {gone}
    no longer applies|apply|holds|hold|stands|stand
    does|do not {adv} apply|hold|stand|exist any more|longer
    does|do not {adv} apply|hold|stand
    can go {adv}
    can be {gone}
    is|are no longer {valid}
    is|are {not} {adv} {valid} any more|longer
    expired

norm 0.65
    is|are {adv} {adv2}? {fine}
    is|are no longer {banned}
    is|are no longer off limits|bounds
    is|are no longer off-limits|taboo
    is|are no longer a|an problem|issue|no-go
    is|are not {adv} {banned} any more|longer
    is|are not {adv} off limits|off-limits any? more|longer?
    is|are {adv} back on|allowed|in
    is|are {adv} fair game
    is|are {adv} open|available|enabled again
    is|are {adv} open|available|enabled to|for you|us again
    is|are {adv} unblocked|unbanned|un-banned
    can|may {adv} be {done}

needless 0.65
    is|are no longer needed|necessary|required|mandatory
    is|are {not} {adv} needed|necessary|required|mandatory
    is|are {adv} optional
    does|do not {adv} need|require my|our|any {approval}
    no longer needs|need|requires|require my|our|any {approval}

except 0.9
    is|are {adv} an|the exception|exceptions
    is|are {adv} exempt|excluded|exempted
    is|are {adv} exceptions
    does|do not {adv} apply|hold to|for|in|on|when|if|during {any}
    does|do not {adv} cover|include|concern|mean {any}
"""
