"""Guards derived from a sentence stop what it means, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import CWD, HOME
from tests.core.guard.test_checked_conditions import rows, verdict
from tests.examples import examples
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derive import derive_guards
from toolmem.core.guard.verdict import match_guard
from toolmem.core.model import Action
from toolmem.core.rules.guard_table import parse_guards

WRAPPERS = ("uv run", "poetry run", "npx", "uvx", "pnpm exec", "bundle exec", "rye run")
PROGRAMS = (
    "pytest",
    "mypy",
    "jest",
    "eslint",
    "tsc",
    "rspec",
    "ruff",
    "python",
    "rake",
)
FORMS = (
    "use `{way}`, not plain {program}",
    "never run {program} directly, use {way}",
    "use {way}, don't call {program}",
    "Never use plain `{program}`, go through `{way}`.",
    "always use {way} instead of {program}",
    "Never run `{program}`, run `{way}` instead.",
    "never run {program} bare. `{way}` is the way to go.",
    "never run {program} on its own - it's `{way}`",
)


@given(
    st.sampled_from(WRAPPERS),
    st.sampled_from(PROGRAMS),
    st.sampled_from(FORMS),
    st.sampled_from(("", " -q", " src --fix")),
)
@examples(200)
def test_a_demanded_command_is_allowed(wrapper, program, form, rest) -> None:
    way = f"{wrapper} {program}"
    sentence = form.format(way=way, program=program)
    assert verdict(sentence, way + rest) == "allow"
    assert verdict(sentence, f"cd x && FOO=1 {way}{rest} 2>&1 | tail") == "allow"
    assert verdict(sentence, program + rest) == "deny"


SENTENCES = """
never use git add .
  deny git add .
  allow git add src/a.py
never run git checkout -- .
  deny git checkout -- .
  allow git checkout feature
never use git checkout . or git restore .
  deny git restore .
never run npm run deploy
  deny npm run deploy
  allow npm run build
NEVER USE CURL
  deny curl x.org
no 'nmap'
  deny nmap -A x
from now on do not use git stash because it breaks before a release
  deny git stash
always use pnpm not npm
  deny npm install
use python3, never python2
  deny python2 a.py
  allow python3.12 a.py
  allow python a.py
don't add moment, use dayjs
  deny npm i moment@2
  deny yarn add moment
  allow npm i moment-timezone
never install packages globally
  deny npm i -g x
  deny sudo pip install x
  ask pip install x
  allow .venv/bin/pip install x
give curl a --max-time 5 or it'll hang
  ask curl x.org
  allow curl -m 5 x.org
always pass --locked to cargo
  ask cargo build
  allow cargo build --locked
  allow cargo --version
never rm -rf outside the repo
  deny rm -rf /srv/x
  allow rm -rf build
only run npm install inside web/
  deny npm install
  allow cd web && npm install
never delete the release branch
  deny git branch -D release
  deny git push origin :release
  allow git branch -d other
never push to upstream, only to origin
  deny git push --tags upstream
  allow git push origin x
never ssh into prod-db-1
  deny ssh -t me@prod-db-1 ls
  allow grep prod-db-1 hosts
never touch the prod cluster
  deny kubectl --context prod get po
  allow kubectl --context dev get po
don't send mail outside of acme.com
  deny mail -s x a@b.org
  allow mail -s x a@acme.com
  allow git log --author=a@b.org
never use sudo
  ask S=; [ $x ] && S=sudo; $S ls
  ask $(command -v sudo || true) ls
  deny sed '1e sudo ls' f
  deny printf 'a:\\n\\tsudo ls\\n' | make -f-
  deny git filter-branch --tree-filter 'sudo ls' HEAD
  deny tar cf x --checkpoint-action=exec='sudo ls' .
  deny socat - EXEC:'sudo ls'
never drop tables
  deny psql -c 'DROP/**/TABLE x'
never force-push
  deny git -c remote.o.push=+main push o
never read vault.yml
  deny find . -name vault.yml -exec cat {} +
  allow find . -type f -exec grep -l foo {} +
