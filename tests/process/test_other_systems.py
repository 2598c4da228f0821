"""A first day where nothing is there that only Linux has."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.forked import Forked
from tests.program import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="takes it from Linux")

WITHOUT_LINUX = """
import os, socket, sys

sys.platform = "freebsd14"
for module, name in [
    (os, "O_PATH"),
    (os, "O_TMPFILE"),
    (os, "memfd_create"),
    (os, "pidfd_open"),
    (os, "sched_getaffinity"),
    (os, "posix_fadvise"),
    (os, "copy_file_range"),
    (socket, "SO_PEERCRED"),
]:
    if hasattr(module, name):
        delattr(module, name)

def refuse(event, given):
    if event in ("open", "os.listdir", "os.scandir"):
        if isinstance(given[0], str) and given[0].startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", given[0])

sys.addaudithook(refuse)
"""


@pytest.fixture
def toolmem(tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(WITHOUT_LINUX)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'site'}{os.pathsep}{ROOT}")
    elsewhere = Forked("commands")

    def call(*words: str, given: str = "", cwd: Path = tmp_path, code: int = 0) -> str:
        done = elsewhere.python(["-m", "toolmem", *words], cwd, given.encode())
        assert done.code == code, done.stderr
        return done.stdout.decode()

    yield call
    elsewhere.end()


def test_a_first_day_without_what_only_linux_has(toolmem, tmp_path):
    vault = tmp_path / "vault"
    toolmem("init", str(vault))
    toolmem("rule", "add", "shell", "never use rsync", "-p", "critical", cwd=vault)
    toolmem("memory", "save", "Heat sinks cool two points a turn", cwd=vault)
    toolmem("fact", "set", "port", "8080", cwd=vault)
    assert "Heat sinks cool" in toolmem("search", "heat sinks", cwd=vault)
    assert "never use rsync" in toolmem("prompt", cwd=vault)
    call = {"command": "rsync a b"}
    words = ("guard", "shell", "--input", json.dumps(call))
    verdict = toolmem(*words, cwd=vault, code=1)
    assert verdict.startswith("deny\n")
    toolmem("agent", "install", "claude", "--user", cwd=vault)
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "cwd": str(vault),
        "tool_name": "Bash",
        "tool_input": call,
        "tool_use_id": "t1",
    }
    answer = toolmem("hook", "claude", "--warm", given=json.dumps(event), cwd=vault)
    decision = json.loads(answer)["hookSpecificOutput"]["permissionDecision"]
    assert decision in ("deny", "ask")  # which a busy machine answers
