"""Instructions for agents: what becomes a rule, and that nothing is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.imports.document import read_document
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.limits import RULE_CHARS

BOX = Toolbox(
    (
        ToolWords("shell", ("bash", "terminal")),
        ToolWords("send_email", ("email", "mail")),
        ToolWords("edit"),
    ),
    "shell",
)


def rules(text, box=BOX):
    return [(r.polarity, r.tools, r.text) for r in read_document(text, "x", box).rules]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- **Never** run `git push --force`.", ("ban", "shell")),
        ("Don't commit `.env` files.", ("ban", "shell")),
        ("> [!CAUTION]\n> Never use `sudo`.", ("ban", "shell")),
        ("<rules>\nNever use `sudo`.\n</rules>", ("ban", "shell")),
        ("## Never\n\n- use `sudo`\n", ("ban", "shell")),
        ("## Rules\n\n- Do not run `make deploy`\n", ("ban", "shell")),
        ("Always use pnpm, not npm.", ("demand", "shell")),
        ("Never email Sarah at sarah@example.com.", ("ban", "send_email")),
        ("Do not edit files under `generated/`.", ("ban", "edit")),
        ("Never touch vendor/ by hand.", ("ban", "edit")),
        ("Never call the `edit` tool on generated files.", ("ban", "edit")),
    ],
)
def test_a_sentence_about_a_tool_is_a_rule(text, found):
    [(polarity, tools, _)] = rules(text)
    assert (polarity, tools[0]) == found


@pytest.mark.parametrize(
    "text",
    [
        "Always use async and await.",
        "Never use `any` in TypeScript.",
        "Always validate the email field.",
        "Implement background jobs for sending emails.",
        "Avoid fetching in a loop.",
        "Never mutate the state.",
        "```\nnever run `sudo rm`\n```",
        "You can use sudo again.",
        "Terraform is the tool that we use.",
        "Prefer committed assets to generated ones.",
        "Always install via pip:\n\n```\npip install a\npip install b\n```",
        "<!-- Never use `sudo` -->",
        "Don't change the `user.name` field.",
        "Do not put tests in src/.",
        "Never edit generated code.",
        "- **[critical]** never use `sudo`",
    ],
)
def test_what_is_about_code_or_nobody_said_is_none(text):
    assert rules(text) == []


def test_without_a_shell_a_command_is_a_rule_of_its_program():
    assert rules("Never run `git push -f`.", Toolbox())[0][1] == ("git",)


def test_lines_that_are_only_rules_are_taken_out_and_the_rest_stays():
    content = read_document(
        "# T\n\nA shop.\n\n## Git\n\n- Never run `git push -f`.\n\n## Style\n\n"
        "Small. Never use `sudo`. Kind.\n",
        "x",
        BOX,
    )
    assert [rule.line for rule in content.rules] == [7, 11]
    [text] = content.texts
    assert (text.title, text.always) == ("T", True)
    assert text.body == "A shop.\n\n## Style\n\nSmall. Never use `sudo`. Kind."


def test_a_long_file_falls_into_its_sections():
    body = "Words about it that go on. " * 40
    text = f"# T\n\n{body}\n\n## One\n\n{body}\n\n## Two\n\n### In\n\n{body}\n"
    content = read_document(text, "x", BOX)
    found = [(t.title, t.place, t.line, t.always) for t in content.texts]
    assert found == [
        ("T", "T", 1, False),
        ("One", "T / One", 5, False),
        ("Two", "T / Two", 9, False),
    ]


def test_globs_say_the_topic_and_are_kept():
    content = read_document("---\nglobs: src/api/**/*.ts\n---\nBe kind.\n", "x", BOX)
    [text] = content.texts
    assert (text.topic, text.always) == ("src/api", False)
    assert text.fields == {"paths": ["src/api/**/*.ts"]}


def test_other_files_that_are_read_in_its_place_are_told():
    text = "@AGENTS.md\n\n```\n@not.this\n```\n\n- @docs/a.md\n"
    notes = read_document(text, "x", BOX, "claude").notes
    assert [note.line for note in notes] == [1, 7]
    assert read_document(text, "x", BOX, "cursor").notes == ()


def test_a_heading_that_says_when_stays_with_the_rule():
    text = "## In CI\n\n- Never run `npm install`.\n\n## Git\n\n- Never use `sudo`.\n"
    assert [said for _, _, said in rules(text)] == [
        "In CI: Never run `npm install`",
        'In "Git": Never use `sudo`',
    ]


WORDS = st.sampled_from(
    "never always don't run use `sudo` `git push -f` commit email . : \n \n\n # ## - >"
    " ``` ~~~ ** <x> </x> --- <!-- --> é \u200b toolmem:begin".split(" ")
)


@examples(150)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join)))
def test_any_text_is_read(text):
    content = read_document(text, "name", BOX, "claude")
    assert all(0 < len(rule.text) <= RULE_CHARS for rule in content.rules)
    lines = text.count("\n") + 1
    assert all(1 <= rule.line <= lines for rule in content.rules)
    assert all(1 <= one.line <= lines for one in content.texts)


SENTENCES = st.sampled_from(
    [
        "Never run `git push -f`.",
        "Always use pnpm.",
        "Alpha beta gamma.",
        "Don't commit `.env` files, please",
        "**Never** use `sudo`!",
        "Delta, never run `make deploy`, epsilon.",
        "```\nzeta `rm -rf`\n```",
        "| eta | theta |",
    ]
)
LINES = st.tuples(st.sampled_from(["", "- ", "  - ", "> ", "1. "]), SENTENCES)


@examples(100)
@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\n\n", " "]))
def test_every_word_is_in_a_rule_or_in_a_text(lines, gap):
    text = gap.join(mark + sentence for mark, sentence in lines)
    content = read_document(text, "name", BOX)
    kept = [f"{rule.text} {rule.sentence}" for rule in content.rules]
    kept += [f"{one.title} {one.body}" for one in content.texts]
    words = set(re.findall(r"[a-zA-Z]+", text))
    assert words <= set(re.findall(r"[a-zA-Z]+", " ".join(kept)))
