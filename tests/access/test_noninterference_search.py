"""What a reader cannot see changes no byte of what searches answer it.

Two vaults that differ in invisible content alone are asked the same on the command line
and by a server that others ask in between.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.access.asking import request
from tests.access.test_noninterference import (
    _QUICK,
    MANIFEST,
    NOW,
    Thing,
    _broken,
    _known,
    _tags,
    memories,
    memory,
)
from tests.examples import examples
from tests.world import World
from toolmem.api.access import Access
from toolmem.api.vault import Vault
from toolmem.core.formats.json_text import json_text
from toolmem.servers.jsonrpc import RpcError
from toolmem.servers.rpc import call
from toolmem.store.index.warm import WarmIndexes

WORDS = """
wine red white glass oyster cellar undo revert commit change branch delete remove
error failure meal lunch login password Морская kitchen 2020 never wien restore
""".split()
_text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


class Pair(NamedTuple):
    """Content of two vaults; ``gone`` are in the second until it is asked first."""

    shared: tuple[Thing, ...]
    first: tuple[Thing, ...]
    second: tuple[Thing, ...]
    gone: tuple[Thing, ...]


def _rule(number: int, text: str, more: str = "") -> str:
    head = f'id = "a000000{number}-0000-4000-8000-000000000000"\ntool = "git"\n'
    return f"{head}rule = {json.dumps(text)}\n{more}"


def _override(number: int, line: str) -> str:
    return f'id = "a000000{number}-0000-4000-8000-000000000000"\n{line}\n'


@st.composite
def _overridden(draw):
    """Rules and facts whose text is replaced or disabled in the project."""
    shared, first, second = [], [], []
    for number in range(1, draw(st.integers(1, 3))):
        line = draw(st.sampled_from(['rule = "{}"', "enabled = false"]))
        path = f"projects/shop/rules/git/o-a000000{number}.toml"
        shared.append(Thing(path, _override(number, line.format(draw(_text)))))
        base = f"system/rules/git/r-a000000{number}.toml"
        # With the text of the override it would have the place of the base.
        first.append(Thing(base, _rule(number, f"base {draw(_text)}")))
        second.append(Thing(base, _rule(number, f"base {draw(_text)}")))
    if draw(st.booleans()):
        shared.append(Thing("projects/shop/facts.md", "## wine\nkept: red wine\n"))
        first.append(Thing("system/facts.md", f"## wine\nkept: {draw(_text)}\n"))
        second.append(Thing("system/facts.md", f"## wine\nkept: {draw(_text)}\n"))
    return shared, first, second


def _of(folders: list[str], **fields: Any) -> Any:
    """Memories in these folders with words of this module."""
    return st.lists(
        st.builds(
            lambda folder, text, tags, topic, created: Thing(
                f"{folder}/memory/{{}}.md",
                memory(text, tags=tags, topic=topic, created=created, **fields),
            ),
            st.sampled_from(folders),
            _text,
            _tags,
            st.sampled_from(["", "wine", "git"]),
            st.sampled_from(["2026-04-01", "2025-12-01", ""]),
        ),
        max_size=5,
    )


_OURS = ["system", "projects/shop", "agents/helper", "system/memory/deep"]
_seen = st.tuples(
    _of(_OURS),
    _text.map(lambda text: [Thing("system/rules/git/seen.toml", _rule(9, text))]),
    _text.map(lambda text: [Thing("system/guidance/g.md", f"# Git\n\n{text}\n")]),
    st.just([Thing("projects/shop/profile.md", "# Shop\n\nWe sell.\n")]),
).map(lambda parts: [thing for part in parts for thing in part])
_hidden = st.lists(
    st.one_of(
        _of(_OURS, private="true"),
        _of(["agents/other", "projects/other", "agent-types/other"]),
        _of(_OURS, expires_at="2026-04-01"),
        _of(["archive/system"]),
        memories(["projects/other"], _known),
        _broken,
        _text.map(lambda t: [Thing("projects/other/facts.md", f"## wine\na: {t}\n")]),
        _text.map(lambda t: [Thing("projects/other/rules/git/x.toml", _rule(8, t))]),
        _text.map(
            lambda t: [
                Thing(
                    "system/rules/git/over.toml",
                    _rule(7, t, "expires_at = 2026-04-01T00:00:00Z\n"),
                )
            ]
        ),
    ),
    min_size=1,
    max_size=3,
).map(lambda parts: [thing for part in parts for thing in part])
_pairs = st.builds(
    lambda seen, hidden, overridden, gone: Pair(
        (*seen, *overridden[0]),
        tuple(overridden[1]),
        (*overridden[2], *hidden),
        tuple(gone),
    ),
    _seen,
    _hidden,
    _overridden(),
    st.one_of(st.just([]), _of(_OURS)),
)
_options = st.lists(
    st.sampled_from(
        [
            ("--json",),
            ("--explain",),
            ("--limit", "2"),
            ("--topic", "wine"),
            ("--tag", "wine"),
            ("--only", "memory"),
            ("--only", "rule"),
            ("--semantic", "off"),
            ("--importance-min", "0.3"),
            ("--since", "2026-01-01"),
        ]
    ),
    max_size=2,
    unique=True,
).map(lambda parts: [word for part in parts for word in part])
_commands = st.one_of(
    st.builds(lambda text, more: ["search", text, *more], _text, _options),
    st.builds(lambda text: ["search", text, "--expect", "m000"], _text),
    st.builds(lambda text: ["recall", text, "--json"], _text),
    st.builds(lambda text: ["recall", text, "--namespace", "tool-git"], _text),
    st.builds(lambda text: ["prompt", "--task", text], _text),
    st.builds(lambda text: ["prompt", "--topic", text], st.sampled_from(WORDS)),
    st.builds(lambda text: ["memory", "save", f"# {text}\n\nSaid: {text}."], _text),
)
_queries = st.builds(
    lambda text, kind: {"query_id": "q", "memory_type": kind, "query_text": text},
    _text,
    st.sampled_from(["semantic", "episodic"]),
)
_requests = st.one_of(
    st.builds(lambda text: ("search", {"query": text, "limit": 3}), _text),
    st.builds(lambda text: ("search", {"query": text, "topic": "wine"}), _text),
    st.builds(lambda text: ("recall", {"query": text}), _text),
    st.builds(lambda text: ("prompt", {"task": text}), _text),
    st.builds(lambda query: ("query", {"request": request(query)}), _queries),
    st.builds(
        lambda text: ("memory.save", {"text": f"# {text}\n\nSaid: {text}."}), _text
    ),
)
_askers = st.sampled_from(
    [{"agent": "other"}, {"project": "other"}, {}, {"agent_type": "other"}]
)
_TOOK = re.compile(r'"(?:took_ms|query_time_ms)": [\d.]+')


def build(root: Path, *parts: tuple[Thing, ...]) -> list[Path]:
    """Make a vault; the paths of the last of its parts."""
    (root / "tools").mkdir(parents=True)
    (root / "toolmem.toml").write_text("schema = 1\n")
    (root / "tools/wine_recommender.toml").write_text(MANIFEST)
    last: list[Path] = []
    number = 0
    for part in parts:
        last = []
        for thing in part:
            path = root / thing.place.format(f"m{number:03}")
            number += 1
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(thing.content)
            last.append(path)
    return last


Answers = Callable[[Path, list[Path]], list[str]]


def nothing_interferes(pair: Pair, answers: Answers) -> None:
    folder = Path(tempfile.mkdtemp(dir=_QUICK))
    try:
        build(folder / "a", pair.shared, pair.first)
        gone = build(folder / "b", pair.shared, pair.second, pair.gone)
        first = answers(folder / "a", [])
        assert answers(folder / "b", gone) == first
    finally:
        shutil.rmtree(folder)


def by_commands(commands: list[list[str]]) -> Answers:
    def answers(root: Path, gone: list[Path]) -> list[str]:
        world = World(root)
        world.now = NOW
        world.call("search", "wine", "--agent", "helper", "--project", "shop")
        for path in gone:
            path.unlink()
        found = []
        for words in commands:
            done = world.call(*words)
            told = f"{done.code}\n{done.stdout}\n{done.stderr}"
            found.append(_TOOK.sub("", told))
        return found

    return answers


def by_a_server(asked: list[tuple[str, Any]], others: list[Any]) -> Answers:
    def answers(root: Path, gone: list[Path]) -> list[str]:
        world = World(root)
        indexes = WarmIndexes()

        def ask(flags: dict[str, str], name: str, given: Any) -> str:
            flags = {"vault": str(root), **flags}
            access = Access(flags, root, lambda: NOW, world._new_id, warm=indexes)
            try:
                answer = call(Vault(access), name, given)
                # The receipt of a prompt has every file that it follows from.
                told = json_text(answer["text"] if name == "prompt" else answer)
            except RpcError as error:
                told = f"{error} {error.data}"
            return _TOOK.sub("", told.replace(str(root), "/vault"))

        for path in gone:
            ask({}, "search", {"query": "wine"})
            path.unlink()
        ours = {"agent": "helper", "project": "shop"}
        found = []
        for number, (name, document) in enumerate(asked):
            if others and name != "memory.save":
                ask(others[number % len(others)], name, document)
            found.append(ask(ours, name, document))
        return found

    return answers


@pytest.fixture
def agent(monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    monkeypatch.setenv("TOOLMEM_PROJECT", "shop")


@pytest.mark.usefixtures("agent")
@given(_pairs, st.lists(_commands, min_size=1, max_size=5))
@examples(100)
def test_what_is_hidden_changes_no_answer_of_a_command(pair, commands):
    nothing_interferes(pair, by_commands(commands))


@given(
    _pairs,
    st.lists(_requests, min_size=1, max_size=6),
    st.lists(_askers, max_size=3),
)
@examples(100)
def test_what_is_hidden_changes_no_answer_of_a_server(pair, asked, others):
    nothing_interferes(pair, by_a_server(asked, others))


@pytest.mark.soak
@pytest.mark.usefixtures("agent")
@given(_pairs, st.lists(_commands, min_size=1, max_size=5))
@examples(2000, derandomize=False)
def test_what_is_hidden_changes_no_answer_of_a_command_at_length(pair, commands):
    nothing_interferes(pair, by_commands(commands))


@pytest.mark.soak
@given(
    _pairs,
    st.lists(_requests, min_size=1, max_size=6),
    st.lists(_askers, max_size=3),
)
@examples(2000, derandomize=False)
def test_what_is_hidden_changes_no_answer_of_a_server_at_length(pair, asked, others):
    nothing_interferes(pair, by_a_server(asked, others))
