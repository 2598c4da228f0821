"""A session that goes on in another project is given what differs there."""

from tests.hooks.players import Claude
from tests.world import World
from toolmem.core.prompt.since import SINCE_TITLE


def test_a_session_resumed_in_another_project_is_given_its_block(tmp_path):
    world = World(tmp_path).write("toolmem.toml", "schema = 1\n")
    for name in ("a", "b"):
        world.write(f"{name}/.toolmem.toml", f'vault = ".."\nproject = "{name}"\n')
        world.write(f"projects/{name}/facts.md", f"- test_command: pytest-{name}\n")
    text = "never restart the b cluster by hand"
    world.call("rule", "add", "shell", text, "-p", "critical", "--project", "b")
    first = Claude(world.root / "a").start().context
    assert "pytest-a" in first
    elsewhere = Claude(world.root / "b")
    given = elsewhere.start("resume").context
    assert given.startswith(SINCE_TITLE)
    assert f"added for `shell`: **[critical]** {text}" in given
    assert "- changed fact: test_command: pytest-b" in given
    assert elsewhere.start("resume").context == ""
