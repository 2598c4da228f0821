"""Typed messages that wait: none is lost, stuck, or worked on by two at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import ROOT
from toolmem.errors import StorageError
from toolmem.store.files.layout import STATE
from toolmem.store.journal import message_queue, reserve, state_places, waiting

BAN = {"session": "s-1", "agent": "claude", "cwd": "/x", "text": "never use rsync."}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def add(root: Path, text: str, **more: bool) -> message_queue.Claim:
    claim = message_queue.add(root, {**BAN, "text": text}, **more)
    assert claim is not None
    return claim


def texts(root: Path) -> list[str]:
    found = list(message_queue.claims(root, lambda _: True))
    for claim in found:
        claim.release()
    return [claim.document["text"] for claim in found]


def outside() -> Path:
    return Path.home() / ".local/state/toolmem/waiting"


def test_messages_come_back_oldest_first_until_they_are_finished(root):
    for text in ("one", "two", "three"):
        add(root, text).release()
    assert not waiting.is_empty(root)
    assert texts(root) == ["one", "two", "three"]
    for claim in message_queue.claims(root, lambda _: True):
        claim.finish()
    assert texts(root) == []
    assert waiting.is_empty(root)


def test_a_claimed_message_is_offered_to_no_one_else(root):
    claim = add(root, "one")
    assert texts(root) == []
    assert message_queue.add(root, {**BAN, "text": "one"}) is None
    assert not waiting.is_empty(root)
    claim.release()
    assert texts(root) == ["one"]


def test_the_same_words_of_one_session_are_one_message(root):
    add(root, "one").release()
    add(root, "one").release()
    message_queue.add(root, {**BAN, "text": "one", "session": "s-2"})
    assert message_queue.count(root, lambda _: True) == 2


_DIES = """
import os, sys
from pathlib import Path
from toolmem.store.journal import message_queue
[claim] = message_queue.claims(Path(sys.argv[1]), lambda _: True)
print(claim.document["text"], flush=True)
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""


