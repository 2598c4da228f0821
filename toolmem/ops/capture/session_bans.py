"""Candidate bans as guards of their session, until they are judged.

They are kept in a journal of the session: a hook reads them at each call, and the
database would cost it more than all the rest.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from toolmem.core.candidates import order
from toolmem.core.guard.derivation import stated
from toolmem.core.model import ANY_TOOL, Priority, Rule, Source
from toolmem.store.journal import journal
from toolmem.store.state import candidates as stored
from toolmem.store.vault.vault import Vault

BANS = ".bans"
"""After a session's name: the journal of its candidate bans."""
CANDIDATE_TAG = "candidate"


def leave_bans(vault: Vault, candidates: "Iterable[stored.StoredCandidate]") -> None:
    """Let candidate bans ask in their session. Raises ``StorageError``."""
    for candidate in candidates:
        if (
            candidate.kind != "ban"
            or not candidate.session
            or not order.is_order(candidate.text)
        ):
            continue
        tools = candidate.tools or (ANY_TOOL,)
        bans = [
            {"tool": tool, "guards": _guards(candidate.text, tool)} for tool in tools
        ]
        bans = [ban for ban in bans if ban["guards"]]
        if bans:
            line = {"ban": candidate.id, "text": candidate.text, "bans": bans}
            journal.append(vault.root, journal.name_of(candidate.session) + BANS, line)


def lift_ban(vault: Vault, session: str, candidate: str) -> None:
    """End a candidate's guard: it was judged. Raises ``StorageError``."""
    name = journal.name_of(session) + BANS
    if session and journal.is_there(vault.root, name):
        journal.append(vault.root, name, {"judged": candidate})


def session_bans(vault: Vault, session: str) -> tuple[Rule, ...]:
    """Return the bans of a session that no one has judged, as rules that ask."""
    name = journal.name_of(session) + BANS
    if not session or not journal.is_there(vault.root, name):
        return ()
    lines = journal.read(vault.root, name)
    judged = {line.get("judged") for line in lines}
    rules: dict[tuple[str, str], Rule] = {}
    for line in lines:
        if isinstance(line.get("bans"), list) and line.get("ban") not in judged:
            for ban in line["bans"]:
                rule = _rule(vault, line, ban)
                rules[rule.id, rule.tool] = rule
    return tuple(rules.values())


def _rule(vault: Vault, line: Mapping[str, Any], ban: Mapping[str, Any]) -> Rule:
    return Rule(
        str(line.get("ban")),
        str(ban.get("tool")),
        str(line.get("text")),
        Priority.CRITICAL,
        Source.USER_EXPLICIT,
        (CANDIDATE_TAG,),
        None,
        None,
        vault.chain[0],
        "",
        guards=tuple(
            table for table in ban.get("guards", ()) if isinstance(table, dict)
        ),
    )


def _guards(text: str, tool: str) -> list[dict[str, Any]]:
    """Return the guards that follow from a ban; each asks, as nothing is sure yet."""
    tables = stated.derived_guards(text, tool)
    return [{**table, "action": "ask"} for table in tables]
