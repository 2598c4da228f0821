"""Table of operations: command, JSON-RPC method, MCP tool, and their answers.

The name of an operation is its command's words, its JSON-RPC method and the path of its
method of ``toolmem.Vault`` (``rule.add``); its arguments are those of that method, and
each surface returns the same document. Commands use the same methods, except for
dialogues with a person (``rule edit`` and ``memory edit`` without flags, ``review`` and
``resolve`` at a terminal), ``search --expect``, ``doctor --fix``, and ``trace``, which
may follow new lines.

Files that a program names (``import``, ``export``, ``report --output`` …) are its own,
as on the command line: a user who may start a server may read and write them as well. A
launch with ``--read-only`` writes none of them. MCP offers none of these. The
permissions of agents are in ``core/access/agent_bounds.py``, for each parameter.

The agent and project of a tool's ``query`` and ``apply`` come from the launch or the
params, and by default from its request. A request that names others is denied.

MCP tools differ for these reasons: models know these names and arguments from other
memories, a tool always answers with an object, and fewer tools cost fewer tokens.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, NamedTuple


class Operation(NamedTuple):
    """One operation; its method, answer and remarks are looked up when it is used.

    ``answer`` names the function that makes a document of its result, ``notices`` the
    one that yields its remarks; ``tools`` are its MCP tools. ``subject`` is the field
    of its result that is None if nothing was found; "" is the result itself.
    """

    name: str
    answer: str
    notices: str = "none"
    tools: tuple[str, ...] = ()
    subject: str = ""

    @property
    def reads(self) -> bool:
        """True if the operation changes nothing."""
        return self.name in _READS

    def document(self, result: Any) -> Any:
        """Return the answer for JSON."""
        return _function(self.answer)(result)

    def notices_of(self, result: Any) -> Iterable[str]:
        """Return remarks for the user."""
        return _function(f"notices.{self.notices}")(result)  # type: ignore[no-any-return]

    def is_missing(self, result: Any, asked: Any) -> bool:
        """Return whether what was asked for, by a name or id, was not found.

        A reader's answer is then empty, a change's count is 0.
        """
        subject = getattr(result, self.subject) if self.subject else result
        nothing = not subject if self.reads else subject == 0
        return subject is None or bool(asked and nothing)


def _function(name: str) -> Any:
    module, _, function = name.partition(".")
    return getattr(import_module(f"toolmem.api.{module}"), function)


_ROWS = (
    Operation("rule.add", "documents.put_document", "put_notices", ("tool_rule_put",)),
    Operation(
        "rule.show",
        "documents.found_rule_document",
        "rule_notices",
        ("tool_rule_get",),
        "rule",
    ),
    Operation(
        "rule.list", "documents.rules_document", "rules_notices", ("tool_rule_list",)
    ),
    Operation("rule.why", "documents.why_document", tools=("tool_rule_why",)),
    Operation("rule.test", "documents.rule_tests_document"),
    Operation("rule.due", "documents.due_document"),
    Operation("rule.edit", "documents.changed_document", "change_notices"),
    Operation("rule.override", "documents.changed_document", "change_notices"),
    Operation("rule.archive", "documents.changed_document"),
    Operation("rule.move", "documents.changed_document"),
    Operation(
        "rule.delete",
        "documents.deleted_document",
        "rule_notices",
        ("tool_rule_delete",),
        "change",
    ),
    Operation("rule.keep", "documents.same_document", tools=("rule_keep",)),
    Operation("rule.retract", "documents.same_document", tools=("rule_retract",)),
    Operation(
        "fact.set",
        "documents.fact_change_document",
        "fact_change_notices",
        ("memory_fact_store",),
    ),
    Operation(
        "fact.get",
        "documents.fact_answer_document",
        "fact_notices",
        ("memory_fact_recall",),
        "fact",
    ),
    Operation(
        "fact.list", "documents.facts_document", "facts_notices", ("memory_fact_list",)
    ),
    Operation(
        "fact.delete",
        "documents.fact_change_document",
        "fact_change_notices",
        ("memory_fact_delete",),
        "fact",
    ),
    Operation(
        "memory.save",
        "memories.saved_document",
        "save_notices",
        ("memory_idea_save",),
    ),
    Operation(
        "memory.show",
        "memories.found_memory_document",
        "memory_notices",
        ("memory_get",),
        "memory",
    ),
    Operation(
        "memory.list",
        "memories.memories_document",
        "memories_notices",
        ("memory_idea_list",),
    ),
    Operation("memory.edit", "memories.change_document", tools=("memory_idea_edit",)),
    Operation(
        "memory.archive", "memories.change_document", tools=("memory_idea_archive",)
    ),
    Operation("memory.move", "memories.change_document"),
    Operation(
        "memory.delete",
        "memories.deleted_memory_document",
        "deleted_notices",
        ("memory_idea_delete",),
        "change",
    ),
    Operation(
        "search",
        "query.search_document",
        "search_notices",
        ("memory_idea_recall",),
    ),
    Operation("recall", "query.recall_document", "recall_notices", ("memory_recall",)),
    Operation(
        "prompt",
        "prompt.prompt_document",
        "prompt_notices",
        ("tool_rules_for_prompt",),
    ),
    Operation("guard", "query.guard_document", tools=("guard_check",)),
    Operation("query", "session.answered_document", "answered_notices"),
    Operation("apply", "session.answered_document", "answered_notices"),
    Operation("trace", "session.trace_document"),
    Operation(
        "scratch.add",
        "session.saved_entry_document",
        "saved_notices",
        ("scratch_add",),
    ),
    Operation("scratch.list", "session.entries_document", tools=("scratch_list",)),
    Operation("scratch.show", "session.found_entry_document"),
    Operation("scratch.edit", "session.saved_entry_document", "saved_notices"),
    Operation(
        "scratch.set-status",
        "session.saved_entry_document",
        "saved_notices",
        ("scratch_set_status",),
    ),
    Operation("scratch.clear", "session.entries_document"),
    Operation("working.set", "session.set_document", "working_notices"),
    Operation("working.show", "session.values_document"),
    Operation("working.clear", "session.cleared_document"),
    Operation("conversation.add", "session.saved_message_document", "saved_notices"),
    Operation("conversation.list", "session.messages_document"),
    Operation("conversation.show", "session.found_message_document"),
    Operation("conversation.clear", "session.cleared_document"),
    Operation("check", "documents.report_document", "check_notices"),
    Operation("capture", "capture.captured_document", "capture_notices"),
    Operation("review", "review.review_document", "review_notices"),
    Operation("commit", "history.committed_document", "commit_notices"),
    Operation("diff", "history.diff_document"),
    Operation("log", "history.log_document"),
    Operation("resolve", "sync.resolved_document", "resolve_notices"),
    Operation("sync", "sync.synced_document", "sync_notices"),
    Operation("git.install", "sync.setup_document"),
    Operation("git.status", "sync.setup_document"),
    Operation("git.uninstall", "sync.setup_document"),
    Operation("reflect", "reports.reflect_document", "reflect_notices"),
    Operation("doctor", "reports.diagnosis_document"),
    Operation("report", "reports.reported_document", "report_notices"),
    Operation("import", "transfer.import_document", "import_notices"),
    Operation("export", "transfer.export_document", "export_notices"),
    Operation("stats", "documents.records_document"),
    Operation("restore", "documents.restored_document"),
    Operation("settings", "documents.settings_document"),
    Operation("tool.list", "tools.tools_document"),
    Operation("tool.show", "tools.found_tool_document", "tool_notices", subject="row"),
    Operation("tool.add", "tools.change_document"),
    Operation("tool.import", "tools.changes_document"),
    Operation("turn.add", "documents.turns_document"),
    Operation("turn.list", "documents.turns_document"),
    Operation("turn.show", "documents.turn_document", "turn_notices"),
    Operation("turn.render", "documents.rendered_document"),
    Operation("index.status", "documents.status_document", "index_notices"),
    Operation("index.rebuild", "documents.status_document", "index_notices"),
)
OPERATIONS: Mapping[str, Operation] = {row.name: row for row in _ROWS}

_READS = frozenset(
    """
    rule.show rule.list rule.why rule.test rule.due fact.get fact.list memory.show
    memory.list search recall prompt guard query trace scratch.list scratch.show
    working.show conversation.list conversation.show check diff log git.status reflect
    doctor report export stats settings tool.list tool.show turn.list turn.show
    turn.render index.status
    """.split()
)
"""Operations that change nothing in the vault."""

COMMANDS_ONLY: Mapping[str, str] = {
    "init": "makes a vault; a server serves one that is there",
    "schema": "describes files, and needs no vault",
    "hook": "speaks each agent's own protocol",
    "setup": "changes settings of other programs, on a person's word",
    "agent": "changes settings of other programs, on a person's word",
    "trust": "changes the user's own settings, on a person's word",
    "browse": "shows the vault at a terminal",
    "undo": "takes back the last change of rules, on a person's word",
    "help": "prints the help of a command",
    "rpc": "is a server",
    "mcp": "is a server",
}
"""Commands (or groups) that exist on the command line only, and why."""

METHODS_ONLY: Mapping[str, str] = {
    "working.set": "hooks and programs store values; people read and clear them",
    "conversation.add": "hooks and programs store messages; people read and clear them",
}
"""Operations that have no command, and why."""

FLAGS_ONLY: Mapping[str, Mapping[str, str]] = {
    "search": {
        "explain": "prints an explanation for people",
        "expect": "prints an explanation for people",
    },
    "prompt": {
        "explain": "prints an explanation for people; programs have the document",
        "check": "compares with a file of the person",
    },
    "doctor": {
        "fix": "changes settings of other programs, too, on a person's word",
        "bundle": "a file that a person adds to a bug report",
    },
    "capture": {"candidates": "prints lines for a model; a dry run has them, too"},
    "diff": {"format": "how it is printed"},
    "check": {"format": "how it is printed"},
    "trace": {"follow": "goes on until a person stops it"},
    "tool.import": {"file": "bounds the file that a command reads"},
    "turn.render": {"file": "bounds the file that a command reads"},
}
"""Arguments that a command has and its method does not, and why."""

PROGRAMS_ONLY: Mapping[str, Mapping[str, str]] = {
    "rule.add": {"created_at": "a person adds a rule now; programs carry one over"},
    "capture": {"text": "a command reads it from standard input"},
    "import": {"text": "a command reads it from standard input"},
    "reflect": {"plan": "a command reads it from standard input"},
    "turn.add": {"text": "a command reads it from standard input"},
}
"""Arguments that a method has and its command does not, and why."""


def method_of(vault: Any, name: str) -> Any:
    """Return the bound method of a ``toolmem.Vault`` for an operation."""
    found = vault
    for part in name.split("."):
        attribute = "import_" if part == "import" else part.replace("-", "_")
        found = getattr(found, attribute)
    return found
