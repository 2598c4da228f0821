"""Verdict on a new memory and an old one."""

from math import nextafter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.comparison.test_same import HARMLESS, MISSPELT
from tests.examples import examples
from toolmem.core import limits
from toolmem.core.comparison.verdict import (
    SaveAction,
    SaveVerdict,
    TermStatistics,
    compare,
)
from toolmem.core.language.language import ENGLISH
from toolmem.core.memories.merge import containing
from toolmem.core.text.terms import words
from toolmem.store.index.dictionary import dictionary

SAME, MERGED, CONTESTED, NEW = (
    SaveAction.DEDUPLICATED,
    SaveAction.MERGED,
    SaveAction.CONTESTED,
    SaveAction.CREATED,
)


def verdict(new: str, old: str) -> SaveVerdict:
    """In a vault that holds the old text alone."""
    known = {ENGLISH.stem_of(word) for word in words(old)}
    return compare(
        new, old, TermStatistics(1, lambda term: int(term in known), dictionary("en"))
    )


@pytest.mark.parametrize(("one", "other"), [*HARMLESS, *MISSPELT])
def test_the_same_said_again_is_deduplicated_both_ways(one, other):
    assert verdict(one, other) == SaveVerdict(SAME, 1.0)
    assert verdict(other, one) == SaveVerdict(SAME, 1.0)


def test_a_statement_of_a_longer_text_is_contradicted():
    old = "The timeout is 30 s. It is set in pump.toml. Ask Ada."
    for new in ("The timeout is 60 s.", "Ask Ada. The timeout is 60 s."):
        found = [verdict(new, old), verdict(old, new)]
        assert [(one.action, one.differing) for one in found] == [
            (CONTESTED, ("30 s", "60 s"))
        ] * 2
    assert verdict("The timeout is 60 s. Ask Grace.", old).action == NEW


@pytest.mark.parametrize(
    "words",
    """
    safe/unsafe mutable/immutable possible/impossible visible/invisible active/inactive
    reliable/unreliable used/unused likely/unlikely able/unable ordered/unordered
    typed/untyped versioned/unversioned related/unrelated equal/unequal legal/illegal
    stable/unstable valid/invalid secure/insecure allowed/forbidden shown/hidden
    regular/irregular perfect/imperfect direct/indirect correct/incorrect
    """.split(),
)
def test_a_prefix_that_denies_contradicts(words):
    one, other = (f"The queue of it is {word} at night" for word in words.split("/"))
    assert {verdict(one, other).action, verdict(other, one).action} == {CONTESTED}


@pytest.mark.parametrize(
    "pair",
    """
    louder/quieter newest/oldest larger/smaller hotter/colder busier/idler
    easiest/hardest safer/riskier earliest/latest --verify/--no-verify
    --color/--no-color fifo/lifo
    """.split(),
)
def test_opposites_that_are_compared_or_options_contradict(pair):
    one, other = (f"The runner of it takes {word} at night" for word in pair.split("/"))
    assert {verdict(one, other).action, verdict(other, one).action} == {CONTESTED}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The dark theme is the default", "The light theme is the default"),
        ("Node 18 is what CI uses", "Node 20 is what CI uses"),
        ("Port 80 is our public port", "Port 443 is our public port"),
        ("A >= B holds after sorting", "A <= B holds after sorting"),
    ],
)
def test_a_subject_that_alone_can_be_so_contradicts_another(one, other):
    assert {verdict(one, other).action, verdict(other, one).action} == {CONTESTED}


_BELOW = "We agreed on the order of the tasks, and Ada wrote it down."


@pytest.mark.parametrize(
    "title",
    ["Sprint review {}", "ADR 00{}: storage", "Sync #{}", "Incident 2026-01-0{}"],
)
def test_notes_whose_titles_are_numbered_are_a_series(title):
    for below in (
        _BELOW,
        "Part {0} ended after {0} days.",
        "It was done in {0}0 days.",
    ):
        one, other = (f"# {title.format(at)}\n\n{below.format(at)}" for at in (1, 2))
        assert {verdict(one, other).action, verdict(other, one).action} == {NEW}


