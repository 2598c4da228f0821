"""A whole session with each agent, played by a driver that keeps to its documents."""

import json
from pathlib import Path

import pytest

from tests.hooks.players import PLAYERS, Copilot, Cursor, Player
from tests.world import World

pytestmark = pytest.mark.one_of(3)

DECREE = "Hi! Never email Sarah at sarah@example.com."
RULE = "Never email Sarah at sarah@example.com"
_TAKES_PROMPT_CONTEXT = {"claude", "codex", "gemini", "opencode", "copilot"}


@pytest.fixture(params=PLAYERS, ids=lambda player: player.agent)
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Player:
    World(tmp_path).vault("template")
    made: Player = request.param(tmp_path)
    return made


def files(player: Player, pattern: str) -> list[Path]:
    return sorted(player.folder.glob(pattern))


def test_a_decree_holds_from_the_moment_it_was_typed_until_it_is_taken_back(player):
    begun = player.start()
    assert begun.context.startswith("## Tool-scoped rules\n")
    assert "sarah" not in begun.context

    told = player.prompt(DECREE)
    [made] = files(player, "system/rules/send_email/never-email*.toml")
    assert f'rule = "{RULE}"' in made.read_text()
    assert "guard" not in made.read_text()
    short = made.stem[-8:]
    line = (
        f"captured: new critical rule for send_email: {RULE} (undo: "
        f"toolmem rule delete {short}; guard: denies sending to "
        "`sarah@example.com`; in every project)"
    )
    if player.agent in _TAKES_PROMPT_CONTEXT:
        assert told.context.split("\n")[0] == line
    assert told.message == line

    refused = player.before(player.mail, to="sarah@example.com", body="hello")
    assert refused.verdict == "deny"
    assert refused.reason == f"{RULE} (toolmem rule {short})"
    assert player.before(player.mail, to="bob@example.com", body="hi").verdict == ""

    player.prompt("You can email Sarah again.")
    assert not made.exists()
    [retired] = files(player, "archive/system/rules/send_email/never-email*.toml")
    assert 'reason = "You can email Sarah again."' in retired.read_text()
    again = player.before(player.mail, to="sarah@example.com", body="hello")
    assert again.verdict == ""
    assert player.end().verdict == ""


def test_what_the_model_could_not_be_told_stands_with_the_next_result(player):
    told = player.prompt(DECREE).context
    later = [player.after(player.shell, command="ls").context for _ in range(2)]
    assert later[1] == ""
    if player.agent in _TAKES_PROMPT_CONTEXT:
        assert later[0] == ""
    else:
        assert told == ""
        assert later[0].startswith("captured: new critical rule for ")
        assert f"critical rule for send_email: {RULE} (undo: toolmem rule" in later[0]


def test_a_command_is_stopped_in_the_agent_s_own_shell_tool(player):
    player.prompt("Never force push.")
    command = "cd src && git -C . push -f origin main"
    assert player.before(player.shell, command=command).verdict == "deny"
    assert player.before(player.shell, command="git push origin main").verdict == ""
    quoted = 'echo "git push --force"'
    assert player.before(player.shell, command=quoted).verdict == ""


def test_an_exception_asks_or_says_how_it_can_be_allowed(player):
    player.prompt("Never push to main unless I say so.")
    command = "git push origin main"
    if isinstance(player, Cursor):
        assert player.before("Shell", command=command).verdict == ""
        heard = player.send("shell", {"command": command, "cwd": str(player.folder)})
        assert heard.verdict == "ask"
        return
    heard = player.before(player.shell, command=command)
    if player.agent in ("claude", "copilot"):
        assert heard.verdict == "ask"
        assert heard.reason.startswith("Never push to main unless I say so (toolmem")
    else:
        assert heard.verdict == "deny"
        assert "cannot ask here: ask the user to allow it, or " in heard.reason
        [rule] = files(player, "system/rules/*/never-push*.toml")
        assert f"`toolmem rule archive {rule.stem[-8:]} --reason" in heard.reason


