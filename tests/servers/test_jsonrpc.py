"""JSON-RPC 2.0 as its specification has it, message by message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.servers.jsonrpc import MethodResult, RpcError, answer


def call(method, params):
    if method == "subtract":
        if isinstance(params, list):
            return MethodResult(params[0] - params[1])
        return MethodResult(params["minuend"] - params["subtrahend"])
    if method == "remark":
        return MethodResult([], ("it is empty",))
    if method == "fail":
        raise RpcError(-32001, "it failed", {"code": "x"})
    raise RpcError(-32601, f"no method {method!r}", {"near": []})


def shown(response):
    """A response without the words of its error, which are ours."""
    if isinstance(response, list):
        return [shown(one) for one in response]
    if response and "error" in response:
        return {**response, "error": response["error"]["code"]}
    return response


def ok(result, number):
    return {"jsonrpc": "2.0", "result": result, "id": number}


def bad(code, number=None):
    return {"jsonrpc": "2.0", "error": code, "id": number}


CONFORMANCE = {
    "params by position": (
        '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}',
        ok(19, 1),
    ),
    "params by name": (
        '{"jsonrpc":"2.0","method":"subtract",'
        '"params":{"subtrahend":23,"minuend":42},"id":3}',
        ok(19, 3),
    ),
    "a text as id": (
        '{"jsonrpc":"2.0","method":"subtract","params":[1,1],"id":"a"}',
        ok(0, "a"),
    ),
    "null as id is a request": (
        '{"jsonrpc":"2.0","method":"subtract","params":[1,1],"id":null}',
        ok(0, None),
    ),
    "a notification": ('{"jsonrpc":"2.0","method":"subtract","params":[1,1]}', None),
    "a notification of no method": ('{"jsonrpc":"2.0","method":"foobar"}', None),
    "a notification that fails": ('{"jsonrpc":"2.0","method":"fail"}', None),
    "no such method": (
        '{"jsonrpc":"2.0","method":"foobar","id":"1"}',
        bad(-32601, "1"),
    ),
    "a failure of the method": (
        '{"jsonrpc":"2.0","method":"fail","id":9}',
        bad(-32001, 9),
    ),
    "broken JSON": (
        '{"jsonrpc":"2.0","method":"foobar,"params":"bar","baz]',
        bad(-32700),
    ),
    "JSON with more behind it": ('{"jsonrpc":"2.0"} {}', bad(-32700)),
    "no number": ('{"jsonrpc":"2.0","method":"x","id":NaN}', bad(-32700)),
    "half a pair": (
        r'{"jsonrpc":"2.0","method":"subtract","params":["\ud800",1],"id":1}',
        bad(-32700),
    ),
    "nested too deeply": ("[" * 200_000, bad(-32700)),
    "a method that is not text": (
        '{"jsonrpc":"2.0","method":1,"params":"bar"}',
        bad(-32600),
    ),
    "params that are no structure": (
        '{"jsonrpc":"2.0","method":"subtract","params":"bar","id":2}',
        bad(-32600, 2),
    ),
    "another version": ('{"jsonrpc":"1.0","method":"x","id":2}', bad(-32600, 2)),
    "no version": ('{"method":"x","id":2}', bad(-32600, 2)),
    "an id that is none": (
        '{"jsonrpc":"2.0","method":"subtract","params":[1,1],"id":{}}',
        bad(-32600),
    ),
    "true as id": (
        '{"jsonrpc":"2.0","method":"subtract","params":[1,1],"id":true}',
        bad(-32600),
    ),
    "no object": ("1", bad(-32600)),
    "a batch that is broken": ('[{"jsonrpc":"2.0","method"]', bad(-32700)),
    "an empty batch": ("[]", bad(-32600)),
    "a batch of nothing that counts": (
        "[1,2,3]",
        [bad(-32600), bad(-32600), bad(-32600)],
    ),
    "a batch of notifications": (
        '[{"jsonrpc":"2.0","method":"subtract","params":[1,1]},'
        '{"jsonrpc":"2.0","method":"foobar"}]',
        None,
    ),
    "a batch of all sorts": (
        '[{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"2"},'
        '{"jsonrpc":"2.0","method":"subtract","params":[7,7]},'
        '{"foo":"boo"},'
        '{"jsonrpc":"2.0","method":"foo.get","params":{},"id":"5"},'
        '{"jsonrpc":"2.0","method":"subtract","params":[5,1],"id":"9"}]',
        [ok(19, "2"), bad(-32600), bad(-32601, "5"), ok(4, "9")],
    ),
}


@pytest.mark.parametrize(
    ("line", "wanted"), CONFORMANCE.values(), ids=list(CONFORMANCE)
)
def test_a_message_is_answered_as_the_specification_says(line, wanted):
    assert shown(answer(line.encode(), call)) == wanted


def test_remarks_are_next_to_the_result():
    asked = b'{"jsonrpc":"2.0","method":"remark","id":1}'
    assert answer(asked, call) == {**ok([], 1), "remarks": ("it is empty",)}


def test_bytes_that_are_no_text_are_no_json():
    assert shown(answer(b'{"jsonrpc":"2.0","method":"\xff"}', call)) == bad(-32700)


def test_an_error_has_a_message_and_data():
    response = answer(b"[]", call)
    assert isinstance(response, dict)
    assert response["error"] == {
        "code": -32600,
        "message": "the batch is empty",
        "data": {},
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "method", "params", "id"]) | st.text(),
            inside,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_is_sent_the_answer_is_json_rpc(message):
    response = answer(json.dumps(message).encode(), call)
    for one in response if isinstance(response, list) else [response]:
        if one is not None:
            assert one["jsonrpc"] == "2.0"
            assert {"result", "error"} & set(one)
            json.dumps(one)


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_no_crash(line):
    response = answer(line, call)
    assert response is None or response
