"""Vaults in languages other than English, as a user sees them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.world import World
from toolmem.core.visibility import Audience
from toolmem.ops.hooks.entered_topic import find_entered
from toolmem.store.vault import library
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 4, 7, tzinfo=UTC)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path).write("toolmem.toml", "schema = 1\n")


def _in_german(world: World) -> None:
    world.write("toolmem.toml", 'schema = 1\nlanguage = "de"\n')


def _titles(world: World, *args: str) -> list[str]:
    done = world.call(*args, "--json")
    return [hit["title"] for hit in json.loads(done.stdout)["results"]]


def _save(world: World, text: str, *args: str) -> dict[str, str]:
    done = world.call("memory", "save", "-", *args, "--json", stdin=text)
    assert done.code == 0, done.stderr
    saved: dict[str, str] = json.loads(done.stdout)
    return saved


@pytest.mark.parametrize(
    ("text", "name", "asked"),
    [
        ("# データベース接続の上限\n\n百件。", "データベース接続の上限-", "接続"),
        ("# 数据库连接池耗尽\n\n查询慢。", "数据库连接池耗尽-", "连接池"),
        ("# Медленная сборка\n\nНет кеша.", "медленная-сборка-", "сборки"),
        ("# Größe der Protokolle\n\nSieben.", "grosse-der-protokolle-", "GRÖSSE"),
        ("# Œuvres à trier\n\nDès lundi.", "oeuvres-a-trier-", "oeuvres des"),
        ("# إعداد الخادم الجديد\n\nكل يوم.", "اعداد-الخادم-الجديد-", "إعداد"),
        ("# सर्वर की सेटिंग\n\nहर दिन।", "सर्वर-की-सेटिंग-", "सेटिंग दिन"),
        ("# 서버 설정\n\n매일 확인.", "서버-설정-", "설정"),
    ],
)
def test_a_memory_has_a_readable_name_and_is_found(world, text, name, asked):
    saved = _save(world, text)
    assert saved["id"].startswith(name)
    assert (world.root / saved["path"]).is_file()
    assert len(_titles(world, "search", asked)) == 1
    assert len(_titles(world, "recall", asked)) == 1
    assert world.call("memory", "show", saved["id"]).code == 0


def test_a_new_language_finds_other_forms_at_once(world):
    _save(world, "# El servidor de pruebas\n\nLee sus configuraciones al arrancar.")
    assert world.call("search", "configurar").stdout == ""
    world.write("toolmem.toml", 'schema = 1\nlanguage = "es"\n')
    assert _titles(world, "search", "configurar") == ["El servidor de pruebas"]


def test_other_notes_in_chinese_are_no_duplicates(world):
    first = _save(world, "# 超时设置\n\n连接池的超时时间设为五秒，查询慢时查看面板。")
    other = _save(world, "# 超时设置\n\n连接池的超时时间设为九秒，查询慢时查看面板。")
    again = _save(world, "# 超时设置\n\n连接池的超时时间设为五秒，查询慢时查看面板。")
    assert other["action"] in ("created", "contested")
    assert again["action"] == "deduplicated"
    assert first["path"] != other["path"]


def test_a_topic_in_another_language_is_entered(world):
    for number, text in enumerate(
        ("Die Schlüssel liegen im Tresor", "Der Tresor wird monatlich geprüft")
    ):
        world.write(
            f"system/memory/n{number}.md",
            f"---\ntopic: Zugangsschlüssel\n---\n# {text}\n\nBetrieb fragen.\n",
        )
    world.write(
        "system/memory/t.md",
        "---\ntopic: 数据库\n---\n# 连接池耗尽\n\n查看监控面板。\n",
    )
    _in_german(world)
    vault = Vault.open(find_vault({}, world.root), NOW, Audience.AGENT)
    assert (
        find_entered(vault, "Wo sind die Zugangsschluessel?")[0] == "zugangsschlussel"
    )
    assert find_entered(vault, "数据库为什么慢")[0] == "数据库"
    assert find_entered(vault, "Das Wetter ist schön")[0] == ""


def test_an_unknown_language_names_the_file_the_line_and_the_choices(world):
    world.write("toolmem.toml", 'schema = 1\nlanguage = "german"\n')
    done = world.call("check")
    assert done.code == 1
    assert done.stdout == (
        "toolmem.toml:2: bad-value language: no 'german' (en, de, fr, es, ru, none)\n"
    )
    assert world.call("search", "x").stdout == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('language = "german"', "language: no 'german' (en, de, fr, es, ru, none)"),
        (
            'search.semantic = "modell"',
            "search.semantic: no 'modell'; did you mean 'model'? (table, model, off)",
        ),
        ("index.max_age = -5", "index.max_age: -5 is out of range (0 to 31536000)"),
    ],
)
def test_a_search_names_an_invalid_setting_once(world, monkeypatch, line, reason):
    monkeypatch.setattr(library, "_said", set())
    world.write("toolmem.toml", f"schema = 1\n{line}\n")
    assert f"toolmem.toml:2: bad-value {reason}\n" in world.call("check").stdout
    remark = f"toolmem: toolmem.toml:2: {reason}; it is ignored\n"
    assert world.call("search", "x").stderr.count(remark) == 1
    assert remark not in world.call("search", "x").stderr


def test_only_the_vault_sets_its_language(world):
    world.write(".toolmem.toml", 'vault = "."\nlanguage = "de"\n')
    assert "language is not read from here" in world.call("check").stdout


def test_a_misspelt_word_of_a_german_memory_is_known(world):
    _in_german(world)
    first = _save(world, "Die Sicherung funktioniert jede Nacht auf dem Server.")
    again = _save(world, "Die Sicherung funktionirt jede Nacht auf dem Server")
    assert (again["action"], again["id"]) == ("deduplicated", first["id"])
