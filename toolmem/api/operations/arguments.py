"""Arguments of operations, described once for each name and every surface.

The signature of an operation's method gives the type and the default; an argument
without ``*`` before it is positional on the command line, the others are options. From
here come the options of commands and their completions, the schemas of JSON-RPC and
MCP, the documentation of the methods, and the manual page.
"""

from collections.abc import Iterator, Mapping

from toolmem.api.operations.argument import DOCUMENT, FIELDS, FILE, JSON, TEXT, Argument
from toolmem.core import model
from toolmem.core.access import dialogue, scratch_page
from toolmem.core.exports import targets
from toolmem.core.imports import kinds
from toolmem.core.merge import open_conflicts
from toolmem.core.prompt import parts
from toolmem.core.search import doc
from toolmem.core.transcript import read as transcripts
from toolmem.ops.prompt import build
from toolmem.ops.search import semantic

_SHARE = Argument("From 0 to 1.", "N", least=0, most=1, shows_default=False)
_KINDS = ("insight", "fact", "skill", "pattern", "observation", "user_preference")
_TYPES = ("observation", "risk_alert", "reminder", "pending_confirmation")
_TEXT = Argument("The new text; - reads standard input.", "TEXT", reads=TEXT)
_QUOTE = "The user's exact words; - reads standard input."


def _priorities() -> tuple[str, ...]:
    return tuple(one.value for one in model.Priority)


def _transcripts() -> tuple[str, ...]:
    return ("auto", *transcripts.FORMATS)


