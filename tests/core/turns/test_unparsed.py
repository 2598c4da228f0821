"""A command is left unparsed only where parsing would find nothing in it."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.disguises import STILL_RUNS
from tests.core.turns.test_danger import DANGEROUS, HARMLESS
from toolmem.core.turns import danger, deletions

COMMANDS = [
    *DANGEROUS.strip().split("\n"),
    *HARMLESS.strip().split("\n"),
    *("git mv a b", "mv a.py b.py", "unlink x", "cd x && rm a", "git -C x rm a"),
    *("gh repo sync me/x --force", "gh api -X DELETE repos/a/b/git/refs/heads/x"),
    *("git push --mirror", "git push -uf", "git update-ref -d x", "telinit 6"),
    *("ip6tables -F", "nft flush ruleset", "aws s3 rb x", "gsutil -m rm a"),
    *("heroku pg:reset", "cryptsetup luksFormat x", "git reflog expire --all"),
    *("docker volume prune", "az group delete", "mv a /dev/null", "redis-cli flushdb"),
    *("npm run test", "git rm -r x", "docker volume rm x", "init 0", "zpool destroy x"),
]
WORDS = sorted({word for command in COMMANDS for word in command.split()})
JOINTS = (" ", " && ", "; ", " | ", "\n", "", "-", '"', "'", "\\\n", " < ", " & ")


def unparsed(monkeypatch, command):
    """What the two checks find, as they are and when they parse everything."""

    def both():
        removed = deletions.removed_files(command, lambda path, base: True)
        return danger.is_dangerous_command(command), removed

    found = both()
    with monkeypatch.context() as patch:
        for module in (danger, deletions):
            patch.setattr(module, "may_name", lambda source, names: True)
        return found, both()


@pytest.mark.one_of(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_read_as_if_all_were_parsed(command, monkeypatch):
    wrapped = f"bash -c {shlex.quote(command)}"
    disguised = (disguise(command) for disguise in STILL_RUNS.values())
    for text in (command, command.upper(), wrapped, *disguised):
        found, parsed = unparsed(monkeypatch, text)
        assert found == parsed


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOINTS)), max_size=8))
def test_any_text_is_read_as_if_all_were_parsed(pieces):
    with pytest.MonkeyPatch.context() as monkeypatch:
        found, parsed = unparsed(monkeypatch, "".join(map("".join, pieces)))
    assert found == parsed


@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_any_words_are_read_as_if_all_were_parsed(command):
    with pytest.MonkeyPatch.context() as monkeypatch:
        found, parsed = unparsed(monkeypatch, command)
    assert found == parsed
