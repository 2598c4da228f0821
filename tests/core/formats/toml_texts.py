"""TOML as people and programs write it, for the readers and the editor."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from toolmem.core.formats.toml_edit import toml_document

SAFE = st.characters(exclude_categories=["Cs"], exclude_characters="\x7f")
TEXTS = st.text(
    st.one_of(st.sampled_from("ab \"\\'#=[]{}.,\n\té中🚀\u202e\x85\u2028\x1b"), SAFE),
    max_size=12,
)
KEYS = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
MOMENTS = st.datetimes(timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
SIMPLE = st.one_of(
    TEXTS,
    st.booleans(),
    st.integers(-(10**12), 10**12),
    MOMENTS,
    st.lists(TEXTS, max_size=4),
)
TABLES = st.dictionaries(KEYS, SIMPLE, max_size=6)
DOCUMENTS = st.builds(
    lambda table, guards: table | ({"guard": guards} if guards else {}),
    TABLES,
    st.lists(TABLES.filter(bool), max_size=3),
)
WRITTEN = DOCUMENTS.map(toml_document)
"""Files as toolmem writes them."""

LINES = st.sampled_from(
    [
        'id = "a"',
        "id = 'a'  # a literal",
        '"id" = "a"',
        'rule = """\nnever\npush"""',
        "rule = '''\n'never' \"push\"'''",
        'rule = "never \\u00e9 \\n \\\\ \\" push" # comment',
        "a.b = 1",
        'a."b.c" = 1',
        "site.'b'.c = [1,\n  2, # two\n]",
        "when = 2026-04-07",
        "when = 2026-04-07 10:00:00+02:00",
        "when = 2026-04-07T10:00:00.5Z",
        "at = 10:00:00",
        "n = 1_000",
        "n = 0x1F",
        "x = 1.5e3",
        "x = inf",
        "flag = true#yes",
        'tags = ["a", "b"]',
        'tags = [ "a", # first\n  "b", ]',
        "inline = { a = 1, b = { c = [1, 2] } }",
        "inline = {}",
        "",
        '# a comment = [with] "signs"',
        "   # indented",
        "  spaced   =   'x'  ",
        "1 = 'a number'",
        "- = 1",
        "\t",
    ]
)
HEADERS = st.sampled_from(
    ["[[guard]]", "[ table ]", "[a.b]", "[[guard.more]]", "[[a]]"]
)
BY_HAND = st.builds(
    lambda bom, lines, tail, newline, last: (
        bom + newline.join([*lines, *tail]).replace("\n", newline) + last * newline
    ),
    st.sampled_from(["", "\ufeff"]),
    st.lists(LINES, max_size=6),
    st.lists(st.one_of(HEADERS, LINES), max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 1),
)
"""Files as people write them; many are invalid, as a key is in them twice."""


def damage(text: str, at: float, piece: str, length: int) -> str:
    """The text with a few characters replaced."""
    start = int(at * len(text))
    return text[:start] + piece + text[start + length :]


DAMAGED = st.builds(
    damage,
    st.one_of(WRITTEN, BY_HAND),
    st.floats(0, 1),
    st.one_of(
        st.sampled_from(["", '"', "\\", "[", "]", "\n", "\r", "=", "#", " "]), TEXTS
    ),
    st.integers(0, 3),
)


def plain(value: Any) -> Any:
    """The value with moments as their texts, so that zones compare."""
    if isinstance(value, datetime) and value.tzinfo:
        return value.astimezone(UTC).replace(microsecond=0)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
