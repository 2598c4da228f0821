"""The quick topic check agrees with a search."""

import random
from datetime import UTC, datetime

import pytest

from tests.world import World
from toolmem.core.access.visibility import Audience
from toolmem.ops.prompt.memories_by_topic import topic_memories
from toolmem.ops.search.topic_gate import may_enter
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

MEMORIES = {
    "system/memory/tokens-aaaaaa.md": (
        "---\ntopic: authentication\ntags: [oauth, sessions]\n---\n"
        "# OAuth tokens expire after an hour\n\n"
        "Refreshing an expired token asks the provider for the scopes again.\n"
    ),
    "system/memory/db/pool-bbbbbb.md": (
        "---\ntopic: database pooling\n---\n# The pool is exhausted at night\n\n"
        "Nightly imports hold connections; the limit of the pool is twenty.\n"
    ),
    "system/memory/limits-cccccc.md": (
        "\ufeff---\ntopic: rate-limits\n---\n# The API limits requests\n\n"
        "Requests above sixty a minute are refused by the gateway.\n"
    ),
    "system/memory/none-dddddd.md": (
        "---\ntags: [x]\n---\n# Deploys run on Fridays\n\nNobody knows why.\n"
    ),
    "system/memory/bare-eeeeee.md": "# Deploys of the importer\n\nA script runs.\n",
}
WORDS = sorted(
    {
        word.strip('.,;:#[]"-')
        for text in MEMORIES.values()
        for word in text.lower().split()
    }
    | {"fix", "please", "database", "pooling", "limiting", "refresh", "importing"}
)


@pytest.fixture
def vault(tmp_path) -> Vault:
    world = World(tmp_path).vault("template")
    for path, text in MEMORIES.items():
        world.write(path, text)
    return Vault.open(find_vault({}, tmp_path), datetime(2026, 4, 7, tzinfo=UTC))


def test_no_topic_that_a_search_finds_is_passed_over(vault) -> None:
    chance = random.Random(7)
    entered = 0
    for _ in range(150):
        text = " ".join(chance.sample(WORDS, chance.randint(2, 7)))
        found, _ = topic_memories(vault, "", text, with_topic=True)
        entered += bool(found)
        assert may_enter(vault, text, ()) or not found, text
    assert 10 < entered < 150


@pytest.mark.parametrize(
    ("text", "told", "wanted"),
    [
        ("fix the authentication", (), True),
        ("fix the authentication", ("authentication", "rate-limits"), True),
        ("refreshed tokens expired", (), True),
        ("please run the tests", (), False),
        ("", (), False),
    ],
)
def test_what_may_enter_a_topic(vault, text, told, wanted) -> None:
    assert may_enter(vault, text, told) is (wanted and not told)


def test_a_header_that_only_a_yaml_reader_understands_is_not_passed_over(
    tmp_path, vault
) -> None:
    text = '---\n"topic": "rate limits"\n---\n# Requests\n'
    (tmp_path / "system/memory/odd-ffffff.md").write_text(text)
    assert may_enter(vault, "please run the tests", ())


def test_a_private_memory_is_no_topic_of_an_agent(tmp_path, vault) -> None:
    text = "---\ntopic: salaries\nprivate: true\n---\n# Salaries are paid late\n"
    (tmp_path / "system/memory/pay-ffffff.md").write_text(text)
    where = find_vault({}, tmp_path)
    seen = [
        may_enter(Vault.open(where, vault.now, audience), "pay the salaries", ())
        for audience in Audience
    ]
    assert dict(zip(Audience, seen, strict=True)) == {
        Audience.PERSON: True,
        Audience.AGENT: False,
    }


def test_of_too_many_memories_it_is_not_known(vault, monkeypatch) -> None:
    monkeypatch.setattr("toolmem.core.limits.HOOK_MEMORIES_READ", 3)
    assert may_enter(vault, "please run the tests", ())
