"""A helper's answers equal those of a hook without one, for any rules and calls."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forked import forked
from tests.hooks.helpers import COLD, SESSION, Helper, ask, end_helpers, prepare
from tests.world import World
from toolmem.store.journal import journal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are on Linux")

_GUARDS = (
    '[[guard]]\ncommand = ["git", "push", "--force"]\n',
    '[[guard]]\naction = "ask"\ncommand = ["rm", "-r"]\n',
    '[[guard]]\naction = "warn"\ncontains = "sarah@example.com"\n',
    '[[guard]]\npath = "secrets/**"\n',
    "guards = false\n",
    "[[guard]]\ncommand = 3\n",
    "",
)
_COMMANDS = (
    "git push --force",
    "cd x && git -C y push --force origin 'main'",
    "bash -c 'rm -r build' | tee log",
    "cat secrets/key; ls",
    "mail sarah@example.com <<< hi",
    "sed -i s/a/b/ secrets/key",
    "echo $(git push --force",
    "npm test && uv run pytest -q",
)
_rules = st.tuples(
    st.sampled_from(("git", "shell", "edit", "_any", "mail")),
    st.sampled_from(("critical", "high", "normal")),
    st.sampled_from(_GUARDS),
    st.sampled_from(("never force push", "use uv, not pip", "never edit secrets/")),
)
_calls = st.tuples(
    st.sampled_from(("PreToolUse", "PostToolUse", "PostToolUseFailure")),
    st.one_of(
        st.tuples(
            st.just("Bash"),
            st.fixed_dictionaries({"command": st.sampled_from(_COMMANDS)}),
        ),
        st.tuples(
            st.sampled_from(("Edit", "Write", "Read")),
            st.fixed_dictionaries({"file_path": st.sampled_from(("secrets/a", "/b"))}),
        ),
        st.tuples(
            st.sampled_from(("mcp__mail__send", "Grep", "", "ünknown")),
            st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3),
        ),
    ),
)
_steps = st.lists(st.one_of(_calls, _rules), min_size=3, max_size=6)


@pytest.fixture
def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[World]]:
    for name in ("PATH", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    prepare(tmp_path)
    yield [
        World(tmp_path / name).write("toolmem.toml", "") for name in ("warm", "cold")
    ]
    end_helpers()


def test_they_are_equal_also_after_a_change_of_rules(worlds):
    warm, cold = worlds
    answered = []

    @given(_steps)
    def check(steps):
        for number, (kind, *rest) in enumerate(steps):
            if len(rest) == 3:
                for world in worlds:
                    _change(world, number, kind, *rest)
                continue
            tool, arguments = rest[0]
            done = ask(_event(warm, kind, tool, arguments))
            answered.append(done.code != COLD)
            if done.code == COLD:
                done = _cold(warm, _event(warm, kind, tool, arguments))
            expected = _cold(cold, _event(cold, kind, tool, arguments))
            assert _plain(done.stdout, warm) == _plain(expected.stdout, cold)
            assert (done.code, done.stderr) == (0, "")
        found = [_lines(world) for world in worlds]
        assert found[0] == found[1]

    with Helper():
        check()
    assert any(answered)


def _change(world: World, number: int, tool: str, *rest: str) -> None:
    priority, guard, text = rest
    world.write(
        f"system/rules/{tool}/rule-{number:08x}.toml",
        f'id = "{number:08x}"\ntool = "{tool}"\nrule = "{text}"\n'
        f'priority = "{priority}"\n{guard}',
    )


def _event(world: World, kind: str, tool: str, arguments: object) -> bytes:
    given = {
        "session_id": SESSION,
        "cwd": str(world.root),
        "hook_event_name": kind,
        "tool_name": tool,
        "tool_input": arguments,
        "error": "Exit code 1\nboom",
    }
    return json.dumps(given).encode()


def _cold(world, data):
    return forked().hook(["claude"], world.root, data, patient=True)


def _plain(output: bytes, world: World) -> str:
    return output.decode().replace(str(world.root), "VAULT")


def _lines(world: World) -> list[str]:
    """Return what was recorded of the calls, but for times."""
    return [
        json.dumps({k: v for k, v in line.items() if k != "at"}).replace(
            str(world.root), "VAULT"
        )
        for line in journal.read(world.root, SESSION)
    ]
