"""Descriptions of tools for models: purpose, arguments, answer and effects.

Every word here costs tokens in each session: ``bench/servers.py`` prints the cost.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from toolmem.servers import agent_tools
from toolmem.servers.arguments import Parameter, parameters_of

Schema = dict[str, Any]
_SCOPE = "system or project:NAME"
_TYPES = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "object": {"type": "object"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "objects": {"type": "array", "items": {"type": "object"}},
    "text or null": {"type": ["string", "null"]},
    "number or null": {"type": ["number", "null"]},
    "object or null": {"type": ["object", "null"]},
}


@cache
def _parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    return parameters_of(function, 1)


class Tool(NamedTuple):
    """One tool: its function and its description.

    ``about`` describes arguments, ``hidden`` are those that models cannot set;
    ``answer`` maps the keys of an answer to kinds of ``_TYPES``, with a ? for keys that
    may be missing. ``writes``, ``destroys`` and ``repeats`` (repeating it has no
    further effect) are its effects.
    """

    function: Callable[..., Any]
    title: str
    description: str
    about: Mapping[str, str]
    answer: Mapping[str, str]
    writes: bool = False
    destroys: bool = False
    repeats: bool = True
    hidden: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the tool."""
        return self.function.__name__

    def parameters(self) -> tuple[Parameter, ...]:
        """Return the arguments that a model may give."""
        known = _parameters(self.function)
        return tuple(one for one in known if one.name not in self.hidden)

    def input_schema(self) -> Schema:
        """Return the JSON Schema of its arguments."""
        known = self.parameters()
        schema: Schema = {"type": "object", "properties": {}}
        for one in known:
            schema["properties"][one.name] = self._described(one.name, one.schema)
        required = [one.name for one in known if one.required]
        return schema | ({"required": required} if required else {})

    def output_schema(self) -> Schema:
        """Return the JSON Schema of its answer."""
        shape = {**self.answer, "remarks": "texts?"}
        return {
            "type": "object",
            "properties": {
                key: _TYPES[kind.rstrip("?")] for key, kind in shape.items()
            },
            "required": [key for key, kind in shape.items() if kind[-1] != "?"],
        }

    def _described(self, name: str, schema: Mapping[str, Any]) -> Schema:
        described = dict(schema)
        if name == "priority":
            described["enum"] = ["critical", "high", "normal"]
        about = self.about.get(name, "")
        return described | ({"description": about} if about else {})


_FACT = {
    "key": "text",
    "value": "text or null",
    "namespace": "text or null",
    "scope": "text or null",
    "found": "flag",
}
_CHANGE = {"id": "text", "action": "text", "path": "text", "scope": "text"}
_CALLERS = ("source", "created_at", "updated_at")

