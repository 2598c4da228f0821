import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.patterns.hosts import fit_host, host_form, hosts_in
from toolmem.core.patterns.match import fit_contains, fit_glob, readings
from toolmem.core.patterns.paths import SeenPath, fit_path, resolve, see_path
from toolmem.core.shell.words import Fit


@pytest.mark.parametrize(
    ("text", "wanted", "shell", "fit"),
    [
        ("Sarah@Example.com", "sarah@example.com", False, Fit.YES),
        ("<SARAH@EXAMPLE.COM>, x", "sarah@example.com", False, Fit.YES),
        ("sarah%40example.com", "sarah@example.com", False, Fit.YES),
        ("sarah\u200b@exam\u00adple.com", "sarah@example.com", False, Fit.YES),
        ("ｓａｒａｈ＠example.com", "sarah@example.com", False, Fit.YES),
        ("STRASSE", "straße", False, Fit.YES),
        ("sa'r'ah@exam\"ple.com\"", "sarah@example.com", True, Fit.YES),
        ("sa'r'ah@example.com", "sarah@example.com", False, Fit.NO),
        ("%zz%ff sarah", "sarah", False, Fit.YES),
        ("bob@example.com", "sarah@example.com", False, Fit.NO),
        ("bob\0", "sarah", False, Fit.MAYBE),
    ],
)
def test_contains_sees_through_case_and_encoding(text, wanted, shell, fit) -> None:
    assert fit_contains(readings(text, shell=shell), wanted) is fit


GLOB_TEXT = st.text("ab*?[]!-x.\n", max_size=8)


@examples(200)
@given(st.text("ab*?[]!x.", max_size=8), GLOB_TEXT)
def test_a_glob_means_what_it_means_in_a_shell(glob, text) -> None:
    if re.search(r"\[[!\]]*[^\]]*$", glob) or "[!" in glob or "[]" in glob:
        return  # unclosed and odd sets are read in as many ways as there are shells
    assert fit_glob((text,), glob) is Fit(2 * fnmatch.fnmatchcase(text, glob))


@pytest.mark.parametrize(
    ("text", "glob", "fit"),
    [
        ("a@example.com", "*@example.com", Fit.YES),
        ("A@EXAMPLE.COM", "*@example.com", Fit.YES),
        ("a@example.com.org", "*@example.com", Fit.NO),
        ("x7", "x[0-9]", Fit.YES),
        ("xa", "x[!0-9]", Fit.YES),
        ("x[", "x[", Fit.YES),
        ("a" * 50_000 + "c", "*a*a*a*a*a*b", Fit.NO),
    ],
)
def test_globs_fit_the_whole_value(text, glob, fit) -> None:
    assert fit_glob(readings(text), glob) is fit


CWD, HOME = "/home/me/project", "/home/me"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("~/x", "/home/me/x"),
        ("~", "/home/me"),
        ("~bob/x", "/home/bob/x"),
        ("a/./b//../c", "/home/me/project/a/c"),
        ("../../x", "/home/x"),
        ("/../../etc", "/etc"),
        ("/", "/"),
        ("file:///etc/a%20b", "/etc/a b"),
        ("C:\\Users\\x\\..\\y", "C:/Users/y"),
    ],
)
def test_paths_are_made_absolute_by_their_text(text, wanted) -> None:
    assert resolve(text, cwd=CWD, home=HOME) == wanted


def test_a_path_stays_relative_where_no_folder_is_known() -> None:
    assert resolve("../a/./b", cwd="", home="") == "../a/b"
    assert resolve("~/a", cwd="", home="") == "~/a"