def test_taking_back_goes_through_the_agent_too(player):
    player.prompt(DECREE)
    [made] = files(player, "system/rules/send_email/never-email*.toml")
    note = player.prompt("Fine, you may email her from now on I guess.").context
    player.before(player.shell, command="toolmem rule retract --quote 'email her'")
    assert made.exists(), note


def given_after_a_compaction(player):
    if player.agent != "cursor":
        return player.start("compact").context
    assert player.send("compacted", {"trigger": "auto"}).context == ""
    return player.after(player.shell, command="ls").context


def test_after_a_compaction_the_block_is_as_it_is_now(player):
    first = player.start().context
    again = given_after_a_compaction(player)
    assert again == first
    player.prompt(DECREE)
    later = given_after_a_compaction(player)
    assert "Since this session began" not in later
    assert f"- **[critical]** {RULE}\n" in later
    player.prompt("You can email Sarah again.")
    gone = f"- no longer applies to `send_email`: {RULE}"
    if player.agent in ("cursor", "opencode"):
        assert gone in player.start("startup").context
        return
    news = f"## Since this session began\n\n{gone}"
    assert player.start("resume").context == news
    assert player.start("resume").context == ""


def test_no_output_of_a_call_is_stored_before_or_after_the_end_of_its_turn(player):
    player.start()
    player.prompt("please run the tests")
    player.failed(player.shell, command="pytest -q")
    for _ in range(2):
        stored = {p for p in player.folder.rglob("*") if p.is_file()}
        stored.discard(player.folder / "transcript.jsonl")  # the agent's own
        assert [p for p in stored if b"boom" in p.read_bytes()] == []
        player.end()


def test_the_turn_s_files_and_failures_are_kept_and_told_after_a_compaction(player):
    first = player.start().context
    player.prompt("please run the tests")
    edit = {"claude": "Edit", "codex": "Edit", "gemini": "replace", "cursor": "Write"}
    tool = edit.get(player.agent, "edit")
    player.after(tool, file_path=str(player.folder / "src" / "a.py"), path="src/a.py")
    player.failed(player.shell, command="pytest -q")
    player.failed(player.shell, command="pytest -q")
    player.after(player.shell, command="uv run pytest -q")
    ended = player.end()
    code = "boom" if isinstance(player, Copilot) else "exit 1"
    if not isinstance(player, Copilot):
        assert player.start("compact").context == first + (
            "\nTool memory:\n- Files changed: src/a.py\n"
            f"- Failed bash: pytest -q ({code}) ×2\n"
        )
    assert files(player, "system/rules/*/pytest-q-failed-*.toml") == []
    assert not ended.message
    again = player.before(player.shell, command="pytest -q")
    cause = "" if player.agent in ("gemini", "cursor") else " (not found)"
    hint = f"`pytest -q` failed 2 times{cause}; `uv run pytest -q` worked"
    shown = f"Rules for `{player.shell}`:\n- **[normal]** {hint}"
    if isinstance(player, Cursor):
        player.send("shell", {"command": "pytest -q", "cwd": str(player.folder)})
    later = player.failed(player.shell, command="pytest -q")
    assert shown in (again.context, later.context)


def test_what_happened_is_counted(player):
    world = World(player.folder)
    player.prompt(DECREE)
    player.before(player.mail, to="sarah@example.com")
    player.after(player.shell, command="ls")
    player.failed(player.shell, command="false")
    before_the_end = json.loads(world.call("stats", "--json").stdout)
    player.end()
    records = json.loads(world.call("stats", "--json").stdout)
    if player.agent != "codex":  # how its commands ended is read at the turn's end
        assert records == before_the_end
    calls = {one["tool"].lower(): one for one in records}
    shell = calls[player.shell.lower()]
    assert (shell["calls"], shell["failures"]) == (2, 1)
    [rule] = [one for one in calls["send_email"]["rules"] if one["rule"] == RULE]
    assert (rule["matched"], rule["denied"]) == (1, 1)
    why = json.loads(world.call("rule", "why", rule["id"], "--json").stdout)
    assert why["record"]["denied"] == 1


