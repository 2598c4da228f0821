"""Writing local state of one project does not affect that of others."""

import sqlite3
from datetime import timedelta

import pytest

from tests.store.state.pages import NOW, message, note, opened, value
from toolmem.core import limits
from toolmem.core.turns.places import TurnMark
from toolmem.store.state import conversation, scratch, trace, turn_log, working
from toolmem.store.state.database import open_state
from toolmem.store.state.schema import STEPS
from toolmem.store.state.trace import TraceLine
from toolmem.store.state.turn_log import stored_snapshot

PROJECTS = ("alpha", "beta", "")


@pytest.fixture
def vault(tmp_path):
    return opened(tmp_path)


def test_a_name_in_working_memory_is_one_in_each_project(vault):
    for project in PROJECTS:
        working.put(vault, value("plan", f"of {project}", project=project))
    found = {one.project: one.content for one in working.values(vault)}
    assert found == {project: f"of {project}" for project in PROJECTS}


def test_each_project_has_as_many_values_messages_and_entries(vault, monkeypatch):
    for name in ("WORKING_VALUES", "CONVERSATION_MESSAGES", "SCRATCH_ACTIVE"):
        monkeypatch.setattr(limits, name, 2)
    for project in PROJECTS:
        for number in range(2):
            session = f"s-{project}"
            at = NOW + timedelta(seconds=number)
            more = {"project": project, "session": session}
            assert working.put(vault, value(f"v{number}", agent="a", **more)) == ()
            conversation.add(vault, message(number, at=at, **more))
            note(vault, project=project)
    assert len(working.values(vault)) == 6
    assert len(conversation.messages(vault)) == 6
    assert len(scratch.entries(vault)) == 6


def test_turns_and_trace_of_another_project_are_left_out(tmp_path, monkeypatch):
    vault = opened(tmp_path)
    mark = TurnMark("m", 0, 0)
    for project in PROJECTS:
        trace.add(vault, TraceLine(NOW, tool="t", project=project))
        turn = turn_log.LoggedTurn(0, mark, True, {"dangerous": [project]})
        with open_state(tmp_path) as state:
            turn_log.log_turns(state, f"s-{project}", [turn], NOW, project)
    with open_state(tmp_path) as state:
        seen = [one[0] for one in turn_log.sessions(state, "alpha")]
        other = turn_log.turn_documents(state, "s-beta", None, "alpha")
        own = turn_log.turn_documents(state, "s-alpha", None, "alpha")
        every = [one[0] for one in turn_log.sessions(state)]
    assert (seen, other, len(own)) == (["s-", "s-alpha"], (), 1)
    assert every == ["s-", "s-alpha", "s-beta"]
    monkeypatch.setenv("TOOLMEM_PROJECT", "alpha")
    found = trace.read(opened(tmp_path))
    assert [one.line.project for one in found] == ["alpha", ""]


_OLD_WORKING = """
    CREATE TABLE working (
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        name TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL,
        UNIQUE (agent, session, name)
    )
"""


def test_values_that_an_older_toolmem_stored_keep_their_project(tmp_path):
    vault = opened(tmp_path)
    working.put(vault, value("plan", "old", project="beta"))
    note(vault, project="beta")
    conversation.add(vault, message(1, project="beta"))
    before = (
        working.values(vault),
        scratch.entries(vault),
        conversation.messages(vault),
    )
    columns = "number, agent, session, name, at, expires_at, document"
    old = sqlite3.connect(tmp_path / ".toolmem/state.db")
    with old:
        old.execute("ALTER TABLE working RENAME TO new_working")
        old.execute(_OLD_WORKING)
        old.execute(f"INSERT INTO working SELECT {columns} FROM new_working")
        old.execute("INSERT INTO working VALUES (9, '', '', 'x', '', '', 'no JSON')")
        old.execute("DROP TABLE new_working")
        for table in ("scratch", "conversation", "turns", "trace"):
            old.execute(f"ALTER TABLE {table} DROP COLUMN project")
        old.execute("ALTER TABLE trace DROP COLUMN rule")
        for table in ("outcomes", "steps", "undo_steps"):
            old.execute(f"DROP TABLE {table}")
        version = next(n for n, step in enumerate(STEPS) if "scratch ADD" in step)
        old.execute(f"PRAGMA user_version = {version}")
    old.close()
    after = (
        working.values(vault),
        scratch.entries(vault),
        conversation.messages(vault),
    )
    assert after == before
    with open_state(tmp_path) as state:
        rows = state.execute("SELECT project FROM working ORDER BY number")
        assert [row[0] for row in rows] == ["beta", ""]


def test_blocks_of_sessions_of_long_ago_are_deleted(tmp_path):
    opened(tmp_path)
    with open_state(tmp_path) as state:
        stored_snapshot(state, "old", "", "{}", NOW - timedelta(days=91))
        stored_snapshot(state, "new", "", "{}", NOW)
        turn_log.forget_sessions(state, NOW, 90)
        rows = state.execute("SELECT session FROM frozen").fetchall()
    assert rows == [("new",)]
