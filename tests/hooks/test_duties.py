"""Duties: what a rule demands is checked before a call, and at the end of a turn."""

import json
from typing import Any

import pytest

from tests.hooks.players import Claude, Codex, Copilot, Cursor, Gemini, Heard
from tests.world import World
from toolmem.core.agents.event import TURN_END, Answer, Event
from toolmem.core.agents.registry import dialect_of
from toolmem.core.duties.record import DUTY_EVENTS

RULE = """
id = "{id}"
tool = "_any"
rule = "{rule}"
priority = "{priority}"
format = 3

[[duty]]
{duty}
"""
LINT = 'run = "make lint"\nbefore = "git commit"\n'
TESTS = 'run = "make test"\n'
COMMIT = "git commit -m x"


class Agent(Claude):
    """Claude Code with an id of its own for each call."""

    count = 0

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        return {**super().call(tool, arguments), "tool_use_id": f"call-{self.count}"}

    def ran(self, command: str) -> None:
        assert self.after("Bash", command=command).context == ""

    def edits(self, path: str) -> None:
        place = str(self.folder / path)
        self.after("Edit", file_path=place, old_string="a", new_string="b")

    def commits(self) -> tuple[str, str]:
        heard = self.before("Bash", command=COMMIT)
        return heard.verdict, heard.reason

    def stops(self, **more: Any) -> str:
        heard: Heard = self.send("end", {"stop_hook_active": False, **more})
        assert heard.document.get("decision", "block") == "block"
        return str(heard.document.get("reason", ""))


def agent(tmp_path, *rules: tuple[str, str]) -> Agent:
    world = World(tmp_path).vault("empty")
    for number, (priority, duty) in enumerate(rules, 1):
        text = RULE.format(
            id=f"0000000{number}", rule="keep it clean", priority=priority, duty=duty
        )
        world.write(f"system/rules/_any/clean-0000000{number}.toml", text)
    session = Agent(tmp_path)
    session.start()
    session.prompt("please go on")
    return session


WHY = "keep it clean (toolmem rule 00000001)"
FIRST = f"run `make lint` first: `src/a.py` changed: {WHY}"


def test_a_critical_duty_denies_the_command_until_it_is_fulfilled(tmp_path):
    session = agent(tmp_path, ("critical", LINT))
    assert session.commits() == ("", "")
    session.edits("src/a.py")
    assert session.commits() == ("deny", FIRST)
    assert session.commits() == ("deny", FIRST)
    session.ran("make lint")
    assert session.commits() == ("", "")
    session.edits("src/a.py")
    again = f"run `make lint` first: `src/a.py` changed after its last success: {WHY}"
    assert session.commits() == ("deny", again)


def test_a_high_duty_denies_the_first_time_only(tmp_path):
    session = agent(tmp_path, ("high", LINT))
    session.edits("src/a.py")
    assert session.commits() == ("deny", FIRST)
    assert session.commits() == ("", "")
    session.edits("src/b.py")
    assert session.commits()[0] == "deny"


def test_several_duties_before_a_command_are_denied_in_one_text(tmp_path):
    types = 'run = "make types"\nbefore = "git commit"\n'
    session = agent(tmp_path, ("high", LINT), ("critical", types), ("normal", TESTS))
    session.edits("src/a.py")
    second = "`src/a.py` changed: keep it clean (toolmem rule 00000002)"
    both = f"{FIRST}\nrun `make types` first: {second}"
    assert session.commits() == ("deny", both)
    assert session.commits() == ("deny", f"run `make types` first: {second}")
    session.ran("make types")
    assert session.commits() == ("", "")


def test_a_normal_duty_stops_no_command(tmp_path):
    session = agent(tmp_path, ("normal", LINT))
    session.edits("src/a.py")
    assert session.commits() == ("", "")


def test_a_turn_later_the_change_still_counts(tmp_path):
    session = agent(tmp_path, ("critical", LINT))
    session.edits("src/a.py")
    assert session.stops() == ""
    session.prompt("and commit it")
    assert session.commits() == ("deny", FIRST)
    session.ran("make lint && git add .")
    session.stops()
    session.prompt("and commit it now")
    assert session.commits() == ("", "")


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("make lint && git commit -m x", ""),
        ("cd src && make lint && git commit -m x", ""),
        ("make lint; git commit -m x", "deny"),
        ("make lint || true; git commit -m x", "deny"),
        ("make -n lint && git commit -m x", "deny"),
        ("make lint && sed -i s/a/b/ src/b.py && git commit -m x", "deny"),
        ("make lint | tail && git commit -m x", "deny"),
        ("set -o pipefail; make lint | tail && git commit -m x", ""),
        ("git commit --dry-run", ""),
        ("git status", ""),
    ],
)
def test_what_the_same_call_ran_before_counts(tmp_path, command, verdict):
    session = agent(tmp_path, ("critical", LINT))
    session.edits("src/a.py")
    assert session.before("Bash", command=command).verdict == verdict


