"""Texts of the same statements are looked for among those of equal likeness."""

import pytest

from toolmem.core.memories.merge import key
from toolmem.core.reflect.word_table import WordTable

SAME = [
    ("The build does not cache layers.", "The builds don't cache layer."),
    (
        "Wait thirty seconds; it retries 2 times.",
        "wait thirty seconds; it retries two times",
    ),
    ("Timeout is 30 seconds.", "timeout is 30s"),
    ("Please just restart the gateway.", "Restart the gateway!"),
    ("The gateway couldn't reach it.", "The gateway could not reach it"),
    ("# Deploys\n\n- They're slow.", "Deploys\n\nThey are slow."),
    ("The **server's** log is `rotated`.", "the server log is `rotated`"),
    ("It cannot be undone already.", "it can not be undone"),
    ("Uploads of 10 megabytes fail.", "uploads of 10 MB fail"),
    ("Die Öfen brennen nicht.", "die Öfen brennen nie"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_of_the_same_statements_have_one_likeness(one, other):
    words = WordTable()
    alike = [words.likeness(words.add(text)) for text in (one, other)]
    assert key(one) == key(other)
    assert alike[0] == alike[1]


def test_other_texts_differ():
    words = WordTable()
    one, other = map(words.add, ("the queue is drained", "the queue is painted"))
    assert words.likeness(one) != words.likeness(other)
