"""``toolmem diff``: semantic changes."""

from collections.abc import Iterator

from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, print_notice, show
from toolmem.cli.pager import page_lines
from toolmem.core import limits
from toolmem.core.changes import render, summary
from toolmem.core.shown import tool_label
from toolmem.ops.history.diff import Diff
from toolmem.ops.prompt import impact


@operation("diff")
def diff(shown: Diff, format: str = "text") -> None:
    """Show what changed in rules, facts and memories.

    Also shows how the changes affect the prompt. Without arguments, compares the
    working tree with HEAD. More than 10,000 changed files are only counted.
    """
    if format == "markdown":
        emit_lines(_markdown(shown))
    elif shown.changes or shown.counts or (shown.effect and _is_news(shown.effect)):
        page_lines(_text(shown))
    else:
        print_notice("no change in meaning")


def _text(diff: Diff) -> Iterator[str]:
    for kind, changes in render.groups(diff.changes).items():
        yield f"{render.HEADINGS[kind]}:"
        yield from (f"  {render.line(change)}" for change in changes)
    if diff.counts:
        yield from summary.lines(diff.counts)
        yield f"each file: {_each_file(diff)}"
    if diff.effect is not None:
        yield from _effect(diff.effect)


def _each_file(diff: Diff) -> str:
    if diff.after is None:
        return "git status"
    return f"git diff --stat {diff.before[:10]} {diff.after[:10]}"


def _effect(effect: "impact.PromptImpact") -> Iterator[str]:
    yield f"Prompt of {show(effect.chain)}: {_tokens(effect)}"
    for kind, (old, new) in effect.parts.items():
        if old != new:
            yield f"  {kind}: {old} → {new} tokens"
    for name, rules in _rules(effect):
        yield from (f"  {name}: {show(_rule(rule))}" for rule in rules)


def _rules(
    effect: "impact.PromptImpact",
) -> "Iterator[tuple[str, tuple[impact.ShownRule, ...]]]":
    yield "in", effect.rules_in
    yield "out", effect.rules_out
    yield "now", effect.rules_changed


def _rule(rule: "impact.ShownRule") -> str:
    rule_id = rule.id[: limits.ID_SHOWN]
    return f"{rule_id}  [{rule.priority}] {tool_label(rule.tool)}: {rule.rule}"


def _tokens(effect: "impact.PromptImpact") -> str:
    old, new = effect.tokens_before, effect.tokens_after
    return f"{old} tokens, as before" if old == new else f"{old} → {new} tokens"


def _is_news(effect: "impact.PromptImpact") -> bool:
    return effect.tokens_before != effect.tokens_after or any(
        rules for _, rules in _rules(effect)
    )


def _markdown(diff: Diff) -> Iterator[str]:
    yield "### What agents will know"
    if not diff.changes and not diff.counts:
        yield from ("", "No change in meaning.")
    if diff.counts:
        yield ""
        yield from (f"- {render.code(line)}" for line in summary.lines(diff.counts))
        yield from ("", f"Each file: `{_each_file(diff)}`")
    for kind, changes in render.groups(diff.changes).items():
        yield from ("", f"#### {render.HEADINGS[kind]}", "")
        yield from map(render.markdown, changes)
    if diff.effect is not None:
        yield from ("", f"#### Prompt of {render.code(diff.effect.chain)}", "")
        yield from (_tokens(diff.effect), "")
        for name, rules in _rules(diff.effect):
            yield from (f"- {name}: {render.code(_rule(rule))}" for rule in rules)
