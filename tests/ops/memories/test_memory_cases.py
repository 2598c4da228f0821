"""Saving, scopes, topics and reading on real texts: each figure is a real one."""

import json
from typing import Any

import pytest

from tests.world import World
from toolmem.core.memories.original import MARKER
from toolmem.core.text.tokens import estimate_tokens

_NOTE = (
    "When refreshing expired OAuth tokens, the provider requires the scopes to be "
    "requested again, else the call fails with 403."
)


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def _save(world: World, text: str, *args: str) -> dict[str, Any]:
    done = world.call("memory", "save", text, *args, "--json")
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _search(world: World, *args: str) -> dict[str, Any]:
    done = world.call("search", *args, "--json")
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _note(world: World, path: str, title: str, body: str, header: str = "") -> None:
    top = f"---\n{header}---\n" if header else ""
    world.write(path, f"{top}# {title}\n\n{body}\n")


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("first", "second", "action"),
    [
        (_NOTE, _NOTE, "deduplicated"),
        (
            _NOTE.replace("OAuth ", ""),
            _NOTE.replace("OAuth ", "").upper(),
            "deduplicated",
        ),
        (_NOTE, _NOTE.upper().replace(",", " -"), "created"),
        (_NOTE, _NOTE.replace("requires", "reqiures"), "deduplicated"),
        (
            _NOTE,
            "The provider requires the scopes to be requested again when refreshing "
            "expired OAuth tokens; the call fails with 403, else.",
            "created",
        ),
        (
            "Run the database migrations before you deploy the service to staging",
            "Run the database migrations before you deploy the service to staging. "
            "Then tell the team.",
            "merged",
        ),
        (
            "The timeout of the payment gateway is 30s in production",
            "The timeout of the payment gateway is 60s in production",
            "contested",
        ),
        (
            "Use the shared cache when you build the mobile client",
            "Never use the shared cache when you build the mobile client",
            "contested",
        ),
        (
            "The numeric core of the renderer is written in C for speed",
            "The numeric core of the renderer is written in C++ for speed",
            "created",
        ),
        (
            "The uploader needs libfoo 1.2 or newer to build on Windows",
            "The uploader needs libfoo 1.3 or newer to build on Windows",
            "contested",
        ),
        (
            "Ask Ada before you change the schema of the billing tables",
            "Ask Grace before you change the schema of the billing tables",
            "created",
        ),
        (
            "Weapons overheat when two of them are fired in the same turn",
            "Invoices below ten euros are rounded to the nearest cent by law",
            "created",
        ),
    ],
)
def test_a_second_text_meets_the_first(vault, first, second, action):
    before = _save(vault, first)
    after = _save(vault, second)
    assert after["action"] == action
    count = 1 if action in ("deduplicated", "merged") else 2
    assert len(vault.call("memory", "list").stdout.splitlines()) == count
    if action != "created":
        assert after["nearest"] == before["id"]
    if action == "deduplicated":
        assert after["similarity"] > 0.95
    if action == "merged":
        assert 0.8 <= after["similarity"] <= 0.95


def test_both_sides_of_a_contest_name_each_other_and_are_tagged(vault):
    one = _save(vault, "The timeout of the payment gateway is 30s in production")
    two = _save(vault, "The timeout of the payment gateway is 60s in production")
    for mine, other in ((one, two), (two, one)):
        text = vault.read(mine["path"])
        assert f"contested_with: [{other['id']}]" in text
        assert "contested" in text.split("tags: ")[1].split("\n")[0]


def test_a_few_words_are_only_the_same_when_they_are_the_same(vault):
    _save(vault, "Fix bug now")
    assert _save(vault, "Fix bug later")["action"] == "created"
    _save(vault, "Restart the worker after deploys")
    again = _save(vault, "restart the worker after deploys.")
    assert again["action"] == "deduplicated"


def test_another_scope_is_not_compared(vault):
    _save(vault, _NOTE, "--project", "apollo")
    assert _save(vault, _NOTE, "--project", "borealis")["action"] == "created"
    assert _save(vault, _NOTE)["action"] == "created"


def test_tasks_add_up_and_the_first_is_never_repeated(vault):
    path = _save(vault, _NOTE)["path"]
    for task, first, more in (
        ("t1", "source_task: t1\n", None),
        ("t1", "source_task: t1\n", None),
        ("t2", "source_task: t1\n", "source_tasks_additional: [t2]\n"),
        ("t3", "source_task: t1\n", "source_tasks_additional: [t2, t3]\n"),
        ("t2", "source_task: t1\n", "source_tasks_additional: [t2, t3]\n"),
    ):
        _save(vault, _NOTE, "--source-task", task)
        text = vault.read(path)
        assert first in text
        assert (more in text) if more else ("additional" not in text)


