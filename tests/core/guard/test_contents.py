"""What a call adds to files and messages, and the bans that are about it."""

import pytest

from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derivation.describe import effect
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.guard.verdict import match_guard
from toolmem.core.rules.guard_table import parse_guards

LOG = {"adds": "console.log"}
BOT = {"adds": "Co-Authored-By", "command": [["git", "commit"], ["gh", "pr"]]}
OLD = "let a = 1;\nconsole.log(a);\n"


def DISK(path: str) -> str:  # noqa: N802 -- the files of the project
    return OLD if path == "/p/a.ts" else ""


HEREDOC = "git commit -m \"$(cat <<'EOF'\nfix: x\n\nCo-authored-by: Bot <b@x>\nEOF\n)\""


def why(table, tool, **arguments) -> str:
    """The reason of a guard for a call; empty if it does not match."""
    (guard,), problems = parse_guards([table], path="x")
    assert problems == ()
    call = ToolCall(tool, arguments, "/p", "/h", read=DISK)
    found = match_guard(guard, CallAnalysis(call, read_shell))
    return found.why if found else ""


def test_the_reason_names_file_and_line():
    new = "console.log(a);\n  console.log(b);"
    edit = {"old_string": "console.log(a);", "new_string": new}
    added = "adds console.log(b); to"
    assert why(LOG, "Edit", file_path="/p/a.ts", **edit) == f"{added} /p/a.ts:3"
    assert why(LOG, "Edit", file_path="/p/b.ts", **edit) == f"{added} /p/b.ts"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/p/b.ts", "content": "console.log(1)"}),
        ("Write", {"file_path": "/p/a.ts", "content": OLD + "console.log(2);"}),
        ("MultiEdit", {"file_path": "b.ts", "edits": [
            {"old_string": "x", "new_string": "console.log(x)"}]}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: b.ts\n"
                         "@@\n-a()\n+console.log(a)\n*** End Patch"}),
        ("NotebookEdit", {"notebook_path": "/p/n.ipynb", "new_source": "console.log(1)",
                          "edit_mode": "insert"}),
        ("write_file", {"path": "b.ts", "content": "console.log(1)"}),
        ("Bash", {"command": "cat > b.ts <<'E'\nconsole.log(1)\nE"}),
        ("Bash", {"command": "echo 'console.log(1)' >> a.ts"}),
        ("Bash", {"command": "sed -i 's/debug(x)/console.log(x)/' b.ts"}),
        ("Bash", {"command": "git commit -m 'use console.log'"}),
    ],
)  # fmt: skip
def test_what_is_added_is_seen_in_every_tool(tool, arguments):
    assert why(LOG, tool, **arguments) != ""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/p/a.ts", "content": "console.log(a);\nlet a = 1;\n"}),
        ("Edit", {"file_path": "/p/b.ts", "old_string": "console.log(1)",
                  "new_string": "debug(1)"}),
        ("Edit", {"file_path": "/p/b.ts", "old_string": "x",
                  "new_string": "myconsole.logger(x)"}),
        ("Write", {"file_path": "/p/notes.md", "content": "no console.log here"}),
        ("Bash", {"command": "sed -i 's/console.log(x)/debug(x)/' b.ts"}),
        ("Bash", {"command": "grep -rn console.log src > found.json"}),
        ("Read", {"file_path": "/p/console.log"}),
    ],
)  # fmt: skip
def test_what_was_there_and_what_only_mentions_it_is_not_added(tool, arguments):
    assert why(LOG, tool, **arguments) == ""


def test_with_a_path_only_its_files_count():
    table = {**LOG, "path": "src/"}
    assert why(table, "Write", file_path="/p/src/a.js", content="console.log(1)")
    assert not why(table, "Write", file_path="/p/lib/a.js", content="console.log(1)")
    assert not why(table, "Bash", command="git commit -m 'drop console.log'")
    prose = {**LOG, "path": "*.md"}
    assert why(prose, "Write", file_path="/p/a.md", content="console.log")


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m x -m 'Co-authored-by: Bot <b@x>'",
        "git commit -F - <<'M'\nx\n\nCo-Authored-By: Bot\nM",
        HEREDOC,
        "git commit -m x --trailer 'Co-Authored-By: Bot'",
        "gh pr create --title x --body 'Co-Authored-By: Bot'",
    ],
)
def test_a_trailer_is_found_in_any_message_without_case(command):
    assert why(BOT, "Bash", command=command) != ""
    assert why(BOT, "Bash", command=f"cd x && {command}") != ""


def test_a_comment_on_a_pull_request_is_no_message_of_it():
    [table] = derived_guards("No `WIP:` in commit messages", "_any")
    assert why(table, "Bash", command="gh pr edit 3 --body 'WIP: x'") != ""
    assert why(table, "Bash", command="gh pr comment 3 --body 'WIP: x'") == ""


