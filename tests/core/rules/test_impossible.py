"""Every guard that is accepted can match some call; others are refused with a hint."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.guard.verdict import run_examples
from toolmem.core.rules.guard_table import impossible, parse_guards


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("host", "localhost:8080", "write it without scheme, user, port and path"),
        ("host", "https://example.com", "write it without scheme, user, port and path"),
        ("host", "ada@example.com", "write it without scheme, user, port and path"),
        ("host", "example.com/login", "write it without scheme, user, port and path"),
        ("path", "../x/**", "has `..` or `.`"),
        ("path", "src/../x", "has `..` or `.`"),
        ("path", "$HOME/x", "variables are not read"),
        ("path", "%USERPROFILE%/x", "variables are not read"),
        ("argument", "input.path", "name the last part, 'path'"),
    ],
)
def test_a_guard_that_could_match_nothing_is_refused(world, key, value, hint):
    [problem] = impossible({"action": "deny", key: value})
    assert hint in problem
    world.write("toolmem.toml", "schema = 1\n")
    done = world.call(
        "rule", "add", "shell", "be careful", "--guard", f"{key}={value!r}"
    )
    assert (done.code, hint in done.stderr) == (2, True)


@pytest.mark.parametrize("host", ["::1", "[::1]", "localhost", "*.example.com"])
def test_hosts_of_every_kind_are_accepted(host):
    assert not list(impossible({"action": "deny", "host": host}))


def test_a_guard_that_follows_from_words_and_matches_nothing_is_left_out(world):
    world.write("toolmem.toml", "schema = 1\n")
    done = world.call("rule", "add", "edit", "never edit ../x/secrets.txt", "--json")
    assert (done.code, json.loads(done.stdout).get("guard")) == (0, None)


def test_a_guard_in_a_file_that_matches_nothing_is_reported(world):
    world.write("toolmem.toml", "schema = 1\n")
    rule = 'id = "r"\ntool = "edit"\nrule = "careful"\n\n[[guard]]\npath = "../x"\n'
    world.write("system/rules/edit/r.toml", rule)
    done = world.call("check")
    assert "has `..` or `.`" in done.stdout + done.stderr
    verdict = world.call("guard", "edit", "--input", '{"file_path": "a"}', "--json")
    assert json.loads(verdict.stdout)["verdict"] == "allow"


def test_the_examples_of_a_rule_that_is_not_there_are_not_found(world):
    world.write("toolmem.toml", "schema = 1\n")
    done = world.call("rule", "test", "nope")
    assert (done.code, "no rule 'nope'" in done.stderr) == (12, True)


_word = st.text("abcxyz.-_$~:/@[]% ", min_size=1, max_size=12)
_glob = st.lists(st.sampled_from(["a", "b.py", "*", "**", "..", ".", "~", "$X", "src"]))
_guards = st.one_of(
    st.tuples(st.just("host"), _word, st.just("https://{}/x")),
    st.tuples(st.just("path"), _glob.filter(bool).map("/".join), st.just("{}")),
    st.tuples(st.just("contains"), _word, st.just("see {} there")),
)


def is_possible(key: str, value: str, example: str) -> None:
    """A guard that is accepted matches the call that is made of its own words."""
    words = value.replace("**", "a").replace("*", "a")
    if key == "host" and ":" in value:
        words = f"[{words.strip('[]')}]"
    shown = example.format(words)
    table = {"action": "deny", key: value, "match": [shown]}
    [guard], problems = parse_guards([table], path="x")
    if not problems and not any(impossible(table)):
        assert run_examples(guard) == (), shown


@given(_guards)
@examples(300)
def test_every_guard_that_is_accepted_can_match(guard):
    is_possible(*guard)


@pytest.mark.soak
@given(_guards)
@examples(3000, derandomize=False)
def test_every_guard_that_is_accepted_can_match_at_length(guard):
    is_possible(*guard)
