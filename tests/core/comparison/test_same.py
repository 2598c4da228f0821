"""Texts are the same only where the closed list of harmless edits explains it."""

import os
import subprocess
import sys
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.comparison.edits import edited, is_explained
from tests.examples import examples
from toolmem.core.comparison.same import Spelling, same_text, text_key
from toolmem.core.reflect.word_table import WordTable
from toolmem.store.index.dictionary import dictionary

_ROOT = Path(__file__).parents[3]
_ENGLISH = Spelling(dictionary("en"), lambda _: 0)

HARMLESS = [
    ("never  push\nto main", " never push to main\t"),
    ("First one. Second one.", "First one.\n\nSecond one."),
    ("don’t push", "don't push"),
    ("“main” only", '"main" only'),
    ("it says “404” then", 'it says "404" then'),
    ("slow – it parses twice", "slow - it parses twice"),
    ("slow — it parses twice", "slow - it parses twice"),
    ("slow — it parses twice", "slow -- it parses twice"),
    ("slow—it parses twice", "slow – it parses twice"),
    ("Monday–Friday only", "Monday-Friday only"),
    ("never push.", "never push"),
    ("Never run git branch -D.", "never run git branch -D"),
    ("Run `make lint`.", "run `make lint`"),
    ("It ends here. Then more.", "it ends here. then more"),
    ("Wait 30 s. Then go.", "wait 30 s. then go"),
    ("NEVER RUN GIT BRANCH -D", "Never run git branch -D"),
    ("USE UTC FOR ALL TIMES", "Use UTC for all times"),
    ("DON'T TOUCH THE LOCK FILE", "don’t touch the lock file"),
    ("a, b, and c", "a, b and c"),
    ("it is slow, because it is", "it is slow because it is"),
    ("it is slow, so wait", "it is slow so wait"),
    ("* one\n* two", "- one\n- two"),
    ("1) one\n2) two", "1. one\n2. two"),
    ("- one\n\n- two", "- one\n- two"),
    ("- Use it. Ask first", "- Use it.\n\n  Ask first"),
    ("# Use\n- one", "# Use\n\n- one"),
    ("# Use.\n\nIt's here", "# Use\n\nIt’s here."),
    ("测试环境重建。", "测试环境重建"),
    ("", " \n "),
]
MISSPELT = [
    ("The pipeline runs nightly", "The pipelnie runs nightly"),
    ("The pipeline runs nightly", "The pipeine runs nightly"),
    ("Cleaner jobs run at night", "Cleanar jobs run at night"),
    ("# The pipeline\n\nIt runs", "# The pipelinee\n\nIt runs"),
    ("It takes a short while", "It takes a shrt while"),
    ("It is used all over the world.", "It is used all over the wrold."),
    ("The night shift opens it", "The nigth shift opens it"),
    ("Mind the length of it", "Mind the lenght of it"),
]
DIFFERENT = [
    ("- Use it. Ask first", "- Use it\n- Ask first"),
    ("1. Use it. Ask first", "1. Use it\n2. Ask first"),
    ("never push\n to main", "never push\nto main"),
    ("never run git branch -D", "never run git branch -d"),
    ("NEVER RUN GIT BRANCH -D", "never run git branch -d"),
    ("never run curl -k x", "never run curl -K x"),
    ("never run ./Makefile", "never run ./makefile"),
    ("never run git add .", "never run git add"),
    ("never run git add . now", "never run git add now"),
    ("never run git checkout --", "never run git checkout -"),
    ("git checkout -- main", "git checkout - main"),
    ("Works on Windows: ✅", "Works on Windows: ❌"),
    ("if !maintenance is set", "if maintenance is set"),
    ("- [ ] rotate", "- [x] rotate"),
    ("billing → ledger", "billing ← ledger"),
    ("So:\nif failed:\n    log()\nretry()", "So:\nif failed:\n    log()\n    retry()"),
    ("So:\na:\n  b:\n    c\nd:\n  e", "So:\na:\n  b:\n    c\n    d:\n      e"),
    ("So:\na:\n  b: 1\n  c: 2", "So:\na:\n  b: 1\nc: 2"),
    ("- Use this:\n  a\n    b", "- Use this:\n  a\n  b"),
    ("- Alice: on call\n- Bob: off", "- Bob: on call\n- Alice: off"),
    ("checkout: on, search: off", "checkout: off, search: on"),
    ("read build/*", "read build/**"),
    ("x ∈ S", "x ∉ S"),
    ("Use tabs. Not spaces.", "Use spaces. Not tabs."),
    ("Run lint. Then test.", "Then test. Run lint."),
    ("Prefer a over b for c", "For c, prefer a over b"),
    ("is it safe?", "is it safe"),
    ("stop!", "stop"),
    ("-x", "x"),
    ("Ask J. Brown", "Ask J. brown"),
    ("use C", "use c"),
    ("Set PATH first", "Set path first"),
    ("GET POST PUT", "get post put"),
    ("WRITE IT IN C FOR NOW", "Write it in c for now"),
    ("see `a  b`", "see `a b`"),
    ("`git add .`", "`git add`"),
    ("see `Make`", "see `make`"),
    ("```\na  b\n```", "```\na b\n```"),
    ("```\n  a\n```", "```\na\n```"),
    ("    a  b", "    a b"),
    ("- 5 degrees", "+ 5 degrees"),
    ("- old\n+ new", "+ old\n- new"),
    ("- one", "one"),
    ("1. one\n2. two", "2. one\n1. two"),
    ("## Use\nx", "# Use\nx"),
    ("# A\nport 1\n# B\nport 2", "# A\nport 2\n# B\nport 1"),
    ("- a\n  - b\n- c", "- a\n- b\n- c"),
    ("Café", "Cafe"),
    ("Wait 30 s", "Wait 30s"),
    ("wait 1,000", "wait 1000"),
    ("said “5”", "said 5"),
    ("a, b", "a b"),
    ("he said (x.)", "he said x."),
    ('stop. "Go." now', "stop. Go. now"),
    ("**never** push", "never push"),
    ("> never push", "never push"),
    ("never push (updated 2026-01-02)", "never push"),
    ("do not push", "don't push"),
    ("delete the file", "remove the file"),
    ("1 – 2", "1 - 2"),
]
NOT_MISSPELT = [
    ("The scheduled cleaner runs", "The scheduled cleaned runs"),
    ("The pipeline runs nightly", "The pipelnie runs nigthly"),
    ("Ask Tomas about the invoice", "Ask Tomsa about the invoice"),
    ("never run `pipeline` twice", "never run `pipelnie` twice"),
    ("never run pipeline --all at night", "never run pipelnie --all at night"),
    ("Wait for an hour or two", "Wait fro an hour or two"),
    ("Install the linters with pip", "Install the linters with pipx"),
    ("Restart ssh after each change", "Restart sshd after each change"),
    ("The parser is built with rust", "The parser is built with rustc"),
    ("Backups go to the host called mars", "Backups go to the host called marsx"),
    ("The release is built with clang", "The release is built with cling"),
    ("Use the planner for releases", "Use the planners for releases"),
    ("Read the value from profile", "Read the value from zprofile"),
    ("The site is built with next", "The site is built with nuxt"),
    ("The queries run on trio", "The queries run on trino"),
    ("Never call make by hand", "Never call cmake by hand"),
    ("Check it with buff", "Check it with ruff"),
    ("Check the types with mypy", "Check the types with mypi"),
    ("The client is made with demo", "The client is made with deno"),
    ("The tree is pruned", "The treee is pruned"),
    ("Search with grep", "Search with rgrep"),
    ("Use retries=5 for the client", "Use retires=5 for the client"),
    ("## One\n\nThe pipeline", "# One\n\nThe pipelnie"),
    ("El robot revisa cada carta", "El robot revisa cada carpa"),
]


