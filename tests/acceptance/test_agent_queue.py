"""Demands of agent-queue's memory: scopes, tiers, topics, saving and facts.

Sources: its document `memory-scoping`, by section, and its tests, by subject.
"""

import json

import pytest

from tests.acceptance.book import differs

VAULT = "template"
P = ("--project", "mech")
CODER = (*P, "--agent-type", "coding")
ORIGINAL = "<!-- toolmem:original -->"
LONG = " ".join(
    f"Sentence number {n} explains how part {n} of the pump is put together."
    for n in range(40)
)


def memory(path, text, header=""):
    return f"{path}.md", f"---\n{header}---\n{text}\n" if header else f"{text}\n"


def found(surface, question, *words):
    results = surface.json("search", question, *words)["results"]
    return [hit["id"] for hit in results]


def saved(surface, text, *words):
    return surface.json("memory", "save", text, *words)


def shown(surface, *words):
    return surface.call("prompt", *words)


def facts(surface, text):
    surface.write("system/facts.md", text)
    listed = surface.json("fact", "list")
    return {(fact["namespace"], fact["key"]): fact["value"] for fact in listed}


# Scopes


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (P, "projects/mech/memory/"),
        (("--agent-type", "coding"), "agent-types/coding/memory/"),
        ((), "system/memory/"),
    ],
)
def test_a_memory_is_written_into_the_folder_of_its_scope(command, words, folder):
    """Section 4; section 8: scope of a save."""
    assert saved(command, "The crane lifts nine tons", *words)["path"].startswith(
        folder
    )


def scopes(command, text="Heat sinks cool two points"):
    for folder in (
        "projects/mech/overrides/coding",
        "projects/mech",
        "agent-types/coding",
        "system",
    ):
        name = folder.replace("/", "-")
        # Texts that read the same are one hit.
        command.write(*memory(f"{folder}/memory/{name}", f"{text}\n\n{name}"))


def test_the_more_specific_scope_comes_first(command):
    """Section 4, "How Scopes Compose": order of the four scopes."""
    scopes(command)
    assert found(command, "how do heat sinks cool", *CODER) == [
        "projects-mech-overrides-coding",
        "projects-mech",
        "agent-types-coding",
        "system",
    ]


def test_a_moderate_hit_of_the_project_beats_the_best_of_the_system(command):
    """Section 4, "How Scopes Compose": weighted by specificity."""
    text = "# Cooling of mechs\n\nHeat sinks cool two points a turn, and four in water."
    command.write(*memory("system/memory/best", text))
    text = "# Notes\n\nHeat sinks cool slowly in the desert maps of this game."
    command.write(*memory("projects/mech/memory/moderate", text))
    assert found(command, "heat sinks cool", *P) == ["moderate", "best"]


def test_knowledge_of_a_broad_scope_is_still_found(command):
    """Section 6: all scopes contribute."""
    for number in range(9):
        text = f"# Note {number}\n\nHeat is one word among many others of note {number}"
        command.write(*memory(f"projects/mech/memory/n{number}", text))
    command.write(*memory("system/memory/broad", "# Heat sinks cool\n\nHeat sinks."))
    assert "broad" in found(command, "heat sinks cool", *P, "--limit", "5")


def test_another_projects_memories_are_not_found(command):
    """Section 4: collections of the chain."""
    command.write(*memory("projects/other/memory/x", "Heat sinks cool two points"))
    assert found(command, "heat sinks", *P) == []


def test_override_texts_are_found_by_a_search_of_the_project(command):
    """Section 6: override files are indexed into the project collection."""
    command.write("projects/mech/overrides/coding.md", "Sprites are made by a script\n")
    assert found(command, "sprites", *P) == ["coding@project:mech"]


def test_override_texts_weigh_most(command):
    """Section 4, 1; section 6: naturally weighted highest."""
    text = "# Sprites\n\nSprites are made by a script."
    command.write("projects/mech/overrides/coding.md", f"{text} Override.\n")
    command.write(*memory("projects/mech/memory/sprites", f"{text} Project."))
    hits = command.json("search", "sprites script", *P)["results"]
    assert [hit["id"] for hit in hits] == ["coding@project:mech", "sprites"]
    assert hits[0]["relevance"] <= hits[1]["relevance"]