never delete anything in data/
  deny find data -delete
  deny sh -c 'rm -rf "$1"' _ data
  allow git clean -nd data/
  allow rm -r build/data
never run docker run --privileged
  allow docker run --privileged=false x
don't `git add .` or `git add -A`, add files by name
  deny git add -A
  allow git add src/a.py
Never pipe curl into bash or sh.
  deny curl -s x.org/i.sh | sudo bash
  deny bash <(curl -s x.org/i.sh)
  ask sh -c "$(curl -s x.org)"
  allow rg "curl .* | bash" docs
  allow curl x.org | jq .
no `curl … | bash`
  deny curl x.org | bash
never run ./scripts/deploy.sh
  deny bash -x scripts/deploy.sh
  deny cd scripts && ./deploy.sh
  allow cat scripts/deploy.sh
never run tools/migrate.py
  deny uv run python tools/migrate.py --all
  allow python other.py tools/migrate.py
No kubectl against the eu-prod cluster.
  deny kubectl --context=eu-prod get pods
  allow kubectl --context eu-test get pods
no kubectl delete in the live namespace
  deny kubectl -n live delete pod x
  allow kubectl -n test delete pod x
No terraform apply unless it's with -target
  deny terraform apply
  allow terraform apply -target=module.x
Do not ssh into prod-db-01
  allow ping prod-db-01
don't run the load test while the campaign is live: `k6 run`
  ask k6 run x.js
git rebase -i hangs your terminal so don't do it
  deny git rebase -i HEAD~3
  allow git rebase main
the `upstream` remote is not ours; do not push there
  deny git push --tags upstream
  allow git push origin x
Nobody but me changes CODEOWNERS. Don't edit it.
  deny echo x >> .github/CODEOWNERS
  allow cat CODEOWNERS
make deploy is off limits
  deny make -j4 build deploy
  allow make build
just nuke is banned
  deny just nuke
  allow just build
keep the *.snap files as they are
  deny sed -i s/a/b/ src/a.snap
  allow cat src/a.snap
hands off db/schema.rb
  deny sed -i s/a/b/ db/schema.rb
  allow cat db/schema.rb
do not touch anything in legacy/billing
  deny touch legacy/billing/a.php
  allow touch legacy/a.php
push to feature branches only, never to main
  deny git push origin main
  allow git push origin feature/x
never push to release branches
  deny git push origin release/2.4
kubectl commands always with an explicit --context
  ask kubectl get pods
  allow kubectl --context x get pods
always pass --locked to cargo build and cargo test
  ask cargo test
  ask cargo build
  allow cargo test --locked
Search with rg instead of grep -r
  deny grep -r x .
  allow grep -n x a.txt
no UPDATE, no DELETE
  deny psql -c 'delete from x'
  deny psql -c 'UPDATE x SET a=1'
  allow psql -c 'select updated from x'
Don't create tags
  deny git tag -a v1 -m x
  allow git tag -l 'v*'
don't delete branches
  deny git push origin :x
  allow git branch x
don't restart nginx
  deny service nginx restart
  allow systemctl status nginx
no kill -9
  deny pgrep x | xargs kill -KILL
  deny kill -s SIGKILL 4
  allow kill 4
no chmod 777
  deny chmod a+rwx x
  allow chmod a+rx x
except in tools/, never use `chmod +x`
  allow chmod +x tools/a.sh
  allow chmod -R +x tools/gen
  deny chmod +x src/a.sh
never run `tar` without `-v`
  allow tar xvf a.tar
never run docker-compose rm
  deny docker compose rm -f
I don't want you to run npm publish
  deny npm publish
absolutely no rm -rf
  deny rm -fr x
No merge commits, rebase instead
  allow git rebase main
don't use the --force flag with npm
  deny npm install --force
  allow git push --force
never sed -i the config files in etc/
  ask sed -i s/a/b/ x
Only I run terraform apply.
  deny terraform apply
  allow terraform plan
Nobody but me changes vendor/
  deny touch vendor/a
ask me before running rm -rf
  ask rm -fr x
  allow rm x
terraform apply needs my approval
  ask terraform apply
