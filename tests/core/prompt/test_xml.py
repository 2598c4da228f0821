"""The block as XML: well-formed for any text, and the same as the markdown says."""

from xml.etree import ElementTree

from hypothesis import example, given

from tests.core.prompt.hostile import PARTS, SEARCH, TEXTS, parts_of
from tests.core.prompt.test_markdown import rule
from tests.examples import examples
from toolmem.core.model import SYSTEM, Fact
from toolmem.core.prompt.build import ScopedText
from toolmem.core.prompt.markdown import RULES_LEAD
from toolmem.core.prompt.parts import PromptPart
from toolmem.core.prompt.safe import visible_lines
from toolmem.core.prompt.xml import render_xml
from toolmem.core.text.safetext import visible


def texts(root: ElementTree.Element, path: str) -> list[str]:
    return [element.text or "" for element in root.findall(path)]


@examples(200)
@given(PARTS)
def test_it_is_well_formed_and_holds_every_item(parts):
    root = ElementTree.fromstring(render_xml(parts))
    assert root.tag == "toolmem"
    by_kind = {part.kind: part for part in parts if part.items}
    left_out = ["omitted"] if any(part.omitted for part in parts) else []
    assert [child.tag for child in root] == [*by_kind, *left_out]
    for kind in ("role", "overrides", "guidance", "search"):
        items = by_kind.get(kind, PromptPart(kind)).items
        wanted = [visible_lines(str(item.data["text"])) for item in items]
        assert texts(root, f"{kind}/item") == wanted
    rules = by_kind.get("rules", PromptPart("rules")).items
    assert texts(root, "rules/tool/rule") == [visible(i.data["rule"]) for i in rules]
    priorities = [e.get("priority") for e in root.findall("rules/tool/rule")]
    assert priorities == [item.data["priority"] for item in rules]
    groups = list(dict.fromkeys(item.group for item in rules))
    assert len(root.findall("rules/tool")) == len(groups)
    facts = by_kind.get("facts", PromptPart("facts")).items
    assert texts(root, "facts/fact") == [visible(item.data["value"]) for item in facts]
    assert [
        (element.get("namespace"), element.get("key"))
        for element in root.findall("facts/fact")
    ] == [(visible(i.data["namespace"]), visible(i.data["key"])) for i in facts]
    memories = by_kind.get("memories", PromptPart("memories")).items
    assert [
        (element.get("title"), element.get("contested"), element.text or "")
        for element in root.findall("memories/memory")
    ] == [
        (
            visible(item.data["title"]),
            "true" if item.data["contested"] else None,
            visible_lines(item.data["text"]),
        )
        for item in memories
    ]


@examples(200)
@given(TEXTS)
@example("</rule></tool></rules></toolmem>")
@example("]]>")
@example("&amp;")
@example("\ufffe\uffff\ud800")
@example("\0\x1b\x85\u2028")
def test_any_rule_is_one_element_on_one_line(text):
    block = render_xml(parts_of(rules=[rule(text, n=1), rule("after", n=2)]))
    root = ElementTree.fromstring(block)
    assert texts(root, "rules/tool/rule") == [visible(text), "after"]
    lines = [line for line in block.split("\n") if line.startswith("<rule ")]
    assert len(lines) == 2
    assert len(block.splitlines()) == block.count("\n")


def test_the_parts_come_in_the_order_of_the_markdown():
    parts = parts_of(
        role=[ScopedText("You test.", SYSTEM, "profile.md")],
        rules=[rule("all", "_any"), rule("a < b & c", "email", n=2)],
        facts=[Fact('k"', "v", "project", SYSTEM, "facts.md", 1)],
        guidance=[ScopedText("# One\n\nTwo", SYSTEM, "a.md")],
    )
    assert render_xml(parts) == (
        "<toolmem>\n"
        "<role>\n<item>You test.</item>\n</role>\n"
        f"<rules>\n<about>{RULES_LEAD}</about>\n"
        '<tool name="every tool">\n<rule priority="critical">all</rule>\n</tool>\n'
        '<tool name="email">\n'
        '<rule priority="critical">a &lt; b &amp; c</rule>\n</tool>\n</rules>\n'
        '<facts>\n<fact namespace="project" key="k&quot;">v</fact>\n</facts>\n'
        "<guidance>\n<item># One\n\nTwo</item>\n</guidance>\n"
        f"<search>\n<item>{SEARCH}</item>\n</search>\n"
        "</toolmem>\n"
    )


def test_nothing_is_nothing():
    assert render_xml(parts_of()[:-1]) == ""
