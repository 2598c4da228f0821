"""The namespace of a tool gives that tool's rules, whatever the words are."""

import json

import pytest


@pytest.fixture
def vault(world):
    vault = world.vault("empty")
    for tool, text, priority in (
        ("shell", "quote every path", "normal"),
        ("shell", "never use sudo", "critical"),
        ("Send_Email", "greet people by their name", "normal"),
        ("*", "answer briefly", "normal"),
    ):
        line = ("rule", "add", tool, text, "-p", priority)
        assert vault.call(*line).code == 0
    for number in range(9):
        assert vault.call("rule", "add", "git", f"do thing number {number}").code == 0
    return vault


def recalled(vault, words, tool):
    done = vault.call("recall", words, "--namespace", f"tool-{tool}", "--json")
    assert done.code == 0, done.stderr
    return sorted(hit["snippet"] for hit in json.loads(done.stdout)["results"])


@pytest.mark.parametrize("words", ["what applies here?", "rules", "*", "zebra"])
def test_words_that_fit_no_rule_give_all_of_the_tool(vault, words):
    assert recalled(vault, words, "shell") == ["never use sudo", "quote every path"]
    assert len(recalled(vault, words, "git")) == 9


@pytest.mark.one_of(3)
@pytest.mark.parametrize("words", ["what applies here?", "sudo", "zebra", "sudoo"])
@pytest.mark.parametrize("tool", ["send_email", "git"])
def test_rules_that_the_words_do_not_fit_have_no_score_and_say_so(vault, words, tool):
    done = vault.call("recall", words, "--namespace", f"tool-{tool}", "--json")
    found = json.loads(done.stdout)
    assert {(hit["score"], hit["relevance"]) for hit in found["results"]} == {(0, 0)}
    remark = f"no rule of {tool} has these words: these are all of its rules"
    assert remark in done.stderr + done.stdout


def test_words_that_fit_a_rule_give_it(vault):
    assert recalled(vault, "how to write a path", "shell") == ["quote every path"]


@pytest.mark.parametrize("name", ["send_email", "Send_Email", " SEND_EMAIL "])
def test_a_tool_is_found_in_any_spelling(vault, name):
    assert recalled(vault, "rules", name) == ["greet people by their name"]


def test_a_tool_without_rules_gives_none(vault):
    done = vault.call("recall", "rules", "--namespace", "tool-none", "--json")
    assert json.loads(done.stdout)["results"] == []
