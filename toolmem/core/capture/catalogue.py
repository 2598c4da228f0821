"""What the tools of the common agents are for, and by which words people mean them.

A row is a purpose: the words in a tool's name that give it that purpose, the
nouns that mean it, the verbs that mean it by themselves. ``GENERIC`` verbs
(*edit*, *open*) mean a file tool only where no noun says otherwise.
"""

from typing import NamedTuple

from toolmem.core.capture.smallwords import word_set


class Purpose(NamedTuple):
    """What a tool is for: words of its name, nouns and verbs of its users."""

    key: str
    names: frozenset[str]
    nouns: frozenset[str]
    verbs: frozenset[str]


def _purpose(key: str, names: str, nouns: str, verbs: str = "") -> Purpose:
    return Purpose(
        key,
        frozenset(names.split()),
        frozenset(nouns.split()),
        frozenset(verbs.split()),
    )


PURPOSES = (
    _purpose("email", "email mail gmail smtp outlook mailer sendgrid mailgun",
             "email mail inbox newsletter mailing gmail outlook bcc", "email mail"),
    _purpose("sms", "sms twilio whatsapp imessage text_message",
             "sms whatsapp imessage text-message", "text sms"),
    _purpose("chat", "slack discord teams telegram mattermost chat dm irc rocketchat",
             "dm channel chat-message thread slack discord teams telegram mattermost",
             "dm slack discord"),
    _purpose("social", "tweet twitter linkedin facebook instagram mastodon bluesky reddit",
             "tweet twitter linkedin facebook instagram mastodon bluesky reddit"
             " social-media", "tweet retweet"),
    _purpose("calendar", "calendar event meeting schedule gcal appointment",
             "calendar meeting invite invitation appointment event 1:1 standup holiday",
             "schedule reschedule book invite"),
    _purpose("phone", "phone call dial voice", "phone-call phone voicemail", "phone dial call ring"),
    _purpose("browser", "browser navigate puppeteer playwright chrome selenium",
             "browser webpage web-page website site tab chrome firefox", "browse navigate"),
    _purpose("click", "click", "button checkbox", "click"),
    _purpose("screenshot", "screenshot snapshot", "screenshot", "screenshot"),
    _purpose("websearch", "search websearch google bing brave tavily duckduckgo serp",
             "web-search search-engine google bing", "google"),
    _purpose("fetch", "fetch http request webfetch curl url rest api",
             "url http http-request endpoint http-call api-call web-request webhook api",
             "fetch"),
    _purpose("download", "download", "download", "download"),
    _purpose("upload", "upload", "upload", "upload"),
    _purpose("shell", "shell bash terminal exec command cmd powershell zsh console process",
             "shell terminal command-line bash command cron sudo port script package"
             " dependency process daemon server container zsh powershell console cli"
             " crontab systemd env-var firewall", "install uninstall kill restart reboot"),
    _purpose("python", "python interpreter jupyter notebook ipython repl",
             "python notebook jupyter repl"),
    _purpose("commit", "commit", "commit", "commit amend squash"),
    _purpose("push", "push", "push force-push", "push force-push"),
    _purpose("pull", "pull", "", "pull"),
    _purpose("rebase", "rebase", "rebase", "rebase"),
    _purpose("merge", "merge", "merge", "merge automerge auto-merge"),
    _purpose("branch", "branch checkout", "branch", "branch checkout"),
    _purpose("pr", "pull_request pr merge_request", "pr pull-request merge-request mr"),
    _purpose("issue", "issue jira linear ticket bug",
             "issue ticket jira linear bug-report", ""),
    _purpose("comment", "comment reply review", "comment", "comment"),
    _purpose("release", "release", "release", "release"),
    _purpose("edit", "edit str_replace apply_patch multiedit replace patch modify notebookedit"
             " update_file edit_file", ""),
    _purpose("write", "write create_file save write_file", ""),
    _purpose("read", "read view cat read_file open_file", ""),
    _purpose("delete", "delete remove trash rm unlink delete_file", ""),
    _purpose("grep", "grep ripgrep rg codebase_search search_files", "grep ripgrep", "grep"),
    _purpose("glob", "glob find ls list_dir", "glob"),
    _purpose("sql", "sql query database db postgres mysql sqlite bigquery snowflake mongo redis",
             "sql database db schema query dump migration postgres"
             " mysql sqlite bigquery snowflake mongo", "query truncate migrate"),
    _purpose("table", "sql query database db postgres mysql sqlite bigquery snowflake",
             "table row column index record"),
    _purpose("notify", "notification notify notifications", "notification push-notification"),
    _purpose("tests", "test tests pytest jest vitest", "test test-suite unit-test e2e spec",
             "test"),
    _purpose("lint", "lint eslint ruff", "linter lint eslint", "lint"),
    _purpose("build", "build compile", "build", "build compile"),
    _purpose("deploy", "deploy deployment vercel netlify heroku rollout ship",
             "deploy deployment rollout prod-deploy", "deploy ship redeploy"),
    _purpose("k8s", "kubectl kubernetes k8s helm",
             "kubectl pod cluster namespace k8s kubernetes helm replica", "drain cordon"),
    _purpose("terraform", "terraform pulumi opentofu tofu",
             "terraform infra infrastructure tfstate pulumi", "provision"),
    _purpose("docker", "docker podman", "docker image dockerfile podman"),
    _purpose("cloud", "aws gcloud azure s3 gcp", "aws s3 bucket ec2 lambda gcloud azure gcp"),
    _purpose("page", "page pagerduty opsgenie oncall alert",
             "pager on-call oncall pagerduty opsgenie", "page wake"),
    _purpose("refund", "refund", "refund", "refund"),
    _purpose("pay", "transfer bank payment pay wire payout purchase buy checkout order",
             "money transfer payment bank fund wire payout purchase spend budget",
             "transfer wire pay spend purchase buy"),
    _purpose("charge", "charge invoice stripe billing", "invoice charge", "charge invoice bill"),
    _purpose("crm", "crm salesforce hubspot pipedrive",
             "crm lead deal salesforce hubspot pipeline-stage customer-record"),
    _purpose("sheet", "sheet sheets spreadsheet excel airtable",
             "spreadsheet sheet excel cell airtable workbook"),
    _purpose("doc", "notion confluence gdocs wiki docs document",
             "notion confluence wiki google-doc"),
    _purpose("drive", "drive dropbox gdrive onedrive", "google-drive dropbox onedrive gdrive"),
    _purpose("agent", "task agent subagent delegate spawn",
             "subagent sub-agent", "spawn delegate"),
    _purpose("image", "image dalle picture imagen", "image picture", ""),
    _purpose("memory", "memory remember recall", "memory"),
    _purpose("todo", "todo todowrite reminder", "todo reminder"),
    _purpose("print", "print printer", "printer", ""),
    _purpose("translate", "translate", "translation", "translate"),
    _purpose("contact", "contact contacts addressbook", "contact address-book", ""),
)  # fmt: skip