# Recall


def facts_of_all(command):
    for scope, value in (
        ("projects/mech", "pytest"),
        ("agent-types/coding", "tox"),
        ("system", "make"),
    ):
        command.write(f"{scope}/facts.md", f"## project\ntest_command: {value}\n")


def test_the_first_scope_with_the_key_wins(command):
    """Section 6: KV lookup, first match wins."""
    facts_of_all(command)
    assert command.call("fact", "get", "test_command", *CODER) == "pytest\n"
    other = ("--project", "other", "--agent-type", "coding")
    assert command.call("fact", "get", "test_command", *other) == "tox\n"
    assert command.call("fact", "get", "test_command") == "make\n"


def test_a_key_of_any_namespace_is_recalled(command):
    """Section 6: `namespace` is optional; test of the default namespace."""
    command.write("system/facts.md", "## conventions\nindent: 4\n")
    assert command.call("fact", "get", "indent") == "4\n"


def test_a_namespace_narrows_the_lookup(command):
    """Section 6: `namespace`."""
    command.write("system/facts.md", "## a\nport: 1\n\n## b\nport: 2\n")
    assert command.call("fact", "get", "port", "--namespace", "b") == "2\n"


def test_a_key_that_is_not_there_is_nothing(command):
    """Section 6: returns None."""
    facts_of_all(command)
    done = command.world.call("fact", "get", "tset_command", "--json")
    assert json.loads(done.stdout)["found"] is False
    assert "test_command" in done.stderr


def test_recall_tries_the_fact_first_and_then_searches(mcp):
    """Section 7: `memory_recall`."""
    fact = mcp.tool("memory_recall", query="language")
    assert (fact["source"], "value" in fact) == ("fact", True)
    other = mcp.tool("memory_recall", query="who gets a draft")
    assert (other["source"], "value" in other) == ("search", False)


# Tiers


def tiers(command):
    command.write(
        "agent-types/coding/profile.md",
        "## Role\n\nYou write the game.\n\n## Other\n\nNot this.\n",
    )
    command.write(
        "projects/mech/overrides/coding.md",
        "---\ntags: [override]\nagent_type: coding\n---\n\nPrefer composition.\n",
    )
    command.write("projects/mech/facts.md", "## project\ntest_command: pytest -v\n")
    command.write("agent-types/coding/facts.md", "## project\nindent: 4 spaces\n")
    command.write("agent-types/coding/guidance/testing.md", "Run the tests twice.\n")
    command.write("projects/mech/guidance/branches.md", "Open a pull request.\n")
    text = "# Heat is clamped after the shot\n\nNone checks are missing in combat."
    place = "projects/mech/memory/combat/heat"
    command.write(*memory(place, text, "topic: combat\n"))


def test_the_tiers_come_in_their_order(command):
    """Section 2, "How Tiers Compose at Task Start", 1 to 5."""
    tiers(command)
    text = shown(command, *CODER, "--topic", "combat")
    order = [
        "You write the game.",
        "Prefer composition.",
        "test_command: pytest -v",
        "Run the tests twice.",
        "Heat is clamped",
        "Search for more",
    ]
    assert sorted(order, key=text.index) == order


def test_the_role_is_always_there(command):
    """Section 2: L0, always."""
    tiers(command)
    assert "You write the game." in shown(command, "--agent-type", "coding")


def test_a_role_far_over_its_50_tokens_is_reported(command):
    """Section 2: L0, about 50 tokens."""
    role = "You write the game and test it. " * 20
    command.write("agent-types/coding/profile.md", f"## Role\n\n{role}\n")
    problems = command.json("check")["problems"]
    assert [(one["code"], one["severity"]) for one in problems] == [
        ("long-role", "warning")
    ]


def test_facts_of_project_and_agent_type_are_always_there(command):
    """Section 2: L1 facts, no search needed."""
    tiers(command)
    text = shown(command, *CODER)
    assert "- indent: 4 spaces\n" in text
    assert "- test_command: pytest -v\n" in text


