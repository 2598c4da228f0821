"""Texts under one heading keep their sources, whichever of them is removed."""

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.imports.places import TextPlace, assign_sources

TEXTS = st.lists(
    st.sampled_from(
        ["alpha beta gamma", "delta eps zeta", "eta theta iota", "kappa mu"]
    ),
    max_size=4,
    unique=True,
)
PLACES = st.sampled_from(["a#Set up", "a#Set up (2)", "a#Other", "a"])


def placed(texts, place="a#Set up"):
    return [TextPlace(place, text, text) for text in texts]


def known(texts, sources):
    return [
        TextPlace(source, one.digest, one.text)
        for one, source in zip(texts, sources, strict=True)
    ]


def test_the_second_of_two_keeps_its_source_when_the_first_is_removed():
    both = placed(["alpha", "beta"])
    sources = assign_sources(both, [])
    assert sources == ["a#Set up", "a#Set up (2)"]
    assert assign_sources(both[1:], known(both, sources)) == ["a#Set up (2)"]


def test_an_edited_text_keeps_its_source_and_another_gets_a_new_one():
    both = placed(["alpha beta gamma delta", "one two three four"])
    before = known(both, ["a#Set up", "a#Set up (2)"])
    later = placed(["one two three five", "quite other words"])
    assert assign_sources(later, before) == ["a#Set up (2)", "a#Set up (3)"]


def test_another_text_does_not_take_the_place_of_the_only_one():
    [one] = placed(["alpha beta gamma"])
    assert assign_sources(placed(["alpha beta delta"]), [one]) == ["a#Set up"]
    assert assign_sources(placed(["delta eps"]), [one]) == ["a#Set up (2)"]


@examples(200)
@given(st.lists(st.tuples(PLACES, TEXTS), max_size=4), st.data())
def test_no_text_takes_the_source_of_another(groups, data):
    texts = [one for place, group in groups for one in placed(group, place)]
    sources = assign_sources(texts, [])
    assert len(set(sources)) == len(sources)
    before = known(texts, sources)
    kept = [at for at in range(len(texts)) if data.draw(st.booleans())]
    order = data.draw(st.permutations(kept))
    later = [texts[at] for at in order]
    written = {one.source: one.digest for one in before}
    assert [written[one] for one in assign_sources(later, before)] == [
        one.digest for one in later
    ]
