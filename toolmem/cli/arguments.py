"""Arguments of operations: their help, completion and limits, once for each name.

The signature of an operation's method gives the type and the default; an argument
without ``*`` before it is positional on the command line, the others are options.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Argument(NamedTuple):
    """Description of an argument.

    ``offers`` names its completion in ``offers.py``. A ``text`` is read from
    standard input if the command line has ``-`` in its place, or, if it
    ``reads_stdin``, nothing.
    """

    help: str
    metavar: str = "NAME"
    offers: str = ""
    text: bool = False
    reads_stdin: bool = False
    minimum: int | None = None
    shows_default: bool = True


FLAG = ""
"""Metavar of an option without a value."""
ARGUMENTS: Mapping[str, Argument] = {
    "agent": Argument("Agent name.", offers="agents"),
    "agent_type": Argument("Agent type, such as coding.", offers="agent_types"),
    "alias": Argument("An alias of the tool."),
    "all": Argument("Include archived entries.", FLAG),
    "allow_secret": Argument("Store it even if it looks like a credential.", FLAG),
    "argument": Argument("Name of an argument, such as to."),
    "confidence": Argument("From 0 to 1.", "N", shows_default=False),
    "context": Argument("Context as KEY=VALUE, such as goal_id=visit.", "KEY=VALUE"),
    "description": Argument("Description of the tool.", "TEXT"),
    "expires": Argument("A date (its end), or a span such as 30d.", "WHEN"),
    "full": Argument("The original text, not the summary.", FLAG),
    "importance": Argument("From 0 to 1.", "N", shows_default=False),
    "key": Argument("The fact's key.", "KEY", "fact_keys"),
    "kind": Argument("insight, fact, skill, pattern, observation …", "KIND"),
    "last": Argument("Number of items, counted from the last.", "N", minimum=1),
    "namespace": Argument("Namespace: the heading in facts.md.", offers="namespaces"),
    "owner": Argument("Who should act: agent, user or a tool."),
    "priority": Argument("critical, high or normal.", "PRIORITY", "priorities"),
    "private": Argument("Hide it from agents.", FLAG),
    "project": Argument("Project name.", offers="projects"),
    "reason": Argument("Reason; stored with the change.", "TEXT"),
    "replaces": Argument(
        "A memory that it supersedes: it stays, and ranks below.", "ID"
    ),
    "scope": Argument(
        "system, agent-type:NAME, project:NAME, project:NAME/TYPE or agent:NAME.",
        "SCOPE",
        "scopes",
    ),
    "semantic": Argument(
        "Compare meanings by: table, model (needs the extra semantic of the package) "
        "or off.",
        "MODE",
        "semantic_modes",
    ),
    "session": Argument("Session id.", "ID"),
    "source": Argument("Author of the text, such as a person or tool."),
    "source_task": Argument("Task in which it was learned.", "ID"),
    "status": Argument("active, pending_review, resolved or archived.", "STATUS"),
    "tag": Argument("A tag; may be given several times.", "TAG"),
    "tool": Argument("The tool's name; * for every tool.", "TOOL", "tools"),
    "topic": Argument("Topic.", "TOPIC", "topics"),
    "type": Argument("observation, risk_alert, reminder …", "TYPE"),
    "value": Argument("One line; - reads standard input.", "VALUE", text=True),
    "verb": Argument("A verb for its use, such as email.", "WORD"),
    "conversation.show id": Argument("Message id.", "ID"),
    "memory id": Argument(
        "Memory id (file name without .md) or a unique prefix.", "ID", "memory_ids"
    ),
    "memory.list tag": Argument("Only memories with this tag.", "TAG"),
    "memory.save text": Argument(
        "Markdown; - (the default) reads stdin.", "TEXT", text=True, reads_stdin=True
    ),
    "memory.move scope": Argument("Scope to move the memory to.", "SCOPE", "scopes"),
    "rule id": Argument("Rule id or a unique prefix.", "ID", "rule_ids"),
    "scratch id": Argument("Entry id or a unique prefix.", "ID"),
    "scratch.clear id": Argument(
        "Ids of entries; default: all that can be removed.", "ID"
    ),
    "scratch.set-status status": Argument(
        "New status; it cannot go back to an earlier one.", "STATUS"
    ),
    "working.clear name": Argument("Names of values; default: all.", "NAME"),
    "working.show name": Argument("Only the value of this name.", "NAME"),
}
"""By name; one that differs has its operation or the operation's noun before it."""


def argument(operation: str, name: str) -> Argument:
    """Return the description of an argument of an operation."""
    noun = operation.partition(".")[0]
    keys = (f"{operation} {name}", f"{noun} {name}", name)
    return next(ARGUMENTS[key] for key in keys if key in ARGUMENTS)