def test_a_fact_of_the_project_replaces_that_of_the_agent_type(command):
    """Section 6: most specific wins, rendered facts."""
    facts_of_all(command)
    text = shown(command, *CODER)
    assert "test_command: pytest" in text
    assert "tox" not in text


def test_guidance_of_agent_type_and_project_is_always_there(command):
    """Section 2: L1 guidance, deterministic."""
    tiers(command)
    text = shown(command, *CODER)
    assert text.index("Run the tests twice.") < text.index("Open a pull request.")


def test_a_topic_that_is_named_loads_its_memories(command):
    """Section 2: L2, on demand by topic."""
    tiers(command)
    assert "Heat is clamped" in shown(command, *CODER, "--topic", "combat")
    assert "Heat is clamped" not in shown(command, *CODER)


def test_a_task_that_mentions_a_topic_loads_its_memories(command):
    """Section 2, "How Tiers Compose at Task Start", 4."""
    tiers(command)
    text = shown(command, *CODER, "--task", "fix the crash of the combat system")
    assert "Heat is clamped" in text


def test_a_task_that_only_means_a_topic_loads_its_memories(command):
    """Section 2: when the agent enters a topic."""
    tiers(command)
    text = shown(command, *CODER, "--task", "heat is wrong after each shot")
    assert "Heat is clamped" in text


def test_the_first_typed_message_is_a_task(hook):
    """Section 2, "How Tiers Compose at Task Start": the task description."""
    place = hook.folder / "system/memory/combat"
    place.mkdir(parents=True)
    text = "# Heat is clamped after the shot\n\nMissiles need a lock of two turns.\n"
    place.joinpath("heat.md").write_text(f"---\ntopic: combat\n---\n{text}")
    told = hook.prompt("The missiles lose their lock behind smoke.")
    assert "Missiles need a lock of two turns." in told.context
    assert hook.prompt("Missiles lose the lock again.").context == ""


def test_a_task_about_something_else_loads_nothing(command):
    """Section 2: loaded when the context implies a topic."""
    tiers(command)
    text = shown(command, *CODER, "--task", "translate the manual into French")
    assert "Heat is clamped" not in text


def test_the_agent_knows_how_to_search_for_more(command):
    """Section 2: L3, agent-initiated."""
    tiers(command)
    assert "toolmem recall" in shown(command, *CODER)


def test_a_missing_profile_does_not_stop_the_block(command):
    """Tests of the prompt builder: missing profile, memory or service."""
    command.write("system/facts.md", "language: Python\n")
    assert "language: Python" in shown(command, "--agent-type", "nobody")


def test_an_override_comes_without_its_header(command):
    """Section 5; test of stripped front matter."""
    tiers(command)
    assert "agent_type: coding" not in shown(command, *CODER)


def test_a_blank_override_leaves_nothing(command):
    """Section 5; test of an empty override."""
    command.write("projects/mech/overrides/coding.md", "---\ntags: []\n---\n\n \n")
    assert shown(command, *CODER, "--only", "overrides") == ""


@differs(
    "whole facts, guidance files and memories beyond a budget are left out, broadest "
    "first, and one line says what is left out; rules that are critical never are"
)
def test_budgets_are_advisory_and_nothing_is_left_out(command):
    """Section 2: advisory, never enforced by truncation."""
    text = "".join(f"key_{n}: {'value ' * 10}\n" for n in range(40))
    command.write("system/facts.md", text)
    block = shown(command, "--only", "facts")
    assert "Left out: " in block
    assert all(line.count("value") in (0, 10) for line in block.splitlines())


# Topics


def topics(command, *names):
    for number, name in enumerate(names):
        text = f"# Token note {number}\n\nThe token of part {number} is renewed daily."
        place = f"system/memory/m{number}"
        command.write(*memory(place, text, f"topic: {name}\n" if name else ""))


def test_a_topic_narrows_a_search(command):
    """Section 3, "Topic-Filtered Search"."""
    topics(command, "auth", "auth", "auth", "billing")
    assert set(found(command, "token", "--topic", "auth")) == {"m0", "m1", "m2"}


