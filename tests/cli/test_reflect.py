"""The step back as a user sees it: a plan, changes by it, and nothing lost."""

import json
from typing import Any

import pytest

from tests.world import World
from toolmem.core.reflect.plan import parse_plan
from toolmem.store.state.counters import note_event
from toolmem.store.state.database import open_state

OLD = """\
---
tags: [insight]
created: 2026-01-07
source_task: t1
---
# The deploy script retries three times

The deploy script retries three times before it gives up on the staging server and
pages somebody.
"""
NEW = (
    OLD.replace("2026-01-07", "2026-02-07")
    .replace("t1", "t2")
    .replace(
        "somebody.\n", "somebody. The pager number is in the runbook of the team.\n"
    )
)
OAUTH = """\
---
created: 2026-02-07
---
# OAuth refresh needs the scope again

When refreshing expired OAuth tokens the provider requires the scope once more.
"""
A, B = (
    "projects/apollo/memory/deploy-a00001.md",
    "projects/apollo/memory/deploy-a00002.md",
)


@pytest.fixture
def vault(world):
    return world.vault("empty").write(A, OLD).write(B, NEW)


def planned(vault: World, *flags: str) -> list[Any]:
    done = vault.call("reflect", "--json", *flags)
    assert done.code == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)["steps"]
    return found


def said(vault: World, *flags: str) -> list[tuple[str, str]]:
    return [(step["action"], step["reason"]) for step in planned(vault, *flags)]


def applied(vault: World, plan: str = "plan.toml", code: int = 0) -> list[Any]:
    done = vault.call("reflect", "--apply", plan, "--json")
    assert done.code == code, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def make_plan(vault: World, *flags: str) -> str:
    assert vault.call("reflect", "-o", "plan.toml", *flags).code == 0
    return vault.read("plan.toml")


def test_a_vault_with_nothing_to_do_says_so(world):
    world.vault("one-rule").run("reflect")
    world.stderr("toolmem: 0 memories and 1 rule: nothing to do\n")


def test_a_plan_changes_nothing(vault):
    before = vault.files()
    make_plan(vault)
    assert {p: d for p, d in vault.files().items() if p != "plan.toml"} == before


def test_a_plan_is_printed_for_a_pipe(vault):
    plan = vault.call("reflect", "-o", "-").stdout
    assert plan == vault.call("reflect").stdout == make_plan(vault)
    assert not vault.root.joinpath("-").exists()


def test_overlapping_memories_become_one_and_all_is_kept(vault):
    make_plan(vault)
    [done] = applied(vault)
    assert done["result"] == "done"
    assert vault.read(B) == NEW.replace(
        "source_task: t2\n",
        "source_task: t2\nupdated: 2026-04-20T12:00:00Z\nsupersedes: [deploy-a00001]\n"
        "source_tasks_additional: [t1]\n",
    )
    assert not vault.root.joinpath(A).exists()
    reason = "deploy-a00001 and deploy-a00002 are very similar (0.82); now in"
    assert vault.read(f"archive/{A}") == OLD.replace(
        "---\n# The",
        f'reason: "{reason} deploy-a00002"\narchived_at: "2026-04-20T12:00:00Z"\n'
        "merged_into: deploy-a00002\n---\n# The",
    )


def test_what_retired_comes_back_byte_for_byte(vault):
    make_plan(vault)
    applied(vault)
    assert vault.call("restore", "deploy-a00001").code == 0
    assert vault.read(A) == OLD


def test_a_memory_without_a_header_comes_back_byte_for_byte(world):
    path = "system/memory/hello-a00001.md"
    world.vault("empty").write(path, "Hi there!\n")
    assert said(world) == [("retire", "hello-a00001 is a greeting")]
    make_plan(world)
    applied(world)
    assert "reason: hello-a00001 is a greeting\n" in world.read(f"archive/{path}")
    assert world.call("restore", "hello-a00001").code == 0
    assert world.read(path) == "Hi there!\n"


