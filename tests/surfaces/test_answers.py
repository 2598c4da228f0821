"""An operation gives the same document and remarks on every surface."""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.extra import needs_mcp
from tests.source import SOURCES
from tests.surfaces.steps import HEAT, RULE, STEPS, opened, plain, words
from toolmem.api.documents import forms
from toolmem.api.operations.table import METHODS_ONLY, OPERATIONS
from toolmem.api.schemas import schema
from toolmem.core.formats.json_text import json_text
from toolmem.servers import tool_calls
from toolmem.servers.notices import block_for_agents
from toolmem.servers.rpc import answered, call
from toolmem.servers.tool_table import BY_NAME, TOOLS

_CLASS = re.compile(r"^ *class (\w+)", re.M)
_BY_ID = ("scratch.edit", "scratch.set-status")
"""Operations on an entry whose id an earlier one made: tried apart."""


def test_an_operation_gives_the_same_document_everywhere(by_flags, by_rpc):
    vault = opened(by_rpc)
    for name, params in STEPS:
        if name in METHODS_ONLY:
            assert call(opened(by_flags), name, params) == call(vault, name, params)
            continue
        line, stdin = words(name, params)
        printed = by_flags.call(*line, stdin=stdin)
        assert printed.code in (0, 1, 12), (name, printed.stderr)
        answered = json_text(call(vault, name, params))
        step = f"{name} {params}"
        if printed.stdout:
            check_schema(name, json.loads(printed.stdout))
        assert (step, plain(by_flags, printed.stdout)) == (
            step,
            plain(by_rpc, answered),
        )
    ours, theirs = by_flags.files(), by_rpc.files()
    # The page has the ids of commits, which were made at different times.
    assert [files.pop("report.html")[:15] for files in (ours, theirs)] == [
        b"<!DOCTYPE html>"
    ] * 2
    assert ours == theirs


def check_schema(name, document):
    wanted = schema(name)
    Draft7Validator.check_schema(wanted)
    Draft7Validator(wanted).validate(document)
    [answer] = [one for one in wanted["allOf"] if "$ref" in one] or [{}]
    of_type = wanted["definitions"].get(answer.get("$ref", "")[14:], {})
    if described := of_type.get("properties"):
        assert set(document) <= set(described)


def test_a_form_is_that_of_one_type():
    texts = SOURCES.values()
    classes = Counter(name for text in texts for name in _CLASS.findall(text))
    assert {name: classes[name] for name in forms()} == dict.fromkeys(forms(), 1)


def test_a_wrong_answer_does_not_fit_its_schema():
    for name, wrong in (("rule.list", {}), ("git.status", {}), ("memory.delete", [{}])):
        assert not Draft7Validator(schema(name)).is_valid(wrong)


def test_entries_of_the_scratch_page_move_on_alike(by_flags, by_rpc):
    vault = opened(by_rpc)
    for name in _BY_ID:
        held = json.loads(by_flags.call("scratch", "add", "look", "--json").stdout)
        kept = call(vault, "scratch.add", {"text": "look"})
        assert held["id"] == kept["id"]
        more = {
            "scratch.edit": {"text": "see"},
            "scratch.set-status": {"status": "resolved"},
        }
        params = {"id": held["id"], **more.get(name, {})}
        printed = by_flags.call(*words(name, params)[0])
        answered = json_text(call(vault, name, params))
        assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)
    ids = {"id": [held["id"]]}
    printed = by_flags.call(*words("scratch.clear", ids)[0])
    answered = json_text(call(vault, "scratch.clear", ids))
    assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)


def test_a_vault_is_shared_alike(by_flags, by_rpc):
    for world in (by_flags, by_rpc):
        world.git("init", "--quiet", "--bare", "../shared.git")
        world.git("remote", "add", "origin", "../shared.git")
        world.git("push", "--quiet", "--set-upstream", "origin", "HEAD")
        world.write("system/notes.md", "A note.\n").commit("a note")
    printed = by_flags.call("sync", "--json")
    answered = json_text(call(opened(by_rpc), "sync", {}))
    assert json.loads(printed.stdout)["pushed"] is True
    assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)


def test_every_operation_was_tried():
    tried = {name for name, _ in STEPS} | set(_BY_ID) | {"scratch.clear", "sync"}
    assert tried == set(OPERATIONS)


def same(document):
    return document


def as_of_tool(document):
    """A rule as tools give it: its tool under the name that models know."""
    return {
        ("tool_name" if key == "tool" else key): value
        for key, value in document.items()
    }


