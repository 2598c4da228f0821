"""``toolmem scratch``: the cases of the specification, on the command line."""

import json
import re
from datetime import timedelta

import pytest

ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


@pytest.fixture
def vault(world):
    return world.vault("empty")


def call(vault, *args, code=0, told="", stdin=""):
    done = vault.call("scratch", *args, "--json", stdin=stdin)
    assert done.code == code, done.stderr
    if not code:
        assert done.stderr == told
        return json.loads(done.stdout)
    failure = json.loads(done.stderr)
    return failure["code"], failure["message"]


def add(vault, content="x", *args, **keys):
    return call(vault, "add", content, *args, **keys)


def listed(vault, *args):
    return [entry["content"] for entry in call(vault, "list", *args)]


def later(vault, **span):
    vault.now += timedelta(**span)


def test_tc_1_1_an_entry_gets_an_id_and_times(vault):
    first, second = add(vault), add(vault)
    assert ULID.fullmatch(first["id"])
    assert first["id"] != second["id"]
    assert first["created_at"] == first["updated_at"] == "2026-04-20T12:00:00Z"
    assert first["status"] == "active"


def test_tc_1_2_what_is_not_given_is_the_usual(vault):
    made = add(vault, "Fraud", "--type", "risk_alert", "--source", "fraud_detector")
    del made["id"]
    assert made == {
        "type": "risk_alert",
        "content": "Fraud",
        "source": "fraud_detector",
        "owner": "agent",
        "status": "active",
        "confidence": 0.5,
        "context": {},
        "tags": [],
        "created_at": "2026-04-20T12:00:00Z",
        "updated_at": "2026-04-20T12:00:00Z",
        "expires_at": "2026-04-27T12:00:00Z",
        "metadata": {},
        "agent": "",
        "project": "",
    }


def test_tc_1_3_a_type_that_is_not_registered_is_refused(vault):
    code, message = add(vault, "x", "--type", "alert", code=2)
    assert (code, message.split(";")[0]) == ("usage", "no type 'alert'")
    assert listed(vault) == []
    vault.write("toolmem.toml", 'schema = 1\n[scratch]\ntypes = ["alert"]\n')
    assert add(vault, "x", "--type", "alert")["type"] == "alert"


def test_tc_1_4_content_is_required(vault):
    wanted = ("usage", "content: must not be blank")
    assert add(vault, "  ", code=2) == wanted
    assert add(vault, "{}", "--fields", code=2) == wanted
    assert listed(vault) == []


def test_tc_1_5_an_expiry_is_kept(vault):
    given = {"content": "x", "expires_at": "2026-05-01T00:00:00Z"}
    made = add(vault, json.dumps(given), "--fields")
    assert call(vault, "show", made["id"])["expires_at"] == given["expires_at"]


def test_tc_1_6_metadata_is_kept_unchanged(vault):
    metadata = {"n": 1, "list": [None, True, 0.5], "table": {"ü": "漢"}}
    given = json.dumps({"content": "x", "metadata": metadata})
    made = add(vault, "-", "--fields", stdin=given)
    assert call(vault, "show", made["id"])["metadata"] == metadata


def test_tc_2_1_all_are_listed_the_newest_first(vault):
    for number in range(5):
        add(vault, str(number))
        later(vault, seconds=1)
    assert listed(vault) == ["4", "3", "2", "1", "0"]


def test_tc_2_2_to_2_8_filters_are_exact_and_hold_together(vault):
    alert = ("--type", "risk_alert", "--tag", "fraud", "--tag", "security")
    add(vault, "alert", *alert, "--source", "bank", "--context", "goal_id=g1")
    add(vault, "other alert", *alert[:2], "--tag", "frauds", "--owner", "user")
    done = add(vault, "resolved alert", *alert)
    call(vault, "set-status", done["id"], "resolved")
    add(vault, "waits", "--type", "pending_confirmation", "--source", "mail")
    for wanted, found in (
        ((), ["waits", "resolved alert", "other alert", "alert"]),
        (("--type", "pending_confirmation"), ["waits"]),
        (("--status", "active"), ["waits", "other alert", "alert"]),
        (("--status", "resolved"), ["resolved alert"]),
        (("--owner", "user"), ["other alert"]),
        (("--tag", "fraud"), ["resolved alert", "alert"]),
        (("--tag", "fraud", "--tag", "wine"), []),
        (("--source", "bank"), ["alert"]),
        (("--context", "goal_id=g1"), ["alert"]),
        ((*alert, "--status", "active"), ["alert"]),
        (("--type", "nonexistent_type"), []),
    ):
        assert listed(vault, *wanted) == found


def test_a_confidence_filter_takes_what_lies_at_it(vault):
    for confidence in ("0.95", "0.75", "0.85", "0.8"):
        add(vault, confidence, "--confidence", confidence)
    assert listed(vault, "--confidence", "0.8") == ["0.8", "0.85", "0.95"]


