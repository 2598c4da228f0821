"""How tools are named, and when a text says a name."""

import pytest

from toolmem.core.capture.naming import parts_of, server_of
from toolmem.core.capture.tools import ToolWords, choose_tools

MAIL = ToolWords("send_email", ("mailer", "post office"), ("correspond",))


@pytest.mark.parametrize(
    ("name", "parts", "server"),
    [
        ("send_email", ("send", "email"), ()),
        ("sendEmail", ("send", "email"), ()),
        ("HTTPRequest", ("http", "request"), ()),
        ("mcp__github__create_issue", ("create", "issue"), ("github",)),
        ("mcp__my-jira__get", ("get",), ("my", "jira")),
        ("", (), ()),
    ],
)
def test_a_name_falls_into_words(name, parts, server):
    assert (parts_of(name), server_of(name)) == (parts, server)


@pytest.mark.parametrize(
    "text",
    [
        "Never use the mailer",
        "Never use mailers",
        "Never bother the post office",
        "Never correspond with Bob",
        "Never call send_email",
        "Never send any emails",
        "Stop emailing Sarah",
        "No e-mails after six",
    ],
)
def test_names_aliases_and_verbs_of_a_manifest_mean_its_tool(text):
    assert choose_tools(text, [MAIL, ToolWords("shell")], ()) == ("send_email",)


def test_an_alias_of_a_called_tool_gives_the_manifests_name():
    tools = [ToolWords("send_email", ("mail_v2",))]
    assert choose_tools("never do that again", tools, ("mail_v2",)) == ("send_email",)


def test_a_called_tool_counts_though_nobody_declared_it():
    assert choose_tools("never email Sarah", (), ("gmail_send",)) == ("gmail_send",)


def test_what_was_called_does_not_decide_where_the_text_does():
    tools = [ToolWords("send_email"), ToolWords("calendar")]
    assert choose_tools("never email Sarah", tools, ("calendar",)) == ("send_email",)


def test_several_calls_leave_it_open_what_a_pronoun_means():
    assert choose_tools("never do that", (), ("shell", "calendar")) == ()


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("Never scribble in the spreadsheet", ("sheets_update",)),
        ("Never use Write for this", ("Write",)),
        ("Avoid the Write tool", ("Write",)),
        ("Never call `Write`", ("Write",)),
        ("Never read my mail", ("Read",)),
    ],
)
def test_an_everyday_word_is_a_name_only_where_it_is_written_as_one(text, chosen):
    tools = [ToolWords(name) for name in ("Write", "sheets_update", "Read")]
    assert choose_tools(text, tools, ()) == chosen


def test_a_short_name_that_two_servers_have_means_both():
    tools = [ToolWords("mcp__a__create_issue"), ToolWords("mcp__b__create_issue")]
    chosen = choose_tools("never call create_issue for mere questions", tools, ())
    assert chosen == ("mcp__a__create_issue", "mcp__b__create_issue")


def test_a_server_that_is_named_leaves_only_its_tools():
    tools = [ToolWords("mcp__github__create_issue"), ToolWords("mcp__b__create_issue")]
    chosen = choose_tools("never create issues on GitHub", tools, ())
    assert chosen == ("mcp__github__create_issue",)


def test_a_quotation_names_a_tool_when_nothing_else_does():
    tools = [ToolWords("deploy"), ToolWords("run_sql")]
    text = 'Like Lee says, "never deploy at night", and that is what I want'
    assert choose_tools(text, tools, ()) == ("deploy",)
