"""A lazy pattern does what the pattern of ``re`` does."""

import re

import pytest


def test_it_has_the_methods_of_a_pattern():
    lazy, plain = re.compile("(a)(b)?", re.IGNORECASE), re.compile("(a)(b)?", re.I)
    for _ in range(2):
        assert lazy.sub("x", "aAb") == plain.sub("x", "aAb") == "xx"
        assert lazy.findall("ab") == plain.findall("ab")
        assert lazy.fullmatch("AB") is not None
    assert (lazy.pattern, lazy.flags) == (plain.pattern, plain.flags)


def test_a_pattern_is_compiled_when_it_is_used():
    wrong = re.compile("(")
    with pytest.raises(re.error):
        wrong.search("")
