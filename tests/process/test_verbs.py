"""Every command in a hostile vault: no program but git starts, nothing calls out.

The vault is a repository in which everything that can name a program names a trap,
and in which modules lie that Python would import from the working folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.core import TyperGroup

from tests.command_tree import command_tree
from tests.docs.manual import leaves
from tests.examples import sample
from tests.faults import kill
from tests.faults.test_booby_trap import set_traps
from tests.forked import Answer, forked
from tests.world import TEMPLATE, World

PUSH = "9531985d"
MEMORY = "heat-is-clamped-after-the-shot-41c7d2"
CHAIN = ("--project", "mech-fighters", "--agent-type", "coding")
MESSAGE = '{"role": "user", "content": "Never force push to main."}\n'
REQUEST = {
    "request_id": "r1",
    "tool_id": "shell",
    "tool_version": "1",
    "timestamp": "2026-04-20T12:00:00Z",
    "agent_context": {"agent_id": "helper", "task_id": "t", "plan_id": "p"},
    "memory_queries": [
        {"query_id": kind, "memory_type": kind, "query_text": "heat"}
        for kind in ("semantic", "episodic", "scratch_page", "conversation", "working")
    ],
}
RESPONSE = {
    "request_id": "r1",
    "tool_id": "shell",
    "agent_context": REQUEST["agent_context"],
    "memory_writes": [{"type": "observation", "content": "The heat was clamped."}],
    "scratch_page_writes": [{"type": "reminder", "content": "Look at the heat."}],
}
VERBS = [
    ("init", "new"),
    ("settings",),
    ("help", "rule", "add"),
    ("rpc",),
    ("mcp",),
    ("check",),
    ("diff", *CHAIN),
    ("diff", "HEAD", "HEAD", "--format", "markdown"),
    ("log", PUSH),
    ("resolve",),
    ("sync", "--remote", "shared", "--offline"),
    ("git", "install"),
    ("git", "status"),
    ("git", "uninstall"),
    ("prompt", *CHAIN),
    ("prompt", *CHAIN, "--explain", "--session", "s"),
    ("prompt", *CHAIN, "--at", "HEAD", "--format", "json"),
    ("prompt", *CHAIN, "--topic", "combat"),
    ("guard", "shell", "--input", '{"command": "git push --force"}'),
    ("hook", "claude"),
    ("search", "heat"),
    ("recall", "test_command", *CHAIN),
    ("query", "request.json"),
    ("apply", "response.json"),
    ("capture", "turns.jsonl", "--format", "openai-chat"),
    ("review", "--json"),
    ("reflect",),
    ("doctor", "--deep"),
    ("report", "-o", "report.html"),
    ("commit",),
    ("browse",),
    ("stats",),
    ("trace",),
    ("rule", "add", "shell", "never use sudo", "-p", "critical"),
    ("rule", "show", PUSH),
    ("rule", "list"),
    ("rule", "why", PUSH),
    ("rule", "edit", PUSH, "--tag", "git"),
    ("rule", "override", PUSH, "--scope", "project:p", "-p", "high", "--reason", "r"),
    ("rule", "move", "6b0d549b", "--scope", "system"),
    ("rule", "keep", "--quote", "never use sudo", "--tool", "shell"),
    ("rule", "retract", "--quote", "you may push by force", "--which", PUSH),
    ("rule", "archive", "6b0d549b", "--reason", "r"),
    ("restore", "6b0d549b"),
    ("rule", "delete", "d23f0824"),
    ("rule", "test"),
    ("rule", "due"),
    ("undo", "--list"),
    ("schema", "rule"),
    ("setup", "--yes", "--agents", "claude"),
    ("fact", "set", "key", "value"),
    ("fact", "get", "key"),
    ("fact", "list"),
    ("fact", "delete", "key"),
    ("memory", "save", "Shots are fired before the heat is counted, not after it"),
    ("memory", "show", MEMORY),
    ("memory", "list"),
    ("memory", "edit", MEMORY, "--tag", "combat"),
    ("memory", "move", MEMORY, "--scope", "system"),
    ("memory", "archive", MEMORY, "--reason", "r"),
    ("memory", "delete", "shots-are-fired"),
    ("tool", "list"),
    ("tool", "show", "shell"),
    ("tool", "add", "git", "--alias", "vcs"),
    ("tool", "import", "tools.json"),
    ("turn", "add", "turns.jsonl", "--format", "openai-chat", "--session", "s"),
    ("turn", "list"),
    ("turn", "show", "--session", "s"),
    ("turn", "render", "--session", "s"),
    ("scratch", "add", "look at the heat"),
    ("scratch", "list"),
    ("scratch", "show", "{entry}"),
    ("scratch", "edit", "{entry}", "--tag", "heat"),
    ("scratch", "set-status", "{entry}", "pending_review"),
    ("scratch", "clear"),
    ("working", "show"),
    ("working", "clear"),
    ("conversation", "list"),
    ("conversation", "show", "{message}"),
    ("conversation", "clear"),
    ("index", "status"),
    ("index", "rebuild"),
    ("import", "CLAUDE.md"),
    ("export", "agents-md", *CHAIN),
    ("export", "json", "-o", "copy.json"),
    ("import", "copy.json"),
    ("trust", "add", "."),
    ("trust", "list"),
    ("trust", "remove", "."),
    ("agent", "install", "claude"),
    ("agent", "test", "claude"),
    ("agent", "status"),
    ("agent", "uninstall", "claude"),
]
FEW = [
    ("prompt", *CHAIN),
    ("rule", "add", "shell", "never use sudo", "-p", "critical"),
    ("hook", "claude"),
    ("sync", "--remote", "shared", "--offline"),
    ("search", "heat"),
    ("mcp",),
]
"""Commands that load different parts of toolmem."""
TRACED = 24
"""Commands whose system calls are looked at when not all are; traps are set for all."""
Run = Callable[[Path, tuple[str, ...], list[str]], Answer]
OWN_HOOKS = {"sh", "toolmem", "env", "python3", Path(sys.executable).name}
"""Programs that a trial of an agent's hooks starts, by their command lines."""
MODULES = ("json", "typer", "yaml", "tomllib", "sqlite3", "sitecustomize", "toolmem")