def test_a_memory_without_a_topic_is_in_every_search(command):
    """Section 3: topics are optional."""
    topics(command, "auth", "auth", "", "billing")
    assert set(found(command, "token", "--topic", "auth")) == {"m0", "m1", "m2"}


def test_fewer_than_three_results_fall_back_to_all_topics(command):
    """Section 3: fewer than 3 results."""
    topics(command, "auth", "billing", "billing")
    answer = command.json("search", "token", "--topic", "auth")
    assert (answer["topic_fallback"], answer["total"]) == (True, 3)


def test_three_results_are_no_fallback(command):
    """Section 3: fewer than 3 results; test of exactly 3."""
    topics(command, "auth", "auth", "auth", "billing")
    answer = command.json("search", "token", "--topic", "auth")
    assert (answer["topic_fallback"], answer["total"]) == (False, 3)


def test_a_search_in_one_scope_falls_back_too(command):
    """Section 3: fallback; test of an explicit scope."""
    topics(command, "auth", "billing")
    answer = command.json("search", "token", "--topic", "auth", "--scope", "system")
    assert (answer["topic_fallback"], answer["total"]) == (True, 2)


def test_topics_are_free_form(command):
    """Section 3: no predefined list."""
    made = saved(command, "Widgets are counted by hand", "--topic", "Widget Counting")
    assert made["topic"] == "widget-counting"


def test_a_topic_that_is_given_is_never_overridden(command):
    """Section 3: auto-detected; test of an explicit topic."""
    topics(command, "auth", "auth", "auth")
    made = saved(command, "The token of part 9 is renewed weekly", "--topic", "clocks")
    assert made["topic"] == "clocks"


def test_a_topic_is_found_in_what_is_saved(command):
    """Section 3: `memory_save` can infer a topic."""
    topics(command, "auth", "auth", "auth")
    made = saved(command, "The token of the auth service lives for one hour only")
    assert made["topic"] == "auth"


def test_nothing_that_says_so_is_no_topic(command):
    """Test of topic inference: `xyzzy foobar baz`."""
    topics(command, "auth", "auth", "auth")
    assert saved(command, "xyzzy foobar baz quux corge")["topic"] is None


# Saving


FIRST = "OAuth refresh needs the offline scope to be asked for again on each device."


def test_something_new_is_created(command):
    """Section 8: below 0.8, distinct."""
    assert saved(command, FIRST)["action"] == "created"


def test_the_same_again_touches_the_time_and_adds_the_task(command):
    """Section 8: above 0.95."""
    made = saved(command, FIRST, "--source-task", "task-1")
    before = command.read(made["path"]).partition("---\n")[2].partition("---\n")[2]
    command.world.clock(days=1)
    again = saved(command, FIRST, "--source-task", "task-2")
    assert (again["action"], again["id"]) == ("deduplicated", made["id"])
    text = command.read(made["path"])
    assert text.partition("---\n")[2].partition("---\n")[2] == before
    assert "source_task: task-1\n" in text
    assert "source_tasks_additional: [task-2]\n" in text
    assert "updated: 2026-04-21" in text


def test_something_related_is_merged_and_nothing_of_both_is_lost(command):
    """Section 8: 0.8 to 0.95, preserve tags from both."""
    made = saved(command, FIRST, "--tag", "oauth")
    more = f"{FIRST} Mobile clients keep it for a week."
    again = saved(command, more, "--tag", "mobile")
    assert (again["action"], again["id"]) == ("merged", made["id"])
    text = command.read(made["path"])
    assert "tags: [oauth, mobile]\n" in text
    assert "offline scope" in text
    assert "Mobile clients keep it for a week." in text


def test_a_statement_is_never_merged_with_a_part_of_it(command):
    """Section 8: merging, without the same statement twice."""
    part = "The kiln is cleaned by Noor each week"
    made = saved(command, part)
    again = saved(command, f"{part}. {part} unless it is still hot.")
    assert (again["action"], again["id"] != made["id"]) == ("created", True)