@pytest.mark.parametrize(
    "title", ["The limit is {}", "Limit: {}", "Wait for {} s", "Retry at most {} times"]
)
def test_a_value_in_a_title_contradicts_another(title):
    one, other = (f"# {title.format(at)}\n\n{_BELOW}" for at in (1, 2))
    assert {verdict(one, other).action, verdict(other, one).action} == {CONTESTED}


REWORDED = [
    ("The default branch is main.", "Main is the default branch."),
    ("Mara is our release lead", "Our release lead is Mara"),
    (
        "Prefer composition over inheritance for game entities",
        "For game entities, prefer composition over inheritance",
    ),
    ("The client writes the log at night", "The client wrote the log at night"),
    ("It fails because the disk is full", "It fails since the disk is full"),
    ("You must restart the gateway", "You have to restart the gateway"),
    ("The build fails on Mondays", "The build will fail on Mondays"),
    ("Use uv for apps and pip for tools", "Use pip for tools and uv for apps"),
    ("Always enable the cache here", "Never disable the cache here"),
    ("The cache is not safe here", "The cache is unsafe here"),
    ("No tests may be skipped", "Tests may not be skipped"),
    ("Port 80 is open and port 22 is closed", "Port 22 is closed and port 80 is open"),
    ("a is on; b is off; c is on", "b is off; c is on; a is on"),
    ("a: 1, b: 2, c: 3", "c: 3, a: 1, b: 2"),
    (
        "Use uv for apps, pip for tools and npm for the site",
        "Use npm for the site, uv for apps and pip for tools",
    ),
    ("Wait for 60 seconds after it", "Wait for 1 minute after it"),
    ("Don't mock the clock in tests", "In tests, do not mock the clock"),
    ("Run lint. Then push. Ask Ada.", "Ask Ada. Run lint. Then push."),
    ("- eggs\n- milk\n- bread", "- bread\n- milk\n- eggs"),
    ("In CI, run the tests with uv", "With uv, run the tests in CI"),
    ("Ada is equal to Grace in rank", "Grace is equal to Ada in rank"),
    ("Remove the file when done", "Delete the file when done"),
    (
        "When refreshing tokens, ask for the scopes again, else the call fails",
        "The call fails else, when refreshing tokens: ask for the scopes again",
    ),
    (
        "When refreshing old tokens ask for scopes, else the call to it fails",
        "The call to it fails, else when refreshing old tokens ask for scopes",
    ),
    ("The service deletes old rows", "Old rows are deleted by the service"),
    ("Port 80 is open in the firewall", "Port 443 is open in the firewall"),
    ("Migration 12 adds the users table", "Migration 13 adds the users table"),
    ("Issue 812 was caused by a cache", "Issue 977 was caused by a cache"),
    ("HTTP error 502 is retried by it", "HTTP error 503 is retried by it"),
    ("The host web1 runs nginx here", "The host web2 runs nginx here"),
    ("#12 is a duplicate of the other", "#15 is a duplicate of the other"),
    ("The cache holds 1k entries", "The cache holds 1000 entries"),
    ("The file has 2M lines in all", "The file has 2 million lines in all"),
    ("The plan costs $1.5k a year", "The plan costs 1,500 dollars a year"),
    ("The plan costs 5€ a month", "The plan costs €5 a month"),
    ("The read API needs a token", "The write API needs a token"),
    ("The input buffer is 4 KB in size", "The output buffer is 4 KB in size"),
    ("The old API uses XML in all", "The new API uses XML in all"),
    ("Our morning call is in English", "Our evening call is in English"),
    ("The voice service uses the port", "The invoice service uses the port"),
    ("Check the form before the call", "Check the inform before the call"),
    ("Read the patch before you go on", "Read the dispatch before you go on"),
    ("The count is shown on the page", "The discount is shown on the page"),
]


