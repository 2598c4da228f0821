"""Documents as JSON and YAML: what they mean, and what they must not be."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.formats.document_text import read_document
from toolmem.core.formats.yaml_text import dump_yaml
from toolmem.errors import UsageError


def value(text):
    return read_document(text, "request").value


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a: 1\nb: [x, 2.5, true, ~]\n", {"a": 1, "b": ["x", 2.5, True, None]}),
        ("when: 2025-01-01T00:00:00Z", {"when": "2025-01-01T00:00:00Z"}),
        ("yes: no\non: off", {"yes": "no", "on": "off"}),
        ("id: 0123", {"id": "0123"}),
        ("t: 190:20:30", {"t": "190:20:30"}),
        ('a: "1"', {"a": "1"}),
        ("a: 1e400", {"a": "1e400"}),
        ("--- \na: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1.0}', {"a": 1.0}),
    ],
)
def test_it_means(text, meant):
    assert value(text) == meant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the request is empty"),
        ("a: &x 1", "the request, line 1: anchors and aliases are not read"),
        ("a: [1]\nb: *x", "the request, line 2: anchors and aliases are not read"),
        ("a: !!python/none", "the request, line 1: the tag"),
        ("<<: {a: 1}", "the request, line 1: the key '<<' occurs twice or is <<"),
        ("a: 1\na: 2", "the request, line 2: the key 'a' occurs twice or is <<"),
        ("? [a]\n: 1", "the request, line 1: a key is text"),
        ("a: 1\n---\nb: 2", "the request, line 2: a second document begins"),
        ("a: b: c", "the request is not YAML, line 1: "),
        ("a: x\u2028b: y", "the request, line 1: an invisible line break"),
        ('{"a": 1, "a": 2}', "the request contains the key 'a' twice"),
        ('{"a": NaN}', "the request is not JSON: NaN is not a number"),
        ('{"a": 1e999}', "the request is not JSON: 1e999 is too large"),
        ('{"a": ', "the request is not JSON: Expecting value: line 1, column 7"),
        ("[" * 100 + "]" * 100, "the request is nested more than 64 deep"),
        ("[" * 100_000, "the request is not JSON: "),
        ("- " * 5000 + "a", "the request, line 1: nested more than 64 deep"),
        ("a" * (1024 * 1024 + 1), "the request is larger than 1 MiB"),
        ('{"a": ' + "9" * 5000 + "}", "the request is not JSON: "),
    ],
)
def test_it_is_refused(text, message):
    with pytest.raises(UsageError) as error:
        value(text)
    assert str(error.value).startswith(message)


_plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), _plain, max_size=4))
def test_json_reads_back(document):
    assert value(json.dumps(document)) == document


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), _plain, max_size=4))
def test_yaml_reads_back(document):
    assert value(dump_yaml({"a": document})) == {"a": document}


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text):
    message = "the request"
    try:
        value(text)
    except UsageError as error:
        message = str(error)
    assert message.startswith("the request")
