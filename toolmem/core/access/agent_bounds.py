"""Bounds on the operations and parameters that an agent may use.

They apply to requests of agents: MCP always, JSON-RPC and the command line where an
agent is named or ``TOOLMEM_AGENT`` is set. A parameter without a bound is refused, so a
new one must be decided on before an agent can use it.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cache


class Bound(Enum):
    """An agent's permission for a parameter.

    ``FREE``: any value. ``LIMITED``: the operation decides by the content of the
    vault (an agent cannot change a person's critical rule, set a priority above high
    or accept a proposal, only its author changes a memory). ``PERSON``: for people
    only. ``READS`` and ``WRITES``: a file in the vault, or below the working folder
    of a command line. ``WRITES_HERE``: as ``WRITES``; without a name, the working
    folder itself.
    """

    FREE = "free"
    LIMITED = "limited"
    PERSON = "person"
    READS = "reads"
    WRITES = "writes"
    WRITES_HERE = "writes-here"


WHOLE = "*"
"""Key of an operation that only a person may run, in place of its parameters."""

_TABLE = """
rule.add: free tool text scope tag expires evidence guard no_guard
  reason create dry_run  limited priority source id created_at  person allow_secret
rule.show: free id scope
rule.list: free tool effective scope priority tag limit
rule.why: free id
rule.test: free id
rule.due: free session
rule.edit: free scope reason dry_run
  limited id text priority tag expires evidence no_guard  person allow_secret
rule.override: free scope reason create  limited id disable enable priority text
  person allow_secret
rule.archive: free reason scope  limited id
rule.delete: free scope  limited id
rule.move: free scope create  limited id
rule.keep: free tool scope session  limited id quote priority wording
rule.retract: free scope session  limited id quote which
fact.set: free key value scope namespace create  person allow_secret
fact.get: free key scope namespace
fact.list: free scope namespace limit
fact.delete: free key scope namespace
memory.save: free text scope topic tag kind importance source_task source private
  expires replaces create  person allow_secret
memory.show: free id full
memory.list: free scope topic tag kind limit
memory.edit: free text topic tag kind importance expires uncontested  limited id
  person private allow_secret
memory.archive: free reason  limited id
memory.move: free scope create  limited id
memory.delete: limited id
search: free query scope topic tag kind only since until importance_min limit semantic
  explain expect
recall: free query namespace scope topic limit semantic
prompt: free topic task tool only budget max_chars format session refresh at explain
  reads check
guard: free tool input
query: free request budget
apply: free response tool
trace: free request tool since limit follow
scratch.add: free text type source owner status confidence tag ttl context metadata
  fields
scratch.list: free type status owner source tag confidence context all limit
scratch.show: free id
scratch.edit: free id text type owner confidence tag ttl context metadata fields
scratch.set-status: free id status
scratch.clear: free *
working.set: free name text type source confidence tag ttl metadata fields session
working.show: free name session limit
working.clear: free name session
conversation.add: free text role source confidence tag ttl metadata fields session
conversation.list: free session limit
conversation.show: free id
conversation.clear: person *
check: free secrets history strict format  person fix
capture: free text format tool scope session since_last dry_run candidates
  person answers  reads file
review: free past  person accept reject text rule priority scope create
commit: free id message dry_run  person allow_secret all
diff: free before after format
log: free id scope limit
resolve: person *
sync: person *
git.install: person *
git.status: free *
git.uninstall: person *
reflect: free plan model  reads folder apply  writes output
doctor: free deep  person fix  writes bundle
report: person *
import: free text format scope priority dry_run  reads path  person allow_secret
export: free target permissions check  limited private  writes-here output
stats: free tool limit
restore: limited id
settings: free all
tool.list: free limit
tool.show: free tool
tool.add: free tool verb argument description create  person alias
tool.import: free listing dry_run  reads file
turn.add: free text session format  reads file
turn.list: free session limit
turn.show: free turn session
turn.render: free session last append_to  reads file
index.status: person *
index.rebuild: person *
"""


def agent_bounds(operation: str) -> Mapping[str, Bound]:
    """Return the bound of each parameter of an operation; ``*`` means all of them."""
    return _table().get(operation, {})


def decided() -> Mapping[str, Mapping[str, Bound]]:
    """Return the whole table."""
    return _table()


@cache
def _table() -> dict[str, dict[str, Bound]]:
    table: dict[str, dict[str, Bound]] = {}
    kinds = {bound.value: bound for bound in Bound}
    row: dict[str, Bound] = {}
    bound = Bound.PERSON
    for word in _TABLE.split():
        if word.endswith(":"):
            row = table[word[:-1]] = {}
        elif word in kinds:
            bound = kinds[word]
        else:
            row[word] = bound
    return table