@pytest.mark.parametrize("header", ["tags: [a", "conflict: {deleted: ours}"])
def test_a_memory_that_is_to_be_mended_first_is_not_retired(world, header):
    text = f"---\n{header}\nexpires_at: 2020-01-01\n---\nHi there!\n"
    world.vault("empty").write("system/memory/hello-a00001.md", text)
    assert world.call("check").code == 1
    assert said(world) == []


def test_nothing_is_overwritten_that_changed_after_the_plan(vault):
    make_plan(vault)
    edited = NEW + "\nAnd a person wrote this since.\n"
    vault.write(B, edited)
    [done] = applied(vault, code=13)
    assert done["result"] == "skipped"
    assert done["why"] == f"{B}: changed since the plan was made"
    assert (vault.read(A), vault.read(B)) == (OLD, edited)
    assert not vault.root.joinpath("archive").exists()


def test_nothing_moves_when_what_would_retire_has_changed(vault):
    make_plan(vault)
    vault.write(A, OLD + "\nMore.\n")
    [done] = applied(vault, code=13)
    assert done["why"] == f"{A}: changed since the plan was made"
    assert vault.read(B) == NEW


def test_the_archive_overwrites_nothing_that_lies_there(vault):
    vault.write(f"archive/{A}", "an older one\n")
    make_plan(vault)
    applied(vault)
    assert vault.read(f"archive/{A}") == "an older one\n"
    assert OLD.partition("---\n#")[2] in vault.read(
        "archive/projects/apollo/memory/deploy-a00001-2.md"
    )


def test_promotion_never_writes_over_a_memory_that_is_there(world):
    there = "system/memory/oauth-a00001.md"
    for project in ("apollo", "borealis"):
        world.write(f"projects/{project}/memory/oauth-{project[:1]}00001.md", OAUTH)
    world.vault("empty")
    make_plan(world)
    target = "system/memory/oauth-a00001.md"
    world.write(there, "# Something else\n\nWith its own text and nothing in common.\n")
    before = world.files()
    [done] = applied(world, code=13)
    assert done["why"].startswith(f"{target}: already exists")
    assert world.files() == before


def test_a_plan_applied_twice_does_nothing_more(vault):
    make_plan(vault)
    applied(vault)
    before = vault.files()
    [again] = applied(vault)
    assert again["result"] == "done"
    assert vault.files() == before


def test_the_text_of_a_plan_can_be_changed_by_hand(vault):
    text = make_plan(vault)
    assert text.count("text = '''") == 1
    head, _, _ = text.partition("text = '''")
    vault.write("plan.toml", f"{head}text = '''\nBetter words.\n'''\n")
    applied(vault)
    assert vault.read(B).endswith(
        "# The deploy script retries three times\n\nBetter words.\n"
    )


def test_only_the_steps_that_are_left_are_carried_out(vault):
    vault.write("system/memory/hi-c00001.md", "Hello!\n")
    text = make_plan(vault)
    first, second = text.split("[[step]]")[1:]
    assert ("greeting" in first) == ("greeting" not in second)
    kept = first if "greeting" in first else second
    vault.write("plan.toml", text.partition("[[step]]")[0] + "[[step]]" + kept)
    applied(vault)
    assert (vault.read(A), vault.read(B)) == (OLD, NEW)
    assert vault.root.joinpath("archive/system/memory/hi-c00001.md").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("merge", "erase"), "plan.toml:16: no action 'erase'"),
        (("reason = ", "why = "), "plan.toml:16: a step has no key 'why'"),
        (("projects/apollo/memory/deploy-a00001", "../../etc/x"), "is not a memory"),
        (
            ("projects/apollo/memory/deploy-a00001.md", "toolmem.toml"),
            "is not a memory",
        ),
        (
            ("made_at", "made"),
            "plan.toml: made_at is not a time: the file is not a plan of `toolmem "
            "reflect`",
        ),
        (("[[step]]", "[step]"), "plan.toml: every step must begin with [[step]]"),
    ],
)
def test_a_plan_that_says_something_else_does_nothing(vault, change, message):
    text = make_plan(vault)
    vault.write("plan.toml", text.replace(*change))
    done = vault.call("reflect", "--apply", "plan.toml")
    assert done.code in (11, 13)
    assert message in done.stderr
    assert (vault.read(A), vault.read(B)) == (OLD, NEW)


