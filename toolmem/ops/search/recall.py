"""Recall: the fact of that very name, all facts of a namespace, or a search."""

from typing import NamedTuple

from toolmem.core.facts.parse import plain_name
from toolmem.core.model import Fact, Priority
from toolmem.core.search.query import parse_query
from toolmem.ops.memories.fact_listing import find_fact, list_facts
from toolmem.ops.search.search import SearchAnswer, SearchRequest, search
from toolmem.ops.search.semantic import OFF
from toolmem.store.vault.rule_files import load_tool_names
from toolmem.store.vault.vault import Vault

_TOOL_NAMESPACE = "tool-"
_EVERYTHING = "*"
_ALL_RULES = 1_000_000
_MOST_RULES = 100
"""Rules of a tool that are given where the words fit none of them."""


class RecallResult(NamedTuple):
    """A fact, the facts of a namespace, or what a search found."""

    fact: Fact | None
    found: SearchAnswer | None
    facts: tuple[Fact, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing fits what was asked."""
        if self.found is not None:
            return not self.found.found.hits
        return self.fact is None and not self.facts


def recall(
    vault: Vault, request: SearchRequest, namespace: str | None = None
) -> RecallResult:
    """An exact fact first (any namespace, the first scope wins), else a search.

    The namespace ``tool-NAME`` means that tool's rules of every priority: those
    that match the words, or all of them if none does (``what applies here?``). The
    query ``*`` lists a namespace.
    """
    lists = namespace is not None and request.query.strip() == _EVERYTHING
    if namespace is not None and namespace.startswith(_TOOL_NAMESPACE):
        name = namespace.removeprefix(_TOOL_NAMESPACE)
        asked = request._replace(query="") if lists else request
        return RecallResult(None, _rules_of(vault, asked, name))
    if namespace is not None and lists:
        listed = list_facts(vault, request.scope, plain_name(namespace))
        return RecallResult(None, None, listed.facts)
    fact = find_fact(vault, request.query, request.scope, namespace)
    if fact is not None:
        return RecallResult(fact, None)
    return RecallResult(None, search(vault, request))


def _rules_of(vault: Vault, request: SearchRequest, tool: str) -> SearchAnswer:
    """The rules in force of a tool: a name of the tool is among the words of each."""
    names = load_tool_names(vault)
    keys = names.ruling(tool)
    # A rule that is merely similar must not hide the others.
    of_tool = request._replace(
        kinds=("rule",), is_of_tool=lambda name: names.key(name) in keys, semantic=OFF
    )
    if request.query.strip():
        answer = search(vault, of_tool)
        if answer.found.hits:
            return answer
    spellings = " ".join(sorted(names.meaning(keys)))
    every = search(vault, of_tool._replace(query=spellings, limit=_ALL_RULES))
    first = sorted(every.found.hits, key=lambda hit: Priority(hit.doc.mem_kind).rank)
    hits = tuple(first[: max(request.limit, _MOST_RULES)])
    remarks = every.remarks
    if hits and request.query.strip():
        # They were found by the name of the tool: the words asked for are in none.
        hits = tuple(hit._replace(relevance=0.0, score=0.0) for hit in hits)
        remarks += (f"no rule of {tool} has these words: these are all of its rules",)
    # Names of the tool that no rule has are no spelling mistakes of the user's.
    result = every.found._replace(hits=hits, corrections={})
    query = parse_query(
        request.query if request.query.strip() else tool, vault.language
    )
    return every._replace(query=query, found=result, remarks=remarks)
