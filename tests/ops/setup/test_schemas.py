"""JSON Schemas of toolmem's files: they say what toolmem itself says."""

import json
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli_w

from tests.world import TEMPLATE, VAULTS
from toolmem.api.operations.table import OPERATIONS
from toolmem.core.access.permit import read_access
from toolmem.core.model import Scope
from toolmem.core.rules.duty_table import parse_duties
from toolmem.core.rules.guard_table import parse_guards
from toolmem.core.rules.rule_file import KNOWN_KEYS, parse_rule_file
from toolmem.core.tools.manifest import parse_manifest
from toolmem.errors import ToolmemError
from toolmem.ops.setup.schemas import SCHEMAS, editor_files, schema
from toolmem.store.files.settings import read_layer

_SCOPE = Scope("system")
_GOOD: Mapping[str, list[Any]] = {
    "id": ["0f3c1d2e-7a5b-4c6d-8e9f-a0b1c2d3e4f5"],
    "tool": ["shell", "send_email"],
    "rule": ["never use rsync"],
    "priority": ["critical", " High"],
    "source": ["user_explicit"],
    "tags": [[], ["a", "b"]],
    "created_at": [date(2026, 1, 1)],
    "expires_at": [datetime.fromisoformat("2027-01-01T00:00:00+00:00")],
    "evidence": ["", "they said so"],
    "why": ["it deletes"],
    "agent": ["claude"],
    "enabled": [True, False],
    "format": [1, 3],
    "guard": [
        [{"command": "rsync"}],
        [{"command": [["git", ["push", "pull"]]], "action": "ask", "note": "x"}],
        [{"path": {"inside": "src/*"}, "operation": "change", "match": [["a", "b"]]}],
        [{"host": ["a.example"], "unless": {"contains": "dry"}}],
    ],
    "duty": [
        [{"run": "make test", "after": "src/*"}],
        [{"change": ["CHANGELOG.md"], "before": ["end"]}],
    ],
}
_ODD: list[Any] = [True, 7, 1.5, {"odd": 1}, [7], [[]], ""]


def plain(value: Any) -> Any:
    """A value of TOML as validators of JSON see it."""
    return json.loads(json.dumps(value, default=str))


def fits(name: str, table: Any) -> bool:
    return bool(jsonschema.Draft7Validator(schema(name)).is_valid(plain(table)))


def is_read(name: str, text: str) -> bool:
    """Whether toolmem reads a file without an error of its structure."""
    try:
        if name == "rule":
            file = parse_rule_file(text, path="x", scope=_SCOPE, folder_tool="shell")
            guards = parse_guards(file.stated.get("guard", []), path="x")[1]
            duties = parse_duties(file.stated.get("duty", []), path="x")[1]
            return not (guards or duties)
        if name == "manifest":
            manifest = parse_manifest(text, path="x", name="shell")
            read_access(manifest.stated, "x")
            return True
        layer = read_layer(text, where=name, origin="x")
        return not any(one.severity == "error" for one in layer.problems)
    except ToolmemError:
        return False


def rules() -> Iterator[dict[str, Any]]:
    """200 rule files with keys by chance."""
    chance = random.Random(39)
    for _ in range(200):
        keys = {"id", *chance.sample(list(_GOOD), chance.randint(0, len(_GOOD)))}
        yield {key: chance.choice(_GOOD[key]) for key in sorted(keys)}


def mutations() -> Iterator[dict[str, Any]]:
    """A key that is unknown, missing or of a wrong type, also in inner tables."""
    base = {key: values[0] for key, values in _GOOD.items()}
    yield base | {"typo": 1}
    yield base | {"typo": 1, "format": 4}
    yield {key: value for key, value in base.items() if key != "id"}
    for key in KNOWN_KEYS:
        is_time = key.endswith("_at")
        yield from (base | {key: odd} for odd in _ODD if not (is_time and odd == ""))
    for key, samples in (("guard", _GOOD["guard"]), ("duty", _GOOD["duty"])):
        for [inner] in samples:
            yield base | {key: [inner | {"typo": "x"}]}
            for name in inner:
                yield from (base | {key: [inner | {name: odd}]} for odd in _ODD)
                yield base | {key: [{k: v for k, v in inner.items() if k != name}]}


