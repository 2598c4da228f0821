"""Doctor finds every planted defect, and none in a sound vault."""

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.world import World
from toolmem.ops.doctor.bug_report import shape
from toolmem.ops.doctor.installation import fits
from toolmem.store.files import probe
from toolmem.store.index import word_table
from toolmem.store.journal import hook_log
from toolmem.store.state.database import open_state
from toolmem.store.state.typed_messages import spool

RULE = 'id = "{0}"\ntool = "shell"\nrule = "never {0} in the office"\n'
SHELL = "system/rules/shell"
MEMORY = "# The door opens at nine in the morning\n\nOn Sundays it stays shut.\n"


@pytest.fixture
def sound(world, monkeypatch, tmp_path_factory):
    """A vault in use, committed, with an index, by a toolmem that is on PATH."""
    folder = tmp_path_factory.mktemp("bin")
    program(folder / "toolmem", f"#!{sys.executable}\n")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    world.clock(at=datetime.now(UTC).replace(microsecond=0).isoformat())
    world.vault("empty").write(f"{SHELL}/a-a0000001.toml", RULE.format("a0000001"))
    world.write("system/memory/door-a00001.md", MEMORY)
    world.write(".gitignore", "/.toolmem/\n")
    world.commit()
    assert world.call("search", "door").code == 0
    return world


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def examined(world: World, *flags: str) -> dict[str, Any]:
    done = world.call("doctor", "--json", *flags)
    document: dict[str, Any] = json.loads(done.stdout)
    assert done.code == (0 if document["ok"] else 1), done.stderr
    return document


def codes(world: World, *flags: str) -> set[str]:
    return {finding["code"] for finding in examined(world, *flags)["findings"]}


def test_a_sound_vault_has_no_findings(sound):
    before = sound.files()
    assert examined(sound, "--deep") == {"findings": [], "fixed": [], "ok": True}
    assert sound.files() == before
    assert sound.git("status", "--porcelain") == ""
    sound.run("doctor").stderr("toolmem: no problems found\n")


def config(text: str) -> Callable[[World], None]:
    def plant(world: World) -> None:
        path = Path.home() / ".config/toolmem/config.toml"
        path.parent.mkdir(parents=True)
        path.write_text(text)

    return plant


def write(path: str, text: str) -> Callable[[World], Any]:
    return lambda world: world.write(path, text)


def write_all(*files: tuple[str, str]) -> Callable[[World], None]:
    def plant(world: World) -> None:
        for path, text in files:
            world.write(path, text)

    return plant


def link(path: str, target: str) -> Callable[[World], None]:
    def plant(world: World) -> None:
        (world.root / path).parent.mkdir(parents=True, exist_ok=True)
        (world.root / path).symlink_to(target)

    return plant


def aged(path: str, days: float, size: int = 1) -> Callable[[World], None]:
    def plant(world: World) -> None:
        world.write(path, b"x" * size)
        then = (world.now - timedelta(days=days)).timestamp()
        os.utime(world.root / path, (then, then))

    return plant


def moved_state(world: World) -> None:
    (world.root / ".toolmem").rename(world.root.parent / "elsewhere")
    (world.root / ".toolmem").symlink_to(world.root.parent / "elsewhere")


def chmod(path: str, mode: int) -> Callable[[World], None]:
    return lambda world: (world.root / path).chmod(mode)


def garbage_in_the_database(world: World) -> None:
    with open_state(world.root):
        pass
    world.write(".toolmem/state.db", b"no database " * 100)


def newer_database(world: World) -> None:
    with open_state(world.root) as state:
        state.execute("PRAGMA user_version = 99")


def folder_for_database(world: World) -> None:
    (world.root / ".toolmem/state.db").mkdir()


