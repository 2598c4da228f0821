"""A failure is the same on every surface: not found, out of range, not an argument."""

import json
from typing import Any

import pytest

from tests.surfaces.steps import HEAT, SHARED, STEPS, opened, words
from toolmem.api.access import NAMES
from toolmem.api.answers import parameters
from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import METHODS_ONLY, OPERATIONS, method_of
from toolmem.errors import NotFoundError, UsageError
from toolmem.servers import tool_calls
from toolmem.servers.arguments import ALIASES
from toolmem.servers.jsonrpc import INVALID_PARAMS, RpcError
from toolmem.servers.rpc import answered, call
from toolmem.servers.tool_table import TOOLS

MISSING: dict[str, dict[str, Any]] = {
    "rule.show": {"id": "nope"},
    "rule.why": {"id": "nope"},
    "rule.test": {"id": ["nope"]},
    "rule.edit": {"id": "nope", "priority": "high"},
    "rule.override": {"id": "nope", "scope": "project:x", "disable": True},
    "rule.archive": {"id": "nope", "reason": "over"},
    "rule.move": {"id": "nope", "scope": "system"},
    "rule.delete": {"id": ["nope"]},
    "memory.show": {"id": "nope"},
    "memory.edit": {"id": "nope", "topic": "x"},
    "memory.archive": {"id": "nope", "reason": "over"},
    "memory.move": {"id": "nope", "scope": "system"},
    "memory.delete": {"id": ["nope"]},
    "fact.get": {"key": "tset_command"},
    "fact.delete": {"key": "nope"},
    "tool.show": {"tool": "nope"},
    "scratch.show": {"id": "nope"},
    "scratch.edit": {"id": "nope", "text": "x"},
    "scratch.set-status": {"id": "nope", "status": "resolved"},
    "scratch.clear": {"id": ["nope"]},
    "conversation.show": {"id": "nope"},
    "working.show": {"name": "nope"},
    "working.clear": {"name": ["nope"]},
    "turn.show": {"turn": 0, "session": "nope"},
    "stats": {"tool": "nope"},
    "restore": {"id": "nope"},
    "review": {"accept": "nope"},
    "commit": {"id": ["nope"]},
    "diff": {"before": "nope"},
    "log": {"id": "nope"},
    "prompt": {"at": "nope"},
    "resolve": {"path": ["nope.md"], "take": "ours"},
    "sync": {"remote": "nope"},
    "import": {"path": ["nope.md"]},
    "reflect": {"apply": "nope.toml"},
}
"""Something that is not there, for each operation that asks for one by its name."""
FACTS = ("fact.get", "fact.delete")
"""Operations that answer with more than the fact."""
NAMELESS = {
    "names nothing that must be there": {
        *("rule.add", "rule.keep", "rule.retract", "fact.set", "memory.save"),
        *("guard", "query", "apply", "scratch.add", "working.set", "check", "doctor"),
        *("conversation.add", "conversation.clear", "report", "export", "settings"),
        *("git.install", "git.status", "git.uninstall", "tool.add", "tool.import"),
        *("index.status", "index.rebuild", "turn.render", "capture", "turn.add"),
    },
    "a list without matches is an answer": {
        *("rule.list", "rule.due", "fact.list", "memory.list", "search", "recall"),
        *("trace", "scratch.list", "conversation.list", "tool.list", "turn.list"),
    },
}
"""Operations without such an input, by the reason."""


def test_each_operation_has_a_missing_input_or_a_reason():
    exempt = set().union(*NAMELESS.values())
    assert (set(MISSING) | exempt, set(MISSING) & exempt) == (set(OPERATIONS), set())


@pytest.mark.parametrize("name", MISSING)
def test_what_is_not_there_is_the_same_failure_everywhere(name, unchanged):
    params = MISSING[name]
    line, stdin = words(name, params)
    printed = unchanged.call(*line, stdin=stdin)
    document = json.loads(printed.stderr)
    kind = (printed.code, document["code"], document["found"])
    assert kind == (12, "not_found", False)
    vault, failure = opened(unchanged), None
    try:
        reply = answered(vault, name, params)
    except RpcError as error:
        failure = error
    if failure is None:
        assert reply.remarks
        assert not reply.result or reply.result.get("found", False) is False
        assert not method_of(vault, name)(**params) or name in FACTS
        return
    assert (failure.code, failure.data["found"]) == (-32012, False)
    with pytest.raises(NotFoundError) as raised:
        method_of(vault, name)(**params)
    assert str(raised.value) == str(failure)


@pytest.mark.parametrize(
    "tool",
    [tool for tool in TOOLS if tool.operation in MISSING],
    ids=lambda tool: tool.name,
)
def test_a_tool_says_that_it_is_not_there(tool, unchanged):
    own = {ALIASES.get(one.name, one.name): one.name for one in tool.parameters()}
    params = {
        key: value for key, value in MISSING[tool.operation].items() if key in own
    }
    given = {own[key]: value for key, value in params.items()}
    if tool.function and isinstance(given.get("id"), list):
        [given["id"]] = given["id"]
    given |= {"tool_name": "*"} if "tool_name" in own.values() else {}
    reply = tool_calls.call_tool(opened(unchanged), tool, given)
    if tool.name == "tool_rules_for_prompt":
        assert not reply["isError"]  # no argument of it names what may be missing
        return
    assert reply["isError"] or reply["structuredContent"]["found"] is False


