"""Derive duties that follow with certainty from the text of a rule.

Each clause of a sentence is an occasion (before a commit, after a change of files) or
a demand (a command, or a file to change). With a refusal the roles change: in "no X
until Y", Y is demanded before X. What names neither a command nor a fact, or a file
without a pattern, stays advice; so does a clause with a word that is not understood.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.guard.derivation.reading.demand_clauses import Clause
from toolmem.core.guard.derivation.reading.demand_roles import clauses_in
from toolmem.core.guard.derivation.reading.sentence import masked_text

_MOST_CHARS = 4 * limits.RULE_CHARS
_LIMITS = re.compile(
    r"(?i)\b(?:except|but not|apart from|if (?:possible|needed|necessary"
    r"|you can|time)|where possible|as needed|when needed|if appropriate|for now"
    r"|(?:just|only) (?:this|once(?=\s*(?:[.,;!]|$)))"
    r"|this (?:one )?(?:time|once)|instead of)\b"
)
_ASKS_FOR = re.compile(
    r"(?i)\s*(?:could|would|can|will) you\b.*\b(?:please|kind|mind)\b"
)
_LEFT_OUT = re.compile(
    r"(?im)^[^\w`\"“*./@\ue200-\ue5ff-]+|^\s*\d+[.)]\s+"
    r"|\b(?:without(?:\s+any)?|(?:with\s+)?(?:no|zero|0))\s+(?:\w+\s+)?(?:errors?"
    r"|warnings?|complaints?|findings?|failures?|issues?|problems?)\b"
)
"""Numbers of a list, and a state in which a check found nothing."""


class Occasion(NamedTuple):
    """When something is demanded; None where a sentence does not say it.

    ``after`` has the patterns of the files whose change makes it due, empty for any.
    ``before`` has the commands that it must precede, empty for the end of a turn.
    ``at`` has the commands that it accompanies.
    """

    after: tuple[str, ...] | None = None
    before: tuple[str, ...] | None = None
    at: tuple[str, ...] | None = None

    def joined(self, other: "Occasion") -> "Occasion":
        """Return both as one: every file, and every command."""
        return Occasion(*map(_both, self, other))


def _both(
    first: tuple[str, ...] | None, second: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return tuple(dict.fromkeys((*first, *second))) if first and second else ()


Demands = list[dict[str, Any]]


def derive_duties(rule: str) -> tuple[dict[str, Any], ...]:
    """Return the duty tables of a rule; none unless a sentence demands something that
    can be checked."""
    asks = rule.rstrip().endswith("?") and not _ASKS_FOR.match(rule)
    if asks or len(rule) > _MOST_CHARS or _LIMITS.search(rule):
        return ()
    text, codes = masked_text(rule)
    tables: Demands = []
    for clauses in clauses_in(_LEFT_OUT.sub(" ", text), codes):
        tables += [table for table in _tables(clauses) if table not in tables]
    return tuple(tables)


def _tables(clauses: Sequence[Clause]) -> Iterator[dict[str, Any]]:
    demands, occasion = _refused(clauses) or _ordered(clauses) or ([], Occasion())
    keys = {
        key: patterns[0] if len(patterns) == 1 else list(patterns)
        for key, patterns in (("after", occasion.after), ("before", occasion.before))
        if patterns
    }
    if occasion != Occasion(None, None, occasion.at):
        yield from ({**demand, **keys} for demand in demands)


def _refused(clauses: Sequence[Clause]) -> tuple[Demands, Occasion] | None:
    """Read "no X until Y", "only X after Y", "X without Y is forbidden"."""
    for number, clause in enumerate(clauses):
        main = clauses[number - 1] if number else None
        if main is None or not _is_refused(main, clause):
            continue
        act = main.without("NyMSm")
        event = _occasion(act, "b") or _occasion(act.without("Z"), "b")
        demands = _demands(clause.without("fB").before_refusal(), met=True)
        for other in (*clauses[: number - 1], *clauses[number + 1 :]):
            more = _occasion(other, other.link)
            event = event.joined(more) if event and more else event
        if demands and event:
            return demands, event
    return None


def _is_refused(main: Clause, clause: Clause) -> bool:
    if main.link not in ("", "t", ","):
        return False
    if clause.link in ("u", "w", "b") and "N" in main.roles:
        return True
    if clause.link == "w":
        return "N" in clause.roles
    only = clause.only or "y" in main.roles
    fails = "N" in main.roles and "B" in clause.roles
    ends = main.roles == "E" or [t.text for t in main.tokens] in (
        ["done"],
        ["finished"],
    )
    after = ends and re.search("[KAQ]", clause.roles) is not None
    return clause.link == "a" and (only or fails or after)


def _ordered(clauses: Sequence[Clause]) -> tuple[Demands, Occasion] | None:
    """Read orders, each with the occasions next to it."""
    demands: Demands = []
    occasion = Occasion()
    first = any("f" in clause.roles for clause in clauses)
    timed = any(clause.link in ("b", "a") for clause in clauses)
    for number, clause in enumerate(clauses):
        plain = clause.without("f")
        if clause.link and not plain.roles:
            continue
        follows = bool(demands) and not timed
        event, demanded = _clause(plain, follows=follows, first=first or clause.only)
        arrow = number + 1 < len(clauses) and clauses[number + 1].link == "t"
        if not (event or demanded or demands) and (number == 0 or arrow):
            event = _occasion(plain, "a")
        topic = number == 0 and re.fullmatch("[FPAL]+", plain.roles)
        if not (event or demanded or topic) and _may_matter(plain):
            return None
        if demands and clause.again and demanded and occasion != Occasion():
            demands, occasion = [], Occasion()
        occasion = occasion.joined(event or Occasion())
        if demanded and "Z" in plain.roles:
            occasion = occasion.joined(Occasion(None, ()))
        demands += [demand for demand in demanded if demand not in demands]
    if occasion == Occasion(occasion.after) and any(c.roles == "A" for c in clauses):
        return None  # "File to change: `a/b.py`" names what may be no command
    changes = all("change" in demand for demand in demands)
    if occasion.at and (first or changes) and not occasion.before:
        occasion = occasion._replace(before=occasion.at)
    return demands, occasion


def _clause(
    clause: Clause, *, follows: bool, first: bool
) -> tuple[Occasion | None, Demands]:
    """Return the occasion of a clause and what it demands.

    ``follows``: it comes after a demand, and may be what is done then; ``first``:
    it is said that the demand comes first.
    """
    if clause.link in ("b", "u", "w", "a"):
        return _begun(clause)
    if called := _called_for(clause):
        return called
    named = re.search("[KA]", clause.roles) is not None
    next_act = follows and (first or (clause.link == "t" and not named))
    event = _occasion(clause, "b") if next_act else None
    return event, [] if event else _demands(clause, met=False)


def _may_matter(clause: Clause) -> bool:
    """Return True if a clause that is not understood may limit the others."""
    linked = clause.link in ("b", "u", "w", "a")
    return linked or re.search("[KAQFEZy]", clause.roles) is not None


def _begun(clause: Clause) -> tuple[Occasion | None, Demands]:
    """Return the occasion that a clause begins with, and what it demands then."""
    for end in range(len(clause.tokens), 0, -1):
        event = _occasion(clause.part(0, end), clause.link)
        rest = clause.part(end)
        ordered = event and re.search("^[RVCMZ]|[KA]", rest.roles)
        demands = _demands(rest, met=False) if ordered else []
        if event and (demands or not rest.tokens):
            return event, demands
    return None, []


def _called_for(clause: Clause) -> tuple[Occasion, Demands] | None:
    """Read what an occasion calls for: "every edit to X requires Y"."""
    for at, role in enumerate(clause.roles):
        if role not in "nisM" or (role == "M" and clause.roles[:at] != "E"):
            continue
        left, right = clause.part(0, at), clause.part(at + 1)
        if role == "s":
            place = right.patterns()
            demands = _demands(left.without("MS"), met=True, entry=True)
            return (Occasion(place), demands) if place and demands else None
        event = _occasion(left.without("M"), "n")
        if event is None:
            continue
        if event.at and clause.tokens[at].text == "followed by":
            return None
        demands = _demands(right, met=True, entry=role == "i")
        if demands:
            return event._replace(before=event.at, at=None), demands
    return None


_ACT = re.compile(
    r"(?:RZ|Z)*E+C?(?P<files>F*)(?:g(?P<by>K))?Z?|(?P<end>[ZRCSgz]*[Zz][ZRCSg]*)"
    r"|R?(?P<command>[KA](?:\|?[KA])*E?)"
)
_CHANGE = re.compile(
    r"C+(?:\?{0,4}[FPA]+)?|\?{0,3}[FPA]+C+|\?{1,3}CP|[FA]+C+P?|\?{1,3}[PA]C+"
)


def _occasion(clause: Clause, link: str) -> Occasion | None:
    """Return the act or the change of files that a clause is; None for others."""
    clause = clause.without("WM")
    roles = clause.roles.replace("e", "?")
    if re.fullmatch(r"c\?{0,3}[FPA]+", roles):
        return Occasion(clause.patterns())
    roles = roles.replace("c", "")
    act = _ACT.fullmatch(roles)
    if act and not (act["command"] and link == "n" and roles[0] == "R"):
        files = clause.patterns() if act["files"] else None
        commands = () if act["end"] else clause.acts(by=bool(act["by"]))
        if act["command"] and link == "a":
            return None if roles[:1] == "A" else Occasion(None, None, commands)
        if link in "bu" or act["end"]:
            return Occasion(files, commands)
        return Occasion(files, None, commands)
    if _CHANGE.fullmatch(roles):
        return Occasion(clause.patterns())
    return None


_COMMANDS = r"[KA](?:\|?[KA])*"
_RUN = re.compile(
    rf"(?:Z?R\?{{0,4}}Q?|[VCQRSZ]\?{{0,6}}[FPA]?\?{{0,3}}g\?{{0,2}}|Z?g|Z|\?{{0,3}}n?Cg"
    rf"|Q(?=[KA]))?(?P<commands>{_COMMANDS})"
    r"(?P<rest>[tg?SCFPQRZV]*)"
)
_FACT = re.compile("[RSMVZg]*Q+[RSMZ]*")
_FILE = re.compile(
    r"(?P<verb>C)[?e]{0,7}[FPAL]+\?{0,2}|\?{0,3}[FPAL]+(?:M|n)?[Ce]+S?"
    r"|[FPAL]+[Mn]?\?{0,1}[Ce]+"
)
_ENTRY = re.compile(r"\?{0,2}[Ce]+\?{0,2}[FPAL]+C?|[FPAL]+C+")


def _demands(clause: Clause, *, met: bool, entry: bool = False) -> Demands:
    """Return what a clause demands; empty if it is no order.

    ``met``: it says what must have happened. ``entry``: it names a file to note it in.
    """
    clause = clause.without("Wc" if met else "c")
    roles = clause.roles.replace("z", "S")
    if re.search("[HNWm!]", roles):
        return []
    if met and (_ENTRY.fullmatch(roles) or (entry and re.fullmatch("[FPAL]", roles))):
        return [{"change": path} for path in clause.files()]
    change = _FILE.fullmatch(roles)
    if change and (met or clause.orders(named=change["verb"] is not None)):
        return [{"change": path} for path in clause.files()]
    if _FACT.fullmatch(roles):
        return [{"fact": fact} for fact in clause.facts()]
    must = re.search("[nM]", roles) is not None
    if met and re.search("[KA]", roles):
        roles = roles.lstrip("S")  # "a green `x`"
    roles = roles.replace("M", "")
    run = _RUN.fullmatch(roles)
    if not run or (run["rest"].strip("RSZ") and roles[0] not in "RVCQZ"):
        return []
    if roles[0] == "?" and not must:
        return []
    return clause.commands(choice="|" in run["commands"])
