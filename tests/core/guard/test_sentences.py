"""Guards derived from the sentences that people write."""

import pytest

from toolmem.core.guard.derivation.describe import ADVICE, guard_line
from toolmem.core.guard.derivation.stated import guards_in_force
from toolmem.core.guard.derive import derive_guards
from toolmem.core.model import SYSTEM, Priority, Rule, Source


def lines(text: str, tool: str = "_any") -> str:
    return guard_line(derive_guards(text, tool)).removeprefix("guard: ")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("never run docker stop/kill", "denies `docker stop`, `docker kill`"),
        ("Never run `git add .` or `-A`", "denies `git add .`, `git add -A`"),
        ("never run ./deploy.sh prod", "denies `./deploy.sh prod`"),
        ("do not run `flask db upgrade`", "denies `flask db upgrade`"),
        ("don't use npm/yarn, use bun", "denies `npm`, `yarn`"),
        ("Use pnpm, not npm", "denies `npm`"),
        ("use uv instead of pip", "denies `pip`"),
        ("never skip the pre-commit hooks",
         "denies `git commit --no-verify`, `git push --no-verify`"),
        ("`helm uninstall` is forbidden", "denies `helm uninstall`"),
        ("Never modify /legal/*", "denies changing `legal/*`"),
        ("`vendor/` is read-only", "denies changing `vendor/`"),
        ("don't edit .proto files", "denies changing `*.proto`"),
        ("never read or delete ~/.ssh", "denies reading or deleting `~/.ssh`"),
        ("never commit to main",
         "denies `git commit` on the branch `main`; denies `git push` to `main`"),
        ("never merge PRs",
         "denies `gh pr merge`; denies calls of tools named `merge pull request`,"
         " `pull request merge`, `merge pr`, `pr merge`"),
        ("can you please steer clear of `git bisect`? it confuses me",
         "denies `git bisect`"),
        ("npm unpublish - nah. ask Kim", "denies `npm unpublish`"),
        ("`cargo add` yes, `cargo install` no", "denies `cargo install`"),
        ("helm rollback / uninstall: no way",
         "denies `helm rollback`, `helm uninstall`"),
        ("Regard `make wipe` as banned", "denies `make wipe`"),
        ("Files in `golden/` can be read, never renamed or deleted",
         "denies deleting `golden/`"),
        ("make deploy should never be triggered by you", "denies `make deploy`"),
        ("pushes must not be done with --mirror", "denies `git push --mirror`"),
        ("`api/gen/` is produced by the compiler and nobody else",
         "denies changing `api/gen/`"),
        ("the only one who runs `make ship` is me", "denies `make ship`"),
        ("Leave `npm publish` to CI", "denies `npm publish`"),
        ("keep your paws away from infra/live", "denies changing `infra/live`"),
        ("the .vscode folder stays precisely as it is", "denies changing `.vscode`"),
        ("feel free to run podman, but without --privileged",
         "denies `podman --privileged`"),
        ("Only the site/ tree is yours to edit",
         "denies changing files outside `site/`"),
        ("Opening `.envrc` is of no use to you, so don't", "denies reading `.envrc`"),
        ("I don't want sed anywhere near this repo", "denies `sed`"),
        ("you won't be needing wget", "denies `wget`"),
        ("the `old/` folder? Look, don't change it", "denies changing `old/`"),
        ("You may edit anything but `a.toml`", "denies changing `a.toml`"),
        ("Everything outside `web/` is off limits",
         "denies changing files outside `web/`"),
        ("do not edit anything but `a.toml`",
         "denies changing files outside `a.toml`"),
        ("there is zero tolerance for `git gc --prune`", "denies `git gc --prune`"),
        ("Never force-push.",
         "denies `git push --force`; allows --force-with-lease"),
        ("Never edit `config.json` in `legacy/`",
         "denies changing `legacy/**/config.json`"),
        ("Don't delete *.sql in db/migrations",
         "denies deleting `db/migrations/**/*.sql`"),
        ("You must never pass `--context prod` to kubectl.",
         "denies `kubectl --context prod`"),
        ("Never pass `--force` to npm", "denies `npm --force`"),
        ("never run `terraform apply` w/o -var-file, our state is shared",
         "denies `terraform apply`, unless it is `terraform apply -var-file`"),
        ("git stash: never (it hides work)", "denies `git stash`"),
        ("Never run `npm install` or create `package-lock.json`",
         "denies `npm install`; denies changing `package-lock.json`"),
        ("Never run git stash", "denies `git stash`"),
        ("never run `terraform apply` without `-var-file`",
         "denies `terraform apply`, unless it is `terraform apply -var-file`"),
        ("Never edit files outside `apps/x`",
         "denies changing files outside `apps/x`"),
        ("never delete anything except in /tmp",
         "denies deleting files outside `/tmp`"),
        ("In `docs/`, never run `make`",
         "denies `make` in `docs/` (condition: In `docs/`)"),
        ("For `a/**`, never use `sed -i`",
         "denies `sed -i` in `a/**` (condition: For `a/**`)"),
        ("never run `npm ci` outside `web/`",
         "denies `npm ci` outside `web/` (condition: outside `web/`)"),
        ("never run `git stash` unless on a `wip/*` branch",
         "denies `git stash`, unless it is on the branch `wip/*`"),
    ],
)  # fmt: skip
def test_a_plain_ban_denies_what_it_names(text, wanted) -> None:
    assert lines(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("never run docker stop while flying",
         "asks before `docker stop` (condition: while flying)"),
        ("do not use `sed -i` to edit files",
         "asks before `sed -i` (condition: to edit files)"),
        ("Never push to `main` without a review",
         "asks before `git push` to `main` (condition: without a review)"),
        ("In CI, never run `npm publish`",
         "asks before `npm publish` (condition: In CI)"),
        ("never commit, never push unless I say so",
         "asks before `git commit` (condition: unless I say so); "
         "asks before `git push` (condition: unless I say so)"),
    ],
)  # fmt: skip
def test_a_ban_with_a_condition_asks_with_it(text, wanted) -> None:
    assert lines(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Do not use `any` unless explicitly allowed.",
        "never commit secrets",
        "Never use `forEach` - use `for...of`",
        "don't stop the gateway",
        "never use docker for tests",
        "Never rebase shared branches",
        "never run the tests with --force",
        "never skip tests/unit",
        "Don't touch the roster; it lives in `tools/a.json`.",
        "be careful with `rm -rf`",
        "did you edit anything but `a.py`?",
        "I left package.json alone",
        "You can run `make test` without `--fast`",
        "could you explain why `git rebase` is no option?",
        "the docs are written by Ana and nobody else",
    ],
)
def test_what_names_nothing_certain_is_advice(text) -> None:
    assert lines(text) == ADVICE


def rule(text: str, **stated) -> Rule:
    return Rule(
        "1", "_any", text, Priority.HIGH, Source.USER_EXPLICIT, (), None, None, SYSTEM,
        "r.toml", guards=tuple(stated.get("guard", ())), stated=stated,
    )  # fmt: skip


def test_a_file_without_the_key_gets_the_derived_guards() -> None:
    assert guards_in_force(rule("never force-push")) == derive_guards(
        "never force-push", "_any"
    )
    assert guards_in_force(rule("push often")) == ()


def test_an_empty_list_refuses_them() -> None:
    assert guards_in_force(rule("never force-push", guard=[])) == ()
