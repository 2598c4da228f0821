"""Names under which rules for a tool are found, whatever an agent calls it."""

import pytest

from toolmem.core.agents.registry import same_tools


@pytest.mark.parametrize(
    "name",
    [
        "mcp__mail__send_email",
        "mcp__plugin_x_mail__send_email",
        "mcp_mail_send_email",
        "mcp_my_mail_send_email",
        "mcp:send_email",
        "mail-send_email",
        "my-mail-send_email",
        "mail_send_email",
        "my_mail_send_email",
    ],
)
def test_a_tool_of_a_server_is_known_by_its_own_name(name):
    assert {name, "send_email"} <= same_tools(name)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("send_email", {"send_email"}),
        ("todo_write", {"todo_write"}),
        ("__send_email", {"__send_email"}),
        ("send_", {"send_"}),
        ("-", {"-"}),
        ("mail-send", {"mail-send", "send"}),
        ("mcp_mail_send", {"mcp_mail_send", "send"}),
    ],
)
def test_a_plain_name_is_not_taken_apart(name, names):
    assert same_tools(name) == names


def test_a_separator_that_repeats_costs_no_more_than_its_length():
    assert len(same_tools("a_" * 2000)) < 2100
