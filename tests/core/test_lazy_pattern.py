"""A lazy pattern does what the pattern of ``re`` does."""

import re

import pytest

from toolmem.core.lazy_pattern import lazy_pattern


def test_it_has_the_methods_of_a_pattern():
    lazy, plain = lazy_pattern("(a)(b)?", re.IGNORECASE), re.compile("(a)(b)?", re.I)
    for _ in range(2):
        assert lazy.sub("x", "aAb") == plain.sub("x", "aAb") == "xx"
        assert lazy.findall("ab") == plain.findall("ab")
        assert lazy.fullmatch("AB") is not None
    assert (lazy.pattern, lazy.flags) == (plain.pattern, plain.flags)


def test_a_pattern_is_compiled_when_it_is_used():
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")
