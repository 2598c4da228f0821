"""Conditions that a call shows: a place, an option, a branch."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.core.guard.calling import CWD, HOME
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derive import derive_guards
from toolmem.core.guard.verdict import RuleForCall, judge
from toolmem.core.model import SYSTEM, Action, Priority
from toolmem.core.rules.guard_table import parse_guards


def verdict(
    sentence: str, arguments: str | dict[str, Any], branch: str | None = "topic"
) -> str:
    """Return the verdict of a rule's derived guards on a command, or on a call."""
    guards, problems = parse_guards(derive_guards(sentence, "_any"), path="rule.toml")
    assert problems == ()
    tool = "Bash" if isinstance(arguments, str) else "Edit"
    if isinstance(arguments, str):
        arguments = {"command": arguments}
    call = ToolCall(tool, arguments, CWD, HOME, branch=lambda _: branch)
    rule = RuleForCall("id", sentence, Priority.HIGH, SYSTEM, 0, guards)
    found = judge(CallAnalysis(call, read_shell), [rule]).verdict
    return "allow" if found is Action.WARN else found.value


def rows(table: str) -> Iterator[tuple[str, str, str]]:
    """Yield sentence, call and verdict of a table: sentences, indented calls below."""
    sentences: list[str] = []
    under = False
    for line in filter(str.strip, table.splitlines()):
        if line.startswith("  "):
            wanted, _, call = line.strip().partition(" ")
            yield from ((one, call.strip(), wanted) for one in sentences)
            under = True
        else:
            sentences = [*([] if under else sentences), line]
            under = False


PLACES = """
For `docs/**`: never run `make`
For files in `docs/**`, never run `make`
never run `make` for `docs/**`
never run `make` on files matching `docs/**`
For docs/**: never run `make`
When editing `docs/**`, never run `make`
When you are working on `docs/**`, don't run `make`.
  deny make docs/index.html
  deny cd docs && make
  deny make -C docs html
  allow make src/main.o
  allow make ./app.o
  ask make
  ask make all
  ask make $TARGET
In src/, never run `npm install`
In `src/`, never run `npm install`
In the `src/` folder, never run `npm install`
Inside `src/`: don't run `npm install`
never run `npm install` in src/
never run `npm install` inside the `src` folder
never run `npm install` in `src/` because the lock file is shared
never run npm install under src/.
  deny cd src && npm install
  deny npm install ./src/app
  deny npm --prefix src install
  allow npm install
  allow npm install lodash
  allow cd docs && npm install
  ask cd "$DIR" && npm install
never run `npm install` outside `web/`
never run npm install outside of the web/ folder
never run `npm install` except in `web/`
never run `npm install` unless in `web/`
Outside `web/`, never run `npm install`
  deny npm install
  deny cd api && npm install
  allow cd web && npm install
  allow cd web/app && npm install
  allow npm --prefix web install
For `**/*.py`, `**/*.pyi`: never run `black`
For `**/*.py` and `**/*.pyi`, never run `black`
For files in `**/*.py`, `**/*.pyi`: never run `black`
  deny black src/a.py
  deny black ./b.pyi
  allow black src/a.txt
  ask black .
  ask black
never run `make` in `src/` unless I say so
never run `make` in src/, never in docs/, unless I say so
In src/, never run `make` without asking
  ask cd src && make
  ask make src/a.o
  allow make
  allow make docs/index.html
For `src/**/*.{ts,tsx}`: never run `tsc`
For `src/*.{ts,tsx}`, `src/app/**`: never run `tsc`
  deny tsc src/a.ts
  deny tsc src/app/b.tsx
  allow tsc src/a.js
For `a/{b,{c,d}}/*.ts`: never run `tsc`
  ask tsc src/a.js
For `**/*.ts`, in `web/`: never run `tsc`
In `web/`, for `**/*.ts`: never run `tsc`
For `*.ts`: never run `tsc` in `web/`
  deny tsc web/a.ts
  deny tsc web/app/a.ts
  allow tsc web/a.js
  allow tsc api/a.ts
For `src/`, in `src/app/`: never run `tsc`
  deny tsc src/app/a.ts
  allow tsc src/a.ts
For `src/`, in `lib/`: never run `tsc`
  ask tsc src/lib/a.ts
never run `tsc` in `src/` except in `src/gen/`
In `src/`, unless in `src/gen/`: never run `tsc`
In `src/`: never run `tsc` outside `src/gen/`
  deny tsc src/a.ts
  deny tsc src/gen/a.ts src/b.ts
  deny cd src && tsc
  allow tsc src/gen/a.ts
  allow cd src/gen && tsc
  allow tsc lib/a.ts
  ask cd "$DIR" && tsc
never run `rm -rf` in `data/` or `logs/`
never run `rm -rf` in data/ or logs/
  deny rm -rf data/x
  deny rm -rf logs
  allow rm -rf build
  allow rm -rf ./build/x
"""

