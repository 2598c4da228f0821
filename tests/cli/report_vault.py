"""A vault after ten weeks of a team's work, for the report to show."""

from datetime import timedelta

from tests.world import World
from toolmem.core.times import rfc3339
from toolmem.core.turns.statistics import ToolStatistics
from toolmem.store.state.candidates import DROPPED, KEPT, OPEN, note_outcome
from toolmem.store.state.counters import count_calls, count_event
from toolmem.store.state.database import open_state

_RULES = (
    ("Bash", "never push to main with --force", "critical", 34, 9, 0),
    ("Bash", "use `uv run pytest -q`, not bare pytest", "high", 41, 0, 0),
    (
        "Bash",
        "ask before you delete a folder that git does not track",
        "high",
        38,
        1,
        5,
    ),
    ("send_email", "never email Sarah at sarah@example.com", "critical", 52, 4, 0),
    (
        "send_email",
        "double-check the recipient when it is a customer",
        "high",
        40,
        0,
        0,
    ),
    (
        "_any",
        "never write a credential into a file of the repository",
        "critical",
        9,
        1,
        2,
    ),
    ("deploy", "deploy on Mondays and Tuesdays only", "normal", 0, 0, 0),
)
_TITLES = (
    "OAuth tokens expire after an hour",
    "The staging database is reset every night",
    "Customers in Basel need invoices in francs",
    "Retry uploads with --retries 3",
    "Release notes are written by the release manager",
)


def report_vault(world: World) -> World:
    """Make the vault in a world: rules, memories, commits and local state."""
    world.vault("empty").write(".gitignore", "/.toolmem/\n")
    ids = []
    for week, (tool, rule, priority, *_) in enumerate(_RULES):
        ids.append(_rule(world, week, tool, rule, priority))
        name = f"memory/note-{week:06d}.md"
        title = _TITLES[week % len(_TITLES)]
        scope = ("system", "projects/apollo", "agent-types/coding")[week % 3]
        day = world.now.date()
        world.write(
            f"{scope}/{name}", f"---\ncreated: {day}\n---\n# {title}\n\nMore on it.\n"
        )
        if week % 2:
            world.write(f"system/memory/more-{week:06d}.md", f"# More on week {week}\n")
        world.write("projects/apollo/facts.md", f"## project\nweeks: {week}\n")
        world.commit(f"week {week}: a rule for {tool}")
        world.clock(days=9)
    world.clock(days=60)
    _local_state(world, ids)
    return world


def _rule(world: World, week: int, tool: str, rule: str, priority: str) -> str:
    scope = "projects/apollo" if week % 3 == 1 else "system"
    rule_id = f"{week}a1b2c3d-0000-4000-8000-000000000000"
    world.write(
        f"{scope}/rules/{tool.lower()}/rule-{week}.toml",
        f'id = "{rule_id}"\ntool = "{tool}"\nrule = "{rule}"\npriority = "{priority}"\n'
        f'source = "user_explicit"\ncreated_at = {rfc3339(world.now)}\n',
    )
    return rule_id


def _local_state(world: World, ids: list[str]) -> None:
    with open_state(world.root) as state:
        for rule_id, (tool, _, _, shown, denied, asked) in zip(
            ids, _RULES, strict=True
        ):
            for kind, times in (("shown", shown), ("denied", denied), ("asked", asked)):
                for n in range(times):
                    at = rfc3339(world.now - timedelta(days=(n * 7) % 25, hours=n % 5))
                    count_event(state, rule_id, kind, at, tool=tool)
            for n in range(denied + asked):
                at = rfc3339(world.now - timedelta(days=(n * 7) % 25))
                count_event(state, rule_id, "matched", at, tool=tool)
        outcomes = [
            ("sure", KEPT, ids[0]),
            ("sure", KEPT, "gone"),
            ("quoted", KEPT, ids[3]),
        ]
        outcomes += [
            ("candidate", fate, ids[1]) for fate in (KEPT, DROPPED, DROPPED, OPEN)
        ]
        for n, (tier, outcome, rule_id) in enumerate(outcomes):
            note_outcome(state, f"d{n}", tier, outcome, [rule_id], world.now)
        errors = {
            "Bash": [("not_found", "bash: line 1: pyest: command not found")],
            "deploy": [("timeout", "timed out after 120 s"), ("error", "exit code 3")],
        }
        for turn in range(6):
            tools = [
                ToolStatistics(tool, 9, 8, 1, 9, 4_000, tuple(found[: 1 + turn % 2]))
                for tool, found in errors.items()
            ]
            count_calls(state, "s-1", turn, tools, world.now)
        for n in range(3):
            state.execute(
                "INSERT INTO retrievals VALUES (?, ?, ?)",
                (f"note-{n:06d}", 12 - 4 * n, rfc3339(world.now)),
            )
        since = rfc3339(world.now - timedelta(days=110))
        state.execute("INSERT INTO notes VALUES ('counting', ?)", (since,))
