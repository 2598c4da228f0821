"""The block at a commit, whose unchanged rules are taken from disk."""

import pytest

from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.ops.prompt import impact
from toolmem.store.vault import rule_files


def _path(name):
    return f"system/rules/shell/{name}-a000000{'abcdefgh'.index(name)}.toml"


def _write(world, name, text):
    rule = f'rule = "{text}"\npriority = "critical"\n'
    world.write(_path(name), f'id = "a000000{"abcdefgh".index(name)}"\n{rule}')


@pytest.fixture
def vault(world):
    world.vault("empty").write(".gitignore", "/.toolmem/\nh-*\n")
    for name in "abcdef":
        _write(world, name, f"never {name} one")
    world.write("projects/p/facts.md", "")
    world.commit("one")
    _write(world, "b", "never b two")
    _write(world, "g", "never g two")
    (world.root / _path("f")).unlink()
    world.commit("two")
    _write(world, "c", "never c three")
    (world.root / _path("d")).unlink()
    world.git("update-index", "--assume-unchanged", _path("e"))
    _write(world, "e", "never e three")
    _write(world, "f", "never f three")
    _write(world, "h", "never h three")
    return world


@pytest.mark.parametrize("since", [("HEAD",), ("HEAD~1",), ("HEAD~1", "HEAD")])
@pytest.mark.parametrize("end", ["", "\r"])
def test_it_is_that_of_every_file_of_the_commit(vault, monkeypatch, since, end):
    place = vault.root / _path("a")
    place.write_bytes(place.read_bytes().replace(b"\n", end.encode() + b"\n"))
    shown = []
    for least in (0, 1000):
        monkeypatch.setattr(impact, "_MANY_RULES", least)
        shown.append(vault.call("diff", *since, "--project", "p", "--json").stdout)
    assert shown[0] == shown[1]
    assert ("never g two" in shown[0]) == (since != ("HEAD",))


def test_unchanged_rules_are_not_parsed_again(vault, monkeypatch):
    parsed = []

    def parse(text, *, path, **more):
        parsed.append(path)
        return parse_rule_file(text, path=path, **more)

    monkeypatch.setattr(impact, "_MANY_RULES", 0)
    monkeypatch.setattr(rule_files, "read_rule", parse)
    vault.call("diff", "HEAD~1", "HEAD", "--project", "p")
    # On disk once, at two commits if it may differ from the disk.
    counts = {name: parsed.count(_path(name)) for name in "abcdefgh"}
    assert counts == {"a": 1, "b": 2, "c": 3, "d": 2, "e": 3, "f": 2, "g": 1, "h": 1}
