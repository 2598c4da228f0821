"""GitHub Copilot's hooks: camelCase events that do not say their own name."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.claude import read_like_claude
from toolmem.core.agents.claude import write_answer as write_like_claude
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    OTHER,
    PROMPT,
    SESSION_END,
    SESSION_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
    arguments_of,
    table_of,
    text_of,
)

_KINDS = {
    "sessionStart": SESSION_START,
    "userPromptSubmitted": PROMPT,
    "preToolUse": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL,
    "postToolUseFailure": TOOL_FAILED,
    "agentStop": TURN_END,
    "sessionEnd": SESSION_END,
}
_CONTEXT = frozenset(
    {
        "sessionStart",
        "userPromptSubmitted",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
    }
)
_FAILED = ("failure", "error", "denied", "rejected")


def read_event(payload: Mapping[str, Any], name: str = "") -> Event:
    """The event that Copilot sends; ``name`` is the key it is configured under.

    With names in PascalCase Copilot sends Claude Code's shape.
    """
    if "hook_event_name" in payload:
        return _like_claude(payload)
    kind = _KINDS.get(name, OTHER)
    result = table_of(payload, "toolResult")
    outcome = text_of(result, "resultType").lower()
    if kind == AFTER_TOOL and outcome == "failure":
        kind = TOOL_FAILED
    return Event(
        agent="copilot",
        kind=kind,
        name=name,
        session=text_of(payload, "sessionId"),
        cwd=text_of(payload, "cwd"),
        source=text_of(payload, "source"),
        prompt=text_of(payload, "prompt", "initialPrompt"),
        tool=text_of(payload, "toolName"),
        input=arguments_of(payload, "toolArgs"),
        error=text_of(payload, "error") or _failure_text(result, outcome),
        interrupted=outcome in ("denied", "rejected"),
        takes_context=name in _CONTEXT,
    )


def _like_claude(payload: Mapping[str, Any]) -> Event:
    event = read_like_claude(payload, "copilot")
    result = table_of(payload, "tool_result")
    outcome = text_of(result, "result_type").lower()
    if event.kind == AFTER_TOOL and outcome == "failure":
        error = text_of(result, "text_result_for_llm")
        return event._replace(kind=TOOL_FAILED, error=error or "failure")
    return event


def _failure_text(result: Mapping[str, Any], outcome: str) -> str:
    if outcome not in _FAILED:
        return ""
    return text_of(result, "textResultForLlm") or outcome


def write_answer(event: Event, answer: Answer) -> Reply:
    """The answer in Copilot's terms; every exit code but 0 before a tool denies."""
    if event.name[:1].isupper():
        return write_like_claude(event, answer)
    if event.kind == BEFORE_TOOL and answer.verdict:
        return Reply(
            {
                "permissionDecision": answer.verdict,
                "permissionDecisionReason": answer.reason,
            }
        )
    if event.name == "postToolUseFailure" and answer.context:
        # Here alone a code of 2 is no failure: it hands the text to the model.
        return Reply(None, answer.context, 2)
    if answer.context and event.name in _CONTEXT:
        return Reply({"additionalContext": answer.context})
    return Reply()
