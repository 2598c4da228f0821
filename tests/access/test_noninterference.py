"""Items that a tool cannot see change no byte of its answers, except times.

Two vaults that differ in invisible things only are asked the same, first without
and then with anything remembered, and written to alike.
"""

import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.access.asking import query, request
from tests.examples import examples
from toolmem.core.access.dialogue import read_message
from toolmem.core.access.scratch_page import read_entry
from toolmem.core.access.working_memory import read_value
from toolmem.ops.access.apply import apply_response
from toolmem.ops.access.query import QueryService
from toolmem.store.journal import journal
from toolmem.store.state import conversation, scratch, working
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

_QUICK = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A folder without disk access, if possible: many vaults are written."""
NOW = datetime(2026, 4, 20, 12, tzinfo=UTC)
MANIFEST = """\
name = "wine_recommender"
[memory_access.episodic]
query_types = ["observation", "user_preference"]
[memory_access.semantic]
query_types = ["fact", "skill"]
tags = ["wine", "food"]
[memory_access.scratch_page]
[memory_access.conversation]
[memory_access.working]
"""
WORDS = "wine red white burgundy glass likes dry sweet oyster cellar Morgon 2020 never"
_text = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=9).map(" ".join)
_tags = st.sampled_from(["[]", "[wine]", "[food, wine]", "[pay]"])
_types = ("semantic", "episodic", "scratch_page", "conversation", "working")


class Thing(NamedTuple):
    """A file, or something in local state that belongs to an agent and a project."""

    place: str
    content: str
    agent: str = ""
    project: str = ""


def memory(text: str, **fields: Any) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items() if value)
    return f"---\n{lines}---\n# {text}\n\nSaid: {text}.\n"


@st.composite
def memories(draw, /, folders, kinds, **fields):
    """Memories in these folders, each of another name."""
    found = []
    for text in draw(st.lists(_text, max_size=5)):
        more = {
            "tags": draw(_tags),
            "kind": draw(st.sampled_from(kinds)),
            "importance": draw(st.sampled_from(["0.2", "0.9", ""])),
            "created": draw(st.sampled_from(["2026-04-01", "2025-12-01", ""])),
        }
        folder = draw(st.sampled_from(folders))
        found.append(Thing(f"{folder}/memory/{{}}.md", memory(text, **more | fields)))
    return found


@st.composite
def going_on(draw, agent, project):
    """Entries of an agent's local state; ``typed`` ones in a turn that goes on."""
    kinds = st.sampled_from(["scratch_page", "conversation", "working", "typed"])
    return [
        Thing(kind, draw(_text), agent, project)
        for kind in draw(st.lists(kinds, max_size=3))
    ]


def _together(parts) -> list[Thing]:
    return list(chain.from_iterable(parts))


_known = ["fact", "skill", "observation", "user_preference", "insight", ""]
_seen = st.tuples(
    memories(["system", "projects/shop", "agents/helper"], _known),
    st.lists(_text, max_size=2).map(
        lambda texts: (
            [
                Thing(
                    "system/facts.md",
                    "".join(f"## wine\nk{n}: {t}\n" for n, t in enumerate(texts)),
                )
            ]
            if texts
            else []
        )
    ),
    going_on("helper", "shop"),
).map(_together)
_broken = st.sampled_from(
    [
        "---\ntags: [wine]\n# never closed\n\nred wine\n",
        "\ufeff\n---\nprivate: true\n---\nred wine\n",
        "---\nprivate: true\n\tkind: fact\n---\nred wine\n",
        "---\nprivate: perhaps\nkind: fact\ntags: [wine]\n---\nred wine\n",
        "---\n<<<<<<< ours\nprivate: true\n---\nred burgundy\n",
    ]
).map(lambda text: [Thing("system/memory/{}.md", text)])
_unseen = st.lists(
    st.one_of(
        memories(["system", "projects/shop", "agents/helper"], _known, private="true"),
        memories(["agents/other", "projects/other", "agent-types/other"], _known),
        memories(["system"], _known, expires_at="2026-04-01"),
        memories(["system"], ["observation", "event"], agent="other"),
        memories(["projects/shop"], ["insight", "pattern"]),
        memories(["system"], ["fact", "skill"], tags="[pay]"),
        _broken,
        going_on("other", "shop"),
        going_on("helper", "other"),
        _text.map(
            lambda text: [Thing("agents/other/facts.md", f"## wine\na: {text}\n")]
        ),
        _text.map(lambda text: [Thing("system/facts.md+", f"## pay\nb: {text}\n")]),
        _text.map(lambda text: [Thing("system/rules/_any/{}.toml", text)]),
    ),
    min_size=1,
    max_size=3,
).map(_together)
_filters = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.sampled_from([["wine"], ["food", "wine"], []]),
        "types": st.sampled_from([["fact"], ["observation", "skill"], ["insight"]]),
        "importance_min": st.sampled_from([0.0, 0.5]),
        "time_range": st.just({"start": "2026-01-01T00:00:00Z"}),
    },
)


