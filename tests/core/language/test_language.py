"""Stems of words, by the language of the vault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.language.language import ENGLISH, LANGUAGES
from toolmem.core.text.terms import words
from toolmem.store.files.setting_table import SETTINGS

_SUFFIXES = {
    "en": (
        "s es ed ing ly ness ful ation ator izer ize al ally ously ively ement ment er "
        "ical able ible y ied ies eed eedly edly ingly sses tional enci anci abli bli "
        "ogi ogist fulli lessli alism iviti biliti ative ance ion sion tion e l ll past"
    ),
    "de": (
        "e en er es em ern ung ungen heit heiten keit lich isch ig end st t et est te "
        "ten bar ieren iert ue oe ae uen haft los"
    ),
    "fr": (
        "e es ee ees er ez ent ons ait aient ement ations ateur trice eux ence ences "
        "logie usion ution amment ivement aux al ale ique ables ite ive iser isation "
        "yer ye oye"
    ),
    "es": (
        "o a os as ar er ir ado idos ando iendo acion aciones amiento mente amente "
        "logia ucion uencia encias idad ivo ica able ista oso ancia adora antes aron "
        "ieron aba abamos rias"
    ),
    "ru": "ый ая ое ые ого ему ами ях ов ев ей ать ить ился лась ение ость ейший ь и",
    "none": "s ed ing",
}
_LETTERS = {"ru": "абвгдежзийклмнопрстухцшщъыьэюя", "en": "aeiouystlnbgr019ж"}


@st.composite
def _word(draw):
    """A language and a word in it."""
    code = draw(st.sampled_from(sorted(LANGUAGES)))
    letters = _LETTERS.get(code, "aeiouystlnbgrqcdpm")
    suffix = st.sampled_from(["", *_SUFFIXES[code].split()])
    start = draw(st.text(letters, min_size=1, max_size=6))
    return LANGUAGES[code], start + draw(suffix) + draw(suffix)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ties", "tie"),
        ("cries", "cri"),
        ("gaps", "gap"),
        ("gas", "gas"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("luxuriated", "luxuri"),
        ("adding", "add"),
        ("dying", "die"),
        ("happy", "happi"),
        ("say", "say"),
        ("relational", "relat"),
        ("conditionally", "condit"),
        ("geologist", "geolog"),
        ("hopeful", "hope"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("controlling", "control"),
        ("generously", "generous"),
        ("news", "news"),
        ("skies", "sky"),
        ("as", "as"),
        ("30s", "30s"),
        ("", ""),
    ],
)
def test_an_english_word_has_its_stem(word, expected):
    assert ENGLISH.stem_of(word) == expected


@examples(500)
@given(_word())
def test_a_word_begins_as_its_stem_says(given):
    language, word = given
    stem = language.stem_of(word)
    assert word.startswith(language.beginning(stem))
    assert language.beginning(stem)


@pytest.mark.parametrize("word", ["dying", "vying", "ties", "skies", "early", "y"])
@pytest.mark.parametrize("language", LANGUAGES.values())
def test_odd_words_begin_as_their_stems_say(language, word):
    assert word.startswith(language.beginning(language.stem_of(word)))


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("de", "Verbindung Verbindungen"),
        ("de", "Größe Größen grösse groesse grosse"),
        ("de", "Prüfung Prüfungen Pruefung PRÜFUNGEN"),
        ("de", "Haus Häuser Haeuser"),
        ("de", "schließen schließe schliesse"),
        ("fr", "requête requêtes requete Requetes"),
        ("fr", "chiffré chiffrée chiffrés chiffrer chiffrement chiffree"),
        ("fr", "déployer déployé déployée deploye déploiement"),
        ("fr", "général généraux générale"),
        ("es", "configuración configuraciones configurar configuracion"),
        ("es", "contraseña contraseñas contrasena"),
        ("es", "caduca caducó caducan caducado"),
        ("ru", "сборка сборки сборку сборкой"),
        ("en", "ключ ключи ключей ключам"),
        ("en", "отчёт отчет отчёты отчётов"),
        ("de", "медленный медленная медленные МЕДЛЕННЫЙ"),
        ("ru", "deploys deployed deploying"),
    ],
)
def test_forms_of_a_word_have_one_stem(code, forms):
    assert len(set(LANGUAGES[code].stems(words(forms)))) == 1


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("none", "deploys", "deploy"),
        ("none", "ключи", "ключ"),
        ("de", "Hund", "Hand"),
        ("fr", "clé", "clou"),
    ],
)
def test_other_words_have_other_stems(code, one, other):
    stems = LANGUAGES[code].stems(words(f"{one} {other}"))
    assert len(set(stems)) == 2


def test_words_of_questions_are_known_by_language():
    asked = "wie die das comment les como que что the"
    left = {
        code: [word for word in asked.split() if word not in language.empty]
        for code, language in LANGUAGES.items()
    }
    assert left == {
        "en": ["wie", "die", "das", "comment", "les", "como", "que"],
        "de": ["comment", "les", "como", "que"],
        "fr": ["wie", "die", "das", "como"],
        "es": ["wie", "die", "das", "comment"],
        "ru": ["wie", "die", "das", "comment", "les", "como", "que"],
        "none": asked.split(),
    }


def test_words_of_questions_are_folded():
    for language in LANGUAGES.values():
        assert {word for word in language.empty if words(word) != [word]} == set()


def test_the_setting_offers_each_language():
    setting = next(one for one in SETTINGS if one.name == "language")
    assert setting.choices == tuple(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("part", ["ae", "ue", "iement", "s", "ing", "ность", "y"])
def test_endless_words_are_stemmed_in_linear_time(code, part):
    word = part * 300_000
    assert word.startswith(LANGUAGES[code].stem_of(word)[:1000])
