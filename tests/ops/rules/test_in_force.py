"""Every surface has the same rules in force: cases that went wrong."""

import pytest

import toolmem
from toolmem.servers import agent_tools, resources

PERSON = 'source = "user_explicit"\n'
AGENT = 'source = "programmatic"\nagent = "helper"\n'


@pytest.fixture
def vault(world) -> toolmem.Vault:
    world.write("toolmem.toml", "schema = 1\n")
    world.write("tools/shell.toml", 'name = "shell"\naliases = ["sh", "Bash"]\n')
    return toolmem.Vault.open(world.root, project="p")


def put(world, place: str, rule_id: str, text: str) -> None:
    world.write(f"{place}/rule-{rule_id}.toml", f'id = "{rule_id}"\n{text}')


def stated(words: str, priority: str = "high", by: str = PERSON) -> str:
    return f'tool = "shell"\nrule = "{words}"\npriority = "{priority}"\n{by}'


def test_programs_and_models_see_no_rule_that_is_not_in_force(world, vault):
    put(world, "system/rules/shell", "a", stated("use sudo"))
    put(world, "system/rules/shell", "b", stated("use doas"))
    put(world, "projects/p/rules/shell", "a", "enabled = false\n" + PERSON)
    put(world, "projects/p/rules/shell", "b", 'rule = "use run0"\n' + PERSON)
    old = "expires_at = 2020-01-01T00:00:00Z\n"
    put(world, "system/rules/shell", "c", stated("use su") + old)
    put(world, "agent-types/coding/rules/shell", "d", stated("use pkexec"))
    rules = agent_tools.tool_rule_list(vault, "shell")["rules"]
    assert [(rule["id"], rule["rule"]) for rule in rules] == [("b", "use run0")]
    assert agent_tools.tool_rules_json(vault, "shell") == rules
    found = [agent_tools.tool_rule_get(vault, "shell", one)["found"] for one in "abcd"]
    assert found == [False, True, False, False]
    assert resources.read_resource(vault, "toolmem://rules/shell") == (
        "### `shell`\n- **[high]** use run0\n"
    )
    uris = [one.uri for one in resources.list_resources(vault)]
    assert uris == ["toolmem://prompt", "toolmem://rules/shell"]


def test_a_rule_of_another_scope_is_found_in_that_scope(world, vault):
    put(world, "projects/q/rules/shell", "a", stated("use sudo"))
    assert not agent_tools.tool_rule_get(vault, "shell", "a")["found"]
    assert agent_tools.tool_rule_get(vault, "shell", "a", "project:q")["found"]


def test_a_search_finds_an_overridden_rule_in_its_new_words_alone(world, vault):
    put(world, "system/rules/shell", "a", stated("deploy with kubectl"))
    put(world, "projects/p/rules/shell", "a", 'rule = "deploy with helm"\n' + PERSON)
    put(world, "system/rules/shell", "b", stated("deploy with docker"))
    put(world, "projects/p/rules/shell", "b", "enabled = false\n" + PERSON)
    for found in (vault.search("deploy"), vault.recall("deploy").found):
        assert [hit.doc.body for hit in found.found.hits] == ["deploy with helm"]
    everywhere = toolmem.Vault.open(world.root).search("deploy").found.hits
    assert {(hit.doc.scope, hit.doc.body) for hit in everywhere} == {
        ("system", "deploy with kubectl"),
        ("project:p", "deploy with helm"),
        ("system", "deploy with docker"),
    }


def test_a_search_finds_a_rule_that_a_narrower_scope_turned_on_or_prolonged(
    world, vault
):
    off = stated("deploy with kubectl") + "enabled = false\n"
    old = stated("deploy with docker") + "expires_at = 2020-01-01T00:00:00Z\n"
    put(world, "system/rules/shell", "a", off)
    put(world, "projects/p/rules/shell", "a", "enabled = true\n" + PERSON)
    put(world, "system/rules/shell", "b", old)
    later = "expires_at = 2099-01-01T00:00:00Z\n"
    put(world, "projects/p/rules/shell", "b", later + PERSON)
    hits = vault.search("deploy").found.hits
    assert {hit.doc.id for hit in hits} == {"a", "b"}


def test_a_search_finds_the_fact_of_the_narrowest_scope(world, vault):
    world.write("system/facts.md", "## project\nhost: old.example.com\n")
    world.write("projects/p/facts.md", "## project\nhost: new.example.com\n")
    hits = vault.search("host").found.hits
    assert [hit.doc.body for hit in hits] == ["host: new.example.com"]


