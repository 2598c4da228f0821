from datetime import UTC, date, datetime

import frontmatter
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.memory_edit import new_memory_text
from toolmem.core.memories.memory_text import (
    ParsedMemory,
    compared_text,
    parse_memory,
)
from toolmem.core.memories.naming import title_of
from toolmem.core.memories.original import MARKER
from toolmem.core.text.textlines import TextProblem

WHOLE = """\
---
tags: [insight, auto-generated, insight, "", 1.10]
topic: no
kind: insight
importance: 1
created: 2026-04-07
updated: 2026-04-07T12:30:00+02:00
expires_at: "2026-05-07"
supersedes: old-aaaaaa
contested_with: [x-bbbbbb]
related_to: []
private: false
source: "a
  b"
source_task: 0123
source_tasks_additional: ["t2", t3]
agent: helper-1
confidence: 0.7
original: long-cccccc.txt
mine: {a: [1, no]}
last_retrieved: null
---

# OAuth token refresh #

Short form.

```
<!-- toolmem:original -->
```

<!-- toolmem:original -->

# Long form

text
"""


def read(text: str) -> ParsedMemory:
    return parse_memory(text, path="m.md")


def test_a_memory_is_taken_apart():
    assert parse_memory(WHOLE, path="system/memory/oauth-a1b2c3.md") == ParsedMemory(
        path="system/memory/oauth-a1b2c3.md",
        id="oauth-a1b2c3",
        title="OAuth token refresh",
        body=WHOLE.partition("null\n---\n")[2],
        summary="Short form.\n\n```\n<!-- toolmem:original -->\n```",
        original="# Long form\n\ntext",
        private=False,
        problems=(),
        extra={"mine": {"a": [1, "no"]}, "last_retrieved": None},
        tags=("insight", "auto-generated", "1.10"),
        topic="no",
        kind="insight",
        importance=1.0,
        created=date(2026, 4, 7),
        updated=datetime(2026, 4, 7, 10, 30, tzinfo=UTC),
        expires_at=date(2026, 5, 7),
        supersedes=("old-aaaaaa",),
        contested_with=("x-bbbbbb",),
        related_to=(),
        source="a b",
        source_task="0123",
        source_tasks_additional=("t2", "t3"),
        agent="helper-1",
        confidence=0.7,
        original_path="long-cccccc.txt",
    )


@pytest.mark.parametrize("text", ["", "\ufeff", "\n \n"])
def test_an_empty_text_is_an_empty_memory(text):
    found = read(text)
    assert (found.title, found.body) == ("", text.removeprefix("\ufeff"))
    assert (found.summary, found.original) == ("", "")
    assert (found.problems, found.private, found.importance) == ((), False, 0.5)


@pytest.mark.parametrize(
    ("body", "outline"),
    [
        ("Just text: no key\nmore\n", ("Just text: no key", "", "")),
        ("## Part\n\n# Title\n", ("Title", "", "")),
        ("intro\n\n#\n## Part\n", ("intro", "", "")),
        ("```\n# code\n```\n", ("", "", "")),
        ("    # code\ntext\n", ("# code", "", "")),
        ("# T\u2028x\n", ("T x", "", "")),
        (f"# T\n\nS 1\n\nS 2\n\n{MARKER}\r\n\r\nO\r\n", ("T", "S 1\n\nS 2", "O")),
        (f"S\n{MARKER}\nO\n{MARKER}\n# P\n", ("S", "S", f"O\n{MARKER}\n# P")),
        (f"{MARKER}\n\n# Long\n", ("Long", "", "# Long")),
        (f"{MARKER}\n", ("", "", "")),
        (f"# T\n~~~\n{MARKER}\nx\n", ("T", "", "")),
        (f"# T\nsee `{MARKER}`\nx\n", ("T", "", "")),
        ("# T\n\nOne.\n\n## Original\n\nOne. Two.\n", ("T", "One.", "One. Two.")),
        ("# T\n\nOne.\n\n## Original\n\nTwo.\n", ("T", "", "")),
        ("# T\n\n## Original\n\nTwo.\n", ("T", "", "")),
    ],
)
def test_title_summary_and_original_are_found_in_the_body(body, outline):
    found = read(body)
    assert (found.title, found.summary, found.original) == outline
    assert found.body == body


def test_the_summary_of_the_header_goes_before_the_one_above_the_original():
    header = "---\nsummary: |\n  One.\n  Two.\n---\n"
    found = read(f"{header}x\n\n{MARKER}\ny\n")
    assert found.summary == "One.\nTwo."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tags: {a: 1}", "tags is not a list of texts"),
        ("tags: [[a]]", "tags is not a list of texts"),
        ("topic: [a]", "topic is not text"),
        ("source_task: {a: b}", "source_task is not text"),
        ("importance: high", "importance is not a number from 0 to 1"),
        ("importance: 1.1", "importance is not a number from 0 to 1"),
        ("importance: true", "importance is not a number from 0 to 1"),
        ("confidence: -0.1", "confidence is not a number from 0 to 1"),
        ("confidence: .nan", "confidence is not a number from 0 to 1"),
        ("created: soon", "created is not a date such as 2026-04-07"),
        ("updated: 2026-13-45", "updated is not a date such as 2026-04-07"),
        ("expires_at: 20260407", "expires_at is not a date such as 2026-04-07"),
        ("created: [2026-04-07]", "created is not text"),
    ],
)
def test_a_field_of_the_wrong_type_is_told_and_counts_as_absent(line, message):
    found = read(f"---\nagent: a\n{line}\n---\nx\n")
    message = f"{message}: it is ignored"
    assert found.problems == (TextProblem(3, "wrong-type", message),)
    absent = read("---\nagent: a\n\n---\nx\n")
    assert (found.private, found.tags, found.topic) == (False, (), None)
    assert found.importance == absent.importance
    assert found.created is None


