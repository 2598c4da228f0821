"""Importing into a vault: once, with its source, and nothing undone."""

import json
import os
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.secrets.samples import TOKENS
from tests.examples import examples
from tests.world import World
from toolmem.core.secrets.detect import find_secrets

CORPUS = Path(
    os.environ.get("TOOLMEM_RULE_FILES")
    or Path(__file__).parents[4] / "shared" / "rule-files"
)
FILE = "# Shop\n\nBe kind.\n\n- Never run `git push -f`.\n"


@pytest.fixture
def shop(world: World) -> World:
    return world.vault("empty").write("shop/CLAUDE.md", FILE)


def run(world, *args, stdin=""):
    done = world.call("import", *args, "--json", stdin=stdin)
    return json.loads(done.stdout), done


def actions(document):
    return {(item["kind"], item["action"]) for item in document["items"]}


def test_every_item_remembers_its_source(shop):
    document, _ = run(shop, "shop/CLAUDE.md")
    rule = next(item for item in document["items"] if item["kind"] == "rule")
    assert rule["source"].endswith("/shop/CLAUDE.md:5")
    assert "shop/CLAUDE.md:5" in shop.read(rule["path"])
    text = next(item for item in document["items"] if item["kind"] == "guidance")
    assert "/shop/CLAUDE.md\n" in shop.read(text["path"])


@pytest.mark.parametrize("days", [0, 9])
def test_a_second_import_changes_nothing(shop, days):
    run(shop, "shop")
    before = shop.files()
    shop.clock(days=days)
    document, done = run(shop, "shop")
    assert shop.files() == before
    assert (done.code, actions(document)) == (
        0,
        {("rule", "unchanged"), ("guidance", "unchanged")},
    )


def test_a_dry_run_writes_nothing_and_says_the_same(shop):
    before = shop.files()
    dry, _ = run(shop, "shop", "--dry-run")
    assert shop.files() == before
    wet, _ = run(shop, "shop")
    assert dry["items"] == wet["items"]


def test_the_same_text_in_another_file_is_there_already(shop):
    run(shop, "shop")
    shop.write("shop/web/CLAUDE.md", FILE)
    document, _ = run(shop, "shop/web/CLAUDE.md")
    assert actions(document) == {("rule", "exists"), ("guidance", "exists")}


def test_what_a_person_archived_does_not_come_back(shop):
    shop.write("shop/CLAUDE.md", "x\n" + "Long enough to be no guidance. " * 60)
    document, _ = run(shop, "shop")
    [memory] = [item for item in document["items"] if item["kind"] == "memory"]
    assert shop.call("memory", "archive", memory["id"], "--reason", "old").code == 0
    document, _ = run(shop, "shop")
    assert actions(document) == {("memory", "retired")}


def test_nor_does_a_rule(shop):
    document, _ = run(shop, "shop")
    rule = next(item for item in document["items"] if item["kind"] == "rule")
    assert shop.call("rule", "archive", rule["id"], "--reason", "no").code == 0
    document, _ = run(shop, "shop")
    assert ("rule", "retired") in actions(document)


def test_what_is_gone_from_the_file_is_told(shop):
    run(shop, "shop")
    shop.write("shop/CLAUDE.md", "- Never run `git push -f`.\n")
    document, _ = run(shop, "shop")
    assert [one["code"] for one in document["remarks"]] == ["gone"]


def test_so_is_a_rule_that_the_file_has_no_more(shop):
    run(shop, "shop")
    shop.write("shop/CLAUDE.md", "# Shop\n\nBe kind.\n")
    document, _ = run(shop, "shop")
    [remark] = document["remarks"]
    assert (remark["code"], "stays until you archive it" in remark["message"]) == (
        "gone",
        True,
    )
    assert len(list(shop.root.glob("system/rules/*/*.toml"))) == 1


def test_a_text_too_long_for_guidance_becomes_memories_and_says_so(shop):
    long = "Some words that go on and on. " * 20
    shop.write("shop/CLAUDE.md", f"{long}\n\n## A\n\n{long}\n\n## B\n\n{long}\n")
    document, _ = run(shop, "shop")
    assert actions(document) == {("memory", "created")}
    texts = [shop.read(item["path"]) for item in document["items"]]
    assert all(long.strip() in text for text in texts)


def test_guidance_has_a_budget(shop):
    for name in ("a", "b"):
        words = f"About {name}. " + "Words that go on. " * 30
        shop.write(f"shop/{name}/CLAUDE.md", words)
    document, _ = run(shop, "shop/a", "shop/b")
    assert [(one["kind"], one.get("reason")) for one in document["items"]] == [
        ("guidance", None),
        ("memory", "guidance has 300 tokens in all"),
    ]