_PLAIN = """
agent @agents: Agent name.
agent_type @agent_types: Agent type, such as coding.
alias: An alias of the tool.
allow_secret: Store it even if it looks like a credential.
argument: Name of an argument, such as to.
as_json: Print JSON.
context KEY=VALUE: Context as KEY=VALUE, such as goal_id=visit.
created_at TIME: When the rule was made elsewhere (RFC 3339).
description TEXT: Description of the tool.
dry_run: Only show what would be done.
evidence TEXT: Where the rule comes from, such as a quotation.
expires WHEN: A date (its end), a time, or a span such as 30d.
explain: Explain the answer on standard error.
full: The original text, not the summary.
key KEY @fact_keys: The fact's key.
metadata KEY=VALUE: Metadata as KEY=VALUE.
namespace @namespaces: Namespace: the heading in facts.md.
no_guard: Do not derive a guard from the text.
output FILE -o: File to write; - prints it.
owner: Who should act: agent, user or a tool.
private: Hide it from agents.
project @projects: Project name.
reason TEXT: Reason; stored with the change.
replaces ID @memory_ids: A memory that it supersedes: it stays, and ranks below.
scope SCOPE @scopes: system, agent-type:NAME, project:NAME, project:NAME/TYPE or
  agent:NAME.
session ID @sessions: Session id.
since WHEN: Since a date, a time or a span such as 12h.
source: Author of the text, such as a person or tool.
source_task ID: Task in which it was learned.
tag TAG: A tag; may be given several times.
tool TOOL @tools: The tool's name; * for every tool.
topic TOPIC @topics: Topic.
ttl SPAN: Time to live, such as 30m, 12h or 7d.
until WHEN: Until a date (its end), a time or a span.
verb WORD: A verb for its use, such as email.
conversation id ID: Message id.
memory id ID @memory_ids: Memory id (file name without .md) or a unique prefix.
rule id ID @rule_ids: Rule id or a unique prefix.
scratch id ID: Entry id or a unique prefix.
apply tool TOOL: Tool that answered, if the response names none.
capture answers FILE: Judgements of the candidates as JSON lines; - reads standard
  input.
capture candidates: Only print the candidates as JSON lines, for a model to judge.
capture session ID: Id, if the transcript does not contain it.
capture since_last: Continue after the last captured turn of this transcript.
capture tool: A tool of the agent; may be given several times.
check fix: Rewrite what older versions stored: guards, topics, tags.
check history: With --secrets: also search the git history.
check secrets: Also look for credentials.
check strict: Exit with 1 for warnings as well.
commit all: Also commit files that set toolmem up: pointer, workflow, agents' settings
  with hooks.
commit id ID: Ids or paths of changes to commit; default: all.
commit message TEXT -m: Use this message instead of the generated one.
diff after AFTER: Revision or date to compare with; default: the working tree.
diff before BEFORE: Revision or date to compare from, or A..B or A...B; default: HEAD.
doctor bundle FILE: Write details for a bug report, without vault contents; - prints
  them.
doctor deep: Also verify every file, git object and database page (slower).
doctor fix: Fix what can be fixed automatically; backups are kept.
export check: Write nothing; exit 1 when a file is stale.
export output PATH -o: File or project folder to write to; - prints the export.
export private: Also export private memories (json).
log id ID @rule_ids: Rule id, memory id or fact key; default: the whole vault.
memory.edit expires WHEN: A date (its end), a span such as 30d, or never.
memory.edit tag TAG: The new tags (all of them; '' for none).
memory.edit uncontested: Remove its links to memories that contradict it.
memory.list tag TAG: Only memories with this tag.
memory.move scope SCOPE @scopes: Scope to move the memory to.
plan TEXT: Text of a plan, as `reflect` prints it.
prompt at REV|DATE: Print the block of a git revision or date.
prompt check FILE: Compare with a file; exit 1 if it differs.
prompt explain: Explain on standard error what is included, what is left out and why.
prompt refresh: Render the session's block again.
prompt session ID: Keep the block unchanged during a session.
prompt task TEXT: Include memories on the topic of this task.
prompt tool @tools: Only the rules of this tool (and those for every tool).
prompt topic TOPIC @topics: Include memories on this topic.
reflect folder FOLDER: The project's git repository, to find memories about files that
  have changed.
reflect model: Merge texts with your model command (model.command).
reflect output FILE -o: File for the plan; - prints it.
report base_url URL: The repository's web address: files and commits become links.
report output FILE -o: Output file; - (the default) prints the report.
resolve key KEY: With --take: resolve only this key.
resolve path PATH: Only these files, by path or by a rule's id.
restore id ID @archived_ids: Id of an archived rule or memory.
review accept ID: Accept a proposal, or commit a change.
review past: List the candidates of the last 14 days instead.
review reject ID: Reject a proposal, or revert a change.
review rule ID @rule_ids: With --accept: id of the rule, if there are several.
review text TEXT: With --accept: use this text for the rule.
rule.add guard TOML: A guard of the rule, such as 'command = ["git", "push", "-f"]';
  several are possible.
rule.add id ID: Id to store the rule under.
rule.edit expires WHEN: A date (its end), a span such as 30d, or never.
rule.edit tag TAG: The new tags (all of them; '' for none).
rule.keep id ID: Ids of candidates, or unique prefixes.
rule.due session ID: Session id; default: all sessions.
rule.keep session ID: Session id; default: the sessions of the last day.
rule.keep tool @tools: The tool that the rule is about.
rule.keep wording TEXT --as: Text of the rule, in the user's words without idle ones.
rule.list effective: Only rules in effect (the default with a project, agent type or
  agent).
rule.list tag TAG: Only rules with this tag.
rule.list tool TOOL @tools: Only rules that apply to this tool.
rule.move scope SCOPE @scopes: Scope to move the rule to.
rule.override disable: Disable the rule in that scope.
rule.override enable: Enable the rule in that scope again.
rule.override text TEXT: Text of the rule in that scope.
rule.retract id ID: Ids of candidates, or unique prefixes.
rule.retract session ID: Session id; default: the sessions of the last day.
rule.retract which ID @rule_ids: Id of the rule, if several match.
rule.test id ID @rule_ids: Only these rules.
scratch.clear id ID: Ids of entries; default: all that can be removed.
scratch.list all: Include archived entries.
search expect ID: Explain the rank of this result, or why it is missing.
search explain: Explain each score on standard error.
search tag TAG: Only results with this tag.
stats tool TOOL @tools: Show only this tool, with its errors.
sync all: Also push commits that change files outside the vault.
sync offline: Merge the last fetched state; do not fetch or push.
sync remote: Remote to use instead of the branch's upstream.
trace follow: Print new lines as they are written, until Ctrl-C.
trace request ID: Only this request.
trace tool @tools: Only this tool.
turn.add session ID: Id, if the transcript does not contain it.
turn turn TURN: Turn number, from 0; default: the last one.
working.clear name: Names of values; default: all.
working.show name: Only the value of this name.
working.set name: Name of the value.
"""


