"""Changes in words: a line is a line, and no text of a vault is markdown."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.examples import examples
from toolmem.core.changes.compare import compare
from toolmem.core.changes.model import ChangedItem
from toolmem.core.changes.render import code, line, markdown
from toolmem.core.model import Scope

TEXT = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from(
            [
                "`",
                "``",
                "\n",
                "# a",
                "<b>",
                "@ada",
                "![x](y)",
                "**",
                "\u202e",
                "- ",
                "$",
            ]
        ),
        max_size=6,
    ).map("".join),
)


def item(kind, name, text, key, value):
    scope = Scope("project", name)
    return ChangedItem(kind, name, name, name, scope, name, text, text, {key: value})


@examples(200)
@given(
    st.sampled_from(["rule", "memory", "fact", "text", "tool"]),
    *[TEXT] * 6,
    st.booleans(),
)
def test_no_text_of_a_vault_is_markdown(kind, name, old, new, key, was, now, is_new):
    before = [] if is_new else [item(kind, name, old, key, was)]
    for change in compare(before, [item(kind, name, new, key, now)]):
        shown = markdown(change)
        tokens = MarkdownIt("commonmark").parse(shown)
        assert [token.type for token in tokens] == [
            "bullet_list_open",
            "list_item_open",
            "paragraph_open",
            "inline",
            "paragraph_close",
            "list_item_close",
            "bullet_list_close",
        ]
        inner = {child.type for child in tokens[3].children or ()}
        assert inner <= {"text", "code_inline", "strong_open", "strong_close"}
        prose = "".join(c.content for c in tokens[3].children or () if c.type == "text")
        assert "@" not in prose
        assert "\n" not in line(change)


@given(TEXT)
def test_a_code_span_is_one(text):
    [paragraph] = [t for t in MarkdownIt().parse(f"x {code(text)} x") if t.children]
    kinds = [child.type for child in paragraph.children or ()]
    assert kinds == ["text", "code_inline", "text"]
