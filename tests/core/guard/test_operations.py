"""A ban on a file means the same in every tool and in the shell."""

import pytest

from tests.core.guard.calling import CWD, HOME, guard_of
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.verdict import match_guard


def verdict(table, tool, arguments, branch="") -> str:
    call = ToolCall(tool, arguments, CWD, HOME, branch=lambda _: branch)
    match = match_guard(guard_of(table), CallAnalysis(call, read_shell))
    return match.action.value if match else "allow"


def shell(table, command, branch="") -> str:
    return verdict(table, "Bash", {"command": command}, branch)


CHANGE = {"path": "gen/", "operation": "change"}
DELETE = {"path": "~/notes", "operation": "delete"}
READ = {"path": ".env", "operation": "read"}


@pytest.mark.parametrize(
    "command",
    [
        "echo x > gen/a.py",
        "echo x >> gen/a.py",
        "cat a | tee gen/a.py",
        "sed -i s/a/b/ gen/a.py",
        "perl -pi -e s/a/b/ gen/a.py",
        "cp a.py gen/",
        "mv gen/a.py .",
        "mv a.py gen/a.py",
        "rm gen/a.py",
        "rm -r gen",
        "ln -sf a.py gen/a.py",
        "truncate -s 0 gen/a.py",
        "dd if=a of=gen/a.py",
        "git checkout -- gen/a.py",
        "git restore gen/",
        "git rm gen/a.py",
        "cat > gen/a.py <<'E'\nx\nE",
        "cd gen && echo x > a.py",
        "find gen -name '*.py' -exec rm {} +",
        "find gen -type f | xargs rm",
        "apply_patch <<'E'\n*** Begin Patch\n*** Update File: gen/a.py\nE",
        "curl -o gen/a.py https://x.example",
    ],
)
def test_the_shell_changes_files_in_many_ways(command) -> None:
    assert shell(CHANGE, command) == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "cat gen/a.py",
        "grep x gen/a.py",
        "ls gen",
        "cp gen/a.py /tmp/",
        "echo x > other/a.py",
        "git diff gen/",
        "sed -n p gen/a.py",
        "rm -r other",
        "find gen -name '*.py'",
        "python gen/a.py > out.txt",
    ],
)
def test_reading_a_file_is_no_change(command) -> None:
    assert shell(CHANGE, command) == "allow"


def test_a_program_that_may_write_the_file_asks() -> None:
    code = "python - <<E\nopen('gen/a.py', 'w').write('x')\nE"
    assert shell(CHANGE, code) == "ask"
    assert shell(CHANGE, "python - <<E\nprint(open('gen/a.py').read())\nE") == "allow"


@pytest.mark.parametrize(
    ("tool", "arguments", "wanted"),
    [
        ("Edit", {"file_path": f"{CWD}/gen/a.py", "new_string": "x"}, "deny"),
        ("Write", {"file_path": "gen/a.py", "content": "x"}, "deny"),
        ("NotebookEdit", {"notebook_path": "gen/a.ipynb"}, "deny"),
        ("mcp__files__move_file", {"source": "gen/a", "to": "b"}, "deny"),
        ("apply_patch", {"input": "*** Delete File: gen/a.py"}, "deny"),
        ("apply_patch", {"input": "--- a/gen/a.py\n+++ b/gen/a.py\n"}, "deny"),
        ("Read", {"file_path": "gen/a.py"}, "allow"),
        ("Edit", {"file_path": "src/a.py"}, "allow"),
    ],
)
def test_tools_that_change_files_are_covered(tool, arguments, wanted) -> None:
    assert verdict(CHANGE, tool, arguments) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("rm -rf ~/notes", "deny"),
        ("rm -rf ~", "deny"),
        ("rm -rf /", "deny"),
        ("mv ~/notes /tmp/", "deny"),
        ("find ~ -delete", "deny"),
        ("find ~/notes -name '*.md' -delete", "deny"),
        ("sudo -D /home/me rm -rf notes", "deny"),
        ("git -C /home/me/notes rm a.md", "deny"),
        ("python -c 'import shutil; shutil.rmtree(\"/home/me/notes\")'", "ask"),
        ("rm -rf ~/other", "allow"),
        ("echo x > ~/notes/a.md", "allow"),
        ("find ~ -name '*.pyc' -delete", "allow"),
    ],
)
def test_deleting_covers_the_folders_above_and_moving_away(command, wanted) -> None:
    assert shell(DELETE, command) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("cat .env", "deny"),
        ("grep KEY .env", "deny"),
        ("source .env", "deny"),
        ("node --env-file=.env x.js", "deny"),
        ("git show HEAD:.env", "deny"),
        ("cat ${F:-.env}", "deny"),
        ("ls -la .env", "allow"),
        ("echo X=1 >> .env", "allow"),
        ("git add .env", "allow"),
    ],
)
def test_a_ban_on_reading_covers_readers_of_the_shell(command, wanted) -> None:
    assert shell(READ, command) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("rm /etc/hosts", "deny"),
        ("rm src/a.py", "allow"),
        ("rm /tmp/a", "allow"),
        ("rm /tmp/a /etc/hosts", "deny"),
        ("make > /dev/null", "allow"),
    ],
)
def test_outside_is_every_other_folder(command, wanted) -> None:
    table = {"path": {"outside": [".", "/tmp"]}, "operation": "change"}
    assert shell(table, command) == wanted