BRANCHES = """
On main, never run `git rebase`
If on main, never run `git rebase`
When on branch `main`, do not run `git rebase`
While on the `main` branch, never run `git rebase`
never run `git rebase` on main
never run `git rebase` on the `main` branch
On `main` or `master` branches, never run git rebase
For `**`: on main, never run `git rebase`
never run `git rebase` on branch `main` or `master`
  main:deny git rebase topic
  topic:allow git rebase main
  ?:ask git rebase x
  main:deny git -C . rebase x
  topic:ask git checkout main && git rebase x
  :allow git rebase x
Unless on a `feature/*` branch, never run `git commit --amend`
never run `git commit --amend` unless on a `feature/*` branch
never run `git commit --amend` except on `feature/*` branches
  feature/x:allow git commit --amend
  main:deny git commit --amend
  ?:ask git commit --amend
never run `git push` to main
never run `git push --force` to the `main` branch
  topic:deny git push --force origin main
  topic:allow git push --force origin topic
  main:deny git push --force
  ?:ask git push --force
"""

OPTIONS = """
never run `terraform apply` without `-target`
never run terraform apply without -target
never run `terraform apply` without the `-target` option
never run `terraform apply` unless with `-target`
  deny terraform apply
  deny terraform apply -auto-approve
  allow terraform apply -target=x
  ask terraform apply $ARGS
  ask terraform $ARGS
never run `tsc` without `-p` or `-b`
  deny tsc
  allow tsc -p .
  allow tsc -b
never run `docker` without `--rm`
  allow docker ps
  deny docker run x
  allow docker run --rm x
never run curl without --max-time
never use curl without `--max-time`
  deny curl https://x.org
  allow curl --max-time 5 https://x.org
never run `rsync` without `--dry-run`.
never run `rsync` without `--dry-run` because it deletes
  deny rsync a b
  allow rsync --dry-run a b
  ask rsync $OPTS a b
never run `git push` with `--force`
never run `git push` with `--force` or `--mirror`
never use `git push` with the `--force` flag
  deny git push --force origin x
  allow git push origin x
  ask git push $OPTS origin x
"""

STILL_ASK = """
never run `make` in production
In production, never run `make`
In production, for `Makefile`: never run `make`
never run `make` in `src/` or during a release
For `docs/**` and other generated folders, never run `make`
For `docs/**`, or in production, never run `make`
If the build in src/ is red, never run `make`
never run `make` without asking
never run `make` without `-n` after lunch
never run `make` with a clean tree
In `staging`, never run `make`
never run `make` on dev
when on call, never run `make`
  ask make
  ask make docs/index.html
"""


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("sentence", "call", "wanted"), [*rows(PLACES), *rows(OPTIONS), *rows(STILL_ASK)]
)
def test_a_command_is_judged_by_the_place_and_options_it_shows(
    sentence, call, wanted
) -> None:
    assert verdict(sentence, call) == wanted


@pytest.mark.parametrize(("sentence", "call", "wanted"), [*rows(BRANCHES)])
def test_a_command_is_judged_by_the_branch_that_is_known(
    sentence, call, wanted
) -> None:
    branch, _, wanted = wanted.partition(":")
    assert verdict(sentence, call, None if branch == "?" else branch) == wanted


@pytest.mark.parametrize(
    ("sentence", "path", "wanted"),
    [
        ("In `src/`, never edit `*.gen.go`", "src/a.gen.go", "deny"),
        ("In `src/`, never edit `*.gen.go`", "lib/a.gen.go", "allow"),
        ("never edit `*.md` except in docs/", "docs/a.md", "allow"),
        ("never edit `*.md` except in docs/", "a.md", "deny"),
        ("never edit files outside `src/`", "src/a.md", "allow"),
        ("never edit files outside `src/`", "a.md", "deny"),
        ("never edit files outside `src/` unless asked", "a.md", "ask"),
        ("On main, never edit `setup.py`", "setup.py", "allow"),
        ("For `**/*.cs`: never edit `app.json`", "app.json", "ask"),
        ("For `docs/**`: never edit `app.json`", "app.json", "allow"),
        ("For `docs/**`: never edit `app.json`", "docs/app.json", "deny"),
        ("On `topic` branch, never edit `setup.py`", "setup.py", "deny"),
        ("In production, never edit `setup.py`", "setup.py", "ask"),
    ],
)
def test_a_file_is_judged_by_its_place_and_branch(sentence, path, wanted) -> None:
    assert verdict(sentence, {"file_path": f"{CWD}/{path}"}) == wanted


def test_the_condition_is_in_the_reason() -> None:
    sentence = "In production, for `docs/**`: never run `make`"
    (table,) = derive_guards(sentence, "Bash")
    assert table == {
        "action": "ask",
        "command": ["make"],
        "within": "docs/**",
        "note": "In production, for `docs/**`",
    }


def test_files_of_one_call_meet_a_condition_each_by_itself() -> None:
    patch = "*** Begin Patch\n*** Update File: {}\n@@\n*** Update File: {}\n@@\n"
    sentence = "In `src/`, never edit `*.md`"
    apart = {"input": patch.format("src/a.py", "docs/b.md")}
    assert verdict(sentence, apart) == "allow"
    both = {"input": patch.format("src/a.py", "src/b.md")}
    assert verdict(sentence, both) == "deny"
    outside = "never run `rm` except in build/"
    assert verdict(outside, "rm build/a src/b") == "deny"
