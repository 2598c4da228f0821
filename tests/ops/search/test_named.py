"""What a question names exactly is found first, in any scope."""

import json
import random
from typing import Any

import pytest

from tests.world import World
from toolmem.core.search.doc import Doc
from toolmem.core.search.named import stretch_of
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

WORDS = (
    "kiln vent glaze shelf cone ash salt slip clay wheel bowl foot rim lid spout "
    "handle fire soak ramp cool bisque test tile crack warp stain wash brush dip pour"
).split()
EACH = 150


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> World:
    """Memories of two scopes whose titles share their words."""
    world = World(tmp_path_factory.mktemp("named")).write("toolmem.toml", "schema=1\n")
    chance = random.Random(5)
    for number in range(EACH):
        for scope in ("system", "projects/p"):
            title = " ".join(chance.sample(WORDS, 4)).capitalize()
            body = " ".join(chance.choices(WORDS, k=30))
            name = f"{scope[:3]}{number:05}-memory"
            text = f"# {title}\n\n{body}.\n"
            world.write(f"{scope}/memory/{name}.md", text)
    rule_id = "b916f0d1-0000-4000-8000-000000000000"
    rule = f'id = "{rule_id}"\ntool = "shell"\nrule = "wait"\n'
    return world.write("system/rules/shell/wait-b916f0d1.toml", rule)


def found(world: World, question: str, limit: int = 3) -> Any:
    flags = ("--project", "p", "--json", "--limit", str(limit))
    return json.loads(world.call("search", question, *flags).stdout)["results"]


def test_every_exact_title_is_first(world):
    titles = {
        path.stem: path.read_text().partition("\n")[0].removeprefix("# ")
        for path in sorted(world.root.rglob("memory/*.md"))[::10]
    }
    first = {stem: found(world, title)[0]["title"] for stem, title in titles.items()}
    assert first == titles


def test_a_title_with_all_words_in_order_comes_before_other_texts(world):
    title = found(world, "sys00007", 1)[0]["title"]
    words = title.split()
    hits = found(world, f"{words[0]} {words[1]} {words[3]}")
    assert title in [hit["title"] for hit in hits]


@pytest.mark.parametrize(
    "text",
    [
        "b916f0d1",
        "B916F0D1",
        "b916f0d1-0000-4000-8000-000000000000",
        "(toolmem rule b916f0d1)",
        "what is rule b916f0d1 for?",
    ],
)
def test_a_rule_is_found_by_its_id(world, text):
    assert found(world, text)[0]["path"] == "system/rules/shell/wait-b916f0d1.toml"


@pytest.mark.parametrize("text", ["sys00042", "sys00042-memory"])
def test_a_memory_is_found_by_its_id(world, text):
    assert found(world, text)[0]["id"] == "sys00042-memory"


@pytest.mark.parametrize("form", ["{}", "./{}", "/srv/vault/{}", "see {}:12"])
def test_a_document_is_found_by_its_path(world, form):
    path = "system/memory/sys00042-memory.md"
    assert found(world, form.format(path))[0]["path"] == path


@pytest.mark.soak
def test_of_4000_memories_98_percent_are_first_by_their_title(tmp_path):
    """Half of them apply everywhere; all titles share their words."""
    world = World(tmp_path).write("toolmem.toml", "schema = 1\n")
    chance = random.Random(33)
    titles, paths = [], []
    for number in range(4000):
        scope = ("system", "projects/p")[number % 2]
        title = " ".join(chance.sample(WORDS, chance.randint(3, 6))).capitalize()
        body = " ".join(chance.choices(WORDS, k=40))
        paths.append(f"{scope}/memory/{number:08}-memory.md")
        titles.append(title)
        world.write(paths[-1], f"---\ntopic: kiln\n---\n# {title}\n\n{body}.\n")
    vault = Vault.open(find_vault({"project": "p"}, world.root), world.now)
    ids = [path.rpartition("/")[2].removesuffix(".md") for path in paths]

    def first(questions: list[str]) -> list[Doc]:
        requests = [SearchRequest(one, limit=3) for one in questions]
        return [answer.found.hits[0].doc for answer in search_all(vault, requests)]

    asked = titles[::13]
    by_title = [doc.title for doc in first(asked)]
    assert sum(map(str.__eq__, by_title, asked)) >= 0.98 * len(asked)
    assert [doc.path for doc in first(paths[::401])] == paths[::401]
    assert [doc.id for doc in first(ids[::401])] == ids[::401]
    assert [doc.id for doc in first([one[:8] for one in ids[::401]])] == ids[::401]


SIGNS = ["C", "C++", "C#", "F#", ".env", "env", "--force", "force", "@types/node", "🚀"]


@pytest.mark.parametrize("title", SIGNS)
def test_a_title_with_signs_is_found_as_it_is_typed(tmp_path, title):
    world = World(tmp_path).write("toolmem.toml", "schema = 1\n")
    for number, each in enumerate(SIGNS):
        world.write(f"system/memory/note-{number}.md", f"# {each}\n\nNotes of it.\n")
    done = json.loads(world.call("search", "--json", "--", title).stdout)
    assert done["results"][0]["title"] == title


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("sys00042-memory.md", "system/memory/sys00042-memory.md"),
        ("memory/sys00042-memory.md", "system/memory/sys00042-memory.md"),
        ("wait-b916f0d1.toml", "system/rules/shell/wait-b916f0d1.toml"),
    ],
)
def test_a_document_is_found_by_its_file_name(world, text, path):
    assert found(world, text)[0]["path"] == path


CLOSE = "Rotate the tokens after a release"
FAR = (
    "Rotate the logs of the gateway before they fill the disk of a node that serves "
    "other tokens"
)
BODY = "How to rotate tokens: tokens rotate by the script that will rotate tokens."


@pytest.mark.parametrize("closer", ["system", "projects/p"])
def test_a_title_with_the_words_close_together_comes_first(tmp_path, closer):
    world = World(tmp_path).write("toolmem.toml", "schema = 1\n")
    other = "projects/p" if closer == "system" else "system"
    world.write(f"{closer}/memory/close-a00001.md", f"# {CLOSE}\n\nBy the script.\n")
    world.write(f"{other}/memory/far-a00002.md", f"# {FAR}\n\nBy the script.\n")
    world.write("projects/p/memory/body-a00003.md", f"# Scripts\n\n{BODY}\n")
    titles = [hit["title"] for hit in found(world, "rotate tokens")]
    assert titles == [CLOSE, FAR, "Scripts"]


@pytest.mark.parametrize(
    ("asked", "title", "length"),
    [
        ("a b", "x a b y", 2),
        ("a b", "a x a y b b", 3),
        ("a a", "a x y a a", 2),
        ("a b a", "a b x a b a", 3),
        ("a b", "b a", 0),
        ("a b", "a", 0),
    ],
)
def test_the_shortest_stretch_with_the_words_in_order_counts(asked, title, length):
    assert stretch_of(asked.split(), title.split()) == length
