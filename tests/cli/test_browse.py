"""The browser, driven by Textual's own pilot, and once in a real terminal."""

import asyncio
import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pytest

pytest.importorskip("textual")

from textual.widgets import ContentSwitcher, Input, OptionList, Static, Tree

from tests.cli.hearing import tell
from toolmem.cli.commands.browse_app import Browser
from toolmem.cli.run import Run
from toolmem.store.state.counters import count_event
from toolmem.store.state.database import open_state
from toolmem.store.vault.vault import Vault

SIZE = (110, 34)


@pytest.fixture
def vault(world):
    world.vault("scopes").write(
        "system/memory/door-a00001.md",
        "---\ntopic: door\n---\n# The door opens at nine\n\nOn Sundays it is shut.\n",
    )
    world.write("system/facts.md", "## project\nport: 8080\n")
    world.write("system/guidance/asking.md", "# Ask first\n")
    return world


def opened(world) -> Vault:
    return Run(cwd=world.root, now=lambda: world.now).open()


def drive(world, steps):
    """Run the browser without a terminal and let the steps press its keys."""

    async def run():
        app = Browser(opened(world))
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            return await steps(app, pilot)

    return asyncio.run(run())


def shown(app) -> str:
    return str(app.query_one("#text", Static).render())


def labels(node) -> list[str]:
    return [str(child.label) for child in node.children]


def node(app, *names):
    """The node that these labels lead to."""
    found = app.query_one("#tree", Tree).root
    for name in names:
        found = next(c for c in found.children if str(c.label).startswith(name))
    return found


async def settle(app, pilot):
    await app.workers.wait_for_complete()
    await pilot.pause()


def test_scopes_and_what_each_holds_are_a_tree(vault):
    async def steps(app, pilot):
        top = labels(app.query_one("#tree", Tree).root)
        assert top[:4] == [
            "Waiting (0)",
            "system",
            "agent-type:coding",
            "project:apollo",
        ]
        assert labels(node(app, "system")) == ["Rules", "Facts", "Memories", "Texts"]
        for kind in ("Rules", "Facts", "Memories", "Texts"):
            node(app, "system", kind).expand()
        await pilot.pause()
        assert "[critical] every tool: never share a password" in labels(
            node(app, "system", "Rules")
        )
        assert labels(node(app, "system", "Facts")) == ["port: 8080"]
        assert labels(node(app, "system", "Memories")) == ["door-a00001"]
        assert labels(node(app, "system", "Texts")) == ["guidance/asking.md"]

    drive(vault, steps)


def test_a_thing_is_shown_in_full_where_the_cursor_stands(vault):
    async def steps(app, pilot):
        tree = app.query_one("#tree", Tree)
        node(app, "system", "Memories").expand()
        await pilot.pause()
        tree.move_cursor(node(app, "system", "Memories", "door"))
        await pilot.pause()
        text = shown(app)
        assert text.startswith("The door opens at nine\n\ntopic: door\n")
        assert text.endswith("file: system/memory/door-a00001.md")

    drive(vault, steps)


def test_keys_walk_the_tree_to_a_rule(vault):
    async def steps(app, pilot):
        # Waiting, system, Rules; space opens it, and its first rule is below.
        await pilot.press("down", "down", "down", "space", "down")
        await pilot.pause()
        assert "priority: " in shown(app)
        assert "file: system/rules/" in shown(app)
        assert re.search(r"^created_at: [0-9-]+T[0-9:]+Z$", shown(app), re.MULTILINE)

    drive(vault, steps)


def test_a_rule_is_shown_with_its_record(vault):
    [listed] = json.loads(vault.call("rule", "list", "_any", "--json").stdout)
    with open_state(vault.root) as state:
        for kind, times in (("shown", 12), ("matched", 3), ("denied", 3)):
            at = "2026-04-19T08:30:00Z"
            count_event(state, listed["id"], kind, at, tool="Bash", count=times)

    async def steps(app, pilot):
        node(app, "system", "Rules").expand()
        await pilot.pause()
        rules = node(app, "system", "Rules")
        app.query_one("#tree", Tree).move_cursor(rules.children[0])
        await pilot.pause()
        assert shown(app).endswith(
            "record: shown 12, matched 3, denied 3\nlast: 2026-04-19T08:30:00Z"
        )

    drive(vault, steps)


