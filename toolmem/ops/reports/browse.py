"""Data for browsing: scopes, their contents, and one item in full."""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.model import Rule, Scope
from toolmem.core.scope import chain_for
from toolmem.core.search.find import Hit
from toolmem.core.shown import show, tool_label
from toolmem.core.times import local_text
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.ops.history.review import PendingProposal, list_proposals
from toolmem.ops.memories.listing import shown_text
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.reports.statistics import RuleHits, rule_hits_of
from toolmem.ops.rules.listing import list_rules
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.store.files import layout
from toolmem.store.files.walk import VaultFile, walk
from toolmem.store.vault.fact_files import load_facts
from toolmem.store.vault.memory_files import Memory, memory_paths, read_memory
from toolmem.store.vault.memory_files import MemoryPath as Place
from toolmem.store.vault.vault import Vault

KINDS = ("rule", "fact", "memory", "text")
"""The kinds of things that a scope holds, in the order in which they are shown."""
HITS = 50


class Leaf(NamedTuple):
    """One thing: its kind, how it is called in a list, and where it is.

    ``id`` is that of a rule or memory, the name of a fact, else a path.
    """

    kind: str
    id: str
    label: str
    path: str
    scope: Scope | None = None


def scopes(vault: Vault) -> tuple[Scope, ...]:
    """Every scope, broadest first."""
    return tuple(layout.all_scopes(vault.tree))


def leaves(vault: Vault, scope: Scope, kind: str) -> tuple[Leaf, ...]:
    """List the items of a kind in a scope, in the order of listings."""
    return tuple(_LISTED[kind](vault, scope))


def _rules(vault: Vault, scope: Scope) -> Iterator[Leaf]:
    listing = list_rules(vault, scope=scope)
    for rule in listing.rules:
        label = f"[{rule.priority}] {tool_label(rule.tool)}: {rule.rule}"
        yield Leaf("rule", rule.id, label, rule.path, scope)
    for broken in listing.unreadable:
        label = f"{broken.place}: {broken.reason}"
        yield Leaf("broken", broken.path, label, broken.path, scope)


def _facts(vault: Vault, scope: Scope) -> Iterator[Leaf]:
    for fact in load_facts(vault, scope)[0]:
        name = f"{fact.namespace}.{fact.key}"
        label = f"{fact.key}: {fact.value}"
        yield Leaf("fact", name, label, fact.path, scope)


def _memories(vault: Vault, scope: Scope) -> Iterator[Leaf]:
    for where in memory_paths(vault.tree, (scope,)):
        yield Leaf("memory", where.id, where.id, where.path, scope)


def _texts(vault: Vault, scope: Scope) -> Iterator[Leaf]:
    folder = f"{layout.scope_folder(scope)}/"
    for file in walk(vault.tree):
        is_prose = isinstance(file, VaultFile) and file.kind == "prose"
        if is_prose and layout.scope_of(file.path) == scope:
            label = file.path.removeprefix(folder)
            yield Leaf("text", file.path, label, file.path, scope)


_LISTED = {"rule": _rules, "fact": _facts, "memory": _memories, "text": _texts}


def details(vault: Vault, leaf: Leaf) -> str:
    """A thing in full, as text for people; why not, where it cannot be read."""
    try:
        if leaf.kind == "rule":
            return _rule_details(vault, leaf)
        if leaf.kind == "memory" and leaf.scope is not None:
            where = Place(leaf.id, leaf.path, leaf.scope)
            return _memory_details(vault, read_memory(vault, where))
        text = vault.text(leaf.path, limits.TEXT_FILE_BYTES)
    except InvalidFileError as error:
        return str(error)
    if text is None:
        return f"{leaf.path}: it no longer exists"
    return f"{leaf.path}\n\n{text}"


