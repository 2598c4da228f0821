"""Play two weeks of work through the hooks and count the wrong rules in the vault.

    python bench/capture_fortnight.py [DATA_FOLDER]

60 sessions are built from ``messages.jsonl`` in its order: each begins, the messages
are typed with shell calls between them, some of which fail, and it ends. They are
played three times into a new vault: with an agent that judges each note by the labels
of ``real.jsonl`` and ``real-2.jsonl``, with one that never answers, and with one that
keeps whatever is noted, which is how many wrong rules the judge keeps out. A rule is
right if its sentence is labelled lasting or unsure. Hooks run in this process. Ends
with 1 when the first two leave more than 3 wrong rules, with 2 when there is no data.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.capture import DEFAULT, label_of
from toolmem.core.agents.event import Answer
from toolmem.core.agents.registry import dialect_of
from toolmem.core.formats.toml_text import parse_toml
from toolmem.hooks.work import respond
from toolmem.ops.setup.init import init_vault
from toolmem.store.state.candidates import candidates_of
from toolmem.store.state.database import has_state, open_state

SESSIONS, MOST_WRONG = 60, 3
JUDGES = ("by the labels", "never answers", "keeps everything")
_ID = re.compile(r"\bk[0-9a-f]{4}\b")
_FAILING = ("cargo test", "pytest -q", "npm run build")
"""Commands that fail twice in a turn, each in a third of the sessions."""


class Fortnight(NamedTuple):
    """Content of a vault after two weeks."""

    messages: int
    notes: int
    kept: int
    rules: int
    wrong: tuple[str, ...]
    failures: int


def plain(text: str) -> str:
    """Return a text for comparison: blanks collapsed, no case."""
    return " ".join(text.split()).casefold().strip(" .!?*-")


def labels(folder: Path) -> dict[str, str]:
    """Return the label of each labelled sentence."""
    found = {}
    for name in ("real.jsonl", "real-2.jsonl"):
        for line in (folder / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            found[plain(row["sentence"])] = label_of(row)
    return found


class Agent:
    """An agent whose hooks work on one vault, with a judge of its own."""

    def __init__(self, vault: Path, judge: str, known: dict[str, str]) -> None:
        self._vault = vault
        self._judge = judge
        self._known = known
        self._session = ""
        self.notes = self.kept = 0

    def play(self, session: str, messages: list[str], number: int) -> None:
        """Play one session."""
        self._session = session
        self._send("SessionStart", source="startup")
        for place, text in enumerate(messages):
            answer = self._send("UserPromptSubmit", prompt=text)
            if "toolmem: " in answer.context:
                self.notes += 1
                self._judged(_ID.findall(answer.context))
            self._calls(_FAILING[number % 3] if place == 3 else "")
            self._send("Stop")
        self._send("SessionEnd", reason="other")

    def _calls(self, failing: str) -> None:
        call = {"tool_name": "Bash", "tool_input": {"command": failing or "ls"}}
        for _ in range(2 if failing else 1):
            self._send("PreToolUse", **call)
            if failing:
                self._send("PostToolUseFailure", **call, error="Exit code 1\nboom")
            else:
                self._send("PostToolUse", **call, tool_response={"stdout": "a"})

    def _judged(self, ids: list[str]) -> None:
        for candidate in self._stored():
            if candidate.id[:5] in ids and self._keeps(candidate.sentence):
                self.kept += 1
                command = f"toolmem rule keep {candidate.id} --tool Bash"
                call = {"tool_name": "Bash", "tool_input": {"command": command}}
                self._send("PreToolUse", **call)

    def _keeps(self, sentence: str) -> bool:
        if self._judge == "by the labels":
            return label_near(sentence, self._known) == "lasting"
        return self._judge == "keeps everything"

    def _stored(self) -> list[Any]:
        if not has_state(self._vault):
            return []
        with open_state(self._vault) as state:
            return list(candidates_of(state, self._session))

    def _send(self, name: str, **payload: Any) -> Answer:
        base = {"session_id": self._session, "cwd": str(self._vault)}
        event = {**base, "hook_event_name": name, "tool_use_id": "c", **payload}
        return respond(dialect_of("claude").read(event, name), str(self._vault))


def label_near(sentence: str, known: dict[str, str]) -> str:
    """Return the label of a sentence, or of one that is a part of it or it of."""
    wanted = plain(sentence)
    if wanted in known:
        return known[wanted]
    parts = (
        label
        for text, label in known.items()
        if len(text) > 20 and (text in wanted or wanted in text)
    )
    return next(parts, "not")


def play(folder: Path, judge: str) -> Fortnight:
    """Play all sessions into a new vault."""
    known = labels(folder)
    lines = (folder / "messages.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOME"] = place
        vault = Path(place) / "vault"
        init_vault(vault)
        agent = Agent(vault, judge, known)
        for number in range(SESSIONS):
            agent.play(f"s-{number}", texts[number::SESSIONS], number)
        rules = list(rules_in(vault))
        said = [rule for rule in rules if rule.get("source") == "user_explicit"]
        wrong = tuple(
            str(rule["rule"])
            for rule in said
            if label_near(str(rule["rule"]), known) not in ("lasting", "unsure")
        )
        failures = len(rules) - len(said)
        return Fortnight(
            len(texts), agent.notes, agent.kept, len(said), wrong, failures
        )


def rules_in(vault: Path) -> Iterator[dict[str, Any]]:
    """Yield the rules of a vault that were captured."""
    for path in sorted(vault.glob("*/rules/*/*.toml")):
        table = dict(parse_toml(path.read_text("utf-8"), str(path)))
        if table.get("tags"):
            yield table


def main(arguments: list[str]) -> int:
    """Print a line for each judge."""
    folder = Path(arguments[0]) if arguments else DEFAULT
    if not (folder / "messages.jsonl").is_file():
        print(f"{folder}: no messages.jsonl", file=sys.stderr)
        return 2
    missed = False
    print("judge              messages  notes  kept  rules  wrong  failures")
    for judge in JUDGES:
        found = play(folder, judge)
        print(
            f"{judge:<18} {found.messages:>8} {found.notes:>6} {found.kept:>5} "
            f"{found.rules:>6} {len(found.wrong):>6} {found.failures:>9}"
        )
        if judge != "keeps everything":
            missed |= len(found.wrong) > MOST_WRONG
            for text in found.wrong:
                print(f"  wrong: {text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
