"""Which tools a rule is about, over the tools of several kinds of agents."""

import pytest

from toolmem.core.capture.tools import ToolWords, choose_tools

OFFICE = "send_email shell browser calendar slack_post"
CODER = "Bash Read Write Edit WebFetch Grep"
SHIP = "run_sql run_tests deploy git_commit git_push edit_file write_file"
FILES = "shell read_file write_file delete_file python"
CLIENTS = "send_email send_sms post_tweet stripe_refund bank_transfer"
WEB = "browser_navigate browser_click web_search http_request download_file"
HUB = (
    "Bash Write Edit mcp__github__create_issue mcp__github__create_pull_request"
    " mcp__linear__create_issue mcp__github__merge_pull_request"
    " mcp__github__add_comment"
)
SALES = "send_email calendar_create_event slack_post crm_update phone_call"
OPS = "kubectl terraform_apply shell pagerduty_page slack_post"

OFFICE_RULES = (
    ("Never email the CEO directly.", "send_email"),
    ("Don't post memes in Slack.", "slack_post"),
    ("Never open links from strangers in the browser.", "browser"),
    ("Don't accept meetings before 9am.", "calendar"),
    ("Always add a Zoom link to calendar invites.", "calendar"),
    ("Never run commands as root.", "shell"),
    ("Don't DM people after hours.", "slack_post"),
    ("Avoid sudo.", "shell"),
    ("Never reply to newsletters.", "send_email"),
    ("Always use the company signature in emails.", "send_email"),
    ("Never share my calendar.", "calendar"),
    ("Don't browse social media.", "browser"),
    ("Never mention the merger in email or Slack.", "send_email slack_post"),
    ("Never talk about politics.", ""),
    ("Don't use tables in messages to Kim.", ""),
    ("Never visit facebook.com.", "browser"),
    ("Never mail invoices as Word files.", "send_email"),
    ("Don't ping the whole channel.", "slack_post"),
    ("Always double-check the recipient before you send.", ""),
    ("Never email attachments over 10 MB.", "send_email"),
    ("Don't forward my mails to anyone.", "send_email"),
    ("Never run rm -rf on anything outside ./tmp.", "shell"),
    ("Please stop inviting the whole team to every meeting.", "calendar"),
    ("Never open banking sites.", "browser"),
    ("No @here in Slack, please.", "slack_post"),
    ("Always use the staging server.", "shell"),
    ("Never reschedule the board meeting.", "calendar"),
    ("Don't post anything in #general after 6pm.", "slack_post"),
    ("You must never reveal my home address.", ""),
    ("Never send passwords by email or Slack.", "send_email slack_post"),
    ("Don't use the terminal for web searches.", "shell"),
    ("Never cc legal on anything.", "send_email"),
    ("Always confirm the time zone before you book a call.", "calendar"),
)

CODER_RULES = (
    ("Never install packages globally.", "Bash"),
    ("Do not edit files in dist/.", "Edit"),
    ("Never use sed to change files.", "Bash"),
    ("Don't push to main.", "Bash"),
    ("Never force push.", "Bash"),
    ("Always run prettier before committing.", "Bash"),
    ("Don't create new files in the root folder.", "Write"),
    ("Never read .env.", "Read"),
    ("Don't fetch URLs outside docs.python.org.", "WebFetch"),
    ("Use Grep instead of the grep command.", "Grep"),
    ("Avoid the Write tool for existing files.", "Write"),
    ("Never use WebFetch for localhost.", "WebFetch"),
    ("Don't delete branches.", "Bash"),
    ("Never modify package-lock.json by hand.", "Edit"),
    ("Never kill processes you didn't start.", "Bash"),
    ("Prefer ripgrep over find.", ""),
    ("Use poetry, not pip.", "Bash"),
    ("Never print secrets.", ""),
    ("Always write docstrings in English.", ""),
    ("Don't refactor code I didn't ask about.", "Edit"),
    ("Never rename public functions.", "Edit"),
    ("Don't touch the terraform state.", "Bash"),
    ("Never run the whole test suite locally.", "Bash"),
    ("Use the Edit tool, never sed.", "Edit"),
    ("Don't create README files.", "Write"),
    ("Never grep node_modules.", "Grep"),
    ("Do not curl random scripts.", "Bash"),
    ("Never rebase shared branches.", "Bash"),
    ("Don't git add -A.", "Bash"),
    ("Never start the dev server.", "Bash"),
    ("Never edit migrations that were already applied.", "Edit"),
    ("Don't touch .env files.", "Edit"),
    ("Always read the file before editing it.", "Read"),
    ("Don't install anything with apt.", "Bash"),
    ("Never overwrite existing files.", "Write"),
    ("Don't delete tests.", "Bash"),
    ("No inline styles.", ""),
    ("Never write files outside the repo.", "Write"),
)

