"""Recall: the fact of that very name, else a search."""

from typing import NamedTuple

from toolmem.core.model import Fact
from toolmem.ops.memories.fact_listing import get_fact
from toolmem.ops.search.search import SearchAnswer, SearchRequest, search
from toolmem.store.vault.rule_files import load_tool_names
from toolmem.store.vault.vault import Vault

_TOOL_NAMESPACE = "tool-"


class RecallResult(NamedTuple):
    """A fact, or what a search found."""

    fact: Fact | None
    found: SearchAnswer | None


def recall(
    vault: Vault, request: SearchRequest, namespace: str | None = None
) -> RecallResult:
    """An exact fact first (any namespace, the first scope wins), else a search.

    The namespace ``tool-NAME`` stands for that tool's rules of every priority.
    """
    if namespace is not None and namespace.startswith(_TOOL_NAMESPACE):
        name = namespace.removeprefix(_TOOL_NAMESPACE)
        key = load_tool_names(vault).key(name)
        return RecallResult(
            None, search(vault, request._replace(kinds=("rule",), tool=key))
        )
    answer = get_fact(vault, request.query, request.scope, namespace)
    if answer.fact is not None:
        return RecallResult(answer.fact, None)
    return RecallResult(None, search(vault, request))
