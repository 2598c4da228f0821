"""Requests and responses of tools, and a vault that answers them."""

import json
from typing import Any

from tests.world import World

AGENT = {"agent_id": "helper", "task_id": "task-1", "plan_id": "plan-1"}


def query(query_id: str, memory_type: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "query_id": query_id,
        "memory_type": memory_type,
        "query_text": text,
        **more,
    }


def request(*queries: Any, tool: str = "wine_recommender", **more: Any) -> Any:
    return {
        "request_id": "req-1",
        "tool_id": tool,
        "tool_version": "1.0.0",
        "timestamp": "2026-04-20T12:00:00Z",
        "agent_context": AGENT,
        "inputs": {"guests": 4},
        "memory_queries": list(queries),
        **more,
    }


def asked(world: World, document: Any, *flags: str) -> list[dict[str, Any]]:
    """The memory context of a request, which goes in on standard input."""
    done = world.call("query", *flags, "--json", stdin=json.dumps(document))
    assert (done.code, done.stderr) == (0, "")
    answered = json.loads(done.stdout)
    context = answered.pop("memory_context")
    assert answered == document
    return list(context)


def ask(world: World, *queries: Any, **more: Any) -> list[dict[str, Any]]:
    return asked(world, request(*queries, **more))


def ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


def applied(world: World, document: Any, *flags: str) -> Any:
    """Return the output of ``toolmem apply`` for a response."""
    done = world.call("apply", *flags, "--json", stdin=json.dumps(document))
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def trace(world: World, **wanted: str) -> list[dict[str, Any]]:
    """The lines of the trace without their times."""
    done = world.call("trace", "--json", *(f"--{k}={v}" for k, v in wanted.items()))
    assert (done.code, done.stderr) == (0, "")
    lines = json.loads(done.stdout)
    return [{k: v for k, v in line.items() if k != "at"} for line in lines]
