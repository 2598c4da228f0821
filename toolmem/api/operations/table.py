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

from collections.abc import Mapping
from typing import Any, NamedTuple


class Operation(NamedTuple):
    """One operation; its method, answer and remarks are looked up when it is used.

    ``reads`` is True if it changes nothing. ``document`` names the function that
    makes its answer (none: ``documents.plain``), ``notices`` the one that yields its
    remarks, ``tool`` its MCP tool. ``subject`` is the field of its
    result that it answers with, None if nothing was found; "" is the result itself.
    With ``null`` the document is null then.
    """

    name: str
    reads: bool = False
    document: str = ""
    notices: str = ""
    tool: str = ""
    subject: str = ""
    null: bool = False

    def answer(self, result: Any) -> Any:
        """Return the part of a result that is the answer."""
        return getattr(result, self.subject) if self.subject else result

    def is_missing(self, result: Any, asked: Any) -> bool:
        """Return whether what was asked for, by a name or id, was not found.

        A reader's answer is then empty, a change's count is 0.
        """
        answer = self.answer(result)
        nothing = not answer if self.reads else answer == 0
        return answer is None or bool(asked and nothing)


_TABLE = """
rule.add notices=put tool=tool_rule_put
rule.show reads document=shown_rule tool=tool_rule_get
rule.list reads notices=rules tool=tool_rule_list
rule.why reads tool=tool_rule_why
rule.test reads document=rule_tests
rule.due reads
rule.edit notices=change
rule.override notices=change
rule.archive
rule.move
rule.delete tool=tool_rule_delete
rule.keep tool=rule_keep
rule.retract tool=rule_retract
fact.set notices=fact_change tool=memory_fact_store
fact.get reads notices=fact tool=memory_fact_recall subject=fact
fact.list reads notices=facts tool=memory_fact_list subject=facts
fact.delete notices=fact_change tool=memory_fact_delete
  subject=fact
memory.save notices=save tool=memory_idea_save
memory.show reads notices=memory tool=memory_get
memory.list reads subject=memories notices=memories tool=memory_idea_list
memory.edit tool=memory_idea_edit
memory.archive tool=memory_idea_archive
memory.move
memory.delete tool=memory_idea_delete
search reads notices=search tool=memory_idea_recall
recall reads notices=recall tool=memory_recall
prompt reads tool=tool_rules_for_prompt
guard reads tool=guard_check
query reads
apply
trace reads
scratch.add tool=scratch_add subject=entry
scratch.list reads tool=scratch_list
scratch.show reads null
scratch.edit subject=entry
scratch.set-status tool=scratch_set_status subject=entry
scratch.clear
working.set notices=working subject=value
working.show reads
working.clear document=cleared
conversation.add subject=message
conversation.list reads
conversation.show reads null
conversation.clear document=cleared
check reads notices=check
capture notices=capture
review notices=review
commit notices=commit
diff reads
log reads
resolve notices=resolve
sync notices=sync
git.install
git.status reads
git.uninstall
reflect reads
doctor reads
report reads notices=report
import notices=import
export reads notices=export
stats reads
restore
settings reads
tool.list reads
tool.show reads
tool.add
tool.import
turn.add
turn.list reads
turn.show reads
turn.render reads
index.status reads notices=index
index.rebuild notices=index
"""


def _row(line: str) -> Operation:
    """Return an operation from a line: its name, KEY=VALUE, and what is true of it."""
    name, *words = line.split()
    fields = (word.partition("=") for word in words)
    values: dict[str, Any] = {key: value or True for key, _, value in fields}
    return Operation(name, **values)


OPERATIONS: Mapping[str, Operation] = {
    row.name: row for row in map(_row, _TABLE.replace("\n  ", " ").strip().splitlines())
}

COMMANDS_ONLY: Mapping[str, str] = {
    "init": "makes a vault; a server serves one that is there",
    "schema": "describes files and answers, and needs no vault",
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
    "settings": {"all": "how much is printed; programs get every setting"},
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
    method = vault
    for part in name.split("."):
        attribute = "import_" if part == "import" else part.replace("-", "_")
        method = getattr(method, attribute)
    return method