@pytest.mark.parametrize(
    ("text", "pattern", "fit"),
    [
        ("~/.ssh/id_rsa", "~/.ssh/**", Fit.YES),
        ("~/.ssh", "~/.ssh/**", Fit.YES),
        ("/home/me/.SSH/id", "~/.ssh", Fit.YES),
        ("../.ssh/id", "/home/me/.ssh/*", Fit.YES),
        ("~/.sshx", "~/.ssh", Fit.NO),
        (".env", ".env", Fit.YES),
        ("api/.env", ".env", Fit.YES),
        (".env.example", ".env", Fit.NO),
        ("keys/a.PEM", "*.pem", Fit.YES),
        ("src/gen/a/b.py", "src/gen/**", Fit.YES),
        ("lib/src/gen/b.py", "src/gen", Fit.YES),
        ("src/a/b.py", "src/*.py", Fit.NO),
        ("src/a/b/c.py", "src/**/*.py", Fit.YES),
        ("src/c.py", "src/**/*.py", Fit.YES),
        ("a.py", "project/**", Fit.NO),  # the project's own folders only
        ("/srv/project/a.py", "project/**", Fit.YES),
        ("migrations/1.sql", "./migrations/", Fit.YES),
        ("a1", "a[0-9]", Fit.YES),
        ("a/", "a[!x]", Fit.NO),
        ("/", "/", Fit.YES),
        ("/etc/passwd", "/", Fit.NO),
        ("C:\\Users\\x\\a.txt", "c:/users/**", Fit.YES),
        ("\0/.ssh/id", ".ssh/**", Fit.YES),
        ("\0", "~/.ssh", Fit.NO),
        ("~/.s\0", "~/.ssh", Fit.MAYBE),
        ("id_\0", "*.pem", Fit.MAYBE),
    ],
)
def test_a_path_pattern_covers_a_file_and_what_lies_below(text, pattern, fit) -> None:
    path = see_path(text, folder=CWD, home=HOME, project=CWD)
    assert path is not None
    assert fit_path(path, pattern, home=HOME) is fit


def test_a_file_outside_the_project_keeps_its_whole_path() -> None:
    assert see_path("../x/Y", folder=CWD, home=HOME, project=CWD) == SeenPath(
        "/home/me/x/y", "/home/me/x/y"
    )
    assert see_path("x", folder=CWD + "/sub", home=HOME, project=CWD) == SeenPath(
        "/home/me/project/sub/x", "sub/x"
    )


@pytest.mark.parametrize("text", ["", "a\nb", "a" * 5000])
def test_some_texts_name_no_file(text) -> None:
    assert see_path(text, folder=CWD, home=HOME, project=CWD) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "see https://u:p@EXAMPLE.com.:8443/x, or http:\\\\b.org",
            ["example.com", "b.org"],
        ),
        ("git@github.com:a/b", ["github.com"]),
        ("db.internal:5432", ["db.internal"]),
        ("//cdn.example.org/x", ["cdn.example.org"]),
        ("http://0x7f.1/ http://2130706433 http://0177.0.0.1", ["127.0.0.1"] * 3),
        ("http://[::1]:80/", ["::1"]),
        ("https://xn--mnchen-3ya.de https://MÜNCHEN.de", ["münchen.de"] * 2),
        ("https://example。com", ["example.com"]),
        ("https://ex%61mple.com", ["example.com"]),
        ("https://xn--\udcff.de/", ["xn--\udcff.de"]),
        ("mailto:a@example.com?subject=x", ["example.com"]),
        ("we talked about example.com there", []),
        ("http://999.1.1.1.1/ http://09.1", ["999.1.1.1.1", "09.1"]),
        ("", []),
    ],
)
def test_hosts_are_found_in_one_spelling(text, wanted) -> None:
    assert list(hosts_in(text)) == wanted


@pytest.mark.parametrize(
    ("host", "wanted", "guess", "fit"),
    [
        ("example.com", "example.com", False, Fit.YES),
        ("api.example.com", "Example.COM.", False, Fit.YES),
        ("notexample.com", "example.com", False, Fit.NO),
        ("example.com.evil.org", "example.com", False, Fit.NO),
        ("example.com", "*.example.com", False, Fit.NO),
        ("api.example.com", "*.example.com", False, Fit.YES),
        ("api-7.example.com", "api-*.example.com", False, Fit.YES),
        ("example.com", "https://example.com/path", False, Fit.YES),
        ("127.0.0.1", "0x7f000001", False, Fit.YES),
        ("\0", "example.com", False, Fit.NO),
        ("\0", "example.com", True, Fit.MAYBE),
        ("\0.example.com", "example.com", False, Fit.YES),
        ("\0.org", "example.com", True, Fit.NO),
    ],
)
def test_a_host_covers_its_subdomains(host, wanted, guess, fit) -> None:
    assert fit_host(host, wanted, guess=guess) is fit


@examples(150)
@given(st.text(max_size=60))
def test_no_text_breaks_the_readers_of_hosts_and_paths(text) -> None:
    assert all(host == host_form(host) for host in hosts_in(text))
    path = see_path(text, folder=CWD, home=HOME, project=CWD)
    assert path is None or not path.absolute.endswith("/..")
