"""Normal forms of Unicode of text with very many marks."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.growth import is_linear
from toolmem.core.text.normal_form import Form, normal_form

FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
_texts = st.text(
    st.sampled_from("ae \u0300\u0316\u0f73\uff9e\u00e9\u2500\u1100\u1161-")
)


@given(st.one_of(st.text(), _texts), st.sampled_from(FORMS))
@examples(200)
def test_text_with_few_marks_is_in_the_form_of_unicode(text, form):
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_marks_beyond_the_thirtieth_are_dropped(form):
    marks = "\u0316" * 30
    assert normal_form(form, f"x{marks}\u0316y") == f"x{marks}y"
    assert normal_form(form, f"{marks} {marks}") == f"{marks} {marks}"
    assert normal_form(form, "\u2500" * 99) == "\u2500" * 99


@pytest.mark.one_of(3)
@pytest.mark.parametrize("unit", ["\u0300\u0316", "\u0f73", "\u0300\uff9e"])
def test_a_megabyte_of_marks_takes_time_by_its_size(unit):
    def work(text: str) -> None:
        for form in FORMS:
            normal_form(form, text)

    assert is_linear(work, lambda size: "a" + unit * (size // 2), times=20)
