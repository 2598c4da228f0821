"""A small tool: reads a ToolRequest on standard input, answers with a ToolResponse.

It decides by what its ``memory_context`` holds, as the patterns of the
specification say: a recommendation, a check of constraints, a plan.
"""

import json
import re
import sys
from typing import Any


def results(request: dict[str, Any], query_id: str) -> list[dict[str, Any]]:
    """The results of a query; a tool must know when it was not allowed to ask."""
    for answer in request["memory_context"]:
        if answer["query_id"] == query_id:
            if answer["status"] in ("denied", "error"):
                raise SystemExit(f"{query_id}: {answer['reason']}")
            return list(answer["results"])
    raise SystemExit(f"{query_id}: no answer")


def recommend(request: dict[str, Any]) -> dict[str, Any]:
    """A wine like those the user liked, of which something is known."""
    liked = results(request, "liked")
    known = " ".join(fact["content"] for fact in results(request, "known"))
    grape = "Pinot Noir" if "Pinot Noir" in known else "Gamay"
    wine = f"A {grape} from Burgundy"
    return {
        "outputs": {"recommendation": wine, "because": [like["id"] for like in liked]},
        "scratch_page_writes": [
            {
                "type": "contextual_insight",
                "content": f"User will like this: {wine}",
                "confidence": 0.95,
                "tags": ["wine", "recommendation"],
            }
        ],
    }


def check(request: dict[str, Any]) -> dict[str, Any]:
    """Return True if a payment passes: never with alerts, nor if it is unusual."""
    alerts = results(request, "alerts")
    usual = [
        int(amount)
        for past in results(request, "past")
        for amount in re.findall(r"(\d+) euros", past["content"])
    ]
    amount = request["inputs"]["amount"]
    if alerts:
        return {"outputs": {"approved": False, "alert": alerts[0]["id"]}}
    return {"outputs": {"approved": amount <= 2 * max(usual, default=0)}}


def plan(request: dict[str, Any]) -> dict[str, Any]:
    """A journey for the goal, where the user liked it, when it is best."""
    goal = results(request, "goals")[0]["content"]
    been = results(request, "been")[0]["content"]
    best = results(request, "season")[0]["content"]
    place = next(name for name in ("Lisbon", "Paris") if name in been and name in best)
    month = next(name for name in ("May", "June") if name in best)
    return {
        "outputs": {"goal": goal, "plan": f"{place} in {month}"},
        "memory_writes": [
            {
                "type": "decision",
                "content": f"A journey to {place} in {month} was planned.",
                "tags": ["travel"],
                "importance": 0.6,
                "ttl_days": 30,
            }
        ],
    }


TOOLS = {
    "wine_recommender": recommend,
    "financial_advisor": check,
    "travel_planner": plan,
}


def main() -> None:
    request = json.load(sys.stdin)
    response = TOOLS[request["tool_id"]](request)
    named = {"request_id": request["request_id"], "tool_id": request["tool_id"]}
    json.dump({**named, "status": "ok", **response}, sys.stdout)


if __name__ == "__main__":
    main()
