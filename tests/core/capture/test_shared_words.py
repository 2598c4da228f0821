"""Rules that cannot share a word with a text are left out, and no others."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.capture.relate.rules import KnownRule, relate_back, relate_new
from toolmem.core.capture.relate.shared_words import may_relate

_WORDS = (
    "never|always|use|don't|dont|do|not|instead|of|no|push|pushes|pushing|force-push|"
    "e-mail|emails|mail|Sarah|sarah@example.com|auth.py|`auth.py`|auth|CHANGELOG.md|"
    '"auth.py"|foo_bar|_foo_bar_|FOO_BAR|c++|C#|--force|force|sudo\u2019s|'
    "sudo's fine|users'|unless|excluding|except|without|kindly|please|simply|,|;|but|"
    "prefer|over|rather than|://|\u039b\u038c\u0393\u039f\u03a3|\u03bb\u03cc\u03b3\u03bf\u03c2|"
    "\u4e2d\u6587|read/write|delete|remove|deleting|rm|prod|production|you|can|again|"
    "keep off|ban|the|logs|log|x|don;t|1.5|k|repo's"
)
WORDS = st.sampled_from(_WORDS.split("|"))
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
RULES = st.lists(TEXTS, max_size=6).map(
    lambda texts: [KnownRule(f"r{n}", "git", text) for n, text in enumerate(texts)]
)


@examples(400)
@given(TEXTS, RULES)
@example("don;t", [KnownRule("r", "git", "never")])
def test_the_answers_are_those_of_all_rules(text, known):
    near = may_relate(text, known)
    assert relate_new(text, near) == relate_new(text, known)
    assert relate_back(text, near) == relate_back(text, known)


def test_most_rules_are_left_out():
    texts = ("never force-push", "use e-mail", "email Sarah daily", "never do this")
    known = [KnownRule(text, "_any", text) for text in texts]
    found = may_relate("Never email Bob at bob@example.com", known)
    assert [rule.text for rule in found] == ["use e-mail", "email Sarah daily"]
    assert may_relate("never do it", known) == known