TOOLS = (
    Tool(
        agent_tools.memory_recall,
        "Recall",
        "Look up a fact by its name, else search memories, rules, facts and guidance. "
        "Use it before you guess or ask.",
        {
            "query": "a fact's key or a question",
            "namespace": "of facts, or tool-NAME: rules of a tool; query * lists it",
        },
        {
            "query": "text",
            "source": "text",
            "value": "text?",
            "results": "objects?",
            "total": "number?",
            "topic_fallback": "flag?",
        },
    ),
    Tool(
        agent_tools.memory_idea_recall,
        "Search memories",
        "Search memories alone: lessons, decisions, patterns.",
        {},
        {
            "query": "text",
            "results": "objects",
            "total": "number",
            "topic_fallback": "flag",
        },
    ),
    Tool(
        agent_tools.memory_idea_save,
        "Save a memory",
        "Save one lesson that will be useful again; duplicates are not saved. "
        "No secrets.",
        {
            "content": "markdown: a title line, then what, why and when",
            "kind": "insight, skill, pattern, observation …",
            "scope": _SCOPE,
            "source_task": "id of the task it comes from",
            "replaces": "ids of memories that it unites",
        },
        {
            "action": "text",
            "id": "text",
            "scope": "text",
            "similarity": "number",
            "nearest": "text or null",
            "topic": "text or null",
        },
        writes=True,
        repeats=True,
    ),
    Tool(
        agent_tools.memory_idea_edit,
        "Edit a memory",
        "Change a memory that you saved; what is not given stays.",
        {},
        _CHANGE,
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.memory_idea_archive,
        "Archive a memory",
        "Retire a memory that you saved and that no longer applies.",
        {},
        _CHANGE,
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.memory_idea_delete,
        "Delete a memory",
        "Delete a memory that you saved.",
        {},
        {"found": "flag", "deleted": "flag", "id": "text"},
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.memory_idea_list,
        "List memories",
        "List memories.",
        {},
        {"memories": "objects", "total": "number"},
    ),
    Tool(
        agent_tools.memory_get,
        "Read a memory",
        "Read one memory.",
        {"full": "the whole text, not its summary"},
        {"id": "text", "found": "flag", "title": "text?", "text": "text?"},
    ),
    Tool(
        agent_tools.memory_fact_recall,
        "Look up a fact",
        "Look up a fact by its exact key.",
        {},
        _FACT,
    ),
    Tool(
        agent_tools.memory_fact_store,
        "Store a fact",
        "Store one fact; another value of the key in that scope is replaced.",
        {"key": "such as test_command", "value": "one line", "scope": _SCOPE},
        {**_FACT, "action": "text"},
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.memory_fact_delete,
        "Delete a fact",
        "Delete a fact that is no longer true.",
        {},
        {**_FACT, "action": "text"},
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.memory_fact_list,
        "List facts",
        "List facts.",
        {},
        {"facts": "objects"},
    ),
    Tool(
        agent_tools.tool_rule_put,
        "Put a rule",
        "Add a rule about a tool, or change one under its id. Yours are at most "
        "high: clamped is true if it was lowered.",
        {"tool_name": "* for every tool", "rule": "one sentence", "scope": _SCOPE},
        {
            "id": "text",
            "tool_name": "text",
            "rule": "text",
            "priority": "text",
            "scope": "text",
            "action": "text",
            "clamped": "flag",
        },
        writes=True,
        destroys=True,
        hidden=_CALLERS,
    ),
    Tool(
        agent_tools.tool_rule_get,
        "Read a rule",
        "Read one rule of a tool.",
        {},
        {"found": "flag", "rule": "object or null"},
    ),
    Tool(
        agent_tools.tool_rule_why,
        "Explain a rule",
        "Where a rule comes from, and what overrides it.",
        {},
        {"id": "text", "why": "text", "in_prompt": "flag", "layers": "objects"},
    ),
    Tool(
        agent_tools.tool_rule_list,
        "List rules",
        "List the rules of a tool, normal ones too; of all tools if none is named.",
        {},
        {"rules": "objects"},
    ),
    Tool(
        agent_tools.tool_rule_delete,
        "Delete a rule",
        "Delete a rule of an agent. For a person's, use rule_retract.",
        {},
        {"found": "flag", "deleted": "flag", "id": "text"},
        writes=True,
        destroys=True,
    ),
    Tool(
        agent_tools.rule_keep,
        "Keep the user's words as a rule",
        "Save a noted candidate, or the user's exact words, as a rule for later "
        "sessions.",
        {},
        {"kept": "objects", "proposed": "objects", "refused": "objects"},
        writes=True,
    ),
    Tool(
        agent_tools.rule_retract,
        "Retract a rule",
        "Retract a rule with the user's words; which chooses one of several.",
        {},
        {"retracted": "objects", "proposed": "objects", "refused": "objects"},
        writes=True,
        destroys=True,
        hidden=("scope",),
    ),
    Tool(
        agent_tools.tool_rules_for_prompt,
        "Rules for a prompt",
        "The critical and high rules as a block of text; of all tools if none is "
        "named.",
        {},
        {"rendered": "text", "rules": "objects"},
    ),
    Tool(
        agent_tools.guard_check,
        "Check a call",
        "Check a tool call before you make it. deny: do not; ask: ask the user first.",
        {"input": "the call's arguments"},
        {
            "verdict": "text",
            "reason": "text",
            "rule": "object or null",
            "guard": "object or null",
            "near": "objects",
            "conservative": "flag",
        },
    ),
    Tool(
        agent_tools.scratch_add,
        "Note on the scratch page",
        "Note what someone should act on soon: a risk, a reminder, a question.",
        {
            "type": "observation, reminder, risk_alert …",
            "owner": "agent or user",
            "ttl": "such as 12h; else 7d",
        },
        {"id": "text", "type": "text", "status": "text", "expires_at": "text"},
        writes=True,
        repeats=False,
    ),
    Tool(
        agent_tools.scratch_set_status,
        "Set the status of a note",
        "Resolve or archive a note.",
        {"status": "pending_review, resolved or archived"},
        {"id": "text", "status": "text"},
        writes=True,
    ),
    Tool(
        agent_tools.scratch_list,
        "List the scratch page",
        "List the notes on your scratch page, newest first.",
        {"status": "active, pending_review, resolved or archived"},
        {"entries": "objects"},
    ),
)
BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
