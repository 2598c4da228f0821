"""``toolmem.toml`` and manifests are merged key by key, in their tables, too."""

import pytest

from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import conflicts_of, resolve_conflict

BASE = """\
schema = 1

[search]
# how many
limit = 5
semantic = false

[memory_access.semantic]
enabled = true
max_queries = 2
"""


def merged(ours, theirs):
    done = merge_file("settings", BASE, ours, theirs, "toolmem.toml")
    known = [(c.key, c.ours, c.theirs) for c in done.conflicts]
    return done.text, known


def test_two_keys_of_one_table_are_both_taken():
    ours = BASE.replace("limit = 5", "limit = 6")
    theirs = BASE.replace("semantic = false", "semantic = true")
    theirs = theirs.replace("max_queries = 2", "max_queries = 3")
    text, conflicts = merged(ours, theirs)
    assert conflicts == []
    assert parse_toml(text, "f") == {
        "schema": 1,
        "search": {"limit": 6, "semantic": True},
        "memory_access": {"semantic": {"enabled": True, "max_queries": 3}},
    }
    assert "# how many" in text


@pytest.mark.parametrize(("take", "limit"), [("ours", 6), ("theirs", 7)])
def test_one_key_of_a_table_is_in_conflict_by_itself(take, limit):
    ours = BASE.replace("limit = 5", "limit = 6")
    theirs = BASE.replace("limit = 5", "limit = 7").replace("false", "true")
    text, conflicts = merged(ours, theirs)
    assert conflicts == [("search.limit", 6, 7)]
    assert parse_toml(text, "f")["search"] == {"limit": 6, "semantic": True}
    (conflict,) = conflicts_of("settings", text, "toolmem.toml")
    settled = resolve_conflict("settings", text, conflict, take, "toolmem.toml")
    assert settled is not None
    assert parse_toml(settled, "f")["search"] == {"limit": limit, "semantic": True}
    assert conflicts_of("settings", settled, "toolmem.toml") == []


def test_a_key_that_one_side_took_out_of_a_table_is_a_conflict_of_it():
    ours = BASE.replace("max_queries = 2\n", "")
    theirs = BASE.replace("max_queries = 2", "max_queries = 9")
    text, conflicts = merged(ours, theirs)
    assert conflicts == [("memory_access.semantic.max_queries", None, 9)]
    (conflict,) = conflicts_of("settings", text, "toolmem.toml")
    settled = resolve_conflict("settings", text, conflict, "theirs", "toolmem.toml")
    assert parse_toml(settled or "", "f") == parse_toml(theirs, "f")