def test_another_subject_in_the_same_words_is_another_memory(command):
    """Section 8: below 0.8, distinct."""
    saved(command, "Hall 3 stores the pumps for the northern line")
    again = saved(command, "Hall 7 stores the valves for the southern line")
    assert again["action"] == "created"


@differs(
    "both stay, marked as contested, the newer first and with their times: a program "
    "cannot know which of the two is true, and what is gone is not found again"
)
def test_of_two_that_contradict_the_newer_replaces_the_older(command):
    """Section 8: if they contradict, prefer the newer information."""
    for value in (30, 60):
        text = f"The gateway closes an idle connection after {value} seconds"
        made = saved(command, text, "--topic", "gateway")
        command.world.clock(days=1)
    assert made["action"] == "contested"
    block = shown(command, "--only", "memories", "--topic", "gateway")
    assert block.index("60 seconds") < block.index("30 seconds")
    newer = "contested: another memory contradicts it; this one is of 2026-04-21"
    assert newer in block


def test_only_its_own_scope_is_looked_through_for_duplicates(command):
    """Section 8: similarity search in target scope."""
    saved(command, FIRST, *P)
    assert saved(command, FIRST)["action"] == "created"


def test_ten_different_memories_are_ten_files(command):
    """Test of saving: ten distinct saves."""
    subjects = "crane pump valve lathe drill press furnace mixer conveyor kiln".split()
    made = {
        saved(command, f"The {name} of the {n}th hall is oiled by its own crew")["path"]
        for n, name in enumerate(subjects)
    }
    assert len(made) == 10


def test_the_header_has_tags_topic_task_and_date(command):
    """Section 3, "Topic Field": front matter."""
    flags = ("--tag", "insight", "--topic", "auth", "--source-task", "task-abc123")
    text = command.read(saved(command, FIRST, *flags)["path"])
    assert text.startswith(
        "---\ntags: [insight]\ntopic: auth\nkind: insight\n"
        "source_task: task-abc123\ncreated: 2026-04-20T12:00:00Z\n---\n"
    )


def test_a_file_is_named_after_the_first_line(command):
    """Test of saving: slugs."""
    made = saved(command, "# OAuth 2.0 Token Refresh!\n\nIt needs the offline scope.")
    assert made["id"].startswith("oauth-2-0-token-refresh-")


def test_the_answer_names_what_was_done(mcp):
    """Section 8: return confirmation with action taken."""
    content = "# The lift stops at night\n\nIt is switched off from ten to six."
    for action in ("created", "deduplicated"):
        done = mcp.tool("memory_idea_save", content=content)
        assert (done["action"], done["scope"]) == (action, "system")


# Summary and original


def test_a_long_text_has_a_summary_and_its_original(command):
    """Section 9, 2 and 3: above about 200 tokens."""
    text = command.read(saved(command, f"# The pump\n\n{LONG}")["path"])
    assert f"\n{ORIGINAL}\n" in text
    assert LONG in text


def test_a_short_text_is_stored_as_it_is(command):
    """Section 9: short insights."""
    assert ORIGINAL not in command.read(saved(command, FIRST)["path"])


def test_a_large_text_is_in_a_file_next_to_a_summary_with_its_cause(command):
    """Section 9: concise, focused on the key insight; the original on demand."""
    cause = "The outage was caused by an expired certificate."
    lines = "\n".join(f"Worker {n} finished its job." for n in range(9_000))
    text = f"# Outage\n\n{lines}\n{cause}\n{lines}\n"
    done = command.world.call("memory", "save", "-", "--json", stdin=text)
    memory = command.read(json.loads(done.stdout)["path"])
    assert (cause in memory, len(memory) < 2_000) == (True, True)
    whole = command.call("memory", "show", "outage", "--full")
    assert lines in whole


def test_a_text_with_a_line_that_looks_like_a_header_is_stored_as_it_is(command):
    """Section 9: the full original."""
    text = "The address is Private: ask Noor.\nPrivate: yes\n"
    done = command.world.call("memory", "save", "-", "--json", stdin=text)
    made = json.loads(done.stdout)
    assert command.read(made["path"]).endswith(text)
    assert found(command, "address Noor") == [made["id"]]


