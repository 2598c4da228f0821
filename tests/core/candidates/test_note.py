"""The note costs at most 80 tokens, whatever the candidates are."""

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.candidates.note import MARK, NotedCandidate, render_note
from toolmem.core.text.tokens import estimate_tokens


def test_one_candidate_is_quoted_with_the_command():
    assert render_note([NotedCandidate("kee3a1895", "Use pnpm, not npm.")]) == (
        'toolmem: a standing rule? "Use pnpm, not npm." If the user wants it in later '
        "sessions, run: toolmem rule keep kee3a. Not if for this task only, about the "
        "product, or quoted."
    )


def test_place_and_tool_are_named_where_they_are_known():
    found = NotedCandidate("kee3a1895", "No.", (), "only in project acme", ("Bash",))
    assert "keep kee3a. It applies only in project acme, for Bash (--scope). " in (
        render_note([found])
    )


def test_a_revocation_names_the_rule():
    found = [NotedCandidate("k12345678", "you can push again", ("3f2a91c0-1234",))]
    assert render_note(found) == (
        'toolmem: does this take back rule 3f2a91c0? "you can push again" If so, run: '
        "toolmem rule retract k1234. Otherwise ignore this."
    )


def test_without_candidates_there_is_no_note():
    assert render_note([]) == ""


SENTENCES = st.text(min_size=1, max_size=400)
IDS = st.from_regex(r"k[0-9a-f]{8}", fullmatch=True)
RULES = st.lists(st.uuids().map(str), max_size=3).map(tuple)
CANDIDATES = st.builds(NotedCandidate, IDS, SENTENCES, RULES)


@given(st.lists(CANDIDATES, min_size=1, max_size=6))
def test_a_note_is_one_short_line(candidates):
    note = render_note(candidates)
    assert estimate_tokens(note) <= 80
    assert "\n" not in note
    assert note.startswith(MARK) or note == ""


@given(st.lists(CANDIDATES, min_size=1, max_size=1))
def test_a_single_candidate_is_always_noted(candidates):
    assert candidates[0].id[:5] in render_note(candidates)
