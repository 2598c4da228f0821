"""Turn loaded items into the parts of a prompt block, in the order of printing."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from toolmem.core import limits, search_limits
from toolmem.core.model import ANY_TOOL, Fact, Priority, Rule, Scope
from toolmem.core.names import fold
from toolmem.core.prompt.pack import keep_within
from toolmem.core.prompt.parts import OmittedItem, PromptItem, PromptPart
from toolmem.core.prompt.safe import safe_body, safe_item, safe_line, safe_name
from toolmem.core.rules import effective
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.scope import breadth
from toolmem.core.text.safetext import one_line
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.times import rfc3339

ANY_HEADING = "every tool"
DEFAULT_NAMESPACE = "project"


class ScopedText(NamedTuple):
    """A role, override or guidance text and its location."""

    text: str
    scope: Scope
    path: str


def text_part(kind: str, texts: Iterable[ScopedText]) -> PromptPart:
    """Return the roles, overrides or guidance files, whole, in the order given."""
    items = []
    for rank, entry in enumerate(texts):
        body = safe_body(entry.text)
        if body.strip():
            data = {"text": entry.text, "scope": str(entry.scope), "path": entry.path}
            items.append(
                PromptItem(
                    body,
                    entry.path,
                    breadth=breadth(entry.scope),
                    rank=rank,
                    data=data,
                )
            )
    part = PromptPart(kind, tuple(items))
    return keep_within(part, limits.GUIDANCE_TOKENS) if kind == "guidance" else part


class TopicMemory(NamedTuple):
    """A memory on the topic: ``text`` is its summary, or all of it.

    ``changed`` is when it was written or last changed; ``supersedes`` are ids.
    """

    id: str
    title: str
    text: str
    topic: str
    scope: Scope
    path: str
    contested: bool = False
    contested_with: tuple[str, ...] = ()
    changed: datetime | None = None
    supersedes: tuple[str, ...] = ()


def memories_part(memories: Iterable[TopicMemory]) -> PromptPart:
    """Return the memories on a topic, in their order, within their limits."""
    tokens_left, most = limits.MEMORIES_TOKENS, search_limits.TOPIC_HITS
    chosen: list[PromptItem] = []
    out: list[OmittedItem] = []
    every = list(memories)
    ordered = newer_first(every[:most])
    old = {
        known for memory in ordered for known in memory.supersedes if known != memory.id
    }
    ordered.sort(key=lambda memory: memory.id in old)
    for rank, memory in enumerate((*ordered, *every[most:])):
        item = _memory_item(memory, rank, superseded=memory.id in old)
        if rank >= most:
            out.append(OmittedItem(item, f"over the {most} memories of a block"))
            continue
        cost = estimate_tokens(item.text)
        if cost <= tokens_left:
            tokens_left -= cost
            chosen.append(item)
        else:
            out.append(OmittedItem(item, f"over the {limits.MEMORIES_TOKENS} tokens"))
    return PromptPart("memories", tuple(chosen), tuple(out))


def newer_first(memories: Iterable[TopicMemory]) -> list[TopicMemory]:
    """Move the newer of two contradicting memories before the other."""
    found = list(memories)
    place = {memory.id: at for at, memory in enumerate(found)}
    for memory in tuple(found):
        for rival in memory.contested_with:
            if rival not in place:
                continue
            here, there = sorted((place[memory.id], place[rival]))
            if _age(found[there]) > _age(found[here]):
                found[here], found[there] = found[there], found[here]
                place[found[here].id], place[found[there].id] = here, there
    return found


def _age(memory: TopicMemory) -> float:
    return memory.changed.timestamp() if memory.changed else 0.0


def _contested_mark(memory: TopicMemory) -> str:
    if not memory.contested:
        return ""
    when = f"; this one is of {rfc3339(memory.changed)}" if memory.changed else ""
    return f" (contested: another memory contradicts it{when}; ask which is right)"


def _memory_item(memory: TopicMemory, rank: int, *, superseded: bool) -> PromptItem:
    body = safe_body(memory.text)
    title = safe_item(memory.title)
    mark = _contested_mark(memory)
    if superseded:
        mark += " (superseded by another memory)"
    cut = memory.title.rstrip("…. ")
    repeats = one_line(memory.text).startswith(cut) and cut
    head = "" if repeats and not mark else f"**{title}**{mark}\n"
    data = {
        "id": memory.id,
        "title": memory.title,
        "text": memory.text,
        "topic": memory.topic,
        "scope": str(memory.scope),
        "path": memory.path,
        "contested": memory.contested,
        "contested_with": list(memory.contested_with),
        "changed": rfc3339(memory.changed) if memory.changed else None,
        "superseded": superseded,
    }
    text = f"{head}{body}".strip("\n")
    return PromptItem(
        text, memory.id, breadth=breadth(memory.scope), rank=rank, data=data
    )


def facts_part(facts: Iterable[Fact], tokens: int) -> PromptPart:
    """Return the facts of the narrowest scope first, in the order of the file, within
    a number of tokens.

    The namespace ``project``, of nearly all facts, is not printed.
    """

    def place(fact: Fact) -> tuple[int, str, int, str, str]:
        broad = -breadth(fact.scope)
        return broad, fact.path, fact.line, fact.namespace, fact.key

    ordered = sorted(facts, key=place)
    items = (_fact_item(fact, rank) for rank, fact in enumerate(ordered))
    return keep_within(PromptPart("facts", tuple(items)), tokens)


def _fact_item(fact: Fact, rank: int) -> PromptItem:
    plain = fact.namespace == DEFAULT_NAMESPACE or not fact.namespace
    name = fact.key if plain else f"{fact.namespace}.{fact.key}"
    data = {
        "key": fact.key,
        "value": fact.value,
        "namespace": fact.namespace,
        "scope": str(fact.scope),
        "path": fact.path,
        "line": fact.line,
    }
    text = f"- {safe_item(name)}: {safe_line(fact.value)}".rstrip()
    return PromptItem(text, name, breadth=breadth(fact.scope), rank=rank, data=data)


def rules_part(
    rules: Sequence[Rule],
    unreadable: Sequence[UnreadableRule],
    key_of: Callable[[Rule], str],
    spelling_of: Callable[[str], str | None],
) -> PromptPart:
    """Return every critical rule, then high ones up to the cap, by tool.

    ``rules`` are those in effect; the same text for a tool is printed once. ``key_of``
    returns the key of a rule's tool and ``spelling_of`` its manifest's spelling. Tools
    are in the order of their highest priority, then name; rules for every tool come
    first.
    """
    ordered = _once(
        sorted(
            (rule for rule in rules if rule.priority is not Priority.NORMAL),
            key=_order,
        ),
        key_of,
    )
    headings = _headings(rules, key_of, spelling_of)
    # Files of a vault found in a project do not push out the user's own rules.
    has_own = any(r.vault for r in rules) or any(e.vault for e in unreadable)
    items = [
        _unreadable_item(
            entry,
            headings,
            spelling_of,
            rank=len(ordered) if has_own and not entry.vault else -1,
        )
        for entry in unreadable
    ]
    items += [
        _rule_item(rule, rank, headings[key_of(rule)], key_of(rule))
        for rank, rule in enumerate(ordered)
    ]
    pinned = [item for item in items if item.pinned]
    free = [item for item in items if not item.pinned]
    rules_left = limits.HIGH_RULES_IN_PROMPT
    reason = f"over the {rules_left} high rules of a block"
    out = tuple(OmittedItem(item, reason) for item in free[rules_left:])
    return PromptPart("rules", tuple(_by_tool([*pinned, *free[:rules_left]])), out)


def _once(rules: Sequence[Rule], key_of: Callable[[Rule], str]) -> list[Rule]:
    """Return the rules without repeated texts; the first of each stays."""
    first: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        first.setdefault((key_of(rule), one_line(rule.rule)), rule)
    return list(first.values())


def _order(rule: Rule) -> tuple[int, bool, tuple[int, float, str]]:
    """Order by priority; then the user's own vault before one found in a project."""
    return (rule.priority.rank, not rule.vault, effective.listing_order(rule))