def test_what_several_projects_know_goes_to_their_agent_type(world):
    world.vault("empty").write("projects/apollo/memory/oauth-a00001.md", OAUTH)
    world.write("projects/borealis/memory/oauth-b00001.md", OAUTH)
    [step] = planned(world, "--agent-type", "coding")
    assert (step["action"], step["scope"]) == ("promote", "agent-type:coding")
    make_plan(world, "--agent-type", "coding")
    [done] = applied(world)
    assert done["paths"] == [
        "agent-types/coding/memory/oauth-a00001.md",
        "archive/projects/borealis/memory/oauth-b00001.md",
    ]


def test_what_several_types_know_goes_to_the_system(world):
    for kind in ("coding", "writing"):
        world.write(f"agent-types/{kind}/memory/oauth-{kind[:1]}00001.md", OAUTH)
    [step] = planned(world.vault("empty"))
    assert (step["action"], step["scope"]) == ("promote", "system")


def test_what_the_system_says_need_not_be_said_again(world):
    world.vault("empty").write("system/memory/oauth-a00001.md", OAUTH)
    world.write("projects/apollo/memory/oauth-b00001.md", OAUTH)
    [step] = planned(world)
    assert step["action"] == "retire"
    assert [one["path"] for one in step["files"]] == [
        "projects/apollo/memory/oauth-b00001.md"
    ]


def test_private_and_agents_own_memories_are_never_promoted(world):
    hidden = OAUTH.replace("---\n", "---\nprivate: true\n", 1)
    world.vault("empty").write("projects/apollo/memory/oauth-a00001.md", hidden)
    world.write("projects/borealis/memory/oauth-b00001.md", OAUTH)
    world.write("agents/ada/memory/oauth-c00001.md", OAUTH)
    world.write("agents/bob/memory/oauth-d00001.md", OAUTH)
    assert planned(world) == []


def test_an_agent_is_told_nothing_of_what_is_private(world, monkeypatch):
    hidden = "---\nprivate: true\n---\n# Hi\n"
    world.vault("empty").write("system/memory/hi-a00001.md", hidden)
    world.write("agents/bob/memory/hi-b00001.md", "# Hi\n")
    assert len(planned(world)) == 2
    monkeypatch.setenv("TOOLMEM_AGENT", "ada")
    assert planned(world) == []


def test_contradictions_are_linked_and_then_told(world):
    text = (
        "---\ncreated: 2026-02-07\n---\n# The gateway times out after {} on uploads\n"
    )
    for number, when in enumerate(("30s", "60s")):
        world.write(f"system/memory/gateway-a0000{number}.md", text.format(when))
    world.vault("empty")
    assert said(world) == [
        (
            "contest",
            "gateway-a00000 and gateway-a00001 contradict each other (30s, 60s)",
        )
    ]
    make_plan(world)
    applied(world)
    assert "contested_with: [gateway-a00001]\n" in world.read(
        "system/memory/gateway-a00000.md"
    )
    assert said(world) == [
        (
            "look",
            "gateway-a00000 and gateway-a00001 contradict each other (30s, 60s) and "
            "are linked: retire the one that is wrong",
        )
    ]


def test_memories_of_one_series_are_no_contradictions(world):
    for number in range(4):
        world.write(
            f"system/memory/m-a0000{number}.md",
            f"# The nightly build takes {number}7 minutes on the second runner\n",
        )
    [(action, reason)] = said(world.vault("empty"))
    assert action == "look"
    assert reason.endswith("differ in numbers or names: a series, or wrong?")


