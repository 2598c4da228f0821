"""The text of a rule: cut from a sentence, or offered by an agent and verified."""

import pytest

from toolmem.core.candidates.wording import Wording, trimmed
from toolmem.core.candidates.wording_check import check_wording


@pytest.mark.parametrize(
    ("sentence", "text", "why"),
    [
        ("also I'd like you to stop leaving XXX notes around",
         "Stop leaving XXX notes around", ""),
        ("Make it a habit to lint before a push, please.", "Lint before a push", ""),
        ("Sorry to bother, but keep off infra/.", "Keep off infra/", ""),
        ("could you always show the plan first?", "Always show the plan first", ""),
        ("Use poetry here, venv is a pain on this box", "Use poetry here",
         "venv is a pain on this box"),
        ("We're on Go 1.19 at work, so don't use generics in pkg/.",
         "Don't use generics in pkg/", "We're on Go 1.19 at work"),
        ("Never squash, because the history is read by auditors", "Never squash",
         "because the history is read by auditors"),
        ("While you're at it: never mail a customer, last week two got a test.",
         "Never mail a customer", "last week two got a test"),
        ("Before you go on: no `eval` in kiln, it's in the contract.",
         "No `eval` in kiln", "it's in the contract"),
        ("One thing on tone, and this is for all my repos: I'd rather read a body that"
         " says why than one that says what.",
         "I'd rather read a body that says why than one that says what", ""),
        ("We never mock time, so don't do it either",
         "We never mock time, so don't do it either", ""),
        ("Don't deploy, it must never run twice",
         "Don't deploy, it must never run twice", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_cut_to_what_it_demands(sentence, text, why):
    assert trimmed(sentence, "shell") == Wording(text, why)


HONEST = [
    ("honestly just always show me the query before you run it", "",
     "Always show me the query before you run it."),
    ("I want every handler covered by a test, it's for the audit.", "",
     "Cover every handler by a test."),
    ("never use waits in ui tests, poll instead pls", "",
     "In ui tests, never use waits; poll instead."),
    ("My preference is for guard clauses over nested ifs.", "",
     "Prefer guard clauses over nested ifs."),
    ("Only ever release from main, never from a laptop.", "",
     "Release only from main, never from a laptop."),
    ("Keep doing that for every model you write.",
     "You added a __repr__ method this time, nice.",
     "Add a __repr__ method for every model you write."),
    ("Don't.", "You keep running brew cleanup on my laptop.",
     "Don't run brew cleanup on my laptop."),
    ("No more barrel files in the web code, okay?", "",
     "No barrel files in the web code."),
    ("It's vital to me that you never touch prod.", "", "Never touch prod."),
    ("Can we have you sign commits so the audit passes?", "", "Sign commits."),
    ("I can't stand long summaries, so please skip them.", "",
     "Skip long summaries."),
    ("Never hard-code it.", "The tenant id comes from the token.",
     "Never hard-code the tenant id."),
    ("If the build is red, fix that first before you start on a ticket.", "",
     "Before you start on a ticket, fix the build if it is red."),
    ("Answers should be short unless I ask for more.", "",
     "Keep answers short unless I ask for more."),
    ("That goes for all later scripts too.", "Use poetry, not pip.",
     "Use poetry, not pip, in all later scripts too."),
    ("Don't touch nginx.conf, Petra maintains it.", "", "Don't touch nginx.conf."),
    ("I want to be asked before any release.", "", "Ask me before any release."),
    ("Be sure never to touch infra/.", "", "Never touch infra/."),
    ("When you write tests I want you to use fakes.", "",
     "Use fakes when you write tests."),
    ("Would you mind not squashing on main?", "", "Don't squash on main."),
    ("It drives me up the wall when you rename things for no reason.", "",
     "Don't rename things for no reason."),
    ("Reviewers complained, so squash your fixups before a review.", "",
     "Squash your fixups before a review."),
    ("Whenever you're about to install something, check with me.", "",
     "Check with me before installing something."),
    ("I'd feel better if you ran the smoke tests before each deploy.", "",
     "Run the smoke tests before each deploy."),
    ("Before touching the auth module talk to me.", "",
     "Talk to me before touching the auth module."),
    ("Please don't do that anymore.", "You pushed straight to develop.",
     "Don't push straight to develop."),
    ("What I'd love is a short plan before any bigger change.", "",
     "Give me a short plan before any bigger change."),
    ("No acronyms in public texts, customers don't get them.", "",
     "No acronyms in public texts."),
    ("Numbers in tables should be right-aligned if you ask me.", "",
     "Right-align numbers in tables."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "before", "wording"), HONEST)
def test_a_wording_that_says_the_same_is_accepted(sentence, before, wording):
    assert check_wording(wording, sentence, before, "shell") == ""


@pytest.mark.parametrize(
    ("sentence", "wording", "reason"),
    [
        ("Never add a job without a timeout.",
         "Never add a job without a timeout and a lock.",
         "adds “lock”, which the user did not say"),
        ("Ask before you delete files outside of tmp/.",
         "Ask before you delete files.", "drops “outside” of the user's sentence"),
        ("Use port 4000 for previews.", "Use port 3000 for previews.",
         "adds “3000”, which the user did not say"),
        ("Prefer fetch over axios.", "Prefer axios over fetch.",
         "puts the user's words in another order"),
        ("Use tabs in a/ and spaces in b/.", "Use spaces in a/ and tabs in b/.",
         "puts the user's words in another order"),
        ("Can you restart the box once after this change?",
         "Restart the box after every change.",
         "speaks of every case, which the user did not"),
        ("Just for today, skip the notes.", "Always skip the notes.",
         "drops “today” of the user's sentence"),
        ("Don't run all tests.", "Don't run tests.",
         "drops “all” of the user's sentence"),
        ("Run the linter, then the tests.", "Run the tests, then the linter.",
         "puts the user's words in another order"),
        ("Use ants when testing, bees when shipping.",
         "Use ants when shipping, bees when testing.",
         "puts the user's words in another order"),
        ("Let me know if you push to main.", "Push to main.",
         "puts the user's words in another order"),
        ("Use ants for money, bees for rates.", "Use ants for money.",
         "drops “bee” of the user's sentence"),
        ("I hate mocks in unit tests, so use fakes.", "Use fakes.",
         "drops “mock” of the user's sentence"),
        ("Put tests under src/.", "Put tests outside src/.",
         "adds “outside”, which the user did not say"),
        ("Rename foo to bar in examples.", "Rename bar to foo in examples.",
         "puts the user's words in another order"),
        ("Use the notes from draft, not from final.",
         "Use the notes from final, not from draft.",
         "puts the user's words in another order"),
        ("Don't edit config.yml, comments are fine.", "Don't edit config.yml.",
         "drops “comment” of the user's sentence"),
        ("If you can, avoid global state.", "Avoid global state.",
         "drops “possibl” of the user's sentence"),
        ("Skip the hooks when rebasing.", "Never skip the hooks when rebasing.",
         "puts the user's words in another order"),
        ("I'd rather you asked me than guessed.", "I'd rather you guessed than asked.",
         "puts the user's words in another order"),
    ],
)  # fmt: skip
def test_a_wording_that_says_something_else_is_refused(sentence, wording, reason):
    assert check_wording(wording, sentence, "", "shell") == reason