def test_a_merge_unites_tags_and_keeps_every_statement(vault):
    path = _save(vault, _NOTE, "--tag", "a", "--tag", "b")["path"]
    more = _NOTE + " The client logs this as a warning."
    assert _save(vault, more, "--tag", "b", "--tag", "c")["action"] == "merged"
    text = vault.read(path)
    assert "tags: [a, b, c]\n" in text
    assert text.count("the provider requires the scopes") == 2  # title and body
    assert text.count("The client logs this as a warning.") == 1


def test_long_texts_get_a_summary_and_so_do_long_merged_ones(vault):
    assert MARKER not in vault.read(_save(vault, _NOTE)["path"])
    long = " ".join(
        f"Station {word} of the line is checked by hand before the first train leaves."
        for word in (
            "alder birch cedar elder hazel holly larch maple olive poplar rowan walnut"
        ).split()
    )
    path = _save(vault, f"# The morning check\n\n{long}")["path"]
    summary, original = vault.read(path).split(MARKER)
    assert long in original
    assert len(summary) < len(long)
    assert "Station alder" not in summary or "Station walnut" not in summary
    more = long + " Whoever finds a fault writes it into the book of the line."
    assert _save(vault, f"# The morning check\n\n{more}")["action"] == "merged"
    _, merged = vault.read(path).split(MARKER)
    assert "the book of the line" in merged
    assert "Station walnut" in merged


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("OAuth 2.0 Token Refresh!", "oauth-2-0-token-refresh-"),
        ("hello---world___foo", "hello-world-foo-"),
        ("!!!", "insight-"),
    ],
)
def test_a_file_is_named_after_its_text(vault, text, slug):
    saved = _save(vault, text)
    assert saved["id"].startswith(slug)
    assert len(saved["id"]) == len(slug) + 6
    assert saved["path"].endswith(f"/{saved['id']}.md")


def _in_three_scopes(vault: World) -> None:
    for folder, word in (
        ("system", "alder"),
        ("agent-types/coding", "birch"),
        ("projects/apollo", "cedar"),
    ):
        _note(vault, f"{folder}/memory/{word}.md", f"Kiln {word}", "The kiln is hot.")


def test_equally_relevant_hits_stand_by_the_weight_of_their_scope(vault):
    _in_three_scopes(vault)
    chain = ("--project", "apollo", "--agent-type", "coding")
    hits = _search(vault, "kiln", *chain, "--semantic", "off")["results"]
    assert [hit["id"] for hit in hits] == ["cedar", "birch", "alder"]
    # The override has no folder, but it is the heaviest of the chain: 1.2.
    weights = [1.0 / 1.2, 0.7 / 1.2, 0.4 / 1.2]
    assert [hit["score"] for hit in hits] == pytest.approx(weights, abs=1e-6)
    # What surrounds a memory counts, too: here the name of its scope.
    assert [hit["relevance"] for hit in hits] == pytest.approx([1, 1, 1], abs=0.02)
    assert [hit["id"] for hit in _search(vault, "kiln", *chain, "-n", "2")["results"]]


def test_the_same_text_in_several_scopes_is_one_hit_the_best(vault):
    for folder in ("system", "agent-types/coding", "projects/apollo"):
        _note(vault, f"{folder}/memory/kiln.md", "Kiln", "The kiln is hot.")
    found = _search(vault, "kiln", "--project", "apollo", "--agent-type", "coding")
    assert [hit["scope"] for hit in found["results"]] == ["project:apollo"]


def test_a_scope_that_is_not_there_holds_nothing_and_harms_nothing(vault):
    _in_three_scopes(vault)
    hits = _search(vault, "kiln", "--project", "nowhere")["results"]
    assert [hit["scope"] for hit in hits] == ["system"]
    assert vault.call("search", "kiln", "--scope", "project:nowhere").stdout == ""


def test_with_no_scope_given_all_are_searched_but_those_of_agents(vault):
    _in_three_scopes(vault)
    _note(vault, "agents/helper-1/memory/own.md", "Kiln of mine", "The kiln is mine.")
    scopes = {hit["scope"] for hit in _search(vault, "kiln")["results"]}
    assert scopes == {"system", "agent-type:coding", "project:apollo"}
    mine = _search(vault, "kiln", "--agent", "helper-1")["results"]
    assert mine[0]["scope"] == "agent:helper-1"


