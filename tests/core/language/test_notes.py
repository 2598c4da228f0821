"""Notes in several languages, found by other forms and parts of their words."""

import tomllib
from pathlib import Path

import pytest

from tests.core.search.library import NOW, doc
from toolmem.core.language.language import LANGUAGES
from toolmem.core.search.corpus import View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import find
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.search.scan import Scan

NOTES = Path(__file__).parent / "notes"
CODES = tuple(sorted(path.stem for path in NOTES.glob("*.toml")))


def _notes():
    """Every note with the language and the questions, in one list."""
    found: list[tuple[str, Doc, list[str]]] = []
    for code in CODES:
        table = tomllib.loads((NOTES / f"{code}.toml").read_text(encoding="utf-8"))
        for note in table["memory"]:
            made = doc(len(found), title=note["title"], body=note["body"].strip())
            found.append((code, made, note["questions"]))
    return found


EVERY = _notes()


def _first_three(corpus, question):
    query = parse_query(question, corpus.language)
    return [hit.doc.id for hit in find(corpus, FindRequest(query)).hits[:3]]


def _not_in_the_top_three(code, setting):
    corpus = Scan([note for _, note, _ in EVERY], View(NOW), LANGUAGES[setting])
    return [
        question
        for language, note, questions in EVERY
        if language == code
        for question in questions
        if note.id not in _first_three(corpus, question)
    ]


def test_there_are_ten_notes_of_each_language_with_three_questions():
    counts = {code: [0, 0] for code in CODES}
    for code, _, questions in EVERY:
        counts[code][0] += 1
        counts[code][1] += len(questions)
    assert counts == {code: [10, 30] for code in ("de", "es", "fr", "ja", "ru", "zh")}


@pytest.mark.parametrize("code", ["es", "fr", "ja", "ru", "zh"])
def test_a_note_is_found_by_its_own_words_in_any_vault(code):
    assert _not_in_the_top_three(code, "en") == []


def test_german_notes_are_found_in_an_english_vault_unless_every_word_is_inflected():
    assert _not_in_the_top_three("de", "en") == [
        "geänderte Meldung übersetzen",
        "Bild freigeben",
    ]


@pytest.mark.parametrize("code", ["de", "es", "fr", "ru"])
def test_a_note_is_found_by_its_own_words_in_a_vault_of_its_language(code):
    assert _not_in_the_top_three(code, code) == []
