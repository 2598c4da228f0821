"""The report page: the figures of a vault as HTML that needs nothing but itself."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from toolmem.core.guard.derivation.stated import effect_of
from toolmem.core.model import Priority, Rule
from toolmem.core.report.chart import Series, day_chart, line_chart
from toolmem.core.report.html import (
    BarRow,
    Html,
    Links,
    Tile,
    about,
    bars,
    cell,
    chip,
    group,
    head,
    legend,
    nothing,
    number,
    page,
    row,
    table,
    text,
    tiles,
)
from toolmem.core.shown import tool_label
from toolmem.core.times import last_day, rfc3339
from toolmem.errors import Arg, UsageError
from toolmem.ops.reports.figures import Figures, document, figures
from toolmem.ops.reports.memory_sections import stale_section, use_section
from toolmem.store.vault.vault import Vault

__all__ = ["Figures", "document", "figures", "report_page"]
_RULES = 1_000
"""Rules on the page; more make it slow to open."""
_ROWS = 25
_PARTS = {
    "role": "violet",
    "overrides": "teal",
    "rules": "red",
    "facts": "green",
    "guidance": "blue",
    "memories": "amber",
    "search": "grey",
}
_FATES = (("kept", "green"), ("dropped", "grey"), ("undone", "red"), ("open", "amber"))
_TIERS = {
    "sure": "Clear orders, written at once",
    "candidate": "Candidates, judged later",
    "quoted": "Quoted by an agent",
}
_EVENTS = (("denied", "red"), ("asked", "amber"), ("observed", "grey"))
_LEAST_DAYS = 14
_PRIORITIES = tuple(Priority)


class _Page(NamedTuple):
    report: Figures
    links: Links
    now: datetime


def report_page(vault: Vault, report: Figures, base_url: str = "") -> Html:
    """Return the page; with ``base_url`` files and commits are links.

    Raises ``UsageError`` for an address that is neither http nor https.
    """
    if base_url and not base_url.startswith(("https://", "http://")):
        raise UsageError(
            Arg("base_url"), f": {base_url!r} does not begin with https://"
        )
    links = Links(base_url.rstrip("/"), report.prefix)
    it = _Page(report, links, vault.now)
    sections = (
        ("", "", _tiles(report)),
        ("Stopped calls", "stopped", _stopped(it)),
        ("Rules by tool", "rules", _rules(it)),
        ("Capture", "capture", _capture(report)),
        ("Failures by cause", "failures", _failures(report)),
        ("Prompt budget by scope", "budget", _budget(report)),
        ("Stale memories", "stale", stale_section(report, links, vault.now)),
        ("Memories and searches", "memories", use_section(report, links)),
        ("Growth", "growth", _growth(report)),
        ("Last commits", "commits", _commits(it)),
    )
    when = f"{vault.now.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    what = f"Made by toolmem on {when}. " + " ".join(report.remarks)
    return page(f"Vault {vault.root.name}", what.strip(), sections)


def _tiles(report: Figures) -> Html:
    critical = sum(rule.priority is Priority.CRITICAL for rule in report.rules)
    sums = {
        kind: sum(day.times for day in report.local.days if day.kind == kind)
        for kind in ("denied", "asked")
    }
    calls = sum(tool.statistics.calls for tool in report.local.tools)
    # A hook stops a call before the turn that it is part of is captured.
    calls = max(calls, sum(sums.values()))
    return tiles(
        (
            Tile("rules", len(report.rules)),
            Tile("critical rules", critical),
            Tile("memories", len(report.memories)),
            Tile("scopes", len(report.prompts)),
            Tile("calls seen", calls),
            Tile("calls denied", sums["denied"], alert=True),
            Tile("calls asked about", sums["asked"]),
            Tile("waiting for review", report.waiting),
        )
    )


def _stopped(it: _Page) -> Html:
    days = [
        (date.fromisoformat(daily.day), daily.kind, daily.times)
        for daily in it.report.local.days
        if daily.kind in dict(_EVENTS)
    ]
    said = about("Calls that rules denied or asked about, on this machine.")
    if not days:
        return said + nothing("No call was stopped here yet.")
    today = it.now.date()
    first = min(days[0][0], today - timedelta(days=_LEAST_DAYS - 1))
    days = [(first, "", 0), *days, (max(today, days[-1][0]), "", 0)]
    series = [
        Series(
            name, colour, tuple(times if kind == name else 0 for _, kind, times in days)
        )
        for name, colour in _EVENTS
    ]
    return said + day_chart([day for day, _, _ in days], series, "")


def _rules(it: _Page) -> Html:
    by_tool: dict[str, list[Rule]] = {}
    for rule in it.report.rules:
        by_tool.setdefault(rule.tool, []).append(rule)
    ordered = sorted(
        by_tool.items(),
        key=lambda pair: (
            -sum(_met(it, member) for member in pair[1]),
            -len(pair[1]),
            pair[0],
        ),
    )
    columns = ("Rule", "Shown", "Matched", "Asked", "Denied")
    said = (
        "Each rule with its record on this machine: how often agents were shown it, "
        "and how many calls it matched, asked about and denied."
    )
    groups, left = [], _RULES
    for tool, rules in ordered:
        shown = sorted(
            rules, key=lambda r: (_PRIORITIES.index(r.priority), -_met(it, r))
        )
        rows = [_rule(it, listed) for listed in shown[:left]]
        left -= len(rows)
        if rows:
            title = f'{text(tool_label(tool))} <span class="meta">{_sums(rules)}</span>'
            groups.append(group(title, rows, len(columns)))
    more = len(it.report.rules) - _RULES
    rest = about(f"{more:,} more: `toolmem rule list`.") if more > 0 else ""
    none = "There are no rules yet."
    return about(said) + table(head(columns, numbers=4), groups, none) + rest


def _met(it: _Page, rule: Rule) -> int:
    hits = it.report.local.hits.get(rule.id)
    return hits.stopped if hits else 0


def _sums(rules: Sequence[Rule]) -> str:
    counts = ((p, sum(r.priority is p for r in rules)) for p in Priority)
    return ", ".join(f"{n} {p}" for p, n in counts if n)


def _rule(it: _Page, rule: Rule) -> Html:
    hits = it.report.local.hits.get(rule.id)
    events = hits.events if hits else {}
    created = f" · since {rule.created_at.date()}" if rule.created_at else ""
    last = (
        f" · last stopped a call on {hits.last[:10]}" if hits and hits.stopped else ""
    )
    meta = (
        f'<div class="meta">{text(str(rule.scope))}{created}{last}<br>'
        f"{it.links.file(rule.path)}</div>"
    )
    words = f"{_chips(it, rule)}{text(rule.rule)}{meta}"
    counts = (number(events.get(kind, 0), kind) for kind in _RECORD)
    return row(cell(words), *counts)


_RECORD = ("shown", "matched", "asked", "denied")


def _chips(it: _Page, rule: Rule) -> Html:
    made = chip(rule.priority, str(rule.priority))
    if not rule.enabled:
        made += chip("off")
    made += chip(effect_of(rule))
    if rule.expires_at is not None and rule.expires_at <= it.now:
        made += chip(f"expired on {last_day(rule.expires_at)}")
    return made


def _capture(report: Figures) -> Html:
    rows = [
        BarRow(
            text(_TIERS.get(tier, tier)),
            tuple((getattr(counts, name), colour) for name, colour in _FATES),
            ", ".join(
                f"{getattr(counts, name)} {name}"
                for name, _ in _FATES
                if getattr(counts, name)
            ),
        )
        for tier, counts in report.local.tiers.items()
        if any(counts)
    ]
    said = "What became of statements in which a user may have set a rule."
    none = "Nothing was captured here yet."
    keys = legend(_FATES) if rows else ""
    return about(said) + keys + bars(("How it was captured", "Statements"), rows, none)


def _failures(report: Figures) -> Html:
    rows = (
        row(
            cell(
                f"{chip(cause.name.replace('_', ' '))}{text(tool_label(cause.tool))}"
                f'<div class="meta path">{text(cause.message)}</div>'
            ),
            cell(cause.last[:10], "last"),
            number(cause.turns, "turns"),
        )
        for cause in report.local.causes[:_ROWS]
    )
    said = "Errors of tools by cause with the last message, and the turns they were in."
    none = "No tool has failed here yet."
    return about(said) + table(head(("Failure", "Last", "Turns"), 1), rows, none)


def _budget(report: Figures) -> Html:
    ordered = sorted(report.prompts, key=lambda prompt: (-prompt.tokens, prompt.scope))
    rows = [
        BarRow(
            text(prompt.scope),
            tuple(
                (tokens, _PARTS.get(kind, "grey"))
                for kind, tokens in prompt.parts.items()
            ),
            ", ".join(f"{kind} {tokens}" for kind, tokens in prompt.parts.items()),
        )
        for prompt in ordered[:_ROWS]
    ]
    kinds = {kind for prompt in ordered[:_ROWS] for kind in prompt.parts}
    keys = legend((k, colour) for k, colour in _PARTS.items() if k in kinds)
    said = "The text that an agent of each scope starts with, in estimated tokens."
    if len(ordered) > _ROWS:
        said += f" The {_ROWS} largest of {len(ordered):,} scopes."
    none = "There are no scopes yet."
    return about(said) + (keys if rows else "") + bars(("Scope", "Tokens"), rows, none)


def _growth(report: Figures) -> Html:
    moments = [size.when for size in report.sizes]
    lines = [
        Series("rules", "blue", tuple(size.rules for size in report.sizes)),
        Series("memories", "green", tuple(size.memories for size in report.sizes)),
        Series("archived", "grey", tuple(size.archived for size in report.sizes)),
    ]
    said = (
        "Files in the vault over time, by git's history or by the dates in the files."
    )
    none = "It takes two commits or two dates to show growth."
    return about(said) + line_chart(moments, lines, none)


def _commits(it: _Page) -> Html:
    rows = (
        row(
            cell(
                f'{text(commit.subject)}<div class="meta">{it.links.commit(commit.id)}'
                f" · {text(commit.author)}</div>"
            ),
            cell(rfc3339(commit.when)[:10]),
        )
        for commit in it.report.commits
    )
    return table(head(("Commit", "Date")), rows, "Nothing was committed yet.")