def test_a_search_gives_the_summary_and_full_the_original(command):
    """Section 9, 4: `memory_get` with `full=true`."""
    made = saved(command, f"# The pump\n\n{LONG}")
    whole = command.call("memory", "show", made["id"], "--full")
    short = command.call("memory", "show", made["id"])
    assert LONG in whole
    assert LONG not in short
    assert len(short) < len(whole) / 2


def test_the_original_is_found_by_words_that_the_summary_has_not(command):
    """Section 9: the agent can request the original."""
    made = saved(command, f"# The pump\n\n{LONG} The gasket is made of xanthium.")
    assert found(command, "xanthium gasket") == [made["id"]]


def test_a_summary_repeats_no_sentence(command):
    """Section 9: concise, focused on the key insight."""
    text = "The valve must be closed before the pump is started. " * 30
    made = saved(command, f"# The pump\n\n{text}The alarm is loud and red.")
    summary = command.read(made["path"]).partition(ORIGINAL)[0]
    assert summary.count("The valve must be closed") == 1


# Tools of the agent


def test_an_agent_browses_the_memories_of_a_scope(mcp):
    """Section 7: `memory_idea_list`."""
    listed = mcp.tool("memory_idea_list", scope="project:mech-fighters")
    assert listed["total"] == 1
    assert listed["memories"][0]["topic"] == "combat"


def test_an_agent_stores_and_looks_up_a_fact(mcp):
    """Section 7: `memory_fact_store`, `memory_fact_recall`."""
    mcp.tool("memory_fact_store", key="paint", value="red", scope="system")
    fact = mcp.tool("memory_fact_recall", key="paint")
    assert (fact["found"], fact["value"], fact["scope"]) == (True, "red", "system")


def test_an_agent_lists_the_facts_of_a_namespace(mcp):
    """Section 7: `memory_fact_list`."""
    mcp.tool("memory_fact_store", key="bolt", value="M8", namespace="parts")
    listed = mcp.tool("memory_fact_list", namespace="parts")["facts"]
    assert [(fact["key"], fact["value"]) for fact in listed] == [("bolt", "M8")]


def test_an_agent_searches_memories_alone(mcp):
    """Section 7: `memory_idea_recall`."""
    found_ones = mcp.tool("memory_idea_recall", query="heat after the shot")["results"]
    assert found_ones[0]["id"].startswith("heat-is-clamped")


def test_total_counts_all_that_matches_and_not_the_page(command):
    """Section 3: `limit`."""
    topics(command, *["auth"] * 7)
    answer = command.json("search", "token", "--limit", "2")
    assert (len(answer["results"]), answer["total"]) == (2, 7)
    answer = command.json("search", "token", "--topic", "auth", "--limit", "2")
    assert (len(answer["results"]), answer["total"]) == (2, 7)


# facts.md


def test_a_value_may_have_colons(command):
    """Tests of the facts parser: `api`, `time`."""
    assert facts(command, "api: http://localhost:8080/api\ntime: 12:30:45\n") == {
        ("project", "api"): "http://localhost:8080/api",
        ("project", "time"): "12:30:45",
    }


@pytest.mark.parametrize("bullet", ["", "- ", "* ", "+ "])
def test_a_fact_may_have_any_bullet(command, bullet):
    """Tests of the facts parser: bullets."""
    assert facts(command, f"{bullet}a: 1\n") == {("project", "a"): "1"}


def test_a_list_is_kept_as_it_is_written(command):
    """Tests of the facts parser: `[Python 3.12, SQLAlchemy, Pygame]`."""
    found_ones = facts(command, "tech_stack: [Python 3.12, SQLAlchemy, Pygame]\n")
    assert list(found_ones.values()) == ["[Python 3.12, SQLAlchemy, Pygame]"]


def test_headings_of_the_second_level_are_namespaces(command):
    """Tests of the facts parser: headings of other levels are none."""
    text = "# Title\na: 1\n## Conv\nb: 2\n### Sub\nc: 3\n## other\nd: 4\n"
    assert set(facts(command, text)) == {
        ("project", "a"),
        ("Conv", "b"),
        ("Conv", "c"),
        ("other", "d"),
    }


