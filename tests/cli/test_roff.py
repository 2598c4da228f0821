import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.docs.roff import bold, escape, page, paragraph, plain, prose, section

LINES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]))


@given(LINES)
def test_an_escaped_line_reads_back_as_it_was(line):
    assert plain(escape(line)) == line


@given(LINES)
def test_no_escaped_line_is_a_request(line):
    assert not escape(line).startswith((".", "'"))
    assert escape(line).isascii()


@pytest.mark.parametrize(
    ("text", "roff"),
    [
        ("a `toolmem rule` and no more", r"a \fB\%toolmem \%rule\fR and no more"),
        ("``## Role`` of the profile", r"\fB\%## \%Role\fR of the profile"),
        ("one ` alone", r"one \(ga alone"),
        (".hidden at the front", r"\&.hidden at the front"),
        ("two\n   lines", "two lines"),
        ("it's -p", r"it\(aqs \-p"),
    ],
)
def test_prose_marks_what_stands_in_backquotes(text, roff):
    assert prose(text) == roff


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
@pytest.mark.parametrize(
    "text", [".so /etc/passwd", r"\(dq \fB \n(.x", "'tis - ~^` \"", "€ and …", r"a\\b"]
)
def test_groff_prints_escaped_text_as_it_was(text):
    lines = [section("s"), ".PP", ".EX", escape(text), ".EE", *paragraph(text)]
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-cbou"],
        input=page("p", 1, "0", [*lines, bold(text)]),
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert f" {text}\n" in done.stdout
