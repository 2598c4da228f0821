"""Files and folders that commands open in a vault of many projects."""

import pytest

from tests.opened import opened_files
from tests.world import World
from toolmem.store.guards import rule_cache, stamp
from toolmem.store.guards.guard_file import name_of


def write_projects(world: World, count: int) -> None:
    for number in range(count):
        world.write(
            f"projects/p{number}/rules/shell/never-{number:08x}.toml",
            f'id = "{number:08x}"\ntool = "shell"\nrule = "never do {number}"\n',
        )


@pytest.mark.parametrize(
    "words", [("report", "-o", "report.html"), ("search", "never")]
)
def test_the_cache_of_rules_is_opened_as_often_for_any_number_of_projects(
    world, monkeypatch, words
):
    monkeypatch.setattr(rule_cache, "_LEAST_FILES", 5)
    monkeypatch.setattr(stamp, "_RACY_NS", 0)
    world.vault("empty")
    counts = []
    for last in (10, 30):
        write_projects(world, last)
        world.settle()
        assert world.call("rule", "list").code == 0
        with opened_files("") as opened:
            assert world.call(*words).code == 0
        counts.append(opened.count(name_of(world.root)))
    assert counts[0] == counts[1] > 0


def test_a_report_opens_a_few_files_for_each_project(world, monkeypatch):
    monkeypatch.setattr(rule_cache, "_LEAST_FILES", 5)
    monkeypatch.setattr(stamp, "_RACY_NS", 0)
    world.vault("empty")
    counts = []
    for last in (100, 120, 140):  # more than stay open
        write_projects(world, last)
        for number in range(last):
            world.write(f"projects/p{number}/memory/note-{number:06}.md", "# A note\n")
        world.settle()
        assert world.call("rule", "list").code == 0
        with opened_files("") as opened:
            assert world.call("report", "-o", "report.html").code == 0
        counts.append(len(opened))
    assert counts[2] - counts[1] == counts[1] - counts[0]
    # Its folder and that of its memories twice each, for what is listed first and read
    # later; its folder for its rules, and these; the memory; and one to spare.
    assert (counts[1] - counts[0]) / 20 <= 8
