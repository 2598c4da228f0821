"""Private memories change no byte of what JSON-RPC and MCP answer an agent.

Two vaults that differ in private memories alone are asked the same in the same order,
writes among the questions.
"""

import json
import re
import shutil
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.access.test_noninterference import (
    _QUICK,
    NOW,
    Thing,
    _broken,
    _known,
    _seen,
    _text,
    build,
    memories,
)
from tests.examples import examples
from tests.extra import needs_mcp
from toolmem.api.access import Access, Bounds
from toolmem.api.vault import Vault
from toolmem.core.formats.json_text import json_text
from toolmem.errors import ToolmemError
from toolmem.servers import tool_calls
from toolmem.servers.jsonrpc import RpcError
from toolmem.servers.rpc import call
from toolmem.servers.tool_table import BY_NAME

pytestmark = needs_mcp

_private = st.lists(
    st.one_of(
        memories(["system", "projects/shop", "agents/helper"], _known, private="true"),
        memories(["system/memory/wine"], _known, private="true", topic="wine"),
        memories(["archive/system"], _known, private="true"),
        _broken,
    ),
    min_size=1,
    max_size=3,
).map(lambda parts: [thing for part in parts for thing in part])
_ids = st.sampled_from(["m", "m00", "m001", "m003", "m005", "x"])
_topics = st.sampled_from(["", "wine", "food"])
_rpc = st.one_of(
    st.tuples(
        st.just("search"),
        st.fixed_dictionaries({"query": _text, "topic": _topics, "limit": st.just(3)}),
    ),
    st.tuples(st.just("recall"), st.fixed_dictionaries({"query": _text})),
    st.tuples(st.just("memory.show"), st.fixed_dictionaries({"id": _ids})),
    st.tuples(st.just("memory.list"), st.fixed_dictionaries({"topic": _topics})),
    st.tuples(
        st.just("memory.save"),
        st.fixed_dictionaries({"text": _text.map("# {0}\n\nSaid: {0}.".format)}),
    ),
    st.tuples(
        st.just("memory.edit"), st.fixed_dictionaries({"id": _ids, "topic": _topics})
    ),
    st.tuples(st.just("memory.delete"), st.fixed_dictionaries({"id": _ids})),
    st.tuples(st.just("restore"), st.fixed_dictionaries({"id": _ids})),
    st.tuples(st.just("prompt"), st.fixed_dictionaries({"task": _text})),
    st.tuples(st.just("check"), st.just({})),
    st.tuples(st.just("reflect"), st.just({})),
).map(lambda asked: ("rpc", *asked))
_mcp = st.one_of(
    st.tuples(st.just("memory_recall"), st.fixed_dictionaries({"query": _text})),
    st.tuples(st.just("memory_idea_recall"), st.fixed_dictionaries({"query": _text})),
    st.tuples(st.just("memory_get"), st.fixed_dictionaries({"id": _ids})),
    st.tuples(st.just("memory_idea_list"), st.just({})),
    st.tuples(
        st.just("memory_idea_save"),
        st.fixed_dictionaries({"content": _text.map("# {0}\n\nSaid: {0}.".format)}),
    ),
).map(lambda asked: ("mcp", *asked))
_asked = st.lists(st.one_of(_rpc, _mcp), min_size=1, max_size=8)
_TOOK = re.compile(r'"(?:took_ms|query_time_ms)": [\d.]+')


def answers(root: Path, asked: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    numbers = count()
    flags = {"vault": str(root), "agent": "helper", "project": "shop"}
    access = Access(flags, root, lambda: NOW, lambda: f"{next(numbers):032x}")
    by_model = access._replace(bounds=Bounds(own=True, author="mcp"))
    found = []
    for surface, name, given_ in asked:
        try:
            if surface == "rpc":
                answer = json_text(call(Vault(access), name, given_))
            else:
                answer = json.dumps(
                    tool_calls.run_tool(Vault(by_model), BY_NAME[name], given_)
                )
        except (RpcError, ToolmemError) as error:
            answer = f"{error} {getattr(error, 'data', '')}"
        found.append(_TOOK.sub("", answer.replace(str(root), "/vault")))
    return found


def nothing_interferes(
    seen: list[Thing], unseen: list[Thing], asked: list[tuple[str, str, dict[str, Any]]]
) -> None:
    folder = Path(tempfile.mkdtemp(dir=_QUICK))
    try:
        told = []
        for name, things in (("a", seen), ("b", [*seen, *unseen])):
            build(folder / name, things)
            told.append(answers(folder / name, asked))
        assert told[1] == told[0]
    finally:
        shutil.rmtree(folder)


@given(_seen, _private, _asked)
@examples(60)
def test_private_memories_change_no_answer_of_a_server(seen, unseen, asked):
    nothing_interferes(seen, unseen, asked)


@pytest.mark.soak
@given(_seen, _private, _asked)
@examples(1500, derandomize=False)
def test_private_memories_change_no_answer_of_a_server_at_length(seen, unseen, asked):
    nothing_interferes(seen, unseen, asked)
