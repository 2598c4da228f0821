"""Guards derived from a sentence stop what it means, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.test_checked_conditions import rows, verdict
from tests.examples import examples

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
"""


@pytest.mark.parametrize(("sentence", "call", "wanted"), rows(SENTENCES))
def test_a_sentence_stops_what_it_means(sentence, call, wanted) -> None:
    assert verdict(sentence, call) == wanted