def test_what_a_call_is_subject_to_is_listed_for_its_tool(world, vault):
    world.write("tools/edit.toml", 'name = "edit"\n')
    rule = 'tool = "edit"\nrule = "never touch gen/"\npriority = "high"\n' + PERSON
    put(world, "system/rules/edit", "a", rule)
    judged = vault.guard("Write", input={"file_path": "gen/a.py"})
    assert judged.rule is not None
    assert judged.rule.id == "a"
    assert [one.id for one in vault.rule.list("Write", effective=True).rules] == ["a"]
    assert [one.id for one in vault.rule.list("Write").rules] == ["a"]
    assert "never touch gen/" in vault.prompt(tool=["Write"]).text
    hits = vault.recall("", namespace="tool-Write").found.found.hits
    assert [hit.doc.id for hit in hits] == ["a"]


def test_a_broken_file_in_an_aliass_folder_is_the_tools(world, vault):
    world.write("system/rules/sh/broken.toml", 'id = "a"\nrule = \n')
    path = "system/rules/sh/broken.toml"
    assert vault.guard("Bash", input={"command": "ls"}).verdict == "ask"
    assert [one.place for one in vault.rule.list("shell").unreadable] == [f"{path}:2"]
    text = vault.prompt(tool=["shell"]).text
    assert (
        f"### `shell`\n- **[critical]** A rule of this tool cannot be read ({path}:2): "
        in (text)
    )


def test_a_person_raises_an_agents_rule_by_an_override(world, vault):
    put(world, "system/rules/shell", "a", stated("use sudo", "normal", AGENT))
    done = vault.rule.override("a", scope="project:p", priority="critical")
    assert (done.action, done.rule.priority) == ("created", "critical")
    (rule,) = vault.rule.list(effective=True).rules
    assert rule.priority == "critical"
    assert "- **[critical]** use sudo" in vault.prompt().text


def test_no_agent_weakens_what_a_person_has_raised(world, vault):
    put(world, "system/rules/shell", "a", stated("use sudo", "normal", AGENT))
    vault.rule.override("a", scope="project:p", priority="critical")
    put(world, "agents/helper/rules/shell", "a", "enabled = false\n" + AGENT)
    reader = toolmem.Vault.open(world.root, project="p", agent="helper")
    (rule,) = reader.rule.list(effective=True).rules
    assert rule.priority == "critical"


@pytest.mark.parametrize("words", ["never use yarn", "use npm ci in this project"])
def test_an_override_with_other_words_has_no_guard_of_the_old_ones(world, vault, words):
    done = vault.rule.add("Bash", "never use npm", scope="system")
    assert vault.guard("Bash", input={"command": "npm install"}).verdict == "deny"
    vault.rule.override(done.rule.id, scope="project:p", text=words)
    assert vault.guard("Bash", input={"command": "npm install"}).verdict == "allow"
    yarn = vault.guard("Bash", input={"command": "yarn install"})
    assert yarn.verdict == ("deny" if "yarn" in words else "allow")


def test_an_override_with_other_words_keeps_a_guard_that_a_person_wrote(world, vault):
    guard = {"action": "deny", "command": ["npm"]}
    done = vault.rule.add("Bash", "npm is slow", scope="system", guard=[guard])
    vault.rule.override(done.rule.id, scope="project:p", text="npm is very slow")
    assert vault.guard("Bash", input={"command": "npm install"}).verdict == "deny"


def test_the_same_text_in_two_scopes_is_printed_once(world, vault):
    put(world, "system/rules/shell", "a", stated("use sudo", "critical"))
    put(world, "projects/p/rules/shell", "b", stated("use sudo"))
    block = vault.prompt(only=["rules"]).text
    assert block.count("use sudo") == 1
    assert "- **[critical]** use sudo" in block


def test_the_rules_of_a_tool_include_those_of_every_tool_on_every_surface(world, vault):
    put(world, "system/rules/shell", "a", stated("use sudo"))
    put(world, "system/rules/edit", "b", stated("x").replace("shell", "edit"))
    put(world, "system/rules/_any", "c", stated("ask first").replace("shell", "_any"))
    put(world, "system/rules/_any", "d", "broken")
    for listed in (
        vault.rule.list("Bash"),
        vault.rule.list("Bash", effective=False),
        vault.rule.in_force("Bash"),
    ):
        assert {rule.id for rule in listed.rules} == {"a", "c"}
        assert [one.tool for one in listed.unreadable] == ["_any"]
    for name in ("_any", "unknown"):
        assert [rule.id for rule in vault.rule.list(name).rules] == ["c"]
    for rules in (
        agent_tools.tool_rule_list(vault, "shell")["rules"],
        agent_tools.tool_rules_json(vault, "shell"),
    ):
        assert {rule["id"] for rule in rules} == {"a", "c"}


def test_a_rule_of_every_tool_is_not_deleted_under_the_name_of_a_tool(world, vault):
    put(world, "system/rules/_any", "c", stated("ask first").replace("shell", "_any"))
    assert not agent_tools.tool_rule_delete(vault, "shell", "c")["deleted"]
    assert agent_tools.tool_rule_delete(vault, "_any", "c")["deleted"]
