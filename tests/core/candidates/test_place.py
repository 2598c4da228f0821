"""The words of a sentence decide where its rule applies."""

import pytest

from toolmem.core.candidates.place import scope_for
from toolmem.core.model import SYSTEM
from toolmem.core.scope import parse_scope

HERE = parse_scope("project:kiln")


@pytest.mark.parametrize(
    ("sentence", "scope"),
    [
        ("Wherever you work for me, ask before renaming things.", SYSTEM),
        ("I like tables in anything you write for me.", SYSTEM),
        ("Name the machine when you quote timings, anywhere.", SYSTEM),
        ("Say so first, no matter which project.", SYSTEM),
        ("Prefer small modules in this repo.", HERE),
        ("Prefer small modules.", HERE),
    ],
)
def test_words_about_a_place_decide(sentence, scope):
    assert scope_for(sentence, ban=False, here=HERE) == scope
