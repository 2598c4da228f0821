import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.facts.parse import FactLine, parse_facts
from toolmem.core.text.textlines import TextProblem


def facts(text: str) -> dict[str, dict[str, str]]:
    """Namespace → key → value, as a reader of the file would list them."""
    found: dict[str, dict[str, str]] = {}
    for fact in parse_facts(text).facts:
        found.setdefault(fact.namespace, {})[fact.key] = fact.value
    return found


def defects(text: str) -> list[tuple[int, str]]:
    return [(found.line, found.code) for found in parse_facts(text).problems]


def test_a_fact_knows_its_namespace_and_its_place():
    parsed = parse_facts("\ufeff# Facts\n\n## project\n - test: pytest -v\n")
    assert parsed.facts == (FactLine("project", "test", "pytest -v", 4, 3),)
    assert parsed.lines == parsed.facts
    assert parsed.headings == (("project", 3),)
    assert parsed.places == (1, 2, 3, 4, 5)
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("key: value", ("key", "value")),
        ("- key: value", ("key", "value")),
        ("* key: value", ("key", "value")),
        ("+ key: value", ("key", "value")),
        ("  key: value", ("key", "value")),
        ("-\tkey: value", ("key", "value")),
        ("key:", ("key", "")),
        ("key:   ", ("key", "")),
        ("key : value", ("key", "value")),
        ("key:value", ("key", "value")),
        ("api: http://localhost:8080/api", ("api", "http://localhost:8080/api")),
        ("time: 12:30:45", ("time", "12:30:45")),
        ("path: C:\\src", ("path", "C:\\src")),
        ("stack: [Python 3.12, Pygame]", ("stack", "[Python 3.12, Pygame]")),
        ("md: **b** [l](u) `code`", ("md", "**b** [l](u) `code`")),
        ("quoted: 'no'", ("quoted", "'no'")),
        ("pipe: a | b", ("pipe", "a | b")),
        ("remark: x <!-- y -->", ("remark", "x <!-- y -->")),
        ("größe: ä 東京", ("größe", "ä 東京")),
        ("@scope/pkg: 1.2", ("@scope/pkg", "1.2")),
        ("__init__x: 1", ("__init__x", "1")),
        ("noted: x", ("noted", "x")),
        ("vt: a\x0bb\u2028c: d\x85e: f", ("vt", "a\x0bb\u2028c: d\x85e: f")),
    ],
)
def test_a_line_with_a_key_and_a_colon_is_a_fact(line, pair):
    key, value = pair
    assert facts(line) == {"project": {key: value}}
    assert facts(f"## n\r\n{line}\r\n") == {"n": {key: value}}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no colon",
        ": value",
        "two words: value",
        "no\u00a0break: value",
        "Note: remember",
        "- TODO: later",
        "WARNING: hot",
        "tip: x",
        "Example: x",
        "important: x",
        "See: there",
        "https://example.com/x: y",
        "comment: // not a value",
        "**bold**: value",
        "__bold__: value",
        "*italic*: value",
        "`code`: value",
        "1. step: value",
        "1) step: value",
        "- [ ] todo: value",
        "- [x]: value",
        "[link]: https://example.com",
        "> quoted: value",
        "| a: b | c |",
        "a|b: c",
        "<b>x</b>: y",
        "#tag: x",
        "--flag: x",
        "- - nested: x",
        "-      code: x",
        "    code: x",
        "\tcode: x",
        "<!-- hidden: x -->",
        "<!-- a --> b: 1",
        "- <!-- hidden: x -->",
        "# key: value",
        "### key: value",
        "---",
        "***",
    ],
)
def test_what_markdown_or_prose_means_otherwise_is_no_fact(line):
    assert facts(line) == {}
    assert facts(f"a: 1\n\n{line}\n\nb: 2\n") == {"project": {"a": "1", "b": "2"}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        (" \n\t\n", {}),
        # namespaces
        ("a: 1\n## x\nb: 2\n", {"project": {"a": "1"}, "x": {"b": "2"}}),
        ("##\na: 1\n", {"project": {"a": "1"}}),
        ("## x\n##\na: 1\n", {"x": {"a": "1"}}),
        ("## X y \na: 1\n## x y\na: 2\n", {"X y": {"a": "1"}, "x y": {"a": "2"}}),
        (
            "## x\na: 1\n## y\nb: 2\n## x\nc: 3\n",
            {"x": {"a": "1", "c": "3"}, "y": {"b": "2"}},
        ),
        ("## x\n# h\na: 1\n### k\nb: 2\n", {"x": {"a": "1", "b": "2"}}),
        ("##x\na: 1\n", {"project": {"a": "1"}}),
        # a divider swallows nothing
        ("## x\na: 1\n---\n## y\nb: 2\n", {"x": {"a": "1"}, "y": {"b": "2"}}),
        ("a: 1\n---\nb: 2\n---\nc: 3\n", {"project": {"a": "1", "b": "2", "c": "3"}}),
        ("---\na: 1\n", {"project": {"a": "1"}}),
        (" ---\na: 1\n---\n", {"project": {"a": "1"}}),
        ("* * *\n  a: 1\n", {"project": {"a": "1"}}),
        # front matter
        ("---\ntags: [x]\n---\na: 1\n", {"project": {"a": "1"}}),
        ("\ufeff---\r\ntags: [x]\r\n---\r\na: 1\r\n", {"project": {"a": "1"}}),
        ("---\nt: x\n---\n## y\n---\na: 1\n", {"y": {"a": "1"}}),
        ("---\nt: x\n---", {}),
        ("\ufeffa: 1\n", {"project": {"a": "1"}}),
        # code
        ("```\n## x\na: 1\n```\nb: 2\n", {"project": {"b": "2"}}),
        ("~~~ sh\na: 1\n```\n~~\n~~~~\nb: 2\n", {"project": {"b": "2"}}),
        ("  ```\na: 1\n  ```\nb: 2\n", {"project": {"b": "2"}}),
        ("```\n    ```\na: 1\n```\nb: 2\n", {"project": {"b": "2"}}),
        ("``` a`b\na: 1\n", {"project": {"a": "1"}}),
        ("```\na: 1\n", {}),
        ("- ```\n  a: 1\n  ```\nb: 2\n", {"project": {"b": "2"}}),
        ("- x\n  ```\n  a: 1\nb: 2\n", {"project": {"b": "2"}}),
        ("1. x\n   ```\n\n   a: 1\nb: 2\n", {"project": {"b": "2"}}),
        ("x\n    a: 1\n\n    b: 2\n", {}),
        # comments
        ("<!--\na: 1\n## x\n-->\nb: 2\n", {"project": {"b": "2"}}),
        ("<!-- x\n\na: 1 --> b: 2\nc: 3\n", {"project": {"c": "3"}}),
        ("<!-->\na: 1\n", {"project": {"a": "1"}}),
        ("<!-- x\na: 1\n", {}),
        ("- <!-- x\na: 1\n-->\nb: 2\n", {"project": {"b": "2"}}),
        (
            "a: 1 <!-- x\nb: 2\n-->\nc: 3\n",
            {"project": {"a": "1 <!-- x", "c": "3"}},
        ),
        ("a: <!-- x\n\nb: -->\n", {"project": {"a": "<!-- x", "b": "-->"}}),
        # lists
        ("- a: 1\n  - b: 2\n  c: 3\n- d: 4\n", {"project": {"a": "1", "d": "4"}}),
        ("- a: 1\n\n  b: 2\n\nc: 3\n", {"project": {"a": "1", "c": "3"}}),
        ("- a: 1\nb: 2\n", {"project": {"a": "1", "b": "2"}}),
        (
            "  - a: 1\n  - b: 2\n   - c: 3\n",
            {"project": {"a": "1", "b": "2", "c": "3"}},
        ),
        ("1. x\n   - a: 1\n2. y\n- b: 2\n", {"project": {"b": "2"}}),
        ("-\n  a: 1\nb: 2\n", {"project": {"b": "2"}}),
        # tables
        ("a: x | y\n--- | ---\nb: 1 | 2\n\nc: 3\n", {"project": {"c": "3"}}),
        ("| a |\n|---|\nb: 1\n## x\nc: 3\n", {"x": {"c": "3"}}),
        ("| a |\n|---|\n- b: 1\nc: 2\n", {"project": {"b": "1", "c": "2"}}),
        ("a: x | y\n---\nb: 1\n", {"project": {"a": "x | y", "b": "1"}}),
        ("a: x | y\n\n-|-\nb: 1\n", {"project": {"a": "x | y", "b": "1"}}),
        # twice
        ("a: 1\nb: 2\na: 3\n", {"project": {"b": "2", "a": "3"}}),
        # an unresolved merge
        (
            "a: 1\n<<<<<<< H\nb: 2\n=======\nb: 3\n>>>>>>> x\nc: 4\n",
            {"project": {"a": "1", "c": "4"}},
        ),
    ],
)
def test_structure_decides_which_lines_count(text, found):
    assert facts(text) == found
    assert facts(text.replace("\r\n", "\n").replace("\n", "\r\n")) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## x\na: 1\n", []),
        ("a: 1\n<<<<<<< H\n=======\n>>>>>>> x\n", [(2, "conflict-marker")]),
        ("a: 1\n```\nb: 2\n", [(2, "unclosed-block")]),
        ("a: 1\n<!--\nb: 2\n", [(2, "unclosed-block")]),
        ("- a\n  ```\nb: 2\n", []),
        ("a: 1 <!-- x\n-->\n", [(1, "split-comment")]),
        ("---\n## x\n---\n", [(2, "heading-in-header")]),
        ("a: 1\r\na: x\u202ey\r\n", [(2, "duplicate-key"), (2, "unsafe-text")]),
        ("## x\u200b\nprose \x07\n", [(1, "unsafe-text")]),
        ("a: 1\nprose \x07\n", [(2, "unsafe-text")]),
        ("a: \udcff\n", [(1, "unsafe-text")]),
        ("a: 1\rb: 2\n", [(1, "unsafe-text")]),
        ("a: 1\n## x\na: 1\n", []),
    ],
)
def test_a_defect_is_told_with_its_line(text, found):
    assert defects(text) == found