def disagreements(name: str, tables: Iterator[dict[str, Any]]) -> list[str]:
    texts = ((table, tomli_w.dumps(table)) for table in tables)
    return [text for table, text in texts if fits(name, table) != is_read(name, text)]


def test_200_rule_files_are_accepted_by_both():
    texts = [(table, tomli_w.dumps(table)) for table in rules()]
    assert [fits("rule", table) for table, _ in texts] == [True] * 200
    assert [text for _, text in texts if not is_read("rule", text)] == []


def test_a_mutated_rule_is_refused_by_both_or_by_neither():
    whole = {key: values[0] for key, values in _GOOD.items()}
    assert fits("rule", whole)
    assert disagreements("rule", mutations()) == []


def test_a_mutated_manifest_is_refused_by_both_or_by_neither():
    inner: dict[str, Any] = {"enabled": True, "tags": ["a"], "max_queries": 2}
    base: dict[str, Any] = {"name": "shell", "aliases": ["bash"], "version": "1"}
    base |= {"reach": "world", "description": "x"}
    base |= {"memory_access": {"semantic": inner}}
    assert fits("manifest", base)
    tables = [base, base | {"typo": 1}]
    tables += [base | {key: odd} for key in base for odd in _ODD]
    for key in inner:
        tables += [
            base | {"memory_access": {"semantic": inner | {key: odd}}} for odd in _ODD
        ]
    tables.append(base | {"memory_access": {"semantic": {"typo": 1}}})
    tables.append(base | {"memory_access": {"typo": {}}})
    assert disagreements("manifest", iter(tables)) == []


@pytest.mark.parametrize("name", ["vault", "pointer", "user"])
def test_mutated_settings_are_refused_by_both_or_by_neither(name):
    tables: list[dict[str, Any]] = [{}, {"typo": 1}, {"capture": {"mode": "sure"}}]
    for key, shape in schema(name)["properties"].items():
        inner = shape.get("properties", {}) if isinstance(shape, dict) else {}
        tables += [{key: odd} for odd in _ODD if not inner]
        tables += [{key: {one: odd}} for one in inner for odd in _ODD]
    assert disagreements(name, iter(tables)) == []


def files() -> Iterator[tuple[str, Path]]:
    """Every TOML file of the template and of the test vaults, with its schema."""
    for root in (TEMPLATE, *(one for one in VAULTS.iterdir() if one.is_dir())):
        for path in sorted(root.rglob("*.toml")):
            if "rules" in path.parts:
                yield "rule", path
            elif path.parent.name == "tools":
                yield "manifest", path
            elif path.name == "toolmem.toml":
                yield "vault", path


def test_every_file_of_the_template_and_of_test_vaults_is_judged_alike():
    found = []
    for name, path in files():
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if fits(name, table) != is_read(name, text):
            found.append(str(path))
    assert found == []


def test_the_schemas_are_schemas():
    for name in SCHEMAS:
        jsonschema.Draft7Validator.check_schema(schema(name))


def test_init_binds_them_for_taplo_which_finds_a_slip(world):
    taplo = shutil.which("taplo", path=str(Path(sys.executable).parent))
    if taplo is None:
        pytest.skip("taplo has no package for this platform")
    assert world.call("init", "--sample", "v").code == 0
    vault = world.root / "v"
    assert {name for name, _ in editor_files()} <= {
        str(path.relative_to(vault)) for path in vault.rglob("*")
    }

    def lint() -> int:
        words = [taplo, "lint"]
        return subprocess.run(words, cwd=vault, capture_output=True).returncode

    assert lint() == 0
    rule = next(vault.rglob("system/rules/*/*.toml"))
    rule.write_text("typo = 1\n" + rule.read_text())
    assert lint() != 0


def test_schema_prints_one_or_names_them(world):
    printed = json.loads(world.call("schema", "rule").stdout)
    assert printed == schema("rule")
    assert world.call("schema").stdout.startswith("rule ")
    names = list(json.loads(world.call("schema", "--json").stdout))
    assert names == [*SCHEMAS, *OPERATIONS]
    assert world.call("schema", "rul").stderr == (
        "toolmem: no schema 'rul'; did you mean 'rule'? (there are rule, manifest, "
        "vault, pointer, user, answers such as rule.list)\n"
    )
