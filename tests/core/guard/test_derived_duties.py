"""Duties that follow from sentences, and sentences that yield none."""

import pytest

from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.guard.derivation.stated import derived_guards

COMMIT = {"before": "git commit"}


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("run `cargo fmt` before committing", {"run": "cargo fmt", **COMMIT}),
        ("run cargo fmt before each commit", {"run": "cargo fmt", **COMMIT}),
        ("Before you commit, make sure `x.sh` passes", {"run": "x.sh", **COMMIT}),
        ("Always build at the end of your work.", {"fact": "build_command"}),
        ("lint before you push", {"fact": "lint_command", "before": "git push"}),
        ("make sure that cargo test passes before each commit",
         {"run": "cargo test", **COMMIT}),
        ("don't commit until the tests pass", {"fact": "test_command", **COMMIT}),
        ("never commit without running `make a`", {"run": "make a", **COMMIT}),
        ("Only commit after `make a` has passed", {"run": "make a", **COMMIT}),
        ("`make a` has to run before you say you're done", {"run": "make a"}),
        ("after changing GraphQL files run the codegen",
         {"fact": "codegen_command", "after": ["*.graphql", "*.gql"]}),
        ("whenever you touch src/api, run `make api`",
         {"run": "make api", "after": "src/api"}),
        ("Every edit to `a.proto` requires `buf generate`",
         {"run": "buf generate", "after": "a.proto"}),
        ("update the changelog with every change in `src/`",
         {"change": "CHANGELOG*", "after": "src/"}),
        ("keep docs/cli.md in sync: update it when src/cli/ changes",
         {"change": "docs/cli.md", "after": "src/cli/"}),
        ("Run `terraform plan` before `terraform apply`",
         {"run": "terraform plan", "before": "terraform apply"}),
        ("Build, then push", {"fact": "build_command", "before": "git push"}),
        ("Changes to a.yaml need a change in docs/a.md as well",
         {"change": "docs/a.md", "after": "a.yaml"}),
        ("With each modification under db/, docs/db.md has to be updated",
         {"change": "docs/db.md", "after": "db/"}),
        ("a change in src/ without a change in tests/ is not finished",
         {"change": "tests/", "after": "src/"}),
        ("Touching *.css means running `make a`", {"run": "make a", "after": "*.css"}),
        ("`make a` is mandatory before merging: run it before git merge",
         {"run": "make a", "before": "git merge"}),
        ("finish each task by running the build", {"fact": "build_command"}),
        ("the last step of a task is always `make a`", {"run": "make a"}),
        ("i want `make a` run before each commit", {"run": "make a", **COMMIT}),
        ("first `git fetch`, then git rebase - always in that order",
         {"run": "git fetch", "before": "git rebase"}),
        ("dont forget `make a` after changing a/", {"run": "make a", "after": "a/"}),
        ("before opening a PR with gh pr create, run the tests",
         {"fact": "test_command", "before": "gh pr create"}),
        ("run `make a` before committing rust code",
         {"run": "make a", "after": "*.rs", **COMMIT}),
        ("lint before every commit please", {"fact": "lint_command", **COMMIT}),
        ("each commit must be preceded by `make a`", {"run": "make a", **COMMIT}),
        ("Whenever you commit, run `make a` first", {"run": "make a", **COMMIT}),
        ("nothing gets committed before `make a` has passed",
         {"run": "make a", **COMMIT}),
        ("No pull request goes up until `make a` comes back clean",
         {"run": "make a", "before": ["gh pr create", "glab mr create"]}),
        ("Touched a/? `make a` is due then.", {"run": "make a", "after": "a/"}),
        ("I expect `make a` to be run ahead of every commit",
         {"run": "make a", **COMMIT}),
        ("come what may, tests before commits", {"fact": "test_command", **COMMIT}),
        ("Pushing is only OK once the build has succeeded",
         {"fact": "build_command", "before": "git push"}),
        ("docs/a.md has to stay in sync with src/a/",
         {"change": "docs/a.md", "after": "src/a/"}),
        ("All changes to a.json must be reflected in b.md",
         {"change": "b.md", "after": "a.json"}),
        ("a.json is edited -> the types need regenerating with `make a`",
         {"run": "make a", "after": "a.json"}),
        ("Under no circumstances commit before `make a` ended without errors",
         {"run": "make a", **COMMIT}),
        ("Whatever you commit, it must have passed; committing without `make a`"
         " is forbidden", {"run": "make a", **COMMIT}),
        ("Run `tox` or `make a` before committing",
         {"run": ["tox", "make a"], **COMMIT}),
        ("merging without `make a` is unacceptable",
         {"run": "make a", "before": ["git merge", "gh pr merge"]}),
        ("never push with a red build",
         {"fact": "build_command", "before": "git push"}),
        ("Don't call a task done while `make a` fails", {"run": "make a"}),
        ("a push always comes after `make a`", {"run": "make a", "before": "git push"}),
        ("You are done when `make a` is green", {"run": "make a"}),
        ("every commit must have gone through `make a`", {"run": "make a", **COMMIT}),
        ("CHANGELOG.md wants a line for each change in src/",
         {"change": "CHANGELOG.md", "after": "src/"}),
        ("push? `make a` first", {"run": "make a", "before": "git push"}),
        ("`make a` first, `git tag` second", {"run": "make a", "before": "git tag"}),
        ("Having edited a `.tf` file, get into the habit of running `make a` on it",
         {"run": "make a", "after": "*.tf"}),
        ("a.md and b.md belong together: a change to the former needs one to"
         " the latter",
         {"change": "b.md", "after": "a.md"}),
        ("Would you please run `make a` before every commit?",
         {"run": "make a", **COMMIT}),
        ("docs/a.md: update it with each change in src/",
         {"change": "docs/a.md", "after": "src/"}),
    ],
)  # fmt: skip
def test_a_sentence_that_demands_something_yields_a_duty(text, table):
    assert derive_duties(text) == (table,)


