"""Cues: words and phrases without which a sentence contains no decree.

Each cue has a name, which is a feature of the model. "Not" is a cue only where
something is forbidden ("do not …", "must not …", "…, not npm"), not where something is
described ("it does not work").
"""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.text.words import RULE_LEADS, Token, word_set

_WORDS: dict[str, frozenset[str]] = {
    "never": word_set("never nobody"),
    "always": word_set(
        "always whenever everytime forever permanently henceforth consistently strictly"
        " invariably exclusively everywhere"
    ),
    "avoid": word_set(
        "avoid avoiding stop cease refrain quit forbidden prohibited banned off-limits"
        " disallowed taboo sacred no-go nogo hands read-only"
    ),
    "only": word_set("only solely"),
    "unless": word_set("unless except"),
    "prefer": word_set("prefer preferred preferably preference instead rather favor"),
    "ensure": word_set("ensure must mandatory required compulsory shall"),
    "remember": word_set("remember memory memorize note reminder claude.md agents.md"),
    "rules": word_set(
        "rule rules convention conventions guideline guidelines policy policies"
        " standard standards guardrails principle principles"
    ),
    "keep to": word_set("follow stick adhere respect obey comply"),
    "later": word_set("future forward anymore"),
    "approval": word_set("approval permission confirmation consent"),
    "back": word_set(
        "forget disregard lift lifted scrap scratch exception allowed longer ignore"
    ),
    "style": word_set("concise brief terse verbose honest"),
}
_PHRASES: dict[str, tuple[str, ...]] = {
    "from now": (
        "from now on", "from here on", "from this point", "going forward", "next time",
        "in future", "in the future", "until further notice", "for future",
        "from today", "at all times", "in all cases", "under no circumstances",
        "in no case", "at no time", "as a rule", "no exceptions", "at all costs",
    ),
    "every time": (
        "every time", "each time", "any time", "after every", "after each",
        "before every", "before each", "for every", "once per", "every change",
        "every commit", "each commit", "every pr", "each pr", "every session",
        "per pull request", "per pr", "per commit", "as always", "all commit",
        "all code", "after coding", "before committing", "before commit",
        "before you commit", "before pushing", "before you push", "commit messages",
    ),
    "make sure": ("make sure", "be sure", "keep in mind", "bear in mind"),
    "when": (
        "when you", "when writing", "when working", "when editing", "when running",
        "when committing", "when testing", "if unsure", "in doubt",
        "if you are not sure",
        "is ambiguous", "is unclear", "while you", "before you", "after you",
    ),
    "we": (
        "we use", "we only", "we do not", "we always", "we never", "we want",
        "we should", "we are not", "we have to", "our convention", "we follow",
        "we stick", "we support", "let us not", "let us always", "let us never",
        "let us keep", "let us stick", "we no longer", "we are using",
    ),
    "you": (
        "you should", "you must", "you have to", "you need to always", "you are to",
        "you keep", "you did not", "you forgot", "i expect", "you may only",
        "you need my", "have you to", "you shall", "that you have", "you always",
        "i want you", "i need you", "not allowed", "want you to", "you not", "you stop",
    ),
    "told": (
        "i told you", "as i said", "i said", "i already", "until i", "without asking",
        "ask me", "ask first", "ask before", "ask if", "tell me before", "ask instead",
        "check with me", "confirm with me", "told you", "i tell you", "unless i",
        "i will do", "by me", "leave git", "leave it to me", "mind asking", "just ask",
        "please ask", "and ask", "show me the diff", "i do the", "without my",
        "do this yourself", "mind not", "alone",
    ),
    "place": (
        " go into", " goes into", " belong ", " belongs ", " live in",
        " live next", " lives in", " are written in", "off limits",
        " considered ", "source of truth", "are kept in", "is kept in", "by hand",
    ),
    "manner": (
        "for testing", "in tests", "in this project", "in this repo", "for this repo",
        "this code base", "this codebase", "on this machine", "auto commit",
        "tests first",
        "small steps", "commit only", "a branch for", "one commit", "permanently",
        "worktree", "conventional commit",
    ),
    "want": ("i do not want", "do not need", "i hate", "i prefer", "i never want",
             "i want short", "i would like", "i like", "not want"),
    "use": ("use only", "only use", "please use", "instead of", "rather than",
            "not use", "you use", "using the", "system python", "i use"),
    "no more": ("no more", "any more", "no new", "no need", "not any"),
    "again": (" again , you", " again you", "you again"),
    "back": ("rule about", "what i said", "fine now", "okay again", "fine again",
             "my earlier", "restriction", "ban on", "the requirement for"),
}  # fmt: skip
_MODALS = word_set("must should shall may")
_SUBJECTS = word_set(
    "i we they you it he she that this these those which who there what people users"
    " tests why and if but or because"
)
_OPENS = word_set(", . : ; - – — ( ! please also just and but so then or again pls now")
_NO_NOT_BAN = word_set(
    "problem problems idea longer doubt worries one way matter errors error issue"
    " issues changes difference luck clue such data need reason thanks it i we you he"
    " they there that this just sorry please wait thats improvement not one the"
)
_DEMAND_VERBS = word_set("use keep stay treat answer sign squash leave save stick")


def has_cue(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence has any cue."""
    return next(cues(tokens), "") != ""


def cues(tokens: Sequence[Token]) -> Iterator[str]:
    """Return the names of the cues in a sentence."""
    words = [token.word for token in tokens]
    said = set(words)
    yield from (name for name, group in _WORDS.items() if said & group)
    text = f" {' '.join(words)} "
    for name, phrases in _PHRASES.items():
        if any(phrase in text for phrase in phrases):
            yield f"phrase {name}"
    if "again" in said and "you" in said:
        yield "again"
    if "not" in said:
        yield from _negations(words)
    if ("no" in said or "zero" in said) and "found" not in said:
        yield from _bare_bans(words)
    first = words[0] if words[0] != "please" else " ".join(words[1:2])
    if first in _DEMAND_VERBS and len(words) <= _SHORT:
        yield "short order"


_SHORT = 9


def _negations(words: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        if word != "not" or words[at + 1 : at + 2] in (["worry"], ["sure"], ["forget"]):
            continue
        before = words[at - 1] if at else ""
        if before == "do":
            if at == 1 or words[at - 2] in _OPENS:
                yield "do not"
            elif words[at - 2] not in _SUBJECTS:
                yield "may be do not"
        elif before in _MODALS or (
            before in ("can", "will") and words[at - 2 : at - 1] == ["you"]
        ):
            yield "modal not"
        elif before in ("", ",", "and", "but", "(", ";", "to", "or"):
            yield "contrast"


def _bare_bans(words: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        if word not in ("no", "zero") or words[at + 1 : at + 2] == [","]:
            continue
        after = words[at + 1] if at + 1 < len(words) else ""
        if after and after not in _NO_NOT_BAN and after[0].isalnum():
            opens = at == 0 or words[at - 1] in _OPENS
            yield "no" if opens else "no inside"


def announces_rules(lead: str) -> bool:
    """Return whether a heading or the line above a list speaks of rules."""
    words = lead.replace(",", " ").split()
    return bool(RULE_LEADS & set(words))


def is_question(tokens: Sequence[Token], text: str) -> bool:
    """Return whether a sentence asks something and requests nothing."""
    words = [token.word for token in tokens]
    if text.rstrip(" *_)\"'").endswith("?"):
        polite = {"can", "could", "would", "please", "will", "that", "okay", "mind"}
        return not polite & set(words) and "you" not in words[:6]
    return words[:1] in (["what"], ["why"], ["how"], ["where"], ["who"])
