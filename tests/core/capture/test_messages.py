"""Whole messages, as people type them to an agent while they work."""

import pytest

from tests.core.capture.reading import applied, proposed

RULES = (
    (
        "The login form is broken again, it shows a 500. Can you fix it? And never "
        "commit directly to main, always open a PR.",
        ["never commit directly to main, always open a PR"],
    ),
    (
        "ok that works. from now on please run the e2e tests before you tell me "
        "something is done",
        ["from now on please run the e2e tests before you tell me something is done"],
    ),
    (
        "you pushed to main again!! stop doing that. always create a branch first",
        ["always create a branch first"],
    ),
    (
        "Thanks! One more thing: please don't use any external libraries without "
        "asking me first.",
        ["please don't use any external libraries without asking me first"],
    ),
    (
        "can you rename the component? also for future reference i always want named "
        "exports",
        ["for future reference i always want named exports"],
    ),
    (
        "why are there mocks in the e2e tests? do not ever mock the database in e2e "
        "tests",
        ["do not ever mock the database in e2e tests"],
    ),
    (
        "Let's move on to the next issue. btw whenever you finish an issue, close it "
        "on linear",
        ["whenever you finish an issue, close it on linear"],
    ),
    (
        "Deploy it to staging. You should never deploy to prod yourself, I'll do that.",
        ["You should never deploy to prod yourself, I'll do that"],
    ),
    (
        "no no no, I told you not to touch package-lock.json. revert that",
        ["I told you not to touch package-lock.json"],
    ),
    (
        "lgtm\n\nsome ground rules:\n- don't reformat files you don't touch\n"
        "- write the tests first\n- ask before adding a dependency",
        [
            "don't reformat files you don't touch",
            "write the tests first",
            "ask before adding a dependency",
        ],
    ),
    (
        "## Rules\n1. Never use `any`.\n2. Prefer composition.\n\n## Task\nAdd a page.",
        ["Never use `any`", "Prefer composition"],
    ),
    (
        "The staging creds are in 1password. Never print them, never paste them in "
        "chat.",
        ["Never print them, never paste them in chat"],
    ),
    (
        "Book the flight to Oslo. For all future trips, always book aisle seats.",
        ["For all future trips, always book aisle seats"],
    ),
    ("stop using emojis. and fix the button", ["stop using emojis"]),
    (
        "Great job! Two things: never rebase shared branches. Always rebase your own.",
        ["never rebase shared branches", "Always rebase your own"],
    ),
    (
        "1) Never push on Friday.\n2) Always tag releases.\n3) What time is it?",
        ["Never push on Friday", "Always tag releases"],
    ),
    (
        "Write the migration. You must not use raw SQL.",
        ["You must not use raw SQL"],
    ),
    (
        "try again, and this time check your work. you need to always verify before "
        "claiming success",
        ["you need to always verify before claiming success"],
    ),
    (
        "Also: don't log passwords.\n\nWhat's next?",
        ["don't log passwords"],
    ),
    (
        "read this before we start, its how I work with agents:\n"
        "1) max ~300 lines of diff\n2) no new deps w/o asking\n"
        "3) commit msgs in past tense\n4) if tests are red, say so and stop",
        [
            "max ~300 lines of diff",
            "no new deps w/o asking",
            "commit msgs in past tense",
            "if tests are red, say so and stop",
        ],
    ),
    (
        "a few things before we start:\n- use the wrapper, not a system gradle\n"
        "now look at the login page",
        ["use the wrapper, not a system gradle"],
    ),
    (
        "Some house rules for you:\n\nTreat `old/` as read-only.\n"
        "Never work in my checkout.\n\nNow fix the login page.",
        ["Treat `old/` as read-only", "Never work in my checkout"],
    ),
)
PERHAPS = (
    "fix the bug. don't use sleep in tests",
    "add the endpoint. no new dependencies please",
    "ok go on. avoid using regexes for parsing html",
    "continue. i don't want you to ask me for permission for every file",
    "Write the migration. Please use vitest rather than jest.",
    "please implement step 2. do not leave TODO comments in the code",
)
NOTHING = (
    "The export fails with a timeout. It should never take longer than 5s. Please "
    "investigate.",
    "We need to make sure that we never lose an order. What are the options?",
    "Build a todo app. Users can only see their own todos. Admins can always see "
    "everything.",
    "Requirements:\n- The system must not store passwords in plain text\n- Sessions "
    "always expire after 30 minutes\n- Only admins can delete users",
    "Acceptance criteria:\n- Never shows an empty list\n- Does not flicker",
    'The linter says "prefer const over let". Fix it.',
    "Create an AGENTS.md that tells agents to never push to main.",
    "Only the admin role should have access, so hide the button for others.",
    "Reply to Tom: don't worry, we will never charge you twice.",
    "Text my wife: don't wait for me.",
    "Email Bob: please stop sending me the weekly report.",
    "Look into why CI fails. Don't change anything, just report.",
    "what would you change? don't make changes, just tell me",
    "Let's brainstorm. No code for now.",
    "Your task: find the slow query. Do not run the app and do not push.",
    "Fix the header and don't change anything else.",
    "create the file but don't add it to git",
    # a text for others
    "write the system prompt for our help bot. it has to say:\n"
    "Never reveal prices. Always ask for the order number.",
    "generate a template of an AGENTS.md for our users, something like\n"
    "- run the linter\n- always use our sdk, never raw fetch",
    # somebody else's remarks
    "review from Ines, please have a look:\n1. never catch Exception here\n"
    "2. don't use a magic number",
    "Review comments from the bot:\n\nAvoid using an index as a key in lists.",
    # what a product does
    "The macro should walk all sheets and must not touch hidden rows. "
    "Never show a dialog.",
    "[10:42] kim: pls never ping me in #random\n[10:43] lee: sorry",
)


@pytest.mark.parametrize(("message", "rules"), RULES)
def test_the_decrees_of_a_message_are_applied(message, rules):
    assert [text for _, text in applied(message)] == rules


@pytest.mark.parametrize("message", PERHAPS)
def test_a_plain_command_beside_a_task_is_only_proposed(message):
    assert (applied(message), bool(proposed(message))) == ([], True)


@pytest.mark.parametrize("message", NOTHING)
def test_a_message_without_a_lasting_decree_makes_no_rule(message):
    assert (applied(message), proposed(message)) == ([], [])
