"""A team's first fortnight: two clones learn, disagree and agree, and the pull request
that comes of it is short, without conflicts and passes the workflow's checks."""

import json
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from tests.client import client
from tests.hooks.players import Claude
from tests.program import environment_with_toolmem
from tests.world import Done, World

WORKFLOW = ".github/workflows/toolmem.yml"
MOST_LINES = 120
DAYS = 10
CHAIN = ("--project", "shop")
_CANDIDATE = re.compile(r"\bk[0-9a-f]{4,8}\b")
CHATTER = (
    "please add a test for the parser of prices",
    "why does the build take nine minutes?",
    "continue",
    "the last run failed, have a look at the log",
    "rename Basket to Cart everywhere in this module",
    "thanks, that works",
)
"""Messages of which nothing must be kept."""
TYPED = {
    "ada": {
        0: "Never push to main.",
        2: "From now on, use pnpm for every install.",
        6: "You may push to main again.",
    },
    "bob": {
        1: "Never push to main.",
        3: "Always run the linter before you commit.",
        7: "we should always squash before merging, not merge commits",
    },
}
"""What each types, by day; the last is a candidate that the agent keeps."""
KEPT = [
    "Always run the linter before you commit",
    "Use pnpm for every install",
    "never deploy during the sale",
    "we should always squash before merging, not merge commits",
]
"""Rules that the pull request adds, besides the observation of a failing tool."""
CLAUDE_MD = """# Shop

Never edit applied migrations.

## Layout

The server is in `api/`, the pages are in `web/`.
"""


class Member:
    """A user with a clone, whose agent works in it."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        world.now = datetime.now(UTC)  # the clock of the hooks
        world.git("config", "user.name", name)
        must(world, "git", "install")

    def work(self, day: int) -> None:
        """One session of an agent: chatter, an order, a tool that fails twice."""
        player = Claude(self.world.root, f"{self.name}-{day}")
        player.start()
        if day % 2:
            player.prompt(CHATTER[(day + len(self.name)) % len(CHATTER)])
        typed = TYPED[self.name].get(day)
        if typed:
            self._judge(player, player.prompt(typed).context)
        if day in (4, 5):
            for _ in range(2):
                player.failed("Bash", command="pytest -q")
        player.end()

    def _judge(self, player: Claude, context: str) -> None:
        if "toolmem rule keep" in context:
            for found in _CANDIDATE.findall(context)[:1]:
                command = f"toolmem rule keep {found} --tool Bash"
                assert player.before("Bash", command=command).verdict == "allow"

    def share(self) -> Done:
        """Commit and synchronise, as a user does in the evening."""
        commit = self.world.call("commit")
        assert commit.code in (0, 1), commit
        return self.world.call("sync", "--json")


@pytest.fixture
def team(tmp_path: Path) -> tuple[Member, Member]:
    """Two clones of a new vault with its workflow, and the branch they start from."""
    first = World(tmp_path / "first")
    first.root.mkdir()
    first.git("init", "--quiet", "--initial-branch", "main")
    must(first, "init", ".")
    must(first, "fact", "set", "port", "8080", "--scope", "project:shop")
    first.commit("a vault")
    remote = tmp_path / "remote.git"
    first.git("clone", "--quiet", "--bare", str(first.root), str(remote))
    members = []
    for name in TYPED:
        command = ["git", "clone", "--quiet", str(remote), str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
        members.append(Member(World(tmp_path / name), name))
    return members[0], members[1]


def must(world: World, *words: str) -> str:
    done = world.call(*words)
    assert done.code == 0, (words, done)
    return done.stdout


def learn(ada: World, bob: World, day: int) -> None:
    """What users and agents write by command, by day: some of it contradicts."""
    if day == 1:
        bob.write("../CLAUDE.md", CLAUDE_MD)
        must(bob, "import", "../CLAUDE.md", "--scope", "project:shop")
        must(ada, "memory", "save", "Prices are in cents, never in floats", *CHAIN)
    if day == 3:
        must(ada, "fact", "set", "port", "9090", *CHAIN)
        must(bob, "fact", "set", "port", "9091", *CHAIN)
        must(ada, "fact", "set", "node", "22", *CHAIN)
    if day == 5:
        freeze = ("never deploy during the sale", "-p", "high", "--expires", "2d")
        must(bob, "rule", "add", "deploy", *freeze)
        must(bob, "memory", "save", "The sale test needs the staging key", *CHAIN)
    if day == 8:
        [rule] = [one for one in rules(ada) if "pnpm" in one["rule"]]
        must(ada, "rule", "edit", rule["id"], "-p", "normal", "--tag", "web")
        must(bob, "rule", "edit", rule["id"], "-p", "critical", "--tag", "api")


def rules(world: World) -> list[dict[str, str]]:
    return list(json.loads(must(world, "rule", "list", "--json")))


def fortnight(ada: Member, bob: Member, shared: int) -> list[int]:
    """Play the days; how many conflicts each synchronisation reported.

    They synchronise on every ``shared``-th day.
    """
    conflicts = []
    for day in range(DAYS):
        learn(ada.world, bob.world, day)
        for member in (ada, bob):
            member.work(day)
            if day % shared == shared - 1:
                conflicts.append(settle(member))
            member.world.clock(days=1)
    settle(ada)
    settle(bob)
    return conflicts


def settle(member: Member) -> int:
    """Synchronise; what is in conflict is settled with one's own side, and shared."""
    done = member.share()
    if done.code == 0:
        return 0
    found = json.loads(done.stdout)
    must(member.world, "resolve", "--take", "ours")
    assert member.share().code == 0
    return len(found["conflicts"])


