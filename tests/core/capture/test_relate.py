"""How a find stands to the rules that are known already."""

import pytest

from toolmem.core.capture.decree import find_decrees
from toolmem.core.capture.relate import KnownRule, Relation, relate


def related(message: str, *texts: str) -> Relation:
    """The relation of a message's one find to rules named r1, r2 …"""
    rules = [KnownRule(f"r{n}", "any", text) for n, text in enumerate(texts, 1)]
    (find,) = find_decrees(message)
    return relate(find, rules)


SAME = (
    ("Never push to main", "Never push to main."),
    ("please never push to main!", "Never push to main."),
    ("Don't push to main", "Never push to main."),
    ("dont ever push to main", "Never push to main."),
    ("Stop pushing to main", "Never push to main."),
    ("avoid pushing to main", "never push to main"),
    ("NEVER PUSH TO MAIN", "Never push to main."),
    ("Never push to the main", "Never push to main"),
    ("Never depoly the billing service", "Never deploy the billing service"),
    ("Always run `make check`", "always run `make check`."),
)
NEW = (
    ("Never push to main", "Never push to develop."),
    ("Never wait more than 30s", "Never wait more than 60s"),
    ("Never use Python 2.7", "Never use Python 3.7"),
    ("Never email Marian", "Never email Marina"),
    ("Never copy from A to B", "Never copy from B to A"),
    ("Never use C", "Never use C++"),
    ("Never touch the latest tag", "Never touch the fastest tag"),
    ("Never edit a.py", "Never edit b.py"),
    ("Never email Bob", "Never email Sarah"),
    ("Always run the linter", "Always run the tests"),
)
AGAINST = (
    ("Always push to main", "Never push to main"),
    ("Use npm instead of yarn", "Never use npm"),
    ("Never use npm", "Use npm instead of yarn"),
    ("Use flake8, not ruff", "From now on, use ruff, not flake8"),
    ("Stop running the tests", "Always run the tests"),
)


@pytest.mark.parametrize(("message", "rule"), SAME)
def test_the_same_again_is_the_same_rule(message, rule):
    assert related(message, "Never sing", rule) == Relation("same", ("r2",))


@pytest.mark.parametrize(("message", "rule"), NEW)
def test_what_differs_in_a_word_that_counts_is_new(message, rule):
    assert related(message, rule) == Relation("new")


@pytest.mark.parametrize(("message", "rule"), AGAINST)
def test_the_opposite_is_reported_with_the_rule_that_it_meets(message, rule):
    assert related(message, rule) == Relation("contradicts", ("r1",), sure=False)


def test_a_rule_said_again_with_an_exception_amends_it():
    relation = related("Never push to main except for hotfixes", "Never push to main")
    assert relation == Relation("amends", ("r1",), sure=False)


def test_a_stated_polarity_decides_where_the_words_do_not():
    (find,) = find_decrees("Always force push")
    rule = KnownRule("r1", "git", "force push", "ban")
    assert relate(find, [rule]) == Relation("contradicts", ("r1",), sure=False)


def test_a_permission_that_covers_a_rule_is_sure():
    relation = related("You can push to main again.", "Never push to main.")
    assert relation == Relation("revokes", ("r1",))


def test_a_person_may_be_meant_by_a_part_of_an_address_but_that_is_unclear():
    for message in ("You can email Sarah again", "Emailing Sarah is fine now"):
        relation = related(message, "Never email sarah@example.com")
        assert relation == Relation("revokes", ("r1",), sure=False)
    relation = related(
        "You may email Sarah about invoices", "Never email sarah@example.com"
    )
    assert relation == Relation("amends", ("r1",), sure=False)
    relation = related("You can email Bob again", "Never email sarah@example.com")
    assert relation == Relation("none")


def test_a_permission_that_covers_two_rules_is_unclear():
    relation = related(
        "You can use sudo again.", "Never use sudo.", "Avoid sudo in scripts."
    )
    assert relation == Relation("revokes", ("r1", "r2"), sure=False)


def test_rules_of_several_tools_that_say_the_same_are_taken_back_together():
    said = ("Never use sudo.", "never use sudo")
    for message in ("You can use sudo again.", "Forget the rule about sudo."):
        assert related(message, *said) == Relation("revokes", ("r1", "r2"))


def test_a_rule_is_dropped_by_what_it_is_about():
    relation = related("Forget the rule about sudo.", "Avoid sudo.", "Never push.")
    assert relation == Relation("revokes", ("r1",))


def test_a_dropped_rule_that_is_not_named_is_unclear():
    assert related("Scratch that.", "Avoid sudo.", "Never push.") == Relation(
        "revokes", (), sure=False
    )
    assert related("Scratch that.", "Avoid sudo.") == Relation(
        "revokes", ("r1",), sure=False
    )


def test_a_permission_without_a_rule_means_nothing():
    assert related("You can push to main again.") == Relation("none")
    assert related("You can email Bob again.", "Never push.") == Relation("none")


def test_an_exception_names_the_rule_that_it_amends():
    relation = related(
        "You may push to main for releases.", "Never push to main.", "Avoid sudo."
    )
    assert relation == Relation("amends", ("r1",), sure=False)


def test_a_permission_for_once_takes_nothing_back():
    assert find_decrees("You can push to main just this once.") == ()


@pytest.mark.parametrize(
    "message",
    [
        "From today, pushing to main is allowed.",
        "Pushing to main is allowed as of today.",
        "Pushing to main's fine now.",
        "Push to main whenever you like.",
        "Pushing to main doesn't need my approval any more.",
        "Pushing to main no longer needs my approval.",
    ],
)
def test_a_ban_may_be_lifted_in_many_words(message):
    rule = "Never push to main without my approval."
    assert related(message, rule).kind == "revokes"


def test_a_place_in_a_banned_folder_is_an_exception():
    below = "It's alright to change vendor/patches.go."
    assert related(below, "Do not edit anything under vendor/") == Relation(
        "amends", ("r1",), sure=False
    )
    assert related(below, "Do not edit anything under ven/") == Relation("none")


def test_an_exception_may_say_that_it_is_one():
    relation = related("Exception to the curl rule: localhost is fine.", "Avoid curl.")
    assert relation == Relation("amends", ("r1",), sure=False)


def test_a_mandate_for_an_occasion_is_no_permission():
    (find,) = find_decrees("Run the tests whenever you change code.")
    assert find.effect == "add"
