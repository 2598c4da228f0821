"""The decrees of a message: kind, tier, text, place and id."""

import pytest

from toolmem.core.capture.decree import decree_id
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.capture.relate.rules import KnownRule


def test_a_decree_has_its_sentence_its_place_and_the_text_around_it():
    text = "Thanks for that. From now on, use pnpm, not npm. What is next on the list?"
    [decree] = find_decrees(text, Context(tools=(ToolWords("Bash"),)))
    assert decree.sentence == "From now on, use pnpm, not npm."
    assert decree.text == "From now on, use pnpm, not npm"
    assert text[slice(*decree.span)] == decree.text
    assert (decree.before, decree.after) == (
        "Thanks for that. ",
        " What is next on the list?",
    )
    assert (decree.kind, decree.tier, decree.tools) == (
        "demand",
        "candidate",
        ("Bash",),
    )


@pytest.mark.parametrize(
    ("message", "kind", "tier"),
    [
        ("Never push to main.", "ban", "sure"),
        ("Always run the linter.", "demand", "sure"),
        ("From now on, answer in French.", "demand", "sure"),
        ("New rule: no emojis in commit messages.", "ban", "sure"),
        ("I would rather have small commits, as a rule.", "preference", "candidate"),
        ("Remember that staging has no backups.", "remember", "candidate"),
        ("Forget the rule about tabs.", "back", "candidate"),
    ],
)
def test_each_kind_is_found(message, kind, tier):
    [decree] = find_decrees(message)
    assert (decree.kind, decree.tier) == (kind, tier)


@pytest.mark.parametrize(
    "message",
    [
        "no wait, keep the rule about main",
        "Keep that rule.",
        "No, leave the ban on tabs as it is.",
    ],
)
def test_an_order_to_keep_a_rule_makes_none(message):
    assert find_decrees(message, Context(rules=RULES)) == ()


@pytest.mark.parametrize(
    "message",
    ["Keep the rule files short, always.", "Keep the rule, and never push to main."],
)
def test_another_order_beside_it_is_found(message):
    assert len(find_decrees(message)) == 1


def test_the_id_follows_from_conversation_and_text_alone():
    [one] = find_decrees("Never use sudo.", Context("s-1"))
    [same] = find_decrees("Hi. never use  sudo.", Context("s-1"))
    [other] = find_decrees("Never use sudo.", Context("s-2"))
    assert one.id == same.id == decree_id("s-1", "Never use sudo")
    assert other.id != one.id


RULES = (
    KnownRule("r1", "Bash", "Never push to main"),
    KnownRule("r2", "send_email", "never email Sarah at home"),
    KnownRule("r3", "send_email", "never email Sarah at work"),
)


@pytest.mark.parametrize(
    ("message", "tier", "ids", "exception"),
    [
        ("You can push to main again.", "sure", ("r1",), False),
        ("Forget the rule about pushing to main.", "sure", ("r1",), False),
        ("You can email Sarah again.", "candidate", ("r3", "r2"), False),
        ("You may push to main for releases.", "candidate", ("r1",), True),
    ],
)
def test_what_takes_a_rule_back_names_the_rules_it_may_concern(
    message, tier, ids, exception
):
    [decree] = find_decrees(message, Context(rules=RULES))
    found = (decree.kind, decree.tier, decree.rules, decree.exception)
    assert found == ("back", tier, ids, exception)


def test_a_permission_is_a_decree_only_where_a_rule_forbids_it():
    assert find_decrees("You may use the browser.", Context(rules=RULES)) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ab sofort zeig mir immer erst den Plan.", "demand"),
        ("Merci de ne plus jamais pousser sur main.", "ban"),
        ("A partir de ahora responde siempre en una frase.", "demand"),
        ("Daqui pra frente, nada de instalar pacotes sem avisar.", "ban"),
        ("以后提交信息一律用英文写。", "demand"),
        ("今後、勝手にファイルを削除しないでください。", "ban"),
        ("Le formulaire ne doit jamais être vide.", None),
        ("El saldo siempre tiene que mostrarse con dos decimales.", None),
        ("每次保存表单都会报错。", None),
        ("ドキュメントには直接コミットするなと書いてある。", None),
        ("Warum sollte man nie auf main pushen?", None),
    ],
)
def test_other_languages_tell_ways_of_working_from_the_product(text, kind):
    assert [one.kind for one in find_decrees(text)] == ([kind] if kind else [])


def test_a_ban_about_an_address_is_sure_next_to_a_task():
    text = "Send the minutes to the team, but never email Ann at ann@example.org"
    [one] = find_decrees(text)
    assert (one.sure, one.kind, one.text) == (
        True,
        "ban",
        "never email Ann at ann@example.org",
    )
    other = find_decrees("Refactor it, but never call `send()` twice in the loop")
    assert [one.sure for one in other] in ([], [False])


@pytest.mark.parametrize(
    "text", ["undo the thing about semicolons", "the freeze is over, deploys are open"]
)
def test_a_rule_is_taken_back_in_everyday_words(text):
    rules = (
        KnownRule("r1", "", "Never use semicolons in js"),
        KnownRule("r2", "", "No deploys during the freeze"),
    )
    [one] = find_decrees(text, Context(rules=rules))
    assert (one.kind, len(one.rules)) == ("back", 1)
