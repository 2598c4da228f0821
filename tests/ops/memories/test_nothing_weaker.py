"""Saving, editing, merging and reflecting: nothing is lost or weaker without a word."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given

import toolmem
from tests.core.memories.test_merge import texts
from tests.examples import examples
from tests.world import World
from toolmem.core.comparison.statements import read_statements
from toolmem.core.memories.naming import without_title
from toolmem.core.memories.original import MARKER

_NOTE = "The pump in hall three starts at noon and stops at six every day."
_SEAL = "We changed its seal in May, together with both of the apprentices."
_EDITS = [
    ("Net pay is gross * tax in the second report.", "*", "/"),
    ("Net pay is gross - costs in the second report.", "-", "+"),
    ("The left rail carries +5 volts while it runs.", "+5", "-5"),
    ("Drop the batch when the load > 5 at night.", "> 5", "< 5"),
    ("Look the compiler up in PATH before the build.", "PATH", "path"),
    ("The numeric core is written in C for speed.", " C ", " C++ "),
    ("The orders table references the customers table.", "orders", "customers"),
    ("The valve opens at 30 bar and closes at 20 bar.", "30", "20"),
    ("Call getUser before the session is renewed.", "getUser", "getuser"),
]


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def _save(world: World, text: str, *args: str) -> dict[str, Any]:
    done = world.call("memory", "save", "-", *args, "--json", stdin=text)
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _swap(text: str, one: str, other: str) -> str:
    if other in text:
        return text.replace(one, "\0").replace(other, one).replace("\0", other)
    return text.replace(one, other)


def _stated(text: str) -> set[str]:
    return {one.key for one in read_statements(text)}


def _reflect(world: World) -> None:
    assert world.call("reflect", "-o", "plan.toml").code == 0
    assert world.call("reflect", "--apply", "plan.toml").code == 0


@pytest.mark.parametrize(("note", "one", "other"), _EDITS)
def test_an_edit_that_changes_what_a_note_says_is_kept_beside_it(
    vault, note, one, other
):
    edited = _swap(note, one, other)
    assert edited != note
    first = _save(vault, note)
    second = _save(vault, edited)
    assert second["action"] in ("contested", "created")
    _reflect(vault)
    shown = [
        vault.call("memory", "show", saved["id"], "--full").stdout
        for saved in (first, second)
    ]
    assert [note in shown[0], edited in shown[1]] == [True, True]


@examples(
    25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(texts, texts)
def test_every_block_of_two_saved_texts_is_in_the_vault(vault, first, second):
    assume(first.strip() and second.strip())
    for path in list(vault.files()):
        if "/memory/" in path:
            vault.root.joinpath(path).unlink()
    opened = toolmem.Vault.open(vault.root)
    for text in (first, second):
        opened.memory.save(text, topic="")
    kept = set()
    for memory in opened.memory.list().memories:
        shown = opened.memory.show(memory.id)
        assert shown is not None
        parsed = shown.memory.parsed
        assert parsed is not None
        body = without_title(parsed.original or parsed.body)
        kept |= _stated(parsed.title) | _stated(body)
    assert _stated(first) | _stated(second) <= kept


def test_a_note_that_says_more_is_merged_and_both_are_in_it(vault):
    _save(vault, _NOTE)
    more = _save(vault, f"{_NOTE} Its oil is changed in May by the two apprentices.")
    assert more["action"] == "merged"
    text = vault.read(more["path"])
    assert text.count("starts at noon") == 2  # the title, and the text
    assert "oil is changed in May" in text


def test_what_is_saved_again_takes_in_tags_topic_and_importance(vault):
    _save(vault, _NOTE, "--tag", "a", "--topic", "")
    again = _save(vault, _NOTE, "--tag", "b", "--topic", "pumps", "--importance", "0.9")
    assert again["action"] == "deduplicated"
    text = vault.read(again["path"])
    assert "tags: [a, b]\n" in text
    assert "topic: pumps\n" in text
    assert "importance: 0.9\n" in text


def test_what_does_not_change_the_memory_that_is_there_is_reported(vault):
    _save(vault, _NOTE, "--topic", "pumps")
    done = vault.call(
        "memory", "save", _NOTE, "--topic", "noise", "--expires", "2027-01-01"
    )
    assert done.code == 0
    assert "keeps its topic pumps" in done.stderr
    assert "keeps its longer life (without end)" in done.stderr


def test_a_private_note_is_not_taken_for_a_public_one(vault):
    public = _save(vault, _NOTE)
    private = _save(vault, _NOTE, "--private")
    assert (private["action"], private["id"] == public["id"]) == ("created", False)
    assert "private: true\n" in vault.read(private["path"])


def test_front_matter_of_a_text_counts(vault):
    header = "---\ntags: [x]\nprivate: true\ntopic: pumps\nimportance: 0.8\n---\n"
    saved = _save(vault, header + _NOTE)
    text = vault.read(saved["path"])
    for line in ("tags: [x]", "private: true", "topic: pumps", "importance: 0.8"):
        assert f"{line}\n" in text
    assert text.count("---\n") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\ntags: [x\n---\nText.", "the header cannot be read"),
        ("---\ncolour: red\n---\nText.", "the front matter has 'colour'"),
        ("---\nsupersedes: [a]\n---\nText.", "the front matter has 'supersedes'"),
    ],
)
def test_front_matter_that_cannot_count_is_refused(vault, text, message):
    done = vault.call("memory", "save", "-", stdin=text)
    assert done.code == 2
    assert message in done.stderr
    assert not [path for path in vault.files() if "/memory/" in path]


def test_an_edited_text_has_its_own_title_and_summary(vault):
    saved = _save(vault, "The reply timeout is 30 s in the client.")
    vault.call(
        "memory", "edit", saved["id"], "--text", "The reply timeout is 60 s now."
    )
    text = vault.read(saved["path"])
    assert "30 s" not in text
    assert "# The reply timeout is 60 s now\n" in text
    long = "\n\n".join(
        f"Sentence {n} is about the reply of day {n}." for n in range(60)
    )
    vault.call("memory", "edit", saved["id"], "--text", long)
    assert MARKER in vault.read(saved["path"])
    refused = vault.call(
        "memory", "edit", saved["id"], "--text", "---\nprivate: true\n---\nText."
    )
    assert refused.code == 2
    assert "begins with front matter" in refused.stderr


def test_a_heading_original_of_the_text_stays_with_all_above_it(vault):
    own = f"# Seal\n\n{_NOTE} {_SEAL}\n\n## Original\n\nRubber.\n"
    path = "system/memory/seal-a00001.md"
    vault.write(path, own)
    more = f"{own}\nIt is made in Oslo now.\n"
    assert _save(vault, more)["action"] == "merged"
    text = vault.read(path)
    for part in (_SEAL, "## Original\n\nRubber.", "made in Oslo"):
        assert part in text


def test_a_contradiction_is_gone_when_one_side_is_gone(vault):
    def contest() -> tuple[str, str]:
        first = _save(vault, "The pump in hall three starts at ten.")["id"]
        second = _save(vault, "The pump in hall three starts at eleven.")
        assert second["action"] == "contested"
        return first, second["id"]

    first, second = contest()
    vault.call("memory", "move", second, "--scope", "project:p")
    vault.call("memory", "delete", second)
    assert "contested" not in vault.call("memory", "show", first).stdout
    second = contest()[1]
    vault.call("memory", "edit", second, "--uncontested")
    for memory in (first, second):
        assert "contested" not in vault.call("memory", "show", memory).stdout
    assert vault.call("check").code == 0


def test_a_link_to_a_memory_that_is_gone_is_found_and_can_be_removed(vault):
    path = "system/memory/pump-a00001.md"
    vault.write(path, f"---\ncontested_with: [gone-b00001]\n---\n{_NOTE}\n")
    found = vault.call("check").stdout
    assert "contested with gone-b00001, which does not exist" in found
    assert vault.call("memory", "edit", "pump", "--uncontested").code == 0
    assert "gone-b00001" not in vault.call("check").stdout


def test_an_archived_id_is_never_given_again(vault):
    first = _save(vault, _NOTE)["id"]
    vault.call("memory", "archive", first, "--reason", "old")
    assert _save(vault, _NOTE)["id"] != first
    assert vault.call("restore", first).code == 0
    assert vault.call("check").code == 0


def test_what_has_an_id_that_is_in_use_is_not_restored(vault):
    first = _save(vault, _NOTE)
    vault.call("memory", "archive", first["id"], "--reason", "old")
    name = first["path"].rpartition("/")[2]
    vault.write(f"projects/p/memory/{name}", "# Another\n\nText of the other one.\n")
    done = vault.call("restore", first["id"])
    assert done.code != 0
    assert f"projects/p/memory/{name} has this id" in done.stderr


def test_a_lasting_twin_outlives_the_expiring_one(vault):
    ends = "---\nexpires_at: 2027-01-01\ncreated: 2026-02-01\n---\n"
    vault.write("system/memory/pump-a00001.md", f"{ends}# Pump\n\n{_NOTE}\n")
    vault.write("system/memory/pump-b00001.md", f"# Pump\n\n{_NOTE}\n")
    vault.write("projects/p/memory/pump-c00001.md", f"# Pump\n\n{_NOTE}\n")
    _reflect(vault)
    live = [p for p in vault.files() if p.startswith(("system/mem", "projects/p/mem"))]
    lasting = [path for path in live if "expires_at" not in vault.read(path)]
    assert lasting


def test_the_newest_memory_sets_a_fact_and_a_set_fact_stays(vault):
    for number, port in ((1, 8081), (2, 8082)):
        vault.write(
            f"projects/p/memory/port{number}-a0000{number}.md",
            f"---\ncreated: 2026-0{number}-07\n---\n# Ports {number}\n\n"
            f"http_port: {port}\n",
        )
    assert vault.call("reflect", "-o", "plan.toml").code == 0
    plan = vault.read("plan.toml")
    assert re.findall(r'value = "(\d+)"', plan) == ["8082"]
    vault.call("fact", "set", "http_port", "9090", "--project", "p")
    done = vault.call("reflect", "--apply", "plan.toml")
    assert "http_port is 9090 by now" in done.stdout + done.stderr
    assert "9090" in vault.call("fact", "get", "http_port", "--project", "p").stdout


def test_links_lead_to_the_memory_that_took_another_in(vault):
    rival = "The pump in hall three starts at dawn and stops at six every day."
    body = f"# Pump\n\n{_NOTE}\n"
    link = "---\ncontested_with: [rival-c00001]\n---\n"
    vault.write("system/memory/pump-a00001.md", body)
    vault.write("system/memory/pump-b00001.md", f"{link}{body}")
    vault.write(
        "system/memory/rival-c00001.md",
        f"---\ncontested_with: [pump-b00001]\n---\n# Rival\n\n{rival}\n",
    )
    _reflect(vault)
    stays = next(p for p in vault.files() if p.startswith("system/memory/pump"))
    name = stays.rpartition("/")[2].removesuffix(".md")
    assert f"contested_with: [{name}]" in vault.read("system/memory/rival-c00001.md")
    assert vault.call("check").code == 0