def test_after_a_failed_run_a_critical_duty_asks(tmp_path):
    session = agent(tmp_path, ("critical", LINT))
    session.edits("src/a.py")
    session.failed("Bash", command="make lint")
    reason = f"run `make lint` first: it failed after `src/a.py` changed: {WHY}"
    assert session.commits() == ("ask", reason)


def test_a_result_hidden_by_a_pipe_is_said_once_then_asked_about(tmp_path):
    session = agent(tmp_path, ("critical", LINT))
    session.edits("src/a.py")
    session.ran("make lint 2>&1 | tail -3")
    hidden = (
        "run `make lint` first: its result is hidden by the pipe: run it without: "
        f"{WHY}"
    )
    assert session.commits() == ("deny", hidden)
    assert session.commits() == ("ask", hidden)


def test_a_high_duty_takes_a_result_hidden_by_a_pipe(tmp_path):
    session = agent(tmp_path, ("high", LINT))
    session.edits("src/a.py")
    session.ran("make lint 2>&1 | tail -3")
    assert session.commits() == ("", "")


def test_the_end_of_a_turn_is_answered_once_with_all_that_is_due(tmp_path):
    change = 'change = "CHANGELOG.md"\nafter = "src/**"\n'
    session = agent(tmp_path, ("critical", TESTS), ("high", change))
    session.edits("src/a.py")
    assert session.stops() == (
        "Before this turn ends:\n"
        f"- run `make test`: `src/a.py` changed: {WHY}\n"
        "- update `CHANGELOG.md`: `src/a.py` changed: "
        "keep it clean (toolmem rule 00000002)"
    )
    session.edits("src/b.py")
    assert session.stops(stop_hook_active=True) == ""
    assert session.stops() == ""
    session.prompt("what else?")
    assert session.stops() == ""
    session.edits("src/a.py")
    assert session.stops() != ""


def test_a_fulfilled_duty_says_nothing_at_the_end(tmp_path):
    session = agent(tmp_path, ("critical", TESTS))
    session.edits("src/a.py")
    session.ran("make test")
    assert session.stops() == ""


@pytest.mark.parametrize(
    "more", [{"agent_id": "a-1"}, {"background_tasks": [{"id": "1"}]}]
)
def test_the_end_of_a_subagent_or_with_a_task_in_the_background_passes(tmp_path, more):
    session = agent(tmp_path, ("critical", TESTS))
    session.edits("src/a.py")
    assert session.stops(**more) == ""


@pytest.mark.parametrize("path", ["README.md", "notes/a.txt", "../other/a.py"])
def test_prose_and_files_elsewhere_make_nothing_due(tmp_path, path):
    session = agent(tmp_path, ("critical", TESTS))
    session.edits(path)
    assert session.stops() == ""


def test_rule_due_lists_what_is_due_in_this_work_tree(tmp_path):
    session = agent(tmp_path, ("critical", LINT))
    world = World(tmp_path)
    assert world.call("rule", "due").stdout == ""
    session.edits("src/a.py")
    session.failed("Bash", command="make lint")
    line = "run `make lint`: src/a.py changed, failed since (00000001: keep it clean)\n"
    assert world.call("rule", "due")[1:3] == (1, line)
    session.stops()
    assert world.call("rule", "due", "--session", "s-1").stdout == line
    assert world.call("rule", "due", "--session", "s-2").stdout == ""
    session.ran("make lint")
    assert world.call("rule", "due")[1:3] == (0, "")


def counts(tmp_path, number: int = 1) -> dict[str, int]:
    listed = json.loads(World(tmp_path).call("stats", "--json").stdout)
    hits = [rule for tool in listed for rule in tool["rules"]]
    [hit] = [one for one in hits if one["id"] == f"0000000{number}"]
    return {kind: hit[kind] for kind in DUTY_EVENTS if kind in hit}


