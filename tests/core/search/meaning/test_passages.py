import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core import search_limits
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.passages import opening_span, passages_of


def doc(title: str, body: str) -> Doc:
    return Doc("d", "system/memory/d.md", "system", "memory", title=title, body=body)


def test_a_short_document_is_one_passage_under_its_title():
    assert passages_of(doc("Lunch", "Closes at two.\n")) == ("Lunch\nCloses at two.",)


def test_a_title_alone_is_a_passage_and_nothing_is_none():
    assert passages_of(doc(" Lunch ", " \n")) == ("Lunch",)
    assert passages_of(doc("", "  ")) == ()


def test_a_long_document_is_cut_at_line_ends_then_at_spaces():
    line = "word " * 30 + "end"
    body = "\n".join([line] * 10)
    found = passages_of(doc("T", body), 1000)
    assert [len(passage) for passage in found] == [2 + 6 * 154 - 1, 2 + 4 * 154 - 1]
    assert all(passage.endswith("end") for passage in found)
    spaced = passages_of(doc("T", "word " * 300), 1000)
    assert all(passage.endswith("word") for passage in spaced)


@given(st.text("ab \n", max_size=5000), st.text(max_size=300))
def test_every_word_is_in_a_passage_and_none_is_long(body, title):
    found = passages_of(doc(title, body))
    head = title.strip()[: search_limits.PASSAGE_TITLE_CHARS]
    texts = [passage[len(head) + 1 :] for passage in found] if body.strip() else []
    assert all(passage.startswith(head) for passage in found)
    assert all(0 < len(text) <= search_limits.PASSAGE_CHARS for text in texts)
    assert "".join("".join(texts).split()) == "".join(body.split())


def test_an_endless_document_has_only_so_many_passages():
    found = passages_of(doc("T" * 1000, "x" * 1_000_000))
    assert len(found) == search_limits.PASSAGES
    assert max(map(len, found)) == 200 + 1 + search_limits.PASSAGE_CHARS


def opening_of(title: str, body: str) -> str:
    start, end = opening_span(doc(title, body))
    return body[start:end]


def test_the_opening_of_a_longer_document_with_its_own_title_has_a_span():
    assert opening_of(" ls ", "\n List files.\n\nBy size: ls -S\n") == "List files."
    assert opening_of("ls", "ls lists files.\n\nAll") == "ls lists files."


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("ls", "List files.\n"),
        ("ls", "List files.\n\n \n"),
        ("ls", ""),
        ("", "List files.\n\nBy size: ls -S"),
        ("Lists files…", "Lists files of a folder.\n\nAll"),
        ("List files.", "List files.\n\nBy size: ls -S"),
    ],
)
def test_the_opening_of_other_documents_has_none(title, body):
    assert opening_span(doc(title, body)) == (0, 0)