def test_a_fact_is_recalled_from_any_namespace_and_the_narrowest_scope(vault):
    vault.write("system/facts.md", "## build\ntest_command: make test\n")
    vault.write("agent-types/coding/facts.md", "## tools\ntest_command: tox\n")
    vault.write("projects/apollo/facts.md", "## project\ntest_command: pytest -v\n")
    for args, value in (
        ((), "make test"),
        (("--agent-type", "coding"), "tox"),
        (("--agent-type", "coding", "--project", "apollo"), "pytest -v"),
        (("--project", "nowhere"), "make test"),
        (("--project", "apollo", "--namespace", "build"), "make test"),
    ):
        done = vault.call("recall", "test_command", *args, "--json")
        document = json.loads(done.stdout)
        assert (document["source"], document["value"]) == ("fact", value)
    assert json.loads(vault.call("recall", "which tox", "--json").stdout)["source"] == (
        "search"
    )
    hint = vault.call("fact", "get", "test_comand").stderr
    assert "test_command" in hint


@pytest.mark.parametrize("scope", [(), ("--scope", "system")])
def test_a_topic_narrows_and_falls_back_below_three(vault, scope):
    for number in range(3):
        name = f"system/memory/o{number}.md"
        _note(vault, name, f"Kiln {number}", "The kiln is hot.", "topic: glazing\n")
    _note(vault, "system/memory/f.md", "Kiln f", "The kiln is fired.", "topic: fire\n")
    on_topic = _search(vault, "kiln", "--topic", "glazing", *scope)
    assert not on_topic["topic_fallback"]
    assert {hit["topic"] for hit in on_topic["results"]} == {"glazing"}
    _note(vault, "system/memory/u.md", "Kiln u", "The kiln is unsorted.")
    on_topic = _search(vault, "kiln", "--topic", "glazing", *scope)
    assert {hit["topic"] for hit in on_topic["results"]} == {"glazing", None}
    fallback = _search(vault, "kiln", "--topic", "fire", *scope)
    assert fallback["topic_fallback"]
    assert len(fallback["results"]) == 5


def test_a_topic_is_inferred_from_whole_words_and_never_overridden(vault):
    for named, text in (
        ("authentication", "OAuth tokens of the login service expire after an hour"),
        ("database", "Alembic migrations run in one transaction on our database"),
        ("test", "The suite wants a running broker on the default port"),
    ):
        assert _save(vault, text, "--topic", named)["topic"] == named
    for text, topic in (
        ("A note on authentication in the mobile client", "authentication"),
        ("The latest release of the client looks fine", None),
        ("xyzzy foobar baz qux quux", None),
    ):
        assert _save(vault, text)["topic"] == topic
    given = _save(vault, "Notes on the database of the shop", "--topic", "Shop Floor")
    assert given["topic"] == "shop-floor"
    assert "/memory/shop-floor/" in given["path"]


def test_memories_on_the_topic_of_a_prompt_are_whole_and_within_500_tokens(vault):
    for number in range(12):
        body = f"Kiln {number} is fired {' and watched' * 20} until it is done."
        name = f"system/memory/k{number:02}.md"
        _note(vault, name, f"Kiln {number}", body, "topic: kilns\n")
    secret = "topic: kilns\nprivate: true\n"
    _note(vault, "system/memory/p.md", "Kiln secret", "Nobody sees it.", secret)
    for flags in (("--topic", "kilns"), ("--task", "how long are kilns fired")):
        shown = vault.call("prompt", "--only", "memories", *flags).stdout
        assert "secret" not in shown
        assert 300 < estimate_tokens(shown) < 600
        assert shown.count("is fired") == shown.count("until it is done.") >= 4


_READING = (
    ("search", "kiln"),
    ("search", "kilm", "--json"),
    ("search", "kiln", "--explain", "--expect", "nothing"),
    ("search", "kiln", "--topic", "fire", "--tag", "x", "--kind", "fact"),
    ("recall", "kiln"),
    ("recall", "kiln", "--namespace", "tool-shell"),
    ("prompt", "--task", "the kiln is hot"),
    ("prompt", "--topic", "glazing"),
    ("memory", "list"),
    ("memory", "show", "alder"),
    ("index", "status"),
    ("index", "rebuild"),
    ("fact", "list"),
)


def test_reading_leaves_git_alone(vault):
    _in_three_scopes(vault)
    vault.commit()
    files = vault.files()
    for command in _READING:
        assert vault.call(*command).code in (0, 1), command
        assert vault.git("status", "--porcelain") == "", command
    assert vault.files() == files


@pytest.mark.parametrize(
    ("first", "second", "until"),
    [
        (["--expires", "2026-05-01"], [], None),
        (
            ["--expires", "2026-05-01"],
            ["--expires", "2026-06-01"],
            "2026-06-02T00:00:00Z",
        ),
        (
            ["--expires", "2026-06-01"],
            ["--expires", "2026-05-01"],
            "2026-06-02T00:00:00Z",
        ),
        ([], ["--expires", "2026-05-01"], None),
    ],
)
@pytest.mark.parametrize("more", ["", " The client logs this as a warning."])
def test_what_is_saved_again_lives_as_long_as_the_later_one(
    vault, first, second, until, more
):
    saved = _save(vault, _NOTE, *first)
    again = _save(vault, _NOTE + more, *second)
    assert again["action"] == ("merged" if more else "deduplicated")
    assert (f"expires_at: {until}" if until else "---") in vault.read(saved["path"])
    assert until or "expires_at" not in vault.read(saved["path"])


