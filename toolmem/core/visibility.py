"""Decide who sees private memories.

Private means private to people. An agent, or a tool that an agent runs, gets neither
text nor title, id, count, score or snippet of a private memory. Every surface asks
here.
"""

from enum import Enum


class Audience(Enum):
    """Reader of an answer: a person, or an agent (which includes every tool)."""

    PERSON = "person"
    AGENT = "agent"


def audience_of(agent: str | None) -> Audience:
    """Return ``AGENT`` where an agent is named."""
    return Audience.AGENT if agent else Audience.PERSON


def may_see(audience: Audience, *, private: bool) -> bool:
    """Return True if an audience may know that a memory exists."""
    return audience is Audience.PERSON or not private
