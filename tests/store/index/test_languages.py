"""The index of a vault in another language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.store.index.shelf import Shelf
from toolmem.core.language.language import LANGUAGES

_TEXTS = (
    "Verbindungen zur Datenbank Größe",
    "déployée requêtes lentes",
    "configuraciones caducadas del servidor",
    "медленные сборки, новый ключ",
    "データベース接続の上限",
    "数据库连接池耗尽 rg",
    "한국어 검색 ภาษาไทย",
    "deploying tokens to the cluster",
)
_ASKED = (
    "verbindung groesse",
    "deployer requete",
    "configurar caduca",
    "сборка ключи",
    "接続 データ",
    "连接池",
    "검색 ไทย",
    "deploy token",
)


def _shelf(root, language):
    shelf = Shelf(root, age=10, language=language)
    for number, text in enumerate(_TEXTS):
        shelf.say(f"{number}.json", text)
    return shelf


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_answers_as_a_scan_in_each_language(tmp_path, language):
    shelf = _shelf(tmp_path, language)
    for asked in _ASKED:
        assert shelf.search(asked) == shelf.scan(asked)
        found, scanned = shelf.matching(asked)
        assert found == scanned


def test_an_index_of_another_language_is_replaced(tmp_path):
    english = _shelf(tmp_path, "en")
    assert english.ids("configurar") == []
    spanish = Shelf(tmp_path, age=10, language="es")
    assert spanish.index.status().state == "missing"
    assert spanish.ids("configurar") == ["2.json"]
    assert len(list((tmp_path / ".toolmem" / "index").iterdir())) == 1
    assert english.ids("configurar") == []


@examples(10)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.text(max_size=12))
def test_words_of_any_script_are_found_by_the_index_as_by_a_scan(
    tmp_path_factory, texts, asked
):
    shelf = Shelf(tmp_path_factory.mktemp("shelf"), age=10, language="de")
    for number, text in enumerate(texts):
        shelf.say(f"{number}.json", text)
    assert shelf.search(asked) == shelf.scan(asked)
    assert shelf.search(texts[0]) == shelf.scan(texts[0])