PROGRAMS = word_set(
    "sudo npm npx pnpm yarn bun deno pip pipx uv poetry conda cargo rustup cmake"
    " gradle maven mvn docker podman gh glab apt apt-get brew choco winget rm chmod"
    " chown killall pkill systemctl ssh scp rsync curl wget tar unzip sed awk jq xargs"
    " crontab perl php javac gcc clang dotnet flutter terraform kubectl helm ansible"
    " vagrant psql mysql redis-cli mongosh sqlite3 pytest jest vitest tox nox ruff"
    " eslint prettier mypy tsc composer rails artisan nix nohup tmux mkfs ifconfig"
    " iptables ufw nmap openssl gpg mkdir lsof netstat heroku vercel netlify aws"
    " gcloud"
)
"""First words of commands that only a shell runs."""
EVERYDAY_PROGRAMS = word_set(
    "go make just git mv cp cat kill service node ruby java swift dart black bundle"
    " rake mix screen dd export source echo touch ln du df ps top history bash sh zsh"
    " fly az"
)
"""Programs whose names are everyday words: they count in code only."""

OWN_PURPOSE = {
    "kubectl": "k8s", "helm": "k8s", "terraform": "terraform", "docker": "docker",
    "psql": "sql", "mysql": "sql", "sqlite3": "sql", "mongosh": "sql", "curl": "curl",
    "wget": "curl", "pytest": "tests", "jest": "tests", "vitest": "tests",
    "python": "python", "aws": "cloud", "gcloud": "cloud", "grep": "grep", "rg": "grep",
    "heroku": "deploy", "vercel": "deploy", "netlify": "deploy",
}  # fmt: skip
"""Programs that a tool of their own may stand for."""

