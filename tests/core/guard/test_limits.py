"""The manual's list of what the guard does not see is true: each line is played."""

import re
from pathlib import Path

import pytest

from tests.core.guard.calling import CWD, HOME
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derive import derive_guards
from toolmem.core.guard.verdict import match_guard
from toolmem.core.model import Action
from toolmem.core.rules.guard_table import parse_guards

MANUAL = Path(__file__).parents[3] / "man/toolmem-vault.5"
FORCED = "never force-push"
FRESH = {
    f"{CWD}/p.sh": "git push --force\n",
    f"{CWD}/p.py": "import os\nos.system('git push --force')\n",
}
"""Scripts that were changed within the last hour."""

# The first words of each line of the list, a rule, and calls with their verdicts.
PLAYED = """
what a program does by itself
never force-push
  allow make deploy
  allow ./there-before.sh
  allow docker build -f Dockerfile .
  ask sh p.sh
  ask python3 p.py
  ask printf 'git push --force' > q.sh; sh q.sh
  ask echo 'a: ; git push --force' > Makefile; make a
words that only the shell knows
never force-push
  allow git push "$X"
  ask git push $X
  ask $X push --force
  deny X=--force; git push $X
  ask $(rev <<< tig) fetch
  ask X=fetch; [ -e a ] && X=push; git $X --force
the output of another command
never read secrets.yml
  allow cat $(ls)
programs in other languages
never force-push
  allow python3 -c "import base64; exec(base64.b64decode('eA=='))"
  ask python3 -c "import os; os.system('git push --force')"
other ways to the same end
never force-push
  deny gh api -X PATCH repos/a/b/git/refs/heads/x -F force=true
  deny gh repo sync --force
  allow curl -X PATCH https://api.github.com/repos/a/b/git/refs/heads/x
  allow lazygit
never use `git branch -D`
  deny git update-ref -d refs/heads/x
the settings of
never push to main
  deny git push
  deny git -c remote.o.push=main push o
  deny git config remote.o.push main; git push o
--force-with-lease as a force-push
never force-push
  allow git push --force-with-lease
never use `git push --force-with-lease`
  deny git push --force-with-lease
a dry run as a break
never run `git clean -f`
  allow git clean -n -f
  allow git clean --help
"""


def bullets() -> list[str]:
    """The lines of the list, without marks of the format."""
    text = MANUAL.read_text(encoding="utf-8")
    listed = text.split('.SS "What the guard does not do"')[1].split("\n.PP\n")[1]
    plain = re.sub(r"\\f[BRI]|\\%", "", listed).replace("\\-", "-")
    return [part.strip() for part in plain.split(".IP \\(bu 2\n")[1:]]


def played() -> list[tuple[str, str, str, str]]:
    rows, start, sentence = [], "", ""
    for line in PLAYED.strip().splitlines():
        if line.startswith("  "):
            wanted, call = line.split(maxsplit=1)
            rows.append((start, sentence, call, wanted))
        elif line.startswith("never"):
            sentence = line
        else:
            start = line
    return rows


def test_every_line_of_the_list_is_played():
    starts = list(dict.fromkeys(row[0] for row in played()))
    assert [
        one for line, one in zip(bullets(), starts, strict=True) if line.startswith(one)
    ] == starts


@pytest.mark.parametrize(("start", "sentence", "call", "wanted"), played())
def test_a_line_of_the_list_is_true(start, sentence, call, wanted):
    tool = ToolCall(
        "Bash", {"command": call}, CWD, HOME,
        branch=lambda _: "main", script=lambda path: FRESH.get(path, ""),
    )  # fmt: skip
    reading = CallAnalysis(tool, read_shell)
    guards, _ = parse_guards(derive_guards(sentence, "_any"), path="rule.toml")
    matches = [match for guard in guards if (match := match_guard(guard, reading))]
    actions = [match.action for match in matches]
    assert max(actions, key=lambda one: one.rank, default=Action.ALLOW) == wanted