@pytest.mark.parametrize(("one", "other"), REWORDED)
def test_other_words_for_the_same_are_neither_the_same_nor_a_contradiction(one, other):
    assert {verdict(one, other).action, verdict(other, one).action} == {NEW}


@pytest.mark.parametrize(
    ("one", "other", "differing"),
    [
        (
            "The API timeout is 30s by default",
            "The API timeout is 60s by default",
            "30s 60s",
        ),
        (
            "Entries expire after 30 minutes of rest",
            "Entries expire after 30 hours of rest",
            "30 hours 30 minutes",
        ),
        (
            "It needs Python 3.11 or newer to run",
            "It needs Python 3.12 or newer to run",
            "3.11 3.12",
        ),
        ("Python 3.11 is supported", "Python 3.12 is supported", "3.11 3.12"),
        ("v1.2 has the fix for it", "v1.3 has the fix for it", "v1.2 v1.3"),
        ("The plan costs $5 a month", "The plan costs €5 a month", "$5 €5"),
        ("The queue holds 10k jobs", "The queue holds 10M jobs", "10k 10m"),
        (
            "Memory use must stay below 2GB in all",
            "Memory use must stay below 2MB in all",
            "2gb 2mb",
        ),
        (
            "Retry three times before giving up",
            "Retry five times before giving up",
            "five three",
        ),
        (
            "Use tabs for indentation in Go files",
            "Never use tabs for indentation in Go files",
            "not",
        ),
        (
            "It must be restarted after each change",
            "It must not be restarted after each change",
            "not",
        ),
        (
            "Users can delete the posts of others",
            "Users cannot delete the posts of others",
            "not",
        ),
        (
            "It returns None without raising an error",
            "It returns None while raising an error",
            "not while",
        ),
        (
            "Set DEBUG=1 when running the server",
            "Set DEBUG=0 when running the server",
            "0 1",
        ),
        (
            "Enable the cache in the main config",
            "Disable the cache in the main config",
            "disable enable",
        ),
        (
            "The interface is stable enough for us",
            "The interface is unstable enough for us",
            "stable unstable",
        ),
        (
            "Prefer tabs over spaces in the code",
            "Prefer spaces over tabs in the code",
            "spaces tabs",
        ),
        (
            "Run lint before the tests in the job",
            "Run the tests before lint in the job",
            "lint tests",
        ),
        (
            "Port 80 is for http and port 443 for https",
            "Port 443 is for http and port 80 for https",
            "443 80",
        ),
        ("使用主分支部署生产环境", "不使用主分支部署生产环境", "not"),
        (
            "数据库端口是5432，请使用TLS连接",
            "数据库端口是5433，请使用TLS连接",
            "5432 5433",
        ),
        (
            "Der Server ist von außen erreichbar, auch nachts",
            "Der Server ist von außen nicht erreichbar, auch nachts",
            "not",
        ),
        (
            "The load must stay < 80 percent during the build",
            "The load must stay > 80 percent during the build",
            "< >",
        ),
        (
            "Keep batches <100 rows for the import of customers",
            "Keep batches >100 rows for the import of customers",
            "< >",
        ),
        (
            "Retry when status != 200 in the client for billing",
            "Retry when status == 200 in the client for billing",
            "!= ==",
        ),
    ],
)
def test_a_change_of_meaning_is_contested_both_ways(one, other, differing):
    found = [verdict(one, other), verdict(other, one)]
    assert [each.action for each in found] == [CONTESTED, CONTESTED]
    assert [" ".join(each.differing) for each in found] == [differing, differing]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "Refreshing an expired token requires the scope again. The client id too.",
            "Refreshing an expired token requires the scope again.",
        ),
        (
            "Deploys run on Fridays after a review of the week by two. Ask Sarah.",
            "Deploys run on Fridays after a review of the week by two.",
        ),
        (
            "The kiln is cleaned by Noor. It takes an hour and a half each time.",
            "The kiln is cleaned by Noor.",
        ),
    ],
)
def test_more_of_the_same_is_merged(new, old):
    assert verdict(new, old).action == MERGED


