"""What the tools of the common agents are for, and by which words people mean them.

Everything here is data. A purpose has the words in a tool's name that give it
that purpose, the nouns that mean it, and the verbs that mean it by themselves.
"""

from typing import NamedTuple

from toolmem.core.capture.smallwords import word_set


class Purpose(NamedTuple):
    """What a tool is for: words of its name, nouns and verbs of its users."""

    key: str
    names: frozenset[str]
    nouns: frozenset[str]
    verbs: frozenset[str]


_PURPOSES = """
email
    names email gmail mail mailer mailgun outlook sendgrid smtp
    nouns bcc email gmail inbox mail mailing newsletter outlook
    verbs email mail
sms
    names imessage sms text_message twilio whatsapp
    nouns imessage sms text-message whatsapp
    verbs sms text
chat
    names chat discord dm irc mattermost rocketchat slack teams telegram
    nouns channel chat-message discord dm mattermost slack teams telegram thread
    verbs discord dm slack
social
    names bluesky facebook instagram linkedin mastodon reddit tweet twitter
    nouns bluesky facebook instagram linkedin mastodon reddit social-media tweet
        twitter
    verbs retweet tweet
calendar
    names appointment calendar event gcal meeting schedule
    nouns 1:1 appointment calendar event invitation invite meeting standup
    verbs book invite reschedule schedule
phone
    names call dial phone voice
    nouns phone phone-call voicemail
    verbs call dial phone ring
browser
    names browser chrome navigate playwright puppeteer selenium
    nouns browser chrome firefox site tab web-page webpage website
    verbs browse navigate
click
    names click
    nouns button checkbox
    verbs click
screenshot
    names screenshot snapshot
    nouns screenshot
    verbs screenshot
websearch
    names bing brave duckduckgo google search serp tavily websearch
    nouns bing google search-engine web-search
    verbs google
fetch
    names api curl fetch http request rest url webfetch
    nouns api api-call endpoint http http-call http-request url web-request webhook
    verbs fetch
download
    names download
    nouns download
    verbs download
upload
    names upload
    nouns upload
    verbs upload
shell
    names bash cmd command console exec powershell process shell terminal zsh
    nouns bash cli command command-line console container cron crontab daemon
        dependency env-var firewall package port powershell process script server
        shell sudo systemd terminal zsh
    verbs install kill reboot restart uninstall
python
    names interpreter ipython jupyter notebook python repl
    nouns jupyter notebook python repl
commit
    names commit
    nouns commit
    verbs amend commit squash
push
    names push
    nouns force-push push
    verbs force-push push
pull
    names pull
    verbs pull
rebase
    names rebase
    nouns rebase
    verbs rebase
merge
    names merge
    nouns merge
    verbs auto-merge automerge merge
branch
    names branch checkout
    nouns branch
    verbs branch checkout
pr
    names merge_request pr pull_request
    nouns merge-request mr pr pull-request
issue
    names bug issue jira linear ticket
    nouns bug-report issue jira linear ticket
comment
    names comment reply review
    nouns comment
    verbs comment
release
    names release
    nouns release
    verbs release
edit
    names apply_patch edit edit_file modify multiedit notebookedit patch replace
        str_replace update_file
write
    names create_file save write write_file
read
    names cat open_file read read_file view
delete
    names delete delete_file remove rm trash unlink
grep
    names codebase_search grep rg ripgrep search_files
    nouns grep ripgrep
    verbs grep
glob
    names find glob list_dir ls
    nouns glob
sql
    names bigquery database db mongo mysql postgres query redis snowflake sql sqlite
    nouns bigquery database db dump migration mongo mysql postgres query schema
        snowflake sql sqlite
    verbs migrate query truncate
table
    names bigquery database db mysql postgres query snowflake sql sqlite
    nouns column index record row table
notify
    names notification notifications notify
    nouns notification push-notification
tests
    names jest pytest test tests vitest
    nouns e2e spec test test-suite unit-test
    verbs test
lint
    names eslint lint ruff
    nouns eslint lint linter
    verbs lint
build
    names build compile
    nouns build
    verbs build compile
deploy
    names deploy deployment heroku netlify rollout ship vercel
    nouns deploy deployment prod-deploy rollout
    verbs deploy redeploy ship
k8s
    names helm k8s kubectl kubernetes
    nouns cluster helm k8s kubectl kubernetes namespace pod replica
    verbs cordon drain
terraform
    names opentofu pulumi terraform tofu
    nouns infra infrastructure pulumi terraform tfstate
    verbs provision
docker
    names docker podman
    nouns docker dockerfile image podman
cloud
    names aws azure gcloud gcp s3
    nouns aws azure bucket ec2 gcloud gcp lambda s3
page
    names alert oncall opsgenie page pagerduty
    nouns on-call oncall opsgenie pager pagerduty
    verbs page wake
refund
    names refund
    nouns refund
    verbs refund
pay
    names bank buy checkout order pay payment payout purchase transfer wire
    nouns bank budget fund money payment payout purchase spend transfer wire
    verbs buy pay purchase spend transfer wire
charge
    names billing charge invoice stripe
    nouns charge invoice
    verbs bill charge invoice
crm
    names crm hubspot pipedrive salesforce
    nouns crm customer-record deal hubspot lead pipeline-stage salesforce
sheet
    names airtable excel sheet sheets spreadsheet
    nouns airtable cell excel sheet spreadsheet workbook
doc
    names confluence docs document gdocs notion wiki
    nouns confluence google-doc notion wiki
drive
    names drive dropbox gdrive onedrive
    nouns dropbox gdrive google-drive onedrive
agent
    names agent delegate spawn subagent task
    nouns sub-agent subagent
    verbs delegate spawn
image
    names dalle image imagen picture
    nouns image picture
memory
    names memory recall remember
    nouns memory
todo
    names reminder todo todowrite
    nouns reminder todo
print
    names print printer
    nouns printer
translate
    names translate
    nouns translation
    verbs translate
contact
    names addressbook contact contacts
    nouns address-book contact
"""