SHIP_RULES = (
    ("Never drop tables.", "run_sql"),
    ("Don't deploy on Fridays.", "deploy"),
    ("Always run the tests before you push.", "run_tests"),
    ("Never push tags.", "git_push"),
    ("Never amend pushed commits.", "git_commit"),
    ("No DELETE without a WHERE clause.", "run_sql"),
    ("Never query the customers table.", "run_sql"),
    ("Don't skip tests.", "run_tests"),
    ("Only deploy from the release branch.", "deploy"),
    ("Never ship on weekends.", "deploy"),
    ("Never write to the production database.", "run_sql"),
    ("Commit messages must be in English.", "git_commit"),
    ("Don't touch the migrations folder.", "edit_file"),
    ("Never edit generated code.", "edit_file"),
    ("Never run UPDATE statements by hand.", "run_sql"),
    ("Always squash before merging.", "git_commit"),
    ("Never use git commit --amend.", "git_commit"),
    ("Never force-push.", "git_push"),
    ("Don't drop or truncate tables.", "run_sql"),
    ("Never run raw SQL against prod.", "run_sql"),
    ("Never deploy untested code.", "deploy"),
    ("Don't commit commented-out code.", "git_commit"),
    ("Never skip the tests before a deploy.", "run_tests deploy"),
    ("Deploys only after 10am.", "deploy"),
    ("Never touch config/production.yml.", "edit_file"),
    ("Never push directly to main.", "git_push"),
    ("Always write a migration for schema changes.", "write_file"),
    ("Don't run queries on the replica.", "run_sql"),
    ("Never rename columns.", "run_sql"),
    ("Don't merge without a green build.", ""),
)

FILES_RULES = (
    ("Never delete files outside the workspace.", "delete_file"),
    ("Don't run scripts from the internet.", "shell"),
    ("Never use Python 2.", "python"),
    ("Never read /etc/shadow.", "read_file"),
    ("Don't write to /tmp.", "write_file"),
    ("Avoid rm; use trash instead.", "shell"),
    ("Never reboot the box.", "shell"),
    ("Always make a backup before deleting anything.", ""),
    ("Never use pickle in Python.", "python"),
    ("Never delete anything in /data.", "delete_file"),
    ("Do not read my private notes.", "read_file"),
    ("Don't execute code from the internet.", "shell"),
    ("Never overwrite backup.tar.gz.", "write_file"),
    ("Never chmod 777 anything.", "shell"),
    ("Stop writing temp files to the desktop.", "write_file"),
    ("Never kill the database process.", "shell"),
    ("Don't wipe the cache folder.", "delete_file"),
)

CLIENTS_RULES = (
    ("Never text customers at night.", "send_sms"),
    ("Don't tweet without approval.", "post_tweet"),
    ("Never refund more than 50 EUR.", "stripe_refund"),
    ("Never transfer money abroad.", "bank_transfer"),
    ("Never send SMS or e-mail to minors.", "send_sms send_email"),
    ("Don't promise refunds by email.", "send_email"),
    ("Never pay invoices over 1000 without asking.", "bank_transfer"),
    ("No tweets about competitors.", "post_tweet"),
    ("Never contact customers directly.", ""),
    ("Don't send more than one SMS per day.", "send_sms"),
    ("Never tweet before 8am.", "post_tweet"),
    ("Never issue refunds without a ticket.", "stripe_refund"),
    ("Never wire money to new accounts.", "bank_transfer"),
    ("Don't text or email customers on Sundays.", "send_sms send_email"),
    ("Never reply to angry tweets.", "post_tweet"),
    ("Never promise a refund by SMS.", "send_sms"),
    ("Ask me before any payment.", "bank_transfer"),
    ("Don't mail coupons.", "send_email"),
)

WEB_RULES = (
    ("Never download executables.", "download_file"),
    ("Don't click on ads.", "browser_click"),
    ("Never search for competitors.", "web_search"),
    ("Never open facebook in the browser.", "browser_navigate"),
    ("Don't send HTTP requests to internal hosts.", "http_request"),
    ("Avoid POST requests to production.", "http_request"),
    ("Never visit gambling sites.", "browser_navigate"),
    ("Always use web search before answering questions about prices.", "web_search"),
    ("Never click 'Buy now'.", "browser_click"),
    ("Never log in to facebook.com.", "browser_navigate"),
    ("Don't download files larger than 1 GB.", "download_file"),
    ("Never submit forms.", ""),
    ("Avoid scraping LinkedIn.", ""),
    ("Never call the payments API directly.", "http_request"),
    ("Don't google my name.", "web_search"),
    ("Never accept cookies.", ""),
    ("Prefer the API over the browser.", "http_request"),
    ("Never search for medical advice.", "web_search"),
    ("Do not browse while I'm presenting.", "browser_navigate"),
)

