"""Remarks of a search without the extra ``semantic``."""

import json
from pathlib import Path

import pytest

from tests.extra import INSTALLED, PACKAGES
from tests.forked import forked
from tests.servers.connection import Server
from tests.world import World
from toolmem.store.origin import install_command
from toolmem.store.vault import library

without = pytest.mark.skipif(INSTALLED, reason="the extra is installed")
_HELP = (
    "comparing meanings by a model needs an optional dependency: "
    f"{install_command('semantic')}\n"
)
_OWN = "embedder pieces rules_in_force vector_search vector_file vectors".split()
_PROBE = """
import importlib, pkgutil, sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages!r}:
            raise AssertionError(f"{{name}} was imported")

sys.meta_path.insert(0, Refused())
import toolmem
for module in pkgutil.walk_packages(toolmem.__path__, "toolmem."):
    folder, _, name = module.name.rpartition(".")
    if not (folder == "toolmem.store.semantic" and name in {own!r}):
        dir(importlib.import_module(module.name))
from toolmem.cli.main import run_program
from toolmem.cli.run import Run
for words in (
    ["search", "--semantic", "off", "log files"],
    ["search", "log files"],
    ["recall", "log files"],
    ["memory", "save", "Rotate the log files every night."],
    ["prompt", "--task", "log files"],
    ["check"],
):
    code = run_program(words, Run())
    assert code in (0, 1), (words, code)
assert not {{name.partition(".")[0] for name in sys.modules}} & set({packages!r})
"""


@pytest.fixture
def vault(world: World) -> World:
    world.write("toolmem.toml", "schema = 1\n")
    world.write("system/memory/logs.md", "# Logs\n\nOld log files are removed.\n")
    return world


@without
@pytest.mark.parametrize("command", ["search", "recall"])
def test_asked_for_by_flag_it_is_an_error_that_says_what_to_do(vault, command):
    vault.run(command, "--semantic", "model", "log files").exits(2).stderr(
        f"toolmem: {_HELP}"
    )
    assert not (vault.root / ".toolmem").exists()
    done = vault.call(command, "--semantic", "model", "log files", "--json")
    assert (done.code, done.stdout) == (2, "")
    assert json.loads(done.stderr) == {
        "code": "missing_extra",
        "message": _HELP.removesuffix("\n"),
    }


@without
def test_asked_for_by_a_setting_the_table_answers_with_a_remark(vault, monkeypatch):
    monkeypatch.setattr(library, "_said", set())
    plain = vault.call("search", "log files")
    vault.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    done = vault.call("search", "log files")
    assert (done.code, done.stdout) == (0, plain.stdout)
    assert done.stderr == f"toolmem: searched without a model: {_HELP}"
    vault.run("search", "--semantic", "table", "log files").stdout(plain.stdout)


@without
def test_a_server_says_once_why_it_searches_without_a_model(vault):
    vault.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    with Server(vault.root, "rpc") as server:
        for _ in range(3):
            assert server.result("search", query="log files")["results"]
        server.finish()
        _, _, errors = server.ended()
    assert errors.decode().count("searched without a model: ") == 1


@pytest.mark.parametrize(("value", "new"), [("true", "model"), ("false", "off")])
def test_a_switch_of_an_older_version_still_counts_and_check_names_the_new_value(
    vault, value, new
):
    vault.write("toolmem.toml", f"schema = 1\n[search]\nsemantic = {value}\n")
    done = vault.call("check")
    assert (done.code, done.stdout) == (
        0,
        f"toolmem.toml:3: warning: old-value search.semantic: {value} is now {new!r}\n",
    )
    shown = vault.call("settings", "--json").stdout
    assert json.loads(shown)["search.semantic"]["value"] == new


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('model = "own.onnx"', "semantic.model: 'own.onnx' in "),
        ('vocabulary = "/nowhere/vocab.txt"', "semantic.vocabulary: '/nowhere/voc"),
    ],
)
def test_a_users_own_model_must_be_there(vault, text, reason):
    settings = Path.home() / ".config/toolmem/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[semantic]\n{text}\n")
    done = vault.call("search", "--semantic", "model", "log files")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"toolmem: {reason}")
    assert done.stderr.endswith(" is not the full path of a file\n")


@pytest.mark.parametrize("value", ['"yes"', "1", "[]"])
def test_another_value_is_named_by_check(vault, value):
    vault.write("toolmem.toml", f"schema = 1\n[search]\nsemantic = {value}\n")
    done = vault.call("check")
    assert "search.semantic: no " in done.stdout
    assert "(table, model, off)" in done.stdout


def test_an_unknown_mode_names_those_that_exist(vault):
    message = (
        "toolmem: semantic: no 'models'; did you mean 'model'? (table, model, off)\n"
    )
    vault.run("search", "--semantic", "models", "log files").exits(2).stderr(message)


def test_no_command_imports_a_package_of_the_extra(vault, tmp_path):
    probe = tmp_path / "probe.py"
    probe.write_text(_PROBE.format(packages=PACKAGES, own=_OWN))
    done = forked("commands").python([str(probe)], vault.root)
    assert (done.code, done.stderr.count("AssertionError")) == (0, 0), done.stderr
