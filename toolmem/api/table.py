"""The table of operations: command, JSON-RPC method, MCP tool, and their answers.

The name of an operation is its command's words, its JSON-RPC method and the path of
the method of ``toolmem.Vault`` that it is (``rule.add``); its arguments are those of
that method, and each surface gives the same document. Commands go through the same
methods, but where they talk with a person: ``rule edit`` and ``memory edit`` without
flags, ``review`` and ``resolve`` at a terminal, ``search --expect`` and ``doctor
--fix``; and but for ``trace``, which may follow what comes.

Files that a program names (``import``, ``export``, ``report --output`` …) are its own,
as on the command line: whoever may start a server may read and write them as well.
A launch with ``--read-only`` writes none of them. MCP offers none of these. What an
agent may ask for is decided in ``core/access/agent_bounds.py``, for each parameter.

For whom a tool asks in ``query`` and ``apply`` the launch or the params decide, and
where they name no agent or project, its request. One that names another is denied.

MCP tools differ for a stated reason: models know these names and arguments from other
memories, a tool answers with an object always, and fewer tools cost fewer tokens.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, NamedTuple


class Operation(NamedTuple):
    """One operation; its method, answer and remarks are looked up when it is used.

    ``answer`` names the function that makes a document of its result, ``told`` the
    one that says what a user should know besides; ``tools`` are the MCP tools that
    do it.
    """

    name: str
    answer: str
    told: str = "none"
    tools: tuple[str, ...] = ()

    def document(self, result: Any) -> Any:
        """The answer as JSON shows it."""
        return _function(self.answer)(result)

    def remarks(self, result: Any) -> Iterable[str]:
        """What a user should know besides."""
        return _function(f"remarks.{self.told}")(result)  # type: ignore[no-any-return]


def _function(name: str) -> Any:
    module, _, function = name.partition(".")
    return getattr(import_module(f"toolmem.api.{module}"), function)


_ROWS = (
    Operation("rule.add", "documents.put_document", "of_put", ("tool_rule_put",)),
    Operation("rule.show", "documents.found_rule_document", tools=("tool_rule_get",)),
    Operation("rule.list", "documents.rules_document", "of_rules", ("tool_rule_list",)),
    Operation("rule.why", "why_document.why_document"),
    Operation("rule.test", "documents.rule_tests_document"),
    Operation("rule.edit", "documents.changed_document"),
    Operation("rule.override", "documents.changed_document"),
    Operation("rule.archive", "documents.changed_document"),
    Operation("rule.move", "documents.changed_document"),
    Operation("rule.delete", "documents.deleted_document", tools=("tool_rule_delete",)),
    Operation("rule.keep", "documents.same_document", tools=("rule_keep",)),
    Operation("rule.retract", "documents.same_document", tools=("rule_retract",)),
    Operation(
        "fact.set", "documents.fact_change_document", tools=("memory_fact_store",)
    ),
    Operation(
        "fact.get", "documents.fact_answer_document", "of_fact", ("memory_fact_recall",)
    ),
    Operation(
        "fact.list", "documents.facts_document", "of_facts", ("memory_fact_list",)
    ),
    Operation("fact.delete", "documents.fact_change_document"),
    Operation(
        "memory.save",
        "memory_documents.saved_document",
        "of_save",
        ("memory_idea_save",),
    ),
    Operation(
        "memory.show",
        "memory_documents.found_memory_document",
        "of_memory",
        ("memory_get",),
    ),
    Operation(
        "memory.list",
        "memory_documents.memories_document",
        "of_memories",
        ("memory_idea_list",),
    ),
    Operation("memory.edit", "memory_documents.change_document"),
    Operation("memory.archive", "memory_documents.change_document"),
    Operation("memory.promote", "memory_documents.change_document"),
    Operation("memory.delete", "memory_documents.deleted_memory_document"),
    Operation(
        "search",
        "search_documents.search_document",
        "of_search",
        ("memory_idea_recall",),
    ),
    Operation(
        "recall", "search_documents.recall_document", "of_recall", ("memory_recall",)
    ),
    Operation(
        "prompt",
        "prompting.prompt_document",
        "of_prompt",
        ("tool_rules_for_prompt",),
    ),
    Operation("guard", "search_documents.guard_document", tools=("guard_check",)),
    Operation("query", "page_documents.answered_document", "of_answered"),
    Operation("apply", "page_documents.answered_document", "of_answered"),
    Operation("trace", "page_documents.trace_document"),
    Operation(
        "scratch.add",
        "page_documents.kept_entry_document",
        "of_kept",
        ("scratch_add",),
    ),
    Operation(
        "scratch.list", "page_documents.entries_document", tools=("scratch_list",)
    ),
    Operation("scratch.show", "page_documents.found_entry_document"),
    Operation("scratch.edit", "page_documents.kept_entry_document", "of_kept"),
    Operation("scratch.set-status", "page_documents.kept_entry_document", "of_kept"),
    Operation("scratch.resolve", "page_documents.kept_entry_document", "of_kept"),
    Operation("scratch.archive", "page_documents.kept_entry_document", "of_kept"),
    Operation("scratch.clear", "page_documents.entries_document"),
    Operation("working.set", "page_documents.set_document", "of_working"),
    Operation("working.show", "page_documents.values_document"),
    Operation("working.clear", "page_documents.cleared_document"),
    Operation("conversation.add", "page_documents.kept_message_document", "of_kept"),
    Operation("conversation.list", "page_documents.messages_document"),
    Operation("conversation.show", "page_documents.found_message_document"),
    Operation("conversation.clear", "page_documents.cleared_document"),
    Operation("check", "documents.report_document"),
    Operation("capture", "capture_documents.captured_document", "of_capture"),
    Operation("review", "review_documents.review_document", "of_review"),
    Operation("commit", "change_documents.committed_document", "of_commit"),
    Operation("diff", "change_documents.diff_document"),
    Operation("log", "change_documents.log_document"),
    Operation("resolve", "sharing_documents.resolved_document", "of_resolve"),
    Operation("sync", "sharing_documents.synced_document", "of_sync"),
    Operation("git.install", "sharing_documents.setup_document"),
    Operation("git.status", "sharing_documents.setup_document"),
    Operation("git.uninstall", "sharing_documents.setup_document"),
    Operation("reflect", "upkeep_documents.reflect_document", "of_reflect"),
    Operation("doctor", "upkeep_documents.diagnosis_document"),
    Operation("report", "upkeep_documents.reported_document", "of_report"),
    Operation("import", "transfer_documents.import_document", "of_import"),
    Operation("export", "transfer_documents.export_document", "of_export"),
    Operation("stats", "state_documents.records_document"),
    Operation("restore", "state_documents.restored_document"),
    Operation("settings", "state_documents.settings_document"),
    Operation("tool.list", "tool_documents.tools_document"),
    Operation("tool.show", "tool_documents.found_tool_document"),
    Operation("tool.add", "tool_documents.change_document"),
    Operation("tool.import", "tool_documents.changes_document"),
    Operation("turn.add", "state_documents.turns_document"),
    Operation("turn.list", "state_documents.turns_document"),
    Operation("turn.show", "state_documents.turn_document"),
    Operation("turn.render", "state_documents.rendered_document"),
    Operation("index.status", "state_documents.status_document", "of_index"),
    Operation("index.rebuild", "state_documents.status_document", "of_index"),
    Operation("index.verify", "state_documents.damage_document"),
)
OPERATIONS: Mapping[str, Operation] = {row.name: row for row in _ROWS}

COMMANDS_ONLY: Mapping[str, str] = {
    "init": "makes a vault; a server serves one that is there",
    "hook": "speaks each agent's own protocol",
    "agent": "changes settings of other programs, on a person's word",
    "trust": "changes the user's own settings, on a person's word",
    "browse": "shows the vault at a terminal",
    "bench": "measures, for a person who compares",
    "rpc": "is a server",
    "mcp": "is a server",
}
"""Commands (or groups) that are on the command line alone, and why."""

FLAGS_ONLY: Mapping[str, Mapping[str, str]] = {
    "search": {
        "explain": "prints an explanation for people",
        "expect": "prints an explanation for people",
    },
    "prompt": {
        "explain": "prints an explanation for people; programs have the document",
        "check": "compares with a file of the person",
    },
    "tool.import": {"file": "a file is read; programs pass its text as listing"},
    "doctor": {
        "fix": "changes settings of other programs, too, on a person's word",
        "bundle": "a file that a person adds to a bug report",
    },
    "diff": {"markdown": "how it is printed"},
    "query": {"yaml": "how it is printed"},
    "apply": {"yaml": "how it is printed"},
    "trace": {"follow": "goes on until a person stops it"},
}
"""Arguments that a command has and its method has not, and why."""

PROGRAMS_ONLY: Mapping[str, Mapping[str, str]] = {
    "capture": {"text": "a command reads it from standard input"},
    "import": {"text": "a command reads it from standard input"},
    "reflect": {"plan": "a command reads it from standard input"},
    "turn.add": {"text": "a command reads it from standard input"},
    "tool.import": {"listing": "the text of the file that a command reads"},
}
"""Arguments that a method has and its command has not, and why."""


def method_of(vault: Any, name: str) -> Any:
    """The bound method of a ``toolmem.Vault`` that an operation is."""
    found = vault
    for part in name.split("."):
        attribute = "import_" if part == "import" else part.replace("-", "_")
        found = getattr(found, attribute)
    return found
