"""Terms of the first hits order the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.search.library import NOW, doc, docs, request, requests, views
from tests.core.search.test_find import Reluctant, bodies, ids, search
from tests.examples import examples
from toolmem.core import search_limits
from toolmem.core.search.corpus import View
from toolmem.core.search.find import find
from toolmem.core.search.scan import Scan


def test_a_hit_that_shares_the_words_of_the_best_one_comes_before_its_equals():
    library = bodies(
        "rebase rebase onto upstream before review",
        "rebase rebase in upstream after review",
        "rebase rebase review from upstream",
        "rebase some other thing over lunch",
        "rebase with upstream before review",
    )
    found = search(library, "rebase")
    assert ids(found)[-1] == "m03"
    assert {"upstream", "review"} < set(found.feedback)


def test_a_document_without_a_word_of_the_question_is_no_hit():
    library = bodies("rebase onto upstream", "merge the upstream")
    assert ids(search(library, "rebase")) == ["m00"]


def test_words_that_say_nothing_are_not_added():
    library = bodies("rebase it when you have the time", "nothing else")
    assert search(library, "rebase").feedback == ("time",)


def test_a_word_too_long_to_be_typed_is_not_added():
    library = bodies("rebase " + "x" * 41, "other")
    assert search(library, "rebase").feedback == ()


def test_a_character_of_a_word_without_spaces_is_not_added():
    library = bodies("rebase 接続の上限", "other")
    added = search(library, "rebase").feedback
    assert set(added) == {"接続", "続の", "の上", "上限"}


def test_no_more_terms_are_added_than_allowed():
    library = bodies("rebase " + " ".join(f"word{n}" for n in range(50)), "other")
    assert len(search(library, "rebase").feedback) == search_limits.FEEDBACK_TERMS


@pytest.fixture
def small_pool(monkeypatch):
    """A pool that a few documents overflow."""
    monkeypatch.setattr(search_limits, "POOL", 3)
    monkeypatch.setattr(search_limits, "CANDIDATES", 4)


@examples(150)
@given(docs(), views, requests, st.integers(5, 9))
def test_the_limit_does_not_change_the_order_of_the_first_hits(
    documents, view, asked, limit
):
    every = find(Scan(documents, view), asked._replace(limit=20)).hits
    first = find(Scan(documents, view), asked._replace(limit=limit)).hits
    assert first == every[:limit]


@pytest.mark.usefixtures("small_pool")
def test_hits_beyond_the_pool_come_after_it_whatever_the_limit():
    library = bodies(*("token " * (9 - n) + "other " * n for n in range(9)))
    every = ids(search(library, "token", limit=9))
    assert every == [f"m{n:02}" for n in range(9)]
    for limit in range(1, 9):
        assert ids(search(library, "token", limit=limit)) == every[:limit]
        reluctant = Reluctant(library, View(NOW))
        assert ids(find(reluctant, request("token", limit=limit))) == every[:limit]


@pytest.mark.usefixtures("small_pool")
def test_a_document_of_the_narrowest_scope_beyond_the_pool_is_still_a_hit():
    library = (
        *(doc(n, body="token " * (8 - n)) for n in range(6)),
        doc(9, body="token " + "word " * 9, scope="project:p"),
    )
    asked = request("token", limit=9)
    assert "m09" in ids(find(Reluctant(library, View(NOW)), asked))[:4]
