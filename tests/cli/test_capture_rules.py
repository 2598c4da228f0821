"""Outcomes of decrees: created, seen, proposed, amended, contested, revoked."""

import json

import pytest

from tests.cli.hearing import outcome, proposals, rules, spoken, tell


@pytest.fixture
def vault(world):
    return world.vault("empty")


def settings(world, **values):
    lines = "".join(f'{key} = "{value}"\n' for key, value in values.items())
    world.write("toolmem.toml", f"schema = 1\n[capture]\n{lines}")


def test_the_safety_case_from_decree_to_retirement(vault):
    """Said in one session, in the next one's prompt, gone when taken back."""
    [made] = tell(vault, "Never email Sarah at sarah@example.com.", session="s-1")[
        "decrees"
    ]
    vault.commit("capture")
    assert vault.git("show", f"HEAD:{made['path']}") == (
        f'id = "{made["id"]}"\n'
        'tool = "send_email"\n'
        'rule = "Never email Sarah at sarah@example.com"\n'
        'priority = "critical"\n'
        'source = "user_explicit"\n'
        'tags = ["captured"]\n'
        "created_at = 2026-04-20T12:00:00Z\n"
        'evidence = "“Never email Sarah at sarah@example.com.” (session s-1, turn 0)"\n'
    )
    vault.clock(days=1)
    line = "- **[critical]** Never email Sarah at sarah@example.com\n"
    assert line in vault.call("prompt", "--session", "s-2").stdout
    taken = tell(vault, "You can email Sarah again.", session="s-2")
    assert outcome(taken, "action", "id") == [("retired", made["id"])]
    assert line not in vault.call("prompt", "--session", "s-3").stdout
    archived = vault.read(f"archive/{made['path']}")
    assert 'reason = "You can email Sarah again."\n' in archived
    vault.call("restore", made["id"])
    assert line in vault.call("prompt", "--session", "s-4").stdout


def test_said_again_is_one_rule_and_a_count(vault):
    first = tell(vault, "Never use sudo.", session="s-1")
    again = tell(vault, "never use  sudo", session="s-2")
    third = tell(vault, "Hi. Never use sudo.")
    ids = {entry["id"] for entry in (*first["decrees"], *again["decrees"])}
    assert len(ids) == 1 == len(rules(vault))
    counted = [outcome(found, "action", "count") for found in (first, again, third)]
    assert counted == [[("created", 1)], [("seen", 2)], [("seen", 3)]]


def test_one_message_counts_once_however_often_it_is_read(vault):
    for _ in range(3):
        found = tell(vault, "Never use sudo.", session="s-1")
    assert outcome(found, "action", "count") == [("seen", 1)]


def test_a_message_with_several_decrees_makes_several_rules(vault):
    found = tell(vault, "Never push to main! Never force push!")
    assert outcome(found, "text", "action") == [
        ("Never push to main", "created"),
        ("Never force push", "created"),
    ]


def test_a_fourth_rule_of_one_message_is_proposed(vault):
    text = "Never use sudo. Never use curl. Never use wget. Never use telnet."
    assert outcome(tell(vault, text), "action", "reason") == [
        ("created", None),
        ("created", None),
        ("created", None),
        ("proposed", "more than 3 in one message"),
    ]


def test_three_rules_of_every_message_are_applied(vault):
    found = tell(vault, "Never use sudo. Never use curl.", "Never use wget or nc.")
    assert {entry["action"] for entry in found["decrees"]} == {"created"}


def test_what_was_typed_is_kept_whole_though_too_long_and_proposed(vault):
    programs = ", ".join(f"cmd{number}" for number in range(90))
    [entry] = tell(vault, f"Never run {programs} here.")["decrees"]
    assert (entry["action"], entry["reason"]) == (
        "proposed",
        "longer than 500 characters: shorten it",
    )
    assert entry["text"] == f"Never run {programs} here"
    vault.run("review", "--accept", entry["id"][:8]).exits(2)
    vault.stderr(
        f"toolmem: the rule has {len(entry['text'])} characters, "
        "500 are allowed: shorten it, or move the background to a guidance file\n"
    )
    vault.settle()
    short = ("--text", "never run cmd0 to cmd89 here")
    assert vault.call("review", "--accept", entry["id"], *short).code == 0
    assert [rule["rule"] for rule in rules(vault)] == ["never run cmd0 to cmd89 here"]


