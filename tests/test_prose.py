"""Texts are plain English, and a change of those that users see is reviewed."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests import messages, prose
from tests.source import ROOT

_SHOWN = (
    "README.md",
    "CONTRIBUTING.md",
    "man/toolmem.1",
    "man/toolmem-vault.5",
    "man/toolmem-capture.5",
    "man/toolmem-access.5",
    "tests/messages.txt",
    *sorted(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "vault-template").rglob("*.md")
    ),
)
_CLAUSES = 59
_FORMS = 59
_PARTICIPLES = 0


_OLD_PHRASES = (
    "every defect",
    "changed in meaning",
    "life of a rule",
    "judge one call",
    "step back",
    "wire an agent",
    "in the place of ours",
    "that it is for",
    "a beginning that no other",
    "a credential and is none",
    "is in mind",
    "has in mind",
    "holds no more",
    "holds {unsafe",
    "it holds no ",
    "captured: created",
    "call is near a rule",
    "looked for heat",
    "wants the extra",
    "names it as vault",
    "mend what it says",
    "guarded or told",
    "a normal rule is not in",
    "took over",
    "expired expired",
    "forged, hidden or silenced",
    "tools ask all of it",
    "are to look at",
)
"""Parts of texts that earlier versions printed and that no text has again."""


def test_no_old_phrase_is_in_the_product_or_its_documents():
    tops = ("toolmem", "man", "completions", "vault-template", "docs")
    paths = [path for top in tops for path in (ROOT / top).rglob("*") if path.is_file()]
    paths = [path for path in paths if path.suffix != ".pyc"]
    paths += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    found = []
    for path in paths:
        if path.suffix == ".pyc":
            continue
        text = " ".join(path.read_text(encoding="utf-8", errors="replace").split())
        text = text.casefold().replace("\\-", "-")
        found += [(path.name, phrase) for phrase in _OLD_PHRASES if phrase in text]
    assert found == []


def test_the_committed_messages_are_those_of_the_source():
    committed = Path(messages.FILE).read_text(encoding="utf-8")
    assert messages.collected() == committed, "`make generate` writes them"


def test_few_docstrings_begin_with_a_noun_clause():
    assert _total("clause") <= _CLAUSES, "`python -m tests.prose` counts them"


def test_few_listed_words_are_in_docstrings_names_and_strings():
    assert _total("docstring", "comment", "name", "string") <= _FORMS


def test_no_type_is_named_by_a_participle():
    assert _total("participle") <= _PARTICIPLES


def test_no_listed_word_is_in_a_text_that_users_see():
    found = {
        name: words
        for name in _SHOWN
        if (words := prose.listed((ROOT / name).read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ('"""What a commit changed."""', ["clause"]),
        ('"""Files that a commit changed."""', []),
        ("class Found: ...", ["participle"]),
        ("class SearchResult: ...", []),
        ("def tell_all(): ...", ["name"]),
        ("x = f'{y} stands ' + 'in it'", ["string"]),
        ("x = 1  # told once", ["comment"]),
        ('x = 1\n"""Whoever asks."""', ["clause", "docstring"]),
    ],
)
def test_what_is_counted(source, kinds):
    assert list(prose.kinds(source)) == kinds


def _total(*kinds: str) -> int:
    return sum(count for (_, kind), count in _counts().items() if kind in kinds)


@cache
def _counts() -> Counter[tuple[str, str]]:
    return prose.counts()