def steps(world: World) -> Iterator[tuple[str, str]]:
    document = yaml.safe_load(world.read(WORKFLOW))
    [job] = document["jobs"].values()
    yield from ((s["name"], s["run"]) for s in job["steps"] if "run" in s)


def run_step(
    text: str, world: World, folder: Path, environment: dict[str, str], base: str
) -> Done:
    more = {"BASE": base, "HEAD": world.git("rev-parse", "HEAD").strip()}
    more |= {"RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(folder / "s.md")}
    more |= {"TOOLMEM_PROJECT": "shop", "TOOLMEM_AGENT_TYPE": ""}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],
        cwd=world.root,
        env={**environment, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(text, done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("shared", [2, pytest.param(1, marks=pytest.mark.soak)])
def test_a_fortnight_of_two_ends_in_a_short_pull_request_that_passes(
    team, tmp_path, shared
):
    ada, bob = team
    base = ada.world.git("rev-parse", "HEAD").strip()
    assert sum(fortnight(ada, bob, shared)) >= 2
    assert ada.world.files() == bob.world.files()
    for member in team:
        world = member.world
        assert world.git("status", "--porcelain") == ""
        assert json.loads(must(world, "resolve", "--json")) == {
            "settled": [],
            "open": [],
            "problems": [],
        }
        assert world.call("check").code == 0
    runner = tmp_path / "runner"
    runner.mkdir()
    environment = environment_with_toolmem(runner, client())
    shell = dict(steps(ada.world))
    for name in ("diff", "check"):
        done = run_step(shell[name], ada.world, runner, environment, base)
        assert (name, done.code) == (name, 0), done
    comment = (runner / "changes.md").read_text()
    by_meaning = ada.world.git("diff", base, "HEAD")
    by_lines = ada.world.git("diff", "--no-ext-diff", "--numstat", base, "HEAD")
    added = [line.split("\t")[0] for line in by_lines.splitlines()]
    assert comment.count("\n") <= MOST_LINES / 2, comment
    assert by_meaning.count("\n") <= MOST_LINES, by_meaning
    assert sum(map(int, added)) <= MOST_LINES, by_lines
    said = [line for line in comment.splitlines() if line.startswith("- **added** `")]
    assert sorted(re.findall(r"  `([^`]+)`  \[", "\n".join(said))) == KEPT