GATEWAY = "# The gateway of the web shop times out after {} seconds\n"


@pytest.mark.parametrize("copied", [(), (30,), (60,), (30, 60)])
@pytest.mark.parametrize("places", [["app"], ["app", "zoo", "blog"]])
def test_a_copy_elsewhere_hides_no_contradiction(world, copied, places):
    world.vault("empty")
    for name, seconds in (("a-a00001", 30), ("b-a00002", 60)):
        world.write(f"projects/web/memory/{name}.md", GATEWAY.format(seconds))
    for place in places:
        for seconds in copied:
            path = f"projects/{place}/memory/{place}-{seconds:06}.md"
            world.write(path, GATEWAY.format(seconds))
    found = said(world)
    others = [
        f"{place}-000030 and {place}-000060 contradict each other (30s, 60s)"
        for place in places
        if len(copied) == 2
    ]
    sides = {
        frozenset(reason.split(" contradict")[0].split(" and ")) for _, reason in found
    }
    wanted = {
        frozenset(reason.split(" contradict")[0].split(" and ")) for reason in others
    }
    assert sides == wanted | {frozenset({"a-a00001", "b-a00002"})}
    assert {action for action, _ in found} == {"contest"}


@pytest.mark.parametrize(
    ("one", "other"), [("1.1", "1.2"), ("v2.0.1", "v2.0.2"), ("2026-01", "2026-02")]
)
def test_notes_of_two_versions_are_a_series(world, one, other):
    world.vault("empty")
    for number, version in enumerate((one, other)):
        title = f"# Release note for {version}\n\n"
        body = "The exporter writes the files of a release to the archive folder.\n"
        world.write(f"projects/web/memory/note-a0000{number}.md", title + body)
    [(action, reason)] = said(world)
    assert action == "look"
    assert reason.endswith("differ in numbers or names: a series, or wrong?")


def test_each_series_is_one_proposal_however_many_notes_it_has(world):
    world.vault("empty")
    bodies = {"Release note": "exporter", "Audit of the vault": "ledger"}
    for name, (title, thing) in zip(("rel", "aud"), bodies.items(), strict=True):
        for number in range(1, 7):
            text = f"# {title} for 1.{number}\n\nThe {thing} of 1.{number} is ready.\n"
            world.write(f"projects/web/memory/{name}-a0000{number}.md", text)
    looks = [reason.split(" read alike")[0] for _, reason in said(world)]
    assert sorted(sorted(ids.split(", ")) for ids in looks) == [
        [f"{name}-a0000{number}" for number in range(1, 7)] for name in ("aud", "rel")
    ]


def test_hidden_facts_are_set_and_the_memory_stays(world):
    path = "projects/apollo/memory/how-a00001.md"
    body = "# How apollo is tested\n\ntest_command: pytest -v\n\nOur port is `8081`.\n"
    world.vault("empty").write(path, body)
    make_plan(world)
    applied(world)
    settled = '---\nsettled: ["port: 8081", "test_command: pytest -v"]\n---\n'
    assert world.read(path) == settled + body
    world.file(
        "projects/apollo/facts.md", "## project\nport: 8081\ntest_command: pytest -v\n"
    )


def test_what_memories_cite_may_have_changed_since(world):
    project = World(world.root / "work")
    project.clock(at="2026-03-01T10:00:00+00:00").write("src/server.py", "1\n")
    commit = project.commit("begin")
    body = "# Where the port is read\n\nIt is read in `src/server.py`, near the top.\n"
    head = "---\ncreated: 2026-02-01\n---\n"
    world.root.joinpath("vault").mkdir()
    vault = World(world.root / "vault").vault("empty")
    vault.write("system/memory/port-a00001.md", head + body)
    vault.write("system/memory/port-a00002.md", "# It was read in server.py before\n")
    found = said(vault, "--folder", str(project.root))
    assert (
        "look",
        f"port-a00001 mentions src/server.py, which has changed since "
        f"(2026-03-01, {commit[:7]})",
    ) in found
    vault.write("system/memory/port-a00001.md", head.replace("02-01", "03-02") + body)
    found = said(vault, "--folder", str(project.root))
    assert not any("port-a00001" in reason for _, reason in found)


