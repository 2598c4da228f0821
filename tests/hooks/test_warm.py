"""Hooks that a helper answers: the same answers, whatever becomes of the helper."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.forked import Answer, forked
from tests.hooks import warm_client
from tests.hooks.players import Claude, Codex, Cursor, Gemini, Player
from tests.hooks.warm_client import Helper, ask, ask_or_run, connected, until
from tests.program import ROOT
from tests.world import World
from toolmem.store.journal import attempt, journal
from toolmem.store.warm import client

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sockets of POSIX")

_ID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{8}\b")
_GUARDED = "git push --force"
_RULE = "system/rules/git/never-force-push-00000001.toml"
_BAN = (
    'id = "00000001"\ntool = "git"\nrule = "never force push"\n'
    'priority = "critical"\n\n'
    '[[guard]]\ncommand = ["git", "push", "--force"]\n'
)
_Send = Callable[[list[str], Path, bytes], Answer]


@pytest.fixture(autouse=True)
def _runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    (runtime / "toolmem/warm").mkdir(parents=True)
    (runtime / "toolmem/warm").chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "vault").write("toolmem.toml", "").write(_RULE, _BAN)


def call(world: World, command: str = _GUARDED, **more: object) -> bytes:
    given = {
        "session_id": "s",
        "cwd": str(world.root),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return json.dumps({**given, **more}).encode()


def typed(world: World, text: str) -> bytes:
    return json.dumps(
        {
            "session_id": "s",
            "cwd": str(world.root),
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        }
    ).encode()


def denied(output: bytes) -> bool:
    document = json.loads(output or b"{}").get("hookSpecificOutput", {})
    return bool(document.get("permissionDecision") == "deny")


@pytest.mark.parametrize(
    "kind",
    [
        Claude,
        pytest.param(Codex, marks=pytest.mark.soak),
        pytest.param(Gemini, marks=pytest.mark.soak),
        pytest.param(Cursor, marks=pytest.mark.soak),
    ],
)
def test_a_session_has_the_same_answers_to_the_byte(tmp_path, kind: type[Player]):
    def answers(send: _Send) -> tuple[list[tuple[str, int, bytes, str]], list[bytes]]:
        home = Path(os.environ["HOME"], ".local")
        for old in (tmp_path / "vault", home):
            shutil.rmtree(old, ignore_errors=True)
        player = kind(World(tmp_path / "vault").vault("template").root)
        found = []
        for name, text in player.every_event("Never email sarah@example.com"):
            done = send(player.argv(name), player.folder, text.encode())
            found.append((name, done.code, _ID.sub(b"#", done.stdout), done.stderr))
        files = (path for path in sorted(player.folder.rglob("*")) if path.is_file())
        return found, [_ID.sub(b"#", os.fsencode(path.name)) for path in files]

    def cold(argv: list[str], cwd: Path, data: bytes) -> Answer:
        return forked().hook(argv, cwd, data, patient=True)

    expected = answers(cold)
    with Helper():
        assert answers(ask) == expected
    assert any(stdout for _, _, stdout, _ in expected[0])


def test_a_helper_is_started_by_a_session_and_ends_with_it(world):
    def event(name: str) -> bytes:
        return call(world, hook_event_name=name, source="startup")

    def pid() -> int:
        return int(warm_client.place().with_suffix(".lock").read_text())

    ask_or_run(["claude"], world.root, event("SessionStart"))
    until(warm_client.place().exists)
    process = pid()
    assert os.getsid(process) != os.getsid(0)
    folder = Path(f"/proc/{process}/fd")
    if folder.exists():
        files = [str((folder / name).readlink()) for name in ("0", "1", "2")]
        assert files == [os.devnull] * 3
    assert denied(ask(["claude"], world.root, call(world)).stdout)
    ask(["claude"], world.root, event("SessionEnd"))
    until(lambda: not _runs(process))
    assert not warm_client.place().exists()


def test_a_helper_stays_for_the_other_session(world):
    with Helper() as helper:
        for session in ("one", "two"):
            ask(["claude"], world.root, call(world, session_id=session))
        over = {"hook_event_name": "SessionEnd"}
        ask(["claude"], world.root, call(world, session_id="one", **over))
        assert denied(ask(["claude"], world.root, call(world)).stdout)
        ask(["claude"], world.root, call(world, session_id="two", **over))
        ask(["claude"], world.root, call(world, session_id="s", **over))
        assert helper.process.wait(30) == 0


def test_a_helper_that_is_not_asked_ends(world):
    with Helper(idle=0.1) as helper:
        assert helper.process.wait(30) == 0
    assert not warm_client.place().exists()


def test_a_second_helper_leaves_the_first_alone(world):
    with Helper():
        before = warm_client.place().stat()
        with Helper() as second:
            assert second.process.wait(30) == 0
        assert warm_client.place().stat() == before
        assert denied(ask(["claude"], world.root, call(world)).stdout)


def test_a_helper_takes_over_what_a_killed_one_left(world):
    with Helper() as helper:
        helper.process.kill()
        helper.process.wait()
    assert warm_client.place().exists()
    with Helper():
        assert ask(["claude"], world.root, call(world)).code == 0


@pytest.mark.usefixtures("_no_umask")
def test_only_the_user_can_reach_the_socket(world):
    folder = warm_client.folder()
    shutil.rmtree(folder.parent)
    ask_or_run(["claude"], world.root, typed(world, "please run the tests"))
    until(warm_client.place().exists)
    modes = {
        path.suffix: stat.S_IMODE(path.stat().st_mode)
        for path in (folder, *folder.iterdir())
    }
    process = int(warm_client.place().with_suffix(".lock").read_text())
    os.kill(process, signal.SIGTERM)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert modes == {"": 0o600, ".lock": 0o600}


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads /proc")
class TestWorker:
    """A child that answers several calls."""

    def test_it_is_kept_for_calls_and_ends_after_another_event(self, world):
        with Helper() as helper:
            kept = self._settled(world, helper)
            for _ in range(3):
                assert denied(ask(["claude"], world.root, call(world)).stdout)
            assert self._children(helper) == {kept}
            until(lambda: Path(f"/proc/{kept}/cwd").readlink() == Path("/"))
            ask(["claude"], world.root, typed(world, "please run the tests"))
            until(lambda: kept not in self._children(helper))
            assert denied(ask(["claude"], world.root, call(world)).stdout)

    def test_every_call_sees_the_files_as_they_are(self, world):
        with Helper() as helper:
            self._settled(world, helper)
            world.write(_RULE, _BAN.replace("--force", "--tags"))
            assert not denied(ask(["claude"], world.root, call(world)).stdout)
            tagged = call(world, "git push --tags")
            assert denied(ask(["claude"], world.root, tagged).stdout)
            (world.root / _RULE).unlink()
            assert not denied(ask(["claude"], world.root, tagged).stdout)

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
    def test_one_that_is_killed_or_stopped_changes_no_answer(self, world, number):
        with Helper() as helper:
            kept = self._settled(world, helper)
            os.kill(kept, number)
            for _ in range(3):
                done = ask_or_run(["claude"], world.root, call(world))
                assert (done.code, denied(done.stdout), done.stderr) == (0, True, "")
            with contextlib.suppress(ProcessLookupError):
                os.kill(kept, signal.SIGKILL)

    def test_others_are_answered_while_it_is_busy(self, world):
        with Helper() as helper:
            self._settled(world, helper)
            with connected():
                assert denied(ask(["claude"], world.root, call(world)).stdout)
            assert denied(ask(["claude"], world.root, call(world)).stdout)

    def test_it_ends_with_the_helper(self, world):
        with Helper() as helper:
            kept = self._settled(world, helper)
        until(lambda: not Path(f"/proc/{kept}/fd/0").exists())

    def _settled(self, world: World, helper: Helper) -> int:
        """Ask until all is loaded that a call needs; return the worker."""
        before: set[int] = set()
        for _ in range(20):
            assert denied(ask(["claude"], world.root, call(world)).stdout)
            children = self._children(helper)
            if children and children == before:
                return children.pop()
            before = children
        raise AssertionError("no worker is kept")

    @staticmethod
    def _children(helper: Helper) -> set[int]:
        number = helper.process.pid
        text = Path(f"/proc/{number}/task/{number}/children").read_text()
        return set(map(int, text.split()))


class TestSurroundings:
    def test_every_request_has_its_own_variables_and_folder(self, world, tmp_path):
        other = World(tmp_path / "other").write("toolmem.toml", "")
        here = call(world, cwd="")
        with Helper():
            found = [
                denied(ask(["claude"], cwd, here, **more).stdout)
                for cwd, more in (
                    (world.root, {}),
                    (other.root, {}),
                    (other.root, {"TOOLMEM_VAULT": str(world.root)}),
                    (other.root, {}),
                    (world.root, {"TOOLMEM_VAULT": str(other.root)}),
                    (world.root, {}),
                )
            ]
        assert found == [True, False, True, False, False, True]

    def test_files_get_the_modes_that_the_client_gives(self, world):
        mask = os.umask(0o077)
        try:
            with Helper():
                ask(["claude"], world.root, typed(world, "never use rsync."))
        finally:
            os.umask(mask)
        [made] = world.root.rglob("*rsync*.toml")
        assert stat.S_IMODE(made.stat().st_mode) == 0o600

    def test_a_client_with_another_locale_is_declined(self, world):
        with Helper():
            place = warm_client.place()
            assert ask(["claude"], world.root, call(world)).code == 0
            assert ask(["claude"], world.root, call(world), LC_ALL="C").code == 99
            identity = client.socket_name(b"another")
            place.rename(place.with_name(identity))
            assert ask(["claude"], world.root, call(world)).code == 99


def test_what_was_not_left_to_the_helper_has_no_effect(world):
    request = _request(world, typed(world, "never use rsync."))
    with Helper():
        for go in (b"", b"x", client.GO):
            talking = connected()
            talking.sendall(request)
            assert talking.recv(1) == client.TAKEN
            talking.sendall(go)
            talking.shutdown(socket.SHUT_WR)
            assert bool(talking.recv(1)) == (go == client.GO)
            made = [*world.root.rglob("*rsync*.toml")]
            assert bool(made) == (go == client.GO)


def test_a_helper_survives_any_request(world):
    with Helper():
        for sent in (
            b"",
            b"GET / HTTP/1.1\r\n\r\n",
            client.MAGIC,
            client.MAGIC + b"\xff\xff\xff\xff",
            client.MAGIC + b"\x00\x00\x00\x04\xff\xff\xff\xff",
            client.framed((b"", b"/", b"22", b"", b"claude", b"{}")),
        ):
            talking = connected()
            talking.sendall(sent)
            talking.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                assert talking.recv(1) == b""
        assert denied(ask(["claude"], world.root, call(world)).stdout)


def test_a_helper_whose_files_were_edited_ends(world, tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    loaded = own / "sitecustomize.py"
    loaded.write_text("VALUE = 1\n")
    monkeypatch.setenv("PYTHONPATH", str(own))
    with Helper() as helper:
        loaded.write_text("VALUE = 22\n")
        assert ask(["claude"], world.root, call(world)).code == 99
        assert helper.process.wait(30) == 0


def test_without_a_helper_the_verdict_is_given(world):
    done = ask_or_run(["claude"], world.root, call(world))
    assert (done.code, denied(done.stdout), done.stderr) == (0, True, "")


class TestDoubt:
    """What is not a helper of this user is not asked."""

    @pytest.fixture(autouse=True)
    def _declined(self, world) -> Iterator[None]:
        yield
        assert ask(["claude"], world.root, call(world)).code == 99

    def test_it_was_killed(self):
        with Helper() as helper:
            helper.process.kill()
            helper.process.wait()

    def test_there_is_no_folder(self):
        warm_client.folder().rmdir()

    def test_the_folder_is_open_to_others(self):
        _listening()
        warm_client.folder().chmod(0o755)

    def test_the_folder_is_a_link(self, tmp_path):
        _listening()
        warm_client.folder().rename(tmp_path / "elsewhere")
        warm_client.folder().symlink_to(tmp_path / "elsewhere")

    def test_the_socket_is_a_file(self):
        warm_client.place().write_text("T")

    def test_the_socket_is_a_link(self, tmp_path):
        _listening()
        warm_client.place().rename(tmp_path / "socket")
        warm_client.place().symlink_to(tmp_path / "socket")

    @pytest.mark.skipif(
        getattr(os, "geteuid", int)() != 0 or os.name != "posix",
        reason="gives a file away",
    )
    def test_the_socket_is_of_another_user(self):
        _listening()
        os.chown(warm_client.place(), 65534, -1)


@pytest.mark.parametrize(
    "answers",
    [
        (b"",),
        (b"no",),
        (client.TAKEN, b""),
        (client.TAKEN, b"garbage"),
        (client.TAKEN, b"0 9 0\n{}"),
        (client.TAKEN, b"0 -1 3\n{}"),
        (client.TAKEN, b"0 0\n"),
        (client.TAKEN, b"999 0 0\n"),
        (client.TAKEN, b"9" * (client.MOST_BYTES + 1)),
    ],
)
def test_an_answer_that_is_none_is_not_believed(world, answers):
    with _answering(*answers):
        assert ask(["claude"], world.root, call(world)).code == 99


@pytest.mark.parametrize("answers", [(), (client.TAKEN,)])
def test_a_helper_that_hangs_costs_time_alone(world, answers):
    with _answering(*answers, hang=True):
        done = ask_or_run(["claude"], world.root, call(world))
    assert (done.code, denied(done.stdout), done.stderr) == (0, True, "")


def test_a_stopped_helper_costs_time_alone(world):
    with Helper() as helper:
        helper.process.send_signal(signal.SIGSTOP)
        done = ask_or_run(["claude"], world.root, call(world))
        helper.process.send_signal(signal.SIGCONT)
    assert (done.code, denied(done.stdout)) == (0, True)


def test_work_that_takes_too_long_is_ended_and_done_again(world):
    with Helper(seconds=0.001):
        done = ask_or_run(["claude"], world.root, call(world))
    assert (done.code, denied(done.stdout), done.stderr) == (0, True, "")


def test_an_event_that_is_handled_again_has_its_answer_and_counts_once(world):
    started = json.loads(call(world)) | {"hook_event_name": "SessionStart"}
    ended = json.loads(call(world, "ls")) | {"hook_event_name": "PostToolUse"}
    with Helper(dies=True):
        first = ask_or_run(["claude"], world.root, json.dumps(started).encode())
        for _ in range(2):
            ask_or_run(["claude"], world.root, json.dumps(ended).encode())
        ask_or_run(["claude"], world.root, typed(world, "run the tests"))
    assert b"never force push" in first.stdout
    lines = journal.read(world.root, "s")
    assert [key for line in lines for key in ("call", "prompt") if key in line] == [
        "call",
        "call",
        "prompt",
    ]
    assert len(journal.read(world.root, "s.typed")) == 1


def test_an_event_with_a_stamp_that_is_handled_again_has_its_verdict(world):
    with Helper(dies=True):
        stamped = call(world, timestamp="2026-04-07T10:00:00Z")
        done = ask_or_run(["claude"], world.root, stamped)
    assert (done.code, b"deny" in done.stdout) == (0, True)


def test_client_and_journal_agree_on_the_variable():
    assert client.ATTEMPT.decode() == attempt.VARIABLE


@pytest.mark.soak
@pytest.mark.parametrize("milliseconds", range(2, 100, 3))
def test_a_message_is_kept_once_wherever_its_handling_ends(world, milliseconds):
    with Helper(seconds=milliseconds / 1000):
        done = ask_or_run(["claude"], world.root, typed(world, "never use rsync."))
    assert (done.code, b"never use rsync" in done.stdout) == (0, True)
    assert len([*world.root.rglob("*rsync*.toml")]) == 1


@pytest.mark.parametrize("size", [100_000, client.MOST_BYTES + 1])
def test_a_long_event_is_read_whole(world, size):
    with Helper():
        data = call(world, more="x" * size)
        done = ask_or_run(["claude"], world.root, data)
    assert (done.code, denied(done.stdout), done.stderr) == (0, True, "")


def test_input_that_does_not_end_is_passed_on(world):
    reading, writing = os.pipe()
    os.write(writing, call(world))
    with Helper():
        done = warm_client.run_on(reading, [warm_client.ASK, "claude"], world.root)
    os.close(writing)
    verdict = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"]
    assert (done.code, verdict) == (0, "ask")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _request(world: World, data: bytes) -> bytes:
    variables = warm_client.environment()
    encoded = {os.fsencode(k): os.fsencode(v) for k, v in variables.items()}
    own = client.identity(encoded, str(ROOT / "toolmem"))
    lines = b"\0".join(k + b"=" + v for k, v in encoded.items())
    cwd = os.fsencode(world.root)
    return client.framed((own, cwd, b"22", lines, b"claude", data))


def _listening() -> socket.socket:
    here = Path.cwd()
    listening = socket.socket(socket.AF_UNIX)
    os.chdir(warm_client.folder())
    try:
        listening.bind(warm_client.place().name)
    finally:
        os.chdir(here)
    listening.listen()
    return listening


@contextlib.contextmanager
def _answering(*answers: bytes, hang: bool = False) -> Iterator[None]:
    """Listen in place of a helper; send an answer to each thing that a client sends."""
    listening = _listening()
    ended = threading.Event()

    def serve() -> None:
        talking, _ = listening.accept()
        with talking, contextlib.suppress(OSError):
            for answer in answers:
                talking.recv(1 << 20)
                talking.sendall(answer)
            if hang:
                ended.wait(30)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        listening.close()