def test_a_summary_by_hand_does_not_outlive_its_text(vault):
    header = "summary: Refreshing needs the scopes.\n"
    path = "system/memory/oauth-aaaaaa.md"
    _note(vault, path, "OAuth", _NOTE, header)
    done = _save(vault, f"# OAuth\n\n{_NOTE} The client logs this as a warning.")
    assert done["action"] == "merged"
    assert "logs this" in vault.call("memory", "show", "oauth").stdout
    _note(vault, path, "OAuth", _NOTE, header)
    vault.call("memory", "edit", "oauth", "--text", "It was replaced by keys.")
    assert "replaced by keys" in vault.call("memory", "show", "oauth").stdout


def test_a_topic_is_the_same_however_it_is_written(vault):
    for number, topic in enumerate(("Release Train", "release-train", "release_train")):
        _note(
            vault,
            f"system/memory/train-{number}.md",
            f"Train {number}",
            f"The train number {number} leaves.",
            f"topic: {topic}\n",
        )
    found = _search(vault, "train leaves", "--topic", "Release train")
    assert (len(found["results"]), found["topic_fallback"]) == (3, False)
    listed = vault.call("memory", "list", "--topic", "release train").stdout
    assert len(listed.splitlines()) == 3
    assert vault.call("search", "train", "--topic", "!?").code == 2
    vault.call("memory", "edit", "train-0", "--topic", "Night Train")
    assert "topic: night-train\n" in vault.read("system/memory/train-0.md")


_RIVALS = (
    "The timeout of the payment gateway is 30s in production",
    "The timeout of the payment gateway is 60s in production",
)


@pytest.mark.parametrize("way", ["archive", "delete"])
def test_nothing_is_contested_by_a_memory_that_is_gone(vault, way):
    first = _save(vault, _RIVALS[0])
    before = vault.read(first["path"])
    second = _save(vault, _RIVALS[1], "--tag", "slow")
    contested = vault.read(first["path"])
    assert second["id"] in contested
    hits = vault.call("search", "payment gateway timeout").stdout
    assert hits.count(", contested, of 2026-") == 2
    reason = ["--reason", "measured"] if way == "archive" else []
    assert vault.call("memory", way, second["id"], *reason).code == 0
    assert vault.read(first["path"]) == before
    if way == "archive":
        assert vault.call("restore", second["id"]).code == 0
        assert vault.read(first["path"]) == contested


def test_what_others_contest_stays_contested(vault):
    saved = [_save(vault, text) for text in _RIVALS]
    third = _save(vault, _RIVALS[0].replace("30s", "90s"))
    rival = next(one for one in saved if one["id"] == third["nearest"])
    vault.call("memory", "delete", third["id"])
    left = vault.read(rival["path"])
    assert third["id"] not in left
    assert "tags: [contested]" in left


@pytest.mark.parametrize(
    ("expires", "written"),
    [("12h", "2026-04-21T00:00:00Z"), ("2h", "2026-04-20T14:00:00Z")],
)
def test_a_memory_for_some_hours_is_found_in_them(vault, expires, written):
    saved = _save(vault, _NOTE, "--expires", expires)
    assert _search(vault, "OAuth tokens")["total"] == 1
    assert f"expires_at: {written}\n" in vault.read(saved["path"])
    vault.clock(days=int(expires.removesuffix("h")) / 24)
    assert _search(vault, "OAuth tokens")["total"] == 0


def test_an_importance_below_zero_is_refused(vault):
    for done in (
        vault.call("memory", "save", _NOTE, "--importance=-0.5"),
        vault.call("memory", "edit", _save(vault, _NOTE)["id"], "--importance=-3"),
    ):
        assert (done.code, "from 0 to 1" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "own", ["reason: measured twice", "reason: [one, two]", "reason: 3", ""]
)
def test_a_reason_of_its_own_outlives_the_archive(vault, own):
    text = f"---\n{own}\nowner: ann\n---\n# A note\n\nIt says much.\n"
    text = text.replace("---\n\n", "---\n")
    vault.write("system/memory/a-note.md", text)
    done = vault.call("memory", "archive", "a-note", "--reason", "too old")
    assert done.code == 0
    archived = vault.read("archive/system/memory/a-note.md")
    assert "reason: too old" in archived
    assert vault.call("restore", "a-note").code == 0
    back = vault.read("system/memory/a-note.md")
    assert sorted(back.splitlines()) == sorted(text.splitlines())