def test_stats_count_what_became_of_duties(tmp_path):
    session = agent(tmp_path, ("high", LINT), ("high", TESTS))
    session.edits("src/a.py")
    session.ran("make test")
    session.ran("make lint")
    assert session.stops() == ""
    assert counts(tmp_path, 1) == counts(tmp_path, 2) == {"due": 1, "fulfilled": 1}
    session.prompt("please go on")
    session.edits("src/a.py")
    assert session.stops() != ""
    session.ran("make test")
    assert session.stops(stop_hook_active=True) == ""
    assert counts(tmp_path, 2) == {"due": 2, "fulfilled": 1, "reminded": 1}
    session.prompt("please go on")
    session.edits("src/b.py")
    assert [session.commits()[0] for _ in range(3)] == ["deny", "", ""]
    session.ran(COMMIT)
    assert session.stops() != ""
    for _ in range(2):
        assert session.stops(stop_hook_active=True) == ""
    passed = {"due": 3, "fulfilled": 1, "reminded": 1, "passed": 1}
    assert counts(tmp_path, 2) == passed
    assert counts(tmp_path) == {"due": 2, "fulfilled": 1, "passed": 1}
    line = "00000002  3 due  1 fulfilled  1 after a reminder  1 passed  keep it clean"
    shown = World(tmp_path).call("stats").stdout
    assert "Duties of rules:\n" in shown
    assert line in shown


def test_a_duty_of_words_takes_its_command_from_a_fact(tmp_path):
    world = World(tmp_path).vault("empty")
    text = "run the tests before committing"
    assert world.call("rule", "add", "_any", text, "-p", "critical").code == 0
    session = Agent(tmp_path)
    session.start()
    session.edits("src/a.py")
    assert session.commits() == ("", "")
    assert world.call("fact", "set", "test_command", "pytest -q").code == 0
    verdict, reason = session.commits()
    assert (verdict, reason.partition(": ")[0]) == ("deny", "run `pytest -q` first")
    session.ran("uv run pytest -q")
    assert session.commits() == ("", "")


@pytest.mark.parametrize("value", ["off", "observe"])
def test_duties_can_be_turned_off(tmp_path, value, monkeypatch):
    session = agent(tmp_path, ("critical", LINT), ("critical", TESTS))
    config = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    World(config).write("toolmem/config.toml", f'[guard]\nduties = "{value}"\n')
    session.edits("src/a.py")
    assert session.commits() == ("", "")
    assert session.stops() == ""


def test_a_denied_text_is_named_with_its_file_and_line(tmp_path):
    world = World(tmp_path).vault("empty")
    text = "never leave `console.log` in code"
    assert world.call("rule", "add", "_any", text, "-p", "critical").code == 0
    session = Agent(tmp_path)
    place = str(tmp_path / "a.ts")
    heard = session.before("Write", file_path=place, content="a\nconsole.log(1)\n")
    assert heard.verdict == "deny"
    assert heard.reason.startswith(
        f"this call adds console.log(1) to {place}:2: {text} (toolmem rule "
    )


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (Codex, {"decision": "block"}),
        (Gemini, {"decision": "deny"}),
        (Cursor, {}),
        (Copilot, {"decision": "block"}),
    ],
)
def test_each_agent_is_answered_in_its_own_words(kind, answer, tmp_path):
    name = kind.agent
    event = Event(name, TURN_END, kind.names["end"])
    reply = dialect_of(name).write(event, Answer(verdict="deny", reason="run it"))
    said = {"followup_message": "run it"} if name == "cursor" else {"reason": "run it"}
    assert reply.stdout == {**answer, **said}


def test_an_agent_that_cannot_ask_is_denied_once_more_then_passes(tmp_path):
    agent(tmp_path, ("critical", LINT))
    session = Other(tmp_path, "s-2")
    session.send("after", {**session.edit("src/a.py"), **session.result(0, "")})
    session.send("failed", {**session.lint(), **session.result(1, "boom")})
    reasons = [session.before("run_shell_command", command=COMMIT) for _ in range(2)]
    assert [one.verdict for one in reasons] == ["deny", ""]
    shown = "toolmem: a call passed before rule 00000001 was fulfilled"
    assert session.end().message == shown


class Other(Gemini):
    """Gemini CLI, which cannot ask and sends no ids of calls."""

    def edit(self, path: str) -> dict[str, Any]:
        return self.call("write_file", {"file_path": str(self.folder / path)})

    def lint(self) -> dict[str, Any]:
        return self.call("run_shell_command", {"command": "make lint"})
