"""Scratch pages: full, expired, apart from each other, and written by several."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.program import ROOT
from tests.store.state.pages import NOW, note, opened
from toolmem.core import limits
from toolmem.core.access.kinds import SCRATCH_PAGE
from toolmem.core.access.scratch_page import ScratchEntry, edited, read_entry
from toolmem.errors import NotFoundError, ScratchFullError, StorageError, UsageError
from toolmem.ops.access.kept_items import kept_items
from toolmem.store.state import database as state
from toolmem.store.state import scratch, trace


@pytest.fixture
def vault(tmp_path):
    return opened(tmp_path)


def move(vault, entry, status):
    return scratch.change(
        vault, entry.id, lambda held: edited(held, {"status": status}, vault.now)[0]
    )


def contents(entries):
    return [entry.content for entry in entries]


def test_an_entry_is_kept_as_it_was_made(vault):
    made = note(vault, content="漢\n👩‍👩‍👧", tags=["t"], metadata={"a": [1, None, 0.5]})
    assert scratch.find(vault, made.id) == made
    assert scratch.entries(vault) == (made,)
    assert made.created_at == made.updated_at == vault.now


def test_the_newest_comes_first(vault):
    for number in range(5):
        note(vault, content=str(number))
    assert contents(scratch.entries(vault)) == ["4", "3", "2", "1", "0"]
    items = kept_items(vault, SCRATCH_PAGE, agent="a")
    assert [item.content for item in items] == ["4", "3", "2", "1", "0"]


def test_a_page_belongs_to_one_agent(vault):
    mine, other, nobody = note(vault, "a"), note(vault, "b"), note(vault, "")
    assert scratch.entries(vault, agent="a") == (mine,)
    assert scratch.entries(vault, agent="") == (nobody,)
    assert scratch.find(vault, other.id, agent="a") is None
    for agent, owner in (("a", mine), ("b", other), ("", nobody), ("c", None)):
        found = kept_items(vault, SCRATCH_PAGE, agent=agent)
        assert [item.id for item in found] == ([owner.id] if owner else [])
    with pytest.raises(NotFoundError):
        scratch.change(vault, other.id, lambda held: held, agent="a")
    with pytest.raises(NotFoundError):
        scratch.clear(vault, [move(vault, other, "resolved").id], agent="a")
    assert scratch.clear(vault, agent="a") == ()


def test_a_query_finds_what_is_active_or_what_it_asks_for(vault):
    held = {status: note(vault, status=status) for status in scratch_statuses()}
    for asked, entry in held.items():
        found = kept_items(vault, SCRATCH_PAGE, agent="a", status=asked)
        assert [item.id for item in found] == [entry.id]
    usual = kept_items(vault, SCRATCH_PAGE, agent="a")
    assert [item.status for item in usual] == ["active"]


def scratch_statuses():
    return ("active", "pending_review", "resolved", "archived")


def test_entries_of_another_project_are_left_out(vault):
    for project in ("", "wine", "travel"):
        note(vault, project=project, content=f"of {project or 'none'}")
    for project, wanted in (
        ("wine", ["of wine", "of none"]),
        ("", ["of travel", "of wine", "of none"]),
    ):
        found = kept_items(vault, SCRATCH_PAGE, agent="a", project=project)
        assert [item.content for item in found] == wanted


def test_the_hundred_and_first_active_entry_is_refused(vault):
    first = [note(vault, content=str(number)) for number in range(100)]
    with pytest.raises(ScratchFullError) as error:
        note(vault)
    assert str(error.value) == (
        "the scratch page has 100 active entries, the maximum: resolve or "
        "archive some (`scratch.list`)"
    )
    assert (error.value.code, error.value.exit_code) == ("scratch_full", 16)
    assert len(scratch.entries(vault)) == 100
    note(vault, "b")
    note(vault, status="pending_review")
    move(vault, first[0], "resolved")
    note(vault)
    with pytest.raises(ScratchFullError):
        note(vault)


def test_what_has_expired_makes_room(tmp_path):
    vault = opened(tmp_path)
    for _ in range(100):
        note(vault, ttl_minutes=1)
    with pytest.raises(ScratchFullError):
        note(opened(tmp_path, seconds=59))
    note(opened(tmp_path, seconds=60))
    assert len(scratch.entries(opened(tmp_path, seconds=60))) == 1


@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.soak)])
def test_hundreds_of_entries_are_all_listed(vault, count):
    made = [note(vault, f"agent-{number // 100}") for number in range(count)]
    assert {entry.id for entry in scratch.entries(vault)} == {e.id for e in made}


def test_of_too_many_closed_entries_the_oldest_go(vault, monkeypatch):
    monkeypatch.setattr(limits, "SCRATCH_CLOSED", 3)
    for number in range(5):
        note(vault, status="resolved", content=str(number))
    note(vault, content="open")
    assert contents(scratch.entries(vault)) == ["open", "4", "3", "2"]


def test_what_has_expired_is_gone_and_the_trace_says_so(tmp_path):
    vault = opened(tmp_path)
    gone = note(vault, ttl_minutes=1)
    kept = note(vault, ttl_days=8)
    late = opened(tmp_path, seconds=61)
    assert scratch.find(opened(tmp_path, seconds=30), gone.id) == gone
    assert scratch.find(late, gone.id) is None
    assert kept_items(late, SCRATCH_PAGE, agent="a")[0].id == kept.id
    with pytest.raises(NotFoundError):
        move(late, gone, "resolved")
    note(late)
    [told] = [each.line for each in trace.read(late)]
    assert told[1:9] == (
        *("", "", "", "a"),
        *("write", "scratch_page", "expired", gone.id),
    )


def test_an_entry_that_lives_for_no_time_is_never_seen(vault):
    gone = note(vault, ttl_minutes=0)
    assert scratch.find(vault, gone.id) is None
    assert scratch.entries(vault) == ()


def test_time_archives_what_is_resolved_and_forgets_it(tmp_path):
    made = note(opened(tmp_path))
    move(opened(tmp_path), made, "resolved")
    seen = []
    for days in (6, 7, 96, 97):
        vault = opened(tmp_path, days=days)
        found = scratch.find(vault, made.id)
        seen.append(found.status if found else None)
    assert seen == ["resolved", "archived", "archived", None]
    vault = opened(tmp_path, days=7)
    items = [
        kept_items(vault, SCRATCH_PAGE, agent="a", status=status)
        for status in ("resolved", "archived")
    ]
    assert [len(found) for found in items] == [0, 1]
    with pytest.raises(UsageError):
        move(vault, made, "resolved")
    assert scratch.clear(vault)[0].id == made.id


def test_clearing_takes_all_that_are_named_or_none(vault):
    one, two = (note(vault, status="resolved") for _ in range(2))
    active = note(vault)
    with pytest.raises(UsageError) as error:
        scratch.clear(vault, [one.id, active.id, two.id])
    assert str(error.value) == (
        f"{active.id} is active: only resolved or archived entries can be cleared; "
        "nothing was removed"
    )
    with pytest.raises(NotFoundError):
        scratch.clear(vault, [one.id, "nonexistent"])
    assert len(scratch.entries(vault)) == 3
    assert {e.id for e in scratch.clear(vault, [one.id, two.id, one.id])} == {
        one.id,
        two.id,
    }
    assert scratch.entries(vault) == (active,)
    assert scratch.clear(vault) == ()


def test_an_entry_is_found_by_the_beginning_of_its_id(vault):
    first = scratch.add(vault, read(), agent="a", entry_id="01AAAA")
    scratch.add(vault, read(), agent="a", entry_id="01AABB")
    assert scratch.find(vault, "01aaaa") == first
    assert scratch.find(vault, "01AAA") == first
    assert scratch.find(vault, "") is None
    assert scratch.find(vault, "02") is None
    with pytest.raises(UsageError) as error:
        scratch.find(vault, "01AA")
    assert str(error.value) == "'01AA' is a prefix of several ids: 01AAAA, 01AABB"


def read():
    return read_entry({"content": "x"}, NOW, source="me")[0]


def test_reading_makes_no_local_state(vault):
    assert scratch.entries(vault) == ()
    assert kept_items(vault, SCRATCH_PAGE, agent="a") == []
    assert scratch.find(vault, "01") is None
    assert scratch.clear(vault) == ()
    for act in (
        lambda: scratch.clear(vault, ["01"]),
        lambda: scratch.change(vault, "01", lambda held: held),
    ):
        with pytest.raises(NotFoundError):
            act()
    assert not vault.root.joinpath(".toolmem").exists()


def test_a_change_that_is_refused_changes_nothing(vault):
    held = note(vault)

    def fail(_: ScratchEntry) -> ScratchEntry:
        raise UsageError("no")

    with pytest.raises(UsageError):
        scratch.change(vault, held.id, fail)
    assert scratch.entries(vault) == (held,)


def test_threads_that_add_and_change_lose_nothing(vault):
    first = note(vault, "b")

    def work(number: int) -> None:
        note(vault, content=str(number))
        scratch.change(
            vault, first.id, lambda held: held._replace(confidence=number / 100)
        )

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40)))
    found = scratch.entries(vault, agent="a")
    assert sorted(contents(found), key=int) == [str(n) for n in range(40)]
    assert len({entry.id for entry in found}) == 40
    assert scratch.entries(vault, agent="b")[0].confidence in {
        number / 100 for number in range(40)
    }


_ADDER = """
import sys
from pathlib import Path
from tests.store.state.pages import NOW, note, opened
from toolmem.errors import ScratchFullError
vault = opened(Path(sys.argv[1]))
for number in range(30):
    try:
        note(vault, content=f"{sys.argv[2]}-{number}")
    except ScratchFullError:
        sys.stdout.write("full ")
