"""An imported text is known by its repository and path, a rule by its text as well."""

import json
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World

FILE = "# Shop\n\nBe kind.\n\n- Never run `git push -f`.\n"
OTHER = "# Mill\n\nBe quick.\n\n- Never run `npm publish`.\n"


@pytest.fixture
def shop(world: World) -> World:
    return world.vault("empty")


def run(world, *args):
    done = world.call("import", *args, "--json")
    assert done.code == 0, done
    return json.loads(done.stdout)


def actions(document):
    return {(item["kind"], item["action"]) for item in document["items"]}


def repository(world, place, text, remote=""):
    """A repository in a folder, with one file for agents and one commit."""
    world.write(f"{place}/CLAUDE.md", text)
    words = [["init", "-q"], ["add", "."], ["commit", "-qm", place]]
    words += [["remote", "add", "origin", remote]] if remote else []
    for command in words:
        folder = str(world.root / place)
        subprocess.run(["git", "-C", folder, *command], check=True)


def guidance(world):
    return {
        path: text.decode()
        for path, text in world.files().items()
        if path.startswith("system/guidance/")
    }


@pytest.mark.parametrize(
    "remotes",
    [
        ("", ""),
        ("git@github.com:one/shop.git", "https://github.com/two/shop"),
        ("/srv/git/one.git", "../two.git"),
    ],
)
def test_two_repositories_of_one_folder_name_are_two(shop, remotes):
    repository(shop, "one/shop", FILE, remotes[0])
    repository(shop, "two/shop", OTHER, remotes[1])
    for place in ("one/shop", "two/shop"):
        document = run(shop, place)
        assert actions(document) == {("rule", "created"), ("guidance", "created")}
        assert document["remarks"] == []
    texts = "".join(guidance(shop).values())
    assert ("Be kind." in texts, "Be quick." in texts) == (True, True)
    assert len(list(shop.root.glob("system/rules/*/*.toml"))) == 2
    for place in ("one/shop", "two/shop"):
        document = run(shop, place)
        assert actions(document) == {("rule", "unchanged"), ("guidance", "unchanged")}
        assert document["remarks"] == []


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:acme/shop.git",
        "https://ada:secret@github.com/acme/shop",
        "ssh://git@github.com:22/acme/shop.git/",
    ],
)
def test_another_checkout_is_the_same_repository(shop, address):
    repository(shop, "here/shop", FILE, "https://GitHub.com/acme/shop.git")
    run(shop, "here/shop")
    repository(shop, "there/store", FILE.replace("kind", "quick"), address)
    document = run(shop, "there/store")
    assert actions(document) == {("rule", "unchanged"), ("guidance", "updated")}
    assert document["items"][0]["source"] == "github.com/acme/shop/CLAUDE.md:5"


def test_a_link_is_the_file_that_it_leads_to(shop):
    repository(shop, "shop", FILE)
    (shop.root / "shop/CLAUDE.md").rename(shop.root / "shop/AGENTS.md")
    (shop.root / "shop/CLAUDE.md").symlink_to("AGENTS.md")
    created = {("rule", "created"), ("guidance", "created")}
    unchanged = {("rule", "unchanged"), ("guidance", "unchanged")}
    assert actions(run(shop, "shop")) == created
    assert len(list(shop.root.glob("system/rules/*/*.toml"))) == 1
    for place in ("shop", "shop/CLAUDE.md", "shop/AGENTS.md"):
        document = run(shop, place)
        assert (actions(document), document["remarks"]) == (unchanged, [])


def test_a_tool_that_is_added_later_makes_no_second_rule(shop):
    repository(shop, "shop", FILE)
    run(shop, "shop")
    before = shop.files()
    shop.call("tool", "add", "Bash", "--alias", "shell")
    document = run(shop, "shop")
    assert actions(document) == {("rule", "unchanged"), ("guidance", "unchanged")}
    assert document["remarks"] == []
    assert {**shop.files(), **before} == shop.files()


def test_nor_does_one_that_is_added_after_the_rule_was_archived(shop):
    repository(shop, "shop", FILE)
    (rule,) = [one for one in run(shop, "shop")["items"] if one["kind"] == "rule"]
    assert shop.call("rule", "archive", rule["id"], "--reason", "no").code == 0
    shop.call("tool", "add", "Bash", "--alias", "shell")
    assert ("rule", "retired") in actions(run(shop, "shop"))


_PARTS = st.lists(
    st.sampled_from(
        [
            *("Be kind.\n", "Be quick.\n", "- Never run `git push -f`.\n"),
            *("- Never run `npm publish`.\n", "## Part\n", "- Always use tabs.\n"),
        ]
    ),
    min_size=1,
    max_size=4,
    unique=True,
)


@examples(50)
@given(files=st.lists(_PARTS, min_size=2, max_size=3), linked=st.booleans())
def test_however_often_it_is_imported_nothing_is_doubled(
    tmp_path_factory, files, linked
):
    world = World(tmp_path_factory.mktemp("world")).vault("empty")
    for number, parts in enumerate(files):
        repository(world, f"{number}/shop", "# Shop\n\nHere.\n\n" + "\n".join(parts))
        if linked:
            (world.root / f"{number}/shop/AGENTS.md").symlink_to("CLAUDE.md")
    for number in range(len(files)):
        run(world, f"{number}/shop")
    before = world.files()
    world.call("tool", "add", "Bash", "--alias", "shell")
    for number in range(len(files)):
        document = run(world, f"{number}/shop")
        assert {action for _, action in actions(document)} <= {"unchanged", "exists"}
        assert [one["code"] for one in document["remarks"]] == []
    assert {**world.files(), **before} == world.files()
    rules = list(world.root.glob("system/rules/*/*.toml"))
    texts = {line for parts in files for line in parts if "run" in line}
    assert len(rules) >= len(texts)


LONG = "Words about it that go on and on. " * 40
SECTIONS = ["The first says alpha. ", "The second says beta. "]


def sections(*numbers):
    return "# Shop\n\n" + "\n".join(
        f"## Set up\n\n{SECTIONS[number]}{LONG}\n" for number in numbers
    )


@pytest.mark.parametrize("left", [0, 1])
def test_of_two_sections_with_one_heading_the_other_may_be_removed(shop, left):
    shop.write("shop/CLAUDE.md", sections(0, 1))
    assert [one["action"] for one in run(shop, "shop")["items"]] == ["created"] * 2
    before = shop.files()
    shop.write("shop/CLAUDE.md", sections(left))
    for _ in range(2):
        document = run(shop, "shop")
        assert [one["action"] for one in document["items"]] == ["unchanged"]
        assert [one["code"] for one in document["remarks"]] == ["gone"]
    after = shop.files()
    assert {path: after[path] for path in before if path.startswith("system/")} == {
        path: text for path, text in before.items() if path.startswith("system/")
    }


def test_two_repositories_without_a_commit_are_two(shop):
    for place, text in (("one/shop", FILE), ("two/shop", OTHER)):
        shop.write(f"{place}/CLAUDE.md", text)
        folder = str(shop.root / place)
        subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
        assert actions(run(shop, place)) == {
            ("rule", "created"),
            ("guidance", "created"),
        }
    assert len(guidance(shop)) == 2
    for place in ("one/shop", "two/shop"):
        document = run(shop, place)
        assert actions(document) == {("rule", "unchanged"), ("guidance", "unchanged")}
        assert document["remarks"] == []
