"""A vault as one document: the same bytes come back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.imports.bundle import (
    BundleFile,
    BundleProblem,
    bundle_document,
    read_bundle,
)
from toolmem.errors import UsageError

NAMES = st.binary(min_size=1, max_size=12).map(
    lambda name: name.decode("utf-8", "surrogateescape")
)
FILES = st.dictionaries(NAMES, st.binary(max_size=40), max_size=5)


@given(FILES)
def test_every_byte_comes_back(files):
    wanted = [BundleFile(path, data) for path, data in files.items()]
    text = json.dumps(bundle_document(wanted))
    assert set(read_bundle(text)) == set(wanted)


def test_the_order_is_that_of_the_bytes():
    files = [BundleFile(path, b"") for path in ("b", "a", "\udcff")]
    entries = bundle_document(files)["files"]
    assert [one.get("path") for one in entries] == ["a", "b", None]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"files": []}', '{"toolmem_export": 2, "files": []}']
)
def test_what_is_no_copy_is_refused(text):
    with pytest.raises(UsageError):
        list(read_bundle(text))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (3, "is not an object"),
        ({}, "has no path"),
        ({"path_base64": "%"}, "has no path"),
        ({"path": "\ud800", "text": ""}, "has no path"),
        ({"path": "a"}, "has neither a text nor bytes in base64"),
        ({"path": "a", "base64": "?"}, "has neither a text nor bytes in base64"),
        ({"path": "a", "text": "\ud800"}, "has text that is not Unicode"),
    ],
)
def test_an_entry_that_is_no_file_is_told(entry, message):
    text = json.dumps({"toolmem_export": 1, "files": [entry]})
    [found] = read_bundle(text)
    assert isinstance(found, BundleProblem)
    assert found.message == message


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for given_text in (text, f'{{"toolmem_export": 1, "files": [{text}]}}'):
        try:
            list(read_bundle(given_text))
        except UsageError:
            continue