def _rule_details(vault: Vault, leaf: Leaf) -> str:
    rules = [
        rule for rule in list_rules(vault).rules if (rule.id, rule.path) == leaf[1:4:2]
    ]
    if not rules:
        return f"{leaf.path}: it no longer exists"
    hits = rule_hits_of(vault, rules[0].id)
    return "\n".join((*_rule_lines(rules[0]), *_record_lines(hits)))


def _record_lines(hits: RuleHits) -> Iterator[str]:
    """What happened to a rule on this machine."""
    counts = ", ".join(f"{kind} {times}" for kind, times in hits.events.items())
    yield f"\nrecord: {counts}"
    if hits.stopped:
        yield f"last: {local_text(hits.last)}"


_SHOWN_FIELDS = ("tags", "evidence", "reason", "created_at", "updated_at", "expires_at")


def _rule_lines(rule: Rule) -> Iterator[str]:
    yield f"{rule.rule}\n"
    yield f"tool: {tool_label(rule.tool)}"
    yield f"priority: {rule.priority}"
    yield f"scope: {rule.scope}"
    yield f"source: {rule.source}"
    for name in _SHOWN_FIELDS:
        value = getattr(rule, name)
        if value:
            yield f"{name}: {show(value)}"
    yield guard_line(rule)
    if not rule.enabled:
        yield "it is switched off"
    yield f"\nid: {rule.id}\nfile: {rule.path}"


def _memory_details(vault: Vault, memory: Memory) -> str:
    parsed = memory.parsed
    if parsed is None:
        return f"{memory.path}: {memory.error}"
    head = [parsed.title, ""]
    for name in ("topic", "kind", "tags", "created", "updated", "contested_with"):
        value = getattr(parsed, name)
        if value:
            head.append(f"{name}: {show(value)}")
    head.append(f"importance: {parsed.importance:g}")
    body = shown_text(vault, memory, full=True).strip("\n")
    return "\n".join((*head, "", body, "", f"file: {memory.path}"))


def prompt_of(vault: Vault, scope: Scope) -> str:
    """Return the block of an agent of a scope, or the error."""
    project = scope.name if scope.kind in ("project", "override") else ""
    kind = scope.sub if scope.kind == "override" else ""
    kind = scope.name if scope.kind == "agent-type" else kind
    agent = scope.name if scope.kind == "agent" else ""
    chain = chain_for(project, kind or vault.setting("agent_type"), agent)
    try:
        return build_prompt(vault.with_chain(chain), PromptRequest()).text
    except ToolmemError as error:
        return str(error)


def find(vault: Vault, question: str) -> tuple[Leaf, ...]:
    """Return the results of a query, best first, without counting them as used."""
    (answer,) = search_all(vault, [SearchRequest(question, limit=HITS)])
    return tuple(map(_leaf_of, answer.found.hits))


def _leaf_of(hit: Hit) -> Leaf:
    doc = hit.doc
    kind = doc.kind if doc.kind in KINDS else "text"
    label = {"rule": f"{tool_label(doc.title)}: {doc.body}", "fact": doc.body}
    name = label.get(kind, doc.title)
    return Leaf(kind, doc.id, f"{kind} {name}", doc.path, layout.scope_of(doc.path))


def waiting(vault: Vault) -> tuple[PendingProposal, ...]:
    """Return the proposals, oldest first."""
    return list_proposals(vault).waiting


def waiting_details(pending: PendingProposal) -> str:
    """A proposal in full."""
    proposal = pending.proposal
    tools = ", ".join(map(tool_label, proposal.tools))
    lines = [
        f"{proposal.rule or proposal.sentence}\n",
        f"{proposal.kind} [{proposal.priority}] {tools} in {proposal.scope}",
        *(f"about {rule.id[: limits.ID_SHOWN]}: {rule.rule}" for rule in pending.rules),
        f"why: {proposal.why}",
        f"from: {proposal.evidence}",
        f"\nid: {proposal.id}",
    ]
    return "\n".join(lines)