_STATED = (
    "Deploys run on Fridays after a review.",
    "The kiln is cleaned by Noor.",
    "Use sudo for every install!",
)
_WHOLE = (
    "{} by two people",
    "Never say that {}",
    "In May, {} unless Sarah objects",
    "({}), and so do the others",
)
_FORMS = ("{} {}", "{}\n\n{}", "- {}\n- {}", "# Title\n\n{}\n\n{}")


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("whole", _WHOLE)
@pytest.mark.parametrize("part", _STATED)
def test_a_text_with_a_statement_and_a_part_of_it_takes_no_place(part, whole, form):
    more = whole.format(part.rstrip(".!")) + "."
    texts = (form.format(part, more), form.format(more, part))
    alone = form.replace("{}", "").rstrip("- \n") + "\n\n" + part
    for text in texts:
        for old in (part, alone):
            assert not verdict(text, old).adds
            assert containing([text, old]) == ""


def test_a_statement_that_is_repeated_whole_is_no_part():
    text = "The kiln is cleaned by Noor. Ask her. The kiln is cleaned by Noor."
    assert verdict(text, _STATED[1]).action == MERGED


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "Deploys are done on Fridays by the team",
            "The cat sat on the mat in the sun",
        ),
        ("Fix the bug", "Write the report"),
        ("Use uv", "Use ruff"),
        (
            "# Kiln A\n\nFires at 1060 degrees. Ask the porter for the key.",
            "# Kiln B\n\nFires at 1240 degrees. Ask the porter for the key.",
        ),
        (
            "Hall 3 stores the pumps. Ask the porter for the key.",
            "Hall 7 stores the valves. Ask the porter for the key.",
        ),
        ("Use uv for every environment", ""),
    ],
)
def test_something_else_is_created(new, old):
    assert verdict(new, old).action == NEW


def test_a_word_that_the_vault_knows_is_no_slip():
    old, new = (
        "The scheduled cleaner runs nightly",
        "The scheduled cleaned runs nightly",
    )
    known = {ENGLISH.stem_of(word) for word in words(old)}
    vault = TermStatistics(50, lambda term: int(term in known) or 3)
    assert compare(new, old, vault).action != SAME
    assert compare("The nightly cleanre", "The nightly cleaner", vault).action != SAME


def test_a_statement_more_in_a_long_text_is_never_swallowed():
    old = " ".join(f"Statement number {word} about the tools." for word in "abcdefghij")
    new = old + " Deploys need two approvals from reviewers."
    assert verdict(new, old).action == MERGED
    assert verdict(old, new).action == NEW


@pytest.mark.parametrize(
    ("claim", "around"),
    [
        ("The cache is shared between all tenants.", "The following is wrong. {}"),
        ("The retry queue is flushed on shutdown.", "{} That is no longer true."),
        ("Line endings are converted on checkout.", "On Windows only. {}"),
        ("All services move to grpc.", "Alice proposed this. {}"),
        ("The pump is cleaned weekly.", "- Until v2 this held. {}\n- Ask Noor."),
    ],
)
def test_a_claim_that_its_paragraph_limits_is_not_known_yet(claim, around):
    assert verdict(claim, around.format(claim)).action == NEW
    apart = around.replace("{}", "Ask Ada.").replace("- ", "") + f"\n\n{claim}"
    assert verdict(claim, apart).action == MERGED


def test_texts_that_differ_only_far_down_are_not_the_same():
    text = "Some words about a tool that people use.\n" * 2000
    assert verdict(text + "End.", text + "Other.").action == NEW


_PROSE = st.lists(
    st.sampled_from(
        "The server runs well and nobody restarts it today. Go! 30s a_b is restarted by"
        " in not".split()
    ),
    min_size=0,
    max_size=40,
).map(" ".join)


