"""Recall: the fact of that very name, else a search."""

from typing import NamedTuple

from toolmem.core.model import Fact
from toolmem.ops.memories.fact_listing import get_fact
from toolmem.ops.search.search import SearchAnswer, SearchRequest, search
from toolmem.store.vault.rule_files import load_tool_names
from toolmem.store.vault.vault import Vault

_TOOL_NAMESPACE = "tool-"
_MOST_RULES = 100
"""Rules of a tool that are given where the words fit none of them."""


class RecallResult(NamedTuple):
    """A fact, or what a search found."""

    fact: Fact | None
    found: SearchAnswer | None


def recall(
    vault: Vault, request: SearchRequest, namespace: str | None = None
) -> RecallResult:
    """An exact fact first (any namespace, the first scope wins), else a search.

    The namespace ``tool-NAME`` stands for that tool's rules of every priority: those
    that fit the words, or all of them where none does (``what applies here?``).
    """
    if namespace is not None and namespace.startswith(_TOOL_NAMESPACE):
        name = namespace.removeprefix(_TOOL_NAMESPACE)
        key = load_tool_names(vault).key(name)
        return RecallResult(None, _rules_of(vault, request, key))
    answer = get_fact(vault, request.query, request.scope, namespace)
    if answer.fact is not None:
        return RecallResult(answer.fact, None)
    return RecallResult(None, search(vault, request))


def _rules_of(vault: Vault, request: SearchRequest, key: str) -> SearchAnswer:
    """The rules of a tool: the tool's name is among the words of each."""
    of_tool = request._replace(kinds=("rule",), tool=key)
    everything = of_tool._replace(query=key, limit=max(request.limit, _MOST_RULES))
    if not request.query.strip():
        return search(vault, everything)
    found = search(vault, of_tool)
    if found.found.hits:
        return found
    return search(vault, everything)._replace(query=found.query)