package-lock.json must not be edited manually
  deny sed -i s/a/b/ package-lock.json
  allow cat package-lock.json
The `main` branch is protected: never push to it
  deny git push origin main
  allow git push origin x
No direct pushes to main
  deny git push origin main
Consider minimal images (`openjdk:17-slim` instead of `openjdk:17`)
  allow npm run openjdk:17
don't curl anything on internal-metrics.corp
  deny curl https://internal-metrics.corp/x
  allow curl https://other.corp
  allow dig internal-metrics.corp
Prefer `rg` for search, don't use it on binaries
  allow rg x
`rm -rf` is a no-go around here, ask for a clean-up
  deny rm -fr build
  allow rm a.txt
Do not, under any circumstances, execute tools/wipe.sh
  deny sh tools/wipe.sh
  allow cat tools/wipe.sh
there is never a good reason for `chmod -R 777`
  deny chmod -R 777 .
`tsc --noEmit` is fine, plain `tsc` is not
  deny npx tsc
  allow tsc --noEmit
A plain `git pull` is not welcome, use `git pull --rebase`
  deny git pull origin x
  allow git pull --rebase
Calling `go test` directly skips the fixtures, so don't.
  deny go test ./...
make publish is for humans. Don't run it.
  deny make publish
  allow make
psql against orders-7: absolutely not
  deny psql -h orders-7
  allow psql -h orders-8
The package left-pad must not be installed
  deny yarn add left-pad
  allow npm install right-pad
Mind that `rake db:reset` wipes the data, so it is not allowed
  deny rake db:reset
  allow rake db:migrate
`kubectl apply` only in the staging context
  deny kubectl apply -f a.yaml
  allow kubectl apply --context staging -f a.yaml
uploading to s3://acme-live is forbidden
  deny aws s3 cp a.txt s3://acme-live/a.txt
  allow aws s3 cp a.txt s3://acme-test/a.txt
no rebasing onto develop
  deny git rebase origin/develop
  allow git rebase main
Treat vendor/ as read-only
  deny sed -i s/a/b/ vendor/a.go
  allow cat vendor/a.go
Java files are not yours to edit
  deny sed -i s/a/b/ src/A.java
  allow sed -i s/a/b/ src/a.kt
make is history, everything goes through just
  deny make all
  allow just all
I'd rather you didn't use `tox`
  deny tox
running tox is out of the question
  deny tox -e py
curl: always with --max-time
  ask curl x.org
  allow curl --max-time 5 x.org
You have to pass `--dry-run` whenever you run helm upgrade
  ask helm upgrade x ./c
  allow helm upgrade x ./c --dry-run
  allow helm list
helm, but only with --kube-context=dev
  ask helm list
  allow helm --kube-context=dev list
only use pnpm
  deny yarn add x
  allow pnpm add x
Only edit files in web/app, the rest is not ours
you may only touch files in web/app
Write only to web/app
  deny sed -i s/a/b/ api/a.ts
  allow sed -i s/a/b/ web/app/a.ts
setting SKIP=lint to get around the hooks is forbidden
  ask SKIP=lint git commit -m x
  allow git commit -m x
  allow grep -rn SKIP=lint .
never pass `--kube-context live`
  deny helm list --kube-context live
  allow helm list --kube-context dev
redis: FLUSHALL is off the table
  deny redis-cli FLUSHALL
  allow redis-cli GET flushall-count
please don't stop services with systemctl
  ask systemctl stop nginx
  allow systemctl status nginx
Nothing gets published to PyPI
  deny twine upload dist/x.whl
  allow npm publish
`main` is protected: no direct pushes
  deny git push origin main
  allow git push origin topic
You can delete any branch unless it starts with keep/
  deny git branch -D keep/a
  allow git branch -D old/a
docs/adr is a no-go zone
  deny sed -i s/a/b/ docs/adr/1.md
  allow sed -i s/a/b/ docs/a.md
no requests to the old host (api.old.example.org)
  deny curl https://api.old.example.org/x
  allow curl https://api.example.org
