"""Proposals: changes of the rules that wait for a person's approval.

Four kinds: ``add`` writes a rule, ``amend`` changes one, ``retire`` removes one,
``contest`` adds a rule in place of contradicting ones.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.formats.toml_edit import toml_document
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.model import Priority, Scope, Source
from toolmem.core.rules.rule_file import PRIORITIES, SOURCES
from toolmem.core.scope import parse_scope
from toolmem.errors import InvalidFileError, ToolmemError

KINDS = ("add", "amend", "retire", "contest")


class Proposal(NamedTuple):
    """A change that capture proposes, and its origin.

    ``rule`` is the text to write (empty for ``retire``) and ``was`` the previous text
    of an amended rule; ``rules`` are the ids of the rules concerned. ``candidate`` is
    the id of the decree that it was made of, ``tier`` the decree's; ``before`` and
    ``after`` are the message around the sentence.
    """

    id: str
    kind: str
    tools: tuple[str, ...]
    rule: str
    priority: Priority
    scope: Scope
    why: str
    sentence: str
    evidence: str
    created_at: datetime
    confidence: float = 0.0
    rules: tuple[str, ...] = ()
    was: str = ""
    agent: str = ""
    source: Source = Source.USER_EXPLICIT
    session: str = ""
    candidate: str = ""
    tier: str = ""
    before: str = ""
    after: str = ""
    path: str = ""


def proposal_text(proposal: Proposal) -> str:
    """Return the text of a proposal's file."""
    table = proposal._asdict()
    table |= {"scope": str(proposal.scope), "priority": proposal.priority.value}
    table["source"] = proposal.source.value
    table |= {"tools": list(proposal.tools), "rules": list(proposal.rules)}
    stated = {k: v for k, v in table.items() if k != "path" and v not in ("", [])}
    return (
        f"# toolmem review --accept {proposal.id[:8]}\n"
        f"# toolmem review --reject {proposal.id[:8]}\n" + toml_document(stated)
    )


def parse_proposal(text: str, path: str) -> Proposal:
    """Read a proposal's file; unknown keys are ignored.

    Raises ``InvalidFileError`` for a text that is not a proposal.
    """
    table = parse_toml(text, path)
    values: dict[str, Any] = {"path": path}
    for key, (required, read) in _KEYS.items():
        if key in table:
            try:
                values[key] = read(table[key])
            except (ValueError, ToolmemError) as error:
                raise InvalidFileError(path, 0, f"{key}: {error}") from error
        elif required:
            raise InvalidFileError(path, 0, f"{key} is missing")
    values.setdefault("rule", "")
    return Proposal(**values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a quoted string, found {value!r:.40}")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"expected a list of strings, found {value!r:.40}")
    return tuple(value)


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"expected {', '.join(allowed)}, found {value!r:.40}")
        return str(value)

    return read


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(f"expected a time, found {value!r:.40}")
    return value


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a number, found {value!r:.40}")
    return float(value)


_KEYS: Mapping[str, tuple[bool, Callable[[Any], Any]]] = {
    "id": (True, _text),
    "kind": (True, _one_of(KINDS)),
    "tools": (True, _texts),
    "rule": (False, _text),
    "priority": (True, lambda value: Priority(_one_of(PRIORITIES)(value))),
    "scope": (True, lambda value: parse_scope(_text(value))),
    "why": (True, _text),
    "sentence": (True, _text),
    "evidence": (True, _text),
    "created_at": (True, _moment),
    "confidence": (False, _share),
    "rules": (False, _texts),
    "was": (False, _text),
    "agent": (False, _text),
    "source": (False, lambda value: Source(_one_of(SOURCES)(value))),
    "session": (False, _text),
    "candidate": (False, _text),
    "tier": (False, _text),
    "before": (False, _text),
    "after": (False, _text),
}