NOTE = "# Pygame needs SDL 2.28\n\nOlder ones crash on start."
GIVEN: dict[str, tuple[dict[str, Any], dict[str, Any], Callable[[Any], Any]]] = {
    "memory_recall": ({"query": "language"}, {"query": "language"}, same),
    "memory_idea_recall": (
        {"query": "heat"},
        {"query": "heat", "limit": 5, "only": ["memory"]},
        same,
    ),
    "memory_idea_save": (
        {"content": NOTE, "tags": ["a"]},
        {"text": NOTE, "tag": ["a"]},
        same,
    ),
    "memory_idea_edit": (
        {"id": HEAT, "tags": ["x"]},
        {"id": HEAT, "tag": ["x"]},
        same,
    ),
    "memory_idea_archive": (
        {"id": HEAT, "reason": "old"},
        {"id": HEAT, "reason": "old"},
        same,
    ),
    "memory_idea_delete": (
        {"id": HEAT},
        {"id": HEAT},
        lambda d: {"found": True, "deleted": True, "id": d[0]["id"]},
    ),
    "memory_idea_list": ({}, {}, lambda d: {"memories": d, "total": len(d)}),
    "memory_get": (
        {"id": HEAT, "full": True},
        {"id": HEAT, "full": True},
        same,
    ),
    "memory_fact_recall": ({"key": "language"}, {"key": "language"}, same),
    "memory_fact_store": (
        {"key": "k", "value": "v"},
        {"key": "k", "value": "v"},
        same,
    ),
    "memory_fact_list": ({}, {}, lambda d: {"facts": d}),
    "memory_fact_delete": ({"key": "language"}, {"key": "language"}, same),
    "tool_rule_why": ({"id": RULE}, {"id": RULE}, same),
    "tool_rule_put": (
        {"tool_name": "git", "rule": "no force", "priority": "high", "id": "r"},
        {"tool": "git", "text": "no force", "priority": "high", "id": "r"},
        lambda d: {**as_of_tool(d), "source": "programmatic", "clamped": False},
    ),
    "tool_rule_get": (
        {"tool_name": "*", "id": RULE},
        {"id": RULE},
        lambda d: {"found": d.pop("found"), "rule": as_of_tool(d)},
    ),
    "tool_rule_list": (
        {"tool_name": "shell"},
        {"tool": "shell", "effective": True},
        lambda d: {"rules": [as_of_tool(rule) for rule in d]},
    ),
    "rule_keep": ({"id": ["k0"]}, {"id": ["k0"]}, same),
    "rule_retract": ({"id": ["k0"]}, {"id": ["k0"]}, same),
    "tool_rule_delete": (
        {"tool_name": "*", "id": RULE},
        {"id": RULE},
        lambda d: {"found": True, "deleted": True, "id": d[0]["id"]},
    ),
    "tool_rules_for_prompt": (
        {"tools": ["shell"]},
        {"tool": ["shell"], "only": ["rules"]},
        lambda d: {"rendered": block_for_agents(d["text"])},
    ),
    "guard_check": (
        {"tool_name": "shell", "input": {"command": "sudo ls"}},
        {"tool": "shell", "input": {"command": "sudo ls"}},
        same,
    ),
    "scratch_add": ({"content": "look"}, {"text": "look"}, same),
    "scratch_list": ({}, {}, lambda d: {"entries": d}),
    "scratch_set_status": ({"status": "resolved"}, {"status": "resolved"}, same),
}


_BY_ENTRY = ("scratch_set_status",)
"""Tools for an entry that must be there."""


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@needs_mcp
def test_a_tool_gives_what_its_operation_gives(tool, by_flags, by_rpc):
    [operation] = [one.name for one in OPERATIONS.values() if tool.name == one.tool]
    given, params, expected = GIVEN[tool.name]
    if tool.name in _BY_ENTRY:
        for world in (by_flags, by_rpc):
            made = call(opened(world), "scratch.add", {"text": "look"})
        given, params = {**given, "id": made["id"]}, {**params, "id": made["id"]}
    answer = tool_calls.run_tool(opened(by_flags), tool, given)
    answer.pop("remarks", None)
    document = plain(by_rpc, json_text(call(opened(by_rpc), operation, params)))
    wanted = expected(document)
    if tool.name == "tool_rules_for_prompt":
        assert [rule["tool_name"] for rule in answer.pop("rules")] == ["_any"]
    assert plain(by_flags, json_text(answer)) == wanted
    properties = set(tool.output_schema()["properties"])
    assert set(tool.output_schema()["required"]) <= set(answer) | {"rules"}
    assert properties <= set(answer) | {"remarks", "rules", "results", "value"} | (
        {"topic_fallback", "total"}
    )


def test_a_response_has_the_remarks_of_the_command(by_flags, by_rpc):
    params = {"key": "tset_command", "scope": "project:mech-fighters"}
    printed = by_flags.call("fact", "get", "tset_command", "--scope", params["scope"])
    reply = answered(opened(by_rpc), "fact.get", params)
    assert [f"toolmem: {one}\n" for one in reply.remarks] == [printed.stderr]


def test_the_text_of_a_rule_is_not_rewritten_for_programs(by_flags):
    text = "never use pip install --break-system-packages"
    reply = answered(opened(by_flags), "rule.add", {"tool": "shell", "text": text})
    assert any("--break-system-packages" in one for one in reply.remarks)
    saved = tool_calls.run_tool(
        opened(by_flags), BY_NAME["tool_rule_put"], {"tool_name": "git", "rule": text}
    )
    assert any("--break-system-packages" in one for one in saved["remarks"])


def test_a_dry_run_writes_nothing(by_flags):
    before = by_flags.files()
    tried = by_flags.call("rule", "add", "shell", "never use sudo", "--dry-run")
    assert "created" in tried.stdout
    assert tried.stderr.endswith("toolmem: dry run: nothing was changed\n")
    edited = by_flags.call("rule", "edit", RULE, "-p", "normal", "--dry-run")
    assert "updated" in edited.stdout
    assert by_flags.files() == before


def test_several_ids_are_deleted_or_none(by_flags):
    vault = opened(by_flags)
    ids = [vault.rule.add("shell", text).rule.id for text in ("no curl", "no wget")]
    refused = by_flags.call("rule", "delete", *ids, "nope")
    assert (refused.code, vault.rule.show(ids[0]) is None) == (12, False)
    printed = by_flags.call("rule", "delete", *ids, "--json")
    assert [one["id"] for one in json.loads(printed.stdout)] == ids
    assert vault.rule.show(ids[0]) is None
