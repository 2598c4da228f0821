import re
import uuid

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.rules.derived_id import derived_id


@given(st.lists(st.text()))
def test_an_id_is_a_uuid_and_the_same_for_the_same(parts):
    made = derived_id(*parts)
    assert made == derived_id(*parts)
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made)
    assert (uuid.UUID(made).version, uuid.UUID(made).variant) == (8, uuid.RFC_4122)


@given(st.lists(st.text(alphabet="ab"), max_size=4), st.lists(st.text(alphabet="ab")))
def test_other_parts_make_another_id(one, other):
    assert (derived_id(*one) == derived_id(*other)) == (one == other)


def test_ids_stay_what_they_are():
    assert derived_id("rule", "x") == "70ecda31-afc2-8850-a2b1-5b5b1f4793c2"
