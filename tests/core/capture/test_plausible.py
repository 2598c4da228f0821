"""What may be a decree is proposed, not applied."""

import pytest

from tests.core.capture.reading import applied, proposed

PLAUSIBLE = (
    "let's avoid force pushing",
    "Every pull request must link an issue.",
    "Nobody pushes to main.",
    "we should never commit secrets",
    "Use the worktree for every change.",
    "Write a test for every bug you fix.",
    "Run the linter after changing code.",
    "Be concise.",
    "Answer in French.",
    "Commit often.",
    "no sudo",
    "Responses should never exceed 200 words.",
    "I do not want any emojis in commit messages.",
    'never truncate code with "rest of the code"',
    "Test every change in the emulator.",
    "we should always squash",
    "check the types before you commit",
    "ask if something is unclear",
    "Reply to customers in their own language.",
    "Sign every mail with my full name.",
    '"Never" means never: don\'t touch prod.',
    "we do not deploy on Fridays",
    "We never deploy on Fridays, as a company.",
    "We never push to main without a review.",
)

PERHAPS_PRODUCT = (
    "don't send the mail if the account was made by an import",
    "only send the digest if the user has not opted out",
    "- customers can cancel for a day\n- do not show prices to visitors\n"
    "- always send a mail",
    "Let's not panic.",
    "Let's always remember the good times.",
    "Let's avoid the topic.",
    "No spinner, just a skeleton.",
    "Do not allow more than 5 attempts.",
    "do not return early",
    "Always return a list, even if it's empty.",
    "always show the total at the bottom",
    "use a dropdown instead of radio buttons",
    "use Inter instead of Roboto for the headings",
    "keep the title short",
    "leave the footer unchanged",
    "when the socket drops, avoid reconnecting in a tight loop",
    "it must be possible to undo this, so don't hard-delete, set a flag",
    "new feature: quiet hours. no push messages between ten and seven",
    "I want the hook we ship to refuse pushes, never just warn.",
)


@pytest.mark.parametrize("message", PLAUSIBLE)
def test_a_plausible_decree_is_proposed(message):
    assert (applied(message), len(proposed(message))) == ([], 1)


@pytest.mark.parametrize("message", PERHAPS_PRODUCT)
def test_what_may_be_about_a_product_is_never_applied(message):
    assert applied(message) == []
