"""Random edits on two sides: nothing that one of them added is lost.

Each merge is done both ways: without a conflict it gives the same bytes, with one
the same conflicts with the sides swapped.
"""

from datetime import UTC, datetime, timedelta
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.facts.parse import parse_facts
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.memories.memory_edit import new_memory_text
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.merge.facts_merge import open_fact_conflicts
from toolmem.core.merge.lines import merge_text
from toolmem.core.merge.memory_merge import table_of
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import conflicts_of
from toolmem.core.merge.tables import alternatives
from toolmem.core.model import SYSTEM
from toolmem.core.rules.compose import rule_file_text
from toolmem.core.rules.rule_file import parse_rule_file

START = datetime(2026, 4, 7, 10, tzinfo=UTC)
WORDS = st.sampled_from(
    ["never push", "ask first", "use make", "Never push.", "say so"]
)
TIMES = st.integers(0, 9).map(lambda days: START + timedelta(days=days))
TAGS = st.lists(st.sampled_from("abcdef"), max_size=4, unique=True)
GUARDS = st.lists(
    st.sampled_from(["git push", "rm -rf", "sudo"]).map(
        lambda text: {"action": "deny", "contains": text}
    ),
    max_size=2,
    unique_by=repr,
)
RULES = st.fixed_dictionaries(
    {"id": st.just("7b1e0c52"), "tool": st.just("shell"), "rule": WORDS},
    optional={
        "priority": st.sampled_from(["critical", "high", "normal"]),
        "enabled": st.booleans(),
        "tags": TAGS,
        "updated_at": TIMES,
        "created_at": TIMES,
        "expires_at": TIMES,
        "evidence": WORDS,
        "guard": GUARDS,
    },
)
COMMENTS = st.lists(st.sampled_from(["# one\n", "# two\n", "# three\n"]), max_size=2)
MEMORIES = st.tuples(
    st.fixed_dictionaries(
        {},
        optional={
            "tags": TAGS.filter(bool),
            "topic": WORDS,
            "private": st.booleans(),
            "updated": TIMES,
            "importance": st.sampled_from([0.25, 0.5]),
        },
    ),
    st.lists(st.sampled_from(["one", "two", "three", "", "four"]), max_size=6),
)
FACTS = st.dictionaries(
    st.tuples(st.sampled_from(["project", "tools"]), st.sampled_from("abcd")),
    st.sampled_from(["1", "2", "3"]),
    max_size=6,
)
PROSE = st.lists(st.sampled_from(["Some prose.\n", "More of it.\n", "\n"]), max_size=3)


def written(table, comments):
    return "".join(comments) + rule_file_text(
        {k: v for k, v in table.items() if v != []}
    )


def swapped(conflicts):
    return sorted((c.key, repr(c.theirs), repr(c.ours)) for c in conflicts)


def straight(conflicts):
    return sorted((c.key, repr(c.ours), repr(c.theirs)) for c in conflicts)


def both_ways(kind, base, ours, theirs):
    one = merge_file(kind, base, ours, theirs, "f")
    other = merge_file(kind, base, theirs, ours, "f")
    assert straight(one.conflicts) == swapped(other.conflicts)
    if not one.conflicts:
        assert one.text == other.text
    assert straight(conflicts_of(kind, one.text, "f")) == straight(one.conflicts)
    return one


def kept(key, sides, table):
    """Return True if each side's change is in the table, or in its conflict."""
    base, ours, theirs = sides
    was = base.get(key)
    found = [table.get(key), *alternatives(table).get(key, ())]
    for side, other in ((ours, theirs), (theirs, ours)):
        value = side.get(key)
        if isinstance(value, list):
            added = [item for item in value if item not in (was or [])]
            both = table.get(key) or []
            if (
                key == "guard"
            ):  # where both replaced one, the other side's are in conflict
                both = [*both, *chain(*alternatives(table).get(key, ()))]
            assert all(item in both for item in added)
        elif value != was and other.get(key) == was:
            assert table.get(key) == value
        elif value != was and key in ("tool", "topic", "private", "enabled"):
            assert value in found


@examples(150)
@given(st.one_of(st.just({}), RULES), RULES, RULES, COMMENTS, COMMENTS, COMMENTS)
def test_rules(base, ours, theirs, first, second, third):
    texts = [
        written(base, first) if base else "",
        written(ours, second),
        written(theirs, third),
    ]
    merged = both_ways("rule", *texts)
    table = parse_toml(merged.text, "f")
    parse_rule_file(merged.text, path="f", scope=SYSTEM, folder_tool="shell")
    sides = [parse_toml(text, "f") for text in texts]
    for key in {*ours, *theirs}:
        kept(key, sides, table)
    for comment in {*second, *third} - {*first}:
        assert comment in merged.text
    rule_texts = {sides[1]["rule"], sides[2]["rule"]} - {sides[0].get("rule")}
    found = {table["rule"], *alternatives(table).get("rule", ())}
    assert {text.lower().strip(".") for text in rule_texts} <= {
        text.lower().strip(".") for text in found
    }