def damaged_index(world: World) -> None:
    files = sorted((world.root / ".toolmem/index").rglob("*.store"))
    data = bytearray(files[0].read_bytes())
    data[len(data) // 3] ^= 0xFF
    found = files[0].stat()
    files[0].write_bytes(bytes(data))
    os.utime(files[0], ns=(found.st_atime_ns, found.st_mtime_ns))


def half_written_index(world: World) -> None:
    [manifest] = (world.root / ".toolmem/index").rglob("manifest")
    manifest.write_bytes(manifest.read_bytes()[:-9])


def spooled(world: World) -> None:
    with open_state(world.root) as state:
        spool(state, [{"text": "never push"}], world.now)


def broken_lock(world: World) -> None:
    (world.root / ".toolmem/lock").unlink(missing_ok=True)
    (world.root / ".toolmem/lock").mkdir()


def partly_wired(world: World) -> None:
    world.call("agent", "install", "claude", "--project")
    path = world.root / ".claude/settings.json"
    document = json.loads(path.read_text())
    document["hooks"].pop("PreToolUse")
    path.write_text(json.dumps(document))


def twice_wired(world: World) -> None:
    world.call("agent", "install", "cursor", "--project")
    world.call("agent", "install", "cursor", "--user")


def off_the_path(world: World) -> None:
    first, _, rest = os.environ["PATH"].partition(os.pathsep)
    Path(first, "toolmem").unlink()
    os.environ["PATH"] = f"{first}{os.pathsep}{_without_toolmem(rest)}"


def _without_toolmem(path: str) -> str:
    folders = path.split(os.pathsep)
    return os.pathsep.join(f for f in folders if not Path(f, "toolmem").exists())


def wired_in_vain(world: World) -> None:
    world.call("agent", "install", "claude", "--project")
    off_the_path(world)


def on_path(name: str, text: str) -> Callable[[World], None]:
    def plant(world: World) -> None:
        first = os.environ["PATH"].partition(os.pathsep)[0]
        program(Path(first, name), text)

    return plant


def no_git(world: World) -> None:
    os.environ["PATH"] = os.environ["PATH"].partition(os.pathsep)[0]


def package(name: str, version: str) -> Callable[[World], None]:
    def plant(world: World) -> None:
        folder = world.root.parent / "site"
        info = folder / f"{name}-{version}.dist-info"
        info.mkdir(parents=True)
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(text)
        sys.path.insert(0, str(folder))

    return plant


def trouble_in_a_hook(world: World) -> None:
    hook_log.note("claude", "PreToolUse", ValueError("no such thing"))


def crashed(world: World) -> None:
    path = Path.home() / ".local/state/toolmem/crash.log"
    path.parent.mkdir(parents=True)
    path.write_text("toolmem 0.1\nTraceback\nValueError: x\n")


def nobody(world: World) -> None:
    (Path.home() / ".gitconfig").write_text("")


def ignored(world: World) -> None:
    world.git("rm", "--quiet", "--cached", "toolmem.toml")
    world.write(".gitignore", "*\n")


def tracked_state(world: World) -> None:
    world.write(".toolmem/x.txt", "said\n")
    world.git("add", "--force", ".toolmem/x.txt")


def unmerged(world: World) -> None:
    world.git("checkout", "--quiet", "-b", "other")
    world.write("system/facts.md", "one: 1\n").commit()
    world.git("checkout", "--quiet", "main")
    world.write("system/facts.md", "one: 2\n").commit()
    with pytest.raises(Exception, match="merge"):
        world.git("merge", "other")
    world.write("system/facts.md", "one: 2\n")


def lost_object(world: World) -> None:
    blob = world.git("rev-parse", "HEAD:toolmem.toml").strip()
    (world.root / ".git/objects" / blob[:2] / blob[2:]).unlink()


def tomorrow(world: World) -> None:
    world.clock(days=30)
    world.write("system/facts.md", "a: 1\n").commit()
    world.clock(days=-30)


def driver_of_another_day(world: World) -> None:
    world.call("git", "install")
    world.git("config", "merge.toolmem.driver", "/gone/toolmem git merge-driver %O")


def half_the_drivers(world: World) -> None:
    world.call("git", "install")
    world.git("config", "--remove-section", "diff.toolmem")


PLANTED: list[tuple[str, Callable[[World], Any], tuple[str, ...]]] = [
    ("not-on-path", off_the_path, ()),
    ("other-on-path", on_path("toolmem", "#!/opt/other/bin/python3\n"), ()),
    ("git-missing", no_git, ()),
    ("git-old", on_path("git", "#!/bin/sh\necho git version 2.10.1\n"), ()),
    ("package-version", package("typer", "99.0"), ()),
    ("word-vectors", lambda w: setattr(word_table, "FILE", w.root / "none.bin"), ()),
    ("settings-broken", config("agent = \n"), ()),
    ("settings-odd", config('agnet = "x"\n'), ()),
    ("default-vault", config('vault = "/nowhere/at/all"\n'), ()),
    ("model-missing", config('[model]\ncommand = ["no-such-program"]\n'), ()),
    ("semantic-missing", config("[search]\nsemantic = true\n"), ()),
    ("clock-fixed", lambda _: os.environ.update(SOURCE_DATE_EPOCH="1800000000"), ()),
    ("newer-schema", write("toolmem.toml", "schema = 99\n"), ()),
    ("conflict-marker", write("system/facts.md", "<<<<<<< a\na: 1\n=======\n"), ()),
    ("unreadable", write(f"{SHELL}/b-b0000001.toml", "id = \n"), ()),
    (
        "duplicate-id",
        write(f"{SHELL}/c-a0000001.toml", RULE.format("a0000001")),
        (),
    ),
    (
        "orphan-override",
        write("projects/p/rules/shell/x-d0000001.toml", 'id = "d1"\nenabled = false\n'),
        (),
    ),
    ("symlink", link(f"{SHELL}/l.toml", "/etc/hostname"), ()),
    ("misplaced-rule", write("system/rules/x.toml", RULE.format("e0000001")), ()),
    (
        "expired",
        write(
            f"{SHELL}/f-f0000001.toml",
            RULE.format("f0000001") + "expires_at = 2020-01-01T00:00:00Z\n",
        ),
        (),
    ),
    (
        "invisible-character",
        write(f"{SHELL}/g-g.toml", RULE.format("g0000001\u202e")),
        (),
    ),
    (
        "newer-format",
        write(f"{SHELL}/h-h.toml", RULE.format("h1") + "format = 9\n"),
        (),
    ),
    ("unclosed-block", write("system/facts.md", "```\na: 1\n"), ()),
    ("duplicate-key", write("system/facts.md", "a: 1\na: 2\n"), ()),
    (
        "wrong-type",
        write("system/memory/x-a1.md", "---\nkind: []\n---\n"),
        (),
    ),
    (
        "name-twins",
        write_all(("system/memory/Door-A00001.md", MEMORY)),
        (),
    ),
    ("bad-name", write("projects/a%62/facts.md", "a: 1\n"), ()),
    (
        "duplicate-alias",
        write_all(
            ("tools/bash.toml", 'aliases = ["sh"]\n'),
            ("tools/zsh.toml", 'aliases = ["sh"]\n'),
        ),
        (),
    ),
    ("memory-twice", write("projects/p/memory/door-a00001.md", MEMORY), ()),
    ("temporary-file", aged("system/memory/.tmp-0123456789abcdef", 1), ()),
    (
        "in-archive-too",
        write(
            "archive/system/memory/door-a00001.md",
            f'---\nreason: "x"\narchived_at: "2026-01-01T00:00:00Z"\n---\n{MEMORY}',
        ),
        (),
    ),
    (
        "secret",
        write("system/memory/k-a1.md", "# Key\n\nAKIA" + "Z7QX2MLP4RTV9WKD\n"),
        ("--deep",),
    ),
    ("index-damaged", damaged_index, ()),
    ("index-interrupted", half_written_index, ()),
    ("state-folder", moved_state, ()),
    ("state-open", chmod(".toolmem", 0o755), ()),
    ("state-not-ignored", lambda w: (w.root / ".toolmem/.gitignore").unlink(), ()),
    ("state-no-file", folder_for_database, ()),
    ("state-damaged", garbage_in_the_database, ()),
    ("state-newer", newer_database, ()),
    ("state-aside", write(".toolmem/state.db.corrupt-1", "x"), ()),
    ("journal-old", aged(".toolmem/sessions/s.jsonl", 60), ()),
    ("journal-full", aged(".toolmem/sessions/s.jsonl", 0, 1 << 20), ()),
    ("spool-waits", spooled, ()),
    ("pending-broken", write(".toolmem/pending/x.toml", "id = 1\n"), ()),
    ("lock-broken", broken_lock, ()),
    ("agent-unreadable", write(".claude/settings.json", "{"), ()),
    ("agent-partly", partly_wired, ()),
    ("agent-twice", twice_wired, ()),
    ("hooks-in-vain", wired_in_vain, ()),
    ("hook-trouble", trouble_in_a_hook, ()),
    ("crashed", crashed, ()),
    ("no-identity", nobody, ()),
    ("vault-ignored", ignored, ()),
    ("state-tracked", tracked_state, ()),
    ("unmerged", unmerged, ()),
    ("git-lock", aged(".git/index.lock", 1), ()),
    ("driver-missing", driver_of_another_day, ()),
    ("drivers-partly", half_the_drivers, ()),
    ("git-damaged", lost_object, ("--deep",)),
    ("commit-of-tomorrow", tomorrow, ()),
    ("file-of-tomorrow", aged("system/memory/t-a1.md", -9), ()),
    ("clock-behind", lambda w: w.clock(at="2001-01-01T00:00:00+00:00"), ()),
]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("code", "plant", "flags"), PLANTED, ids=[p[0] for p in PLANTED]
)
def test_a_planted_defect_is_found(code, plant, flags, sound, monkeypatch):
    # What a plant changes of these is put back after the test.
    for name in ("PATH", "SOURCE_DATE_EPOCH"):
        value = os.environ.get(name)
        monkeypatch.setenv(name, value or "")
        if value is None:
            monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(word_table, "FILE", word_table.FILE)
    plant(sound)
    document = examined(sound, *flags)
    found = [finding for finding in document["findings"] if finding["code"] == code]
    assert found, document
    assert all(finding["message"] and finding["cure"] for finding in found)


