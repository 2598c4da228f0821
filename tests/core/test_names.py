"""Names: one spelling for each, and a file name that every system can hold."""

import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from toolmem.core import limits
from toolmem.core.names import (
    clean_name,
    decode_name,
    encode_name,
    fold,
    folder_key,
    is_tool_name,
    tool_key,
)
from toolmem.errors import UsageError
from toolmem.store.files import folders, layout

ODD = st.text(
    st.one_of(
        st.sampled_from('%./\\:*?"<>| ~-_aAßſİıΣςσÅéé͡ͅῼµ中🚀'),
        st.characters(exclude_categories=("Cs", "Cc")),
    ),
    min_size=1,
    max_size=12,
)


def on_mac(name: str) -> str:
    """Return a name as a file system that folds case and decomposes sees it."""
    return unicodedata.normalize(
        "NFD", unicodedata.normalize("NFD", name).casefold()
    ).casefold()


@given(ODD)
@example("%41")
@example("..")
@example("CON.txt")
@example("a%")
@example("a.")
@example(" ")
def test_every_name_is_read_back_from_its_file_name(name):
    assert decode_name(encode_name(name)) == name


@given(ODD, ODD)
@example("ß", "ss")
@example("ſ", "s")
@example("ᾳ", "αι")
@example("%2F", "/")
@example("con", "%63on")
@example("ͅΣ", "Σͅ")
def test_two_tools_never_share_a_folder_on_any_system(first, second):
    keys = [tool_key_or_none(name) for name in (first, second)]
    assume(None not in keys and keys[0] != keys[1])
    encoded = [encode_name(str(key)) for key in keys]
    assert on_mac(encoded[0]) != on_mac(encoded[1])


def tool_key_or_none(name: str) -> str | None:
    try:
        return tool_key(name)
    except UsageError:
        return None


@given(ODD)
@example("ΰ")
@example("ͅ")
@example("ﬃ")
def test_a_folded_name_stays_as_it_is(text):
    assert fold(fold(text)) == fold(text)


@given(ODD)
@example("git~1")
@example(".git")
@example("../../etc/passwd")
@example("C:\\x")
def test_no_name_leaves_the_folder_that_it_is_put_in(name):
    encoded = encode_name(name)
    assert folders.is_plain(encoded)
    assert not set(encoded) & set('/\\:*?"<>|\0')
    assert encoded[0] != "."
    assert encoded[-1] not in ". "


@given(ODD)
def test_a_name_that_is_kept_is_kept_for_good(name):
    try:
        kept = clean_name(name)
    except UsageError:
        return
    assert clean_name(kept) == kept
    assert is_tool_name(kept)
    assert len(encode_name(kept).encode()) <= limits.NAME_BYTES


@given(st.text(max_size=20))
def test_any_folder_name_is_the_folder_of_some_tool(folder):
    key = folder_key(folder)
    assert is_tool_name(key)


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("send_email", "send_email"),
        ("mcp__github__create_issue", "mcp__github__create_issue"),
        ("Ask the user", "Ask the user"),
        ("a/b", "a%2Fb"),
        ("a\\b", "a%5Cb"),
        ("..", "%2E%2E"),
        (".", "%2E"),
        (".hidden", "%2Ehidden"),
        ("end.", "end%2E"),
        ("end ", "end%20"),
        ("C:", "C%3A"),
        ("100%", "100%25"),
        ("%2e", "%252e"),
        ("CON", "%43ON"),
        ("con.tool", "%63on.tool"),
        ("console", "console"),
        ("lpt1", "%6Cpt1"),
        ("COM¹", "%43OM¹"),
        ("git~1", "%67it~1"),
        ("what?*", "what%3F%2A"),
        ("a\nb", "a%0Ab"),
        ("größe", "größe"),
        ("工具", "工具"),
        ("🚀", "🚀"),
    ],
)
def test_what_no_system_may_refuse_is_percent_encoded(name, encoded):
    assert encode_name(name) == encoded
    assert decode_name(encoded) == name


@pytest.mark.parametrize(
    ("folder", "name"),
    [("%", "%"), ("%zz", "%zz"), ("a%F", "a%F"), ("%FF", "%FF"), ("%C3%A9", "é")],
)
def test_what_is_no_encoding_stays_as_it_is(folder, name):
    assert decode_name(folder) == name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Email", "email"),
        (" email ", "email"),
        ("EMAIL", "email"),
        ("Send_Email", "send_email"),
        ("WebSearch", "websearch"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("e\u0301dit", "édit"),
        ("*", "_any"),
        (" * ", "_any"),
        ("_any", "_any"),
        ("_ANY", "_any"),
        ("**", "**"),
    ],
)
def test_a_tool_is_known_by_one_key(name, key):
    assert tool_key(name) == key


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "the name is blank"),
        (" \t\n", "the name is blank"),
        ("a\u202eb", "the name 'a\\u202eb' contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("a\x1b[31mb", "the name 'a\\x1b[31mb' contains U+001B CONTROL CHARACTER"),
        ("a\nb", "the name 'a\\nb' contains U+000A CONTROL CHARACTER"),
        ("a\udcffb", "the name 'a\\udcffb' contains U+DCFF SURROGATE"),
        ("x" * 201, f"the name '{'x' * 40}'… is longer than 200 bytes"),
        ("ж" * 101, f"the name '{'ж' * 40}'… is longer than 200 bytes"),
        ("/" * 67, f"the name '{'/' * 40}'… is longer than 200 bytes"),
    ],
)
def test_a_name_that_cannot_be_kept_is_refused(name, message):
    with pytest.raises(UsageError) as caught:
        clean_name(name)
    assert str(caught.value) == message
    assert not is_tool_name(name)
    assert folder_key(encode_name(name)) == "_any"


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        (
            "never email Sarah at sarah@example.com",
            "never-email-sarah-at-sarah-example-com",
        ),
        ("OAuth 2.0 Token Refresh!", "oauth-2-0-token-refresh"),
        ("hello---world___foo", "hello-world-foo"),
        ("!!!", "rule"),
        ("刷新令牌", "刷新令牌"),
        ("Nie für Größen über 5", "nie-fur-grossen-uber-5"),
        ("не удаляй ветку", "не-удаляй-ветку"),
        ("漢" * 60, "漢" * 26),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 60, "x" * 40),
        (
            "one two three four five six seven eight nine ten",
            "one-two-three-four-five-six-seven-eight",
        ),
    ],
)
def test_a_rule_file_has_a_readable_name(text, slug):
    assert layout.slug(text) == slug
