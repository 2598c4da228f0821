"""How words and meaning are weighed against each other."""

import pytest

from tests.core.search.test_find import bodies, ids, search
from toolmem.core import search_limits
from toolmem.core.search.meaning.similarity import WORDS_ONLY, Scale, SimilarWord

TEXTS = (
    "the kiln is in the yard",
    "pots are fired overnight at high heat",
    "lunch is at noon",
)
COSINES = {"m01": 0.6}
LONG = "how long does earthenware take in a kiln until glazes melt evenly"


class Table:
    """Cosines that are written down."""

    def __init__(
        self,
        coverage: float,
        feedback: float = 0.15,
        similar: tuple[SimilarWord, ...] = (),
        floor: float = 0.25,
    ) -> None:
        self.scale = Scale(0.9, coverage, feedback, floor)
        self.similar = similar

    def cosines(self, candidates):
        return [COSINES.get(candidate.doc.id, 0.0) for candidate in candidates]

    def similar_words(self):
        return self.similar

    def candidates(self, corpus, fits):
        return [one for one in corpus.newest(9) if fits(one.doc)]


@pytest.mark.parametrize(("coverage", "first"), [(0.0, "m00"), (0.7, "m01")])
def test_a_document_with_few_words_of_the_question_gives_way_to_meaning(
    coverage, first
):
    found = search(bodies(*TEXTS), LONG, similarity=Table(coverage))
    assert ids(found)[0] == first


@pytest.mark.parametrize("coverage", [0.0, 0.7])
def test_one_with_all_of_them_does_not(coverage):
    found = search(bodies(*TEXTS), "kiln yard", similarity=Table(coverage))
    assert ids(found)[0] == "m00"


@pytest.mark.parametrize("similar", [(), (SimilarWord("stove", "pots", 0.6),)])
def test_a_document_without_a_word_of_the_question_has_the_least_cosine(similar):
    for floor, hits in ((0.6, ["m01"]), (0.61, [])):
        table = Table(0.0, similar=similar, floor=floor)
        assert ids(search(bodies(*TEXTS), "stove oven", similarity=table)) == hits


def test_the_parts_of_a_score_add_up():
    found = search(bodies(*TEXTS), LONG, similarity=Table(0.7))
    assert found.hits[0].relevance == 1.0
    for hit in found.hits:
        total = sum(hit.parts.values()) + hit.meaning
        assert total == pytest.approx(hit.relevance)


def test_terms_of_the_first_hits_have_the_weight_of_the_scale():
    library = bodies("kiln fires pots", "kiln fires", "kiln", "noon")

    def share(feedback):
        scale = Table(0.0, feedback)
        hit = search(library, "kiln", similarity=scale).hits[0]
        parts = hit.parts
        return parts["fire", "all"] / parts["kiln", "all"]

    assert share(0.6) == pytest.approx(4 * share(WORDS_ONLY.feedback))


class NoScan(Table):
    """The same for a corpus that is too large to compare every document."""

    def candidates(self, corpus, fits):
        return []


OVEN = SimilarWord("oven", "kilns", 0.6)


def test_a_similar_word_leads_to_documents_of_similar_meaning_alone():
    library = bodies("pots in the kiln", "noon", "the kiln is red")
    assert ids(search(library, "oven heat", similarity=NoScan(0.0))) == []
    found = search(library, "oven heat", similarity=NoScan(0.0, similar=(OVEN,)))
    assert ids(found) == []  # neither has the meaning of the question
    COSINES["m02"] = 0.3
    found = search(library, "oven heat", similarity=NoScan(0.0, similar=(OVEN,)))
    del COSINES["m02"]
    assert ids(found) == ["m02"]
    assert found.similar == ("kiln",)


def test_a_similar_word_counts_for_less_than_a_word_of_the_question():
    library = bodies("the kiln is red", "the oven is red", "noon")
    table = Table(0.0, similar=(OVEN,))
    (first, *_) = search(library, "oven red", similarity=table).hits
    assert first.doc.id == "m01"
    second = search(library, "oven red", similarity=table).hits[1]
    share = second.parts["kiln", "all"] / first.parts["oven", "all"]
    assert share == pytest.approx(search_limits.SIMILAR_WEIGHT * 0.6)


def test_documents_with_similar_words_alone_give_way_to_meaning():
    library = bodies("kiln pots fire", "noon")
    COSINES.update(m00=0.3, m01=0.9)
    found = search(library, "oven heat", similarity=Table(0.0, similar=(OVEN,)))
    del COSINES["m00"], COSINES["m01"]
    assert ids(found) == ["m01", "m00"]
    # The scale gives the first 0.9 by its meaning.
    share = search_limits.SIMILAR_WEIGHT / 0.9
    assert sum(found.hits[1].parts.values()) == pytest.approx(share)


def test_a_word_of_the_question_is_not_similar_to_another_one():
    table = Table(0.0, similar=(OVEN, SimilarWord("oven", "noon", 0.9)))
    found = search(bodies("kiln", "oven", "lunch"), "oven kiln", similarity=table)
    assert found.similar == ()
