"""Texts that try to leave their place in a block, and what a block is made of."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from toolmem.core.model import Fact, Priority, Rule, Source
from toolmem.core.names import is_tool_name
from toolmem.core.prompt.build import (
    ScopedText,
    TopicMemory,
    facts_part,
    memories_part,
    rules_part,
    text_part,
)
from toolmem.core.prompt.parts import PromptItem, PromptPart
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.scope import chain_for
from toolmem.core.tools.manifest import Manifest, ToolNames

CHAIN = chain_for("p", "t", "a")
PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## Role",
            "### `x`",
            "- ",
            "* ",
            "+ ",
            "1. ",
            "10) ",
            "> ",
            ">",
            "    ",
        ),
        *("```", "~~~", "````", "`", "===", "---", "-", "=", "***", "| a |", "|---|"),
        *(
            "[critical]",
            "[critical",
            "]: /u",
            "[a]: http://e",
            "[",
            "]",
            "(u)",
            "![",
            ":",
        ),
        *(
            "<b>",
            "</toolmem>",
            "<!--",
            "-->",
            "<?x",
            "<![CDATA[",
            "]]>",
            "&lt;",
            "&",
            '"',
        ),
        *(
            "\n",
            "\n\n",
            "\r",
            "\r\n",
            "\t",
            "\v",
            "\f",
            "\x85",
            "\u2028",
            "\x1b[2J",
            "\0",
        ),
        *(
            "\u202e",
            "\u200b",
            "\ufeff",
            "\U000e0041",
            "\uffff",
            "\ufe0f",
            "❤️",
            "é",
            "中",
        ),
        *("**", "\\", "a", "never push", " ", "  ", "**[critical]** x", "http://e.org"),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=10).map("".join), st.text(max_size=30))
"""Any text at all, most of it built to break out."""
NAMES = TEXTS.map(str.strip).filter(is_tool_name)
SCOPES = st.sampled_from(CHAIN)
RULES = st.lists(
    st.builds(
        lambda n, tool, text, priority, scope, day: Rule(
            id=f"id-{n}",
            tool=tool,
            rule=text,
            priority=priority,
            source=Source.USER_EXPLICIT,
            tags=(),
            created_at=datetime(2026, 4, day, tzinfo=UTC),
            updated_at=datetime(2026, 4, day, tzinfo=UTC),
            scope=scope,
            path=f"rules/{n}.toml",
        ),
        st.integers(0, 10**6),
        st.one_of(st.sampled_from(["_any", "shell", "Shell", "email"]), NAMES),
        TEXTS,
        st.sampled_from(Priority),
        SCOPES,
        st.integers(1, 28),
    ),
    max_size=6,
    unique_by=lambda rule: rule.id,
)
FACTS = st.lists(
    st.builds(
        lambda key, value, space, scope, n: Fact(
            key, value, space, scope, "facts.md", n
        ),
        TEXTS.map(lambda text: "".join(text.split()).replace(":", "") or "key"),
        TEXTS,
        st.one_of(st.just("project"), TEXTS),
        SCOPES,
        st.integers(1, 99),
    ),
    max_size=4,
    unique_by=lambda fact: (fact.namespace, fact.key),
)
BODIES = st.lists(
    st.builds(ScopedText, TEXTS, SCOPES, st.sampled_from(["a.md", "b`.md"])), max_size=3
)
MEMORIES = st.lists(
    st.builds(
        lambda n, title, text, scope, contested: TopicMemory(
            f"m-{n}", title, text, "topic", scope, f"{n}.md", contested
        ),
        st.integers(0, 99),
        TEXTS.map(lambda text: " ".join(text.split()) or "title"),
        TEXTS,
        SCOPES,
        st.booleans(),
    ),
    max_size=2,
    unique_by=lambda memory: memory.id,
)
TOOLS = ToolNames([Manifest("Send_Email", ("email",), "tools/x.toml", {})])
BROKEN = st.lists(
    st.builds(
        UnreadableRule, st.sampled_from(["shell", "_any", "x`y"]), SCOPES, TEXTS, TEXTS
    ),
    max_size=2,
)
SEARCH = "Search what else is known: `toolmem recall`."


def parts_of(
    role=(), overrides=(), rules=(), facts=(), guidance=(), memories=(), broken=()
) -> tuple[PromptPart, ...]:
    """The parts of a block, in order of print."""
    return (
        text_part("role", role),
        text_part("overrides", overrides),
        rules_part(
            list(rules), list(broken), lambda r: TOOLS.key(r.tool), TOOLS.spelling
        ),
        facts_part(facts, 200),
        text_part("guidance", guidance),
        memories_part(memories),
        PromptPart("search", (PromptItem(SEARCH, "search", data={"text": SEARCH}),)),
    )


PARTS = st.builds(parts_of, BODIES, BODIES, RULES, FACTS, BODIES, MEMORIES, BROKEN)
