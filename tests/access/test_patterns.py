"""The specification's three patterns, as shell scripts around a real tool."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.access.asking import query, request
from tests.client import client
from tests.program import environment_with_toolmem
from tests.world import VAULTS

TOOL = Path(__file__).with_name("tool.py")
SCRIPT = f"""
set -e
toolmem query request.json --agent helper > known.json
"{sys.executable}" "{TOOL}" < known.json > response.json
toolmem apply response.json --agent helper > applied.json
"""


class Place(NamedTuple):
    """A vault, and the environment to call toolmem from there."""

    folder: Path
    environment: dict[str, str]

    def sh(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def ask(self, *queries: Any, tool: str, **inputs: Any) -> dict[str, Any]:
        """Run the script for a request; what became of the tool's response."""
        document = request(*queries, tool=tool, inputs=inputs)
        (self.folder / "request.json").write_text(json.dumps(document))
        done = self.sh(SCRIPT)
        assert (done.returncode, done.stderr) == (0, "")
        return dict(json.loads((self.folder / "applied.json").read_text()))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    shutil.copytree(VAULTS / "access", tmp_path / "vault")
    return Place(tmp_path / "vault", environment_with_toolmem(tmp_path, client()))


def test_a_decision_that_knows_its_context(place):
    applied = place.ask(
        query(
            "liked",
            "episodic",
            "What wines has user liked?",
            limit=2,
            budget_tokens=200,
        ),
        query(
            "known",
            "semantic",
            "What are characteristics of those Burgundy wines?",
            budget_tokens=200,
        ),
        tool="wine_recommender",
    )
    assert applied["outputs"]["recommendation"] == "A Pinot Noir from Burgundy"
    assert applied["outputs"]["because"][0] == "liked-morgon-aa0001"
    (entry,) = applied["scratch_page_write_results"]
    shown = place.sh(f"toolmem scratch show {entry['id']} --agent helper").stdout
    assert "User will like this: A Pinot Noir from Burgundy" in shown


def check(place: Place, amount: int) -> dict[str, Any]:
    applied = place.ask(
        query("alerts", "scratch_page", "Are there fraud alerts?", budget_tokens=200),
        query("past", "episodic", "What transactions has user made?"),
        tool="financial_advisor",
        amount=amount,
    )
    return dict(applied["outputs"])


def test_a_check_of_constraints(place):
    assert check(place, 900) == {"approved": True}
    assert check(place, 5000) == {"approved": False}
    added = place.sh(
        "toolmem scratch add 'A card was used in two countries at once'"
        " --type risk_alert --agent helper --json"
    )
    alert = json.loads(added.stdout)["id"]
    assert check(place, 900) == {"approved": False, "alert": alert}
    done = place.sh(f"toolmem scratch set-status {alert} resolved --agent helper")
    assert done.returncode == 0
    assert check(place, 900) == {"approved": True}


def test_what_a_plan_depends_on(place):
    goal = "Find somewhere to go in spring"
    params = {"name": "goal", "text": goal, "type": "goal", "agent": "helper"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "working.set", "params": params}
    place.sh(f"echo '{json.dumps(asked)}' | toolmem rpc")
    applied = place.ask(
        query("goals", "working", "What are active goals?", budget_tokens=100),
        query("been", "episodic", "Where has user traveled?", budget_tokens=200),
        query("season", "semantic", "best times to visit", budget_tokens=200),
        tool="travel_planner",
    )
    assert applied["outputs"] == {"goal": goal, "plan": "Lisbon in May"}
    (written,) = applied["memory_write_results"]
    assert written["status"] == "created"
    traced = place.sh("toolmem trace --request req-1 --json").stdout
    assert [line["event"] for line in json.loads(traced)] == ["query"] * 3 + ["write"]


def test_a_tool_is_told_that_it_may_not_ask(place):
    document = request(query("alerts", "working", "x"), tool="financial_advisor")
    (place.folder / "request.json").write_text(json.dumps(document))
    done = place.sh(SCRIPT)
    assert done.stderr == "alerts: the tool's manifest does not declare working\n"