def test_an_exception_is_a_proposal_that_names_the_rule(vault):
    [rule] = tell(vault, "Never push to main.")["decrees"]
    [amended] = tell(vault, "you may push to main for releases")["decrees"]
    assert (amended["action"], amended["amends"]) == ("amended", rule["id"])
    assert [entry["rule"] for entry in rules(vault)] == ["Never push to main"]
    vault.call("review", "--accept", amended["id"])
    [now] = rules(vault)
    assert (now["id"], now["priority"], now["rule"]) == (
        rule["id"],
        "critical",
        "Never push to main (exception: you may push to main for releases)",
    )


TWO_TOOLS = "Never use the edit tool or bash on prod.cfg."


def test_a_decree_about_several_tools_is_taken_back_for_all_of_them(vault):
    [made] = tell(vault, TWO_TOOLS)["decrees"]
    assert len(made["ids"]) == 2
    taken = tell(vault, "You can use the edit tool or bash on prod.cfg again.")
    assert [action for (action,) in outcome(taken, "action")] == ["retired"] * 2
    assert {one["id"] for one in taken["decrees"]} == set(made["ids"])
    assert rules(vault) == []


def test_an_exception_to_a_decree_about_several_tools_changes_all_its_rules(vault):
    tell(vault, TWO_TOOLS)
    permission = "You may use the edit tool or bash on prod.cfg for releases."
    [amended] = tell(vault, permission)["decrees"]
    assert (amended["action"], set(amended["tools"])) == ("amended", {"edit", "bash"})
    assert vault.call("review", "--accept", amended["id"]).code == 0
    texts = {rule["rule"] for rule in rules(vault)}
    assert len(rules(vault)) == 2
    assert texts == {f"{TWO_TOOLS[:-1]} (exception: {permission[:-1]})"}


def test_a_decree_about_several_tools_is_proposed_and_taken_back_as_one(vault):
    tell(vault, TWO_TOOLS)
    settings(vault, mode="propose")
    permission = "You can use the edit tool or bash on prod.cfg again."
    [found] = tell(vault, permission)["decrees"]
    assert vault.call("review", "--accept", found["id"]).code == 0
    assert rules(vault) == []


def test_what_names_no_rule_is_about_what_was_said_before_it(vault):
    vault.call("rule", "add", "bash", "by hand", "-p", "critical")
    tell(vault, "Never use curl.", session="s-0")
    [rule] = tell(vault, "Never use sudo.", session="s-1")["decrees"]
    [found] = tell(vault, "Forget that rule.", session="s-1")["decrees"]
    assert (found["action"], found["retires"]) == ("proposed", [rule["id"]])
    tell(vault, "Never use wget.", session="s-1")
    [found] = tell(vault, "Scratch that.", session="s-1")["decrees"]
    assert (found["action"], len(found["retires"])) == ("proposed", 2)
    said = vault.run("review", "--accept", found["id"]).exits(2)
    said.stderr(
        "toolmem: the proposal fits several rules: name one with --rule: "
        f"{', '.join(found['retires'])}\n"
    )
    vault.settle()
    [found] = tell(vault, "Scratch that.", session="s-2")["decrees"]
    assert found["action"] == "skipped"


def test_a_contradiction_is_told_with_both_ids(vault):
    [rule] = tell(vault, "Always use tabs.")["decrees"]
    [against] = tell(vault, "Never use tabs.")["decrees"]
    assert (against["action"], against["contradicts"]) == ("contested", [rule["id"]])
    assert [entry["id"] for entry in rules(vault)] == [rule["id"]]
    done = vault.call("review", "--accept", against["id"], "--json")
    assert json.loads(done.stdout)["rules"] == [against["id"], rule["id"]]
    assert [entry["rule"] for entry in rules(vault)] == ["Never use tabs"]


def test_an_unclear_permission_is_a_proposal(vault):
    tell(vault, "Never email Sarah at work.", "Never email Sarah at home.")
    found = tell(vault, "You can email Sarah again.")
    assert outcome(found, "action") == [("proposed",)]
    assert len(rules(vault)) == 2
    [waiting] = proposals(vault)
    assert (waiting["kind"], len(waiting["rules"])) == ("retire", 2)


def test_which_rule_an_unclear_permission_meant_is_said_in_review(vault):
    tell(vault, "Never email Sarah at work.", "Never email Sarah at home.")
    [found] = tell(vault, "You can email Sarah again.")["decrees"]
    assert vault.call("review", "--accept", found["id"]).code == 2
    [home] = [rule["id"] for rule in rules(vault) if "home" in rule["rule"]]
    assert vault.call("review", "--accept", found["id"], "--rule", home).code == 0
    assert [rule["rule"] for rule in rules(vault)] == ["Never email Sarah at work"]


