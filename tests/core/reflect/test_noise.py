"""Memories without content, and others that only look so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.reflect.cited import by_name, cited_files
from toolmem.core.reflect.facts import facts_in
from toolmem.core.reflect.noise import noise_in


@pytest.mark.parametrize(
    ("title", "body", "reason"),
    [
        ("Hi there, thanks!", "Hi there, thanks!", "a greeting"),
        ("Thank you so much", "# Thank you so much\n\nThat was great.\n", "a greeting"),
        ("result", '# result\n\n{"a": [1, 2]}\n', "raw JSON"),
        ("x", '```json\n{"a": 1}\n```', "raw JSON"),
        ("https://a.example/b", "https://a.example/b\n", "a bare address"),
        ("See", "# See\n\n<https://a.example/b?c=d>\n", "a bare address"),
        ("a&nbsp;b &amp; c&lt;d", "", "raw HTML"),
        ("Done", "Done.", "too short to be useful"),
        ("", "", "too short to be useful"),
    ],
)
def test_noise_is_found_and_called_by_its_name(title, body, reason):
    assert noise_in(title, body) == reason


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Port 8080 is nginx", "# Port 8080 is nginx\n"),
        ("Great Expectations build", "Great Expectations validates nightly data"),
        ("OK Cupid", "# OK Cupid\n\nOk means done\n"),
        ("Sure", "# Sure\n\nRestart nginx first\n"),
        ("Wiki", "# Wiki\n\nhttps://wiki.example.com/oncall\n"),
        ("Hello world needs `make run`", ""),
        ("Thanks to the cache, builds take nine minutes less", ""),
        ("The docs", "The docs of the API stand at https://a.example/b in full."),
        ("The reply", 'The reply has the shape {"a": 1} when all is well'),
        ("部署前必须先运行测试并检查结果", ""),
        (
            "Entities in the template",
            "It takes &nbsp; and &lt; and &gt; as they are.",
        ),
    ],
)
def test_what_says_something_is_kept(title, body):
    assert noise_in(title, body) == ""


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ("test_command: pytest -v\n", [("test_command", "pytest -v")]),
        ("- base-branch: trunk\n", [("base-branch", "trunk")]),
        ("The staging port is `8081`.\n", [("staging_port", "8081")]),
        ("Our CI image is `python:3.12`\n", [("ci_image", "python:3.12")]),
        ("Note: remember it\nresult: good\n", []),
        ("```\nsome_key: value\n```\n", []),
        ("The answer is `42` only when it rains.\n", []),
        ("some_key:\n", []),
    ],
)
def test_facts_that_hide_in_prose_are_found(body, facts):
    assert [tuple(fact) for fact in facts_in(body)] == facts


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("it is in `src/app/server.py`, line 3", ["src/app/server.py"]),
        ("see server.py and ./README.md.", ["src/app/server.py", "README.md"]),
        ("in init.py", []),  # two files end so
        ("https://example.org/src/app/server.py", []),
        ("no files, e.g. none", []),
        ("a/init.py", ["a/init.py"]),
    ],
)
def test_files_are_recognised_where_only_one_can_be_meant(text, paths):
    names = by_name(["src/app/server.py", "README.md", "a/init.py", "b/init.py"])
    assert list(cited_files(text, names)) == paths


@given(
    st.sampled_from(["Thanks ", "hi\n", "", "https://a.example/b "]),
    st.lists(
        st.sampled_from(["a", "fooBar", "3D", ".", "x" * 60, " " * 90]), max_size=16
    ),
)
def test_a_text_is_judged_by_all_its_words_wherever_they_are(first, others):
    text = first + " ".join(others)
    with pytest.MonkeyPatch.context() as patched:
        found = noise_in(text, text)
        patched.setattr("toolmem.core.reflect.noise._HEAD_CHARS", 10_000)
        assert noise_in(text, text) == found
