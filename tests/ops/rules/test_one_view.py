"""Every surface shows the rules and facts in force, and no others."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolmem
from tests.examples import examples
from tests.ops.rules import one_view
from tests.ops.rules.one_view import Case, Expected
from toolmem.servers import agent_tools, resources

LIMIT = 100


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(one_view.NOW.timestamp())))
    place = Path(tempfile.mkdtemp())
    yield place
    shutil.rmtree(place)


def opened(root: Path, reader: str) -> toolmem.Vault:
    names: dict[str, Any] = {}
    for scope in one_view.CHAINS[reader]:
        kind, _, name = scope.partition(":")
        if "/" not in name and kind != "system":
            names[kind.replace("-", "_")] = name
    return toolmem.Vault.open(root, **names)


def lines(rules: list[Expected]) -> list[str]:
    return [f"- **[{rule.priority}]** {rule.text}" for rule in rules]


def rows(found) -> list[Expected]:
    return [Expected(r.id, r.tool, r.rule, str(r.priority)) for r in found]


def documents(found) -> list[Expected]:
    return [Expected(r["id"], r["tool_name"], r["rule"], r["priority"]) for r in found]


def pairs(rules: list[Expected]) -> set[tuple[str, str]]:
    return {(rule.id, rule.text) for rule in rules}


def compare_listings(vault: toolmem.Vault, case: Case, reader: str, tool: str) -> None:
    expected = one_view.applying_to(one_view.in_force(case, reader), tool)
    broken = one_view.broken_of(case, reader, tool)
    broken = sorted({*broken, *one_view.broken_of(case, reader, "_any")})
    listed = vault.rule.list(tool, effective=True)
    assert rows(listed.rules) == expected
    assert sorted(entry.path for entry in listed.unreadable) == broken
    assert documents(agent_tools.tool_rule_list(vault, tool)["rules"]) == expected
    assert documents(agent_tools.tool_rules_json(vault, tool)) == expected
    ids = {file.id for file in case.files}
    one_by_one = [agent_tools.tool_rule_get(vault, tool, id_)["rule"] for id_ in ids]
    assert sorted(documents(filter(None, one_by_one))) == sorted(expected)
    text = resources.read_resource(vault, f"toolmem://rules/{tool}")
    shown = [line for line in text.split("\n") if line.startswith("- ")]
    assert shown[len(broken) :] == lines(expected)
    assert [path for path in broken if path in text] == broken


def compare_block(vault: toolmem.Vault, case: Case, reader: str, tool: str) -> None:
    every = one_view.in_force(case, reader)
    expected = [*one_view.of_tool(every, "_any"), *one_view.of_tool(every, tool)]
    printed: dict[
        tuple[str, str], Expected
    ] = {}  # of the same text for a tool, the strictest
    for rule in sorted(expected, key=lambda one: one_view.RANKS[one.priority]):
        printed.setdefault((one_view.canonical(rule.tool), rule.text), rule)
    pinned = [rule for rule in printed.values() if rule.priority != "normal"]
    broken = one_view.broken_of(case, reader, tool)
    text = vault.prompt(tool=[tool], only=["rules"]).text
    shown = [line for line in text.split("\n") if line.startswith("- ")]
    ours = [line for line in shown if "cannot be read" not in line]
    assert sorted(ours) == sorted(lines(pinned))
    assert len(shown) - len(ours) == len(broken)
    answer = vault.guard(tool, input={})
    assert {(one.priority, one.text) for one in answer.shown} == {
        (rule.priority, rule.text)
        for rule in one_view.of_tool(every, tool)
        if rule.priority != "normal" and one_view.canonical(rule.tool) != "_any"
    }


NAMED = ((), one_view.WORDS[:1], one_view.HOSTS[:1], one_view.WORDS + one_view.HOSTS)


def compare_guard(vault: toolmem.Vault, case: Case, reader: str, tool: str) -> None:
    for named in NAMED:
        texts = [f"https://{one}/" if one in one_view.HOSTS else one for one in named]
        answer = vault.guard(tool, input={"texts": texts})
        assert answer.verdict == one_view.verdict(case, reader, tool, named), named


def compare_search(vault: toolmem.Vault, case: Case, reader: str, tool: str) -> None:
    every = one_view.in_force(case, reader)
    found = vault.search("gadget", only=["rule"], limit=LIMIT).found.hits
    texts = {(hit.doc.title, hit.doc.body) for hit in found}
    assert texts == {(rule.tool, rule.text) for rule in every}
    assert {(hit.doc.id, hit.doc.body) for hit in found} <= pairs(every)
    of_tool = one_view.of_tool(every, tool)
    for question in ("", "gadget"):
        answer = vault.recall(question, namespace=f"tool-{tool}", limit=LIMIT)
        assert answer.found is not None
        hits = answer.found.found.hits
        texts = {(hit.doc.title, hit.doc.body) for hit in hits}
        assert texts == {(rule.tool, rule.text) for rule in of_tool}


def compare_facts(vault: toolmem.Vault, case: Case, reader: str) -> None:
    expected = one_view.facts_in_force(case, reader)
    found = vault.search("gadget host port", only=["fact"], limit=LIMIT).found.hits
    assert {hit.doc.body for hit in found} == expected
    document = {
        "tool_id": "asker",
        "tool_version": "1",
        "timestamp": "2026-04-20T12:00:00Z",
        "agent_context": {},
        "inputs": {},
        "memory_queries": [
            {"query_id": "1", "memory_type": "semantic", "query_text": "host port"}
        ],
    }
    (answer,) = vault.query(document).answers
    assert {ranked.item.content for ranked in answer.results} == expected
    block = vault.prompt(only=["facts"]).text
    assert {line.removeprefix("- ") for line in block.split("\n") if ": " in line} == (
        expected
    )


def compare(folder: Path, case: Case, readers: list[str], tools: list[str]) -> None:
    root = Path(tempfile.mkdtemp(dir=folder))
    case.write(root)
    for reader in readers:
        vault = opened(root, reader)
        for tool in tools:
            compare_listings(vault, case, reader, tool)
            compare_block(vault, case, reader, tool)
            compare_guard(vault, case, reader, tool)
            if reader != "nobody":  # who names no project searches all of them
                compare_search(vault, case, reader, tool)
        if reader != "nobody":
            compare_facts(vault, case, reader)


@examples(50)
@given(
    case=one_view.cases(),
    reader=st.sampled_from(tuple(one_view.CHAINS)),
    tool=st.sampled_from(one_view.TOOLS),
)
def test_every_surface_shows_what_is_in_force(folder, case, reader, tool):
    compare(folder, case, [reader], [tool])


@pytest.mark.soak
@examples(300)
@given(case=one_view.cases())
def test_and_so_for_every_reader_and_tool(folder, case):
    compare(folder, case, list(one_view.CHAINS), list(one_view.TOOLS))
