"""Turns of an agent, played event by event: what is due is said once, no more."""

from typing import Any

import pytest

from tests.hooks.test_duties import LINT, TESTS, Agent, agent
from toolmem.core.agents.registry import dialect_of
from toolmem.hooks.work import respond

ORDER = "critical", "high", "normal"
# What is played (a word for each event), and the answers to its commits and stops for a
# critical, a high and a normal rule.
BEFORE_A_COMMIT = [
    ("commit", "pass", "pass", "pass"),
    ("docs commit", "pass", "pass", "pass"),
    ("edit commit", "deny", "deny", "pass"),
    ("edit commit commit", "deny deny", "deny pass", "pass pass"),
    ("edit commit ok commit", "deny pass", "deny pass", "pass pass"),
    ("edit ok commit", "pass", "pass", "pass"),
    ("ok edit commit", "deny", "deny", "pass"),
    ("edit ok edit commit", "deny", "deny", "pass"),
    ("edit fail commit", "ask", "deny", "pass"),
    ("edit fail commit commit", "ask ask", "deny pass", "pass pass"),
    ("edit piped commit", "deny", "pass", "pass"),
    ("edit piped commit commit", "deny ask", "pass pass", "pass pass"),
    ("edit interrupted commit", "deny", "deny", "pass"),
    ("subagent-edit commit", "deny", "deny", "pass"),
    ("edit subagent-ok commit", "pass", "pass", "pass"),
    ("edit prompt commit", "deny", "deny", "pass"),
]
AT_THE_END = [
    ("stop", "pass", "pass", "pass"),
    ("docs stop", "pass", "pass", "pass"),
    ("edit ok stop", "pass", "pass", "pass"),
    ("edit piped stop", "block", "pass", "pass"),
    ("edit stop stop", "block pass", "block pass", "block pass"),
    ("edit stop ok stop", "block pass", "block pass", "block pass"),
    ("edit fail stop stop", "block pass", "block pass", "block pass"),
    ("subagent-edit stop", "block", "block", "block"),
    ("edit subagent-stop stop", "pass block", "pass block", "pass block"),
    ("edit stop prompt stop", "block pass", "block pass", "block pass"),
    ("edit stop prompt edit stop", "block block", "block block", "block block"),
]


class Played(Agent):
    """An agent whose events are answered in this process."""

    def answers(self, event: str, **payload: Any) -> str:
        name = self.names[event]
        read = dialect_of(self.agent).read({**self.base(name), **payload}, name)
        return respond(read, "").verdict

    def plays(self, word: str, command: str) -> str:
        """Play one event; return the answer to a commit or a stop, else nothing."""
        who = {"agent_id": "a-1"} if word.startswith("subagent-") else {}
        word = word.removeprefix("subagent-")
        if word == "prompt":
            self.answers("prompt", prompt="please go on")
        elif word == "stop":
            verdict = self.answers("end", stop_hook_active=False, **who)
            return "block" if verdict == "deny" else "pass"
        elif word == "commit":
            call = self.call("Bash", {"command": "git commit -m x"})
            return self.answers("before", **call) or "pass"
        elif word in ("edit", "docs"):
            path = self.folder / ("src/a.py" if word == "edit" else "docs/a.md")
            call = self.call("Edit", {"file_path": str(path), "new_string": "b"})
            self.answers("after", **call, **self.result(0, ""), **who)
        else:
            shell = f"{command} | tail" if word == "piped" else command
            call = self.call("Bash", {"command": shell})
            result = self.result(int(word in ("fail", "interrupted")), "boom")
            result |= {"is_interrupt": True} if word == "interrupted" else {}
            self.answers("failed" if "error" in result else "after", **call, **result)
        return ""


@pytest.mark.parametrize("priority", ORDER)
@pytest.mark.parametrize(
    ("duty", "command", "turn"),
    [
        *((LINT, "make lint", turn) for turn in BEFORE_A_COMMIT),
        *((TESTS, "make test", turn) for turn in AT_THE_END),
    ],
)
def test_what_is_due_is_said_once(duty, command, turn, priority, tmp_path):
    agent(tmp_path, (priority, duty))
    session = Played(tmp_path, "played")
    session.answers("prompt", prompt="please go on")
    words, *expected = turn
    answers = [session.plays(word, command) for word in words.split()]
    assert " ".join(filter(None, answers)) == expected[ORDER.index(priority)]
