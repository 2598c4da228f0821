"""Each block that a session is given has all that is in one made fresh, and nothing
that was deleted or made private.

Rules, facts, guidance and memories are written, changed, hidden and deleted in any
order, between the events and calls of two sessions and a sub-agent. Each text has a
word of its own, so that a block says what it was made of.
"""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests.examples import examples
from tests.world import World
from toolmem.core.agents import claude
from toolmem.core.agents.event import Event
from toolmem.core.prompt.since import SINCE_TITLE
from toolmem.ops.hooks import session_start, subagent_start
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

_WORD = re.compile(r"\bw\d+x\b")
_NUMBERS = st.integers(0, 2)
_SESSIONS = st.sampled_from(["s", "t"])


class Sessions(RuleBasedStateMachine):
    """A vault, its current and deleted words, and what two sessions have read."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.world = World(Path(self._folder.name))
        self.world.write("toolmem.toml", "schema = 1\n")
        self.words = 0
        self.current: dict[str, str] = {}
        self.gone: set[str] = set()
        self.printed: dict[str, str] = {}
        self.read: dict[str, set[str]] = {}

    def teardown(self) -> None:
        self._folder.cleanup()

    def _put(self, path: str, form: Callable[[str], str]) -> None:
        self.words += 1
        word = f"w{self.words}x"
        self.current[path] = word
        self.world.write(path, form(word))

    def _drop(self, path: str) -> None:
        self.gone.add(self.current.pop(path, ""))

    def _facts(self) -> None:
        keys = [key for key in self.current if key.startswith("key")]
        lines = "".join(f"- {key}: {self.current[key]}\n" for key in keys)
        self.world.write("system/facts.md", f"# Facts\n\n{lines}")

    @rule(number=_NUMBERS, level=st.sampled_from(["high", "critical"]))
    def write_rule(self, number: int, level: str) -> None:
        head = f'id = "r{number}"\ntool = "t"\npriority = "{level}"\n'
        path = f"system/rules/t/r{number}.toml"
        self._put(path, lambda word: f'{head}rule = "never {word}"\n')

    @rule(number=_NUMBERS)
    def write_fact(self, number: int) -> None:
        self.words += 1
        self.current[f"key{number}"] = f"w{self.words}x"
        self._facts()

    @rule(number=_NUMBERS)
    def write_guidance(self, number: int) -> None:
        path = f"system/guidance/g{number}.md"
        self._put(path, lambda word: f"# Advice\n\nUse {word}.\n\n- and test\n")

    @rule(number=_NUMBERS)
    def write_memory(self, number: int) -> None:
        path = f"system/memory/m{number}.md"
        self._put(path, lambda word: f"---\ntopic: kiln\n---\n# The {word}\n\nHot.\n")

    @precondition(lambda self: self.current)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.current)))
        self._drop(path)
        if path.startswith("key"):
            self._facts()
        else:
            (self.world.root / path).unlink()

    @rule(number=_NUMBERS)
    def hide_memory(self, number: int) -> None:
        path = f"system/memory/m{number}.md"
        if path in self.current:
            text = f"---\ntopic: kiln\nprivate: true\n---\n# {self.current[path]}\n"
            self.world.write(path, text)
            self._drop(path)

    @initialize()
    def begin(self) -> None:
        self.write_rule(0, "high")
        self.write_fact(0)
        self.write_guidance(0)
        self.write_memory(0)
        self.go_on("s", "startup")

    @invariant()
    def print_every_block(self) -> None:
        for session, topic in (("s", True), ("t", False)):
            self.print_block(session, topic)

    def print_block(self, session: str, topic: bool) -> None:
        flags = ("--topic", "kiln") if topic else ()
        fresh = self.world.call("prompt", *flags).stdout
        done = self.world.call("prompt", "--session", session, *flags)
        block = done.stdout.partition(f"\n{SINCE_TITLE}")[0]
        assert _words(fresh) <= _words(done.stdout)
        assert not _words(done.stdout) & self.gone
        key = f"{session}{topic}"
        if not _words(self.printed.get(key, "")) & self.gone:
            assert block == self.printed.setdefault(key, block)
        self.printed[key] = block

    @rule(session=_SESSIONS, source=st.sampled_from(["startup", "resume"]))
    def go_on(self, session: str, source: str) -> None:
        given = self._given(session, source)
        told = "\n".join(
            line for line in given.splitlines() if "no longer applies" not in line
        )
        assert not _words(told) & self.gone
        self.read[session] = self.read.get(session, set()) | _words(given)
        assert _words(self.world.call("prompt").stdout) <= self.read[session]

    @rule(session=_SESSIONS, source=st.sampled_from(["compact", "clear"]))
    def lose_the_text(self, session: str, source: str) -> None:
        fresh = self.world.call("prompt").stdout
        given = self._given(session, source)
        assert given.startswith(fresh)
        assert SINCE_TITLE not in given
        self.read[session] = _words(given)

    @rule(session=_SESSIONS)
    def begin_a_subagent(self, session: str) -> None:
        payload = {"hook_event_name": "SubagentStart", "agent_id": "a-1"}
        answer = subagent_start.answer(self._vault(), self._event(session, payload))
        assert answer.context.startswith(self.world.call("prompt").stdout)

    def _given(self, session: str, source: str) -> str:
        payload = {"hook_event_name": "SessionStart", "source": source}
        answer = session_start.answer(self._vault(), self._event(session, payload))
        return answer.context

    def _event(self, session: str, payload: dict[str, str]) -> Event:
        folder = str(self.world.root)
        return claude.read_event({**payload, "session_id": session, "cwd": folder})

    def _vault(self) -> Vault:
        return Vault.open(find_vault({}, self.world.root), self.world.now)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


TestSessions = Sessions.TestCase
TestSessions.settings = examples(80, stateful_step_count=15, deadline=None)