def test_tc_3_what_is_not_there_is_null_and_no_error(vault):
    made = add(vault)
    assert call(vault, "show", made["id"]) == made
    done = vault.call("scratch", "show", "nonexistent_id", "--json")
    assert (done.code, done.stdout) == (12, "null\n")


def test_tc_4_what_changes_and_what_does_not(vault):
    made = add(vault)
    later(vault, hours=1)
    moved = call(vault, "set-status", made["id"], "resolved")
    later(vault, hours=1)
    edited = call(vault, "edit", made["id"], "--text", "new content")
    assert (moved["status"], moved["updated_at"]) == (
        "resolved",
        "2026-04-20T13:00:00Z",
    )
    assert (edited["content"], edited["created_at"]) == (
        "new content",
        made["created_at"],
    )
    assert call(vault, "edit", made["id"], "--confidence", "0.95")["confidence"] == 0.95
    given = '{"metadata": {"key": "new_value"}}'
    after = call(vault, "edit", made["id"], "--text", given, "--fields")
    assert after["metadata"] == {"key": "new_value"}
    assert call(vault, "show", made["id"]) == after


def test_tc_4_4_there_is_no_way_back(vault):
    made = add(vault)
    call(vault, "set-status", made["id"], "archived")
    code, message = call(vault, "set-status", made["id"], "active", code=2)
    assert code == "usage"
    assert message.startswith(f"{made['id']} is archived: it cannot go back to active")
    assert call(vault, "show", made["id"])["status"] == "archived"


def test_tc_4_5_id_and_age_are_fixed(vault):
    made = add(vault)
    for given in ('{"id": "new_id"}', '{"created_at": "2025-01-01"}'):
        code, message = call(
            vault, "edit", made["id"], "--text", given, "--fields", code=2
        )
        assert (code, message[-14:]) == ("usage", " cannot change")
    assert call(vault, "show", made["id"]) == made


def test_tc_5_archiving(vault):
    made = add(vault)
    assert call(vault, "set-status", made["id"], "archived")["status"] == "archived"
    assert listed(vault) == []
    assert listed(vault, "--status", "active") == []
    assert listed(vault, "--status", "archived") == listed(vault, "--all") == ["x"]
    assert call(vault, "set-status", "nonexistent_id", "archived", code=12) == (
        "not_found",
        "no entry on the scratch page has the id 'nonexistent_id'",
    )


def test_tc_6_clearing_is_all_or_nothing(vault):
    ids = [add(vault, str(number))["id"] for number in range(4)]
    for entry_id in ids[:3]:
        call(vault, "set-status", entry_id, "resolved")
    code, _ = call(vault, "clear", ids[0], ids[3], ids[1], code=2)
    assert (code, len(listed(vault))) == ("usage", 4)
    assert call(vault, "clear", ids[3], code=2)[0] == "usage"
    assert [gone["id"] for gone in call(vault, "clear", ids[0])] == [ids[0]]
    assert vault.call("scratch", "show", ids[0], "--json").stdout == "null\n"
    call(vault, "clear", *ids[1:3])
    assert listed(vault) == ["3"]


def test_tc_7_1_the_whole_lifecycle(vault):
    entry_id = add(vault)["id"]
    ways = ("pending_review", "resolved", "archived")
    moved = [call(vault, "set-status", entry_id, way)["status"] for way in ways]
    assert moved == list(ways)


def test_tc_7_2_what_expires_in_a_second_is_gone_after_two(vault):
    made = add(vault, "x", "--ttl", "1s")
    assert listed(vault) == ["x"]
    later(vault, seconds=2)
    assert listed(vault) == []
    assert vault.call("scratch", "show", made["id"], "--json").code == 12


def test_a_minute_is_over_at_its_end(vault):
    given = json.dumps({"content": "x", "ttl_minutes": 1})
    add(vault, given, "--fields")
    seen = []
    for seconds in (0, 30, 29, 1, 1):
        later(vault, seconds=seconds)
        seen.append(len(listed(vault)))
    assert seen == [1, 1, 1, 0, 0]


def test_a_ttl_of_0_is_refused_and_one_that_is_none_is_a_week(vault):
    for ttl in ("0", "0m"):
        refused = vault.call("scratch", "add", "at once", "--ttl", ttl)
        assert (refused.code, "already over" in refused.stderr) == (2, True)
    assert listed(vault) == []
    told = "toolmem: ttl: '-1m' is not a time to live; using 7 days\n"
    made = add(vault, "x", "--ttl=-1m", told=told)
    assert made["expires_at"] == "2026-04-27T12:00:00Z"


def test_a_context_that_is_edited_keeps_its_other_keys(vault):
    made = add(vault, "x", "--context", "goal=g1", "--context", "step=1")
    edited = call(vault, "edit", made["id"], "--context", "step=2")
    assert edited["context"] == {"goal": "g1", "step": "2"}


