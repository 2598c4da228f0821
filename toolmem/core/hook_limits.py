"""How long a hook may take: the agent waits for it."""

SECONDS = 1.8
"""After this the agent goes on without an answer."""