def test_a_permission_that_nothing_stands_against_changes_nothing(vault):
    found = tell(vault, "You can use sudo again.")
    assert outcome(found, "action", "reason") == [("skipped", "no related rule")]
    assert found["skipped"] == {"permission that no rule contradicts": 1}


def test_a_rule_by_hand_in_a_broader_scope_is_not_retired_by_capture(vault):
    vault.call("rule", "add", "bash", "never use sudo", "-p", "critical")
    found = tell(vault, "You can use sudo again.", args=("--project", "x"))
    assert outcome(found, "action", "reason") == [
        ("proposed", "the rule is one of system, and was not captured")
    ]
    here = tell(vault, "You can use sudo again.")
    assert outcome(here, "action") == [("retired",)]


def test_a_captured_rule_of_a_broader_scope_is_taken_back_in_the_project_alone(vault):
    project = ("--project", "alpha")
    [made] = tell(vault, "Never email Sarah.")["decrees"]
    assert made["path"].startswith("system/")
    given = spoken("You can email Sarah again.")
    trial = vault.call("capture", "-", "--json", "--dry-run", *project, stdin=given)
    taken = tell(vault, "You can email Sarah again.", args=project)
    assert json.loads(trial.stdout)["decrees"] == taken["decrees"]
    assert outcome(taken, "action", "id", "reason") == [
        ("retired", made["id"], "only in project:alpha")
    ]
    [everywhere] = rules(vault, "--effective")
    assert everywhere["id"] == made["id"]
    assert rules(vault, "--effective", *project) == []
    override = vault.read(taken["decrees"][0]["path"])
    assert 'reason = "You can email Sarah again."\n' in override


def test_a_rule_that_was_retired_comes_back_only_when_it_is_said_anew(vault):
    [rule] = tell(vault, "Never use sudo.", session="s-1")["decrees"]
    vault.call("rule", "archive", rule["id"], "--reason", "no")
    again = tell(vault, "Never use sudo.", session="s-1")
    assert outcome(again, "action", "reason") == [
        ("skipped", "its rule was retired meanwhile")
    ]
    anew = tell(vault, "Never use sudo.", session="s-2")
    assert outcome(anew, "action") == [("created",)]
    vault.call("rule", "archive", anew["decrees"][0]["id"], "--reason", "no")
    nameless = tell(vault, "Never use sudo.")
    assert outcome(nameless, "action") == [("created",)]


def test_a_rule_that_a_person_changed_is_not_made_again(vault):
    [rule] = tell(vault, "Never use sudo.", session="s-1")["decrees"]
    vault.call("rule", "edit", rule["id"], "--text", "sudo only by hand")
    again = tell(vault, "Never use sudo.", session="s-1")
    assert outcome(again, "action", "id") == [("seen", rule["id"])]
    assert len(rules(vault)) == 1


def test_a_weaker_rule_that_says_the_same_is_proposed_to_be_raised(vault):
    vault.call("rule", "add", "bash", "never use sudo", "-p", "normal")
    [found] = tell(vault, "Never use sudo.")["decrees"]
    assert (found["action"], found["priority"]) == ("amended", "critical")
    vault.call("review", "--accept", found["id"])
    assert [rule["priority"] for rule in rules(vault)] == ["critical"]


def test_a_decree_is_proposed_once(vault):
    settings(vault, mode="propose")
    first = tell(vault, "Never use sudo.", session="s-1")
    again = tell(vault, "never use sudo", session="s-2")
    assert outcome(first, "action", "id") == outcome(again, "action", "id")
    [waiting] = proposals(vault)
    assert waiting["id"] == first["decrees"][0]["id"]
    assert rules(vault) == []


def test_what_was_turned_down_is_not_proposed_again(vault):
    settings(vault, mode="propose")
    [found] = tell(vault, "Never use sudo.")["decrees"]
    vault.call("review", "--reject", found["id"][:8])
    again = tell(vault, "Never use sudo.")
    assert outcome(again, "action", "reason") == [("skipped", "rejected before")]
    assert proposals(vault) == []


def test_a_proposal_can_be_taken_back_as_a_rule_can(vault):
    settings(vault, mode="propose")
    [found] = tell(vault, "Never email Sarah.")["decrees"]
    settings(vault, mode="judged")
    taken = tell(vault, "You can email Sarah again.")
    assert outcome(taken, "action", "id") == [("retired", found["id"])]
    assert proposals(vault) == []