def test_a_guard_on_messages_leaves_files_and_other_commands_alone():
    assert why(BOT, "Bash", command="git log --grep Co-Authored-By") == ""
    assert why(BOT, "Write", file_path="/p/a.py", content="Co-Authored-By") == ""


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("never leave `console.log` in code", "adds `console.log`: denied"),
        ("no `@ts-ignore`", "adds `@ts-ignore`: denied"),
        ("don't use `eval()` in our components", "adds `eval(`: denied"),
        ("stop adding # TODO comments", "adds `# TODO`: denied"),
        ("no Co-Authored-By lines in commits",
         "adds `Co-Authored-By` to a commit or pull request: denied"),
        ("Never use `as any` in TypeScript",
         "adds `as any` to `*.ts`, `*.tsx`: denied"),
        ("pls dont use Time.now", "adds `Time.now`: denied"),
        ("we do not allow # noqa in this code base", "adds `# noqa`: denied"),
        ("In Go files, never call panic(", "adds `panic(` to `*.go`: denied"),
        ("Python code must not use os.system", "adds `os.system` to `*.py`: denied"),
        ("Keep console.log out of src/", "adds `console.log` to `src/`: denied"),
        ("use logger.info, not console.log", "adds `console.log`: denied"),
        ("Muting a test with xdescribe( isn't ok", "adds `xdescribe(`: denied"),
        ("Never hardcode the address 10.9.8.7", "adds `10.9.8.7`: denied"),
        ("No hacks: don't write innerHTML = in JSX",
         "adds `innerHTML =` to `*.jsx`, `*.tsx`: denied"),
        ("Commit messages never begin with TBD",
         "adds `TBD` to a commit or pull request: denied"),
        ("Strip dbg!( from whatever you commit", "adds `dbg!(`: denied"),
        ("The tree must be free of `System.gc()`", "adds `System.gc(`: denied"),
        ("It is forbidden to use `os.fork` in Python files",
         "adds `os.fork` to `*.py`: denied"),
        ("Keep `a.b()` out of our migrations",
         "adds `a.b(` to `**/migrations/**`, `**/migration/**`: denied"),
        ("There shall be no `HACK` in anything you hand in", "adds `HACK`: denied"),
        ("The name `OldThing` is retired. Do not write it again.",
         "adds `OldThing`: denied"),
        ("When writing Ruby, leave out `&.`", "adds `&.` to `*.rb`, `*.rake`: denied"),
        ("No more print statements, please", "adds `print(`: denied"),
        ("Emit no `puts(` from library modules", "adds `puts(`: denied"),
        ("Suppressions are taboo (# pragma: skip)", "adds `# pragma: skip`: denied"),
        ("Reject every change that brings `pickle.load`",
         "adds `pickle.load`: denied"),
        ("The old guide banned `a.b()`; it was wrong", "advice only"),
        ("You should not have added `a.b()` there", "advice only"),
        ("`a.b()` is not thread-safe", "advice only"),
        ("The parser used to reject `let`, it no longer does.", "advice only"),
        ("You do not have to use `a.b()`", "advice only"),
        ("Users must never see `a.b()` in a reply", "advice only"),
        ("Do not call `a.b()` twice", "advice only"),
        ("Never rename `a.b()`", "advice only"),
        ("Do not add `a.b()` except in tests", "advice only"),
        ("No API calls", "advice only"),
        ("no tabs", "advice only"),
        ("Never write `10.1.0.0/8` in Go files", "adds `10.1.0.0/8` to `*.go`: denied"),
        ("no tabs in Python files", "adds `\t` to `*.py`: denied"),
        ("No calls to ledger.internal", "denies the host `ledger.internal`"),
        ("Never hard-code ledger.internal", "adds `ledger.internal`: denied"),
        ("Don't publish packages: `npm publish` is for CI", "denies `npm publish`"),
        ("Do not add HTML comments", "advice only"),
        ("In a hurry, never use eval(", "advice only"),
        ("Pull requests must not contain emojis", "advice only"),
        ("No `log.raw` (use `log.info`)", "adds `log.raw`: denied"),
        ("`xit(` is banned (`skip(` is alright)", "adds `xit(`: denied"),
        ("charts/ : no `pull: always`", "adds `pull: always` to `charts/`: denied"),
        ("Never run `git push --force`", "denies `git push --force`"),
        ("never leave users without feedback", "advice only"),
        ("don't use `any`", "advice only"),
    ],
)  # fmt: skip
def test_a_ban_on_a_literal_in_code_is_checked(text, effects):
    assert effect(derived_guards(text, "_any")).partition("; allows")[0] == effects


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        (
            "no merging into trunk from your side",
            "denies `git merge` on the branch `trunk`",
        ),
        ("I never want to see you call pkill -9", "denies `pkill -9`"),
        ("yarn add left-pad is a no-go", "denies `yarn add left-pad`"),
    ],
)  # fmt: skip
def test_a_ban_in_other_words_is_read(text, effects):
    assert effect(derived_guards(text, "_any")).partition("; allows")[0] == effects
