"""Working memory: set again, expired, apart by agent and session, and bounded."""

from datetime import timedelta

import pytest

from tests.store.state.pages import NOW, opened, value
from toolmem.core import limits
from toolmem.core.access.kinds import WORKING
from toolmem.ops.access.kept_items import kept_items
from toolmem.store.journal import journal
from toolmem.store.state import working
from toolmem.store.state.database import open_state


@pytest.fixture
def vault(tmp_path):
    return opened(tmp_path)


def names(found):
    return [(each.session, each.name, each.content) for each in found]


def test_a_value_takes_the_place_of_the_one_of_its_name(vault):
    working.put(vault, value("goal", "fly", agent="a"))
    working.put(vault, value("step", "book", agent="a"))
    working.put(vault, value("goal", "walk", agent="a"))
    found = working.values(vault)
    assert names(found) == [("", "goal", "walk"), ("", "step", "book")]


def test_agents_and_sessions_have_values_of_their_own(vault):
    for agent, session in (("a", ""), ("a", "s"), ("b", "s"), ("", "")):
        working.put(
            vault, value("goal", f"{agent}/{session}", agent=agent, session=session)
        )
    assert names(working.values(vault, agent="a")) == [
        ("s", "goal", "a/s"),
        ("", "goal", "a/"),
    ]
    assert names(working.values(vault, session="s")) == [
        ("s", "goal", "b/s"),
        ("s", "goal", "a/s"),
    ]
    for agent, count in (("a", 2), ("b", 1), ("", 1), ("c", 0)):
        assert len(kept_items(vault._replace(now=NOW), WORKING, agent=agent)) == count


def test_a_value_is_gone_when_its_time_is_over(tmp_path):
    working.put(opened(tmp_path), value("goal", agent="a"))
    seen = [
        len(
            kept_items(
                opened(tmp_path)._replace(now=NOW + timedelta(seconds=s)),
                WORKING,
                agent="a",
            )
        )
        for s in (0, 86_399, 86_400)
    ]
    assert seen == [1, 1, 0]
    assert working.values(opened(tmp_path, days=1)) == ()


def test_of_too_many_values_the_oldest_go_and_are_told(vault, monkeypatch):
    monkeypatch.setattr(limits, "WORKING_VALUES", 3)
    gone = [working.put(vault, value(str(n), agent="a")) for n in range(4)]
    assert [[each.name for each in dropped] for dropped in gone] == [[], [], [], ["0"]]
    assert working.put(vault, value("1", "again", agent="a")) == ()
    working.put(vault, value("4", agent="a"))
    working.put(vault, value("x", agent="b"))
    found = working.values(vault, agent="a")
    assert [each.name for each in found] == ["4", "1", "3"]


def test_what_a_session_had_in_mind_ends_with_it(vault):
    for session in ("s", "t", ""):
        working.put(vault, value("task", session=session))
    with open_state(vault.root) as state:
        working.forget_session(state, "s")
    assert [each.session for each in working.values(vault)] == ["", "t"]


def test_clearing_takes_what_is_named_and_nothing_of_others(vault):
    for agent, name in (("a", "x"), ("a", "y"), ("b", "x")):
        working.put(vault, value(name, agent=agent))
    assert working.clear(vault, ["x", "z"], agent="a") == 1
    assert working.clear(vault, ["z"]) == 0
    assert names(working.values(vault)) == [("", "x", "x"), ("", "y", "x")]
    assert working.clear(vault) == 2


def test_values_of_another_project_are_left_out(vault):
    for project in ("", "wine", "travel"):
        working.put(vault, value(project or "none", project=project, agent="a"))
    found = kept_items(vault._replace(now=NOW), WORKING, agent="a", project="wine")
    assert [item.id for item in found] == ["wine", "none"]


def test_a_query_finds_a_value_with_its_confidence_as_its_importance(vault):
    made = value(
        "goal", "fly", agent="a", session="s", confidence=0.9, tags=("t",), type="goal"
    )
    working.put(vault, made)
    [item] = kept_items(vault._replace(now=NOW), WORKING, agent="a")
    assert item._asdict() == {
        "id": "s/goal",
        "type": "goal",
        "content": "fly",
        "source": "",
        "timestamp": NOW,
        "importance": 0.9,
        "tags": ("t",),
        "metadata": {
            "name": "goal",
            "confidence": 0.9,
            "expires_at": "2026-04-21T12:00:00Z",
            "session": "s",
        },
        "agent": "a",
        "private": False,
        "status": "",
    }


def test_reading_makes_no_local_state(vault):
    assert working.values(vault) == ()
    assert kept_items(vault._replace(now=NOW), WORKING, agent="a") == []
    assert working.clear(vault) == 0
    assert not vault.root.joinpath(".toolmem").exists()


def typed(vault, text, at=NOW, session="s", agent="a"):
    mark = f"0:{len(text)}:{session}@{int(at.timestamp()) * 10**9:x}"
    line = {"session": session, "prompt": mark, "said": text, "agent": agent}
    journal.append(vault.root, journal.name_of(session), line)


def test_what_was_asked_in_a_turn_that_goes_on_is_in_mind(vault):
    working.put(vault, value("task", "old", agent="a", session="s"))
    working.put(vault, value("turn", "did", agent="a", session="s"))
    typed(vault, "first")
    typed(vault, "now", at=NOW + timedelta(seconds=5))
    typed(vault, "elsewhere", session="t", agent="b")
    assert names(working.values(vault, agent="a")) == [
        ("s", "task", "now"),
        ("s", "turn", "did"),
    ]
    [item] = kept_items(vault._replace(now=NOW), WORKING, agent="b")
    assert (item.id, item.type, item.content) == ("t/task", "goal", "elsewhere")


def test_lines_in_a_journal_that_say_nothing_are_passed_over(vault):
    name = journal.name_of("s")
    for line in (
        {"session": "s", "said": 5},
        {"session": "s", "said": ""},
        {"session": None, "said": "x"},
        {"session": "s", "call": {"said": "x"}},
    ):
        journal.append(vault.root, name, line)
    place = vault.root / ".toolmem/sessions" / f"{name}.jsonl"
    place.write_bytes(place.read_bytes() + b'{"said": "cut off')
    assert working.values(vault) == ()


def test_no_two_values_have_the_same_id(vault):
    for session, name in (("", "s/goal"), ("s", "goal"), ("s/t", "x"), ("s", "t/x")):
        working.put(vault, value(name, session=session, agent="a"))
    ids = {item.id for item in kept_items(vault._replace(now=NOW), WORKING, agent="a")}
    assert ids == {"s%2Fgoal", "s/goal", "s%2Ft/x", "s/t%2Fx"}