def test_expired_things_retire(world):
    world.vault("empty").write(
        "system/memory/freeze-a00001.md",
        "---\nexpires_at: 2026-01-01\n---\n# Nothing may be merged until new year\n",
    )
    world.write(
        "system/rules/shell/freeze-7b1e0c52.toml",
        'id = "7b1e0c52"\ntool = "shell"\nrule = "never push in the freeze"\n'
        "expires_at = 2026-01-01T00:00:00Z\n",
    )
    assert said(world) == [
        ("retire", "freeze-a00001 expired on 2026-01-01"),
        ("retire", "rule 7b1e0c52 expired on 2026-01-01"),
    ]
    make_plan(world)
    applied(world)
    assert sorted(p for p in world.files() if p.startswith("archive/")) == [
        "archive/system/memory/freeze-a00001.md",
        "archive/system/rules/shell/freeze-7b1e0c52.toml",
    ]


def rule(world, rule_id, text, *more, scope="system"):
    lines = [f'id = "{rule_id}"', 'tool = "shell"', f'rule = "{text}"', *more]
    world.write(f"{scope}/rules/shell/x-{rule_id}.toml", "\n".join(lines) + "\n")


def test_rules_that_read_the_same_or_say_the_opposite_are_found(world):
    world.vault("empty")
    rule(world, "a0000001", "Never use sudo", 'priority = "critical"')
    rule(world, "a0000002", "never use sudo.", scope="projects/apollo")
    rule(world, "a0000003", "always use sudo")
    assert said(world) == [
        ("retire", "rule a0000002 is the same as a0000001 (system), which stays"),
        ("look", "rules a0000001 and a0000003 contradict each other: retire one"),
    ]


def test_a_weaker_copy_never_takes_the_place_of_a_critical_rule(world):
    world.vault("empty")
    rule(world, "a0000001", "never use sudo")
    critical = 'priority = "critical"'
    rule(world, "a0000002", "never use sudo", critical, scope="projects/apollo")
    assert not any(action == "retire" for action, _ in said(world))


def test_an_agent_retires_no_critical_rule_of_a_person(world, monkeypatch):
    world.vault("empty")
    critical = 'priority = "critical"'
    rule(world, "a0000001", "never use sudo", critical, 'source = "user_explicit"')
    rule(world, "a0000002", "Never use sudo", critical, 'source = "user_explicit"')
    make_plan(world)
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    [done] = applied(world, code=13)
    assert "a person wrote this rule, and only a person changes it" in done["why"]


def test_too_many_critical_rules_are_told(world):
    world.vault("empty")
    things = "cats dogs hats maps pens cups bags keys jars bowls".split()
    verbs = ("sell", "paint")
    for number, thing in enumerate(things):
        for place, verb in enumerate(verbs):
            text = f"never {verb} {thing}"
            rule(world, f"a{place}{number:06}", text, 'priority = "critical"')
    assert (
        "look",
        "20 of 20 rules are critical: use -p high for all but the most important",
    ) in said(world)


def test_a_memory_in_conflict_is_not_merged(vault):
    vault.write(B, NEW.replace("---\n# The", "conflict: {topic: x}\n---\n# The"))
    [(action, reason)] = said(vault)
    assert action == "look"
    assert reason.endswith("not all can be changed by a program")


