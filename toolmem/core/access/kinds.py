"""Which memory types there are, and which kinds of memories are episodes."""

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
"""Kinds of memories about what happened; all others are about what is known."""

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
"""Common kinds of memories about what is known."""
