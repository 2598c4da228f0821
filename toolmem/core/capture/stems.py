"""Which forms are one word: ``pushing``, ``pushes`` and ``pushed`` are ``push``.

A light stemmer for comparing words of rules with each other and with names of
tools. It errs towards keeping words apart: a wrong meeting would file a rule
under the wrong tool.
"""

from toolmem.core.capture.smallwords import word_set

_IRREGULAR = {
    "sent": "send", "sending": "send", "wrote": "write", "written": "write",
    "ran": "run", "made": "make", "took": "take", "taken": "take", "gave": "give",
    "paid": "pay", "spent": "spend", "bought": "buy", "told": "tell", "said": "say",
    "came": "come", "went": "go", "gone": "go", "kept": "keep", "left": "leave",
    "built": "build", "broke": "break", "broken": "break", "chose": "choose",
    "dying": "die", "lying": "lie", "tying": "tie", "using": "use", "used": "use",
    "useing": "use", "uses": "use", "mails": "mail", "does": "do", "did": "do",
    "done": "do", "has": "have", "had": "have", "was": "be", "were": "be", "is": "be",
    "are": "be", "been": "be", "being": "be", "queries": "query", "mice": "mouse",
    "news": "news", "sms": "sms", "dns": "dns", "aws": "aws", "css": "css",
    "cypress": "cypress", "kubernetes": "kubernetes", "pods": "pod", "dms": "dm",
    "prs": "pr", "repos": "repo", "e2e": "e2e", "emailed": "email",
}  # fmt: skip
_DOUBLED = frozenset("bdgklmnprtvz")
_E_DROPPED = word_set(
    "creat delet updat writ mak tak giv us mov remov chang merg schedul reschedul"
    " resolv approv invit clos execut generat migrat releas shar sav stor cach"
    " reus renam replac brows navigat typ pag wak plac purchas trad fil"
    " provid promot reduc produc includ exclud ignor requir compil configur ensur"
    " rotat truncat translat summaris summariz organis organiz optimis optimiz"
    " disabl enabl duplicat automat delegat escalat investigat communicat rebas"
    " quot prepar archiv receiv leav believ liv lin tim wip not vot cit fak nam"
    " cop com bundl handl dial siz queu stag pip encod decod charg forc unsubscrib"
    " subscrib phon describ compos expos pars revers terminat upgrad downgrad decid hid"
    " invok revok reveal-e improv prob wir dat dup bak tun scrap"
)

_DOUBLE_ENDED = word_set(
    "call install pull roll kill bill sell tell poll add spell fill"
)


def stem(word: str) -> str:
    """The stem of a word in lower case; things and short words stay as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ings") and len(word) > 6:
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        return _verb(word[:-3])
    if word.endswith("ed") and len(word) > 4 and word[-3] != "e":
        return _verb(word[:-2])
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _verb(root: str) -> str:
    """The base of a verb whose -ing or -ed was taken off."""
    if root in _E_DROPPED:
        return root + "e"
    if root.endswith("i"):
        return root[:-1] + "y"
    if root in _DOUBLE_ENDED or len(root) < 4 or root[-1] != root[-2]:
        return root
    return root[:-1] if root[-1] in _DOUBLED else root
