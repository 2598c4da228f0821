"""Only the user's own orders arm a guard before anyone has judged them."""

import pytest

from toolmem.core.candidates.order import is_order


@pytest.mark.parametrize(
    "text",
    [
        "never use sudo",
        "please don't ever run docker",
        "You must not push",
        "I don't want you to use curl, never do that",
        "ok so on Fridays, never deploy",
        "could you please never use sudo?",
        "sudo is forbidden",
        "pushing is not allowed",
        "we should never run terraform apply from a laptop",
        "Nobody should push to main",
        "you can stage, but never commit",
        "new rule: no force pushes",
        "use pnpm instead of npm",
    ],
)
def test_orders_of_the_user(text):
    assert is_order(text)


@pytest.mark.parametrize(
    "text",
    [
        "can you explain why people say never use sudo?",
        "why should I never use sudo?",
        "our docs say never run docker",
        "the ticket says don't use curl",
        "the linter complained: never use rm",
        "I wonder whether we should always avoid docker",
        "it's not true that we never use docker",
        "it is not forbidden to use docker",
        "maybe we should stop using yarn",
        "I never said that you must not commit",
        "some teams never run psql",
        "is it true that you should never use git rebase?",
    ],
)
def test_questions_reports_and_musings_are_none(text):
    assert not is_order(text)
