"""JSON-RPC 2.0: parse requests and format responses.

It is independent of vaults; ``answer`` takes a function that executes a method.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, NoReturn

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

Params = Mapping[str, Any] | Sequence[Any]


class MethodResult(NamedTuple):
    """Result of a method, and remarks on it, which are a member of the response."""

    result: Any
    remarks: tuple[str, ...] = ()


Call = Callable[[str, Params], MethodResult]
Response = dict[str, Any]


class RpcError(Exception):
    """A failure with its code and data."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def answer(line: bytes, call: Call) -> Response | list[Response] | None:
    """Return the response to one message, None for one without a response.

    ``call`` executes a method with its params and raises ``RpcError``.
    """
    try:
        message = parse(line)
    except RpcError as error:
        return failure(None, error)
    if not isinstance(message, list):
        return _one(message, call)
    if not message:
        return failure(None, RpcError(INVALID_REQUEST, "the batch is empty", {}))
    responses = [
        response for request in message if (response := _one(request, call)) is not None
    ]
    return responses or None


def parse(line: bytes) -> Any:
    """Parse the JSON of a message; raise ``RpcError`` for anything else."""
    try:
        message = json.loads(
            line.decode(), parse_constant=_no_number, parse_float=_finite
        )
        if b"\\ud" in line.lower():  # a lone surrogate is not text
            json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        reason = str(error)[:200] or "nested too deeply"
        message = f"not JSON: {reason}"
        raise RpcError(PARSE_ERROR, message, {"reason": reason}) from error
    return message


def too_long(count: int) -> RpcError:
    """Return the error for a line that is longer than a message may be."""
    reason = f"{count} bytes are too many for a message"
    return RpcError(PARSE_ERROR, reason, {"bytes": count})


def failure(message_id: Any, error: RpcError) -> Response:
    """Return an error as a response."""
    document = {"code": error.code, "message": str(error), "data": dict(error.data)}
    return {"jsonrpc": "2.0", "error": document, "id": message_id}


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    """Return a number that an answer can contain, too."""
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _one(message: Any, call: Call) -> Response | None:
    message_id = message.get("id") if isinstance(message, dict) else None
    if not _is_id(message_id):
        message_id = None
    try:
        method, params = _request(message)
    except RpcError as error:
        return failure(message_id, error)
    try:
        answered = call(method, params)
    except RpcError as error:
        return failure(message_id, error) if "id" in message else None
    if "id" not in message:  # a notification: no response
        return None
    response = {"jsonrpc": "2.0", "result": answered.result, "id": message_id}
    return response | ({"remarks": answered.remarks} if answered.remarks else {})


def _request(message: Any) -> tuple[str, Params]:
    """Return the method and params of a request; raise ``RpcError``."""
    if not isinstance(message, dict):
        raise _invalid("a request must be an object")
    if message.get("jsonrpc") != "2.0":
        raise _invalid('"jsonrpc" must be "2.0"')
    if not isinstance(message.get("method"), str):
        raise _invalid('"method" must be a string')
    if not _is_id(message.get("id")):
        raise _invalid('"id" must be a string, a number or null')
    params = message.get("params", {})
    if not isinstance(params, dict | list):
        raise _invalid('"params" must be an object or a list')
    return message["method"], params


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int | float | None) and not isinstance(value, bool)


def _invalid(reason: str) -> RpcError:
    return RpcError(INVALID_REQUEST, f"no request: {reason}", {"reason": reason})
