import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.turns import targets
from toolmem.core.turns.targets import (
    command_target,
    cut,
    one_line,
    path_target,
    relative_path,
)


@pytest.mark.parametrize(
    ("path", "cwd", "base", "expected"),
    [
        ("/w/app/dir/file.go", "/w/app", "", "dir/file.go"),
        ("/w/app/dir/file.go", "/w/app/", "", "dir/file.go"),
        ("dir/file.go", "/w/app", "", "dir/file.go"),
        ("./dir/../file.go", "/w/app", "", "file.go"),
        ("file.go", "/w/app", "/w/app/sub", "sub/file.go"),
        ("file.go", "/w/app", "sub", "sub/file.go"),
        ("../file.go", "/w/app", "sub", "file.go"),
        ("../file.go", "/w/app", "", "/w/file.go"),
        ("/w/application/x", "/w/app", "", "/w/application/x"),
        ("/w/app/../x", "/w/app", "", "/w/x"),
        ("/etc/hosts", "/w/app", "", "/etc/hosts"),
        ("/../etc", "/w/app", "", "/etc"),
        ("/w/app", "/w/app", "", "."),
        ("~/x", "/w/app", "", "~/x"),
        ("/a", "/", "", "a"),
        ("file:///w/app/a", "/w/app", "", "a"),
        ("../x", "", "", "…/x"),
        ("../../.x", "", "", "…/.x"),
        ("..", "", "", "…/"),
        ("a/b", "", "", "a/b"),
        ("C:\\w\\app\\a\\b.go", "C:\\w\\app", "", "a/b.go"),
        ("c:/W/App/b.go", "C:\\w\\app", "", "b.go"),
        ("D:\\x", "C:\\w", "", "D:/x"),
        ("a\\b", "/w", "", "a\\b"),
    ],
)
def test_paths_are_relative_inside_and_absolute_outside(path, cwd, base, expected):
    assert relative_path(path, cwd, base) == expected


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_no_path_ever_climbs(path, cwd, base):
    assert not relative_path(path, cwd, base).startswith("../")
    assert relative_path(path, "/" + cwd, base) != ".."


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.go", "a.go"),
        ("a b.go", "a b.go"),
        ("a,b.go", '"a,b.go"'),
        ('a"b', '"a\\"b"'),
        (" a", '" a"'),
        ("a\nb", '"a\\nb"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("…", '"…"'),
        ("https://u:p@x.io/a?b#c", "https://x.io/a"),
    ],
)
def test_paths_that_could_mislead_are_quoted(path, expected):
    assert path_target(path) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("go test ./...", "go test ./..."),
        ("  a \\\n\t b\r\nc ", "a \\ b c"),
        (
            "curl https://user:pass@example.com/docs?token=secret#section",
            "curl https://example.com/docs",
        ),
        ("git clone https://me@git.io/x.git#y d", "git clone https://git.io/x.git d"),
        ("curl -H 'Authorization: secret' x", "curl -H 'Authorization: [redacted]' x"),
        (
            'curl -H "Authorization: Bearer abc" x',
            'curl -H "Authorization: Bearer [redacted]" x',
        ),
        (
            "mysql --password=x --token y z",
            "mysql --password=[redacted] --token [redacted] z",
        ),
        ("API_TOKEN=abc make", "API_TOKEN=[redacted] make"),
        ("API_TOKEN=$TOKEN make", "API_TOKEN=$TOKEN make"),
        ('deploy --token "$TOKEN"', 'deploy --token "$TOKEN"'),
        ("grep token: a", "grep token: a"),
        ("a\x1b[31mb\u202e", "a\\x1b[31mb\\u202e"),
    ],
)
def test_commands_are_shown_on_one_line_without_credentials(command, expected):
    assert command_target(command) == expected


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcdef", 5, "ab…"),
        ("äöü", 6, "äöü"),
        ("äöüß", 6, "ä…"),
        ("ab   cdef", 7, "ab…"),
    ],
)
def test_a_cut_falls_between_characters(text, size, expected):
    assert cut(text, size) == expected


def test_blanks_collapse_to_one():
    assert one_line(" a\n\n b\u2028c\u00a0d ") == "a b c d"


@given(st.text(max_size=400))
def test_targets_are_one_short_printable_line(text):
    for shown in (command_target(text), path_target(text)):
        assert len(shown.encode()) <= 256
        assert shown.isprintable()


@examples(300)
@given(st.from_regex(targets._CREDENTIAL_ARGUMENT.pattern))
def test_a_credential_has_one_of_its_words(text):
    if targets._CREDENTIAL_ARGUMENT.search(text):
        assert any(word in text.casefold() for word in targets._CREDENTIAL_WORDS)
