"""What is taken back, and from which rule."""

import pytest

from toolmem.core.capture.decree import find_decrees
from toolmem.core.capture.relate import KnownRule, relate

TAKEN_BACK = (
    ("Never email Sarah at sarah@example.com", "you can email Sarah again"),
    ("avoid sudo", "forget the rule about sudo"),
    ("avoid sudo", "no longer avoid sudo"),
    ("avoid sudo", "stop avoiding sudo"),
    ("Never push to main.", "pushing to main is fine now"),
    (
        "Keep off the browser for online banking.",
        "forget what I told you about the browser, use it freely",
    ),
    ("avoid sudo", "ok, you can use sudo again"),
    ("Don't touch auth.py", "You can touch auth.py now."),
    ("Don't touch auth.py", "feel free to edit auth.py"),
    (
        "Always run the linter before committing.",
        "you don't have to run the linter anymore",
    ),
    ("Always ask me before deploying", "no need to ask me before deploying any more"),
    ("From now on, use ruff, not flake8", "you can use flake8 again"),
    ("Never deploy on Fridays", "Deploying on Fridays is okay again."),
    ("Never deploy on Fridays", "The Friday rule is lifted."),
    ("avoid sudo", "drop the no-sudo rule"),
    ("avoid sudo", "scratch that"),
    (
        "Keep off the browser for online banking.",
        "I changed my mind about the browser, banking is ok",
    ),
    (
        "Always ask me before any wire transfer",
        "You can make wire transfers without asking now",
    ),
    ("Would you kindly never use memes in Slack", "Memes are fine again."),
    ("Never email Sarah at sarah@example.com", "The ban on emailing Sarah is lifted"),
    ("Never deploy on Fridays", "lift the restriction on Friday deploys"),
    (
        "Never email Sarah at sarah@example.com",
        "Ignore my earlier instruction about Sarah.",
    ),
    ("Never deploy on Fridays", "It's ok to deploy on Fridays from now on"),
    ("Always ask me before deploying", "you no longer need to ask before deploying"),
    ("avoid sudo", "Never mind the sudo rule."),
    (
        "Keep off the browser for online banking.",
        "Actually banking with the browser is okay.",
    ),
    ("avoid sudo", "I take back what I said about sudo"),
    ("Never deploy on Fridays", "We can deploy on Fridays again"),
    ("From now on, use ruff, not flake8", "flake8 is fine too"),
    (
        "Never email Sarah at sarah@example.com",
        "delete the rule that says not to email Sarah",
    ),
    ("Never email Sarah at sarah@example.com", "You're allowed to email Sarah again."),
    ("Never email Sarah at sarah@example.com", "Sarah can be emailed again"),
    ("avoid sudo", "go ahead and use sudo from now on"),
    ("Never push to main.", "ok to push to main again"),
    ("Never text guests after 22:30.", "You can text guests after 22:30 again."),
    ("Don't book meetings on Fridays.", "Friday meetings are OK again"),
    ("Never use sudo.", "Actually, sudo is ok."),
    ("Never use sudo.", "you can go back to using sudo"),
    ("Never edit CHANGELOG.md.", "the changelog rule no longer applies"),
    ("Never edit CHANGELOG.md.", "CHANGELOG.md is fair game now."),
    (
        "Always run the tests before pushing.",
        "You don't need to run the tests before pushing anymore.",
    ),
    (
        "Always run the tests before pushing.",
        "You can stop running the tests before pushing.",
    ),
    ("Always cc me on invoices.", "No need to cc me anymore."),
    ("Always cc me on invoices.", "You no longer have to cc me on invoices."),
    (
        "Never deploy without my approval.",
        "You can deploy without my approval from now on.",
    ),
    ("Don't tweet.", "You can tweet again."),
    ("Don't tweet.", "Tweeting is allowed again."),
    ("Don't tweet.", "I lift the tweet ban."),
    ("Don't tweet.", "The ban on tweets is over."),
    ("Don't tweet.", "Forget about the no-tweets rule."),
    ("Stop emailing Sarah.", "Sarah is back, you can email her again."),
    ("Stop emailing Sarah.", "Feel free to email Sarah again."),
    ("Don't touch the billing module.", "You can touch the billing module now."),
    ("Don't touch the billing module.", "The billing module is no longer off limits."),
    (
        "Don't touch the billing module.",
        "Remove that restriction on the billing module.",
    ),
    ("Don't use the browser.", "Scratch what I said about the browser."),
    ("Don't use the browser.", "I take that back, the browser is fine."),
    ("Don't use the browser.", "Ignore the browser rule from earlier."),
    ("Don't use the browser.", "You're free to use the browser whenever you like."),
    ("Never push directly to main.", "Direct pushes to main are fine now."),
    ("Never push directly to main.", "From now on you can push directly to main."),
    ("Never push directly to main.", "We dropped the no-push-to-main policy."),
    (
        "Always ask before installing packages.",
        "You can install packages without asking.",
    ),
    (
        "Don't email after 6pm.",
        "You can email after 6pm again, the quiet hours are over.",
    ),
    ("Avoid web_search.", "You can use web_search again."),
    ("Never delete files.", "I changed my mind: deleting files is fine."),
    ("Never call Mr. Lee.", "It's okay to call Mr. Lee now."),
    ("Never merge on red CI.", "Lift the merge ban."),
    ("No emojis in commit messages.", "Emojis in commit messages are fine by me now."),
    (
        "Never deploy on Fridays.",
        "I was wrong about Friday deploys, go ahead with them.",
    ),
    ("Never deploy on Fridays.", "Cancel the Friday deploy rule."),
    ("Never use emojis in emails.", "Emojis in emails are OK again."),
    ("Never use emojis in emails.", "It's fine to use emojis."),
    ("Don't slack me after 6pm.", "You can slack me any time again."),
    ("Never run the full test suite.", "Running the full suite is allowed again."),
    (
        "Don't schedule anything on Wednesdays.",
        "You can schedule things on Wednesdays again.",
    ),
    ("Never open attachments.", "ok you can open attachments now"),
    ("Never use force push.", "forget the force push ban"),
    ("Never use force push.", "force push is allowed now"),
    ("Never use force push.", "the force-push rule is gone"),
    ("Never buy anything.", "You can buy things again."),
    ("Never contact the press.", "I hereby lift the press ban."),
    ("Avoid curl.", "curl is fine."),
    ("Never delete branches.", "You can delete branches from now on."),
    ("Never merge PRs yourself.", "You can merge PRs yourself again."),
    ("Use British spelling.", "You don't need to use British spelling anymore."),
    ("Always write tests first.", "You no longer have to write tests first."),
    ("Always write tests first.", "Drop the tests-first rule."),
    ("Always write tests first.", "Forget what I said about tests."),
    ("Always answer in German.", "You don't have to answer in German."),
    ("Ask me before every deploy.", "No need to ask me before deploys."),
    ("Never share my phone number.", "You can share my phone number."),
    ("Don't touch the CSS.", "CSS changes are fine again."),
    ("Never use production data.", "Production data may be used again."),
    ("Don't use npm.", "npm is okay again, yarn is broken."),
    ("Don't use npm.", "never mind what I said about npm"),
    ("No deploys on Fridays.", "Friday deploys are back on."),
    ("Never edit the README.", "I take it back, you can edit the README."),
    ("Stop using the word synergy.", "You can say synergy again."),
    ("Never reply to recruiters.", "Replying to recruiters is fine now."),
    ("Never run docker compose down.", "Please un-ban docker compose down."),
    ("Keep every summary short.", "Disregard my earlier request for short summaries."),
    (
        "Always run `npm audit` before committing.",
        "You can drop the audit before commits, it's slow.",
    ),
    ("Never send texts after 9 pm.", "The SMS rule is history."),
)
CARVED_OUT = (
    ("Never push to main.", "you may push to main for releases"),
    ("Never email Sarah at sarah@example.com", "you can email Sarah about invoices"),
    ("Never email Sarah at sarah@example.com", "Emailing Sarah is ok if it's urgent"),
    ("Never push to main.", "For hotfixes you can push to main."),
    ("Never deploy on Fridays", "You may deploy on Fridays before noon"),
    ("avoid sudo", "Sudo is ok inside the CI container."),
    ("Never push to main.", "exception: hotfixes may go straight to main"),
    ("pls dont slack me on sundays", "you can slack me on sundays if prod is down"),
    (
        "Never deploy on Fridays",
        "The no-Friday-deploys rule doesn't apply to hotfixes.",
    ),
    (
        "Always run the linter before committing.",
        "you can skip the linter for docs changes",
    ),
    ("Never push to main.", "never push to main except for releases"),
    (
        "Never text guests after 22:30.",
        "Texting guests late is fine if they wrote first.",
    ),
    (
        "Don't book meetings on Fridays.",
        "ok you can book meetings on Fridays for the Tokyo team",
    ),
    ("Never use sudo.", "You may use sudo to install packages."),
    ("Never edit CHANGELOG.md.", "You may edit CHANGELOG.md when you cut a release."),
    (
        "Always run the tests before pushing.",
        "no need to run the tests for docs-only changes",
    ),
    (
        "Never deploy without my approval.",
        "You can deploy hotfixes without my approval.",
    ),
    ("Don't tweet.", "Tweets about the release are fine."),
    ("Stop emailing Sarah.", "It's fine to email Sarah about the party."),
    ("Don't touch the billing module.", "You can fix typos in the billing module."),
    ("Don't use the browser.", "You may use the browser for documentation."),
    ("Never push directly to main.", "Pushing to main is okay for typo fixes."),
    (
        "Never push directly to main.",
        "Except when I'm on vacation, then you may push to main.",
    ),
    ("Never run rm -rf.", "rm -rf is fine inside /tmp"),
    ("Never run rm -rf.", "you can run rm -rf in the build folder"),
    (
        "Always ask before installing packages.",
        "You don't have to ask for dev dependencies.",
    ),
    ("Don't email after 6pm.", "Emails after 6pm are okay for emergencies."),
    ("Avoid web_search.", "web_search is ok for research tasks"),
    ("Never delete files.", "You may delete files in the tmp folder."),
    ("Never use emojis in emails.", "You can use emojis in emails to friends."),
    ("Don't slack me after 6pm.", "If prod is down, you may slack me after 6pm."),
    ("Never run the full test suite.", "You may run the full suite before releases."),
    ("Never open attachments.", "Attachments from Kim are fine."),
    ("Never use force push.", "Force pushing is ok on your own branches."),
    ("Never buy anything.", "You're allowed to buy coffee."),
    (
        "Never contact the press.",
        "Contacting the press is fine once the release is out.",
    ),
    ("Avoid curl.", "Curl is fine for localhost."),
    ("Never delete branches.", "Go ahead and delete merged branches."),
    ("Never merge PRs yourself.", "You may merge dependabot PRs yourself."),
    ("Always write tests first.", "Tests first isn't required for prototypes."),
    ("Ask me before every deploy.", "You don't need to ask before deploys to staging."),
    ("Never share my phone number.", "You may share my phone number with Anna."),
    ("Don't touch the CSS.", "You can touch the CSS of the footer."),
    (
        "Never use production data.",
        "It's ok to use production data in the analytics job.",
    ),
    ("Don't email anyone.", "You may email my assistant."),
    ("No deploys on Fridays.", "Deploys on Fridays are fine before 10am."),
    ("No deploys on Fridays.", "We can deploy on Friday if QA signs off."),
    ("Never edit the README.", "You can fix typos in the README."),
    ("Stop using the word synergy.", "synergy is fine in slide titles"),
    ("Never reply to recruiters.", "You can reply to recruiters from Acme."),
    ("Never commit to main.", "Hotfixes are an exception to the no-main rule."),
    ("Never page anybody.", "The no-paging rule doesn't cover outages."),
    ("Never post tweets yourself.", "Tweeting our own releases is ok."),
    ("Never email outsiders.", "for the auditors you can make an exception"),
    ("Don't install any packages.", "it's ok to install jq, but nothing else"),
    ("Don't use the browser.", "You may open the wiki in the browser, though."),
    (
        "Don't use the browser for shopping.",
        "You may use the browser for booking trains, though.",
    ),
    ("Never delete files.", "An exception for docs/: you can delete files there."),
)
UNTOUCHED = (
    ("Never email Sarah at sarah@example.com", "You can email Bob"),
    ("Never push to main.", "you can push to main just this once"),
    ("Never email Sarah at sarah@example.com", "Can you email Sarah again?"),
    ("Never email Sarah at sarah@example.com", "You can email me the report"),
    ("avoid sudo", "The rule about sudo still stands."),
    ("avoid sudo", "never forget the rule about sudo"),
    ("avoid sudo", "The tests are fine now"),
    ("Don't book meetings on Fridays.", "Please book the meeting on Thursday."),
    ("Never deploy without my approval.", "You have my approval, deploy."),
    ("Stop emailing Sarah.", "Did you email Sarah again?"),
    ("Stop emailing Sarah.", "Sarah said you can email Tom again."),
    ("Stop emailing Sarah.", "You can email Tom."),
    ("Stop emailing Sarah.", "I don't think you can email Sarah again."),
    ("Don't use the browser.", "The browser is slow."),
    ("Don't use the browser.", "The browser crashed again."),
    ("Don't use the browser.", "Is the browser allowed?"),
    ("Never push directly to main.", "Push to main just this once."),
    ("Never push directly to main.", "You may push to feature branches."),
    ("No emojis in commit messages.", "You can use emojis in Slack."),
    ("Never deploy on Fridays.", "Okay, deploy on Friday is fine this week."),
    ("Never deploy on Fridays.", "Cancel the Friday deploy."),
    ("Never deploy on Fridays.", "You can deploy now."),
    ("Never deploy on Fridays.", "You can deploy it."),
    ("Don't slack me after 6pm.", "Slack me when you're done."),
    ("Never run the full test suite.", "Please run the full test suite now."),
    ("Avoid curl.", "curl fails with a timeout"),
    ("Never delete branches.", "I deleted the branches."),
    ("Never merge PRs yourself.", "Who can merge PRs?"),
    ("Never share my phone number.", "Share the doc with Anna."),
    ("Don't touch the CSS.", "The CSS is broken."),
    ("Don't use npm.", "The npm rule still holds."),
    ("Don't use npm.", "Remember the npm rule."),
    ("No deploys on Fridays.", "Is it ok to deploy on Friday?"),
    ("No deploys on Fridays.", "Let's deploy on Monday."),
    ("Never edit the README.", "Please update the README."),
    ("Never reply to recruiters.", "You can reply to Anna."),
)


def effects(rule: str, message: str) -> list[str]:
    """What a message does to a rule: kinds of relations other than new and none."""
    known = [KnownRule("r1", "any", rule)]
    kinds = (relate(find, known).kind for find in find_decrees(message))
    return [kind for kind in kinds if kind in ("revokes", "amends")]


@pytest.mark.parametrize(("rule", "message"), TAKEN_BACK)
def test_a_rule_is_taken_back(rule, message):
    assert effects(rule, message) == ["revokes"]


@pytest.mark.parametrize(("rule", "message"), CARVED_OUT)
def test_an_exception_amends_a_rule(rule, message):
    assert effects(rule, message) == ["amends"]


@pytest.mark.parametrize(("rule", "message"), UNTOUCHED)
def test_other_talk_leaves_a_rule_as_it_is(rule, message):
    assert effects(rule, message) == []
