"""The helper of a session: the same answers, whatever becomes of it."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.forked import forked
from tests.hooks.helpers import (
    BAN,
    COLD,
    RULE,
    SESSION,
    Helper,
    ask,
    ask_often,
    command_line,
    denied,
    end_helpers,
    event,
    folder,
    is_running,
    only_helper,
    prepare,
    real_cold,
    settle_guards,
    started,
    status_of,
    until,
)
from tests.world import World
from toolmem.store.journal import journal
from toolmem.store.warm import client, helpers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are on Linux")
_MANY = 20


@pytest.fixture(autouse=True)
def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("PATH", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    prepare(tmp_path)
    yield
    end_helpers()


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path / "vault").write("toolmem.toml", "").write(RULE, BAN)
    settle_guards(made)
    return made


def cold(world: World, data: bytes, *words: str) -> bytes:
    """Return the answer of a hook without a helper."""
    done = forked().hook([*(words or ("claude",))], world.root, data, patient=True)
    assert (done.code, done.stderr) == (0, "")
    return done.stdout


def calls_recorded(world: World) -> list[object]:
    lines = journal.read(world.root, SESSION)
    return [line["call"]["args"]["command"] for line in lines if "call" in line]


class TestLife:
    def test_a_cold_hook_starts_it_and_the_end_of_the_session_ends_it(
        self, world, monkeypatch
    ):
        monkeypatch.setenv("A_SECRET", "of the session")
        cold(world, event(world, hook_event_name="SessionStart"), "claude", "--warm")
        until(only_helper)
        process = only_helper()
        assert process
        assert denied(ask(event(world)).stdout)
        place = Path(f"/proc/{process}")
        assert b"A_SECRET" not in (place / "environ").read_bytes()
        files = {one.name: str(one.readlink()) for one in (place / "fd").iterdir()}
        assert [files.pop(str(stream)) for stream in range(3)] == ["/dev/null"] * 3
        ours = ("socket:", str(folder()), str(Path.home()))
        assert all(one.startswith(ours) for one in files.values())
        status = status_of(process)
        pythons = {signal.SIGPIPE, signal.SIGXFSZ}
        set_here = signal.valid_signals() - pythons
        for field in ("SigBlk", "SigIgn"):
            mask = int(status[field], 16)
            assert not any(mask >> number - 1 & 1 for number in set_here)
        assert os.getsid(process) == process
        cold(world, event(world, hook_event_name="SessionEnd"), "claude", "--warm")
        until(lambda: not is_running(process))
        assert [*folder().iterdir()] == []

    def test_without_the_word_no_helper_is_started(self, world):
        cold(world, event(world, hook_event_name="SessionStart"))
        assert [*folder().iterdir()] == []

    def test_a_second_one_leaves_the_first_alone(self, world):
        with Helper() as first:
            before = first.place.stat().st_ino
            with Helper() as second:
                assert second.process.wait(60) == 0
            assert first.place.stat().st_ino == before
            assert denied(ask(event(world)).stdout)

    def test_it_takes_the_place_of_one_that_was_killed(self, world):
        with Helper() as first:
            first.process.kill()
            first.process.wait()
        assert ask(event(world)).code == COLD
        with Helper():
            until(lambda: denied(ask(event(world)).stdout))

    def test_it_ends_when_a_file_that_it_loaded_changes(
        self, world, tmp_path, monkeypatch
    ):
        loaded = tmp_path / "sitecustomize.py"
        loaded.write_text("VALUE = 1\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        with Helper() as helper:
            loaded.write_text("VALUE = 22\n")
            assert ask(event(world)).code == COLD
            assert helper.process.wait(60) == 0
        assert [*folder().iterdir()] == []

    def test_it_ends_when_it_is_terminated(self):
        with Helper() as helper:
            helper.process.terminate()
            assert helper.process.wait(60) == 0
        assert [*folder().iterdir()] == []

    def test_installing_and_uninstalling_end_it(self, world):
        for word in ("install", "uninstall"):
            with Helper() as helper:
                world.call("agent", word, "codex", "--user")
                assert helper.process.wait(60) == 0
            assert [*folder().iterdir()] == []

    @pytest.mark.parametrize(
        "events", [200, pytest.param(5_000, marks=pytest.mark.soak)]
    )
    def test_it_does_not_grow(self, world, events):
        def size() -> tuple[int, int]:
            folder = Path(f"/proc/{helper.process.pid}/fd")
            kilobytes = status_of(helper.process.pid)["VmRSS"].split()[0]
            return int(kilobytes), len([*folder.iterdir()])

        done = event(world, "ls", hook_event_name="PostToolUse")
        with Helper() as helper:
            ask_often([event(world), done], helper, events // 2)
            before = size()
            ask_often([event(world), done], helper, events // 2)
            assert size() <= (before[0] + 2_000, before[1])
            process = helper.process.pid
            children = Path(f"/proc/{process}/task/{process}/children")
            assert children.read_text() == ""
            helpers.end_all()
            assert helper.process.wait(60) == 0
        assert [*folder().iterdir()] == []
        assert len(calls_recorded(world)) == events // 2


class TestFaults:
    """Whatever becomes of the helper, a call has its verdict and counts once."""

    def test_it_was_killed(self, world):
        with Helper() as helper:
            helper.process.kill()
            helper.process.wait()
            with real_cold():
                assert denied(ask(event(world)).stdout)

    def test_it_is_stopped_and_a_client_waits(self, world):
        with Helper() as helper:
            helper.process.send_signal(signal.SIGSTOP)
            with real_cold():
                waiting = started(event(world), patient=False)
                assert denied(waiting.communicate(timeout=60)[0])

    def test_it_is_killed_while_a_client_waits(self, world):
        with Helper() as helper:
            helper.process.send_signal(signal.SIGSTOP)
            with real_cold():
                waiting = started(event(world))
                until(lambda: _has_client(helper))
                helper.process.kill()
                assert denied(waiting.communicate(timeout=60)[0])

    def test_it_is_killed_after_the_call_was_recorded(self, world):
        done = event(world, "ls", hook_event_name="PostToolUse")
        with Helper(dies=True) as helper, real_cold():
            first = ask(done)
            assert helper.process.wait(60) == -signal.SIGKILL
            second = ask(event(world, "pwd", hook_event_name="PostToolUse"))
        assert (first.code, second.code) == (0, 0)
        assert calls_recorded(world) == ["ls", "pwd"]

    def test_two_late_answers_stop_the_asking(self, world):
        with Helper() as helper:
            count = helper.place.with_suffix(client.LATE)
            helper.process.send_signal(signal.SIGSTOP)
            sizes = []
            for _ in range(4):
                assert ask(event(world), patient=False).code == COLD
                sizes.append(count.stat().st_size)
            assert sizes == [1, 2, 2, 2]
            os.utime(count, (0, 0))  # the minute has passed
            assert ask(event(world), patient=False).code == COLD
            assert count.stat().st_size == 3

    def test_an_answer_in_time_begins_the_count_anew(self, world):
        with Helper() as helper:
            count = helper.place.with_suffix(client.LATE)
            count.write_text(".")
            assert denied(ask(event(world)).stdout)
            assert not count.exists()

    def test_many_calls_at_once_have_their_answers(self, world):
        with Helper(), real_cold():
            events = [event(world, f"git push --force {n}") for n in range(_MANY)]
            running = [started(data) for data in events]
            answers = [one.communicate(timeout=120) for one in running]
        assert [denied(out) for out, _ in answers] == [True] * _MANY
        assert [err for _, err in answers] == [b""] * _MANY

    def test_any_request_is_survived(self, world):
        with Helper() as helper:
            for request in (b"", b"\n", b"\n{", b"\n[]", b"GET / HTTP/1.1\r\n\r\n"):
                opened = client.open_folder(str(folder()))
                with contextlib.suppress(OSError):
                    assert client.exchanged(opened, helper.name, request)[1] == b""
                os.close(opened)
            assert denied(ask(event(world)).stdout)


def _has_client(helper: Helper) -> bool:
    return Path("/proc/net/unix").read_text().count(helper.name) > 1


class TestStreams:
    """Standard streams as agents leave them."""

    def test_standard_input_that_stays_open(self, world):
        reading, writing = os.pipe()
        os.write(writing, event(world))
        with Helper(), real_cold(patient=False):
            done = ask(reading, patient=False)
        verdict = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"]
        assert (done.code, verdict) == (0, "ask")
        os.set_blocking(writing, False)
        os.close(reading)
        with pytest.raises(BrokenPipeError):  # no process has it open
            os.write(writing, b".")
        os.close(writing)

    def test_an_event_whose_end_is_late_is_judged_whole(self, world):
        reading, writing = os.pipe()
        data = event(world)
        os.write(writing, data[:40])
        with Helper(), real_cold():
            waiting = started(reading, patient=False)
            pipe = Path(f"/proc/{waiting.pid}/cmdline")
            until(lambda: b"--rest=" in pipe.read_bytes())
            os.write(writing, data[40:])
            os.close(writing)
            assert denied(waiting.communicate(timeout=60)[0])
        os.close(reading)

    def test_an_event_that_is_long(self, world):
        with Helper(), real_cold():
            for size in (100_000, client.MOST_BYTES + 1):
                assert denied(ask(event(world, more="x" * size)).stdout)

    def test_a_closed_stream(self, world, tmp_path):
        given = tmp_path / "event"
        given.write_bytes(event(world))
        words = shlex.join(command_line(patient=True))
        with Helper():
            for stream in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
                line = ["sh", "-c", f"{words} <{given} {stream}; echo $?"]
                done = subprocess.run(line, capture_output=True, check=True)
                assert done.stdout.endswith(b"%d\n" % COLD), stream
            assert denied(ask(event(world)).stdout)

    def test_an_agent_that_is_gone(self, world):
        reading, writing = os.pipe()
        os.close(reading)
        with Helper():
            done = subprocess.run(
                command_line(patient=True),
                input=event(world),
                stdout=writing,
                stderr=subprocess.PIPE,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, b"")
            assert denied(ask(event(world)).stdout)
        os.close(writing)


class TestLeftToTheHook:
    """Events that the helper does not answer."""

    OTHERS: tuple[dict[str, Any], ...] = (
        {"hook_event_name": "UserPromptSubmit", "prompt": "never use rsync"},
        {"hook_event_name": "Stop"},
        {"hook_event_name": "SessionStart"},
        {"session_id": "another"},
        {"cwd": ""},
        {"cwd": "relative"},
        {"tool_input": {"command": "toolmem rule keep k3"}},
        {"tool_input": {"command": ["toolmem", "rule", "keep", "k3"]}},
        {"tool_input": {"x": {"session_id": "s-1"}}, "session_id": 1},
    )

    def test_it_is_handed_back(self, world):
        with Helper():
            for more in self.OTHERS:
                assert ask(event(world, **more)).code == COLD, more
            assert denied(ask(event(world)).stdout)

    def test_a_helper_with_other_options_is_not_asked(self, world):
        with Helper("claude", "--vault", str(world.root)):
            assert ask(event(world)).code == COLD
            words = ("claude", "--vault", str(world.root))
            assert denied(ask(event(world, cwd="/"), *words).stdout)

    def test_changed_rules_are_compiled_by_the_hook(self, world):
        with Helper(), real_cold():
            world.write(RULE, BAN.replace("--force", "--tags"))
            assert not denied(ask(event(world)).stdout)
            assert denied(ask(event(world, "git push --tags")).stdout)
            (world.root / RULE).unlink()
            assert not denied(ask(event(world, "git push --tags")).stdout)
