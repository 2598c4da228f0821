"""Load and locate the facts of a scope in its ``facts.md``."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.facts.parse import ParsedFacts, parse_facts
from toolmem.core.model import Fact, Problem, Scope
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault, decode

_FILES = 16
"""Files of facts that are remembered: of the scopes of a few projects."""


class FactListing(NamedTuple):
    """Facts by scope (narrowest first), namespace and key, and the problems."""

    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]


def facts_path(scope: Scope) -> str:
    """Return the path of a scope's facts."""
    return f"{layout.scope_folder(scope)}/{layout.FACTS}"


def load_facts(vault: Vault, scope: Scope) -> tuple[tuple[Fact, ...], list[Problem]]:
    """Return the facts of one scope in the order of the file, and its problems."""
    path = facts_path(scope)
    try:
        text = vault.text(path)
    except InvalidFileError as error:
        return (), [Problem(path, error.line, "unreadable", error.reason)]
    if text is None:
        return (), []
    facts, problems = _read_facts(text, scope, path)
    return facts, list(problems)


@lru_cache(maxsize=_FILES)
def _read_facts(
    text: str, scope: Scope, path: str
) -> tuple[tuple[Fact, ...], tuple[Problem, ...]]:
    """Return facts and problems as ``load_facts``; servers read the same text again."""
    parsed = parse_facts(text)
    problems = (
        Problem(path, p.line, p.code, p.message, p.severity) for p in parsed.problems
    )
    return _facts(parsed, scope, path), tuple(problems)


def chain_facts(vault: Vault, scopes: Iterable[Scope]) -> FactListing:
    """Return the facts of a chain: for each namespace and key the narrowest scope's."""
    facts: dict[tuple[str, str], Fact] = {}
    problems: list[Problem] = []
    for scope in scopes:
        loaded, wrong = load_facts(vault, scope)
        problems += wrong
        for fact in loaded:
            facts.setdefault((fact.namespace, fact.key), fact)
    return FactListing(tuple(facts.values()), tuple(problems))


def read_facts_text(vault: Vault, scope: Scope) -> tuple[bytes | None, str]:
    """Return the bytes (None if there is no file) and the text of a scope's facts."""
    path = facts_path(scope)
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
    except FileNotFoundError:
        return None, ""
    return data, decode(data, path)


def _facts(parsed: ParsedFacts, scope: Scope, path: str) -> tuple[Fact, ...]:
    return tuple(
        Fact(line.key, line.value, line.namespace, scope, path, line.line)
        for line in parsed.facts
    )