def test_tc_7_3_what_is_resolved_is_archived_by_itself(vault):
    made = add(vault)
    call(vault, "set-status", made["id"], "resolved")
    assert listed(vault, "--status", "active") == []
    later(vault, days=7)
    assert call(vault, "show", made["id"])["status"] == "archived"


def test_a_confidence_out_of_bounds_is_clamped_and_told(vault):
    told = "toolmem: confidence: 1.5 was clamped to 1\n"
    assert add(vault, "x", "--confidence", "1.5", told=told)["confidence"] == 1.0
    told = "toolmem: confidence: -0.5 was clamped to 0\n"
    assert add(vault, "x", "--confidence=-0.5", told=told)["confidence"] == 0.0
    assert vault.call("scratch", "add", "x", "--confidence", "high").code == 2
    assert add(vault, "x", "--confidence", "0")["confidence"] == 0.0


def test_tc_8_a_tool_s_entry_bears_its_name_and_is_found_by_its_tags(vault):
    vault.run("scratch", "add", "x", "--source", "wine_recommender", "--tag", "wine")
    vault.done = None
    [found] = call(vault, "list", "--tag", "wine")
    assert (found["source"], found["tags"]) == ("wine_recommender", ["wine"])


@pytest.mark.parametrize("count", [0, 3])
def test_as_many_entries_as_were_added_are_there(vault, count):
    made = [add(vault, "the same")["id"] for _ in range(count)]
    assert len(set(made)) == count
    assert listed(vault) == ["the same"] * count


def test_the_hundred_and_first_is_refused_until_one_is_resolved(vault):
    first = add(vault)
    for _ in range(99):
        assert vault.call("scratch", "add", "x").code == 0
    code, message = add(vault, code=16)
    assert code == "scratch_full"
    assert message.startswith("the scratch page has 100 active entries")
    assert len(listed(vault)) == 100
    assert add(vault, "x", "--agent", "other")["agent"] == "other"
    call(vault, "set-status", first["id"], "resolved")
    add(vault)


def test_tc_12_content_is_kept_unchanged(vault):
    for content in ("x" * 10_000, "„Ünïcode“ 漢字 👩‍👩‍👧 🇩🇪 'quotes\" \\ <b>&amp;"):
        made = add(vault, "-", stdin=content)
        assert call(vault, "show", made["id"])["content"] == content


def test_tc_12_4_what_is_null_is_the_usual(vault):
    keys = ("type", "owner", "status", "confidence", "context", "tags", "expires_at")
    given = json.dumps({"content": "x", **dict.fromkeys(keys)})
    nulls, plain = add(vault, given, "--fields"), add(vault)
    assert nulls | {"id": 0} == plain | {"id": 0}


def test_an_agent_sees_and_moves_its_own_page_a_person_every_one(vault, monkeypatch):
    mine = add(vault, "mine", "--agent", "helper-1")
    add(vault, "other", "--agent", "helper-2")
    assert listed(vault) == ["other", "mine"]
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-2")
    assert listed(vault) == ["other"]
    assert add(vault, "new")["source"] == "helper-2"
    assert call(vault, "set-status", mine["id"], "resolved", code=12)[0] == "not_found"
    assert vault.call("scratch", "show", mine["id"]).code == 12


def test_what_is_wrong_with_the_command_line_is_told(vault):
    for args, message in (
        (("add", "[]", "--fields"), "the text must be a JSON object"),
        (("add", "x", "--context", "goal"), "--context needs KEY=VALUE, found 'goal'"),
        (("set-status", "x", "done"), "no entry on the scratch page has the id 'x'"),
    ):
        assert json.loads(vault.call("scratch", *args, "--json").stderr)[
            "message"
        ].startswith(message)
    assert vault.call("scratch", "list", "--confidence", "high").code == 2
    entry_id = add(vault)["id"]
    assert call(vault, "set-status", entry_id, "done", code=2) == (
        "usage",
        "no status 'done' (active, pending_review, resolved, archived)",
    )


def test_each_write_leaves_a_line_in_the_trace_without_what_it_says(vault):
    made = add(vault, "the launch code", "--agent", "a")
    call(vault, "set-status", made["id"], "resolved")
    call(vault, "clear")
    lines = json.loads(vault.call("trace", "--json").stdout)
    told = [(line["event"], line["status"], line["reason"]) for line in lines]
    assert told == [
        ("write", status, made["id"]) for status in ("created", "resolved", "cleared")
    ]
    assert "launch" not in vault.call("trace").stdout


def test_git_sees_nothing_of_it(vault):
    vault.commit()
    add(vault)
    vault.ask("working.set", name="goal", text="x")
    vault.ask("conversation.add", text="x")
    assert vault.git("status", "--porcelain") == ""