"""


def test_processes_that_add_at_once_never_put_too_many_on_a_page(tmp_path):
    opened(tmp_path)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _ADDER, str(tmp_path), str(number)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    said = [worker.communicate() for worker in workers]
    assert [errors for _, errors in said] == [""] * 4
    refused = sum(out.count("full") for out, _ in said)
    found = scratch.entries(opened(tmp_path))
    assert (len(found), refused) == (100, 20)
    assert len({entry.id for entry in found}) == 100


def test_state_of_an_older_toolmem_gets_its_pages(tmp_path):
    vault = opened(tmp_path)
    with state.open_state(tmp_path) as held:
        held.execute("INSERT INTO rejected VALUES ('r', 'now')")
    held = sqlite3.connect(tmp_path / ".toolmem/state.db")
    with held:
        new = ("scratch", "working", "conversation", "trace", "retrievals", "notes")
        newer = ("candidates", "failures", "outcomes", "steps", "undo_steps")
        for table in (*new, *newer):
            held.execute(f"DROP TABLE {table}")
        held.execute("ALTER TABLE turns DROP COLUMN project")
        held.execute("PRAGMA user_version = 8")
    held.close()
    made = note(vault)
    assert scratch.entries(vault) == (made,)
    with state.open_state(tmp_path) as held:
        assert held.execute("SELECT id FROM rejected").fetchall() == [("r",)]


def test_state_that_cannot_be_used_is_told_and_nothing_is_lost(tmp_path):
    vault = opened(tmp_path)
    note(vault)
    held = sqlite3.connect(tmp_path / ".toolmem/state.db")
    held.execute("PRAGMA user_version = 99")
    held.close()
    for act in (
        lambda: note(vault),
        lambda: scratch.entries(vault),
        lambda: kept_items(vault, SCRATCH_PAGE, agent="a"),
    ):
        with pytest.raises(StorageError, match="written by a newer toolmem"):
            act()


def test_damaged_state_is_moved_aside_and_begun_anew(tmp_path):
    vault = opened(tmp_path)
    note(vault)
    path = tmp_path / ".toolmem/state.db"
    path.write_bytes(b"no database" * 100)
    for rest in ("-wal", "-shm"):
        Path(f"{path}{rest}").unlink(missing_ok=True)
    assert scratch.entries(vault) == ()
    assert path.with_name("state.db.corrupt-1").exists()
    assert scratch.entries(vault) == ()
    made = note(vault)
    assert scratch.entries(vault) == (made,)
