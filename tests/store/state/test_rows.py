"""Local state that was tampered with is reported, and never a crash."""

import json

import pytest

from tests.store.state.pages import NOW, message, note, opened, value
from toolmem.core.access.kinds import CONVERSATION, SCRATCH_PAGE, WORKING
from toolmem.errors import StorageError
from toolmem.ops.access.kept_items import kept_items
from toolmem.store.state import conversation, trace, working
from toolmem.store.state.database import open_state


def spoil(vault, table, column, given):
    with open_state(vault.root) as state:
        state.execute(f"UPDATE {table} SET {column} = ?", (given,))


READ = {
    "scratch": lambda vault: kept_items(
        vault._replace(now=NOW), SCRATCH_PAGE, agent="a"
    ),
    "working": lambda vault: kept_items(vault._replace(now=NOW), WORKING, agent="a"),
    "conversation": lambda vault: kept_items(
        vault._replace(now=NOW), CONVERSATION, agent="a"
    ),
    "trace": lambda vault: trace.read(vault),
}


@pytest.fixture
def vault(tmp_path):
    vault = opened(tmp_path)
    note(vault)
    working.put(vault, value("goal", agent="a"))
    conversation.add(vault, message(0))
    trace.add(vault, trace.TraceLine(NOW))
    return vault


@pytest.mark.one_of(3)
@pytest.mark.parametrize("table", ["scratch", "working", "conversation"])
@pytest.mark.parametrize(
    "given",
    [
        "",
        "{",
        "[]",
        "null",
        "5",
        "{}",
        "[" * 100_000,
        b"\xff\xfe",
        '{"a": 1}',
        '{"tags": 5}',
    ],
    ids=lambda given: str(given)[:9],
)
def test_a_document_that_is_none_is_told(vault, table, given):
    if table == "conversation" and given in ("{}", "[]"):
        return  # all that must be known of a message is in its columns
    spoil(vault, table, "document", given)
    with pytest.raises(StorageError, match="delete it to go on"):
        READ[table](vault)


@pytest.mark.parametrize("table", ["scratch", "working"])
@pytest.mark.parametrize(
    "changes",
    [
        {"content": 5},
        {"at": "soon", "created_at": "soon"},
        {"expires_at": 5},
        {"confidence": "high"},
        {"metadata": 5},
        {"tags": 5},
        {"colour": "red"},
    ],
    ids=str,
)
def test_a_value_of_another_type_is_told(vault, table, changes):
    with open_state(vault.root) as state:
        [document] = state.execute(f"SELECT document FROM {table}").fetchone()
    spoil(vault, table, "document", json.dumps(json.loads(document) | changes))
    with pytest.raises(StorageError, match="delete it to go on"):
        READ[table](vault)


@pytest.mark.parametrize(
    ("table", "column", "given"),
    [
        ("conversation", "at", "soon"),
        ("conversation", "content", b"\xff"),
        ("conversation", "turn", "first"),
        ("trace", "at", "soon"),
        ("trace", "reason", b"\xff"),
    ],
)
def test_so_is_one_in_a_column(vault, table, column, given):
    spoil(vault, table, column, given)
    with pytest.raises(StorageError, match="delete it to go on"):
        READ[table](vault)


def test_a_time_without_a_zone_is_in_utc(vault):
    spoil(vault, "conversation", "at", "2026-04-20T12:00:00")
    [item] = kept_items(vault._replace(now=NOW), CONVERSATION, agent="a")
    assert item.timestamp == NOW