def test_a_vault_that_cannot_be_opened_is_a_finding_and_the_rest_is_looked_at(sound):
    done = sound.call("--vault", "nowhere", "doctor", "--json")
    [finding] = json.loads(done.stdout)["findings"]
    assert (done.code, finding["code"]) == (1, "no_vault")


def test_settings_that_cannot_be_read_call_for_no_new_vault(sound):
    sound.write("toolmem.toml", "schema = \n")
    done = sound.call("doctor", "--json")
    [finding] = json.loads(done.stdout)["findings"]
    assert (finding["code"], finding["severity"]) == ("invalid_file", "error")
    assert "init" not in finding["cure"]


FIXABLE = [
    ("temporary-file", aged("system/memory/.tmp-0123456789abcdef", 1), ".tmp-"),
    ("index-damaged", damaged_index, ""),
    ("index-interrupted", half_written_index, ""),
    ("state-open", chmod(".toolmem", 0o755), ""),
    ("state-not-ignored", write(".toolmem/.gitignore", "# none\n"), ".gitignore"),
    ("state-damaged", garbage_in_the_database, "state.db"),
    ("journal-old", aged(".toolmem/sessions/s.jsonl", 60), "s.jsonl"),
    ("agent-partly", partly_wired, "settings.json"),
    ("driver-missing", driver_of_another_day, "config"),
    ("drivers-partly", half_the_drivers, "config"),
]