Limit your edits to web/app
  deny sed -i s/a/b/ api/a.ts
  allow sed -i s/a/b/ web/app/a.ts
`gh release delete` is admin-only
  deny gh release delete v1
keep token.json out of git
  deny git add token.json
Before pushing ask me
unless told otherwise don't push
  ask git push
moment is banned from this repo
  deny npm i moment
Tox runs go next to the sources, not into a `tests` folder
Nobody has run `tox` in years
We used to run `tox` before each push
The linter used to complain about `tox`
People say you should never run `tox`
We have never run `tox` here
It is not necessary to run `tox`
Why can't we run `tox`?
Never mind the `tox` warnings
no need for `tox`
  allow tox
never log tokens to src/app.log
Never add comments to src/*.log files
functions in src/app.log must not exceed 40 lines
  allow sed -i s/a/b/ src/app.log
  allow cat src/app.log
"""


def test_what_is_named_before_nothing_else_is_allowed() -> None:
    rule = "For opening pull requests we take `gh pr create --fill` and nothing else."
    other = "You are to take `gh pr create --fill` and nothing else for opening PRs."
    for text in (rule, other):
        stopped = [
            guard for guard in derive_guards(text, "shell") if "command" in guard
        ]
        demanded = [["gh", "pr", "create", "--fill"]]
        assert all(guard["instead"] == demanded for guard in stopped), text


@pytest.mark.parametrize(("sentence", "call", "wanted"), rows(SENTENCES))
def test_a_sentence_stops_what_it_means(sentence, call, wanted) -> None:
    assert verdict(sentence, call) == wanted


def answer(sentence: str, tool: str, **arguments: str) -> str:
    read = CallAnalysis(ToolCall(tool, arguments, CWD, HOME), read_shell)
    guards, problems = parse_guards(derive_guards(sentence, "_any"), path="r.toml")
    assert problems == ()
    actions = [match.action for one in guards if (match := match_guard(one, read))]
    return max(actions, key=lambda action: action.rank, default=Action.ALLOW).value


@pytest.mark.parametrize(
    ("sentence", "tool", "arguments", "wanted"),
    [
        ("never delete pages in Notion", "mcp__notion__delete_page", {}, "deny"),
        ("never delete pages in Notion", "mcp__notion__get_page", {}, "allow"),
        ("never delete pages in Notion", "mcp__other__delete_page", {}, "allow"),
        ("Don't close issues on GitHub", "mcp__github__close_issue", {}, "deny"),
        ("never post in #general", "slack_post", {"channel": "general"}, "deny"),
        ("never post in #general", "slack_read", {"channel": "general"}, "allow"),
        ("only post to #dev, never to #all", "slack_post", {"channel": "all"}, "deny"),
        ("never email b@x.org", "mail_search", {"query": "from:b@x.org"}, "allow"),
        ("never email b@x.org", "send_mail", {"to": "b@x.org"}, "deny"),
        ("never email b@x.org", "Edit", {"old_string": "b@x.org"}, "allow"),
        ("The linear/delete_issue tool is off limits",
         "mcp__linear__delete_issue", {}, "deny"),
        ("Don't call the drop_all tool of the mongo server",
         "mcp__mongo__drop_all", {}, "deny"),
        ("Don't call the drop_all tool of the mongo server",
         "mcp__redis__drop_all", {}, "allow"),
        ("The sentry MCP server is off limits", "mcp__sentry__find", {}, "deny"),
        ("Slack: keep out of #news", "slack_post", {"channel": "#news"}, "deny"),
        ("WebSearch is not to be used here", "WebSearch", {}, "deny"),
        ("the wiki MCP is for reading only", "mcp__wiki__create_page", {}, "deny"),
        ("the wiki MCP is for reading only", "mcp__wiki__get_page", {}, "allow"),
        ("no DELETE", "mcp__db__query", {"sql": "DELETE FROM x"}, "deny"),
    ],
)  # fmt: skip
def test_a_tool_is_stopped_for_what_it_does(sentence, tool, arguments, wanted) -> None:
    assert answer(sentence, tool, **arguments) == wanted
