"""The figures of a vault, and the page that shows them."""

from collections import Counter
from typing import Any, NamedTuple

from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope
from toolmem.core.report.page import (
    Bar,
    ChartLine,
    bars,
    chart,
    page,
    section,
    table,
    tiles,
)
from toolmem.core.scope import chain_for
from toolmem.core.shown import counted
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.times import rfc3339
from toolmem.errors import StorageError, ToolmemError
from toolmem.ops.history.review import list_proposals
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.reports.statistics import ToolRecord, tool_records
from toolmem.ops.rules.listing import list_rules
from toolmem.store.files import layout
from toolmem.store.git.growth import Size, growth
from toolmem.store.git.repo import Repo
from toolmem.store.state.retrieval_counts import (
    RetrievalCount,
    counting_since,
    retrievals,
)
from toolmem.store.vault.memory_files import MemoryPath, every_memory
from toolmem.store.vault.vault import Vault

_SHOWN = 20
_CLASSES = {Priority.CRITICAL: "critical", Priority.HIGH: "high", Priority.NORMAL: ""}


class Figures(NamedTuple):
    """Content of a report, and what could not be read (``remarks``).

    ``prompts`` are the tokens of each scope's block by part.
    """

    rules: tuple[Rule, ...]
    memories: tuple[MemoryPath, ...]
    prompts: tuple[tuple[str, dict[str, int]], ...]
    sizes: tuple[Size, ...]
    tools: tuple[ToolRecord, ...]
    used: dict[str, RetrievalCount]
    counted_since: str
    waiting: int
    remarks: tuple[str, ...] = ()


def figures(vault: Vault) -> Figures:
    """Everything that the page shows, read as it is now."""
    remarks: list[str] = []
    tools: tuple[ToolRecord, ...] = ()
    used: dict[str, RetrievalCount] = {}
    since = ""
    try:
        tools = tool_records(vault)
        used, since = retrievals(vault.root), counting_since(vault.root)
    except StorageError as error:
        remarks.append(f"local state cannot be read: {error}")
    sizes: tuple[Size, ...] = ()
    repo = Repo.find(vault.root)
    if repo is not None:
        try:
            sizes = growth(repo)
        except StorageError as error:
            remarks.append(str(error))
    return Figures(
        list_rules(vault).rules,
        every_memory(vault),
        tuple(_prompts(vault)),
        sizes,
        tools,
        used,
        since,
        len(list_proposals(vault).waiting),
        tuple(remarks),
    )


def _prompts(vault: Vault) -> list[tuple[str, dict[str, int]]]:
    found = []
    for scope in layout.all_scopes(vault.tree):
        try:
            block = build_prompt(vault.with_chain(_chain(scope)), PromptRequest())
        except ToolmemError:
            continue  # what cannot be a scope has no prompt; check reports it
        sizes: Counter[str] = Counter()
        for part in block.parts:
            sizes[part.kind] += sum(estimate_tokens(item.text) for item in part.items)
        found.append((str(scope), {kind: n for kind, n in sizes.items() if n}))
    return found


def _chain(scope: Scope) -> tuple[Scope, ...]:
    match scope.kind:
        case "project":
            return tuple(chain_for(scope.name, None, None))
        case "override":
            return tuple(chain_for(scope.name, scope.sub, None))
        case "agent-type":
            return tuple(chain_for(None, scope.name, None))
        case "agent":
            return tuple(chain_for(None, None, scope.name))
        case _:
            return (scope,)


def report_page(vault: Vault, found: Figures) -> str:
    """The page; it needs nothing but itself."""
    critical = sum(rule.priority is Priority.CRITICAL for rule in found.rules)
    numbers = [
        ("rules", len(found.rules)),
        ("critical", critical),
        ("memories", len(found.memories)),
        ("scopes", len(found.prompts)),
        ("waiting for review", found.waiting),
    ]
    sections = [
        tiles(numbers),
        _rules(found),
        _tokens(found),
        _growth(found),
        _failures(found),
        *_use(found),
    ]
    about = f"Made by toolmem at {rfc3339(vault.now)}. " + " ".join(found.remarks)
    return page(f"Vault {vault.root.name}", about.strip(), sections)