SUBCOMMANDS = word_set("commit push pull merge rebase branch checkout")
"""``git X`` is X where there is a tool for it."""

HTTP_WORDS = word_set("GET POST PUT PATCH HEAD OPTIONS")
WEAK_VERBS = word_set(
    "schedule book order page call test build charge ring install uninstall kill restart"
    " reboot release"
)
"""Verbs with a purpose of their own that a noun of another purpose outweighs."""
SQL_WORDS = word_set(
    "DROP SELECT DELETE UPDATE INSERT TRUNCATE ALTER GRANT VACUUM CREATE"
)

GENERIC = {
    "edit": "edit", "modify": "edit", "change": "edit", "touch": "edit", "alter": "edit",
    "refactor": "edit", "reformat": "edit", "format": "edit", "auto-format": "edit",
    "autoformat": "edit", "rename": "edit", "rewrite": "edit", "fix": "edit",
    "hard-code": "edit", "hardcode": "edit", "implement": "edit", "replace": "edit",
    "patch": "edit", "overwrite": "write", "write": "write", "create": "write",
    "generate": "write", "save": "write", "put": "write", "add": "edit", "store": "write",
    "read": "read", "view": "read", "open": "read", "cat": "read", "print": "read",
    "wipe": "delete", "purge": "delete", "clear": "delete", "clean": "delete",
    "trash": "delete", "log-in": "browser", "sign-in": "browser", "login": "browser",
    "delete": "delete", "remove": "delete", "erase": "delete",
    "run": "shell", "execute": "shell", "exec": "shell", "start": "shell",
    "launch": "shell", "search": "search", "move": "shell", "copy": "shell",
    "search-for": "search", "reveal": "", "stage": "commit", "stash": "shell",
    "revert": "shell", "reset": "shell", "clone": "shell", "tag": "shell",
    "visit": "browser", "send": "send", "post": "post", "publish": "post",
    "notify": "send", "message": "send", "reply": "send", "forward": "email",
    "cc": "email", "unsubscribe": "email", "cancel": "calendar", "drop": "sql",
    "apply": "terraform", "destroy": "terraform", "scale": "k8s", "promote": "deploy",
    "rollback": "deploy", "order": "pay", "comment": "comment", "close": "issue",
    "file": "issue", "review": "pr", "approve": "pr", "call": "",
}  # fmt: skip
"""Verbs that do many things, with the purpose they have when nothing else is said."""

FALLBACK = {
    "edit": ("edit", "write", "shell"),
    "write": ("write", "edit", "shell"),
    "read": ("read", "shell"),
    "delete": ("delete", "shell"),
    "shell": ("shell", "python"),
    "search": ("websearch", "grep"),
    "tests": ("tests", "shell"),
    "commit": ("commit", "shell"), "push": ("push", "shell"), "pull": ("pull", "shell"),
    "merge": ("merge", "shell"), "rebase": ("rebase", "shell"),
    "branch": ("branch", "shell"), "deploy": ("deploy", "shell"),
    "k8s": ("k8s", "shell"), "docker": ("docker", "shell"),
    "terraform": ("terraform", "shell"), "lint": ("lint", "shell"),
    "build": ("build", "shell"), "sql": ("sql", "shell"), "cloud": ("cloud", "shell"),
    "fetch": ("fetch", "shell", "browser"), "curl": ("shell", "fetch"), "python": ("python", "shell"),
    "send": ("email", "chat", "sms"), "post": ("chat", "social"),
    "browser": ("browser", "fetch"), "release": ("release", "deploy", "shell"),
    "download": ("download", "fetch", "shell"), "grep": ("grep", "shell"),
    "click": ("click", "browser"), "websearch": ("websearch",), "pr": ("pr", "shell"),
}  # fmt: skip
"""Which purposes stand in for one that no available tool has, in order."""

NO_MEANING = word_set("api-key api-token api-doc phone-number mail-address")
"""Pairs of words in which the first speaks of no tool."""
FILE_NOUNS = word_set(
    "file folder directory module snapshot lockfile config code function class test"
    " fixture readme changelog source line comment import docs doc documentation"
    " migration script template asset generated note"
)
"""What file tools work on."""