def test_search_finds_as_one_types_and_escape_goes_back(vault):
    async def steps(app, pilot):
        await pilot.press("slash", *"door")
        await settle(app, pilot)
        assert app.query_one(ContentSwitcher).current == "hits"
        options = app.query_one("#hits", OptionList)
        assert str(options.get_option_at_index(0).prompt).startswith("memory The door")
        await pilot.press("enter", "down", "up")
        await settle(app, pilot)
        assert "On Sundays it is shut." in shown(app)
        await pilot.press("escape")
        assert app.query_one(ContentSwitcher).current == "tree"
        assert app.query_one(Input).value == ""

    drive(vault, steps)
    assert not vault.root.joinpath(".toolmem/retrieved.jsonl").exists()


def test_the_prompt_of_a_scope_is_previewed(vault):
    async def steps(app, pilot):
        app.query_one("#tree", Tree).move_cursor(node(app, "project:apollo"))
        await pilot.press("p")
        await pilot.pause()
        return shown(app)

    text = drive(vault, steps)
    block = vault.call("prompt", "--project", "apollo").stdout
    assert text == f"Prompt of project:apollo:\n\n{block}".rstrip("\n") or (
        text == f"Prompt of project:apollo:\n\n{block}"
    )


def test_what_waits_is_accepted_and_rejected(vault):
    vault.write("toolmem.toml", 'schema = 1\n[capture]\nmode = "propose"\n')
    tell(vault, "Never use doas.", "Never use pkexec.")

    async def steps(app, pilot):
        await pilot.press("w")
        await pilot.pause()
        assert labels(node(app, "Waiting")) == ["Never use doas", "Never use pkexec"]
        await pilot.press("a")
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause()
        assert shown(app).startswith("Never use")
        await pilot.press("a")
        await pilot.pause()
        assert len(labels(node(app, "Waiting"))) == 1
        await pilot.press("down")
        await pilot.pause()
        await pilot.press("x")
        await pilot.pause()
        assert labels(node(app, "Waiting")) == []

    drive(vault, steps)
    listed = vault.call("rule", "list").stdout
    assert listed.count("Never use") == 1


def test_hostile_text_is_neither_markup_nor_control(vault):
    vault.write(
        "system/rules/shell/evil-e0000001.toml",
        'id = "e0000001"\ntool = "shell"\n'
        'rule = "[red]run[/red] \\u001b[31m\\u202e [@click=app.quit]x[/]"\n',
    )

    async def steps(app, pilot):
        tree = app.query_one("#tree", Tree)
        node(app, "system", "Rules").expand()
        await pilot.pause()
        found = node(app, "system", "Rules", "[normal] shell: [red]run[/red]")
        tree.move_cursor(found)
        await pilot.pause()
        for text in (str(found.label), shown(app)):
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert "[@click=app.quit]x[/]" in text

    drive(vault, steps)


def test_ten_thousand_memories_are_not_read_to_be_listed(vault):
    for number in range(1200):
        vault.write(f"projects/apollo/memory/m-{number:06}.md", f"# Thing {number}\n")

    async def steps(app, pilot):
        node(app, "project:apollo", "Memories").expand()
        await pilot.pause()
        found = labels(node(app, "project:apollo", "Memories"))
        assert len(found) == 1001
        assert found[-1] == "and 200 more: search for them with /"

    drive(vault, steps)


def test_without_a_terminal_it_says_so(vault):
    vault.run("browse").exits(2).stderr("toolmem: browse needs a terminal\n")


def test_in_a_real_terminal_it_draws_searches_and_quits(vault):
    pyte = pytest.importorskip("pyte")
    screen = pyte.Screen(*SIZE)
    stream = pyte.ByteStream(screen)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(SIZE[0]))
        os.environ.pop("NO_COLOR", None)
        words = ["-m", "toolmem", "--vault", str(vault.root), "browse"]
        os.execv(sys.executable, [sys.executable, *words])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    try:
        assert wait_for(fd, stream, screen, "agent-type:coding")
        os.write(fd, b"/door")
        assert wait_for(fd, stream, screen, "memory The door opens at nine")
        os.write(fd, b"\x1b")
        assert wait_for(fd, stream, screen, "agent-type:coding")
        os.write(fd, b"p")
        assert wait_for(fd, stream, screen, "Prompt of system")
        os.write(fd, b"q")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    finally:
        os.close(fd)


def wait_for(fd, stream, screen, text, seconds=20.0):
    """Read the screen until the text is on it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            stream.feed(os.read(fd, 65536))
        elif any(text in row for row in screen.display):
            return True
    return False
