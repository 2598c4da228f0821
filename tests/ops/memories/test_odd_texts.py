"""Texts as other programs write them: a byte order mark, lines that end with CR LF."""

import json

import pytest

from tests.world import World


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def save(vault: World, text: str) -> dict[str, str]:
    done = vault.call("memory", "save", "-", "--json", stdin=text)
    assert done.code == 0, done
    document: dict[str, str] = json.loads(done.stdout)
    return document


def test_a_byte_order_mark_on_standard_input_is_no_text(vault):
    path = save(vault, "\ufeff# Pump\n\nThe pump needs oil.\n")["path"]
    assert "\ufeff" not in vault.read(path)
    assert vault.read(path).endswith("# Pump\n\nThe pump needs oil.\n")
    done = vault.call("memory", "save", "-", stdin="\ufeff")
    assert (done.code, done.stdout) == (2, "")
    call = '\ufeff{"to": "x@example.org"}'
    assert vault.call("guard", "send_email", "--input", "-", stdin=call).code == 0


@pytest.mark.parametrize("title", ["# Pump\n\n", ""])
def test_a_memory_with_crlf_has_one_title_after_a_merge(vault, title):
    first = f"{title}The pump needs oil every week.\n"
    path = save(vault, first)["path"]
    vault.write(path, vault.read(path).replace("\n", "\r\n"))
    more = f"{title}The pump needs oil every week. It is in room 12, at the door.\n"
    assert save(vault, more)["action"] == "merged"
    lines = vault.read(path).replace("\r\n", "\n").split("\n")
    assert len([line for line in lines if line.startswith("# ")]) == 1
    assert len([line for line in lines if "needs oil" in line]) == 1 + (not title)


LABELS = (
    "Private: x",
    "private: true",
    "- Private: no",
    "**Private:** a: b",
    "“Private”:",
)
PLACES = (
    "{}\nThe pump needs oil.\n",
    "# Pump\n\n{}\n",
    "The pump needs oil.\n\n{}\n\nIt is in room 12.\n",
    "topic: pumps\n{}\nThe pump needs oil.\n",
    "The pump needs oil.\n{}\n---\nIt is in room 12.\n",
)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("label", LABELS)
def test_a_line_private_in_a_text_is_text(vault, label, place):
    text = place.format(label)
    saved = vault.call("memory", "save", "-", "--json", stdin=text)
    assert saved.code == 0
    assert "is text: --private keeps a memory private" in saved.stderr
    document = json.loads(saved.stdout)
    assert vault.read(document["path"]).endswith(text)
    shown = vault.call("memory", "show", document["id"], "--full")
    assert (shown.code, text in shown.stdout) == (0, True)
    assert document["path"] in vault.call("search", "private pump").stdout
    assert save(vault, text)["action"] == "deduplicated"
    assert vault.call("check").code == 0


def test_a_line_private_in_a_private_memory_is_no_remark(vault):
    saved = vault.call("memory", "save", "Private: x is y.", "--private")
    assert (saved.code, saved.stderr) == (0, "")
