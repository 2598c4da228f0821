"""The quick reader answers only where the full parser says the same."""

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.formats.toml_texts import BY_HAND, DAMAGED, DOCUMENTS, WRITTEN, plain
from tests.examples import examples
from toolmem.core.formats.toml_edit import toml_document
from toolmem.core.formats.toml_text import parse_plain, parse_toml
from toolmem.errors import InvalidFileError


def agree(text: str) -> None:
    quick = parse_plain(text)
    if quick is not None:
        assert quick == tomllib.loads(text)


@examples(200)
@given(WRITTEN)
def test_it_agrees_on_what_toolmem_writes(text):
    agree(text)


@examples(200)
@given(BY_HAND)
def test_it_agrees_on_what_people_write(text):
    agree(text)


@examples(200)
@given(DAMAGED)
@example("a = 1٢\n")
@example("a = 2026-04-07T24:00:00Z\n")
@example("a = 2026-04-07T10:00:60Z\n")
@example("a = 0000-01-01T00:00:00Z\n")
@example("a = 2026-02-30T00:00:00Z\n")
@example('a = "x"\r\n')
@example("# \x1b\n")
@example("# \x7f\n")
@example('a = "\x7f"\n')
@example("a = 01\n")
@example("[[a]]\n[[a]]\na = 1\n")
@example("a = []\n[[a]]\n")
@example('a = "\ud800"\n')
@example("ª = 1\n")
def test_it_agrees_on_what_is_damaged(text):
    agree(text)


@examples(200)
@given(st.text(st.sampled_from('ab=[]"\\#.,0129TZ:- \n\t\r'), max_size=24))
def test_it_agrees_on_any_signs(text):
    agree(text)


@examples(200)
@given(DOCUMENTS)
def test_what_is_written_is_read_back(document):
    text = toml_document(document)
    assert plain(tomllib.loads(text)) == plain(document)


@pytest.mark.parametrize(
    "text",
    [
        'id = "a"\ntool = "b"\nrule = "never \\"push\\" C:\\\\x"\n',
        'tags = ["a", "b"]\ncreated_at = 2026-04-07T10:00:00Z\nenabled = false\n',
        '# by hand\nschema = 1\n\n[[guard]]\naction = "deny"\n[[guard]]\n',
        "",
    ],
)
def test_the_files_of_a_vault_take_the_quick_way(text):
    assert parse_plain(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 'x'\n",
        'a = "\\n"\n',
        'a = "x" # why\n',
        "a.b = 1\n",
        "[a]\n",
        "a = -1\n",
        "a = 1.5\n",
        "a = 1\na = 2\n",
        "a = 1",
        "a=1\n",
        " a = 1\n",
        "\ufeffa = 1\n",
    ],
)
def test_what_it_does_not_know_is_left_to_the_parser(text):
    quick = parse_plain(text)
    assert quick is None or quick == tomllib.loads(text)


def test_a_hostile_line_costs_no_time_to_speak_of():
    assert parse_plain('a = ["' + '", "' * 15_000 + "\n") is None
    assert parse_plain('a = "' + '\\"' * 30_000 + "\n") is None


@pytest.mark.parametrize(
    "number", ["9" * 5_000, "0x" + "f" * 6_000, "0b" + "1" * 20_000]
)
def test_a_number_that_no_message_could_show_is_an_error(number):
    for text in (f"a = {number}\n", f"[a]\nb = [[{number}]]\n"):
        with pytest.raises(InvalidFileError, match="Exceeds the limit"):
            parse_toml(text, "a.toml")
    text = f'a = "{number}"\n# {number}\n'
    assert parse_toml(text, "a.toml") == {"a": number}
    assert parse_toml(text + "b = 1.5\n", "a.toml")["b"] == 1.5