@pytest.fixture
def vault(tmp_path) -> Path:
    place: Path = tmp_path / "vault"
    shutil.copytree(TEMPLATE, place)
    files = {
        ".gitattributes": "*.md filter=trap diff=trap merge=trap\n* filter=process\n",
        ".toolmem.toml": 'model.command = ["./trap"]\n[hooks]\npre = "./trap"\n',
        "turns.jsonl": MESSAGE,
        "CLAUDE.md": "Never run `git push -f`.\n",
        "tools.json": '{"tools": [{"name": "browse"}]}\n',
        "request.json": json.dumps(REQUEST),
        "response.json": json.dumps(RESPONSE),
    }
    for name, text in files.items():
        place.joinpath(name).write_text(text)
    settings = place / "toolmem.toml"
    settings.write_text(
        f'{settings.read_text()}model.command = ["./trap"]\neditor = "./trap"\n'
    )
    for command in (
        ("init", "--quiet"),
        ("-c", "filter.trap.required=false", "add", "--all"),
        ("commit", "--quiet", "--message", "first"),
        ("remote", "add", "shared", "../shared.git"),
        ("update-ref", "refs/remotes/shared/main", "HEAD"),
    ):
        subprocess.run(["git", *command], cwd=place, check=True)
    os.utime(place / ".git/index", (1_000_000_000, 1_000_000_000))
    return place


@pytest.fixture
def names(vault) -> dict[str, str]:
    """Ids of what only the local state holds, for the words in braces."""
    world = World(vault)
    world.now = datetime.now(UTC)  # the commands' own clock
    asked = {"{entry}": "scratch.add", "{message}": "conversation.add"}
    return {
        word: world.ask(method, text="the guns are hot")["id"]
        for word, method in asked.items()
    }