def _asked(text: str, filters: dict[str, Any]) -> str:
    """Without words there have to be filters."""
    return text or ("" if any(filters.values()) else "wine")


_query = st.builds(
    lambda memory_type, text, filters, limit, budget: {
        **query("", memory_type, _asked(text, filters), filters=filters),
        "limit": limit,
        "budget_tokens": budget,
    },
    st.sampled_from(_types),
    st.one_of(_text, st.sampled_from(["", "which red wien does the user like"])),
    _filters,
    st.sampled_from([1, 3, 10]),
    st.sampled_from([20, 100, 500]),
)
_writes = st.lists(
    st.builds(
        lambda text, tags: {"content": f"# {text}\n\nSaid: {text}.", "tags": tags},
        _text,
        st.sampled_from([[], ["wine"]]),
    ),
    max_size=2,
)


def build(root: Path, things: list[Thing]) -> Vault:
    """Make a vault of these items; the clock does not advance."""
    (root / "tools").mkdir(parents=True)
    (root / "toolmem.toml").write_text("schema = 1\n")
    (root / "tools/wine_recommender.toml").write_text(MANIFEST)
    numbers = count()
    vault = Vault.open(find_vault({"agent": "helper", "project": "shop"}, root), NOW)
    for thing in things:
        if thing.agent:
            keep(vault, thing, next(numbers))
            continue
        name = thing.place.removesuffix("+").format(f"m{next(numbers):03}")
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if path.exists() else ""
        path.write_text(before + thing.content)
    return vault


def keep(vault: Vault, thing: Thing, number: int) -> None:
    document = {"content": thing.content, "tags": ["wine"]}
    if thing.place == "scratch_page":
        entry, _ = read_entry(document, NOW, source="bank")
        scratch.add(
            vault,
            entry,
            agent=thing.agent,
            project=thing.project,
            entry_id=f"S{number:03}",
        )
    elif thing.place == "working":
        value, _ = read_value("plan", document, NOW, source="bank")
        working.put(vault, value._replace(agent=thing.agent, project=thing.project))
    elif thing.place == "typed":
        session = f"{thing.agent}-{thing.project}-{number}"
        line = {"prompt": "mark", "said": thing.content, "session": session}
        line |= {"agent": thing.agent, "project": thing.project}
        journal.append(vault.root, journal.name_of(session), line)
    else:
        said, _ = read_message(document, NOW, message_id=f"c{number}", source="user")
        said = said._replace(agent=thing.agent, project=thing.project)
        conversation.add(vault, said)


def told(service: QueryService, document: Any) -> bytes:
    """The answer without how long it took."""
    answered = service.answer(document, budget=1500)
    assert answered.remarks == ()
    told_again = answered.document
    for answer in told_again["memory_context"]:
        assert answer["status"] in ("ok", "partial", "denied")
        answer["search_metadata"].pop("query_time_ms")
    return json.dumps(told_again).encode()


def written(vault: Vault, writes: list[dict[str, Any]]) -> bytes:
    numbers = count()
    response = {"tool_id": "wine_recommender", "memory_writes": writes}
    applied = apply_response(vault, response, unique_id=lambda: f"{next(numbers):032x}")
    return json.dumps(applied.document).encode()


def nothing_interferes(seen, unseen, queries, writes) -> None:
    document = request(
        *({**one, "query_id": f"q{number}"} for number, one in enumerate(queries))
    )
    folder = Path(tempfile.mkdtemp(dir=_QUICK))
    try:
        answers = []
        for name, things in (("a", seen), ("b", [*seen, *unseen])):
            vault = build(folder / name, things)
            service = QueryService(vault, clock=lambda: NOW)
            cold = told(service, document)
            warm = told(service, document)
            writing = written(vault, writes)
            after = told(service, document)
            fresh = told(QueryService(vault, clock=lambda: NOW), document)
            answers.append((cold, warm, writing, after, fresh))
        assert answers[0] == answers[1]
        cold, warm, _, after, fresh = answers[0]
        assert (cold, after) == (warm, fresh)
    finally:
        shutil.rmtree(folder)


_pairs = given(_seen, _unseen, st.lists(_query, min_size=1, max_size=4), _writes)


@_pairs
@examples(100)
def test_what_a_tool_cannot_see_changes_nothing(seen, unseen, queries, writes):
    nothing_interferes(seen, unseen, queries, writes)


def test_the_id_of_a_typed_message_does_not_count_those_of_other_projects():
    seen = Thing("typed", "wine", "helper", "shop")
    unseen = Thing("typed", "wine", "helper", "other")
    for things in ([unseen], [unseen, unseen]):
        nothing_interferes([seen], things, [query("", "conversation", "wine")], [])


@pytest.mark.soak
@_pairs
@examples(2000, derandomize=False)
def test_what_a_tool_cannot_see_changes_nothing_at_length(
    seen, unseen, queries, writes
):
    nothing_interferes(seen, unseen, queries, writes)
