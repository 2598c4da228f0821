"""P1, P4 and P6 for the commands that people run: killed, together, watched."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.client import toolmem
from tests.faults import kill
from tests.forked import forked
from toolmem.core.model import SYSTEM, Priority
from toolmem.core.rules.proposal import Proposal, proposal_text
from toolmem.store.files import lock

_RULE = "system/rules/shell/never-push-7b1e0c52.toml"
_ID = "7b1e0c52-6c0e-4f0e-9c38-3d9a3b6c5a10"
_TOOLMEM = ("-m", "toolmem", "--vault", "{vault}")

needs_strace = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)


def _vault(vault: Path) -> None:
    """A vault in use, with a rule and a fact."""
    files = {
        "toolmem.toml": "schema = 1\n",
        _RULE: f'id = "{_ID}"\ntool = "shell"\nrule = "never push"\n# keep\n',
        "system/facts.md": "# Facts\n\n## project\ntest_command: make test\n",
    }
    for path, text in files.items():
        vault.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        vault.joinpath(path).write_text(text)
    with lock.hold(vault):
        pass


@needs_strace
@pytest.mark.sampled
@pytest.mark.parametrize(
    "words",
    [
        ("rule", "add", "send_email", "never email Sarah", "-p", "critical"),
        ("rule", "edit", "7b1e", "--text", "never push to main"),
        ("fact", "set", "test_command", "pytest -q"),
        ("fact", "set", "main_branch", "trunk"),
    ],
    ids=["rule-add", "rule-edit", "fact-set", "fact-new"],
)
def test_a_command_killed_at_any_call_leaves_old_or_new(words, tmp_path):
    case = kill.Case([*_TOOLMEM, *words], _vault)
    assert kill.sweep(case, tmp_path / "vault") == []


@needs_strace
@pytest.mark.soak
@pytest.mark.parametrize(
    "words",
    [
        ("rule", "override", "7b1e", "--scope", "project:x", "-p", "high"),
        ("rule", "archive", "7b1e", "--reason", "no longer so"),
        ("rule", "delete", "7b1e"),
        ("fact", "delete", "test_command"),
        ("tool", "add", "shell", "--alias", "bash"),
        ("memory", "save", "Hooks are run in the order of their names"),
    ],
    ids=lambda words: "-".join(words[:2]),
)
def test_nor_do_the_other_commands_that_write(words, tmp_path):
    again = (0, 1, 12, 13) if words[1] in ("archive", "delete") else (0,)
    case = kill.Case([*_TOOLMEM, *words], _vault, again, _UPDATED)
    assert kill.sweep(case, tmp_path / "vault") == []


_UPDATED = re.compile(r"^updated: .*\n", re.MULTILINE)
_SAID = {
    "session_id": "s-1",
    "tools": ["shell"],
    "messages": [
        {"role": "user", "content": "Never use sudo. Perhaps never use curl."},
        {"role": "user", "content": "you may push for releases"},
    ],
}
_WAITING = "5d0c1f7e-2a4b-8c3d-9e5f-6a7b8c9d0e1f"


def _vault_with_more(vault: Path) -> None:
    """A vault with a transcript to capture, and a proposal to review."""
    _vault(vault)
    vault.joinpath("said.json").write_text(json.dumps(_SAID))
    proposal = Proposal(
        _WAITING,
        "contest",
        ("shell",),
        "always push",
        Priority.HIGH,
        SYSTEM,
        "contradicts a rule in effect",
        "always push",
        "“always push” (turn 0)",
        datetime(2026, 4, 20, tzinfo=UTC),
        rules=(_ID,),
    )
    folder = vault / ".toolmem/pending"
    folder.mkdir()
    folder.joinpath("always-push-5d0c1f7e.toml").write_text(proposal_text(proposal))


@needs_strace
@pytest.mark.soak
@pytest.mark.parametrize(
    "words",
    [("capture", "{vault}/said.json"), ("review", "--accept", _WAITING)],
    ids=lambda words: words[0],
)
def test_capture_and_review_lose_no_rule_when_they_are_killed(words, tmp_path):
    case = kill.Case([*_TOOLMEM, *words], _vault_with_more, (0, 12))
    assert kill.sweep(case, tmp_path / "vault") == []


_NOTE = (
    "---\ncreated: 2026-01-0{}\n---\n# {}\n\nThe build needs ten minutes and a disk.\n"
)


def _vault_with_plan(vault: Path) -> None:
    """A vault with two memories that say the same, and a plan to make them one."""
    _vault(vault)
    files = {
        "projects/a/memory/build-a00001.md": _NOTE.format(1, "The build is slow"),
        "projects/b/memory/build-b00001.md": _NOTE.format(2, "The build is slow"),
        "system/memory/hi-c00001.md": "Hello!\n",
    }
    for path, text in files.items():
        vault.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        vault.joinpath(path).write_text(text)
    words = (*_TOOLMEM[:-1], str(vault), "reflect", "-o", str(vault / "plan.toml"))
    assert forked("commands").python(words, kill.ROOT).code == 0


@needs_strace
@pytest.mark.soak
def test_a_plan_killed_at_any_call_is_finished_by_applying_it_again(tmp_path):
    words = ("reflect", "--apply", "{vault}/plan.toml")
    case = kill.Case([*_TOOLMEM, *words], _vault_with_plan)
    assert kill.sweep(case, tmp_path / "vault") == []


def _vault_in_conflict(vault: Path) -> None:
    """A vault with git's marks in one file, and an open conflict in another."""
    _vault(vault)
    vault.joinpath("system/facts.md").write_text(
        "## project\n<<<<<<< a\nx: 1\n=======\ny: 2\n>>>>>>> b\n"
    )
    text = vault.joinpath(_RULE).read_text()
    vault.joinpath(_RULE).write_text(f'{text}\n[conflict]\nrule = "ask first"\n')


