"""The topic of a task, in the language of the vault."""

from datetime import UTC, datetime

import pytest

from tests.core.search.library import doc
from toolmem.core.language.language import LANGUAGES
from toolmem.core.memories.topic_finder import find_topic, find_untopical
from toolmem.core.search.corpus import View
from toolmem.core.search.scan import Scan

VIEW = View(datetime(2026, 1, 1, tzinfo=UTC))
NOTES = {
    "de": {
        "datenbank": "Verbindungen zur Datenbank schließen nach dreißig Sekunden",
        "auslieferung": "Auslieferungen brauchen zwei Prüfungen vor jedem Termin",
        "": "Häuser der Siedlung bekommen neue Dächer und Türen",
    },
    "none": {
        "データベース": "接続プールの上限は三十本で、超えると待ち行列に入る",
        "リリース": "本番への配布には承認者が二人必要で、金曜日は禁止する",
        "": "会議室の予約は受付の端末から前日までに済ませる",
    },
}


def corpus(code):
    notes = enumerate(NOTES[code].items())
    docs = [doc(n, topic=topic, body=body) for n, (topic, body) in notes]
    return Scan(docs, VIEW, LANGUAGES[code])


@pytest.mark.parametrize(
    ("code", "task", "topic"),
    [
        ("de", "Warum schließt die Verbindung nach einer Sekunde?", "datenbank"),
        ("de", "Die Pruefung vor dem Termin der Auslieferung planen", "auslieferung"),
        ("de", "Kuchen backen mit Äpfeln und Zimt", ""),
        ("none", "接続プールの上限を増やしたい", "データベース"),
        ("none", "本番への配布に必要な承認者は誰か", "リリース"),
        ("none", "データベースを作り直す", "データベース"),
        ("none", "昼食の献立を考える", ""),
    ],
)
def test_a_task_has_the_topic_of_what_shares_its_words(code, task, topic):
    assert find_topic(corpus(code), task) == topic


def test_german_forms_of_a_word_need_the_german_stems():
    docs = [doc(0, topic="bau", body="Häuser bekommen Dächer")]
    task = "Das Haus bekommt ein Dach"
    assert find_topic(Scan(docs, VIEW, LANGUAGES["de"]), task) == "bau"
    assert find_topic(Scan(docs, VIEW, LANGUAGES["en"]), task) == ""


@pytest.mark.parametrize(
    ("code", "task"),
    [
        ("de", "Welche Türen und Dächer hat das Haus der Siedlung?"),
        ("none", "会議室の予約を受付で済ませる"),
    ],
)
def test_a_memory_without_topic_is_found_by_its_words(code, task):
    assert [hit.doc.id for hit in find_untopical(corpus(code), task)] == ["m02"]