def _plain() -> Iterator[tuple[str, Argument]]:
    """Yield the arguments of the table of texts: key METAVAR -flag @offers: about."""
    for line in _PLAIN.replace("\n  ", " ").strip().splitlines():
        head, _, about = line.partition(": ")
        words = head.split()
        names = [word for word in words if word[0] not in "-@" and not word.isupper()]
        metavars = [word for word in words if word.isupper()]
        yield (
            " ".join(names),
            Argument(
                about,
                metavars[0] if metavars else "NAME",
                flags=tuple(word for word in words if word[0] == "-"),
                offers="".join(word[1:] for word in words if word[0] == "@"),
            ),
        )


ARGUMENTS: Mapping[str, Argument] = {
    **dict(_plain()),
    "budget": Argument("Maximum number of tokens.", "TOKENS", least=0),
    "confidence": _SHARE._replace(least=None, most=None),
    "fields": Argument("Read TEXT as a JSON object with all fields.", reads=FIELDS),
    "importance": _SHARE,
    "kind": Argument("insight, fact, skill, pattern, …", "KIND", known=_KINDS),
    "last": Argument("Number of items, counted from the last.", "N", least=1),
    "limit": Argument("Maximum number of results.", "N", flags=("-n",), least=1),
    "priority": Argument("", "PRIORITY", choices=_priorities, flags=("-p",)),
    "quote": Argument(_QUOTE, "TEXT", reads=TEXT),
    "role": Argument("", "ROLE", choices=lambda: dialogue.ROLES),
    "semantic": Argument(
        "Compare meanings by: table, model (needs the extra semantic of the package) "
        "or off.",
        "MODE",
        choices=lambda: semantic.MODES,
    ),
    "status": Argument("", "STATUS", choices=lambda: scratch_page.STATUSES),
    "text": Argument(
        "Text; - (the default) reads standard input.", "TEXT", reads=TEXT, optional=True
    ),
    "type": Argument("observation, risk_alert, reminder …", "TYPE", known=_TYPES),
    "value": Argument("One line; - reads standard input.", "VALUE", reads=TEXT),
    "apply response": Argument(
        "A file with a ToolResponse (JSON or YAML); - reads standard input.",
        "RESPONSE",
        reads=DOCUMENT,
        optional=True,
    ),
    "capture file": Argument(
        "Transcripts of agents; - reads standard input.",
        "FILE...",
        stdin="text",
        optional=True,
    ),
    "capture format": Argument("", "FORMAT", choices=_transcripts),
    "check format": Argument(
        "Print for a code host: github, gitlab or sarif.",
        "FORMAT",
        choices=lambda: ("github", "gitlab", "sarif"),
    ),
    "diff format": Argument(
        "text, or markdown for a pull request.",
        "FORMAT",
        choices=lambda: ("text", "markdown"),
    ),
    "export permissions": Argument(
        "Also export guards as permissions (claude and codex).",
        flags=("--permissions/--no-permissions",),
    ),
    "export target": Argument("", "TARGET", choices=lambda: targets.EXPORTS),
    "guard input": Argument(
        "The call's arguments, a JSON object; - reads standard input.",
        "JSON",
        reads=JSON,
    ),
    "import format": Argument("", "FORMAT", choices=lambda: ("auto", *kinds.FORMATS)),
    "import path": Argument(
        "Files and folders; - reads standard input.", "PATH...", stdin="text"
    ),
    "import priority": Argument(
        "Highest priority of an imported rule: critical, high or normal.",
        "PRIORITY",
        choices=_priorities,
        flags=("-p",),
    ),
    "log limit": Argument(
        "Maximum number of commits, for the whole vault.", "N", flags=("-n",), least=1
    ),
    "memory.edit private": Argument(
        "Hide it from agents, or show it again.", flags=("--private/--public",)
    ),
    "memory.edit text": _TEXT,
    "memory.save text": Argument(
        "Markdown; - (the default) reads standard input.",
        "TEXT",
        reads=TEXT,
        optional=True,
    ),
    "prompt format": Argument("", "FORMAT", choices=lambda: build.FORMATS),
    "prompt max_chars": Argument("Maximum number of characters.", "CHARS", least=0),
    "prompt only": Argument(
        "Only this part, such as rules.", "PART", choices=lambda: parts.KINDS
    ),
    "query budget": Argument("Token budget of all queries.", "TOKENS", least=1),
    "query request": Argument(
        "A file with a ToolRequest (JSON or YAML); - reads standard input.",
        "REQUEST",
        reads=DOCUMENT,
        optional=True,
    ),
    "recall query": Argument("Query; - reads standard input.", "QUERY", reads=TEXT),
    "reflect apply": Argument(
        "Apply this plan; - reads standard input.", "PLAN", stdin="plan"
    ),
    "resolve take": Argument(
        "Resolve with ours, theirs, stricter (rules) or both (texts).",
        "SIDE",
        choices=lambda: open_conflicts.TAKES,
    ),
    "rule.add source": Argument(
        "", "SOURCE", choices=lambda: tuple(one.value for one in model.Source)
    ),
    "rule.add text": Argument(
        "Text of the rule; - reads standard input.", "TEXT", reads=TEXT
    ),
    "rule.edit text": _TEXT,
    "rule.keep priority": Argument(
        "A lower priority than the wording implies.",
        "PRIORITY",
        choices=_priorities,
        flags=("-p",),
    ),
    "scratch.edit text": _TEXT,
    "scratch.list confidence": _SHARE._replace(about="At least this, from 0 to 1."),
    "scratch.set-status status": Argument(
        "New status; it cannot go back to an earlier one.",
        "STATUS",
        choices=lambda: scratch_page.STATUSES,
    ),
    "search importance_min": _SHARE._replace(about="Minimum importance, from 0 to 1."),
    "search only": Argument(
        "Only memory, rule, fact, override, guidance or profile.",
        "WHAT",
        choices=lambda: doc.KINDS,
    ),
    "search query": Argument("Query; - reads standard input.", "QUERY", reads=TEXT),
    "tool.import listing": Argument(
        "An MCP tools/list result, an OpenAI tools array or a manifest with "
        "memory_access (YAML or JSON); - reads standard input.",
        "FILE",
        reads=FILE,
    ),
    "turn file": Argument(
        "The agent's transcript; - reads standard input.",
        "FILE",
        stdin="text",
        optional=True,
    ),
    "turn format": Argument("", "FORMAT", choices=_transcripts),
    "turn.render append_to": Argument(
        "File with an assistant's message to append the block to; - reads standard "
        "input.",
        "FILE",
        reads=FILE,
    ),
}
"""By name; one that differs has its operation or the operation's noun before it."""


def argument(operation: str, name: str) -> Argument:
    """Return the description of an argument of an operation."""
    noun = operation.partition(".")[0]
    keys = (f"{operation} {name}", f"{noun} {name}", name)
    return next(ARGUMENTS[key] for key in keys if key in ARGUMENTS)
