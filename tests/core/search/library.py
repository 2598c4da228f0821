"""Small libraries for tests: documents of few words, and requests."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from toolmem.core.search.corpus import View
from toolmem.core.search.doc import Doc
from toolmem.core.search.filters import SearchFilter
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.visibility import Audience

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SCOPES = ("system", "agent-type:coding", "project:p", "project:q", "agent:a")
VOCABULARY = "alpha beta beta gamma gamma gamma deltas painting 猫が好き tokenRefresh"
_TEXT = st.lists(st.sampled_from(VOCABULARY.split()), max_size=8).map(" ".join)
_TIMES = st.sampled_from([None, NOW - timedelta(days=1), NOW + timedelta(days=1)])


def request(text: str, **changes) -> FindRequest:
    return FindRequest(parse_query(text))._replace(**changes)


def doc(number: int, **changes) -> Doc:
    """A memory of the system scope with an id and a path of its own."""
    made = Doc(f"m{number:02}", f"system/m{number:02}.md", "system", "memory")
    return made._replace(**changes)


@st.composite
def docs(draw, most: int = 12):
    """Documents of all scopes, kinds and kinds of visibility."""
    return tuple(
        doc(
            number,
            scope=draw(st.sampled_from(SCOPES)),
            kind=draw(st.sampled_from(["memory", "memory", "rule", "fact"])),
            title=draw(_TEXT),
            body=draw(_TEXT),
            context=draw(_TEXT),
            topic=draw(st.sampled_from(["", "git", "database"])),
            tags=draw(st.sampled_from([(), ("x",), ("x", "y")])),
            mem_kind=draw(st.sampled_from(["", "fact"])),
            private=draw(st.booleans()),
            expires_at=draw(_TIMES),
            created=draw(_TIMES),
            importance=draw(st.sampled_from([0.1, 0.5, 0.9])),
            agent=draw(st.sampled_from(["", "a", "b"])),
            source=draw(st.sampled_from(["", "user"])),
        )
        for number in range(draw(st.integers(0, most)))
    )


sieves = st.builds(
    SearchFilter,
    types=st.none() | st.frozensets(st.sampled_from(["memory", "fact", "rule"])),
    not_types=st.just(frozenset()) | st.just(frozenset({"fact"})),
    tags=st.just(frozenset()) | st.just(frozenset({"x", "y"})),
    agent=st.sampled_from([None, "", "a"]),
    since=st.sampled_from([None, NOW]),
    until=st.sampled_from([None, NOW]),
    importance_min=st.sampled_from([None, 0.5]),
    source=st.sampled_from([None, "user"]),
)
views = st.builds(
    View,
    at=st.just(NOW),
    scopes=st.none() | st.frozensets(st.sampled_from(SCOPES)),
    kinds=st.none() | st.just(frozenset({"memory"})),
    audience=st.sampled_from(Audience),
    tags=st.none() | st.just(frozenset({"y"})),
    mem_kinds=st.none() | st.just(frozenset({"fact"})),
    search_filter=st.none() | sieves,
)
questions = st.sampled_from(
    ["alpha", "beta gamma", "gama delta", "paintings 猫", "好き", "token", "nothing"]
)
requests = st.builds(
    request,
    questions,
    limit=st.sampled_from([1, 3, 5, 10]),
    topic=st.sampled_from([None, "git"]),
)
