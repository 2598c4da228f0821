"""Properties of every sentence and every command."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import guard_of, reading_of
from toolmem.core.guard.derive import derive_guards
from toolmem.core.guard.verdict import match_guard
from toolmem.core.model import Action

BANS = (
    "never run `git reset --hard`",
    "never force-push",
    "never push to main",
    "do not use `npm install`",
    "never run docker stop",
    "never edit files in vendor/",
    "never delete anything in ~/notes",
    "never drop tables",
    "never commit .env",
    "never use sudo",
    "never run `terraform destroy` or `terraform apply`",
    "`kubectl delete` is forbidden",
    "use pnpm, not npm",
    "never email Sarah at sarah@example.com",
)
CONDITIONS = (
    "without asking",
    "without my approval",
    "unless I say so",
    "until the tests are green",
    "before the tests passed",
    "except in CI",
    "outside docker",
    "while a release runs",
    "on production",
    "when I am away",
    "without `--dry-run`",
    "unless you have to",
    "if the build is red",
)
LEADS = ("In CI, ", "While flying, ", "When the build is red, ", "On production, ")
COMMANDS = {
    ("git", "reset", "--hard"): ("git", "status"),
    ("terraform", "destroy"): ("terraform", "plan"),
    ("kubectl", "delete"): ("kubectl", "get"),
}
WRAPPERS = (
    "sudo {}",
    "env A=1 {}",
    "env - {}",
    "nice -n 5 {}",
    "timeout 5 {}",
    "chronic {}",
    "gosu bob {}",
    "aws-vault exec dev -- {}",
    "nix develop -c {}",
    "strange-tool --flag {}",
    "bash -c {q}",
    "$SHELL -c {q}",
    "eval {q}",
    "tmux new-session -d {q}",
    "echo {q} | sh",
    "true && {}",
    "cd x; {}",
    "find . -exec {} ;",
    "echo x | xargs {}",
    "awk 'BEGIN {{ system({d}) }}'",
    "python3 -c 'import os; os.system({d})'",
    "X={q}; $X",
    "if true; then {}; fi",
)


def actions(text: str) -> list[int]:
    return [Action(table["action"]).rank for table in derive_guards(text, "_any")]


def is_narrower(table, plain) -> bool:
    """Whether a guard has the condition as a test: "on production" as a branch."""
    return any(
        {key: table.get(key) for key in one} == one and set(one) < set(table)
        for one in plain
    )


@given(st.sampled_from(BANS), st.sampled_from(CONDITIONS))
def test_a_condition_never_makes_a_guard_stronger(ban, condition) -> None:
    plain, limited = (
        derive_guards(text, "_any") for text in (ban, f"{ban} {condition}")
    )
    for table in limited:
        assert table["action"] != "deny" or is_narrower(table, plain), table
    assert max(actions(f"{ban} {condition}"), default=0) <= max(actions(ban), default=0)


def test_of_two_bans_an_exception_limits_both_and_a_situation_the_second() -> None:
    both = "avoid `rm -rf` and never use sudo"
    deny, ask = Action.DENY.rank, Action.ASK.rank
    assert actions(both) == [deny, deny]
    assert actions(f"{both} unless I say so") == [ask, ask]
    assert actions(f"{both} while a release runs") == [deny]


@given(st.sampled_from(BANS), st.sampled_from(LEADS))
def test_a_condition_that_leads_never_makes_a_guard_stronger(ban, lead) -> None:
    assert max(actions(lead + ban), default=0) <= Action.ASK.rank


def stopped(words: tuple[str, ...], text: str) -> bool:
    guard = guard_of({"command": list(words)})
    return match_guard(guard, reading_of({"command": text})) is not None


@st.composite
def quoted(draw: st.DrawFn, word: str) -> str:
    """A word in another spelling that the shell reads as the same."""
    at = draw(st.integers(1, max(1, len(word) - 1)))
    kind = draw(st.sampled_from(("plain", "single", "double", "split", "escaped")))
    return {
        "plain": word,
        "single": f"'{word}'",
        "double": f'"{word}"',
        "split": f"{word[:at]}''{word[at:]}",
        "escaped": f"{word[:at]}\\{word[at:]}" if word[at:] else word,
    }[kind]


@st.composite
def disguised(draw: st.DrawFn) -> tuple[tuple[str, ...], str]:
    """A guarded command in a wrapper, its words spelled in other ways."""
    words = draw(st.sampled_from(tuple(COMMANDS)))
    spelled = [draw(quoted(word)) for word in words]
    renamed = draw(st.sampled_from(("", "/usr/bin/", "./bin/")))
    line = renamed + " ".join(spelled) if spelled[0] == words[0] else " ".join(spelled)
    wrapper = draw(st.sampled_from(WRAPPERS))
    if "{d}" in wrapper or wrapper.startswith("X="):  # no shell reads these words
        line = " ".join(words)
    return words, wrapper.format(
        line, q=shlex.quote(line), d='"' + " ".join(words) + '"'
    )


@given(disguised())
def test_no_disguise_makes_a_stopped_command_pass_silently(case) -> None:
    words, text = case
    assert stopped(words, text), text


@given(st.sampled_from(tuple(COMMANDS)), st.sampled_from(WRAPPERS))
def test_a_harmless_command_passes_in_every_disguise(words, wrapper) -> None:
    other = " ".join(COMMANDS[words])
    text = wrapper.format(other, q=shlex.quote(other), d=f'"{other}"')
    assert not stopped(words, text), text