@examples(150)
@given(st.one_of(st.none(), MEMORIES), MEMORIES, MEMORIES)
def test_memories(base, ours, theirs):
    texts = [
        new_memory_text(side[0], "Title", "\n".join(side[1])) if side else ""
        for side in (base, ours, theirs)
    ]
    merged = both_ways("memory", *texts)
    parsed = parse_memory(merged.text, path="f.md")
    assert parsed.problems == ()
    sides = [table_of(text, "f") for text in texts]
    table = table_of(merged.text, "f")
    for key in {*sides[1], *sides[2]}:
        kept(key, sides, table)
    bodies = [set(side[1]) if side else set() for side in (base, ours, theirs)]
    for line in (bodies[1] | bodies[2]) - bodies[0]:
        assert line in merged.text
    if True in (sides[1].get("private"), sides[2].get("private")) and not sides[0].get(
        "private"
    ):
        assert parsed.private


@examples(150)
@given(FACTS, FACTS, FACTS, PROSE, PROSE, PROSE)
def test_facts(base, ours, theirs, first, second, third):
    texts = [
        facts_text(facts, prose)
        for facts, prose in ((base, first), (ours, second), (theirs, third))
    ]
    merged = both_ways("facts", *texts)
    parsed = parse_facts(merged.text)
    assert not [p for p in parsed.problems if p.severity == "error"]
    found = {(f.namespace, f.key): f.value for f in parsed.facts}
    noted = {c.key: (c.ours, c.theirs) for c in open_fact_conflicts(merged.text)}
    for name in {*base, *ours, *theirs}:
        was, left, right = base.get(name), ours.get(name), theirs.get(name)
        if left == right or right == was:
            assert found.get(name) == left
        elif left == was:
            assert found.get(name) == right
        else:
            assert noted[".".join(name)] == (left, right)
            assert found[name] == (right if left is None else left)
    for line in ({*second} | {*third}) - {*first, "\n"}:
        assert line in merged.text


def facts_text(facts, prose):
    """A file of facts with prose above the first."""
    lines = [*prose]
    for namespace in ("project", "tools"):
        held = [
            (key, v) for (name, key), v in sorted(facts.items()) if name == namespace
        ]
        if held:
            lines += [f"## {namespace}\n", *(f"{key}: {v}\n" for key, v in held), "\n"]
    return "".join(lines)


@examples(200)
@given(*[st.lists(st.sampled_from("abcdefg"), max_size=8)] * 3)
def test_lines(base, ours, theirs):
    texts = ["".join(f"{line}\n" for line in side) for side in (base, ours, theirs)]
    merged = both_ways("prose", *texts)
    for line in ({*ours} | {*theirs}) - {*base}:
        assert f"{line}\n" in merged.text
    if ours == base:
        assert merged.text == texts[2]


@examples(100)
@given(
    st.lists(st.sampled_from("abc"), max_size=30),
    st.lists(st.sampled_from("abc"), max_size=30),
)
def test_a_merge_with_an_unchanged_side_is_the_other(base, side):
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (base, side))
    assert merge_text(old, old, new).text == new
    assert merge_text(old, new, old).text == new
    assert merge_text(old, new, new).text == new


@examples(100)
@given(
    st.sampled_from(["memory", "facts", "prose"]),
    st.tuples(MEMORIES, MEMORIES, MEMORIES),
    st.tuples(*(st.booleans(),) * 3),
)
def test_line_ends_make_no_difference_to_what_is_merged(kind, sides, is_crlf):
    plain = [
        "\n".join(("port: 1", *body, "end")) + "\n"
        if kind != "memory"
        else new_memory_text(header, "Title", "\n".join(body))
        for header, body in sides
    ]
    texts = [
        text.replace("\n", "\r\n") if crlf else text
        for text, crlf in zip(plain, is_crlf, strict=True)
    ]
    merged, wanted = (
        merge_file(kind, base, ours, theirs, "f")
        for base, ours, theirs in (texts, plain)
    )
    assert merged.text.replace("\r\n", "\n") == wanted.text
    was, left, right = is_crlf
    ends = "\r\n" if (right if left == was else left) else "\n"
    assert merged.text == wanted.text.replace("\n", ends)
    assert len(conflicts_of(kind, merged.text, "f")) == len(wanted.conflicts)
