"""Search as a whole, over documents in memory."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.search.library import NOW, doc, docs, request, requests, views
from tests.examples import examples
from toolmem.core import search_limits
from toolmem.core.search.corpus import CandidateSet, View
from toolmem.core.search.find import find
from toolmem.core.search.scan import Scan
from toolmem.core.search.scores import Scorer, Terms

EVERYTHING = View(NOW)


def ids(found):
    return [hit.doc.id for hit in found.hits]


def search(documents, text, view=EVERYTHING, **changes):
    return find(Scan(documents, view), request(text, **changes))


def bodies(*texts):
    return tuple(doc(number, body=text) for number, text in enumerate(texts))


class Reluctant(Scan):
    """Proposes the worst first, and only ``step`` more with each request."""

    step = 1

    def __init__(self, documents, view):
        super().__init__(documents, view)
        self.asked = 0

    def propose(self, weights, count, *, places=None, topic=None, **options):
        del options
        self.asked += 1
        every = super().propose(weights, count, places=places, topic=topic).candidates
        scorer = Scorer(Terms(weights), self.totals())
        ranked = sorted(every, key=scorer.bm25)
        shown = ranked[: self.asked * self.step]
        held = ranked[len(shown) :]
        return CandidateSet(tuple(shown), scorer.bm25(held[-1]) if held else 0.0)


class Ranked(Scan):
    """Proposes the best first, with an exact bound on the others, and counts them."""

    def __init__(self, documents, view):
        super().__init__(documents, view)
        self.proposed = 0

    def propose(self, weights, count, *, floor=0.0, places=None, topic=None, **options):
        del options
        every = super().propose(weights, count, places=places, topic=topic).candidates
        scorer = Scorer(Terms(weights), self.totals())
        scored = [(scorer.bm25(candidate), candidate) for candidate in every]
        scored.sort(key=lambda pair: -pair[0])
        shown = [one for score, one in scored[:count] if score >= floor]
        self.proposed += len(shown)
        left = scored[len(shown) :]
        return CandidateSet(tuple(shown), left[0][0] if left else 0.0)


@examples(200)
@given(docs(), views, requests)
def test_what_is_below_the_floor_is_not_needed(documents, view, asked):
    assert find(Ranked(documents, view), asked) == find(Scan(documents, view), asked)


def test_few_documents_are_read_where_many_have_the_word():
    library = tuple(
        doc(number, body=f"token {'word ' * (number % 97)}", scope="project:p")
        for number in range(1_000)
    )
    corpus = Ranked(library, EVERYTHING)
    assert len(find(corpus, request("token")).hits) == 10
    assert corpus.proposed < 2 * search_limits.CANDIDATES


@examples(200)
@given(docs(), views, requests)
def test_the_answer_does_not_depend_on_what_is_proposed_first(documents, view, asked):
    assert find(Reluctant(documents, view), asked) == find(Scan(documents, view), asked)


@examples(200)
@given(docs(), views, requests)
def test_documents_that_are_not_seen_change_nothing(documents, view, asked):
    seen = tuple(one for one in documents if view.shows(one))
    assert find(Scan(documents, view), asked) == find(Scan(seen, view), asked)


@examples(100)
@given(docs(), views, requests, st.randoms())
def test_the_order_of_documents_changes_nothing(documents, view, asked, random):
    shuffled = random.sample(documents, len(documents))
    assert find(Scan(shuffled, view), asked) == find(Scan(documents, view), asked)


@examples(100)
@given(docs(), views, requests)
def test_scores_lie_between_zero_and_one_and_all_hits_are_seen(documents, view, asked):
    found = find(Scan(documents, view), asked._replace(heaviest=1.2))
    for hit in found.hits:
        assert view.shows(hit.doc)
        assert 0 < hit.score <= hit.relevance <= 1
    assert len(found.hits) <= asked.limit


def test_one_common_word_is_enough_and_more_are_better():
    library = bodies("refresh the token", "refresh", "token of thanks", "nothing")
    assert ids(search(library, "how do I refresh a token?")) == ["m00", "m01", "m02"]


def test_a_moderate_hit_of_the_project_beats_a_good_one_of_the_system():
    library = (
        doc(0, body="token token token"),
        doc(1, scope="project:p", body="token among other words that say little"),
    )
    assert ids(search(library, "token")) == ["m01", "m00"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("mech_fighters handles input", "mech fighters"),
        ("call parseQuery first", "parse query"),
        ("see src/app/a_b.py", "src/app/a_b.py"),
        ("部署到主分支需要审核", "主分支"),
        ("トークンの更新", "トークン"),
        ("토큰을 갱신한다", "토큰"),
        ("the painter paints", "painting"),
        ("a café in Zürich", "cafe zurich"),
        ("kubernetes upgrades", "kuberentes"),
    ],
)
def test_it_is_found(text, query):
    assert ids(search(bodies("something else", text), query)) == ["m01"]


def test_a_misspelt_word_is_said_and_exact_hits_stay_on_top():
    library = bodies("tokens expire", "token refresh", "refresh daily")
    found = search(library, "tokne refresh")
    assert found.corrections == {"tokne": ("token",)}
    assert ids(found) == ["m01", "m02", "m00"]
    assert search(library, "token").corrections == {}


def test_what_reads_the_same_is_one_hit_from_the_narrowest_scope():
    library = (
        doc(0, body="use uv"),
        doc(1, body="use uv", scope="project:p"),
        doc(2, body="use uv", kind="rule"),
    )
    assert ids(search(library, "uv")) == ["m01", "m02"]


def test_a_topic_keeps_untagged_memories_in():
    library = (
        *(doc(n, body="token", title=str(n), topic="git") for n in range(2)),
        doc(2, body="token here", topic=""),
        doc(3, body="token there", topic="database"),
    )
    found = search(library, "token", topic="git")
    assert (sorted(ids(found)), found.topic_fallback) == (["m00", "m01", "m02"], False)


def test_with_fewer_than_three_on_the_topic_all_topics_are_searched():
    library = tuple(doc(n, body="token", title=str(n), topic="git") for n in range(2))
    library += (doc(2, body="token here", topic="database"),)
    found = search(library, "token", topic="git")
    assert (sorted(ids(found)), found.topic_fallback) == (["m00", "m01", "m02"], True)


def test_a_condition_is_looked_for_further_down():
    library = bodies(*("token " * (number + 1) for number in range(30)))
    asked = request("token", where=lambda one: one.id in ("m00", "m29"))
    assert sorted(ids(find(Reluctant(library, EVERYTHING), asked))) == ["m00", "m29"]


def test_each_hit_has_a_line_and_its_parts_add_up():
    (hit,) = search(bodies("First line.\nThe token is here."), "token").hits
    assert hit.snippet == "The token is here."
    assert sum(hit.parts.values()) == pytest.approx(hit.relevance)


@pytest.mark.parametrize("text", ["", "???", "nothing of the kind"])
def test_nothing_is_found_without_a_fuss(text):
    assert search(bodies("token"), text).hits == ()
    assert search((), text).hits == ()


def test_a_document_is_gone_at_the_moment_that_it_expires():
    view = View(NOW)
    later = NOW + timedelta(microseconds=1)
    assert view.shows(doc(1, expires_at=later))
    assert not view.shows(doc(1, expires_at=NOW))


def test_of_very_many_unknown_words_some_are_corrected():
    """Each is compared with all words of the vault that begin so."""

    class Counted(Scan):
        read = 0

        def beginning(self, prefix):
            self.read += 1
            return super().beginning(prefix)

    most = search_limits.REPAIR_UNKNOWN
    letters = "bcdfghjklmnpqrstvwxz"
    known = [f"wordo{a * 9}" for a in letters]
    wrong = [f"wodro{a * 8}" for a in letters]
    corpus = Counted(bodies(*known), EVERYTHING)
    found = find(corpus, request(" ".join(wrong), limit=100))
    assert len(wrong) > most
    assert [*found.corrections] == wrong[:most]
    assert corpus.read == 2  # by the first letters, and by the first
