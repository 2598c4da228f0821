"""Items that are dropped when a block is too long, and those that never are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.prompt.hostile import PARTS, parts_of
from tests.core.prompt.test_markdown import rule
from tests.examples import examples
from toolmem.core import limits
from toolmem.core.model import SYSTEM, Fact
from toolmem.core.prompt.build import ScopedText
from toolmem.core.prompt.markdown import render_markdown
from toolmem.core.prompt.pack import keep_within, shrink
from toolmem.core.prompt.parts import DROP_ORDER, PromptItem, PromptPart
from toolmem.core.prompt.xml import render_xml
from toolmem.core.scope import chain_for
from toolmem.core.text.tokens import estimate_tokens

AGENT, _, PROJECT, TYPE, _ = chain_for("p", "t", "a")


def fit(parts, limit, render=render_markdown, measure=len, *, hard=False):
    def size(some):
        return measure(render(some))

    return shrink(parts, size, measure, limit, "too long", hard=hard)


def names(part: PromptPart) -> list[str]:
    return [item.name for item in part.items]


@examples(150)
@given(
    PARTS,
    st.integers(1, 2500),
    st.sampled_from([render_markdown, render_xml]),
    st.sampled_from([len, estimate_tokens]),
)
def test_it_fits_or_only_what_must_stand_is_left(parts, limit, render, measure):
    smaller, fits = fit(parts, limit, render, measure)
    left = [item for part in smaller for item in part.items]
    assert fits == (measure(render(smaller)) <= limit)
    assert fits or all(item.pinned for item in left)
    for before, after in zip(parts, smaller, strict=True):
        assert [item for item in before.items if item.pinned] == [
            item for item in after.items if item.pinned
        ]
        gone = [omission.item for omission in after.omitted[len(before.omitted) :]]
        assert sorted(map(id, [*after.items, *gone])) == sorted(map(id, before.items))
        assert [item for item in before.items if item in after.items] == list(
            after.items
        )


@examples(150)
@given(PARTS, st.integers(1, 2500))
def test_a_part_gives_way_only_after_those_before_it(parts, limit):
    smaller, _ = fit(parts, limit)
    by_kind = dict(zip((part.kind for part in parts), parts, strict=True))
    after = {part.kind: part for part in smaller}
    for number, kind in enumerate(DROP_ORDER):
        if len(after[kind].items) < len(by_kind[kind].items):
            for lower in DROP_ORDER[:number]:
                assert [item for item in after[lower].items if not item.pinned] == []


@examples(100)
@given(PARTS, st.integers(1, 600))
def test_a_hard_limit_takes_critical_rules_last_and_counts_them(parts, limit):
    smaller, _ = fit(parts, limit)
    harder, fits = fit(parts, limit, hard=True)
    if len(render_markdown(smaller)) <= limit:
        assert harder == smaller
    text = render_markdown(harder)
    assert fits == (len(text) <= limit)
    critical = [o for part in harder for o in part.omitted if o.item.pinned]
    assert not critical or f"{len(critical)} " in text.partition("Left out: ")[2]


def test_the_broadest_and_last_facts_and_guidance_go_first():
    facts = [
        Fact(key, "v", "project", scope, "facts.md", 1)
        for key, scope in (("a", SYSTEM), ("b", PROJECT), ("c", SYSTEM), ("d", TYPE))
    ]
    order = []
    parts = parts_of(facts=facts)
    while parts[3].items:
        smaller, _ = fit(parts, len(render_markdown(parts)) - 1)
        order += [o.item.name for o in smaller[3].omitted if o not in parts[3].omitted]
        parts = smaller
    assert order == ["c", "a", "d", "b"]


def test_the_newest_high_rule_goes_last_and_a_critical_one_never():
    rules = [rule(f"text {n}", priority="high", n=n) for n in range(3)]
    parts = parts_of(rules=[*rules, rule("never", n=9)])
    smaller, fits = fit(parts, 1)
    assert not fits
    assert names(smaller[2]) == ["id-9"]
    assert [o.item.name for o in smaller[2].omitted] == ["id-2", "id-1", "id-0"]


@given(
    st.lists(
        st.builds(
            lambda size, breadth, pinned: PromptItem("x " * size, "n", breadth=breadth),
            st.integers(0, 40),
            st.integers(0, 4),
            st.booleans(),
        ),
        max_size=12,
    ),
    st.integers(0, 60),
)
def test_a_part_keeps_within_its_budget_whole_items_in_their_order(items, tokens):
    part = PromptPart("facts", tuple(items))
    kept = keep_within(part, tokens)
    assert sum(estimate_tokens(item.text) for item in kept.items) <= tokens
    assert [id(item) for item in items if id(item) in set(map(id, kept.items))] == [
        id(item) for item in kept.items
    ]
    assert len(kept.items) + len(kept.omitted) == len(items)
    for omission in kept.omitted:
        assert omission.reason == f"over the {tokens} tokens of facts"


def test_a_long_fact_does_not_push_out_the_short_ones_behind_it():
    long = "word " * 400
    facts = [
        Fact("a", long, "project", SYSTEM, "facts.md", 1),
        Fact("b", "short", "project", SYSTEM, "facts.md", 2),
    ]
    part = parts_of(facts=facts)[3]
    assert names(part) == ["b"]
    assert [o.reason for o in part.omitted] == ["over the 200 tokens of facts"]


def test_the_narrowest_scope_is_kept_first():
    text = "word " * 70
    facts = [
        Fact(key, text, "project", scope, "facts.md", 1)
        for key, scope in (("a", SYSTEM), ("b", AGENT), ("c", PROJECT))
    ]
    assert names(parts_of(facts=facts)[3]) == ["b", "c"]


@pytest.mark.parametrize(
    ("critical", "high", "shown"),
    [(35, 40, 65), (0, 35, 30), (10, 40, 40), (30, 1, 31)],
)
def test_every_critical_rule_stands_and_high_ones_up_to_the_cap(critical, high, shown):
    rules = [rule(f"never {n}", n=n) for n in range(critical)]
    rules += [rule(f"avoid {n}", "git", "high", 100 + n) for n in range(high)]
    part = parts_of(rules=rules[::-1])[2]
    assert len(part.items) == shown
    assert sum(item.pinned for item in part.items) == critical
    assert {omission.item.pinned for omission in part.omitted} <= {False}
    more = critical + high - shown
    noun = "high rule" if more == 1 else "high rules"
    word = "more " if part.items else ""
    line = f"Left out: {more} {word}{noun} (`toolmem rule list git`)."
    assert (line in render_markdown((part,))) == bool(more)


def test_guidance_is_whole_files_within_its_budget():
    bodies = [ScopedText("word " * 100, SYSTEM, f"{n}.md") for n in range(4)]
    part = parts_of(guidance=bodies)[4]
    cost = [estimate_tokens(item.text) for item in part.items]
    assert sum(cost) <= limits.GUIDANCE_TOKENS
    assert names(part) == ["0.md", "1.md"]
    assert [o.item.name for o in part.omitted] == ["2.md", "3.md"]


def _memories(count: int) -> PromptPart:
    return PromptPart(
        "memories", tuple(PromptItem("x" * 40, str(at), rank=at) for at in range(count))
    )


@pytest.mark.parametrize(("limit", "left"), [(120, 3), (119, 2), (80, 2), (79, 1)])
def test_a_block_exactly_at_its_limit_is_whole(limit, left):
    def size(parts):
        return sum(len(item.text) for part in parts for item in part.items)

    smaller, fits = shrink([_memories(3)], size, len, limit, "too long")
    assert fits
    assert names(smaller[0]) == [str(at) for at in range(left)]


def test_a_part_exactly_at_its_budget_is_whole():
    part = _memories(2)
    cost = sum(estimate_tokens(item.text) for item in part.items)
    assert names(keep_within(part, cost)) == ["0", "1"]
    assert names(keep_within(part, cost - 1)) == ["0"]