@pytest.mark.parametrize(
    "text",
    [
        "first think, then write code",
        "write a failing test first",
        "Run `make lint` before committing unless only docs changed",
        "don't run `make lint` before committing",
        "I ran `make lint` before committing",
        "CI runs `make test` on every push",
        "Could you run `make lint` before committing?",
        "read `docs/STYLE.md` before committing",
        "Never run `terraform apply` without first reviewing `terraform plan`",
        "whenever you touch migrations, run `make db`",
        "Ask before committing",
        "ask before you move a file that npm manages",
        "Place of every change: `tools/gen/types.py`",
        "a change in plans without a word is not finished",
        "finish each task by thinking again",
        "`make a` is not required before merging",
        "Whenever you commit, run `make a`",
        "a change in src/ without a change in tests/ is fine",
        "I want coffee before each commit",
        "I want to run `make a` before each commit",
        "Fix conflicts with `netstat -ano` then `taskkill`",
        "run `make lint` before committing, not `npm run lint`",
        "We used to run `make a` before committing",
        "We ran `make a` after every change in src/",
        "The hook runs `make a` before each commit",
        "The nightly job must run `make a` before the release",
        "I like that you run the tests before committing",
        "You do not need to run `make a` before committing",
        "Run `make a` before pushing, just this once",
        "Every change in price must be followed by `make a`",
        "Consider running `make a` before committing",
        "Push early, even before the tests pass",
        "Ask me before you run `make a`",
        "`git push` triggers the build",
        "report back when the tests are done",
        "commit only once",
        "Understand the test before you touch the code",
        "Our pipeline runs `make a` before each release",
        "`make a` was run before each commit",
    ],
)
def test_what_no_program_can_see_stays_advice(text):
    assert derive_duties(text) == ()


def test_a_ban_that_a_duty_checks_asks_no_question():
    assert derived_guards("never commit without running `make lint`", "_any") == ()
    tables = derived_guards("never commit without approval", "_any")
    assert [table["action"] for table in tables] == ["ask"]


@pytest.mark.parametrize("piece", ["before you ", "run the ", "`a` and ", "when a.b "])
def test_a_long_text_is_no_rule(piece):
    assert derive_duties(f"run `make a` before committing {piece * 1_000}") == ()