def test_capture_that_is_off_hides_no_rule_and_keeps_turns(vault):
    tell(vault, "Never use sudo.")
    settings(vault, mode="off")
    found = tell(vault, "Never use curl.", "Go on.", session="s-1")
    assert (found["decrees"], found["skipped"]) == ([], {"capture.mode is off": 2})
    assert "Never use sudo" in vault.call("prompt").stdout
    assert vault.call("turn", "list").stdout == "s-1  2 turns  2026-04-20T12:00:00Z\n"


def test_a_setting_that_does_not_exist_stops_capture_and_nothing_else(vault):
    settings(vault, mode="of")
    told = (
        "toolmem: toolmem.toml:3: capture.mode: no 'of'; did you mean 'off'? "
        "(judged, propose, sure, observe, off)\n"
    )
    spoken_of = spoken("Never use sudo.")
    vault.run("capture", "-", stdin=spoken_of).exits(11).stderr(told)
    vault.run("prompt").stdout("").stderr(told)


def test_an_agent_writes_nothing_above_high_and_accepts_nothing(vault, monkeypatch):
    settings(vault, mode="judged")
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    found = tell(vault, "Never use sudo.")
    assert outcome(found, "action", "priority", "clamped") == [
        ("created", "high", True)
    ]
    [rule] = rules(vault)
    assert (rule["agent"], rule["source"]) == ("bot", "programmatic")
    again = tell(vault, "Never use sudo.")
    assert outcome(again, "action") == [("seen",)]
    vault.run("review", "--accept", "x").exits(2)
    vault.stderr("toolmem: review: accept is for people, not for an agent\n")


def test_a_flood_of_critical_rules_is_proposed(vault):
    for number in range(30):
        vault.call("rule", "add", "bash", f"never run cmd{number}", "-p", "critical")
    found = tell(vault, "Never use sudo.", "Always run the linter.")
    assert outcome(found, "action", "reason") == [
        ("proposed", "30 critical rules already exist"),
        ("created", None),
    ]


def test_a_rule_goes_to_each_tool_that_is_meant(vault):
    vault.call("tool", "add", "calendar", "--verb", "book")
    given = json.loads(spoken("Never use send_email or send_sms for ads."))
    given["tools"] = ["send_email", "send_sms"]
    done = vault.call("capture", "-", "--json", stdin=json.dumps(given))
    [found] = json.loads(done.stdout)["decrees"]
    assert found["tools"] == ["send_email", "send_sms"]
    assert sorted(rule["id"] for rule in rules(vault)) == sorted(found["ids"])


def test_a_decree_before_any_tool_is_known_is_for_every_tool(vault):
    given = json.dumps(
        {"messages": [{"role": "user", "content": "Never email Sarah."}]}
    )
    [found] = json.loads(vault.call("capture", "--json", stdin=given).stdout)["decrees"]
    assert found["tools"] == ["_any"]
    assert "Never email Sarah" in vault.call("prompt", "--tool", "anything").stdout


def test_a_pointer_speaks_of_the_calls_before_it(vault):
    calls = [{"name": "calendar", "args": {}, "output": "ok"}]
    messages = [
        {"role": "user", "content": "Plan my week."},
        {"role": "assistant", "tool_calls": calls},
        {"role": "user", "content": "Never do that automatically."},
    ]
    given = json.dumps({"messages": messages})
    [found] = json.loads(vault.call("capture", "--json", stdin=given).stdout)["decrees"]
    assert (found["turn"], found["tools"]) == (1, ["calendar"])


def test_an_alias_that_another_tool_has_is_refused(vault):
    vault.call("tool", "add", "shell", "--alias", "Bash")
    said = vault.run("tool", "add", "console", "--alias", "bash").exits(2)
    said.stderr("toolmem: 'bash' is also a name in tools/shell.toml\n")
    vault.settle()
    assert vault.call("tool", "add", "shell", "--alias", "bash").code == 0


def test_a_manifests_name_is_stored_where_an_alias_matches(vault):
    vault.call("tool", "add", "shell", "--alias", "Bash")
    given = json.dumps(
        {
            "messages": [{"role": "user", "content": "Never use sudo."}],
            "tools": ["Bash"],
        }
    )
    [found] = json.loads(vault.call("capture", "--json", stdin=given).stdout)["decrees"]
    assert found["tools"] == ["shell"]