def _by_tool(items: Sequence[PromptItem]) -> list[PromptItem]:
    best: dict[str, tuple[bool, bool, str, str]] = {}
    for item in items:
        key = str(item.data["key"])
        order = (key != ANY_TOOL, not item.pinned, fold(item.group), key)
        best[key] = min(order, best.get(key, order))
    return sorted(items, key=lambda i: (best[str(i.data["key"])], i.rank))


def _headings(
    rules: Sequence[Rule],
    key_of: Callable[[Rule], str],
    spelling_of: Callable[[str], str | None],
) -> dict[str, str]:
    """Map tool keys to the manifest's spelling, else that of the oldest rule."""
    oldest: dict[str, tuple[float, str, str]] = {}
    for rule in rules:
        when = rule.created_at or rule.updated_at
        age = (when.timestamp() if when else float("inf"), rule.id, rule.tool)
        key = key_of(rule)
        oldest[key] = min(age, oldest.get(key, age))
    return {
        key: _heading(key, spelling_of(key) or age[2]) for key, age in oldest.items()
    }


def _heading(key: str, spelling: str) -> str:
    return ANY_HEADING if key == ANY_TOOL else f"`{safe_name(spelling)}`"


def _rule_item(rule: Rule, rank: int, heading: str, key: str) -> PromptItem:
    data = {
        "id": rule.id,
        "tool": rule.tool,
        "key": key,
        "rule": rule.rule,
        "priority": rule.priority.value,
        "scope": str(rule.scope),
        "path": rule.path,
        **({"vault": rule.vault} if rule.vault else {}),
    }
    return PromptItem(
        rule_line(rule.priority.value, rule.rule),
        rule.id,
        group=heading,
        breadth=breadth(rule.scope),
        rank=rank,
        pinned=rule.priority is Priority.CRITICAL,
        data=data,
    )


def rule_line(priority: str, text: str) -> str:
    """Return a rule as its line of the block."""
    return f"- **[{priority}]** {safe_line(text)}"


def unreadable_line(entry: UnreadableRule) -> str:
    """Return the line of the block for an unreadable rule file."""
    return rule_line("critical", _unreadable_text(entry))


def _unreadable_text(entry: UnreadableRule) -> str:
    return (
        f"A rule of this tool cannot be read ({entry.place}): "
        "ask before each use until it is fixed."
    )


def _unreadable_item(
    entry: UnreadableRule,
    headings: dict[str, str],
    spelling_of: Callable[[str], str | None],
    *,
    rank: int,
) -> PromptItem:
    text = _unreadable_text(entry)
    data = {
        "id": "",
        "tool": entry.tool,
        "key": entry.tool,
        "rule": text,
        "priority": "critical",
        "scope": str(entry.scope),
        "path": entry.full_path,
    }
    heading = headings.get(entry.tool) or _heading(
        entry.tool, spelling_of(entry.tool) or entry.tool
    )
    return PromptItem(
        rule_line("critical", text),
        entry.full_path,
        group=heading,
        breadth=breadth(entry.scope),
        rank=rank,
        pinned=True,
        data=data,
    )
