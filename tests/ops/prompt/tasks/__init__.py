"""Vaults with topics, tasks that name none of them, and memories to save."""

from pathlib import Path
from typing import NamedTuple

from tests.world import World

FOLDER = Path(__file__).parent
SCOPE = "projects/shop"


class TopicTasks(NamedTuple):
    """``memories`` are (topic, title, text); ``tasks`` and ``saves`` (topic, text).

    The topic of a task that is about none is empty.
    """

    memories: tuple[tuple[str, str, str], ...]
    tasks: tuple[tuple[str, str], ...]
    saves: tuple[tuple[str, str], ...]


def read(name: str) -> TopicTasks:
    """The vault and tasks of a file."""
    sections: dict[str, list[list[str]]] = {}
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            lines.append(line.split(" | "))
    return TopicTasks(
        tuple((topic, title, body) for topic, title, body in sections["memories"]),
        tuple((topic.strip("-"), task) for topic, task in sections["tasks"]),
        tuple((topic, body) for topic, body in sections["saves"]),
    )


def write_memories(world: World, tasks: TopicTasks) -> None:
    """Write the memories into a project of the vault."""
    for number, (topic, title, body) in enumerate(tasks.memories):
        header = f"---\ntopic: {topic}\ncreated: 2026-03-{number % 28 + 1:02}\n---\n"
        path = f"{SCOPE}/memory/{topic}/m{number:02}.md"
        world.write(path, f"{header}# {title}\n\n{body}\n")