@pytest.mark.parametrize(
    "line",
    ["topic:", "topic: ~", 'topic: " "', "tags:", "importance:", "created: null"],
)
def test_an_empty_field_is_an_absent_one(line):
    assert read(f"---\n{line}\n---\nx\n") == read("---\n\n---\nx\n")


@pytest.mark.parametrize(
    ("line", "private", "told"),
    [
        ("private: true", True, False),
        ("private: True", True, False),
        ("private: false", False, False),
        ('private: "false"', True, True),
        ("private: no", True, True),
        ("private: 0", True, True),
        ("private:", True, True),
        ("private: [false]", True, True),
        ("Private: false", True, True),
        ('" private": false', True, True),
    ],
)
def test_only_a_clear_word_makes_a_memory_public(line, private, told):
    found = read(f"---\ntopic: x\n{line}\n---\nx\n")
    assert found.private is private
    assert [(one.line, one.code) for one in found.problems] == [
        (3, "wrong-type")
    ] * told


PRIVATE = "---\nprivate: true\ntopic: ü\n---\n# Secret\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_private_memory_cut_at_any_byte_stays_private(ending):
    whole = PRIVATE.replace("\n", ending).encode()
    for size in range(1, len(whole) + 1):
        text = whole[:size].decode("utf-8", "surrogateescape")
        assert read(text).private, text


@pytest.mark.parametrize(
    "piece", [*"\ufeff\u2028\x85\t \n\0\u200b&{['\"-:", "- ", "\r"]
)
def test_no_mark_put_into_a_private_memory_makes_it_public(piece):
    for at in range(len(PRIVATE) + 1):
        text = PRIVATE[:at] + piece + PRIVATE[at:]
        assert read(text).private, text


def test_a_conflict_in_the_body_is_told_and_private():
    found = read("---\ntopic: x\n---\n# T\n<<<<<<< a\n=======\n>>>>>>> b\n")
    message = "an unresolved merge conflict"
    assert found.problems == (TextProblem(5, "conflict-marker", message),)
    assert (found.private, found.topic, found.title) == (True, "x", "T")


@pytest.mark.parametrize(
    ("body", "private", "problem"),
    [
        (
            "a\nb\u202e\n",
            False,
            TextProblem(5, "unsafe-text", "contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        ),
        (
            "\ufeffa\n",
            False,
            TextProblem(4, "unsafe-text", "contains U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ),
    ],
)
def test_an_unsafe_character_in_the_body_is_told(body, private, problem):
    found = read(f"---\ntopic: x\n---\n{body}")
    assert (found.private, found.problems) == (private, (problem,))


@pytest.mark.parametrize("char", ["\0", "\udcff"])
def test_what_is_no_text_is_private(char):
    found = read(f"x\n{char}\n")
    problem = TextProblem(2, "not-text", "contains bytes that are not UTF-8 text")
    assert found.problems[0] == problem
    assert found.private


@examples(200)
@given(st.text() | st.text(alphabet="#-`~ \t\n\rOrigna<!toem>:[]{}\u2028\ufeff\udcff"))
def test_any_text_can_be_read(text):
    for candidate in (text, f"---\n{text}\n---\n{text}"):
        found = read(candidate)
        assert candidate.endswith(found.body)
        assert "\n" not in found.title
        lines = candidate.count("\n") + 1
        assert all(1 <= problem.line <= lines for problem in found.problems)


@examples(200)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "---",
                    "--- ",
                    "----",
                    "...",
                    "\ufeff---",
                    "{",
                    "}",
                    "# x",
                    "",
                    "a: |",
                ),
                *("private: true", "private: false", '"private": true', "private: yes"),
                *("{private: true}", "- private: true", "<<: {b: 1}", "a: 1", "text"),
            ]
        ),
        max_size=8,
    ),
    st.sampled_from(["\n", "\r\n", "\r", "\u2028"]),
)
def test_what_a_lenient_reader_calls_private_is_private(lines, ending):
    text = ending.join(lines)
    try:
        lenient = frontmatter.loads(text).get("private")
    except (yaml.YAMLError, ValueError, TypeError):
        return
    if lenient:
        assert read(text).private


@pytest.mark.parametrize(
    "body",
    [
        *(f"{marker} Sort imports\n{marker} Keep lines short\n" for marker in "-*+"),
        "\tSort imports.\n",
        "1. Sort imports\n2. Keep lines short\n",
        f"Sort {'all the imports ' * 9}. Keep lines short.\n",
    ],
)
def test_a_title_that_the_text_gave_counts_once(body):
    text = new_memory_text({}, title_of(body), body)
    assert compared_text(parse_memory(text, path="")) == body
