"""Values of every wrong type, for every parameter of every operation and tool."""

import json
import math
import sys
from typing import Any

import pytest

import toolmem
from tests.servers.connection import Server
from tests.world import VAULTS
from toolmem.api.access import Access
from toolmem.api.operations.table import OPERATIONS, method_of
from toolmem.errors import ToolmemError
from toolmem.servers.arguments import parameters_of
from toolmem.servers.jsonrpc import RpcError, answer
from toolmem.servers.rpc import call
from toolmem.store.vault.vault import utc_now

WRONG: dict[str, list[Any]] = {
    "string": [None, 3, 1.5, True, ["x"], {"a": 1}, b"x"],
    "array": [None, "single", b"x", 3, True, {"a": 1}, [3], [None]],
    "integer": [None, "3", 1.5, True, 10**26, -(10**26)],
    "number": [None, "3", True, [1.0]],
    "boolean": [None, 1, "true", []],
    "object": [None, "x", 3, ["a"]],
}


@pytest.fixture
def vault(world):
    world.write("toolmem.toml", "schema = 1\n")
    return toolmem.Vault.open(world.root)


ANY = toolmem.Vault(Access({}, VAULTS / "one-rule", utc_now, str))
"""A vault whose methods are looked at; none of them is called."""


def _cases():
    for name in OPERATIONS:
        for parameter in parameters_of(method_of(ANY, name)):
            yield name, parameter


CASES = list(_cases())


@pytest.mark.one_of(4)
@pytest.mark.parametrize(
    ("operation", "parameter"), CASES, ids=[f"{n}-{p.name}" for n, p in CASES]
)
def test_a_value_of_another_type_is_refused_by_name(vault, operation, parameter):
    method = method_of(vault, operation)
    for value in WRONG[_kind(parameter)]:
        given = {p.name: _right(p) for n, p in CASES if n == operation and p.required}
        given[parameter.name] = value
        if value is None and not _refuses_none(operation, parameter.name):
            continue
        if isinstance(value, bytes) and _takes_bytes(operation, parameter.name):
            continue
        if isinstance(value, list) and _takes_lists(operation, parameter.name):
            continue
        with pytest.raises(ToolmemError) as caught:
            method(**given)
        assert str(caught.value).startswith(f"{parameter.name} must be "), value
    assert not [*vault._access.cwd.glob("system/**/*.*")]


def _right(parameter) -> Any:
    right = {"string": "x", "array": ["x"], "integer": 1, "number": 1.0}
    return right.get(_kind(parameter), {})


def _kind(parameter) -> str:
    """The type of a value; of several types the first."""
    kind = parameter.schema["type"]
    return kind if isinstance(kind, str) else kind[0]


def _hint(operation: str, name: str) -> Any:
    function = method_of(ANY, operation).__wrapped__
    return function.__annotations__[name]


def _refuses_none(operation: str, name: str) -> bool:
    return "None" not in str(_hint(operation, name))


def _takes_lists(operation: str, name: str) -> bool:
    return "Sequence[str]" in str(_hint(operation, name))


def _takes_bytes(operation: str, name: str) -> bool:
    return "bytes" in str(_hint(operation, name))


@pytest.mark.parametrize("most", [2**31 - 1, 1])
def test_the_largest_number_is_a_limit_as_any_other(vault, most):
    vault.memory.save("# wine\n\nred")
    assert len(vault.search("wine", limit=most).found.hits) == 1
    assert vault.conversation.list(limit=most) == ()


def _asked(vault, line: str) -> Any:
    return answer(line.encode(), lambda method, params: call(vault, method, params))


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
@pytest.mark.parametrize("place", ["id", "params"])
def test_a_number_that_json_cannot_say_comes_back_as_an_error(vault, number, place):
    values = {"id": "1", "params": '{"query": "x"}'}
    values[place] = number if place == "id" else f'{{"importance_min": {number}}}'
    line = f'{{"jsonrpc": "2.0", "method": "search", "id": {values["id"]}, '
    found = _asked(vault, line + f'"params": {values["params"]}}}')
    assert found["error"]["code"] == -32700
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("number", [10**26, -(10**26), 2**31, sys.maxsize])
def test_a_number_that_is_too_large_is_refused(vault, number):
    for method, name in (("search", "limit"), ("recall", "limit"), ("log", "limit")):
        params = {"query": "x", name: number} if method != "log" else {name: number}
        with pytest.raises(RpcError) as caught:
            call(vault, method, params)
        assert caught.value.code == -32602


def test_infinity_is_no_share(vault):
    for value in (math.inf, math.nan):
        with pytest.raises(ToolmemError):
            vault.memory.save("# wine", importance=value)


BAD_LINES = {
    b"{nonsense": -32700,
    b'{"jsonrpc": "2.0", "id": 1e999, "method": "ping"}': -32700,
    b"\xff\xfe": -32700,
    b"[]": -32600,
    b'{"jsonrpc": "2.0", "id": 1}': -32600,
    b'"' + b"x" * (16 * 2**20) + b'"': -32700,
}


@pytest.mark.parametrize("server", ["rpc", "mcp"])
def test_every_line_that_is_no_message_is_answered(world, server):
    world.write("toolmem.toml", "schema = 1\n")
    with Server(world.root, server) as asked:
        for line, code in BAD_LINES.items():
            asked.send(line)
            found = asked.receive()
            assert (found["error"]["code"], found["jsonrpc"]) == (code, "2.0"), line[
                :40
            ]
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello |= {"clientInfo": {"name": "x", "version": "1"}}
        method = "initialize" if server == "mcp" else "rpc.discover"
        params = hello if server == "mcp" else {}
        assert asked.result(method, **params)