def _rules(found: Figures) -> str:
    by_tool: dict[str, Counter[Priority]] = {}
    for rule in found.rules:
        by_tool.setdefault(rule.tool, Counter())[rule.priority] += 1
    rows = [
        Bar(
            "every tool" if tool == ANY_TOOL else tool,
            tuple((counts[one], _CLASSES[one]) for one in Priority),
            ", ".join(f"{counts[one]} {one}" for one in Priority if counts[one]),
        )
        for tool, counts in by_tool.items()
    ]
    rows.sort(key=lambda row: (-row.total, row.name))
    content = bars(("Tool", "Rules", "Of which"), rows, "There are no rules yet.")
    about = "Critical rules are in every prompt block, high rules up to a limit."
    return section("Rules by tool and priority", about, content)


def _tokens(found: Figures) -> str:
    rows = [
        Bar(
            name,
            tuple((number, kind) for kind, number in parts.items()),
            ", ".join(f"{kind} {number}" for kind, number in parts.items()),
        )
        for name, parts in found.prompts
    ]
    content = bars(("Scope", "Tokens", "By part"), rows, "There are no scopes yet.")
    about = "Prompt block of each scope at the start of a session, in estimated tokens."
    return section("The prompt, by scope and part", about, content)


def _growth(found: Figures) -> str:
    moments = [size.when for size in found.sizes]
    lines = [
        ChartLine("rules", tuple(size.rules for size in found.sizes)),
        ChartLine("memories", tuple(size.memories for size in found.sizes)),
        ChartLine("archived", tuple(size.archived for size in found.sizes)),
    ]
    content = chart(moments, lines, "Growth is shown from the second commit on.")
    return section("Growth", "Files on the main line of git's history.", content)


def _failures(found: Figures) -> str:
    called = [one.statistics for one in found.tools if one.statistics.calls]
    rows = [
        Bar(
            one.tool,
            ((one.failures, "critical"),),
            f"of {counted(one.calls, 'call')}"
            + (f": {', '.join(name for name, _ in one.errors)}" if one.errors else ""),
        )
        for one in called
    ]
    rows.sort(key=lambda row: (-row.total, row.name))
    content = bars(
        ("Tool", "Failed", ""), rows[:_SHOWN], "No calls have been captured here yet."
    )
    return section("Failures by tool", "Calls of agents on this machine.", content)


def _use(found: Figures) -> list[str]:
    paths = {memory.id: memory.path for memory in found.memories}
    used = [(one, found.used[one]) for one in paths if one in found.used]
    used.sort(key=lambda pair: (-pair[1].times, pair[0]))
    rows = [(one, paths[one], times.last, times.times) for one, times in used[:_SHOWN]]
    heads = ("Memory", "File", "Last found", "Times")
    since = found.counted_since[:10]
    about = f"Counted on this machine since {since}." if since else "Not counted yet."
    most = table(heads, rows, "No search has found a memory here yet.")
    never = sorted(path for one, path in paths.items() if one not in found.used)
    listed = [(path.rpartition("/")[2], path, 0) for path in never[:_SHOWN]]
    more = len(never) - len(listed)
    first = f" The first {_SHOWN}:" if more else ""
    rest = f"{counted(len(never), 'memory')}.{first}"
    none = "Every memory has been found at least once."
    if not since:
        none = "Not known until searches have been counted."
    return [
        section("Memories that are used most", about, most),
        section(
            "Memories that were never found",
            rest if since else about,
            table(("Memory", "File", "Times"), listed if since else (), none),
        ),
    ]


def document(found: Figures) -> dict[str, Any]:
    """The same figures as JSON."""
    by_tool: dict[str, Counter[str]] = {}
    for rule in found.rules:
        by_tool.setdefault(rule.tool, Counter())[rule.priority.value] += 1
    ids = {memory.id for memory in found.memories}
    return {
        "rules": {tool: dict(counts) for tool, counts in sorted(by_tool.items())},
        "prompts": dict(found.prompts),
        "growth": [size._asdict() for size in found.sizes],
        "tools": {
            one.statistics.tool: {
                "calls": one.statistics.calls,
                "failures": one.statistics.failures,
            }
            for one in found.tools
        },
        "used": {one: n.times for one, n in sorted(found.used.items()) if one in ids},
        "never_used": sorted(ids - found.used.keys()) if found.counted_since else None,
        "counted_since": found.counted_since or None,
        "waiting": found.waiting,
    }
