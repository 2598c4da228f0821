"""Memory types, and the kinds of memories that are episodes."""

SEMANTIC = "semantic"
EPISODIC = "episodic"
SCRATCH_PAGE = "scratch_page"
CONVERSATION = "conversation"
WORKING = "working"
MEMORY_TYPES = (WORKING, EPISODIC, SEMANTIC, SCRATCH_PAGE, CONVERSATION)

EPISODES = frozenset(
    {
        "action",
        "decision",
        "episode",
        "event",
        "experience",
        "feedback",
        "interaction",
        "observation",
        "outcome",
        "preference",
        "task",
        "tool_result",
        "transaction",
        "user_preference",
    }
)
"""Kinds of memories about events; all others are knowledge."""

KNOWLEDGE = frozenset(
    {
        "concept",
        "fact",
        "insight",
        "knowledge",
        "lesson",
        "pattern",
        "procedure",
        "rule",
        "skill",
        "summary",
    }
)
"""Common kinds of memories that are knowledge."""