def _read(text: str) -> tuple[Purpose, ...]:
    found = []
    for entry in text.strip().replace("\n        ", " ").split("\n"):
        words = entry.split()
        if not entry.startswith(" "):
            found.append(Purpose(entry, frozenset(), frozenset(), frozenset()))
        else:
            key, names, nouns, verbs = found[-1]
            sets = {"names": names, "nouns": nouns, "verbs": verbs}
            sets[words[0]] = frozenset(words[1:])
            found[-1] = Purpose(key, **sets)
    return tuple(found)


PURPOSES = _read(_PURPOSES)


def _pairs(text: str) -> dict[str, tuple[str, ...]]:
    """Lines of ``key: values``; several keys before the colon have the same."""
    found = {}
    for line in text.strip().split("\n"):
        keys, _, values = line.partition(":")
        found.update(dict.fromkeys(keys.split(), tuple(values.split())))
    return found


GENERAL = _pairs("""
edit modify change touch alter refactor reformat format auto-format: edit
autoformat rename rewrite fix hard-code hardcode implement replace patch: edit
add: edit
overwrite write create generate save put store: write
read view open cat print: read
wipe purge clear clean trash delete remove erase: delete
log-in sign-in login visit: browser
run execute exec start launch move copy stash revert reset clone tag: shell
search search-for: search
stage: commit
send notify message reply: send
post publish: post
forward cc unsubscribe: email
cancel: calendar
drop: sql
apply destroy: terraform
scale: k8s
promote rollback: deploy
order: pay
comment: comment
close file: issue
review approve: pr
""")
"""Verbs that do many things, with the purpose they have if nothing else is said."""
FALLBACK = _pairs("""
edit: edit write shell
write: write edit shell
read: read shell
delete: delete shell
shell: shell python
search: websearch grep
tests: tests shell
commit: commit git shell
push: push git shell
pull: pull git shell
merge: merge git shell
rebase: rebase git shell
branch: branch git shell
deploy: deploy shell
k8s: k8s shell
docker: docker shell
terraform: terraform shell
lint: lint shell
build: build shell
sql: sql shell
cloud: cloud shell
fetch: fetch shell browser
curl: shell fetch
python: python shell
send: email chat sms
post: chat social
browser: browser fetch
release: release deploy shell
download: download fetch shell
grep: grep shell
click: click browser
websearch: websearch
pr: pr shell
""")
"""Which purposes are tried for one, in order."""
OWN_PURPOSE = _pairs("""
kubectl helm: k8s
terraform: terraform
docker: docker
psql mysql sqlite3 mongosh: sql
curl wget: curl
pytest jest vitest: tests
python: python
aws gcloud: cloud
grep rg: grep
heroku vercel netlify: deploy
""")
"""Programs that a tool of their own may stand for."""
SUBCOMMANDS = word_set("branch checkout commit merge pull push rebase")
"""``git X`` is X where there is a tool for it."""
HTTP_WORDS = word_set("GET HEAD OPTIONS PATCH POST PUT")
SQL_WORDS = word_set(
    "ALTER CREATE DELETE DROP GRANT INSERT SELECT TRUNCATE UPDATE VACUUM"
)
WEAK_VERBS = word_set(
    "book build call charge install kill order page reboot release restart ring"
    " schedule test uninstall"
)
"""Verbs with a purpose of their own that a noun of another purpose outweighs."""
NO_MEANING = word_set("api-doc api-key api-token mail-address phone-number")
"""Pairs of words in which the first speaks of no tool."""
FILE_NOUNS = word_set(
    "asset changelog class code comment config directory doc docs documentation file"
    " fixture folder function generated import line lockfile migration module note"
    " readme script snapshot source template test"
)
"""What file tools work on."""
