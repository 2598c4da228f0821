"""A file of groups of bytes, whose damage is noticed."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.store.index import manifest

_GROUPS = st.lists(st.lists(st.binary(max_size=20), max_size=3), max_size=3)
_ABOUT = st.dictionaries(st.text(max_size=3), st.integers())


def content(about, groups):
    return b"".join(manifest.checked_pieces(b"a key", about, groups))


@examples(100)
@given(_ABOUT, _GROUPS)
def test_it_reads_as_it_was_written(about, groups):
    file = BytesIO(content(about, groups))
    assert manifest.read_checked(file, b"a key") == (about, groups)


@examples(100)
@given(_ABOUT, _GROUPS)
def test_every_byte_is_checked(about, groups):
    whole = content(about, groups)
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= 1
        with pytest.raises(manifest.BadFileError):
            manifest.read_checked(BytesIO(data), b"a key")
        with pytest.raises(manifest.BadFileError):
            manifest.read_checked(BytesIO(whole[:at]), b"a key")
    with pytest.raises(manifest.BadFileError):
        manifest.read_checked(BytesIO(whole + b"\0"), b"a key")


@pytest.mark.parametrize("key", [b"a", b"another", b"a key 0"])
def test_that_of_another_key_is_not_read(key):
    with pytest.raises(manifest.BadFileError):
        manifest.read_checked(BytesIO(content({}, [])), key)