@pytest.fixture
def canary(vault, tmp_path) -> Path:
    """Set every trap; the file that a program which was started writes."""
    place: Path = set_traps(vault, tmp_path)
    trap = tmp_path / "trap"
    for name in ("git", "trap", "python", "sh", "less", "vi"):
        shutil.copy(trap, vault / name)
    for name in MODULES:
        vault.joinpath(f"{name}.py").write_text(f"open({str(place)!r}, 'a')\n")
    return place


@pytest.fixture
def tempted(canary: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the working folder on PATH, which must have no effect."""
    monkeypatch.setenv("PATH", f":.:{os.environ['PATH']}")
    monkeypatch.setenv("PAGER", "less")
    return canary


def call(vault: Path, words: tuple[str, ...], tracer: list[str]) -> Answer:
    """Run a command in the vault, in a process that has loaded toolmem."""
    return forked("commands").python(["-m", "toolmem", *words], vault, tracer=tracer)


def call_anew(vault: Path, words: tuple[str, ...], tracer: list[str]) -> Answer:
    """Run a command in the vault, in a new interpreter."""
    done = subprocess.run(
        [*tracer, sys.executable, "-P", "-m", "toolmem", *words],
        cwd=vault,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr.decode())


def test_the_trap_is_live(vault, canary):
    subprocess.run(["git", "status"], cwd=vault, capture_output=True, check=False)
    assert canary.exists()


def test_every_command_is_tried():
    tree = command_tree()
    assert isinstance(tree, TyperGroup)
    names = {words for words, _ in leaves(tree)}
    tried = {verb[: 2 if verb[:2] in names else 1] for verb in VERBS}
    assert names == tried


def failures(
    verbs: list[tuple[str, ...]], run: Run, vault: Path, canary: Path, log: Path
) -> dict[tuple[str, ...], int]:
    """The exit codes of the commands that fail, once none has started a program."""
    failed = {}
    programs = set()
    traced = sample(verbs, lambda words: words[0] in ("agent", "sync"), TRACED)
    for words in verbs:
        tracer: list[str] = []
        if words in traced and kill.has_strace():
            tracer = kill.strace(log, ["execve", "connect", "sendto", "bind"])
        done = run(vault, words, tracer)
        assert "a bug in toolmem" not in done.stderr, (words, done.stderr)
        if done.code not in (0, 1):
            failed[words] = done.code
        assert not canary.exists(), (words, canary.read_text())
        if tracer:
            text = log.read_text(errors="replace")
            started = re.findall(r'execve\("([^"]+)".* = 0$', text, re.MULTILINE)
            if run is call_anew:
                del started[0]  # the interpreter itself
            own = OWN_HOOKS if words[0] in ("agent", "setup") else set()
            assert {Path(one).name for one in started} <= {"git", *own}, words
            assert "AF_INET" not in text, words
            programs.update(started)
    assert bool(programs) == kill.has_strace()
    return failed


@pytest.mark.sampled
def test_no_command_starts_what_a_vault_names_or_calls_out(
    vault, names, tempted, tmp_path
):
    verbs = [tuple(names.get(word, word) for word in words) for words in VERBS]
    failed = failures(verbs, call, vault, tempted, tmp_path / "calls")
    # There is no terminal, the session has no turns, and a file has a filter.
    assert failed == {
        ("browse",): 2,
        ("commit",): 15,
        ("turn", "show", "--session", "s"): 12,
    }


@pytest.mark.parametrize(
    "verbs", [FEW, pytest.param(VERBS, marks=pytest.mark.soak)], ids=["few", "every"]
)
def test_nor_does_one_in_a_new_interpreter(verbs, vault, names, tempted, tmp_path):
    verbs = [tuple(names.get(word, word) for word in words) for words in verbs]
    failed = failures(verbs, call_anew, vault, tempted, tmp_path / "calls")
    assert failed.keys() <= {("browse",)}
