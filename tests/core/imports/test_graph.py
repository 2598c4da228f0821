"""The graph of the MCP reference memory server."""

import json

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.imports.graph import read_graph
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.model import Priority

BOX = Toolbox((), "shell")


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


ADA = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["a"]}
KNOWS = {"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"}


def test_entities_and_relations_become_memories():
    found = read_graph(lines(ADA, KNOWS, {**ADA, "observations": ["b\nc"]}), BOX)
    [ada] = found.texts
    assert (ada.title, ada.topic, ada.line) == ("Ada", "person", 1)
    assert ada.body == "- a\n- b\n  c\n\nRelations:\n\n- knows Bob"
    assert found.notes == ()


def test_one_document_with_all_of_them_is_read_too():
    whole = json.dumps({"entities": [ADA], "relations": [KNOWS]}, indent=1)
    assert [text.title for text in read_graph(whole, BOX).texts] == ["Ada"]


def test_a_relation_of_nobody_is_not_lost():
    [text] = read_graph(lines(KNOWS), BOX).texts
    assert (text.title, text.body) == ("Ada", "Relations:\n\n- knows Bob")


def test_what_is_not_understood_is_told_with_its_line():
    text = lines(ADA, {"type": "x"}, 3) + "\nnot json\n" + lines({**ADA, "more": 1})
    found = {(note.line, note.message) for note in read_graph(text, BOX).notes}
    assert found == {
        (2, "is neither an entity nor a relation"),
        (3, "is neither an entity nor a relation"),
        (4, "is not JSON"),
        (5, "ignored unknown keys: more"),
    }


def test_what_an_agent_noted_is_no_critical_rule():
    said = {**ADA, "observations": ["Never run `git push -f`."]}
    [rule] = read_graph(lines(said), BOX).rules
    assert (rule.priority, rule.by_person) == (Priority.HIGH, False)
    assert rule.text == 'In "Ada", in "person": Never run `git push -f`'


def test_what_an_entity_is_limits_what_is_noted_on_it():
    old = {"type": "entity", "name": "Old policy", "entityType": "policy"}
    said = {**old, "observations": ["Never run `git push -f`."]}
    assert read_graph(lines(said), BOX).rules == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "name", "entityType", "observations", "from", "to", "x"]
            ),
            inner | st.sampled_from(["entity", "relation", "Ada"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.one_of(st.text(max_size=120), st.lists(JSON).map(lambda held: lines(*held))))
def test_any_text_is_read(text):
    read_graph(text, BOX)
