"""Local state under faults: killed at any call, and what it says is what it kept."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.client import toolmem
from tests.faults import kill
from tests.store.state.pages import note, opened
from toolmem.errors import NoVaultError
from toolmem.store.state import scratch

_ADD = ("-m", "toolmem", "--vault", "{vault}", "scratch", "add", "new")
LOST = (
    "toolmem: the local state was damaged and was created again (moved to "
    "state.db.corrupt-1): turns, counts, scratch pages, conversations and the "
    "trace were lost, rules and memories were not\n"
)

needs_strace = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)


def _page(vault: Path) -> None:
    """A vault with two entries on a page."""
    held = opened(vault)
    for content in ("one", "two"):
        note(held, "", content=content, ttl_days=365)


def _wrong(tmp_path: Path) -> list[str]:
    """Return the damage and the lost writes of a killed ``scratch add``."""
    case = kill.Case(_ADD, _page)
    vault = tmp_path / "vault"
    points = kill.points(case, vault)
    assert len(points) > 20
    wrong = []
    for point in kill.sampled(points):
        done = kill.kill_at(case, vault, point)
        found = [entry.content for entry in scratch.entries(opened(vault))]
        whole = ["new", "two", "one"]
        if found not in (whole, whole[1:]) or (done.stdout and found != whole):
            wrong.append(f"{point}: {found}")
        again = kill.run(case, vault)
        count = len(scratch.entries(opened(vault)))
        if again.code or count != len(found) + 1:
            wrong.append(f"{point}: then {again.code} {again.stderr} and {count}")
    return wrong


@needs_strace
@pytest.mark.sampled
def test_an_entry_that_was_told_is_there_and_the_page_is_whole(tmp_path):
    assert _wrong(tmp_path) == []


@pytest.mark.parametrize(
    "words",
    [
        ("scratch", "add", "x"),
        ("scratch", "list"),
        ("working", "show"),
        ("conversation", "list"),
        ("trace",),
    ],
    ids=" ".join,
)
def test_state_that_cannot_be_opened_is_told_in_one_line(world, words):
    world.vault("empty")
    _page(world.root)
    place = world.root / ".toolmem/state.db"
    outside = world.root / "outside.db"
    place.rename(outside)
    place.symlink_to(outside)
    before = outside.read_bytes()
    done = world.call(*words, "--json")
    assert (done.code, done.stdout) == (15, "")
    assert json.loads(done.stderr) == {
        "code": "storage",
        "message": "/world/.toolmem/state.db: is a symbolic link: delete it and try "
        "again",
    }
    assert outside.read_bytes() == before


def test_without_a_vault_there_is_no_page(tmp_path):
    vault = opened(tmp_path / "vault")
    vault.root.joinpath("toolmem.toml").unlink()
    vault.root.rmdir()
    with pytest.raises(NoVaultError):
        note(vault)
    assert not vault.root.exists()


@pytest.mark.parametrize(
    "words",
    [("scratch", "list"), ("working", "show"), ("conversation", "list"), ("trace",)],
    ids=" ".join,
)
def test_state_that_was_damaged_is_begun_anew_and_that_is_told_once(world, words):
    world.vault("empty")
    _page(world.root)
    world.write(".toolmem/state.db", b"this is no database, is it? " * 10)
    world.run(*words).stderr(LOST).run(*words)


@pytest.mark.parametrize("words", [("query",), ("apply",)], ids=" ".join)
def test_a_tool_goes_on_and_what_was_lost_is_told_to_whoever_runs_it(world, words):
    world.vault("access")
    _page(world.root)
    world.write(".toolmem/state.db", b"this is no database, is it? " * 10)
    for told in (LOST, ""):
        done = world.call(*words, stdin='{"tool_id": "wine_recommender"}')
        assert (done.code, done.stderr) == (0, told)


@pytest.mark.parametrize("server", ["rpc", "mcp"])
def test_a_server_that_starts_tells_what_was_lost(tmp_path, server):
    if server == "mcp":
        pytest.importorskip("mcp", reason="the extra toolmem[mcp] is not installed")
    _page(tmp_path)
    tmp_path.joinpath(".toolmem/state.db").write_bytes(b"this is no database " * 10)
    for told in (LOST, ""):
        done = subprocess.run(
            [*toolmem(), "--vault", str(tmp_path), server],
            input=b"",
            capture_output=True,
            timeout=60,
            check=True,
        )
        assert (done.stdout, done.stderr.decode()) == (b"", told)