def test_of_a_key_twice_the_last_one_wins(command):
    """Tests of the facts parser: duplicate key, duplicate namespace."""
    text = "## a\nx: 1\n\n## b\ny: 2\n\n## a\nx: 3\nz: 4\n"
    assert facts(command, text) == {
        ("a", "x"): "3",
        ("a", "z"): "4",
        ("b", "y"): "2",
    }


def test_front_matter_and_rulers_hide_no_fact(command):
    """Tests of the facts parser: front matter, a ruler."""
    text = "---\ntags: [facts]\n---\na: 1\n\n---\n\n## conv\nb: 2\n"
    assert facts(command, text) == {("project", "a"): "1", ("conv", "b"): "2"}


def test_what_is_no_fact_is_none(command):
    """Tests of the facts parser: code, comments, prose, tables, tasks."""
    text = (
        "```\n## x\nb: 2\n```\n<!-- c: hidden -->\n- [ ] todo: x\n| k: | v |\n|--|--|\n"
        "Note: remember this\nSee http://example.com: it is good\n"
    )
    assert facts(command, text) == {}


def test_setting_a_key_changes_one_line_and_nothing_else(command):
    """Tests of the two-way sync: comments, prose and order are preserved."""
    text = "# Facts\n\nProse.\n<!-- c -->\n\n### Sub\n* a:  1\n+ b: 2\n\n## empty\n"
    for ending in ("\n", "\r\n"):
        written = text.replace("\n", ending)
        command.write("system/facts.md", written)
        command.call("fact", "set", "a", "9")
        assert command.read("system/facts.md") == written.replace("a:  1", "a:  9")


def test_a_key_that_goes_from_the_file_is_gone(command):
    """Tests of the two-way sync: `diff_facts`."""
    assert facts(command, "a: 1\nb: 2\n") != {}
    assert facts(command, "a: 1\n") == {("project", "a"): "1"}


# Upkeep


def test_reading_changes_no_file(command):
    """Audit: each search rewrites the front matter of what it finds."""
    tiers(command)
    before = command.world.files()
    found(command, "heat", *CODER)
    shown(command, *CODER, "--topic", "combat")
    assert command.world.files() == before


def test_memories_that_no_one_finds_are_stale(command):
    """Section 10, 5; tests of stale memories."""
    text = "# The {0} of the hall\n\nThe {0} opens at nine."
    for name in ("door", "gate"):
        place = f"system/memory/{name}"
        command.write(*memory(place, text.format(name), "created: 2026-04-01\n"))
    found(command, "door")
    command.world.clock(days=200)
    steps = command.json("reflect")["steps"]
    assert [step["reason"].split(" in ")[0] for step in steps] == [
        "gate was never found here"
    ]


def test_an_archived_memory_is_not_found_and_comes_back(command):
    """Section 10, 5: archive memories that are no longer relevant."""
    made = saved(command, FIRST)
    command.call("memory", "archive", made["id"], "--reason", "not used any more")
    assert found(command, "offline scope") == []
    command.call("restore", made["id"])
    assert found(command, "offline scope") == [made["id"]]


def test_a_memory_is_promoted_to_a_broader_scope(command):
    """Section 10, 4: promote insights that apply broadly."""
    made = saved(command, FIRST, *P)
    command.call("memory", "move", made["id"], "--scope", "system")
    (kept,) = command.json("memory", "list")
    assert (kept["id"], kept["scope"]) == (made["id"], "system")


def test_overlapping_memories_are_consolidated_on_a_plan(command):
    """Section 10, 3: merge duplicates."""
    for number, folder in enumerate(("a", "b")):
        text = f"# Oil the lathe\n\nThe lathe is oiled on Monday. {FIRST}"
        command.write(*memory(f"system/memory/{folder}/lathe-{number}", text))
    assert "lathe-" in command.call("reflect")


def test_contested_memories_are_listed(command):
    """Health: contested list."""
    for value in (30, 60):
        saved(command, f"The gateway closes an idle connection after {value} seconds")
    listed = command.json("memory", "list", "--tag", "contested")
    assert len(listed) == 2
