"""Vaults in every bad way: name → what is done to a good one."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from toolmem.store.index.generation import VERSION
from toolmem.store.state.database import open_state

RULES = "system/rules/shell"
HOSTILE_REGEX = "(a+)+$"


def _put(path: str, data: bytes | str) -> Callable[[Path], None]:
    def put(vault: Path) -> None:
        place = vault / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())

    return put


def _rule(more: str) -> Callable[[Path], None]:
    head = 'id = "b1"\ntool = "shell"\nrule = "never"\n'
    return _put(f"{RULES}/b.toml", head + more)


def _instead(path: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something else in the place of a file or folder."""

    def put(vault: Path) -> None:
        place = vault / path
        if place.is_dir():
            place.rename(vault / "aside")
        else:
            place.unlink(missing_ok=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        make(place)

    return put


def _folder(place: Path) -> None:
    place.mkdir()


def _pipe(place: Path) -> None:
    os.mkfifo(place)


def _file(place: Path) -> None:
    place.write_text("in the way\n")


def _loop(place: Path) -> None:
    place.symlink_to(place.name)


def _elsewhere(place: Path) -> None:
    outside = place.parent.parent / "outside"
    outside.mkdir(exist_ok=True)
    place.symlink_to(outside)


def _read_only(vault: Path) -> None:
    for folder, _, _ in os.walk(vault):
        Path(folder).chmod(0o555)


def _state(change: Callable[[Path], object]) -> Callable[[Path], None]:
    def spoil(vault: Path) -> None:
        with open_state(vault):
            pass
        change(vault / ".toolmem" / "state.db")

    return spoil


def _cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:1000])


def _flipped(place: Path) -> None:
    data = bytearray(place.read_bytes())
    data[100:2000] = b"\xff" * 1900
    place.write_bytes(bytes(data))


def _newer(place: Path) -> None:
    with sqlite3.connect(place) as state:
        state.execute("PRAGMA user_version = 999")


BROKEN: dict[str, Callable[[Path], None]] = {
    "no problems found": lambda _: None,
    "no settings file": lambda vault: (vault / "toolmem.toml").unlink(),
    "settings are empty": _put("toolmem.toml", ""),
    "settings are no TOML": _put("toolmem.toml", "schema = \n"),
    "settings are binary": _put("toolmem.toml", b"\xff\x00\xfe"),
    "settings are of a newer schema": _put("toolmem.toml", "schema = 999\n"),
    "settings have a wrong type": _put("toolmem.toml", 'schema = "one"\n'),
    "settings are a folder": _instead("toolmem.toml", _folder),
    "settings are a pipe": _instead("toolmem.toml", _pipe),
    "settings are a link to themselves": _instead("toolmem.toml", _loop),
    "settings have a wrong capture mode": _put(
        "toolmem.toml", 'schema = 1\n[capture]\nmode = "always"\n'
    ),
    "a rule is no TOML": _rule("tags = [\n"),
    "a rule is binary": _put(f"{RULES}/b.toml", b"\xff\xfe\x00"),
    "a rule is empty": _put(f"{RULES}/b.toml", ""),
    "a rule has a merge conflict": _put(
        f"{RULES}/b.toml", "<<<<<<< a\nid = 1\n=======\n>>>>>>> b\n"
    ),
    "a rule is too large": _rule("# " + "x" * 1_000_000),
    "a rule is nested deeply": _rule("x = " + "[" * 50_000),
    "a rule has a key of many dots": _rule("a." * 30_000 + "b = 1\n"),
    "a rule has no id": _put(f"{RULES}/b.toml", 'tool = "shell"\nrule = "x"\n'),
    "a rule is a pipe": _instead(f"{RULES}/b.toml", _pipe),
    "a rule is a link": _instead(f"{RULES}/b.toml", _elsewhere),
    "a rule is a folder": _instead(f"{RULES}/b.toml", _folder),
    "a guard has a wrong key": _rule('[[guard]]\ncomand = ["x"]\n'),
    "a guard is no table": _rule("guard = 1\n"),
    "a guard's pattern explodes": _rule(f'[[guard]]\nregex = "{HOSTILE_REGEX}"\n'),
    "a guard's pattern is no pattern": _rule('[[guard]]\nregex = "("\n'),
    "a tool's folder is a link": _instead(RULES, _elsewhere),
    "the rules are a file": _instead("system/rules", _file),
    "the widest scope is a link": _instead("system", _elsewhere),
    "the widest scope is a file": _instead("system", _file),
    "a manifest is no TOML": _put("tools/bad.toml", "name = "),
    "a manifest is of wrong types": _put("tools/bad.toml", "aliases = 1\n"),
    "the manifests are a file": _instead("tools", _file),
    "facts are binary": _put("system/facts.md", b"\xff\xfe"),
    "a profile is huge": _put("system/profile.md", "x" * 2_000_000),
    "guidance is a link to itself": _instead("system/guidance", _loop),
    "a memory has a broken header": _put(
        "system/memory/m.md", "---\ntopic: [\n---\n# Please run the tests\n"
    ),
    "a memory is binary": _put("system/memory/m.md", b"\xff\x00" * 100),
    "local state is a file": _instead(".toolmem", _file),
    "local state is a link": _instead(".toolmem", _elsewhere),
    "the database is garbage": _state(lambda db: db.write_bytes(b"garbage" * 999)),
    "the database is cut off": _state(_cut),
    "the database is damaged inside": _state(_flipped),
    "the database is of a newer toolmem": _state(_newer),
    "the database is a folder": _instead(".toolmem/state.db", _folder),
    "the database is a pipe": _instead(".toolmem/state.db", _pipe),
    "the lock is a folder": _instead(".toolmem/lock", _folder),
    "the lock is a pipe": _instead(".toolmem/lock", _pipe),
    "the journals are a file": _instead(".toolmem/sessions", _file),
    "the journals are a link": _instead(".toolmem/sessions", _elsewhere),
    "a journal is garbage": _put(".toolmem/sessions/s-1.jsonl", b"\xff{]\n{}\n1\n"),
    "a journal is of wrong types": _put(
        ".toolmem/sessions/s-1.jsonl",
        '{"call": {"name": 1, "args": []}}\n{"prompt": 1, "session": [], "cwd": 3}\n'
        '{"call": 1}\n{"denied": [1, {}], "call": {"args": {"command": 1}}}\n',
    ),
    "a journal is a pipe": _instead(".toolmem/sessions/s-1.jsonl", _pipe),
    "the index is garbage": _put(f".toolmem/index/{VERSION}-en/current", b"\xff\xff"),
    "the index is a file": _instead(".toolmem/index", _file),
    "the archive is a file": _instead("archive", _file),
    "everything is read only": _read_only,
}
