"""The same text put again: what is stronger is taken over, the rest is reported.

For every attribute of a rule the same text is added again with another value of it, by
a person and by an agent, to the rule of either: afterwards the rule has the stronger
value, or the answer says what it does not have.
"""

import json
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World

Table = dict[str, Any]
TEXT = "never use rsync"
GUARD = {"action": "deny", "command": ["rsync"]}
MORE = {"action": "deny", "command": ["scp"]}
_attributes = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.sampled_from(["critical", "high", "normal"]),
        "tags": st.sampled_from([["a"], ["b"], ["a", "b"]]),
        "expires": st.sampled_from([10, 20]),
        "evidence": st.sampled_from(["said on Monday", "said on Tuesday"]),
        "guards": st.sampled_from([[], [GUARD], [MORE]]),
    },
)
_agents = st.sampled_from(["", "helper"])
_RANK = {"critical": 0, "high": 1, "normal": 2}


def put(world: World, given: Table, agent: str) -> Table:
    """Add the rule with these attributes; the document of the answer."""
    words = ["rule", "add", "shell", TEXT, "--scope", "system", "--json"]
    words += ["-p", given["priority"]] if "priority" in given else []
    for tag in given.get("tags", ()):
        words += ["--tag", tag]
    if "expires" in given:
        moment = world.now + timedelta(days=given["expires"])
        words += ["--expires", moment.isoformat()]
    words += ["--evidence", given["evidence"]] if "evidence" in given else []
    for guard in given.get("guards", ()):
        pairs = (f"{key}={json.dumps(value)}" for key, value in guard.items())
        words += ["--guard", "\n".join(pairs)]
    if given.get("guards") == []:
        words.append("--no-guard")
    before = pytest.MonkeyPatch()
    before.setenv("TOOLMEM_AGENT", agent)
    try:
        done = world.call(*words)
    finally:
        before.undo()
    assert done.code == 0, done
    answer = json.loads(done.stdout)
    for text in answer.get("differs", ()):
        assert text in done.stderr
    return dict(answer)


def state(world: World) -> Table:
    """The one rule of the vault."""
    [rule] = json.loads(world.call("rule", "list", "--json").stdout)
    return dict(rule)


def is_accounted_for(world: World, given: Table, agent: str, before: Table) -> None:
    """Each attribute is as strong as before and as asked, or is reported."""
    answer = put(world, given, agent)
    after, said = state(world), " ".join(answer.get("differs", ()))
    asked = dict(given)
    if agent and asked.get("priority") == "critical":
        asked["priority"] = "high"
        assert answer["clamped"] is True
    changed = _stated(before) != _stated(after)
    assert answer["action"] == ("updated" if changed else "exists")
    _not_weaker(before, after)
    if "priority" in asked and after["priority"] != asked["priority"]:
        assert "priority" in said
    if "tags" in asked and not set(asked["tags"]) <= set(after["tags"]):
        assert "tags" in said
    wanted = asked.get("expires")
    if wanted is None and after.get("expires_at"):
        assert "expir" in said
    if wanted is not None:
        moment = world.now + timedelta(days=wanted)
        if after.get("expires_at") != moment.strftime("%Y-%m-%dT%H:%M:%SZ"):
            assert "expir" in said
    if "evidence" in asked and after.get("evidence") != asked["evidence"]:
        assert "evidence" in said
    guards = asked.get("guards")
    if guards and not all(_has(after, guard) for guard in guards):
        assert "guards" in said
    if guards == [] and after.get("guard"):
        assert "guards" in said


def _stated(rule: Table) -> Table:
    return {key: value for key, value in rule.items() if key != "updated_at"}


def _has(rule: Table, guard: Table) -> bool:
    return any(
        all(one.get(key) == value for key, value in guard.items())
        for one in rule.get("guard") or ()
    )


def _not_weaker(before: Table, after: Table) -> None:
    assert _RANK[after["priority"]] <= _RANK[before["priority"]]
    assert set(before["tags"]) <= set(after["tags"])
    ends = (after.get("expires_at") or "9999", before.get("expires_at") or "9999")
    assert ends[0] >= ends[1]
    assert all(_has(after, guard) for guard in before.get("guard") or ())
    if before["source"] == "user_explicit":
        assert after["source"] == "user_explicit"