HUB_RULES = (
    ("Never merge your own PRs.", "mcp__github__merge_pull_request"),
    ("Don't open pull requests on weekends.", "mcp__github__create_pull_request"),
    ("Always link the Linear issue in PRs.", "mcp__github__create_pull_request"),
    ("Never comment on other people's PRs.", "mcp__github__add_comment"),
    ("Never create issues on GitHub.", "mcp__github__create_issue"),
    (
        "File bugs in Linear, not GitHub.",
        "mcp__github__create_issue mcp__linear__create_issue",
    ),
    ("Don't open issues for typos on GitHub.", "mcp__github__create_issue"),
    ("Never merge on Fridays.", "mcp__github__merge_pull_request"),
    ("Never approve PRs.", "mcp__github__create_pull_request"),
    (
        "Always add a label when you create an issue.",
        "mcp__github__create_issue mcp__linear__create_issue",
    ),
    ("Never comment on closed issues.", "mcp__github__add_comment"),
    ("Don't create tickets in Linear.", "mcp__linear__create_issue"),
    ("PRs must be small.", "mcp__github__create_pull_request"),
)

SALES_RULES = (
    ("Never call clients before 10.", "phone_call"),
    ("Don't update the CRM without asking.", "crm_update"),
    ("Never book meetings over lunch.", "calendar_create_event"),
    ("Never phone Mr. Lee.", "phone_call"),
    ("Always log calls in the CRM.", "crm_update"),
    ("Never call customers on weekends.", "phone_call"),
    ("Don't add private notes to the CRM.", "crm_update"),
    ("Never create events without an agenda.", "calendar_create_event"),
    ("Don't message the intern channel.", "slack_post"),
    ("Never ring anyone before nine.", "phone_call"),
    ("Don't update leads without asking me.", "crm_update"),
    ("Never email or call Mr. Brown.", "send_email phone_call"),
)

OPS_RULES = (
    ("Never page anyone at night for warnings.", "pagerduty_page"),
    ("Never apply terraform without a plan.", "terraform_apply"),
    ("Don't scale down the cluster.", "kubectl"),
    ("Never delete pods in prod.", "kubectl"),
    ("Don't run terraform destroy.", "terraform_apply"),
    ("Never wake the on-call engineer for staging.", "pagerduty_page"),
    ("Post incident updates in Slack only.", "slack_post"),
    ("Never restart pods manually.", "kubectl"),
    ("Don't destroy infrastructure.", "terraform_apply"),
    ("Never page Sam.", "pagerduty_page"),
    ("No kubectl delete without asking.", "kubectl"),
    ("Don't announce outages in Slack.", "slack_post"),
    ("Never change DNS records by hand.", "shell"),
    ("Always use helm to change the cluster.", "kubectl"),
)

GIT = "git shell write_file"
GIT_RULES = (
    ("Squash your commits before you push.", "git"),
    ("Write commit messages in the imperative mood.", "git"),
    ("Never install packages globally.", "shell"),
)
HOME = "play_music set_thermostat send_sms order_food"
HOME_RULES = (
    ("Never play explicit songs.", "play_music"),
    ("Never order pizza on weekdays.", "order_food"),
    ("Never use global variables.", ""),
    ("No music after ten.", "play_music"),
    ("Thermostat: never above 21.", "set_thermostat"),
    ("Never send texts at night.", "send_sms"),
    ("Always reply in Dutch, whatever I write in.", ""),
)
PHONE = "phone_call git_push git_commit calendar"
PHONE_RULES = (
    ("Don't call me boss.", ""),
    ("Don't call me after 6 pm.", "phone_call"),
    ("Refrain from phoning clients on Sundays.", "phone_call"),
    ("Never push back a meeting without telling me.", "calendar"),
    ("Don't commit me to dinners.", ""),
)


CASES = [
    (tools, text, chosen)
    for tools, rules in (
        (OFFICE, OFFICE_RULES),
        (CODER, CODER_RULES),
        (SHIP, SHIP_RULES),
        (FILES, FILES_RULES),
        (CLIENTS, CLIENTS_RULES),
        (WEB, WEB_RULES),
        (HUB, HUB_RULES),
        (SALES, SALES_RULES),
        (OPS, OPS_RULES),
        (GIT, GIT_RULES),
        (HOME, HOME_RULES),
        (PHONE, PHONE_RULES),
    )
    for text, chosen in rules
]


def test_an_address_of_somebody_is_no_site():
    tools = [ToolWords("bash"), ToolWords("browser")]
    assert choose_tools("never write to sarah@example.com", tools, ()) == ()


@pytest.mark.parametrize(("tools", "text", "chosen"), CASES)
def test_a_rule_finds_its_tools(tools, text, chosen):
    available = [ToolWords(name) for name in tools.split()]
    assert set(choose_tools(text, available, ())) == set(chosen.split())
