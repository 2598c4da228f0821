"""``toolmem rpc``: every operation as a JSON-RPC 2.0 method over standard streams.

Messages are answered in order, so that each request sees the writes of those before.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from toolmem import __version__
from toolmem.api.access import NAMES
from toolmem.api.answers import ask
from toolmem.api.launch import Launch, launched, repaired
from toolmem.api.operations.table import OPERATIONS, method_of
from toolmem.api.vault import Vault
from toolmem.core.formats.json_text import json_text
from toolmem.core.text.suggest import most_similar
from toolmem.errors import NotAllowedError, ToolmemError, UsageError
from toolmem.servers import agent_tools
from toolmem.servers.arguments import Parameter, bind, parameters_of
from toolmem.servers.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MethodResult,
    Params,
    RpcError,
    answer,
    failure,
    too_long,
)
from toolmem.servers.lines import Lines, TooLong
from toolmem.servers.notices import bug, print_notices
from toolmem.servers.process import patiently, set_apart

_OURS = -32000
"""Base of the codes of toolmem's failures other than wrong params; the exit code is
subtracted."""
_DISCOVER = "rpc.discover"
FOR_PROGRAMS: Mapping[str, Callable[..., Any]] = {
    f"memory.{function.__name__}": function
    for function in (
        agent_tools.tool_rule_put,
        agent_tools.tool_rule_get,
        agent_tools.tool_rule_list,
        agent_tools.tool_rule_delete,
        agent_tools.tool_rules_for_prompt,
        agent_tools.tool_rules_json,
    )
}
"""Methods that JSON-RPC has in addition to the operations."""


def serve(launch: Launch) -> int:
    """Answer messages until the input ends; return the exit code.

    Raises ``NoVaultError`` and ``InvalidFileError`` before the first one.
    """
    vault = launched(launch, by_agent=False)
    print_notices(repaired(launch))
    lines = Lines.take()

    def every_message() -> None:
        for count, line in enumerate(lines.read(), 1):
            response = _response(vault, line)
            if response is not None:
                lines.write(json_text(response, indent=None))
            set_apart(count)

    return patiently(every_message, lines)


def _response(vault: Vault, line: bytes | TooLong) -> Any:
    if isinstance(line, bytes):
        return answer(line, partial(answered, vault))
    return failure(None, too_long(line.bytes))


def call(vault: Vault, method: str, params: Params) -> Any:
    """Return the result of a method; raise ``RpcError``."""
    return answered(vault, method, params).result


def answered(vault: Vault, method: str, params: Params) -> MethodResult:
    """Return the result of a method, and remarks on it; raise ``RpcError``."""
    try:
        if method == _DISCOVER:
            return MethodResult(discovery(vault))
        if method in FOR_PROGRAMS:
            return MethodResult(_call_tool(vault, method, params))
        if method in OPERATIONS:
            return _call_operation(vault, method, params)
    except ToolmemError as error:
        raise _explained(error) from error
    except Exception as error:
        raise RpcError(INTERNAL_ERROR, bug(error), {"code": "bug"}) from error
    similar = list(most_similar(method, [*OPERATIONS, *FOR_PROGRAMS]))
    data = {"code": "no_method", "method": method, "near": similar}
    raise RpcError(METHOD_NOT_FOUND, f"no method {method!r}", data)


def _call_operation(vault: Vault, method: str, params: Params) -> MethodResult:
    known = parameters_of(method_of(vault, method), method)
    vault, given = _narrowed(vault, params, known)
    reply = ask(vault, method, bind(known, given))
    print_notices(reply.remarks)
    return MethodResult(reply.document(), tuple(map(str, reply.remarks)))


def _call_tool(vault: Vault, method: str, params: Params) -> Any:
    function = FOR_PROGRAMS[method]
    known = parameters_of(function, skipped=1)
    vault, given = _narrowed(vault, params, known)
    return function(vault, **bind(known, given))


def _narrowed(
    vault: Vault, params: Params, known: tuple[Parameter, ...]
) -> tuple[Vault, Params]:
    """Return the vault for the project and agent in the params, and the rest."""
    if not isinstance(params, Mapping):
        return vault, params
    own = {parameter.name for parameter in known}
    names = {name: params[name] for name in NAMES if name in params and name not in own}
    for name, value in names.items():
        if not isinstance(value, str | None):
            raise UsageError(f"{name} must be a string, not {value!r:.40}")
    rest = {name: value for name, value in params.items() if name not in names}
    return vault.narrowed(**{name: value or "" for name, value in names.items()}), rest


def _explained(error: ToolmemError) -> RpcError:
    code = INVALID_PARAMS if isinstance(error, UsageError) else _OURS - error.exit_code
    if isinstance(error, NotAllowedError):
        code = _OURS - 1
    data = {**error.data(), "exit_code": error.exit_code}
    return RpcError(code, str(error), data)


def discovery(vault: Vault) -> dict[str, Any]:
    """Return every method with its params, in the form of OpenRPC."""
    methods = [
        _described(name, parameters_of(method_of(vault, name), name), NAMES)
        for name in OPERATIONS
    ]
    methods += [
        _described(name, parameters_of(function, skipped=1), NAMES)
        for name, function in FOR_PROGRAMS.items()
    ]
    info = {"title": "toolmem", "version": __version__}
    return {"openrpc": "1.3.2", "info": info, "methods": methods}


def _described(
    name: str, known: tuple[Parameter, ...], more: tuple[str, ...]
) -> dict[str, Any]:
    params = [
        {
            "name": parameter.name,
            "required": parameter.required,
            "schema": dict(parameter.schema),
        }
        for parameter in known
    ]
    params += [
        {"name": other, "required": False, "schema": {"type": "string"}}
        for other in more
    ]
    result = {"name": "answer", "schema": {}}
    return {"name": name, "params": params, "result": result}