def test_an_agent_imports_no_critical_rule(shop, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    document, _ = run(shop, "shop")
    rule = next(item for item in document["items"] if item["kind"] == "rule")
    assert rule["priority"] == "high"
    assert 'source = "programmatic"' in shop.read(rule["path"])


def test_the_priority_can_be_capped(shop):
    document, _ = run(shop, "shop", "--priority", "normal")
    rule = next(item for item in document["items"] if item["kind"] == "rule")
    assert rule["priority"] == "normal"


def test_critical_rules_stop_at_what_a_prompt_holds(shop):
    lines = "".join(f"- Never run `git push -f x{n}`.\n" for n in range(32))
    shop.write("shop/CLAUDE.md", lines)
    document, _ = run(shop, "shop")
    found = [item["priority"] for item in document["items"]]
    assert (found.count("critical"), found.count("high")) == (30, 2)


def test_a_secret_is_refused_with_its_place_and_the_rest_is_kept(shop):
    token = TOKENS[0](Random(1))
    long = "Some words that go on and on. " * 40
    shop.write("shop/CLAUDE.md", f"## A\n\n{long}\n\n## B\n\n{long}\nUse {token}.\n")
    document, done = run(shop, "shop")
    assert done.code == 1
    reasons = [item.get("reason") for item in document["items"]]
    assert reasons == [
        None,
        f"contains a secret ({find_secrets(token)[0].kind}) in line 8",
    ]
    assert not any(token.encode() in data for data in vault_files(shop).values())


def test_what_cannot_be_read_is_told_and_the_rest_is_imported(shop):
    shop.write("shop/GEMINI.md", b"\xff\xfe\xff")
    document, done = run(shop, "shop")
    assert done.code == 1
    assert [one["code"] for one in document["remarks"]] == ["unreadable"]
    assert ("rule", "created") in actions(document)


def test_invisible_characters_are_spelled_out(shop):
    shop.write("shop/CLAUDE.md", "Be\u200bkind.\n")
    document, _ = run(shop, "shop")
    assert [(one["line"], one["code"]) for one in document["remarks"]] == [
        (1, "unsafe-text")
    ]
    assert "Be\\u{200b}kind." in shop.read(document["items"][0]["path"])


def test_fields_of_a_note_are_kept(shop):
    note = "---\ntitle: Coffee\nowner: Ada\nsource: web\nrated: 5\n---\nSlow.\n"
    document, _ = run(shop, "-", stdin=note)
    text = shop.read(document["items"][0]["path"])
    for line in ("owner: Ada", "imported_source: web", "rated: 5", "# Coffee"):
        assert f"{line}\n" in text


def vault_files(world):
    return {
        path: (world.root / path).read_bytes()
        for path in world.files()
        if not path.startswith(("shop/", "in/"))
    }


TEXTS = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    st.sampled_from(
        [
            b"---\nglobs: **/*.ts\n---\n- Never run `git push -f`.\n",
            b"---\nprivate: yes\ntags: [a, b\n---\ntext\n<<<<<<< HEAD\n",
            b'{"type":"entity","name":"a","observations":["---"]}\n{"type":1}',
            b"# T\n\n## Original\n\nx\n\n## Original\n",
            b"## Tool-scoped rules\n- **[high]** x\n",
            b"#\n\n# \xe2\x80\xae\n",
        ]
    ),
)
FILES = st.dictionaries(
    st.sampled_from(
        "CLAUDE.md a.mdc .cursorrules x.instructions.md GEMINI.md memory.jsonl note.md"
        " .clinerules .windsurfrules x.json".split()
    ),
    TEXTS,
    min_size=1,
    max_size=4,
)


@examples(40)
@given(FILES)
def test_any_files_are_imported_or_told_and_the_vault_stays_sound(files):
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).vault("empty")
        for name, data in files.items():
            world.write(f"in/{name}", data)
        paths = [f"in/{name}" for name in files]
        first = world.call("import", *paths)
        assert first.code in (0, 1, 2), first.stderr
        before = vault_files(world)
        second = world.call("import", *paths)
        assert second.code in (0, 1, 2), second.stderr
        assert vault_files(world) == before
        assert "created" not in second.stdout
        assert world.call("check").code in (0, 1)


@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no rule files in {CORPUS}")
@pytest.mark.soak
def test_rule_files_of_other_people_are_imported(world):
    world.vault("template")
    document, done = run(world, str(CORPUS))
    assert done.code in (0, 1)
    assert document["files"] > 100
    assert {item["action"] for item in document["items"]} <= {
        "created",
        "exists",
        "refused",
    }
    before = world.files()
    again, _ = run(world, str(CORPUS))
    assert world.files() == before
    assert {item["action"] for item in again["items"]} <= {
        "unchanged",
        "exists",
        "refused",
    }


def test_a_nested_instruction_file_is_left_out_with_the_way_to_a_scope(world):
    world.vault("empty")
    world.write("../app/AGENTS.md", "Never push to `main`.\n")
    world.write("../app/packages/api/AGENTS.md", "Never use `pip`.\n")
    world.write("../app/.github/copilot-instructions.md", "Never use `curl`.\n")
    done = world.call("import", "../app")
    assert done.code == 0
    path = world.root.parent / "app/packages/api/AGENTS.md"
    assert (
        f"left out: applies to packages/api only: `toolmem import {path} --scope "
        "project:api` gives it a scope, and packages/api/.toolmem.toml with project = "
        '"api" puts that scope in effect there\n'
    ) in done.stderr
    rules = world.call("rule", "list").stdout
    assert "pip" not in rules
    assert "push to" in rules
    assert "curl" in rules
    one = world.call(
        "import", "../app/packages/api/AGENTS.md", "--scope", "project:api"
    )
    assert (one.code, "project:api" in world.call("rule", "list").stdout) == (0, True)