@examples(150)
@given(_PROSE | st.text(max_size=200))
def test_a_text_is_the_same_as_itself(text):
    assert verdict(text, text).action == SAME


@examples(150)
@example("The server is restarted by in the night", "The server runs at night")
@given(_PROSE | st.text(max_size=120), _PROSE | st.text(max_size=120))
def test_any_two_texts_have_a_verdict(one, other):
    found = verdict(one, other)
    assert 0.0 <= found.similarity <= 1.0
    assert bool(found.differing) == (found.action == CONTESTED)


@examples(100)
@given(
    st.lists(
        st.sampled_from(["Run lint first", "Push at night", "Review the code"]),
        min_size=2,
        max_size=6,
    ),
    st.randoms(),
)
def test_statements_in_another_order_are_no_contradiction(statements, random):
    shuffled = random.sample(statements, len(statements))
    found = verdict(". ".join(shuffled) + ".", ". ".join(statements) + ".").action
    assert found == (SAME if shuffled == statements else NEW)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a " * 200_000, "b " * 200_000),
        ("- a\n" * 50_000, "* b\n" * 50_000),
        ("a.b/" * 50_000, "_" * 200_000),
        ("before over " * 30_000, "over before " * 30_000),
        ("!?(" * 50_000, "```\n" * 50_000),
        (
            " ".join(f"a w{n}" for n in range(30_000)),
            " ".join(f"a v{n}" for n in range(30_000)),
        ),
    ],
    ids=["words", "items", "signs", "relations", "marks", "neighbours"],
)
def test_hostile_texts_come_to_an_end(one, other):
    assert verdict(one, other).action in SaveAction


def test_texts_that_share_all_but_a_name_are_both_kept_and_similar():
    text = " ".join(f"Statement number {at} about the tools." for at in range(90))
    found = verdict(f"{text} Deploys need two people.", f"{text} Ask Sarah.")
    assert found.action == NEW
    assert found.is_similar


def test_the_similarity_from_which_texts_are_similar_is_included(monkeypatch):
    new, old = "Deploys run on Fridays. Ask Sarah", "Deploys run on Fridays. Lock up"
    found = verdict(new, old)
    monkeypatch.setattr(limits, "SIMILAR_RELATED", found.similarity)
    assert found.is_similar
    monkeypatch.setattr(limits, "SIMILAR_RELATED", nextafter(found.similarity, 1))
    assert not found.is_similar


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("把超时时间设为五秒，再看监控面板。", "把超时时间设为九秒，再看监控面板。"),
        ("测试环境每天凌晨重建", "生产环境每天凌晨重建"),
        ("发布之前不必更新变更日志", "发布之前必须更新变更日志"),
        ("本番のデータベースは百件まで", "検証のデータベースは百件まで"),
        ("タグには署名が不要", "タグには署名が必要"),
        ("서버는 매주 재시작된다", "서버는 매일 재시작된다"),
        ("Ключи хранятся сорок дней", "Ключи хранятся тридцать дней"),
        (
            "El robot revisa cada carta del archivo por la noche",
            "El robot revisa cada carpa del archivo por la noche",
        ),
        (
            "Alle Daten liegen in der Tasse unter dem Tisch",
            "Alle Daten liegen in der Kasse unter dem Tisch",
        ),
    ],
)
def test_a_word_of_another_language_is_no_misspelling(new, old):
    known = set(ENGLISH.stems(words(old)))
    vault = TermStatistics(50, lambda term: 3 * (term in known), dictionary("en"))
    assert compare(new, old, vault).action in (CONTESTED, NEW)


def test_punctuation_of_any_script_makes_no_other_text():
    assert verdict("数据库连接池耗尽", "数据库连接池耗尽。").action is SAME


def test_headings_without_words_are_compared():
    old = "##\n\nThe port is closed"
    assert verdict("#\n\nThe port is open", old).action is CONTESTED


def test_a_word_of_many_parts_is_compared():
    parts = "a=" * 1500
    assert verdict(f"{parts}b", parts).action is NEW