@needs_strace
@pytest.mark.soak
def test_a_killed_resolve_leaves_each_file_old_or_new(tmp_path):
    case = kill.Case(
        [*_TOOLMEM, "resolve", "--take", "theirs"], _vault_in_conflict, (0, 12)
    )
    assert kill.sweep(case, tmp_path / "vault") == []


_RESPONSE = {
    "tool_id": "notes",
    "agent_context": {"agent_id": "helper"},
    "memory_writes": [{"content": "The user likes tea without milk."}],
    "scratch_page_writes": [{"content": "Ask about the sugar"}],
}


def _vault_with_a_tool(vault: Path) -> None:
    """A vault with a tool that may read what it wrote, and its response."""
    _vault(vault)
    vault.joinpath("tools").mkdir()
    vault.joinpath("tools/notes.toml").write_text("[memory_access.episodic]\n")
    vault.joinpath("response.json").write_text(json.dumps(_RESPONSE))


@needs_strace
@pytest.mark.soak
def test_what_a_tool_writes_is_there_or_not_when_it_is_killed(tmp_path):
    words = ("apply", "{vault}/response.json")
    case = kill.Case([*_TOOLMEM, *words], _vault_with_a_tool)
    assert kill.sweep(case, tmp_path / "vault") == []


def _start(vault: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*toolmem(), "--vault", str(vault), *words],
        cwd=kill.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
    )


_ADDERS = """
import os, sys
from pathlib import Path
from toolmem.cli.main import run_program
from toolmem.cli.run import Run

def add(*more):
    words = ["rule", "add", "shell", *more]
    code = run_program(words, Run(cwd=Path(sys.argv[1])))
    assert code == 0, code

add("never load this later", "--dry-run")
children = []
for worker in sys.argv[3:]:
    children.append(os.fork())
    if children[-1] == 0:
        for number in range(int(sys.argv[2])):
            add(f"never do thing {number} of {worker}")
        os._exit(0)
assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(children)
"""
"""Processes that add so many rules each; what they need is loaded before they fork."""


def _adders(vault: Path, count: int, *workers: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", _ADDERS, str(vault), str(count), *workers],
        cwd=kill.ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
    )


def _together(vault: Path, count: int, workers: Sequence[str]) -> None:
    """Let processes add rules side by side; all succeed."""
    adders = _adders(vault, count, *workers)
    said = adders.communicate()[1].decode()
    assert adders.returncode == 0, said


@pytest.mark.parametrize(
    ("workers", "count"), [(4, 8), pytest.param(8, 50, marks=pytest.mark.soak)]
)
def test_processes_that_add_many_rules_each_lose_none(tmp_path, workers, count):
    tmp_path.joinpath("toolmem.toml").write_text("schema = 1\n")
    _together(tmp_path, count, [f"worker-{number}" for number in range(workers)])
    assert len(list(tmp_path.glob("system/rules/shell/*.toml"))) == workers * count
    listed = _start(tmp_path, "rule", "list", "--json").communicate()[0]
    assert len({rule["rule"] for rule in json.loads(listed)}) == workers * count


def test_processes_that_add_the_same_rule_add_it_once(tmp_path):
    tmp_path.joinpath("toolmem.toml").write_text("schema = 1\n")
    _together(tmp_path, 3, ["the same"] * 4)
    assert len(list(tmp_path.glob("system/rules/shell/*.toml"))) == 3


def test_a_reader_never_sees_half_a_rule(tmp_path):
    tmp_path.joinpath("toolmem.toml").write_text("schema = 1\n")
    writer = _adders(tmp_path, 40, "writer")
    reads = 0
    while writer.poll() is None or not reads:
        out, err = _start(tmp_path, "prompt", "--only", "rules").communicate()
        assert (b"cannot be read" in out, err) == (False, b"")
        reads += 1
    assert writer.returncode == 0
