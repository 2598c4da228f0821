"""Words that forbid: where they are in a sentence, and when they forbid nothing."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.guard.derivation.programs import ENGLISH, PROGRAMS, is_subcommand
from toolmem.core.guard.derivation.reading.vocabulary import (
    IDLE,
    PEOPLE,
    WRITING,
)
from toolmem.core.guard.derivation.reading.words import ReadWord, roles_of, verb_of


class Cue(NamedTuple):
    """Words that forbid, from ``first`` up to ``last``.

    ``kind`` is "after" if what they forbid is before them; else "no", "nothing",
    "only", "touch" (nothing may be done with what follows), "text" or empty. ``verb``
    is what is not to be done with what is before; ``form`` is how they forbid.
    """

    kind: str
    first: int
    last: int
    verb: str = ""
    form: str = ""


_END = r"(?=$|[.!;,?)(Aciu-])"
_AFTER = tuple(
    (name, re.compile(form))
    for name, form in (
        ("passive", r"(?:[MD]A*[tN]A*B|NA*B|BA*N|BA*[tN]A*G?TA*B|tA*TA*B)A*"
                    r"(?P<done>[pV])"),
        ("to", r"BA*[tN]A*GTA*(?P<done>V)"),
        ("for", r"BA*[tN]A*G(?P<done>V)(?=$|[.!;,])"),
        ("good", r"BA*[tN]A*G(?!TA*[VwBp])"),
        ("bad", r"BA*X(?!TV)"),
        ("deemed", r"X(?!TV)"),
        ("placeless", r"Z"),
        ("refused", r"BA*t(?=$|[.!;,(])|BA*tA*(?P<thing>w)S[MBA]*[DV]"),
        ("only_if", r"y(?=[ic])"),
        ("only_good", r"BA*yA*G(?=[ic])"),
        ("kept", r"(?:M|T)?A*B?A*Bp?A*k|MA*Vk"),
        ("lone", rf"[-:,?]A*[,:]?A*(?:N|n|Dt|MS?tV?|tiS|t|X|0)A*{_END}"),
    )
)  # fmt: skip
_BEFORE = tuple(
    (name, re.compile(form))
    for name, form in (
        ("", r"BA*(?:[tN]A*G?|X)TA*(?=[Vwop])|XT(?=[Vo])"),
        ("", r"N(?:,?[AN])*(?:MA*)?"),
        ("", r"[DM]A*S?A*[tN](?:[,:]?[AN])*"),
        ("", r"tA*TA*(?=[V])"),
        ("no", r"n"),
        ("nothing", r"0"),
        ("only", r"yA*"),
        ("touch", r"hi?"),
        ("text", r"q[iT]?"),
        ("", r"vA*T?"),
    )
)
_MAY_AVOID = re.compile(r"(?:^|[-,;:.!?()bASMNT])$")
_MAY_REFUSE = re.compile(r"(?:^|[-,;:.!?()bA])$")


def cues_in(words: Sequence[ReadWord]) -> Iterator[Cue]:
    """Yield the words that forbid, in order."""
    roles = roles_of(words)
    at = 0
    while at < len(words):
        cue = _after(words, roles, at) or _before(words, roles, at)
        if cue:
            yield cue
        at = max(cue.last, at + 1) if cue else at + 1


def _after(words: Sequence[ReadWord], roles: str, at: int) -> Cue | None:
    """Return words that forbid what is before them: "is banned", "must not be run"."""
    begins = at == 0 or roles[at - 1] in ".;!"
    if begins and roles[at] != "t":
        return None
    ends = at + 1 == len(words) or roles[at + 1] in ".,;!"
    if roles[at] == "n" and ends and re.search(r"[,;-].*o.*|\byes\b", roles[:at]) and (
        roles[at - 1] == "o"):  # fmt: skip
        return Cue("after", at, at + 1, "", "lone")  # "`x` yes, `y` no"
    if reserved := _reserved(words, roles, at):
        return reserved
    for name, form in _AFTER:
        match = form.match(roles, at)
        if not match or not _holds(name, words, roles, match):
            continue
        done = match.start("done") if "done" in form.groupindex else -1
        verb = words[done].text if done >= 0 else "touch" if name == "kept" else ""
        name = "only_if" if name == "only_good" else name
        return Cue("after", at, match.end(), verb, name)
    return None


def _holds(
    name: str, words: Sequence[ReadWord], roles: str, match: re.Match[str]
) -> bool:
    """Return True if words of a form forbid what is before them."""
    at, end = match.span()
    before = words[at - 1] if at else None
    match name:
        case "to" | "good" | "for":
            is_it = name == "to" and before is not None and before.text == "it"
            return not is_it and (before is None or before.role != "S")
        case "refused" if match.groupdict().get("thing"):
            return words[match.start("thing")].text == "something"
        case "refused":
            return "G" in roles[:at] or "V" in roles[:at]
        case "lone":
            return _is_lone(words, roles, match)
        case "only_if":
            return _is_command(words, at)
        case "bad":
            return _is_bad(words, end)
        case "deemed":
            start = max((roles.rfind(mark, 0, at) for mark in ".;:!?,-"), default=-1)
            return words[start + 1].text in _DEEMS
        case "passive":
            return not words[match.start("done")].text.endswith("ing")
    return True


_DEEMS = frozenset("consider treat regard deem declare count".split())


def _is_command(words: Sequence[ReadWord], end: int) -> bool:
    """Return True if a command in code style or of known words ends at a word."""
    if words[end - 1].role == "o":
        return True
    texts = [word.text for word in words[max(0, end - 3) : end]]
    programs = [n for n, text in enumerate(texts) if text in PROGRAMS - ENGLISH]
    rest = texts[programs[0] :] if programs else []
    return len(rest) == 1 or (len(rest) > 1 and is_subcommand(rest[:-1], rest[-1]))


def _is_bad(words: Sequence[ReadWord], end: int) -> bool:
    """Return False for "is out" that goes on: "is out of sync"."""
    follows = words[end].role if end < len(words) else "."
    return (
        words[end - 1].text not in ("out", "dead", "history", "off", "mine")
        or follows in ".,;!)-(bG"
    )


def _is_lone(words: Sequence[ReadWord], roles: str, match: re.Match[str]) -> bool:
    """Return True for a mark and a word of refusal that say it of what is before."""
    start, end = match.span()
    if roles[start] == "," and roles[end - 1 : end] not in ("N", "t", "n", "X"):
        return False
    follows = words[end] if end < len(words) else None
    if roles[start] == "," and roles[start + 1] == "t" and follows:
        return False  # "to a, not into b"
    if follows and follows.role == "i" and follows.text in ("via", "using", "by"):
        return False
    if follows and follows.role in "i" and end + 1 < len(words):
        return roles[end + 1] != "o"
    return True


_RESERVING = frozenset(
    """only reserved there meant intended done for by the our exclusively handled
    run""".split()
)
"""Words between "is" and those for whom something is."""
_JOBS = frozenset("job task business responsibility call turf domain".split())


def _no_one_else(words: Sequence[ReadWord], roles: str, at: int) -> Cue | None:
    """Read "is written by codegen and no one else", "is something only we do"."""
    stop = next((n for n in range(at, len(words)) if roles[n] in ".;:!?("), len(words))
    for end in range(at + 1, min(at + 12, stop)):
        if roles[end] == "0" and words[end + 1 : end + 2] and (
            words[end + 1].text == "else"):  # fmt: skip
            return Cue("after", at, end + 2, "", "reserved")
    thing = at + 1 < stop and words[at + 1].text in (
        "something",
        "what",
        "stuff",
        "work",
    )
    if thing and roles[at + 2 : at + 3] == "y" and "S" not in roles[at + 3 : at + 4]:
        return Cue("after", at, stop, "", "reserved")
    return None


def _reserved(words: Sequence[ReadWord], roles: str, at: int) -> Cue | None:
    """Read "is for humans only", "is reserved for the release bot"."""
    if roles[at] != "B":
        return None
    for job in range(at + 2, min(at + 7, len(words))):
        if words[job].text in _JOBS and "t" not in roles[at:job]:
            return Cue("after", at, job + 1, "", "reserved")
        if words[job].role in ".;:,!?(":
            break
    if others := _no_one_else(words, roles, at):
        return others
    end, only = at + 1, False
    while end < len(words) and words[end].text in _RESERVING:
        only = only or words[end].role == "y" or words[end].text == "reserved"
        end += 1
    linked = words[end - 1].text in ("for", "by", "the", "our") and end > at + 1
    if linked and end < len(words) and words[end].role == "X":
        return Cue("after", at, end + 1, "", "reserved")  # "for humans only"
    people = linked and next(
        (n for n in range(end, min(end + 3, len(words))) if words[n].text in PEOPLE), -1
    )
    if not linked or people is False or people < 0:
        return None
    last = people + 1
    after = words[last].role if last < len(words) else "."
    by = any(word.text == "by" for word in words[at:end])
    only = only or after == "y" or words[min(last, len(words) - 1)].text in (
        "alone", "exclusively")  # fmt: skip
    if not only and (by or words[people].text not in ("humans", "people", "human")):
        return None
    return Cue("after", at, last + (after == "y"), "", "reserved")


def _before(words: Sequence[ReadWord], roles: str, at: int) -> Cue | None:
    """Return words that forbid what follows them."""
    for kind, form in _BEFORE:
        match = form.match(roles, at)
        if not match:
            continue
        role = roles[at]
        if role == "v" and words[at].text in ("stop", "quit") and roles[at - 1] in "tN":
            continue  # "don't stop the service"
        if role in "vq" and not _MAY_AVOID.search(roles, 0, at):
            continue
        if role == "n" and not _may_refuse(words, roles, at):
            continue
        if role == "y":
            return _only(words, roles, match.end(), at)
        return Cue(kind, at, match.end())
    return None


def _may_refuse(words: Sequence[ReadWord], roles: str, at: int) -> bool:
    """Return True for a "no" that forbids: it begins a clause, and nothing is said of
    what follows, which need not be done."""
    start = max((roles.rfind(mark, 0, at) for mark in ".;:!?,("), default=-1) + 1
    placed = (
        start < at and roles[start] == "i" and not re.search("[BMVP]", roles[start:at])
    )
    if not (_MAY_REFUSE.search(roles, 0, at) or placed):
        before = words[at - 1].text
        if (
            before not in ("want", "see", "there", "be")
            and verb_of(before) not in WRITING
        ):
            return False
    follows = words[at + 1] if at + 1 < len(words) else None
    return follows is not None and follows.role in "owVpGA" and follows.text not in IDLE


def _only(words: Sequence[ReadWord], roles: str, at: int, first: int) -> Cue | None:
    """Read "only I run …", "only the release bot may …"."""
    agents = ("you", "u", "agents", "agent")
    if at >= len(words) or words[at].role in "icTV" or words[at].text in agents:
        return None
    end = next((n for n in range(at + 1, min(at + 5, len(words) + 1))
                if words[n - 1].text in PEOPLE), -1)  # fmt: skip
    match = re.compile("[MAB]*(?:GT)?").match(roles, end) if end > 0 else None
    if match and re.match("[Vwo]", roles[match.end() :]):
        return Cue("only", first, match.end())
    other = re.compile(r"w{1,2}(?:M|BA*GT)A*(?=[Vwo])").match(roles, at)
    return Cue("only", first, other.end()) if other else None
