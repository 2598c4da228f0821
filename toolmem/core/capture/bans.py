"""The grammar of bans: how a clause begins that forbids something.

``group sureness`` stands at the margin, its phrases (see ``phrases``) under it.
0.9 rules by itself (*never*), 0.7 is a plain command that may be meant for this
task only (*don't*), 0.5 and below needs a sign of habit beside it.
"""

BANS = """
never 0.9
    never {adv} {base}
    never , {np} , {base}
    never {in} any|no {case} ,? {adv} {base}
    do not , {np} , {base}
    {in} {no} {case} ,? {adv} {base}
    {in} {no} {case} ,? {must|do} you {any}
    {in} {no} {case} ,? {must|should} {np} be {done}
    by no means {adv} {base}
    no matter what|how|who|when|if|whether {np} , do not {adv} {base}
    there is {adv} no {case} in|where|under|for which? you {must|should|can} {any}
    not under any {case} {adv} {base}
    no longer {base}
    no more {any}
    enough with {any}
    make it a rule|habit|point to never|not {base}
    make it a rule|habit|point never|not to {base}
    my|our|the rule|policy is never|not to {base}
    my|our|the rule|policy is to never|not {base}
    {base} nothing|nobody without|unless|until {any}
    nobody|nothing {goes} without|unless|until {any}
    not a|one single? {np} without|unless|until {any}
    without {np} ,? nobody|nothing {goes} {any}
    without {np} ,? no {noun}
    let us agree that? you|we {must|do}? {not} {adv} {base}
    let us agree that? no {noun}
    let us agree that? you only {base}
    nobody|nothing {goes} {np} without|unless|until {any}

must-not 0.9
    you {must} {not} {adv} {base}
    you {must|should} {in} {no} {case} {adv} {base}
    do not {adv} you dare|ever {adv} {base}
    you do not get to {base}
    you {adv} need|have|ought to {adv} stop|quit {adv} {ing}
    how many|often times|time? {do} i have? to? {told} ,? you? never|not {base}
    how many|often times|time? i must|have|need to? {told} ,? you? never|not {base}
    except|though|although that? you {must} {not} {adv} {base}
    you are {not} {adv} to {adv} {base}
    you are to {not} {adv} {base}
    thou shalt {not} {base}
    you are {not} {adv} {allowed} to {adv} {base}
    you are {adv} {banned} from|to {any}
    you do? not? have no? permission|business|right|authority to {base}
    i {adv} forbid you to|from? {any}
    i do not allow|permit {any}
    it is {adv} {banned} to {base}
    it is {not} {adv} {okay} to {base}
    it is {adv} {vital} to {adv} {not|avoid} {any}
    it is {adv} {vital} {not} to {base}
    it is {adv} {vital} that you {adv} {do}? {not|avoid} {any}

should-not 0.8
    you should {not} {adv} {base}
    you ought {not} to {base}
    you had|would? better {not} {base}
    i should not|never have to tell|ask|remind you not|to to? {any}

nobody-but 0.75
    nobody but|except|besides|beside me|us {any}

never-for 0.7
    never for {np}

hold-off 0.45
    hold off on? {any}

can-not 0.55
    you can|will|may {not} {adv} {base}
    you do not {base} {np} without|unless {any}

agents-must-not 0.6
    {agent} {must|should} {not} {adv} {base}

we-must-not 0.3
    we {must|should} {not} {adv} {base}
    we never want to {base}
    nobody|nothing is {done}
    nobody|nothing {must|should} be {done}
    nobody pushes|merges|deploys|touches|edits|commits|emails {any}

don't 0.7
    do not {adv} {base}
    do no {base}
    not to {adv} {base}

let's-not 0.6
    let us {adv} {not} {adv} {base}
    let us {adv} avoid|stop|quit|refrain {any}

stop 0.85
    stop|quit|cease {adv} {ing}
    stop|quit trying|attempting to {base}
    stop|quit it? with {any}
    lay off {any}
    cut out the {ing}
    cut|knock it out|off with {any}
    spare me {any}
    resist|fight the urge|temptation|impulse to {base}

avoid 0.7
    avoid {any}
    refrain|abstain|desist from {any}
    {stay} {adv} clear|away|off|out of|from? {any}
    hands off {any}
    keep your hands|mitts|fingers|paws off {any}
    leave {np} alone|untouched|unchanged|intact|as-is
    leave {np} as is|they|it|are
    keep {np} untouched|unchanged|intact|as-is|frozen|read-only
    keep {np} out|away of|from {any}
    treat|consider|regard {np} as? read-only|off-limits|immutable|sacred|frozen
    treat|consider|regard {np} as? off limits
    treat|consider|regard {np} as? read only

nothing 0.7
    nothing but {np} in|on|from|to|for {any}
    {act} nothing|nobody but|except|outside|beyond|to|on|in|from|about {any}

make-sure-not 0.7
    {be} {sure} {adv} {not} to {adv} {base}
    {be} {sure} to {adv} {not|avoid} {any}
    {be} {sure} {adv} that? you {do} not {adv} {base}
    {be} {sure} {adv} that? you never|avoid {any}
    {be} {sure} {adv} that? you are {not} {ing}
    ensure {adv} that? you {do} not {adv} {base}
    ensure {adv} that? you never|avoid {any}
    see to? it? that you {do} not {adv} {base}
    see to? it? that you never {base}
    take care {adv} {not} to {base}
    take care to {adv} {not|avoid} {any}
    try {adv} {not} to {adv} {base}
    try to {adv} {not|avoid} {any}
    remember {adv} {not} to {adv} {base}
    remember to {adv} {not|avoid} {any}
    mind you do not {base}

wish-not 0.8
    i {adv} {do} not {adv} {want} you to {adv} {base}
    i {adv} {do} not {adv} {want} you {adv} {ing}
    i {adv} {do} not {adv} {want} {np} in|from|among your {any}
    it would help me|us? a? lot? if you {can}? {adv} {not|avoid} {any}
    i wish|hope you {can} {adv} {not|avoid} {any}
    i {adv} {do}? not? {adv} never|ever ever? {want} {adv} {wanted} {any}
    i {adv} {do}? not? {adv} never|ever ever? {want} {adv} {noun}
    i {adv} {do}? not? {adv} never|ever ever? {want} to {adv} {met} {any}
    i {adv} {do}? not? {adv} never|ever ever? {want} to {adv} have {noun}
    i {adv} {do}? not? {adv} never|ever ever? {want} to {adv} be {done}
    i would {adv} {like} that|it? if? you {do} {not} {adv} {any}
    i would {adv} {like} that|it? if? you {adv} {not|avoid} {any}
    i would {adv} rather not have|see you? {any}
    i would {adv} {like} it? if you {can}? {adv} {not|avoid} {any}
    i {adv} {want} you to {adv} {not|avoid} {any}
    i {adv} {want} you not|never to {adv} {base}
    i would {adv} {like} you to {adv} {not|avoid} {any}
    i would {adv} {like} you {not} to {adv} {base}
    i would be {adv} {glad} if you {can}? {adv} {not|avoid} {any}
    i was|am wondering if|whether you {can} {adv} {not|avoid} {any}
    i am {adv} {asking} you {not} to {base}
    i am {adv} {asking} you to {not|avoid} {any}
    i beg|implore|urge you {not} to {base}
    it would be {adv} {very}? {great} if you {can}? {adv} {not|avoid} {any}
    it would be {adv} {very}? {great} if you {do} not {any}
    it would be {adv} {very}? {great} {not} to {base}

told-not 0.85
    i have? {adv} {told} you {adv} before? {not} to {adv} {base}
    i have? {adv} {told} you {adv} before? to {adv} {not|avoid} {any}
    {did} not i {adv} {told} you? {not} to? {any}
    {did} not i {adv} {told} you to {not|avoid} {any}
    how many times {do} i have? to? {told} you {not} to {base}
    how many times {do} i have? to? {told} you to {not|avoid} {any}
    i am {not} {adv} {okay} with you? {ing}

dislike 0.6
    i {adv} {hate} it? when you {any}
    i {adv} {do} not {adv} {hate} it? when|if you {any}
    i {adv} can not {adv} {hate} it? when|if you {any}
    i {adv} {do} not {adv} {hate} you {ing}

unwanted 0.5
    i {adv} {do} not {adv} want any|more|your {any}
    i {adv} {do} not want to {adv} see {any}

polite-not 0.75
    {can} you {adv} {not} {adv} {base}
    {can} you {adv} stop|quit|cease {adv} {ing}
    {can} you in general|future {adv} {not|avoid} {any}
    {can} you {adv} avoid|refrain {any}
    {can} you {adv} no longer {base}
    {can} you {adv} leave {np} alone|untouched|unchanged|as
    {can} you {adv} {be} {sure} {not} to {base}
    {can} you {adv} {be} {sure} that? you {do} not|never {any}
    {can} you {adv} {be} {sure} that? you never {any}
    {can} you {adv} promise|agree|commit|swear me? to {not|avoid} {any}
    {can} you {adv} promise|agree|swear me? that? you {must|do} {not} {any}
    be so kind as? to {not|avoid} {any}
    {can} you {adv} try to {not|avoid} {any}
    {can} you {adv} try {not} to {base}
    if you {can} please|kindly {not|avoid} {any}
    {can} we {adv} {not} {adv} {base}
    {can} we {adv} stop|quit {adv} {ing}
    {can} we {adv} avoid {any}
    {can} we {adv} agree that? you {must|do} {not} {any}
    {can} we {adv} agree that? you never|stop|avoid {any}
    {can} we {adv} agree that? {np} is|are off|forbidden|banned {any}
    {can} we {adv} agree on? no {any}
    is it {okay|able} for you to {not|avoid} {any}
    is it too much to ask you? to {not|avoid} {any}
    {can} we {adv} agree to {not|avoid} {any}
    {can} i {adv} ask|beg you {adv} {not} to {base}
    {can} i {adv} ask|beg you {adv} to {not|avoid} {any}
    {do} you mind {adv} not {ing}
    {do} you mind {adv} avoiding|stopping|leaving {any}
    mind {adv} not {ing}
    any chance you|we {can} {adv} {not|avoid} {any}
    {do} you think you {can} {adv} {not|avoid} {any}
    would it be {okay|able} for? you? to {not|avoid} {any}
    would it kill you to {not|avoid} {any}
    would it kill you {not} to {base}
    how about you|we? {not|avoid} {any}

only-then 0.65
    you {must|can} {base} {np} only {any}

only-if 0.8
    only i|we|me|humans {must|can|should} {base}
    only if|when|after|once {np} {must|can|do} you {any}
    not without {np} {must|can|do} you {any}
    you {must|can} only {base}
    you only {base}
    you are only {allowed} to {base}
"""