@pytest.mark.parametrize(
    ("code", "plant", "kept"), FIXABLE, ids=[f[0] for f in FIXABLE]
)
def test_a_fix_is_backed_up_and_done_once(code, plant, kept, sound):
    plant(sound)
    before = sound.files()
    document = examined(sound, "--fix")
    assert code not in {finding["code"] for finding in document["findings"]}
    [fixed] = document["fixed"]
    assert (fixed["code"], fixed["result"]) == (code, "fixed")
    if kept:
        folder = sound.root / fixed["backup"]
        [copy] = [path for path in folder.iterdir() if path.name.startswith(kept)]
        assert before.get(fixed["path"], copy.read_bytes()) == copy.read_bytes()
    held = sound.files()
    again = examined(sound, "--fix")
    assert again["fixed"] == []
    assert sound.files() == held


def test_a_fix_without_a_file_is_told_without_a_gap(sound):
    damaged_index(sound)
    assert sound.call("doctor", "--fix").stderr.startswith(
        "toolmem: index-damaged: fixed\n"
    )


def test_looking_changes_nothing(sound):
    (sound.root / ".toolmem/.gitignore").unlink()
    chmod(".toolmem", 0o755)(sound)
    garbage_in_the_database(sound)
    (sound.root / ".toolmem/.gitignore").unlink()
    before = {p: p.read_bytes() for p in sound.root.rglob("*") if p.is_file()}
    examined(sound)
    after = {p: p.read_bytes() for p in sound.root.rglob("*") if p.is_file()}
    lock = sound.root / ".toolmem/lock"
    assert before.keys() == after.keys()
    assert {p for p in before if before[p] != after[p]} <= {lock}