def test_a_claim_dies_with_its_process(root):
    add(root, "one").release()
    holder = subprocess.Popen(
        [sys.executable, "-c", _DIES, str(root)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "one\n"
    assert texts(root) == []
    holder.communicate("\n")
    assert texts(root) == ["one"]


def test_a_message_that_was_cut_off_is_no_message(root):
    claim = add(root, "one")
    assert claim.path is not None
    claim.path.write_bytes(b'{"text": "on')
    claim.release()
    assert texts(root) == []
    assert waiting.is_empty(root)


def test_a_message_that_was_cut_off_is_completed_when_it_is_added_again(root):
    claim = add(root, "one")
    assert claim.path is not None
    claim.path.write_bytes(b"")
    claim.release()
    add(root, "one").release()
    assert texts(root) == ["one"]


def test_a_message_that_breaks_capture_is_set_aside_and_counted_no_more(root):
    claim = add(root, "one")
    claim.set_aside()
    assert texts(root) == []
    assert [p.suffix for p in (root / STATE / "waiting").iterdir()] == [".failed"]


def test_in_the_user_s_state_only_a_vault_s_own_messages_are_taken(root):
    add(root, "ours", outside=True).release()
    add(root, "theirs", outside=True).release()
    assert len(list(outside().iterdir())) == 2

    def is_ours(document):
        return document["text"] == "ours"

    found = list(message_queue.claims(root, is_ours))
    assert [claim.document["text"] for claim in found] == ["ours"]
    assert message_queue.count(root, is_ours) == 1


def test_where_the_vault_cannot_be_written_the_user_s_state_is(root):
    (root / STATE).write_text("in the way")
    add(root, "one").release()
    assert len(list(outside().iterdir())) == 1
    assert texts(root) == ["one"]


def test_where_nothing_can_be_written_that_is_an_error(root, tmp_path, monkeypatch):
    (root / STATE).write_text("in the way")
    (tmp_path / "state").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pytest.raises(StorageError, match="is a file, not a folder"):
        message_queue.add(root, BAN)


def test_folders_and_files_are_closed_to_others(root):
    before = os.umask(0)
    try:
        message_queue.prepare_reserve(root)
        add(root, "one")
        add(root, "two", outside=True)
    finally:
        os.umask(before)
    places = [root / STATE, outside().parent]
    found = [path for place in places for path in (place, *place.rglob("*"))]
    modes = {
        path.name: oct(path.stat().st_mode & 0o777)
        for path in found
        if path.name != ".gitignore"
    }
    assert set(modes.values()) == {"0o700", "0o600"}
    assert modes["waiting"] == "0o700"
    assert modes[waiting.RESERVE] == "0o600"


def test_the_reserve_takes_messages_without_growing(root):
    place = state_places.in_vault(root, "waiting")
    assert reserve.prepare(place)
    size = (place.path / waiting.RESERVE).stat().st_size
    blocks = (place.path / waiting.RESERVE).stat().st_blocks
    for number in range(100):
        assert reserve.put(place, {**BAN, "text": f"never use tool {number}."})
    found = (place.path / waiting.RESERVE).stat()
    assert (found.st_size, found.st_blocks) == (size, blocks)
    assert [one["text"] for one in reserve.documents(place)] == [
        f"never use tool {number}." for number in range(100)
    ]
    assert not waiting.is_empty(root)
    assert len(texts(root)) == 100
    assert reserve.documents(place) == []
    assert (place.path / waiting.RESERVE).stat().st_size == size


def test_a_reserve_that_is_full_says_no(root):
    place = state_places.in_vault(root, "waiting")
    assert not reserve.put(place, dict(BAN))  # not made yet
    reserve.prepare(place)
    stored = 0
    while reserve.put(place, {**BAN, "text": "é" * 20_000}):
        stored += 1
    assert stored >= 3
    assert len(reserve.documents(place)) == stored


def test_what_cannot_be_moved_out_of_the_reserve_stays(root):
    place = state_places.in_vault(root, "waiting")
    reserve.prepare(place)
    for text in ("one", "two"):
        reserve.put(place, {**BAN, "text": text})
    reserve.move_out(place, lambda document: document["text"] == "one")
    assert [one["text"] for one in reserve.documents(place)] == ["two"]
    reserve.put(place, {**BAN, "text": "three"})
    assert [one["text"] for one in reserve.documents(place)] == ["two", "three"]


def test_a_torn_line_in_the_reserve_is_passed_over(root):
    place = state_places.in_vault(root, "waiting")
    reserve.prepare(place)
    reserve.put(place, {**BAN, "text": "one"})
    with (place.path / waiting.RESERVE).open("r+b") as file:
        file.write(b"\n[[[[")
    reserve.put(place, {**BAN, "text": "two"})
    assert texts(root) == ["two"]
    assert not waiting.has_reserved(place)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_message_is_noticed_anywhere_in_the_reserve(root, share):
    place = state_places.in_vault(root, "waiting")
    assert not waiting.has_reserved(place)
    reserve.prepare(place)
    assert not waiting.has_reserved(place)
    with (place.path / waiting.RESERVE).open("r+b") as file:
        file.seek(int(share * (waiting.RESERVE_BYTES - 1)))
        file.write(b"x")
    assert waiting.has_reserved(place)


def test_two_writers_at_once_store_every_message(root):
    script = (
        "import sys; from pathlib import Path\n"
        "from toolmem.store.journal import message_queue as q\n"
        "for n in range(20):\n"
        "    q.add(Path(sys.argv[1]), {'text': f'{sys.argv[2]} {n}'}).release()\n"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", script, str(root), name], cwd=ROOT)
        for name in "ab"
    ]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert sorted(texts(root)) == sorted(f"{w} {n}" for w in "ab" for n in range(20))
    files = list((root / STATE / "waiting").iterdir())
    assert all(json.loads(path.read_bytes()) for path in files)
