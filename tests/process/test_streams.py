"""The program as a process: its streams, its surroundings, an interrupt."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import pairs
from tests.forked import Answer, forked
from tests.world import World, make_repository

DECREE = "never email Zoë 刷新 ❤️"
TOOLMEM = (sys.executable, "-m", "toolmem")
PROMPT = ("prompt", "--project", "mech-fighters", "--agent-type", "coding")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


@pytest.fixture
def vault(tmp_path) -> Path:
    """The template, and a rule that is not ASCII."""
    world = World(tmp_path / "vault").vault("template")
    done = world.call("rule", "add", "shell", DECREE, "-p", "critical")
    assert done.code == 0, done.stderr
    return world.root


def run(
    vault: Path, *words: str, shell: str = "", **env: str
) -> "subprocess.CompletedProcess[bytes]":
    """Run one command line in the vault; ``shell`` is put behind it, for a shell."""
    command = [*TOOLMEM, *words]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    return subprocess.run(
        command,
        cwd=vault,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    "words", [PROMPT, ("rule", "list"), ("rule", "list", "--json"), ("check", "--json")]
)
def test_whoever_has_read_enough_may_close_the_pipe(vault, words):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [*TOOLMEM, *words],
            cwd=vault,
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_the_output_is_told(vault):
    done = run(vault, *PROMPT, shell="> /dev/full")
    assert done.returncode == 15
    assert done.stderr.decode() == FULL


FULL = "toolmem: the output: No space left on device; any change is stored already\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_change_is_stored_although_its_answer_cannot_be_written(vault):
    done = run(vault, "fact", "set", "a", "b", shell="> /dev/full")
    assert (done.returncode, done.stderr.decode()) == (15, FULL)
    assert run(vault, "fact", "get", "a").stdout == b"b\n"


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    ("redirection", "words", "code"),
    [
        (">&-", PROMPT, 0),
        ("2>&-", ("fact", "get", "nope"), 12),
        (">&- 2>&-", ("rule", "why", "nope"), 12),
        ("<&-", ("rule", "add", "shell", "-"), 2),
        ("<&- >&- 2>&-", ("rule", "add", "shell", "x"), 0),
    ],
)
def test_closed_streams_are_no_crash(vault, redirection, words, code):
    done = run(vault, *words, shell=redirection)
    assert done.returncode == code, done.stderr
    assert b"bug" not in done.stderr


ELSEWHERE = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "the C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "no locale": {"LC_ALL": "", "LANG": ""},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "a narrow terminal": {"COLUMNS": "20", "TERM": "dumb"},
    "optimised": {"PYTHONOPTIMIZE": "2"},
}


@pytest.mark.one_of(4)
@pytest.mark.parametrize(
    ("env", "command"), pairs(ELSEWHERE, ("prompt", "rule list", "rule list --json"))
)
def test_the_same_bytes_are_printed_everywhere(vault, env, command):
    words = PROMPT if command == "prompt" else command.split()
    here = forked("commands").python(["-m", "toolmem", *words], vault)
    there = run(vault, *words, **env)
    assert here.stdout == there.stdout
    assert DECREE.encode() in there.stdout
    assert (there.returncode, there.stderr) == (0, b"")


SAID = {
    "--help": {0},
    "rule edit --help": {0},
    "rule list --Zoë": {2},
    "rule show Zoë": {12},
    # Where the system says that names are ASCII this one is refused.
    "prompt --project Zoë": {0, 2},
}


@pytest.mark.one_of(2)
@pytest.mark.parametrize(("env", "command"), pairs(ELSEWHERE, (*SAID,)))
def test_help_and_errors_are_printed_in_any_encoding(vault, env, command):
    done = run(vault, *command.split(), **env)
    assert done.returncode in SAID[command], done.stderr
    assert b"bug" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_terminal_gets_no_control_character_that_a_vault_holds(vault):
    rule = 'id = "x"\nrule = "never \\u001b]52;c;eA==\\u0007 \\u009b2J \\u202e push"\n'
    vault.joinpath("system/rules/shell/x.toml").write_text(rule)
    bad = ("rule", "show", "\x1b[2Jno\x9bne")
    for words in (
        ("rule", "list"),
        ("rule", "show", "x"),
        ("check",),
        ("prompt",),
        bad,
    ):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*TOOLMEM, *words], cwd=vault, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side closes
            while data := os.read(ours, 1 << 16):
                shown += data
        os.close(ours)
        assert process.wait() in (0, 1, 12)
        text = shown.decode().replace("\r\n", "\n")
        assert [c for c in text if c != "\n" and not c.isprintable()] == []
        assert text


def test_a_working_folder_that_was_deleted_is_no_crash(vault, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    script = 'rmdir "$PWD"; "$@"'
    for words, code in ((("--vault", str(vault), "check"), 0), (("check",), 10)):
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            ["sh", "-c", script, "sh", *TOOLMEM, *words],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        assert done.returncode == code, done.stderr


def test_a_folder_below_a_vault_that_was_deleted_still_leads_to_it(vault):
    folder = vault / "work"
    folder.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD"; "$@"', "sh", *TOOLMEM, "fact", "get", "language"],
        cwd=folder,
        env={**os.environ, "PWD": str(folder)},
        capture_output=True,
        check=False,
    )
    assert done.stdout == b"English, plain words, no marketing\n"


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN,
    reason="interrupts are ignored here, as for a job in the background",
)
def test_an_interrupt_ends_with_130_and_changes_nothing(vault, tmp_path):
    script = tmp_path / "editor.py"
    script.write_text(
        f"import os\nos.kill(os.getppid(), {int(signal.SIGINT)})\n"
        "input()\n"  # ends when the program that waits for it does
    )
    [rule] = vault.glob("system/rules/_any/*.toml")
    before = rule.read_bytes()
    with subprocess.Popen(
        [*TOOLMEM, "rule", "edit", "6513270e"],
        cwd=vault,
        env={**os.environ, "EDITOR": f"'{sys.executable}' '{script}'"},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.wait() == 130
    assert rule.read_bytes() == before


def test_without_git_the_vault_works_and_history_says_why_not(
    vault, tmp_path, monkeypatch
):
    def answer(*words: str, folder: Path = vault) -> Answer:
        return forked("commands").python(["-m", "toolmem", *words], folder)

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert answer(*PROMPT).code == 0
    assert answer("rule", "add", "git", "x").code == 0
    assert answer("rule", "why", "9531985d").code == 0
    made = answer("init", "new", folder=tmp_path)
    assert made.code == 0
    assert "git is not installed" in made.stderr
    make_repository(vault)
    asked = answer("prompt", "--at", "HEAD")
    assert (asked.code, asked.stdout) == (15, b"")
    assert asked.stderr.startswith("toolmem: git is not installed")


def test_a_bug_leaves_a_log_and_no_traceback(vault, tmp_path):
    code = (
        "import sys\n"
        "from toolmem.ops.doctor import check\n"
        "assert check._ordered\n"  # its code runs now, not over the next line
        "check._ordered = None\n"
        "from toolmem.__main__ import main\n"
        "sys.argv[1:] = ['check']\n"
        "main()\n"
    )
    state = tmp_path / "state"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=vault,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        capture_output=True,
        check=False,
    )
    log = state / "toolmem" / "crash.log"
    assert done.returncode == 3
    assert done.stderr.decode() == (
        f"toolmem: TypeError: a bug in toolmem; see {log}\n"
    )
    assert "Traceback" in log.read_text()
    assert log.read_text().startswith("toolmem 0.")
