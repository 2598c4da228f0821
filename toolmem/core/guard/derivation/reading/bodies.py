"""Put what is forbidden into the order of an order: a verb, then its objects."""

import re

from toolmem.core.guard.derivation.reading.cues import Cue
from toolmem.core.guard.derivation.reading.read_text import ReadText
from toolmem.core.guard.derivation.reading.sentence import CODE_START, SPAN
from toolmem.core.guard.derivation.reading.words import verb_of

_REPEATED = frozenset(
    """run use push post deploy send write install commit merge connect upload format
    search build read save put create""".split()
)
"""Verbs that a ban may leave out: "post to #a, never to #b"."""
_WISHED = frozenset(
    """you anyone an agent agents to any ever see catch find have me u from of about
    with for the""".split()
)
_ASKED = re.compile(
    r"(?i)^\s*(?:may|can|should|must|is|are)\s+(?P<subject>[^,.;]{1,60}?)\s+"
    r"(?:(?:to )?be|get)(?:\s+(?:ever|directly|manually))*\s+(?P<done>[a-z]+)"
)
"""The order of words after "under no circumstances": "may `x` be used"."""
_WITH_OPTION = re.compile(
    rf"(?i)\s*(?:ever\s+)?(?:use|pass|add|give|set|include)\s+(?:an?\s+|the\s+)?"
    rf"(?P<option>{SPAN}|--?[A-Za-z][\w-]*)(?:\s+(?:option|flag|switch))?\s+"
    r"(?:to|with|for|on|when (?:you )?(?:run|us|call)\w*)\s+"
    rf"(?P<command>{SPAN}|[a-z][\w.-]*(?:\s+[a-z][\w.-]*)?)(?=\s*(?:$|[,.;!)]|\b))"
)
_TASK_OF = re.compile(
    rf"(?i)\bthe\s+(?P<task>{SPAN}|[\w:.-]+)\s+(?:target|task|recipe|goal"
    rf"|subcommand)\s+"
    rf"(?:of|in|from)\s+(?:the\s+)?(?P<program>{SPAN}|gradle|make|just|rake|mvn|ant)\b"
)
"""A task named before its program: "the clean target of make"."""


def _in_order(asked: re.Match[str]) -> str:
    return f"{asked['done']} {asked['subject']}"


def of_nobody(text: ReadText, cue: Cue, end: int) -> str:
    """Return what nobody may do: verb, then where: "nothing in x/ may be edited"."""
    verb = next(
        (n for n in range(cue.last, end) if text.roles[n] in "Vp" or (
            text.roles[n] == "w" and text.words[n].text.endswith("s")
            and text.roles[n - 1] in "0" and verb_of(text.words[n].text))), -1
    )  # fmt: skip
    if verb < 0 or any(role in ",;:.!?" for role in text.roles[cue.last : verb]):
        return text.slice(cue.last, end)
    first = verb
    while first > cue.last and text.roles[first - 1] in "MBADT":
        first -= 1
    between = text.slice(cue.last, first).strip()
    place = f" anything {between} " if between and text.roles[cue.last] == "i" else " "
    return f"{text.words[verb].text}{place}{text.slice(verb + 1, end)}"


def passive_order(text: ReadText, cue: Cue, end: int) -> str:
    """Return "edited x" for "no x may be edited"; empty for another form."""
    stop = next(
        (n for n in range(cue.last, end) if text.roles[n] in ",;:.!?()cu-"), end
    )
    match = re.search(r"(?:MA*)?BA*(?P<done>p)", text.roles[cue.last : stop])
    if not match:
        return ""
    done = cue.last + match.start("done")
    things = text.slice(cue.last, cue.last + match.start()).strip()
    return f"{text.words[done].text} {things} {text.slice(done + 1, end)}"


def completed(text: ReadText, cue: Cue, rest: str) -> str:
    """Return a ban with the verb that it leaves out: "post to #a, never to #b"."""
    following = [
        n for n in range(cue.last, len(text.words)) if text.roles[n] not in "A,:"
    ]
    first = following[0] if following else -1
    wish = _wish(text, first)
    if wish >= 0:
        start = text.start(cue.last)
        return rest[text.start(wish) - start :]
    if first < 0 or text.roles[first] not in "iT" or not rest.strip():
        return rest
    if text.words[first].text not in (
        "to", "in", "into", "on", "onto", "from", "with", "against"):  # fmt: skip
        return rest
    verbs = [
        verb_of(word.text)
        for word in text.words[: cue.first]
        if verb_of(word.text) in _REPEATED
    ] or [word.text for word in text.words[: cue.first] if word.role == "V"][:1]
    return f"{verbs[-1]} {rest.lstrip()}" if verbs else rest


def _wish(text: ReadText, at: int) -> int:
    """Return where the ban begins in "don't want you to …"; −1 for other words."""
    if at < 0 or text.words[at].text not in (
        "want", "need", "expect", "wish", "like", "let", "think", "dream", "consider",
        "bother",
    ):  # fmt: skip
        return -1
    lets = text.words[at].text == "let"
    at += 1
    start = at
    while at < len(text.words) and (
        text.roles[at] in "STnAV" and text.words[at].text in _WISHED
    ):
        at += 1
    if lets and at == start:
        return -1
    return at if at > start and at < len(text.words) else -1


def _task(text: ReadText, named: re.Match[str]) -> str:
    return f"{text.code(named['program'])} {text.code(named['task'])}"


def _with_option(text: ReadText, whole: str) -> tuple[str, tuple[str, ...]]:
    """Read "pass OPTION to COMMAND" as the command with the option."""
    match = _WITH_OPTION.match(whole)
    if not match or not text.code(match["option"]).startswith("-"):
        return whole, text.codes
    command = text.code(match["command"]).rstrip(".")
    line = f"{command} {text.code(match['option'])}"
    span = chr(CODE_START + len(text.codes))
    return f"run {span}{whole[match.end() :]}", (*text.codes, line)


def in_order(text: ReadText, whole: str) -> tuple[str, tuple[str, ...]]:
    """Return a ban with its verb first and its command whole, and the code spans."""
    whole, codes = _with_option(text, _ASKED.sub(_in_order, whole, count=1))
    return _TASK_OF.sub(lambda task: _task(text, task), whole, count=1), codes
