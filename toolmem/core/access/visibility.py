"""The one decision about private memories: who sees them.

Private means private to people. An agent, or a tool that an agent runs, gets neither
text nor title, id, count, score or snippet of a private memory: for it there is no such
memory. Every surface asks here.
"""

from enum import Enum


class Audience(Enum):
    """For whom something is read: a person, or an agent (every tool is one's)."""

    PERSON = "person"
    AGENT = "agent"


def audience_of(agent: str | None) -> Audience:
    """Return the audience of a request: an agent's where one is named."""
    return Audience.AGENT if agent else Audience.PERSON


def may_see(audience: Audience, *, private: bool) -> bool:
    """Return whether an audience may know of a memory at all."""
    return audience is Audience.PERSON or not private
