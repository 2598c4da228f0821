"""Uninstalling restores an agent's settings to the byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World
from toolmem.core.agents.registry import wirings

SHARED = ("claude", "codex", "gemini", "cursor")
_EVENTS = ["Stop", "SessionStart", "PreToolUse", "AfterAgent", "stop"]
_handlers = st.lists(
    st.sampled_from(
        [
            {"hooks": [{"type": "command", "command": "./theirs.sh"}]},
            {"command": "./theirs.sh"},
            {"hooks": []},
        ]
    ),
    max_size=2,
)
_documents = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(st.sampled_from(_EVENTS), _handlers, max_size=3),
        "model": st.just("x"),
        "version": st.just(1),
    },
)
_texts = st.one_of(
    st.sampled_from(
        ["{}", "{}\n", " {\n}\n", '{"hooks": {}}', '{"hooks": {"Stop": []}}']
    ),
    st.builds(
        lambda document, indent, end: json.dumps(document, indent=indent) + end,
        _documents,
        st.sampled_from([None, 2, 4]),
        st.sampled_from(["", "\n"]),
    ),
)
_comments = st.sampled_from(["", "// theirs\n", "/* theirs */ "])


def is_left_alone(folder, agent: str, text: str) -> None:
    """Uninstall without an install, and after one, leaves the file as it was."""
    world = World(folder).write("toolmem.toml", "schema = 1\n")
    path = folder / wirings()[agent].project
    world.write(wirings()[agent].project, text)
    assert world.call("agent", "uninstall", agent).code == 0
    assert path.read_text() == text
    if world.call("agent", "install", agent).code:
        return  # settings that the agent itself could not read
    assert world.call("agent", "uninstall", agent).code == 0
    assert path.read_text() == text


@pytest.mark.parametrize("agent", SHARED)
@given(_texts, _comments)
@examples(30)
def test_settings_are_as_they_were(tmp_path_factory, agent, text, comment):
    is_left_alone(tmp_path_factory.mktemp("agent"), agent, comment + text)


@pytest.mark.soak
@pytest.mark.parametrize("agent", SHARED)
@given(_texts, _comments)
@examples(300, derandomize=False)
def test_settings_are_as_they_were_at_length(tmp_path_factory, agent, text, comment):
    is_left_alone(tmp_path_factory.mktemp("agent"), agent, comment + text)