def test_high_rules_of_a_tool_are_told_once_a_session(player):
    world = World(player.folder)
    world.call("rule", "add", "shell", "use uv, not pip", "-p", "high")
    told = [player.before(player.shell, command="ls").context for _ in range(2)]
    takes = player.agent in ("claude", "codex", "opencode", "copilot")
    first = f"Rules for `{player.shell}`:\n- **[high]** use uv, not pip"
    assert told == [first if takes else "", ""]
    if isinstance(player, Cursor):
        player.send("shell", {"command": "ls", "cwd": str(player.folder)})
    later = [player.after(player.shell, command="ls").context for _ in range(2)]
    assert later == ["" if takes else first, ""]
    player.start("compact")
    assert player.before(player.shell, command="ls").context == told[0]


def test_a_call_near_a_rule_is_told_so_and_counted_once(player):
    world = World(player.folder)
    rule = ("rule", "add", "mail", "never write to ann@example.org", "-p", "critical")
    world.call(*rule, "--no-guard")
    first = player.before("mail", to="ann@example.org").context
    text = first or player.after("mail", to="ann@example.org").context
    assert text.startswith(
        "This call may break a rule (the call names ann@example.org)"
    )
    [record] = json.loads(world.call("stats", "mail", "--json").stdout)
    assert [one["matched"] for one in record["rules"] if "ann@" in one["rule"]] == [1]


def test_a_topic_is_told_when_a_prompt_enters_it_and_only_once(player):
    world = World(player.folder)
    world.write(
        "system/memory/tokens-aaaaaa.md",
        "---\ntopic: authentication\n---\n# OAuth tokens expire after an hour\n\n"
        "Refreshing an expired token needs the scope again.\n",
    )
    player.start()
    asked = "please fix the authentication of the importer"
    told = [player.prompt(asked).context for _ in range(2)]
    if player.agent in _TAKES_PROMPT_CONTEXT:
        assert told[0].startswith("## Memories\n")
        assert "needs the scope again" in told[0]
    assert told[1] == ""


def test_a_prompt_that_nobody_typed_decrees_nothing(tmp_path):
    World(tmp_path).vault("template")
    claude = PLAYERS[0](tmp_path)
    heard = claude.send("prompt", {"prompt": DECREE, "agent_id": "sub-1"})
    assert heard.document == {}
    note = f"<task-notification>{DECREE}</task-notification>"
    assert claude.prompt(note).document == {}
    assert not files(claude, "system/rules/send_email/never-email*.toml")


def test_a_forked_process_answers_as_a_new_one_does(player):
    rule = ("rule", "add", "shell", "never use sudo", "-p", "critical")
    assert World(player.folder).call(*rule).code == 0
    name = player.names["before"]
    call = player.call(player.shell, {"command": "sudo ls"})
    forked = player.run(name, json.dumps({**player.base(name), **call}))
    player.session = "s-2"
    anew = player.run_anew(name, json.dumps({**player.base(name), **call}))
    assert forked[:3] == anew[:3]
    assert player.heard(name, forked).verdict == "deny"


def test_a_denial_is_in_the_trace_and_in_the_statistics_at_once(player):
    world = World(player.folder)
    player.prompt(DECREE)
    player.before(player.mail, to="sarah@example.com")
    [line] = json.loads(world.call("trace", "--json").stdout)
    rule = line["rule"]
    assert {name: line[name] for name in ("event", "status", "tool", "reason")} == {
        "event": "guard",
        "status": "deny",
        "tool": player.mail,
        "reason": RULE,
    }
    denied = world.call("stats").stdout
    assert denied.startswith(f"Denied calls by rule:\n{rule[:8]}  ")
    assert f"  1 denied  0 asked  {line['at'][:19]}Z  {RULE}\n" in denied
    player.end()
    assert json.loads(world.call("trace", "--json").stdout) == [line]
    assert world.call("stats").stdout == denied