def test_a_key_set_twice_is_told_once_at_the_line_that_counts():
    parsed = parse_facts("a: 1\na: 2\na: 3\n")
    message = "a is already set in line 1"
    assert parsed.problems == (TextProblem(3, "duplicate-key", message, "warning"),)
    assert [fact.value for fact in parsed.facts] == ["3"]
    assert [fact.value for fact in parsed.lines] == ["1", "2", "3"]


@examples(200)
@given(st.text() | st.text(alphabet="-*+#:`~<!>| \t\n\rab1.[]="))
def test_any_text_can_be_read(text):
    parsed = parse_facts(text)
    count = text.count("\n") + 1
    assert all(1 <= fact.line <= count for fact in parsed.lines)
    assert all(fact.key and not fact.key.isspace() for fact in parsed.facts)
    assert list(parsed.places) == sorted(set(parsed.places))


@pytest.mark.parametrize(
    ("piece", "count"),
    [
        ("\n", 0),
        ("a:\n", 21_845),
        ("<!--\n", 0),
        ("a: <!--\n", 8_192),
        ("```\n", 0),
        ("- ", 0),
        ("a: b|c\n-|-\n", 0),
        ("<!--", 0),
        (" #", 0),
        (":", 0),
    ],
)
def test_64_kib_of_a_hostile_piece_are_read_in_one_pass(piece, count):
    parsed = parse_facts(piece * (65_536 // len(piece)))
    assert len(parsed.lines) == count


@pytest.mark.parametrize("value", ["8080", "orders", "[a, b]"])
@pytest.mark.parametrize(
    "form",
    [
        "- `port`: {}",
        "`port`: {}",
        "- db name: {}",
        "* name of database: {}",
        "1. h: {}",
        "2) `h`: {}",
        "| j | {} |",
        "| key | value |\n|---|---|\n| j | {} |",
        "* host = {}",
        "UPPER_KEY={}",
        "`h` = {}",
        "key：{}",
        "> port: {}",
        "- [ ] port: {}",
        "- db\n  - host: {}",
        "- db\n  host: {}",
        "- db\n\n  1. `host`: {}",
    ],
)
def test_a_line_that_looks_like_a_fact_is_read_or_reported(form, value):
    text = f"a: 1\n\n{form.format(value)}\n"
    line = text.count("\n")
    assert defects(text) == [(line, "unread-fact")]
    assert facts(text) == {"project": {"a": "1"}}


@pytest.mark.parametrize(
    "line",
    [
        "The port is open: see the wall",
        "- see the docs: they are long",
        "- a sentence of more words than a key: no fact",
        "1. step one is this: go",
        "| key | value |\n|---|---|",
        "| a | b | c |",
        "- a link to https://example.com",
        "- a == b in the guide",
        "- the hosts\n  - see https://example.com: it is long\n  - note: ask first",
        "- the hosts\n\n  ```\n  host: web1\n  ```",
    ],
)
def test_prose_is_not_reported_as_a_fact(line):
    assert defects(f"{line}\n") == []
