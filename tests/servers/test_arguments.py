"""Arguments are checked by the signature of what is called."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from toolmem.errors import UsageError
from toolmem.servers.arguments import Parameter, bind, parameters_of


def method(
    text: str,
    *,
    many: Sequence[str] = (),
    table: Mapping[str, Any] | None = None,
    number: int = 0,
    share: float = 0.5,
    sure: bool | None = None,
) -> None: ...


KNOWN = parameters_of(method)


def test_types_become_json_schema():
    assert (
        Parameter("text", {"type": "string"}, True),
        Parameter("many", {"type": "array", "items": {"type": "string"}}, False),
        Parameter("table", {"type": "object"}, False),
        Parameter("number", {"type": "integer"}, False),
        Parameter("share", {"type": "number"}, False),
        Parameter("sure", {"type": "boolean"}, False),
    ) == KNOWN


def test_arguments_are_taken_by_name_and_by_position():
    assert bind(KNOWN, {"text": "a", "share": 1}) == {"text": "a", "share": 1}
    assert bind(KNOWN, ["a", ["b"]]) == {"text": "a", "many": ["b"]}


def test_null_is_as_good_as_nothing():
    assert bind(KNOWN, {"text": "a", "sure": None}) == {"text": "a"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the argument 'text' is missing"),
        ({"text": None}, "the argument 'text' is missing"),
        ({"text": 1}, "text must be a string, not 1"),
        ({"text": "a", "number": True}, "number must be a whole number, not True"),
        ({"text": "a", "number": 1.5}, "number must be a whole number, not 1.5"),
        ({"text": "a", "share": "x"}, "share must be a number, not 'x'"),
        ({"text": "a", "sure": 1}, "sure must be true or false, not 1"),
        ({"text": "a", "many": "b"}, "many must be a list, not 'b'"),
        ({"text": "a", "many": ["b", 2]}, "many[1] must be a string, not 2"),
        ({"text": "a", "table": []}, "table must be an object, not []"),
        (
            {"text": "a", "numbr": 1},
            "no argument 'numbr'; did you mean 'number'? "
            "(text, many, table, number, share, sure)",
        ),
        (["a"] * 7, "at most 6 arguments, not 7"),
    ],
)
def test_what_does_not_fit_is_named(given, message):
    with pytest.raises(UsageError) as error:
        bind(KNOWN, given)
    assert str(error.value) == message