def nothing_is_dropped(folder, first, by, puts) -> None:
    world = World(folder).write("toolmem.toml", "schema = 1\n")
    put(world, first, by)
    for given_, agent in puts:
        is_accounted_for(world, given_, agent, state(world))


_puts = given(
    _attributes,
    _agents,
    st.lists(st.tuples(_attributes, _agents), min_size=1, max_size=3),
)


@_puts
@examples(40)
def test_nothing_that_is_put_again_is_dropped(tmp_path_factory, first, by, puts):
    nothing_is_dropped(tmp_path_factory.mktemp("put"), first, by, puts)


@pytest.mark.soak
@_puts
@examples(400, derandomize=False)
def test_nothing_that_is_put_again_is_dropped_at_length(
    tmp_path_factory, first, by, puts
):
    nothing_is_dropped(tmp_path_factory.mktemp("put"), first, by, puts)


@pytest.fixture
def vault(world):
    return world.write("toolmem.toml", "schema = 1\n")


def test_an_agent_changes_nothing_of_a_person_s_rule_and_is_told(vault):
    put(vault, {"priority": "high"}, "")
    before = state(vault)
    answer = put(vault, {"tags": ["a"], "guards": [MORE]}, "helper")
    assert answer["differs"] == ["only a person changes its guards, tags"]
    assert state(vault) == before


def test_what_a_person_says_again_is_a_person_s_rule(vault):
    put(vault, {"priority": "critical"}, "helper")
    assert state(vault)["source"] == "programmatic"
    answer = put(vault, {"priority": "critical"}, "")
    assert (answer["action"], answer["source"], answer["priority"]) == (
        "updated",
        "user_explicit",
        "critical",
    )


def test_a_typed_ban_takes_the_end_of_the_old_rule_away(vault):
    put(vault, {"expires": 10, "guards": [], "priority": "critical"}, "")
    typed = json.dumps({"messages": [{"role": "user", "content": "Never use rsync."}]})
    done = vault.call("capture", "-", "--json", stdin=typed)
    [decree] = json.loads(done.stdout)["decrees"]
    assert decree["action"] == "created"
    vault.clock(days=11)
    held = json.loads(vault.call("rule", "list", "--effective", "--json").stdout)
    assert [rule["rule"].lower().rstrip(".") for rule in held] == [TEXT]


@pytest.mark.parametrize("span", ["0d", "0s", "0w"])
def test_no_rule_expires_at_once(vault, span):
    for words in (
        ("rule", "add", "shell", TEXT, "--expires", span),
        ("memory", "save", "# Wine\n\nred", "--expires", span),
    ):
        done = vault.call(*words)
        assert (done.code, "already over" in done.stderr) == (2, True)
    assert vault.files().keys() == {"toolmem.toml"}


def test_a_key_that_another_namespace_has_is_reported(vault):
    vault.call("fact", "set", "language", "Python", "--namespace", "tools")
    done = vault.call("fact", "set", "language", "Go")
    assert done.stderr == (
        "toolmem: system/facts.md:2: language is also in namespace tools: Python\n"
    )


FORMS = ["caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}"]


@pytest.mark.parametrize(("first", "second"), list(product(FORMS, FORMS)))
def test_a_key_is_the_same_in_every_form_of_its_letters(vault, first, second):
    vault.write("system/facts.md", f"## {first}\n{first}: one\n")
    for words in (
        ("fact", "get", second),
        ("fact", "get", second, "--namespace", second),
        ("fact", "set", second, "two", "--namespace", second),
    ):
        assert vault.call(*words).code == 0
    assert vault.read("system/facts.md") == f"## {first}\n{first}: two\n"
    assert vault.call("fact", "delete", second).code == 0
    assert vault.read("system/facts.md") == f"## {first}\n"


@pytest.mark.parametrize("line", ["- **language**: Python", "**language:** Python"])
def test_a_key_in_bold_is_reported(vault, line):
    vault.write("system/facts.md", f"{line}\n- **Note**: no fact\n")
    done = vault.call("check")
    assert "system/facts.md:1" in done.stdout + done.stderr
    assert "write language: …" in done.stdout + done.stderr
    assert "facts.md:2" not in done.stdout + done.stderr
