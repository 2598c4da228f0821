"""Words that forbid: what they are, and when they forbid nothing."""

import re

SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|;\s")
_CLAUSES = re.compile(r"[.;!?\n:]\s|,\s|\sso\s|\sbut\s")
_NOT = r"(?:\s+(?:not|never|no longer|neither)|n['’]?t)"
_PEOPLE = (
    r"(?:I|me|we|us|humans?|people|maintainers?|admins?|owners?|staff|CI|ops|sre|dba"
    r"|developers|reviewers|(?:the |our )?(?:[\w-]+ )?(?:team|bot|manager|lead|owner"
    r"|pipeline|maintainers?|admins?|engineers?)s?)"
)
ADVERBS = (
    r"(?:\s+(?:strictly|absolutely|simply|just|now|also|really|completely|totally"
    r"|always"
    r"|still|currently|entirely|explicitly|generally|directly|manually|ever))*"
)
_BAD = (
    r"(?:forbidden|prohibited|banned|barred|disallowed|blocked|out of bounds|taboo"
    r"|illegal"
    r"|verboten|unacceptable|unwanted|unwelcome|untouchable|immutable|sacred|sacrosanct"
    r"|off (?:the )?[- ]?(?:limits|table)|off-limits|read[- ]only|frozen"
    r"|none of your (?:business|concern)|out(?=\s*(?:[,;]|[.!](?:\s|$)|$))"
    r"|an? (?:\w+ )?no(?:[- ]?go|[- ]?no)?(?: (?:area|zone))?(?=\s*(?:[,;.!(]|$| in| on"
    r"| for| around| here))|no[- ]go)(?![\w-])"
    r"(?!\s+(?:to|from)\s+\w+ing\b|\s+to\b)"
)
_GOOD = (
    r"(?:allowed(?! to)|permitted(?! to)|ok(?:ay)?(?! to)|acceptable(?! to)|welcome"
    r"|wanted|tolerated|fine(?! to)|an option|on the table"
    r"|something (?:you|we|agents?)(?:['’]re| are)?(?: \w+)? ?(?:do|run|use|touch"
    r"|call)?"
    r"|for you\b(?! to)|yours\b(?! to)|(?:(?:for you|yours) to(?: be)?"
    r"|to be) (?P<to>[a-z]+)"
    r"|for (?P<use>[a-z]+ing)|(?=$|[,;!)]|[.](?:\s|$)))"
)
_LONE = (
    r"\s*[:?,–—-]+\s*(?:(?:absolutely|definitely|just|simply|please|again)\s+)*"
    r"(?:never|not|no way|nope?|don['’]?t|forbidden|banned|off[- ]limits)\b"
    r"(?=\s*(?:$|[!;,(]|[.](?:\s|$)|(?:(?:ever|again|please)\b\s*)?"
    r"(?:(?:in|on|at|here|from|around|without|unless|for|by)\b(?!\s+(?:any\b|the\s+)?"
    r"[\ue200-\ue5ff`]))))"
)
_AFTER = (
    rf"(?P<bad>(?:\s+(?:is|are|as|stays?|remains?|counts as)|['’](?:s"
    rf"|re)){ADVERBS}\s+{_BAD})"
    rf"|(?P<no_good>(?:\s+(?:is|are)){_NOT}{ADVERBS}\s*{_GOOD})"
    rf"|(?P<passive>(?:\s+(?:must|should|may|can|shall|will|do(?:es)?|need)(?:\s+(?:not"
    rf"|never)"
    rf"|n['’]?t)|\s+cannot|\s+never){ADVERBS}\s+(?:be|get){ADVERBS}\s+(?P<done>[a-z]+))"
    rf"|(?P<kept>\s+(?:(?:must|should|has to|have to|needs? to|to)\s+)?(?:stays?"
    rf"|remains?"
    r"|(?:is|are|be) (?:left|kept|to stay))\s+(?:untouched|unchanged|intact|alone"
    r"|as[- ](?:is|they are|it is)|the way (?:it|they) (?:is|are))\b)"
    rf"|(?P<reserved>\s+(?:is|are)\s+(?:(?:only|reserved|there"
    rf"|meant)\s+)+for\s+{_PEOPLE}\b"
    rf"|\s+(?:is|are)\s+for\s+{_PEOPLE}\s+(?:only|alone|exclusively)\b)"
    rf"|(?P<only_if>\s+only(?=\s+(?:in|on|for|from|inside|within|against|under|if|when"
    r"|after|once)\b))"
    rf"|(?P<lone>{_LONE})"
)
_STRONG = (
    r"\b(?:never(?:,? ever)?|(?:do|does)(?: not|n['’`]?t)(?: ever)?|dont|doesnt"
    r"|must(?: not|n['’]?t)(?: ever)?|cannot|can['’]?t|should(?: not|n['’]?t)(?: ever)?"
    r"|may not|shall not|no longer|no more|nothing|under no circumstances|at no point"
    r"|won['’]?t|rather (?:you |agents |we )?(?:not|didn['’]?t)"
    rf"|(?:is|are|it['’]s|you['’]re|it is){ADVERBS}\s+(?:forbidden|prohibited|banned"
    rf"|barred)"
    r" (?:to|from)|(?:forbidden|prohibited|banned|barred) (?:to|from)(?= \w+)"
    r"|(?:not|isn['’]?t|aren['’]?t) (?:(?:ok(?:ay)?|allowed|acceptable|fine|permitted"
    r"|supposed|meant|expected|your (?:job|place|task|business)) )?to(?! be\b)"
    r"|no business|but not(?= [a-z]+\b)|not (?:a single|any|one|even))\b"
)
_WEAK = (
    r"(?:(?<=^)|(?<=[.;:!?,\n(] )|(?<=[-–—*•] )|(?<=\*\*)|(?<=\bplease )|(?<=\band )"
    r"|(?<=\bnever )|(?<=\bto )|(?<=\blonger )|(?<=\bbut )|(?<=\bso )|(?<=\bmust )"
    r"|(?<=\bshould ))(?:avoid|stop|quit|refrain from"
    r"|(?<!never )(?<!longer )(?<!to )(?:ban|skip))\b"
    r"(?=\s+(?:\w+ing\b|[^\x00-\x7f`\w]|(?:the|any)\b|\w+))"
)
_NO = (
    r"(?<!\bhas )(?<!\bhave )(?<!\bis )(?<!\bare )(?<!\bwith )(?<!\bthere['’]s )"
    r"(?<!\bsays )(?<!\bsay )(?<!\bif )(?<!\bor )(?<!\bin )(?<!\bby )(?<!\bneed )"
    r"(?<!\bgives )(?<!\bhad )(?<!\bneeds )(?<!\bto )(?<!\bof )(?<!\bmakes )"
    r"(?<![\w-])no(?![-\w])(?=\s+(?![a-z]+\s+(?:is|are|was|will|can|should|has|have"
    r"|needs?)\b|[^,.;:!?]{1,80}\s(?:should|must|may|can|is|are) (?!be (?:run|us|edit"
    r"|chang|"
    r"modif|touch|delet|push|commit|merg|install|remov))[a-z])\S)"
)
_TOUCH = (
    r"\b(?:(?:keep )?(?:your )?(?:hands|fingers|paws|mitts) off|(?:keep|stay"
    r"|steer)(?: well)? (?:out|away|clear)"
    r"(?: of| from)|lay off|(?:stay|keep) off)\b(?:\s+of\b)?"
)
_ONLY = (
    rf"\bonly {_PEOPLE}\s+(?:(?:may|can|should|must|gets? to|(?:is|are) allowed to"
    rf"|ever)"
    r"\s+)*(?=[a-z]+\b)|\bonly (?!you\b|in\b|on\b|if\b|when\b)[\w-]+(?: \w+)? (?:may"
    r"|can"
    r"|gets? to|(?:is|are) allowed to)\s+"
    r"|\bno(?:body| one| agent)(?: (?:but|except)(?: for)? [\w-]+(?: team)?)?\b"
    r"(?:\s+(?:may|can|should|gets? to|ever|is allowed to|are allowed to))*"
)
FORBIDS = re.compile(
    rf"(?i)(?P<after>{_AFTER})|(?P<touch>{_TOUCH})|(?P<only>{_ONLY})"
    rf"|(?:{_STRONG}|{_WEAK}|(?P<no>{_NO}))(?:[\s:!*_]|\.(?=\s)|,(?=\s+(?:under|in"
    rf"|for) ))*"
)
INSTEAD_OF = re.compile(
    r"(?i)(?:,|;|\s[-–—]|(?<=\w)|(?<=[\ue200-\ue5ff]))\s*(?:and )?\bnot\s+(?=\S)"
    r"|\b(?:instead of|rather than|as opposed to)\s+(?:(?:runn|us|call)ing\s+)?"
    r"|(?<=\S)\s+(?P<over>over|to)\s+(?:(?:plain|raw|bare)\s+)?(?=\S)"
)
_REFRAINS = re.compile(
    r"(?i)\s*(?:ever\s+)?(?:avoid|skip|ignor|refus|neglect|omit|bypass|forget|delay"
    r"|disregard|overlook|exclud|refrain|hesitat|miss|fail to|leav\w* out"
    r"|(?:need|have) to\b|worr|mind|matter|care|trust|document|describ|explain"
    r"|quote|assum|expect (?!you|any|an? )|know|rely on (?:me|us)|complain|panic|doubt"
    r"|go wrong|hurt|beat\b|wait\b)"
    r"\w*"
)
"""Verbs of not doing and of mere talk: "never skip tests/" forbids no use of them."""
_IDLE = re.compile(
    r"(?i)\s*(?:need|problem|point|matter|harm|doubt|sense|difference|rush|worr\w+"
    r"|hurry"
    r"|reason|issue|wonder|idea|surprise|changes? needed)\b"
)
"""Words after "no" that leave the choice: "no need to run it"."""
_NOT_ALONE = re.compile(r"(?i)\s*(?:just|only|merely)\s")
"""What is not to be done alone is not forbidden: "do not just run the tests"."""
_HOOKS = re.compile(
    r"(?i)\s*(?:skip|bypass|ignor|disabl)\w*\s+(?:the\s+|any\s+)?(?:\S+\s+){0,2}?hooks?"
)
_REPORTED = re.compile(
    r"(?i)\b(?:(?<!is )(?<!are )(?<!be )used to|(?:people|they|some(?:one|body)?"
    r"|everyone"
    r"|others|folks|he|she|wiki|docs?|article|blog|handbook|readme|manual|guide|post)"
    r"\s+(?:\w+\s+)?(?:says?|said|claim\w*|told|tells?|think\w*|suggest\w*|recommend\w*"
    r"|wrote|writes?|argue\w*)|last (?:week|month|year|time|sprint|quarter|night)"
    r"|yesterday|previously|formerly|historically|in the past|back then|ago"
    r"|at (?:my|our|the) (?:old|last|previous|former)|was|were|wasn['’]?t|weren['’]?t"
    r"|had"
    r"|did(?:n['’]?t)?)\b(?!\s+(?:agreed|decided)\b)"
    r"|(?:\b(?:have|has)|['’]ve)\s+(?:never|not)\b"
)
"""Words of the past, and of what others say: no order."""
_VOID = re.compile(
    r"(?i)\b(?:(?:is|are|was) (?:now |long )?(?:outdated|obsolete|not true"
    r"|no longer (?:true"
    r"|valid|needed|enforced|the case))|but (?:it|that|this)(?:['’]s| is) (?:\w+ )?"
    r"(?:fine|ok(?:ay)?|allowed))\b"
)


def is_order(text: str, cue: re.Match[str], rest: str) -> bool:
    """Return False if words that forbid are reported, past, a question or no ban.

    ``rest`` are the words after them.
    """
    sentence = sentence_end(text, cue.end())
    if text[sentence : sentence + 1] == "?" and "?" not in cue[0]:
        return False
    clause = _CLAUSES.split(text[: cue.start()])[-1]
    told = _REPORTED.search(f"{clause}{cue[0]}{' '.join(rest.split()[:1])}")
    if told and not cue[0].lower().startswith("rather"):
        return False
    if _VOID.search(text, cue.end(), sentence):
        return False
    return cue["after"] is not None or not (
        _NOT_ALONE.match(rest)
        or (cue["no"] and _IDLE.match(rest))
        or (_REFRAINS.match(rest) and not _HOOKS.match(rest))
    )


def sentence_end(text: str, start: int) -> int:
    """Return the end of the sentence that a position is in."""
    end = SENTENCE_END.search(text, start)
    return end.start() if end else len(text)
