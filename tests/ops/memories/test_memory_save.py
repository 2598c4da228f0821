"""Saving with the user's own model, and into places that hold something else."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.world import World

_OLD = (
    "When refreshing expired OAuth tokens, the provider requires the scopes to be "
    "requested again, else the call fails with 403."
)

_DISTINCT = (
    "The staging database is restored from a dump every Monday at six",
    "Screenshots of the login page belong into the folder of the tests",
    "Weapons overheat when two of them are fired in the same turn",
    "Invoices below ten euros are rounded to the nearest cent by law",
    "The mobile build needs the old compiler until the next spring",
    "Ask Ada before you touch anything that the billing team owns",
    "Retries use an exponential pause that begins at two hundred ms",
    "Feature flags live in the settings service and not in the code",
    "Our customers in Japan read dates with the year in front of them",
    "Logs of the payment gateway are kept for ninety days and no longer",
)


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def _save(world: World, *args: str, stdin: str = "") -> dict[str, Any]:
    done = world.call("memory", "save", *args, "--json", stdin=stdin)
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _model(world: World, script: str, seconds: int = 20) -> None:
    world.write("model.py", script)
    words = (sys.executable, str(world.root / "model.py"))
    command = ", ".join(f'"{word}"' for word in words)
    folder = Path(os.environ["HOME"]) / ".config" / "toolmem"
    folder.mkdir(parents=True)
    text = f"[model]\ncommand = [{command}]\nseconds = {seconds}\n"
    (folder / "config.toml").write_text(text)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("raise SystemExit(3)", "ended with 3"),
        ("pass", "wrote nothing"),
        ("import time; time.sleep(30)", "took longer than 1 s"),
        (
            "print('<<<<<<< a\\nx\\n=======\\ny\\n>>>>>>> b')",
            "wrote no memory (an unresolved merge conflict)",
        ),
        (
            "import sys; sys.stdout.buffer.write(b'\\xe2\\x80\\xae txt')",
            "wrote no memory (contains U+202E RIGHT-TO-LEFT OVERRIDE)",
        ),
        ("print('the key is AKIA' + 'IOSFODNN7EXAMPLA')", "wrote a secret"),
    ],
)
def test_a_model_that_fails_is_told_and_nothing_is_lost(vault, script, reason):
    _model(vault, script, seconds=1)
    done = vault.call("memory", "save", "\n\n".join(_DISTINCT * 3), "--topic", "x")
    assert done.code == 0
    remark = f"the model command {reason}: summarised without it"
    assert done.stderr == f"toolmem: {remark}\n"
    shown = vault.call("memory", "show", "the-staging", "--full").stdout
    assert [text for text in _DISTINCT if text not in shown] == []


def test_a_vault_cannot_name_a_model(vault):
    vault.write("toolmem.toml", 'schema = 1\n[model]\ncommand = ["touch", "canary"]\n')
    _save(vault, _OLD)
    _save(vault, f"{_OLD} The client logs this.")
    assert not (vault.root / "canary").exists()
    assert "setting-not-allowed" in vault.call("check").stdout


def test_a_text_of_more_than_a_mebibyte_is_a_file_beside_the_memory(vault):
    text = "Line after line of a log that somebody wants to keep. " * 21_000
    saved = _save(vault, "-", stdin="# A log\n\n" + text)
    memory = vault.root / saved["path"]
    assert memory.stat().st_size < 4096
    assert f"original: {saved['id']}.txt" in memory.read_text()
    assert text.strip() in vault.call("memory", "show", "a-log", "--full").stdout


def test_a_private_memory_is_never_merged_into_a_public_one(vault):
    _save(vault, _OLD)
    assert (
        _save(vault, f"{_OLD} The client logs this.", "--private")["action"]
        == "created"
    )


def test_ten_distinct_memories_are_ten_files(vault):
    for text in _DISTINCT:
        assert _save(vault, text)["action"] == "created"
    assert len(vault.call("memory", "list").stdout.splitlines()) == 10