def test_a_bundle_holds_no_contents(sound):
    secret = "xyzzy"
    for path, text in {
        f"projects/{secret}/rules/{secret}/{secret}-a1.toml": f'id = "{secret}"\n',
        f"projects/{secret}/memory/{secret}-a1.md": f"# {secret}\n",
        f"agents/{secret}/facts.md": f"```\n{secret}: {secret}\n",
        f"tools/{secret}.toml": f'aliases = ["{secret}", 3]\n',
    }.items():
        sound.write(path, text)
    hook_log.note("claude", "PreToolUse", ValueError(f"about {secret}"))
    crash = Path.home() / ".local/state/toolmem/crash.log"
    crash.write_text(
        "Traceback (most recent call last):\n"
        f'  File "/home/{secret}/toolmem/cli/main.py", line 9, in run\n'
        f"    {secret}\nValueError: {secret}\n"
    )
    assert sound.call("doctor", "--bundle", "report.json").code == 1
    text = sound.read("report.json")
    assert secret not in text
    assert str(sound.root) not in text
    assert str(Path.home()) not in text
    document = json.loads(text)
    assert document["crashes"] == ["toolmem/cli/main.py:9 run", "ValueError"]
    assert document["hooks"][0]["error"] == "ValueError"
    assert {finding["code"] for finding in document["findings"]} >= {"unreadable"}


def test_a_bundle_is_printed_for_a_pipe(sound):
    done = sound.call("doctor", "--bundle", "-")
    assert json.loads(done.stdout)["findings"] == []
    assert not sound.root.joinpath("-").exists()
    assert sound.call("doctor", "--bundle", "-", "--json").code == 2


def test_trouble_of_a_hook_without_a_known_event_is_told(sound):
    hook_log.note("claude", "", ValueError("no JSON"))
    assert "last in an event of claude at " in sound.call("doctor").stdout
    assert (
        "a hook failed in an event of claude at "
        in sound.call("agent", "status").stderr
    )


def test_a_path_is_shown_by_its_shape_alone():
    assert shape("projects/apollo/rules/shell/x-1.toml") == "projects/*/rules/*/*.toml"
    assert shape("/home/ada/.claude/settings.json") == "*/*.json"
    assert shape("") == ""


@pytest.mark.parametrize(
    ("version", "bounds", "held"),
    [
        ("0.28.1", ">=0.26,<0.29", True),
        ("0.29", ">=0.26,<0.29", False),
        ("1", ">=1.0", True),
        ("6.0.0", ">=6.0.1", False),
        ("2.0rc1", ">=1", True),
        ("1.0", "==1.0.0", True),
        ("1.0", "", True),
    ],
)
def test_versions_are_compared_as_numbers(version, bounds, held):
    assert fits(version, bounds) is held


def test_a_network_disk_is_known_by_its_mount(tmp_path):
    place = str(tmp_path.resolve())
    table = f"/dev/sda1 / ext4 rw 0 0\nhost:/x {place} nfs4 rw 0 0\n"
    assert probe.network_kind(tmp_path / "vault", table) == "nfs4"
    assert probe.network_kind(Path("/other"), table) == ""


def test_a_damaged_page_is_found_when_all_are_read(sound):
    with open_state(sound.root) as state:
        for number in range(400):
            state.execute(
                "INSERT INTO notes VALUES (?, ?)", (f"note {number}", "x" * 200)
            )
    path = sound.root / ".toolmem/state.db"
    with sqlite3.connect(path) as state:
        state.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    state.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    assert "state-damaged" in codes(sound, "--deep")
    assert "state-damaged" not in codes(sound, "--deep", "--fix")


def test_a_plain_file_in_place_of_the_index_is_an_error_with_what_to_run(sound):
    file = sound.root / ".toolmem/index"
    shutil.rmtree(file, ignore_errors=True)
    file.write_text("")
    done = sound.call("doctor")
    assert (done.code, done.stdout) == (
        1,
        "error: index: /world/.toolmem/index is a file, not a folder [index-blocked]\n"
        "    delete the file, then run `toolmem index rebuild`\n",
    )
    file.unlink()
    sound.call("index", "rebuild")
    assert sound.call("doctor").stdout == ""
