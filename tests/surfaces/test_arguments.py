"""An operation takes the same arguments on every surface."""

import inspect
from typing import Any

import pytest

from tests.surfaces.steps import COMMANDS, SHARED, opened, parameters
from toolmem.api.access import NAMES, Access
from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import (
    COMMANDS_ONLY,
    FLAGS_ONLY,
    METHODS_ONLY,
    OPERATIONS,
    PROGRAMS_ONLY,
    method_of,
)
from toolmem.api.vault import Vault
from toolmem.core.access.agent_bounds import WHOLE, decided
from toolmem.servers.arguments import ALIASES
from toolmem.servers.rpc import call
from toolmem.servers.tool_table import BY_NAME, TOOLS

_EVERYWHERE = {"vault", "json", "help", *NAMES}
_TOOLS_ONLY = {"tool_rule_get": {"tool"}, "tool_rule_delete": {"tool"}}
"""Tools also identify a tool's rules by the tool, as in the seed systems."""
_LESS = {"memory_idea_list": {"limit"}}
"""A model is given a part of a long listing, and the number of all."""
_FREE = {
    *("alias", "argument", "description", "evidence", "guard", "input", "message"),
    *("quote", "reason", "source_task", "task", "text", "value", "verb", "wording"),
    *("context", "metadata", "base_url", "query", "request", "key", "remote"),
    *("budget", "confidence", "importance", "importance_min", "last", "limit"),
    *("max_chars", "ttl", "turn", "after", "at", "before", "event", "path"),
    *("answers", "append_to", "apply", "bundle", "check", "file", "folder"),
    *("listing", "output", "response", "vault"),
}
"""Arguments of any text, number, file or revision: no set of values is known."""
_OF_A_TRANSCRIPT = {("capture", "session"), ("turn.add", "session")}
"""A new name for what is read; the sessions of the vault are others."""
_NEW = {("rule.add", "id")}


def method(name: str) -> Any:
    unopened: Any = Access({}, None, None, None)  # type: ignore[arg-type]
    return method_of(Vault(unopened), name)


def test_every_command_is_an_operation_or_says_why_not():
    served = {n for n in COMMANDS if n.partition(".")[0] not in COMMANDS_ONLY}
    assert served == set(OPERATIONS) - set(METHODS_ONLY)
    assert set(METHODS_ONLY) <= set(OPERATIONS)
    assert all(METHODS_ONLY.values())
    groups = {name.partition(".")[0] for name in COMMANDS}
    assert set(COMMANDS_ONLY) <= groups
    assert all(COMMANDS_ONLY.values())


@pytest.mark.parametrize("name", SHARED)
def test_an_operation_takes_the_same_arguments_everywhere(name):
    by_flag = set(parameters(name)) - _EVERYWHERE - set(FLAGS_ONLY.get(name, {}))
    taken = set(inspect.signature(method(name)).parameters)
    assert by_flag == taken - set(PROGRAMS_ONLY.get(name, {}))


@pytest.mark.parametrize("name", SHARED)
def test_what_must_be_given_must_be_given_everywhere(name):
    needed = {key for key, one in parameters(name).items() if one.required}
    signature = inspect.signature(method(name)).parameters.values()
    wanted = {one.name for one in signature if one.default is one.empty}
    assert needed - set(FLAGS_ONLY.get(name, {})) - {"file", "text", "request"} <= (
        wanted | set(PROGRAMS_ONLY.get(name, {}))
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_an_agent_may_give_is_decided_for_each_argument(name):
    taken = set(inspect.signature(method(name)).parameters)
    assert set(decided()[name]) in ({WHOLE}, taken | set(FLAGS_ONLY.get(name, {})))
    assert hasattr(method(name), "__wrapped__")


def test_the_table_of_bounds_has_no_other_operations():
    assert set(decided()) == set(OPERATIONS)


def test_every_tool_is_one_operation():
    named = [one.tool for one in OPERATIONS.values() if one.tool]
    assert sorted(named) == sorted(BY_NAME)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_takes_arguments_of_its_operation(tool):
    [operation] = [one for one in OPERATIONS.values() if tool.name == one.tool]
    given = {ALIASES.get(one.name, one.name) for one in tool.parameters()}
    given -= _TOOLS_ONLY.get(tool.name, set()) | _LESS.get(tool.name, set())
    assert given <= set(inspect.signature(method(operation.name)).parameters)


def test_each_argument_of_a_known_set_is_completed():
    lacking = {
        (name, str(one.name))
        for name, command in COMMANDS.items()
        for one in command.params
        if not (getattr(one, "is_flag", False) or one._custom_shell_complete)
    }
    lacking = {(name, key) for name, key in lacking if key not in _FREE}
    assert lacking == _OF_A_TRANSCRIPT | _NEW


LISTS = (
    *("rule.list", "memory.list", "fact.list", "tool.list", "scratch.list", "trace"),
    *("working.show", "conversation.list", "turn.list", "stats", "search", "log"),
)


@pytest.mark.parametrize("name", LISTS)
def test_every_list_has_a_limit(name, unchanged):
    assert argument(name, "limit").flags[0] == "-n"
    found = call(
        opened(unchanged),
        name,
        {"limit": 1, **({"query": "heat"} if name == "search" else {})},
    )
    assert len(found["results"] if name == "search" else found) <= 1
