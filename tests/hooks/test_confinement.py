"""A helper answers no process that is confined in another way, or sees other files."""

import ast
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.forked import forked
from tests.hooks.helpers import (
    BAN,
    COLD,
    RULE,
    Helper,
    ask,
    denied,
    end_helpers,
    event,
    folder,
    prepare,
    real_cold,
    settle_guards,
    until,
)
from tests.source import SOURCES, nodes
from tests.world import World
from toolmem.core.agents.hook_command import ASK
from toolmem.hooks.helper import RefusedError, Watch
from toolmem.store.warm import client, peer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are on Linux")
_needs_root = pytest.mark.skipif(
    getattr(os, "geteuid", int)() != 0, reason="changes users, groups or folders"
)
_OTHER = 65534


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


@contextlib.contextmanager
def _process(change: Callable[[], object]) -> Iterator[int]:
    """Fork a process that changes something of itself, and then waits."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            change()
            os.write(writing, b".")
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    try:
        assert os.read(reading, 1) == b".", "it could not be changed"
        yield process
    finally:
        os.close(reading)
        os.kill(process, 9)
        os.waitpid(process, 0)


def test_a_process_that_changed_nothing_is_like_this_one():
    with _process(lambda: None) as process:
        assert peer.confinement_of(process) == peer.confinement_of(os.getpid())


@_needs_root
@pytest.mark.parametrize(
    "change",
    [
        lambda: os.setgroups([_OTHER]),
        lambda: os.setgid(_OTHER),
        lambda: os.setegid(_OTHER),
        lambda: os.setresgid(-1, -1, _OTHER),
        lambda: os.setuid(_OTHER),
        lambda: os.setresuid(-1, -1, _OTHER),
        lambda: os.seteuid(_OTHER),
        lambda: os.chroot("/proc"),
        lambda: os.umask(0o777),
    ],
)
def test_a_process_with_other_rights_or_files_differs(change):
    with _process(change) as process:
        try:
            found = peer.confinement_of(process)
        except OSError:
            return  # unreadable is another one, too
        assert found != peer.confinement_of(os.getpid())


@_needs_root
@pytest.mark.parametrize(
    "words",
    [
        ["setpriv", "--no-new-privs"],
        ["setpriv", "--bounding-set", "-sys_admin"],
        ["setpriv", "--regid", "1", "--clear-groups"],
        *(["unshare", f"--{kind}"] for kind in ("mount", "net", "ipc", "uts", "user")),
        ["env", "TOOLMEM_VAULT=/elsewhere"],
        ["env", "PYTHONPATH=/elsewhere"],
        ["env", "-u", "XDG_RUNTIME_DIR"],
    ],
)
def test_a_sandboxed_process_differs(words):
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"{words[:2]}: {tried.stderr.decode().strip()}")

    def own() -> peer.Confinement:
        waiting = subprocess.Popen(["sleep", "600"])
        try:
            until(lambda: _is_asleep(waiting.pid))
            return peer.confinement_of(waiting.pid)
        finally:
            waiting.kill()
            waiting.wait()

    waiting = subprocess.Popen([*words, "sleep", "600"])
    try:
        until(lambda: _is_asleep(waiting.pid))
        assert peer.confinement_of(waiting.pid) != own()
    finally:
        waiting.kill()
        waiting.wait()


def _is_asleep(process: int) -> bool:
    return Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"sleep\0")


@_needs_root
def test_a_client_of_another_group_or_user_is_answered_cold(world):
    with Helper():
        assert _answers(world)
        assert ask(event(world), preexec_fn=lambda: os.setgroups([_OTHER])).code == COLD
        assert ask(event(world), preexec_fn=lambda: os.umask(0)).code == COLD
        assert _answers(world)


@_needs_root
def test_sudo_in_a_users_session_is_answered_cold(world):
    place = folder()
    for path in (place, place.parent, place.parent.parent):
        os.chown(path, _OTHER, _OTHER)
    with Helper() as helper:  # as root in the user's folder: none
        assert helper.process.wait(60) != 0
    assert ask(event(world)).code == COLD
    assert [*place.iterdir()] == []


def _answers(world: World) -> bool:
    return denied(ask(event(world)).stdout)


def test_a_client_with_other_variables_is_answered_cold(world):
    with Helper():
        assert _answers(world)
        for name in ("TOOLMEM_PROJECT", "PYTHONPATH", "XDG_STATE_HOME", "CODEX_HOME"):
            environment = {**os.environ, name: "/elsewhere"}
            assert ask(event(world), env=environment).code == COLD
        assert denied(ask(event(world), env={**os.environ, "OTHER": "1"}).stdout)


def test_a_client_of_another_version_finds_no_helper(world, tmp_path):
    with Helper():
        assert _answers(world)
        copy = tmp_path / "other/client.py"
        copy.parent.mkdir()
        shutil.copy(client.__file__, copy)
        link = Path.home() / ASK
        link.unlink()
        link.symlink_to(copy)
        assert ask(event(world)).code == COLD


def test_without_a_runtime_folder_the_users_state_has_the_socket(world, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    place = Path.home() / ".local/state/toolmem/helpers"
    place.mkdir(mode=0o700)
    with Helper() as helper:
        assert helper.place.parent == place
        assert _answers(world)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("home", ["", "relative", "/proc", "/nonexistent"])
def test_without_a_home_to_write_the_hook_answers(world, monkeypatch, home):
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    environment = {**os.environ, "HOME": home}
    with real_cold():
        assert denied(ask(event(world), env=environment).stdout)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "change",
    [
        lambda place: place.chmod(0o755),
        lambda place: place.rename(place.with_name("other")),
        lambda place: (
            place.rename(place.with_name("other")),
            place.symlink_to(place.with_name("other")),
        ),
    ],
)
def test_a_folder_in_doubt_is_not_used(world, change):
    with Helper():
        assert _answers(world)
        change(folder())
        assert ask(event(world)).code == COLD


class TestWatch:
    """Actions that a helper may not take during an answer."""

    @pytest.mark.parametrize(
        "action",
        [
            "open('a', 'w')",
            "open('a.jsonl', 'w')",
            "os.open('a', os.O_CREAT)",
            "os.mkdir('a')",
            "os.rename('a', 'b')",
            "os.unlink('a')",
            "os.fork()",
            "os.system('true')",
            "os.execv('/bin/true', ['true'])",
            "os.posix_spawn('/bin/true', ['true'], {})",
            "subprocess.Popen(['true'])",
            "socket.create_connection(('127.0.0.1', 1))",
            "__import__('this')",
            "exec('1')",
        ],
    )
    def test_it_is_refused(self, tmp_path, action):
        program = tmp_path / "act.py"
        program.write_text(
            "import os, socket, subprocess\n"
            "from toolmem.hooks.helper import Watch\n"
            f"watch, act = Watch(), lambda: {action}\n"
            "watch.is_on = True\n"
            "act()\n"
        )
        done = forked().python([str(program)], tmp_path)
        assert done.code == 1
        assert "RefusedError" in done.stderr
        names = {place.name for place in tmp_path.iterdir()}
        assert names == {"act.py", "cold", "run"}

    def test_it_does_nothing_when_it_is_off(self):
        assert Watch().refused == ""
        assert not issubclass(RefusedError, Exception)


def test_every_variable_that_toolmem_reads_is_compared():
    read: set[str] = set()
    for name, text in SOURCES.items():
        if "environ" in text and not name.startswith("cli/"):
            read.update(*map(_variables, nodes(name)))
    read -= {"SOURCE_DATE_EPOCH"}  # of reports, which no hook makes
    assert read >= {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PATH"}
    kept = peer.read_variables(dict.fromkeys(read, "1"))
    assert read - kept.keys() == set()


def _variables(node: ast.AST) -> Iterator[str]:
    """Yield the name in ``environ.get(NAME)`` and ``environ[NAME]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        place, names = node.func.value, node.args[:1]
    elif isinstance(node, ast.Subscript):
        place, names = node.value, [node.slice]
    else:
        return
    if ast.unparse(place).rpartition(".")[2] in ("environ", "environment"):
        for name in names:
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value