def test_a_guarded_rule_that_no_call_met_is_looked_at(world):
    world.vault("empty")
    guard = '\n[[guard]]\naction = "deny"\ncontains = "sudo"'
    rule(
        world, "a0000001", "never use sudo", "created_at = 2025-01-01T00:00:00Z", guard
    )
    rule(
        world, "a0000002", "never use doas", "created_at = 2025-01-01T00:00:00Z", guard
    )
    assert said(world) == []  # nothing is counted yet
    with open_state(world.root) as state:
        note_event(state, "a0000001", "matched", "session s", world.now)
    assert said(world) == [
        (
            "look",
            "rule a0000002: no call matched its guard here in 90 days: does it still "
            "say "
            "what is meant?",
        )
    ]


def add_turn(world, session, *calls, project=""):
    """Store a turn with calls: of a tool, with its arguments and its error, if any."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "test it"}]
    for number, (tool, args, error) in enumerate(calls):
        function = {"name": tool, "arguments": json.dumps(args)}
        call: dict[str, Any] = {"id": f"c{number}", "type": "function"}
        call["function"] = function
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        result: dict[str, Any] = {"role": "tool", "tool_call_id": f"c{number}"}
        result["content"] = error or OK
        messages.append(result | ({"is_error": True} if error else {}))
    turn = json.dumps({"messages": messages})
    flags = ("--project", project) if project else ()
    done = world.call("turn", "add", "--session", session, "-", *flags, stdin=turn)
    assert done.code == 0, done.stderr


def proposed_rules(world):
    return [(one["tool"], one["text"]) for one in planned(world)]


OK = "Exit code: 0\nfine"
FAILED = ("bash", {"command": "pytest -q"}, "boom\nexit code: 1")
WORKED = ("bash", {"command": "uv run pytest -q"}, "")
OTHER = ("bash", {"command": "ls"}, "")
INSTEAD = "`pytest -q` fails here; `uv run pytest -q` works"
WHY = "`pytest -q` keeps failing here: find out why before you run it again"


@pytest.mark.parametrize(
    ("turns", "text"),
    [
        ([[FAILED]], WHY),
        ([[FAILED, OTHER]], WHY),
        ([[FAILED, WORKED]], INSTEAD),
        ([[FAILED, FAILED, OTHER, WORKED]], INSTEAD),
        ([[FAILED], [WORKED]], INSTEAD),
    ],
)
def test_a_command_that_fails_in_session_after_session_deserves_a_rule(
    world, turns, text
):
    world.vault("empty")
    for number in range(3):
        assert planned(world) == []
        for turn in turns:
            add_turn(world, f"s{number}", *turn)
    assert proposed_rules(world) == [("shell", text)]
    make_plan(world)
    applied(world)
    assert planned(world) == []


def test_a_tool_that_fails_for_one_cause_in_two_sessions_deserves_a_rule(world):
    world.vault("empty")
    for number in range(2):
        assert planned(world) == []
        add_turn(world, f"s{number}", ("deploy", {"to": number}, "request timed out"))
        add_turn(world, f"s{number}", ("mail", {}, f"no such file: {number}.txt"))
        add_turn(world, f"s{number}", ("draw", {}, f"boom {number}"))
    assert proposed_rules(world) == [
        ("deploy", "`deploy` fails here (timeout): find out why before you call it"),
        ("mail", "`mail` fails here (not found): find out why before you call it"),
    ]
    make_plan(world)
    applied(world)
    assert planned(world) == []


def test_failures_in_one_project_are_no_rule_of_another(world):
    world.vault("empty")
    for number in range(3):
        for project in ("app", "web"):
            mail = ("mail", {}, "no such file") if project == "web" else OTHER
            add_turn(world, f"{project}{number}", FAILED, mail, project=project)
    found = {(one["scope"], one["tool"]) for one in planned(world)}
    assert found == {
        ("project:app", "shell"),
        ("project:web", "shell"),
        ("project:web", "mail"),
    }
    done = json.loads(world.call("reflect", "--project", "app", "--json").stdout)
    assert [one["scope"] for one in done["steps"]] == ["project:app"]


def test_a_tool_that_is_refused_request_after_request_is_looked_at(world):
    world.vault("empty").write("tools/wine.toml", "[memory_access.semantic]\n")
    for number in range(3):
        assert planned(world) == []
        request = {
            "request_id": f"r{number}",
            "tool_id": "wine",
            "agent_context": {"agent_id": "helper"},
            "memory_queries": [
                {"query_id": "q", "memory_type": "working", "query_text": "wine"}
            ],
        }
        done = world.call("query", "-", stdin=json.dumps(request))
        assert done.code == 0, done.stderr
    [step] = planned(world)
    assert (step["action"], step["files"]) == ("look", [])
    assert step["reason"] == (
        "wine: working was refused in 3 requests: "
        "the tool's manifest does not declare working"
    )


def test_what_was_never_found_here_is_told_once_it_is_known(world):
    world.clock(at="2026-01-01T00:00:00+00:00")
    text = "---\ncreated: 2026-01-01\n---\n# The {} of the vault opens at nine sharp\n"
    world.vault("empty").write("system/memory/door-a00001.md", text.format("door"))
    world.write(
        "system/memory/gate-a00002.md",
        "---\ncreated: 2026-01-01\n---\n# Parking is free on Sundays behind the mill\n",
    )
    assert world.call("search", "door").code == 0
    before = world.files()
    world.clock(days=100)
    assert said(world) == [
        (
            "look",
            "gate-a00002 was never found here in 90 days: retire it if it is not "
            "needed",
        )
    ]
    assert world.files() == before


def test_searching_and_counting_leave_git_status_clean(world):
    world.vault("empty").write(
        "system/memory/door-a00001.md", "# The door opens at 9\n"
    )
    world.commit()
    for _ in range(3):
        world.call("search", "door")
        world.call("memory", "show", "door-a00001")
        world.call("reflect", "--json")
    assert world.git("status", "--porcelain") == ""


def test_the_users_model_writes_merged_texts(vault, monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    folder.joinpath("toolmem").mkdir()
    config = folder / "toolmem/config.toml"
    config.write_text(
        '[model]\ncommand = ["sh", "-c", "cat >/dev/null; echo One note."]\n'
    )
    [step] = planned(vault, "--model")
    assert step["text"] == "One note.\n"
    assert step["reason"].endswith("; by model")
    config.write_text('[model]\ncommand = ["false"]\n')
    done = vault.call("reflect", "--model", "--json")
    assert done.stderr.startswith("toolmem: the model command ended with 1: merged")
    assert json.loads(done.stdout)["steps"][0]["text"].startswith("The deploy script")


def test_a_model_must_be_set_to_be_asked(vault):
    vault.run("reflect", "--model").exits(2)
    vault.stderr("toolmem: --model needs model.command in your own configuration\n")


def test_a_project_alone_is_reflected_on(vault):
    vault.write("system/memory/hi-c00001.md", "Hello!\n")
    assert [a for a, _ in said(vault, "--project", "apollo")] == ["merge"]


def test_a_plan_reads_back_as_it_was_written(vault):
    text = make_plan(vault)
    [step] = parse_plan(text, "plan.toml").steps
    assert step.document() == planned(vault)[0]


def test_damaged_local_state_is_told_and_keeps_nobody_from_reflecting(vault):
    vault.root.joinpath(".toolmem").mkdir(exist_ok=True)
    vault.root.joinpath(".toolmem/state.db").write_bytes(b"not a database" * 1000)
    done = vault.call("reflect", "--json")
    assert done.code == 0
    assert "state.db" in done.stderr
    assert len(json.loads(done.stdout)["steps"]) == 1


STAGING = (
    "# The staging cluster\n\nThe staging cluster runs in Frankfurt on three nodes. "
    "Deploys happen at noon. The staging port is 8080. Logs are shipped to Loki, and "
    "alerts go to the channel. Backups are kept for thirty days in a bucket.\n"
)


@pytest.mark.parametrize(
    ("short", "proposed", "saved"),
    [
        ("The staging port is 9090.", ["contest"], "contested"),
        # A part of a paragraph: a person decides what the rest says of it.
        ("The staging port is 8080.", ["merge"], "created"),
        ("The staging port needs a firewall rule.", [], "created"),
    ],
)
def test_a_short_memory_is_compared_with_a_long_one(world, short, proposed, saved):
    vault = world.vault("empty").write("system/memory/a-000001.md", STAGING)
    vault.write("system/memory/b-000001.md", f"{short}\n")
    assert [action for action, _ in said(vault)] == proposed
    (vault.root / "system/memory/b-000001.md").unlink()
    done = vault.call("memory", "save", short, "--scope", "system", "--json")
    assert json.loads(done.stdout)["action"] == saved


@pytest.mark.parametrize("day", ["", "---\ncreated: 2026-02-07\n---\n"])
def test_of_two_values_neither_of_which_is_newer_none_becomes_a_fact(world, day):
    vault = world.vault("empty")
    for name, host in (("e-aaaaa5", "alpha"), ("f-aaaaa6", "beta")):
        text = f"{day}# Deploy host of {name}\n\nThe deploy host is `{host}`.\n"
        vault.write(f"system/memory/{name}.md", text)
    steps = [step for step in said(vault) if "deploy_host" in step[1]]
    assert steps == [
        (
            "look",
            f"{name} hides a fact: deploy_host is {host}, and another memory differs",
        )
        for name, host in (("e-aaaaa5", "alpha"), ("f-aaaaa6", "beta"))
    ]


GATEWAY = "---\ncreated: 2026-02-07\n---\n# The gateway times out after {} on uploads\n"
TESTED = "# How apollo is tested\n\ntest_command: pytest -v\n"


@pytest.mark.parametrize(
    ("files", "undo"),
    [
        ({A: OLD, B: NEW}, ["restore", "deploy-a00001"]),
        ({A: OLD, B: OLD}, ["restore", "deploy-a00002"]),
        (
            {
                "projects/apollo/memory/oauth-a00001.md": OAUTH,
                "projects/borealis/memory/oauth-b00001.md": OAUTH,
            },
            ["restore", "oauth-b00001"],
        ),
        (
            {
                "system/memory/gateway-a00001.md": GATEWAY.format("30s"),
                "system/memory/gateway-a00002.md": GATEWAY.format("60s"),
            },
            ["memory", "edit", "gateway-a00002", "--uncontested"],
        ),
        (
            {
                "projects/apollo/memory/how-a00001.md": TESTED,
                "projects/apollo/memory/tests-a00001.md": "test_command: pytest -v\n",
            },
            ["fact", "delete", "test_command", "--scope", "project:apollo"],
        ),
    ],
    ids=["merge", "copy", "promote", "contest", "fact"],
)
def test_what_a_person_undid_is_neither_proposed_nor_done_again(world, files, undo):
    world.vault("empty")
    for path, text in files.items():
        world.write(path, text)
    make_plan(world)
    results = [step["result"] for step in applied(world)]
    assert results == ["done"]
    done = world.call(*undo)
    assert done.code == 0, done.stderr
    undone = world.files()
    assert said(world) == []
    assert applied(world, code=13)[0]["result"] == "skipped"
    assert world.files() == undone


def test_what_was_undone_stays_so_when_its_successor_is_merged_in_turn(vault):
    make_plan(vault)
    applied(vault)
    longer = NEW + "\nIts logs are in the bucket of the team.\n"
    third = "projects/apollo/memory/deploy-a00003.md"
    vault.write(third, longer)
    make_plan(vault)
    applied(vault)
    assert vault.call("restore", "deploy-a00001").code == 0
    assert said(vault) == []
    assert "settled: [deploy-a00001]\n" in vault.read(third)
