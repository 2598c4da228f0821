"""TOML of a vault is read by the parser of the standard library, within limits."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.toml_texts import BY_HAND, DAMAGED, DOCUMENTS, WRITTEN, plain
from tests.examples import examples
from toolmem.core.formats.toml_edit import toml_document
from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import InvalidFileError

_ANY = st.text(st.sampled_from('ab=[]"\\#.,0129TZ:- \n\t\r'), max_size=24)


@examples(300)
@given(WRITTEN | BY_HAND | DAMAGED | _ANY)
def test_any_text_is_read_as_the_standard_library_does_or_its_fault_has_a_line(text):
    try:
        expected = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        with pytest.raises(InvalidFileError) as caught:
            parse_toml(text, "a.toml")
        assert caught.value.path == "a.toml"
        assert 1 <= caught.value.line <= text.count("\n") + 1
    else:
        assert parse_toml(text, "a.toml") == expected


@examples(200)
@given(DOCUMENTS)
def test_what_is_written_is_read_back(document):
    assert plain(parse_toml(toml_document(document), "a.toml")) == plain(document)


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
