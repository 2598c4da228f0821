"""Prose in ``facts.md``: no edit of either side is lost in a merge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.merge.test_random import both_ways, straight
from tests.examples import examples
from toolmem.core.facts.parse import parse_facts
from toolmem.core.merge.exact_facts import facts_of, made_to_say
from toolmem.core.merge.facts_merge import merge_facts
from toolmem.core.merge.open_conflicts import conflicts_of, resolve_conflict
from toolmem.errors import InvalidFileError

BASE = """\
---
owner: ada
team: tools
---
# Facts

We test often.

## project
port: 80
- host: a.example.com
  - note: one
  - more: two

```yaml
host: inside
port: code
```

<!--
port: commented
host: too
-->
"""


def merged(ours, theirs, base=BASE):
    return both_ways("facts", base, ours, theirs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (("host: inside", "host: ours"), ("port: code", "port: theirs")),
        (("port: commented", "port: ours"), ("host: too", "host: theirs")),
        (("note: one", "note: ours"), ("more: two", "more: theirs")),
        (("owner: ada", "owner: bob"), ("team: tools", "team: games")),
        (("host: inside", "host: ours"), ("port: 80", "port: 81")),
        (("We test often.", "We test daily."), ("port: 80", "port: 81")),
    ],
)
def test_edits_of_different_lines_are_both_there(ours, theirs):
    done = merged(BASE.replace(*ours), BASE.replace(*theirs))
    assert done.conflicts == ()
    assert ours[1] in done.text
    assert theirs[1] in done.text
    assert ours[0] not in done.text
    assert theirs[0] not in done.text


@pytest.mark.parametrize(
    ("was", "ours", "theirs"),
    [
        ("We test often.", "We test daily.", "We test weekly."),
        ("host: inside", "host: ours", "host: theirs"),
        ("port: commented", "port: ours", "port: theirs"),
        ("note: one", "note: ours", "note: theirs"),
    ],
)
@pytest.mark.parametrize("take", ["ours", "theirs", "both"])
def test_two_edits_of_one_line_are_a_conflict_that_can_be_settled(
    was, ours, theirs, take
):
    done = merged(BASE.replace(was, ours), BASE.replace(was, theirs))
    (conflict,) = done.conflicts
    assert ours in conflict.ours
    assert theirs in conflict.theirs
    assert parse_facts(done.text).facts[0].value == "80"
    (found,) = conflicts_of("facts", done.text, "facts.md")
    text = resolve_conflict("facts", done.text, found, take, "facts.md")
    assert text is not None
    assert conflicts_of("facts", text, "facts.md") == []
    assert (ours in text) is (take != "theirs")
    assert (theirs in text) is (take != "ours")
    if take == "ours":
        assert text == BASE.replace(was, ours)


def test_prose_and_a_fact_in_conflict_are_two_conflicts():
    ours = BASE.replace("often", "daily").replace("port: 80", "port: 1")
    theirs = BASE.replace("often", "weekly").replace("port: 80", "port: 2")
    assert [c.key for c in merged(ours, theirs).conflicts] == ["project.port", "text:1"]


_PARTS = st.lists(
    st.sampled_from(
        [
            *("Prose of one line.\n", "Prose of another.\n", "- a bullet\n"),
            *("  - nested: item\n", "```\na: code\n```\n", "<!-- a remark -->\n"),
            *("<!--\nb: hidden\n-->\n", "| a | b |\n", "1. c: step\n", "\n"),
        ]
    ),
    max_size=6,
)


@examples(200)
@given(
    *[st.tuples(_PARTS, st.dictionaries(st.sampled_from("pq"), st.sampled_from("12")))]
    * 3
)
def test_no_line_that_a_side_added_is_lost(base, ours, theirs):
    texts = [
        "".join(parts)
        + "\n## project\n"
        + "".join(f"{k}: {v}\n" for k, v in facts.items())
        for parts, facts in (base, ours, theirs)
    ]
    done = both_ways("facts", *texts)
    known = straight(done.conflicts)
    assert straight(conflicts_of("facts", done.text, "f")) == known
    for part in {*ours[0], *theirs[0]} - {*base[0], "\n"}:
        assert part in done.text


def test_prose_with_zero_bytes_is_no_fact():
    base = "# Facts\n\n\0a\0b\0c\nkey: one\n"
    ours, theirs = base.replace("one", "two"), base.replace("\0a", "\0\0\0more")
    result = merged(ours, theirs, base)
    assert result.text == "# Facts\n\n\0\0\0more\0b\0c\nkey: two\n"
    assert not result.conflicts


def test_facts_that_both_add_around_the_same_prose_are_merged():
    ours = "Some prose.\n## project\nb: 1\n"
    theirs = "## project\na: 1\n## tools\na: 1\nSome prose.\n"
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = parse_facts(merge_facts("", one, other, "facts.md").text).facts
        found = sorted((fact.namespace, fact.key, fact.value) for fact in merged)
        names = [("project", "a"), ("project", "b"), ("tools", "a")]
        assert found == [(*name, "1") for name in names]


def test_an_item_stays_below_its_bullet():
    theirs = "- a bullet\nSome prose.\n- a bullet\n  - nested: item\n"
    merged = merge_facts("", "Some prose.\n", theirs, "facts.md").text
    assert parse_facts(merged).facts == ()
    assert "- a bullet\n  - nested: item\n" in merged


def test_a_merge_that_would_take_hours_is_refused():
    names = [f"n{n}" for n in range(1500)]
    text = "".join(f"## {name}\nk: 1\n" for name in names)
    with pytest.raises(InvalidFileError, match="too many facts change their place"):
        made_to_say("", {(name, "k"): "2" for name in names}, "f.md")
    assert made_to_say(text, facts_of(text), "f.md") == text


def test_the_conflict_of_a_deleted_fact_keeps_its_name_whatever_dots_are_in_it():
    note = (
        '<!-- conflict: {"namespace": "net", "key": "port.http", "ours": "2", '
        '"theirs": null} -->\n'
    )
    base = "## net\nhost: a\n"
    merged = merge_facts(base, base + note, base.replace("a\n", "b\n"), "facts.md")
    assert merged.text == base.replace("a\n", "b\n") + note
