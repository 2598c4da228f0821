"""Tools for models: purpose, arguments, answer and effects.

Every word here costs tokens in each session: ``bench/servers.py`` prints the cost.
"""

from collections.abc import Mapping

from toolmem.servers import agent_tools
from toolmem.servers.tool import Tool

TOOLS = (
    Tool(
        "memory_recall",
        "recall",
        "Recall",
        "Look up a fact by its name, else search memories, rules, facts and guidance. "
        "Use it before you guess or ask.",
        "query* topic namespace* limit scope",
        (
            "query:text source:text value:text? results:objects? total:number? "
            "topic_fallback:flag?"
        ).split(),
    ),
    Tool(
        "memory_idea_recall",
        "search",
        "Search memories",
        "Search memories alone: lessons, decisions, patterns.",
        "query topic limit scope",
        "query:text results:objects total:number topic_fallback:flag".split(),
        given={"only": ["memory"], "limit": 5},
    ),
    Tool(
        "memory_idea_save",
        "memory.save",
        "Save a memory",
        "Save one lesson that will be useful again; duplicates are not saved. "
        "No secrets.",
        "content* tags topic kind* scope source_task replaces create",
        (
            "action:text id:text scope:text similarity:number nearest:text|null "
            "topic:text|null"
        ).split(),
    ),
    Tool(
        "memory_idea_edit",
        "memory.edit",
        "Edit a memory",
        "Change a memory that you saved; what is not given stays.",
        "id content tags topic kind uncontested",
        "id:text action:text path:text scope:text".split(),
        destroys=True,
    ),
    Tool(
        "memory_idea_archive",
        "memory.archive",
        "Archive a memory",
        "Retire a memory that you saved and that no longer applies.",
        "id reason",
        "id:text action:text path:text scope:text".split(),
        destroys=True,
    ),
    Tool(
        "memory_idea_delete",
        "memory.delete",
        "Delete a memory",
        "Delete a memory that you saved.",
        "id",
        "found:flag deleted:flag id:text".split(),
        agent_tools.memory_idea_delete,
        destroys=True,
    ),
    Tool(
        "memory_idea_list",
        "memory.list",
        "List memories",
        "List memories.",
        "topic tag kind scope limit",
        "memories:objects total:number".split(),
        agent_tools.memory_idea_list,
    ),
    Tool(
        "memory_get",
        "memory.show",
        "Read a memory",
        "Read one memory.",
        "id full",
        "id:text found:flag title:text? text:text?".split(),
    ),
    Tool(
        "memory_fact_recall",
        "fact.get",
        "Look up a fact",
        "Look up a fact by its exact key.",
        "key namespace scope",
        (
            "key:text value:text|null namespace:text|null scope:text|null found:flag"
        ).split(),
    ),
    Tool(
        "memory_fact_store",
        "fact.set",
        "Store a fact",
        "Store one fact; another value of the key in that scope is replaced.",
        "key value namespace scope create",
        (
            "key:text value:text|null namespace:text|null scope:text|null "
            "found:flag action:text"
        ).split(),
        destroys=True,
    ),
    Tool(
        "memory_fact_delete",
        "fact.delete",
        "Delete a fact",
        "Delete a fact that is no longer true.",
        "key namespace scope",
        (
            "key:text value:text|null namespace:text|null scope:text|null "
            "found:flag action:text"
        ).split(),
        destroys=True,
    ),
    Tool(
        "memory_fact_list",
        "fact.list",
        "List facts",
        "List facts.",
        "namespace scope",
        (),
        key="facts",
    ),
    Tool(
        "tool_rule_put",
        "rule.add",
        "Put a rule",
        "Add a rule about a tool, or change one under its id. Yours are at most "
        "high: clamped is true if it was lowered.",
        "tool_name* rule priority tags id scope* reason create",
        (
            "id:text tool_name:text rule:text priority:text scope:text action:text "
            "clamped:flag"
        ).split(),
        agent_tools.tool_rule_put,
        destroys=True,
    ),
    Tool(
        "tool_rule_get",
        "rule.show",
        "Read a rule",
        "Read one rule of a tool.",
        "tool_name id scope",
        "found:flag rule:object|null".split(),
        agent_tools.tool_rule_get,
    ),
    Tool(
        "tool_rule_why",
        "rule.why",
        "Explain a rule",
        "Where a rule comes from, and what overrides it.",
        "id",
        "id:text why:text in_prompt:flag layers:objects".split(),
    ),
    Tool(
        "tool_rule_list",
        "rule.list",
        "List rules",
        "List the rules of a tool, normal ones too; of all tools if none is named.",
        "tool_name",
        "rules:objects".split(),
        agent_tools.tool_rule_list,
    ),
    Tool(
        "tool_rule_delete",
        "rule.delete",
        "Delete a rule",
        "Delete a rule of an agent. For a person's, use rule_retract.",
        "tool_name id scope",
        "found:flag deleted:flag id:text".split(),
        agent_tools.tool_rule_delete,
        destroys=True,
    ),
    Tool(
        "rule_keep",
        "rule.keep",
        "Keep the user's words as a rule",
        "Save a noted candidate, or the user's exact words, as a rule for later "
        "sessions.",
        "id quote tool scope priority wording",
        "kept:objects proposed:objects refused:objects".split(),
    ),
    Tool(
        "rule_retract",
        "rule.retract",
        "Retract a rule",
        "Retract a rule with the user's words; which chooses one of several.",
        "id quote which",
        "retracted:objects proposed:objects refused:objects".split(),
        destroys=True,
    ),
    Tool(
        "tool_rules_for_prompt",
        "prompt",
        "Rules for a prompt",
        "The critical and high rules as a block of text; of all tools if none is "
        "named.",
        "tools",
        "rendered:text rules:objects".split(),
        agent_tools.tool_rules_for_prompt,
    ),
    Tool(
        "guard_check",
        "guard",
        "Check a call",
        "Check a tool call before you make it. deny: do not; ask: ask the user first.",
        "tool_name input*",
        (
            "verdict:text reason:text rule:object|null guard:object|null "
            "near:objects conservative:flag"
        ).split(),
    ),
    Tool(
        "scratch_add",
        "scratch.add",
        "Note on the scratch page",
        "Note what someone should act on soon: a risk, a reminder, a question.",
        "content! type owner confidence tags ttl",
        "id:text type:text status:text expires_at:text".split(),
        repeats=False,
    ),
    Tool(
        "scratch_set_status",
        "scratch.set-status",
        "Set the status of a note",
        "Resolve or archive a note.",
        "id status",
        "id:text status:text".split(),
    ),
    Tool(
        "scratch_list",
        "scratch.list",
        "List the scratch page",
        "List the notes on your scratch page, newest first.",
        "type status owner tags",
        (),
        key="entries",
    ),
)
BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