OTHER_INVALID: dict[str, dict[str, Any]] = {
    "memory.archive": {"id": HEAT, "reason": ""},
    "apply": {"response": {"memory_writes": 1}},
    "check": {"secrets": False, "history": True},
    "commit": {"id": ["x"], "all": True},
    "reflect": {"apply": "plan.json", "model": True},
    "report": {"base_url": "ftp://example.org", "output": "page.html"},
    "scratch.edit": {"id": "x", "ttl": "0h"},
    "scratch.set-status": {},
    "tool.import": {"listing": "no listing"},
    "turn.show": {"turn": 0, "session": ""},
    "working.set": {"name": "goal", "ttl": "0h"},
}
"""Invalid values that do not follow from the description of an argument."""
VALUELESS = {
    "takes ids and names, which are not there if they are wrong": {
        *("rule.why", "rule.test", "rule.due", "memory.show", "memory.delete"),
        *("scratch.show", "scratch.clear", "working.clear", "conversation.show"),
        *("conversation.clear", "diff", "sync", "restore", "tool.show"),
    },
    "takes any words": {"guard", "tool.add"},
    "looks for the entry first": {"scratch.set-status"},
    "takes nothing or flags": {
        *("git.install", "git.status", "git.uninstall", "doctor", "settings"),
        *("index.status", "index.rebuild"),
    },
}


def invalid(name: str) -> dict[str, Any]:
    """Return an invalid value of an argument, by its description."""
    if name in OTHER_INVALID:
        return OTHER_INVALID[name]
    for one in parameters(name):
        about = argument(name, one.name)
        if about.least is not None:
            return {one.name: int(about.least) - 1}
    for one in parameters(name):
        if argument(name, one.name).choices() or one.name == "scope":
            return {one.name: "nonsense"}
    return {}


def test_each_operation_has_an_invalid_value_or_a_reason():
    exempt = set().union(*VALUELESS.values())
    tried = {name for name in OPERATIONS if invalid(name)}
    assert (tried | exempt, tried & exempt) == (set(OPERATIONS), set())


@pytest.mark.parametrize("name", [name for name in OPERATIONS if invalid(name)])
def test_an_invalid_value_is_refused_everywhere(name, unchanged):
    good = next((params for step, params in STEPS if step == name), {})
    params = {**good, **invalid(name)}
    with pytest.raises(RpcError) as refused:
        call(opened(unchanged), name, params)
    assert refused.value.code == INVALID_PARAMS
    with pytest.raises(UsageError) as raised:
        method_of(opened(unchanged), name)(**chain_free(params))
    assert str(raised.value) == str(refused.value)
    if name in METHODS_ONLY:
        return
    line, stdin = words(name, params)
    printed = unchanged.call(*line, stdin=stdin)
    document = json.loads(printed.stderr)
    assert (printed.code, document["code"]) == (2, raised.value.code)
    [key, *_] = invalid(name)
    if argument(name, key).least is not None:
        flag = f"--{key.replace('_', '-')}"
        assert document["message"] == str(raised.value).replace(key, flag, 1)


def chain_free(params: dict[str, Any]) -> dict[str, Any]:
    """The params that a method takes: the chain is chosen when a vault is opened."""
    return {key: value for key, value in params.items() if key not in NAMES}


@pytest.mark.parametrize("name", SHARED)
def test_an_unknown_argument_is_refused_everywhere(name, unchanged):
    printed = unchanged.call(*name.split("."), "--nonsense", "--json")
    assert (printed.code, json.loads(printed.stderr)["code"]) == (2, "usage")
    with pytest.raises(RpcError) as refused:
        call(opened(unchanged), name, {"nonsense": 1})
    assert refused.value.code == INVALID_PARAMS
    with pytest.raises(TypeError):
        method_of(opened(unchanged), name)(nonsense=1)
    for tool in (one for one in TOOLS if one.operation == name):
        answer = tool_calls.call_tool(opened(unchanged), tool, {"nonsense": 1})
        assert answer["isError"] is True


INVALID = (
    ("rule.add", {"tool": "shell", "text": "x", "priority": "urgent"}, "priority"),
    ("search", {"query": "x", "importance_min": 5}, "importance"),
    ("rule.list", {"effective": True, "scope": "system"}, "effective"),
    ("export", {"target": "nope"}, "nope"),
    ("resolve", {"key": "x"}, "take"),
)


@pytest.mark.parametrize(("name", "params", "named"), INVALID)
def test_an_invalid_argument_is_named_as_the_surface_names_it(
    name, params, named, unchanged
):
    line, stdin = words(name, params)
    printed = unchanged.call(*line, stdin=stdin)
    message = json.loads(printed.stderr)["message"]
    assert (printed.code, named in message) == (2, True)
    with pytest.raises(RpcError) as refused:
        call(opened(unchanged), name, params)
    assert refused.value.code == INVALID_PARAMS
    assert "--" not in str(refused.value)
    assert str(refused.value) == message.replace("--", "").replace("-min", "_min")


@pytest.mark.parametrize("words", [("rule", "add"), ("rule", "lst"), ("nope",)])
def test_a_wrong_command_line_is_one_object_with_json(words, unchanged):
    printed = unchanged.call(*words, "--json")
    assert printed.code == 2
    assert json.loads(printed.stderr)["code"] == "usage"