def test_a_key_is_the_same_in_every_process():
    text = "# T\n\n" + "word " * 60 + ":\n\n- item one\n- item two\n"
    code = (
        f"from toolmem.core.comparison.same import exact_key as k; print(k({text!r}))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def _both(one: str, other: str, spelling: Spelling | None = None) -> set[bool]:
    return {same_text(one, other, spelling), same_text(other, one, spelling)}


@pytest.mark.parametrize(("one", "other"), HARMLESS)
def test_each_harmless_edit_keeps_a_text_the_same(one, other):
    assert _both(one, other) == {True}
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_any_other_difference_counts(one, other):
    assert _both(one, other, _ENGLISH) == {False}


@pytest.mark.parametrize(("one", "other"), MISSPELT)
def test_one_misspelt_word_is_harmless_where_spelling_is_known(one, other):
    assert _both(one, other, _ENGLISH) == {True}
    assert _both(one, other) == {False}


@pytest.mark.parametrize(("one", "other"), NOT_MISSPELT)
def test_two_words_names_and_code_are_not_misspelt(one, other):
    assert _both(one, other, _ENGLISH) == {False}


@pytest.mark.parametrize(("one", "other"), HARMLESS)
def test_texts_that_are_the_same_have_one_likeness(one, other):
    words = WordTable()
    assert words.likeness(words.add(one)) == words.likeness(words.add(other))


def _texts() -> list[str]:
    """Notes and rules of the template and of the vaults of tests, and made-up ones."""
    folders = (_ROOT / "vault-template", _ROOT / "tests" / "vaults")
    files = chain.from_iterable(folder.rglob("*.*") for folder in folders)
    known = sorted(path for path in files if path.suffix in (".md", ".toml"))
    texts = [path.read_bytes().decode("utf-8", "replace") for path in known]
    made_up = "\n\n".join(one for pair in HARMLESS + DIFFERENT for one in pair)
    lines = [one for pair in HARMLESS + MISSPELT + DIFFERENT for one in pair]
    return [*(text for text in texts if text.strip()), made_up, *filter(None, lines)]


_TEXTS = _texts()


@examples(2_000)
@given(st.sampled_from(_TEXTS), st.randoms(use_true_random=False))
def test_no_random_edit_is_the_same_unless_the_list_explains_it(text, random):
    changed = edited(random, text)
    if not is_explained(text, changed):
        assert _both(text, changed) == {False}


@examples(300)
@given(st.text("ab A.,-—*1)#>|`\n\t“”’!?:", max_size=60))
def test_a_text_is_the_same_as_itself_and_as_its_lines_wrapped_otherwise(text):
    assert same_text(text, text)
    assert same_text(text, text.replace("\n", "\r\n"))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "text",
    [
        2000 * part
        for part in (
            "`" * 99,
            "` `` " * 25,
            "- a\n" * 25,
            "a." * 50,
            "—" * 99,
            "a—" * 50,
            "’" * 99,
            " - " * 33,
            "#" * 99,
            "> " * 50,
        )
    ],
)
def test_hostile_texts_come_to_an_end(text):
    assert same_text(f"a {text}", f"a  {text} ")
    assert not same_text(f"a {text}", f"a {text} x", _ENGLISH)


def test_random_edits_change_texts():
    random = Random(1)
    assert sum(edited(random, text) != text for text in _TEXTS) > len(_TEXTS) / 2