def test_an_exception_lets_only_the_certain_call_through() -> None:
    table = {
        "action": "ask",
        "command": ["terraform", "apply"],
        "unless": {"command": ["terraform", "apply", "-var-file"]},
    }
    assert shell(table, "terraform apply -var-file=a.tfvars") == "allow"
    assert shell(table, "terraform apply") == "ask"
    assert shell(table, "terraform apply $X") == "ask"
    both = "terraform apply -var-file=a && terraform apply"
    assert shell(table, both) == "ask"


def test_every_file_of_a_call_must_be_excepted() -> None:
    table = {"command": ["rm"], "unless": {"path": "/tmp"}}
    assert shell(table, "rm /tmp/a /tmp/b") == "allow"
    assert shell(table, "rm /tmp/a ~/b") == "deny"


def test_the_branch_is_known_from_the_text_or_from_the_folder() -> None:
    table = {"command": ["git", "commit"], "branch": "main"}
    assert shell(table, "git commit -m x") == "allow"
    assert shell(table, "git commit -m x", branch="main") == "deny"
    assert shell(table, "git commit -m x", branch="topic") == "allow"
    assert shell(table, "git checkout main && git commit -m x", "topic") == "ask"
    assert shell(table, "git switch -c topic && git commit -m x", "main") == "allow"


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("git push", {"main": "deny", "topic": "allow", None: "ask", "": "allow"}),
        ("git push origin", {"main": "deny", "topic": "allow", None: "ask"}),
        ("git push -u origin HEAD", {"main": "deny", "topic": "allow", None: "ask"}),
        ("git push origin topic", {"main": "allow", None: "allow"}),
        ("git push origin HEAD:topic", {"main": "allow", None: "allow"}),
        ("git push --tags", {"main": "allow", None: "allow"}),
        ("git push --all", {"main": "ask", "topic": "ask"}),
        ("git checkout main && git push", {"topic": "ask"}),
        ("git checkout - && git push", {"topic": "ask"}),
        ("git checkout -b topic && git push", {"main": "allow"}),
        ("git checkout a.py && git push", {"main": "deny", "topic": "allow"}),
        ("git checkout main -- a && git push", {"topic": "allow"}),
        ('cd "$X" && git push', {"topic": "ask"}),
        ("git --git-dir=/x/.git push", {"topic": "ask"}),
        ("git push origin main", {"topic": "deny", None: "deny"}),
    ],
)
def test_a_push_that_names_no_branch_pushes_the_one_checked_out(command, wanted):
    table = {"command": ["git", "push"], "glob": ["main", "*:main"]}
    for branch, answer in wanted.items():
        assert shell(table, command, branch) == answer, branch


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("gh api -X PATCH repos/o/r/git/refs/heads/x -f sha=1 -F force=true", "deny"),
        ("gh api --method=PATCH repos/o/r/git/refs/heads/x -f sha=1", "allow"),
        ("gh api -X PATCH repos/o/r/git/refs/heads/x --input body.json", "ask"),
        ("gh api repos/o/r/git/refs/heads/x", "allow"),
        ("gh api -X PATCH repos/o/r -F force=true", "allow"),
        ("gh api -X PATCH repos/o/r/git/refs/heads/x --input - <<< "
         "'{\"sha\": \"1\", \"force\": true}'", "deny"),
        ("gh api graphql -f query='mutation {updateRef(input: {force: true}) {x}}'",
         "deny"),
        ("gh repo sync --force", "deny"),
        ("gh repo sync o/fork -b topic --force", "deny"),
        ("gh repo sync", "allow"),
    ],
)  # fmt: skip
def test_a_push_through_github_s_client_counts_as_one(command, wanted) -> None:
    assert shell({"command": ["git", "push", "--force"]}, command) == wanted


def test_it_names_its_branch() -> None:
    table = {"command": ["git", "push"], "glob": "main"}
    patch = "gh api -X PATCH repos/o/r/git/refs/heads/{} -f sha=1"
    assert shell(table, patch.format("main")) == "deny"
    assert shell(table, patch.format("topic")) == "allow"
    delete = {"command": ["git", "push", "--delete"]}
    assert shell(delete, "gh api -X DELETE repos/o/r/git/refs/heads/x") == "deny"
