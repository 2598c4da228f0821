"""Journals of hooks: nothing is lost, mixed or read twice."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.program import ROOT
from toolmem.core import limits
from toolmem.errors import StorageError
from toolmem.store.files.layout import STATE
from toolmem.store.journal import journal

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def outside() -> list[Path]:
    state = Path.home() / ".local/state/toolmem/sessions"
    return [path for path in state.rglob("*") if path.is_file()]


def test_lines_come_back_in_order_and_once(root):
    for number in range(3):
        journal.append(root, "s-1", {"n": number})
    journal.append(root, "s-2", {"n": 9})
    assert journal.names(root) == ("s-1", "s-2")
    assert [line["n"] for line in journal.read(root, "s-1")] == [0, 1, 2]
    taken = journal.take(root, "s-1")
    assert [line["n"] for line in taken.lines] == [0, 1, 2]
    assert journal.take(root, "s-1").lines == ()
    journal.append(root, "s-1", {"n": 3})
    journal.forget(taken)
    assert [line["n"] for line in journal.take(root, "s-1").lines] == [3]
    assert not outside()


def test_the_folder_is_ignored_by_git_and_closed_to_others(root):
    journal.append(root, "s", {})
    assert (root / STATE / ".gitignore").read_text().endswith("*\n")
    folder = root / STATE / "sessions"
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "s.jsonl").stat().st_mode & 0o777 == 0o600


def test_lines_that_nobody_worked_on_come_back(root):
    journal.append(root, "s", {"n": 1})
    taken = journal.take(root, "s")
    journal.append(root, "s", {"n": 2})
    journal.give_back(taken)
    assert [line["n"] for line in journal.take(root, "s").lines] == [1, 2]


_DIES = """
import os, sys
from pathlib import Path
from toolmem.store.journal import journal
taken = journal.take(Path(sys.argv[1]), "s")
print(len(taken.lines), flush=True)
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""


def test_lines_that_a_process_works_on_are_its_own_until_it_dies(root):
    journal.append(root, "s", {"n": 1})
    holder = subprocess.Popen(
        [sys.executable, "-c", _DIES, str(root)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "1\n"
    assert journal.take(root, "s").lines == ()
    journal.append(root, "s", {"n": 2})
    holder.communicate("\n")
    assert journal.abandoned(root) == ("s",)
    assert [line["n"] for line in journal.take(root, "s").lines] == [1, 2]


def test_no_line_is_lost_while_others_take_the_journal(root):
    found: list[int] = []

    def write() -> None:
        for number in range(300):
            journal.append(root, "s", {"n": number})

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        taken = journal.take(root, "s")
        found += [line["n"] for line in taken.lines]
        journal.forget(taken)
    found += [line["n"] for line in journal.take(root, "s").lines]
    assert sorted(found) == list(range(300))


def test_the_lines_of_single_files_can_be_left_out(root):
    journal.append(root, "s", {"n": 1})
    first = journal.take(root, "s")
    journal.give_back(first)
    journal.append(root, "s", {"n": 2})
    taken = journal.take(root, "s")
    assert [line["n"] for line in taken.lines] == [1, 2]
    assert [line["n"] for line in taken.without({first.files[0].name}).lines] == [2]


def test_a_line_that_was_cut_off_is_passed_over(root):
    journal.append(root, "s", {"n": 1})
    path = root / STATE / "sessions" / "s.jsonl"
    with path.open("ab") as file:
        file.write(b'{"n": 2\n[1]\n\xff\xff\n' + b"[" * 100_000 + b'\n{"n": 3}\n{"n"')
    assert [line["n"] for line in journal.take(root, "s").lines] == [1, 3]


def test_writers_at_once_mix_no_lines(root):
    def write(writer: int) -> None:
        for number in range(50):
            journal.append(root, "s", {"w": writer, "n": number, "x": "é" * 500})

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = journal.take(root, "s").lines
    assert len(lines) == 200
    for writer in range(4):
        mine = [line["n"] for line in lines if line["w"] == writer]
        assert mine == list(range(50))


@posix
@pytest.mark.parametrize("kind", ["file", "link", "sessions", "pipe"])
def test_where_the_vault_cannot_be_written_the_user_s_state_is(root, tmp_path, kind):
    state = root / STATE
    if kind == "file":
        state.write_text("in the way")
    elif kind == "link":
        state.symlink_to(tmp_path)
    else:
        (state / "sessions").mkdir(parents=True)
        if kind == "sessions":
            (state / "sessions").rmdir()
            (state / "sessions").symlink_to(tmp_path)
        else:
            os.mkfifo(state / "sessions" / "s.jsonl")
    journal.append(root, "s", {"n": 1})
    assert len(outside()) == 1
    assert journal.is_there(root, "s")
    assert journal.names(root)[-1:] == ("s",)
    assert [line["n"] for line in journal.take(root, "s").lines] == [1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vault"]


def test_lines_of_the_vault_and_of_the_user_s_state_come_together(root):
    journal.append(root, "s", {"n": 1})
    journal.append(root, "s", {"n": 2}, outside=True)
    taken = journal.take(root, "s")
    assert [line["n"] for line in taken.lines] == [1, 2]
    journal.forget(taken)
    assert not outside()


def test_where_nothing_can_be_written_that_is_said(root, tmp_path, monkeypatch):
    (root / STATE).write_text("in the way")
    (tmp_path / "state").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pytest.raises(StorageError, match=r"is a file, not a folder|File exists"):
        journal.append(root, "s", {})


def test_a_journal_does_not_grow_without_end(root, monkeypatch):
    monkeypatch.setattr(limits, "JOURNAL_BYTES", 1000)
    line = {"x": "y" * 600}
    journal.append(root, "s", line)
    journal.append(root, "s", line)  # the vault's is full: it goes to the user's
    with pytest.raises(StorageError, match="bytes wait"):
        journal.append(root, "s", line)
    assert len(journal.take(root, "s").lines) == 2
    journal.append(root, "s", line)


def test_what_nobody_asks_for_goes_after_a_month(root):
    journal.append(root, "old", {"n": 1})
    journal.append(root, "new", {"n": 1})
    long_ago = time.time() - 40 * 86_400
    os.utime(root / STATE / "sessions" / "old.jsonl", (long_ago, long_ago))
    journal.sweep(root)
    assert journal.names(root) == ("new",)


@pytest.mark.parametrize(
    "session",
    [
        "",
        "..",
        "../../x",
        "a/b",
        "A",
        "a",
        "é",
        "x" * 500,
        "con",
        "a.told",
        "\ud800",
        "\0",
    ],
)
def test_any_session_has_a_name_of_its_own(root, session):
    name = journal.name_of(session)
    assert "." not in name
    journal.append(root, name, {"session": json.loads(json.dumps(session))})
    [path] = (root / STATE / "sessions").iterdir()
    assert path.name == f"{name}.jsonl"
    others = {journal.name_of(other) for other in ("s-1", "S-1", "a-told", "-")}
    assert name not in others
