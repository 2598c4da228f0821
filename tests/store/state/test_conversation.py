"""Conversation memory: kept in order, once, apart by agent, bounded and forgotten."""

from datetime import timedelta

import pytest

from tests.store.state.pages import NOW, message, opened
from tests.store.state.test_working import typed
from toolmem.core import limits
from toolmem.core.access.kinds import CONVERSATION
from toolmem.ops.access.kept_items import kept_items
from toolmem.store.state import conversation, retention
from toolmem.store.state.database import open_state

_DAY = timedelta(days=1)


@pytest.fixture
def vault(tmp_path):
    return opened(tmp_path)


def said(vault, *messages, more=False):
    with open_state(vault.root) as state:
        conversation.add_in(state, messages, vault.now, more=more)


def texts(found):
    return [each.content for each in found]


def test_messages_are_listed_in_the_order_in_which_they_were_said(vault):
    said(vault, message(2), message(0), message(1))
    wanted = ["message 0", "message 1", "message 2"]
    assert texts(conversation.messages(vault)) == wanted
    assert texts(conversation.messages(vault, last=2)) == wanted[1:]
    found = kept_items(vault._replace(now=NOW), CONVERSATION, agent="a")
    assert texts(found) == wanted[::-1]


def test_a_turn_that_is_read_again_is_kept_once(vault):
    for _ in range(2):
        said(vault, message(0), message(0, role="assistant", content="answer"))
    said(vault, message(0, role="assistant", content="a longer answer"))
    assert texts(conversation.messages(vault)) == ["message 0", "a longer answer"]


def test_a_turn_that_goes_on_is_added_to(vault):
    for text in ("done", "more", "more"):
        said(vault, message(0, role="assistant", content=text), more=True)
    assert texts(conversation.messages(vault)) == ["done\n\nmore"]


def test_messages_without_a_place_are_kept_each(vault):
    for number in range(3):
        made = message(number, turn=None, at=NOW)
        conversation.add(vault, made)
    assert len(conversation.messages(vault)) == 3


def test_agents_and_sessions_are_kept_apart(vault):
    said(vault, message(0), message(0, session="t"), message(0, session="u", agent="b"))
    assert len(conversation.messages(vault, agent="a")) == 2
    assert len(conversation.messages(vault, session="t")) == 1
    assert conversation.messages(vault, agent="a", session="u") == ()
    for agent, count in (("a", 2), ("b", 1), ("", 0)):
        assert (
            len(kept_items(vault._replace(now=NOW), CONVERSATION, agent=agent)) == count
        )


def test_what_was_said_is_forgotten_after_a_month(tmp_path):
    said(opened(tmp_path), message(0))
    seen = [
        len(
            kept_items(
                opened(tmp_path)._replace(now=NOW + days * _DAY),
                CONVERSATION,
                agent="a",
            )
        )
        for days in (0, 29, 30)
    ]
    assert seen == [1, 1, 0]
    late = opened(tmp_path, days=30)
    said(late, message(1, at=late.now))
    with open_state(tmp_path) as state:
        assert state.execute("SELECT count(*) FROM conversation").fetchone() == (1,)


def test_of_too_many_messages_the_oldest_go_whoever_kept_them_last(vault, monkeypatch):
    monkeypatch.setattr(limits, "CONVERSATION_MESSAGES", 3)
    said(
        vault,
        *(message(number) for number in (5, 6, 7)),
        message(0, agent="b", session="t"),
    )
    said(vault, message(1))
    found = conversation.messages(vault, agent="a")
    assert texts(found) == ["message 5", "message 6", "message 7"]
    assert len(conversation.messages(vault)) == 4


def test_clearing_takes_a_session_or_all_of_an_agent(vault):
    said(vault, message(0), message(1), message(0, session="t"))
    said(vault, message(0, session="u", agent="b"))
    assert retention.forget_dialogue(vault, session="t") == 1
    assert retention.forget_dialogue(vault, agent="a") == 2
    assert retention.forget_dialogue(vault, agent="a") == 0
    assert len(conversation.messages(vault)) == 1


def test_messages_of_another_project_are_left_out(vault):
    for number, project in enumerate(("", "wine", "travel")):
        said(vault, message(number, project=project))
    found = kept_items(vault._replace(now=NOW), CONVERSATION, agent="a", project="wine")
    assert texts(found) == ["message 1", "message 0"]


def test_a_query_finds_a_message_by_who_said_it(vault):
    said(vault, message(0, content="my budget is 50", source="user"))
    [item] = kept_items(vault._replace(now=NOW), CONVERSATION, agent="a")
    assert item._asdict() == {
        "id": "s/0/user",
        "type": "user_message",
        "content": "my budget is 50",
        "source": "user",
        "timestamp": NOW,
        "importance": 0.5,
        "tags": (),
        "metadata": {"role": "user", "confidence": 0.5, "session": "s", "turn": 0},
        "agent": "a",
        "private": False,
        "status": "",
    }


def test_what_is_typed_in_a_turn_that_goes_on_comes_last_and_once(vault):
    said(vault, message(0))
    typed(vault, "message 0")
    typed(vault, "and now", at=NOW + timedelta(seconds=9))
    typed(vault, "to another", agent="b", session="t")
    found = conversation.messages(vault, agent="a")
    assert texts(found) == ["message 0", "and now"]
    assert texts(conversation.messages(vault, agent="a", last=1)) == ["and now"]
    assert texts(kept_items(vault._replace(now=NOW), CONVERSATION, agent="b")) == [
        "to another"
    ]


def test_reading_makes_no_local_state(vault):
    assert conversation.messages(vault) == ()
    assert kept_items(vault._replace(now=NOW), CONVERSATION, agent="a") == []
    assert retention.forget_dialogue(vault) == 0
    assert not vault.root.joinpath(".toolmem").exists()
