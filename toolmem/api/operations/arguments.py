"""Arguments of operations, described once for each name and every surface.

The signature of an operation's method gives the type and the default; an argument
without ``*`` before it is positional on the command line, the others are options. From
here come the options of commands and their completions, the schemas of JSON-RPC and
MCP, the documentation of the methods, and the manual page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from toolmem.api.operations.argument import Argument
from toolmem.api.operations.table import OPERATIONS
from toolmem.core import model
from toolmem.core.access import dialogue, scratch_page
from toolmem.core.agents import registry
from toolmem.core.exports import targets
from toolmem.core.imports import kinds
from toolmem.core.merge import open_conflicts
from toolmem.core.prompt import parts
from toolmem.core.search import doc
from toolmem.core.transcript import read as transcripts
from toolmem.ops.prompt import build
from toolmem.ops.search import semantic
from toolmem.ops.setup import schemas

_CHOICES: Mapping[str, Callable[[], Sequence[str]]] = {
    "blocks": lambda: build.FORMATS,
    "documents": lambda: doc.KINDS,
    "hosts": lambda: ("github", "gitlab", "sarif"),
    "imports": lambda: ("auto", *kinds.FORMATS),
    "modes": lambda: semantic.MODES,
    "parts": lambda: parts.KINDS,
    "programs": lambda: registry.AGENTS,
    "schemas": lambda: (*schemas.SCHEMAS, *OPERATIONS),
    "prints": lambda: ("text", "markdown"),
    "priorities": lambda: tuple(model.PRIORITIES),
    "roles": lambda: dialogue.ROLES,
    "sources": lambda: tuple(model.SOURCES),
    "statuses": lambda: scratch_page.STATUSES,
    "takes": lambda: open_conflicts.TAKES,
    "targets": lambda: targets.EXPORTS,
    "transcripts": lambda: ("auto", *transcripts.FORMATS),
}
_KNOWN = {
    "kinds": ("insight", "fact", "skill", "pattern", "observation", "user_preference"),
    "authors": ("person", "agent"),
    "expiries": ("tomorrow", "friday", "end of month", "7d", "30d", "1y"),
    "owners": ("agent", "user"),
    "pasts": ("12h", "7d", "30d", "yesterday"),
    "types": ("observation", "risk_alert", "reminder", "pending_confirmation"),
}
_TABLE = """
agent @agents: Agent name.
agent_type @agent_types: Agent type, such as coding.
alias: An alias of the tool.
allow_secret: Store it even if it looks like a credential.
argument: Name of an argument, such as to.
as_json: Print JSON.
budget TOKENS 0..: Maximum number of tokens.
confidence N: From 0 to 1.
context KEY=VALUE: Context as KEY=VALUE, such as goal_id=visit.
create: Make a new project, agent type or tool, even if it resembles a known one.
created_at TIME: When the rule was made elsewhere (RFC 3339).
description TEXT: Description of the tool.
dry_run: Only show what would be done.
evidence TEXT: Where the rule comes from, such as a quotation.
expires WHEN ~expiries: A date, time or span: 2026-05-07, 30d, friday, end of month.
explain: Explain the answer on standard error.
fields <fields: Read TEXT as a JSON object with all fields.
full: The original text, not the summary.
importance N 0..1: From 0 to 1.
key KEY @fact_keys: The fact's key.
kind KIND ~kinds: insight, fact, skill, pattern, ….
last N 1..: Number of items, counted from the last.
limit N -n 1..: Maximum number of results.
metadata KEY=VALUE: Metadata as KEY=VALUE.
namespace @namespaces: Namespace: the heading in facts.md.
no_guard: Do not derive a guard from the text.
output FILE -o: File to write; - prints it.
owner ~owners: Who should act: agent, user or a tool.
plan TEXT: Text of a plan, as `reflect` prints it.
priority PRIORITY -p =priorities:
private: Hide it from agents.
project @projects: Project name.
quote TEXT <text: The user's exact words.
reason TEXT: Reason; stored with the change.
replaces ID @memory_ids: A memory that it supersedes; that one ranks below.
role ROLE =roles:
scope SCOPE @scopes: system, project:NAME[/TYPE], agent-type:NAME or agent:NAME.
semantic MODE =modes: Compare meanings by: table, model (needs the extra semantic of the
  package) or off.
session ID @sessions: Session id.
since WHEN ~pasts: Since a date, time or span: 2026-05-07, 12h, yesterday.
source ~authors: Author of the text, such as a person or tool.
source_task ID: Task in which it was learned.
status STATUS =statuses:
tag TAG @tags: A tag; may be given several times.
text TEXT <text ?: Text.
tool TOOL @tools: The tool's name; * for every tool.
topic TOPIC @topics: Topic.
ttl SPAN: Time to live, such as 30m, 12h or 7d.
type TYPE ~types: observation, risk_alert, reminder ….
until WHEN ~pasts: Until a date (its end), time or span: 2026-05-07, 12h, friday.
updated_at TIME: Ignored: the vault keeps this time itself.
value VALUE <text: One line.
verb WORD: A verb for its use, such as email.
agent agent AGENT =programs:
agent dry_run: Show the change without writing it.
agent project: Use the settings of this folder (the default).
agent user: Use the user settings, for every project.
agent.install mcp: Add toolmem to the agent's MCP servers, too.
agent.install no_warm: Do not ask a helper process about tool calls.
agent.install print_: Print the settings for an empty file.
agent.status agent AGENT =programs: Only this agent.
agent.status all: Also list agents that are not installed.
apply response RESPONSE <document ?: A file with a ToolResponse (JSON or YAML).
apply tool TOOL @tools: Tool that answered, if the response names none.
capture answers FILE: Judgements of the candidates as JSON lines; - reads standard
  input.
capture candidates: Only print an instruction for a model, then each candidate as a
  line of JSON.
capture file FILE... <-text ?: Transcripts of agents.
capture format FORMAT =transcripts:
capture session ID: Id, if the transcript does not contain it.
capture since_last: Continue after the last captured turn of this transcript.
capture tool @tools: A tool of the agent; may be given several times.
check fix: Rewrite what older versions stored: guards, topics, tags.
check format FORMAT =hosts: Print for a code host: github, gitlab or sarif.
check history: With --secrets: also search the git history.
check secrets: Also look for credentials.
check strict: Exit with 1 for warnings as well.
commit all: Also commit files that set toolmem up: pointer, workflow, agents' settings
  with hooks.
commit id ID @changes: Ids or paths of changes to commit; default: all.
commit message TEXT -m: Use this message instead of the generated one.
conversation id ID @messages: Message id.
conversation limit N -n --last 1..: Number of items, counted from the last.
diff after AFTER: Revision or date to compare with; default: the working tree.
diff before BEFORE: Revision or date to compare from, or A..B or A...B; default: HEAD.
diff format FORMAT =prints: text, or markdown for a pull request.
doctor bundle FILE: Write details for a bug report, without vault contents; - prints
  them.
doctor deep: Also verify every file, git object and database page (slower).
doctor fix: Fix what can be fixed automatically; backups are kept.
export check: Write nothing; exit 1 when a file is stale.
export output PATH -o: File or project folder to write to; - prints the export.
export permissions --permissions/--no-permissions: Also export guards as permissions
  (claude and codex).
export private: Also export private memories (json).
export target TARGET =targets:
git about: File, id and mode, before and after; and a new name.
git base: Common ancestor.
git ours: Our version; the result goes here.
git path: Path in the repository.
git theirs: Their version.
guard input JSON <json: The call's arguments, a JSON object.
hook agent AGENT =programs: The agent, such as claude or codex.
hook event: Event name, if its JSON does not contain it.
import format FORMAT =imports:
import path PATH... <-text: Files and folders.
import priority PRIORITY -p =priorities: Highest priority of an imported rule: critical,
  high or normal.
init path PATH: Folder, created if missing; default: the working folder.
init sample: Include a sample project with rules.
init user: Make your default vault, and write your settings. Without PATH it is
  ~/.local/share/toolmem/vault.
log id ID @items: Rule id, memory id or fact key; default: the whole vault.
log limit N -n 1..: Maximum number of commits, for the whole vault.
mcp read_only: Refuse every change.
memory id ID @memory_ids: Memory id (file name without .md) or a unique prefix.
memory.edit expires WHEN ~expiries: A date, time or span: 2026-05-07, 30d,
  friday; or never.
memory.edit private --private/--public: Hide it from agents, or show it again.
memory.edit tag TAG @tags: The new tags (all of them; '' for none).
memory.edit text TEXT <text: The new text.
memory.edit uncontested: Remove its links to memories that contradict it.
memory.list tag TAG @tags: Only memories with this tag.
memory.move scope SCOPE @scopes: Scope to move the memory to.
memory.save text TEXT <text ?: Markdown: a title, then what, why and when.
prompt at REV|DATE: Print the block of a git revision or date.
prompt check FILE: Compare with a file; exit 1 if it differs.
prompt explain: Explain on standard error what is included, what is left out and why.
prompt format FORMAT =blocks:
prompt max_chars CHARS 0..: Maximum number of characters.
prompt only PART =parts: Only this part, such as rules.
prompt refresh: Render the session's block again.
prompt session ID @sessions: Keep the block unchanged during a session.
prompt task TEXT: Include memories on the topic of this task.
prompt tool @tools: Only the rules of this tool (and those for every tool).
prompt topic TOPIC @topics: Include memories on this topic.
query budget TOKENS 1..: Token budget of all queries.
query request REQUEST <document ?: A file with a ToolRequest (JSON or YAML).
recall namespace @namespaces: Namespace of facts, or tool-NAME for a tool's rules.
recall query QUERY @fact_keys <text: A fact's key, or a question; * lists the namespace.
reflect apply PLAN <-plan: Apply this plan.
reflect folder FOLDER: The project's git repository, to find memories about files that
  have changed.
reflect model: Merge texts with your model command (model.command).
reflect output FILE -o: File for the plan; - prints it.
report base_url URL: The repository's web address: files and commits become links.
report output FILE -o: Output file; - (the default) prints the report.
resolve key KEY: With --take: resolve only this key.
resolve path PATH @conflicts: Only these files, by path or by a rule's id.
resolve take SIDE =takes: Resolve with ours, theirs, stricter (rules) or both (texts).
restore id ID @archived_ids: Id of an archived rule or memory.
review accept ID @pending: Accept a proposal, or commit a change.
review past: List the candidates of the last 14 days instead.
review reject ID @pending: Reject a proposal, or revert a change.
review rule ID @rule_ids: With --accept: id of the rule, if there are several.
review text TEXT: With --accept: use this text for the rule.
rpc read_only: Refuse every change.
rule id ID @rule_ids: Rule id or a unique prefix.
rule.add guard TOML: A guard of the rule, such as 'command = ["git", "push", "-f"]';
  several are possible.
rule.add id ID: Id to store the rule under.
rule.add source SOURCE =sources:
rule.add text TEXT <text: Text of the rule, one sentence.
rule.due session ID @sessions: Session id; default: all sessions.
rule.edit expires WHEN ~expiries: A date, time or span: 2026-05-07, 30d,
  friday; or never.
rule.edit tag TAG @tags: The new tags (all of them; '' for none).
rule.edit text TEXT <text: The new text.
rule.keep id ID @candidates: Ids of candidates, or unique prefixes.
rule.keep priority PRIORITY -p =priorities: A lower priority than the wording implies.
rule.keep session ID @sessions: Session id; default: the sessions of the last day.
rule.keep tool @tools: The tool that the rule is about.
rule.keep wording TEXT --as: Text of the rule, in the user's words without idle ones.
rule.list effective: Only rules in effect (the default with a project, agent type or
  agent).
rule.list tag TAG @tags: Only rules with this tag.
rule.list tool TOOL @tools: Only rules that apply to this tool.
rule.move scope SCOPE @scopes: Scope to move the rule to.
rule.override disable: Disable the rule in that scope.
rule.override enable: Enable the rule in that scope again.
rule.override text TEXT: Text of the rule in that scope.
rule.retract id ID @candidates: Ids of candidates, or unique prefixes.
rule.retract session ID @sessions: Session id; default: the sessions of the last day.
rule.retract which ID @rule_ids: Id of the rule, if several match.
rule.test id ID @rule_ids: Only these rules.
schema name =schemas: A kind of file, or an operation such as rule.list; default: list
  them.
scratch id ID @entries: Entry id or a unique prefix.
scratch.clear id ID @entries: Ids of entries; default: all that can be removed.
scratch.edit text TEXT <text: The new text.
scratch.list all: Include archived entries.
scratch.list confidence N 0..1: At least this, from 0 to 1.
scratch.set-status status STATUS =statuses: New status; it cannot go back to an earlier
  one.
search expect ID @items: Explain the rank of this result, or why it is missing.
search explain: Explain each score on standard error.
search importance_min N 0..1: Minimum importance, from 0 to 1.
search only WHAT =documents: Only memory, rule, fact, override, guidance or profile.
search query QUERY <text: A question, or words.
search tag TAG @tags: Only results with this tag.
settings all: Show every setting, and what it is for.
setup agents NAMES =programs: Agents, with commas between; default: those that are
  installed.
setup project: Use the settings of this repository, not yours.
setup remove: Leave every file as it was before.
setup yes: Do not ask.
stats tool TOOL @tools: Show only this tool, with its errors.
sync all: Also push commits that change files outside the vault.
sync offline: Merge the last fetched state; do not fetch or push.
sync remote: Remote to use instead of the branch's upstream.
tool.import listing FILE <file: An MCP tools/list result, an OpenAI tools array or a
  manifest with memory_access (YAML or JSON).
trace follow: Print new lines as they are written, until Ctrl-C.
trace limit N -n 1..: Number of items, counted from the last.
trace request ID: Only this request.
trace tool @tools: Only this tool.
trust folder FOLDER: Folder; default: the working folder.
turn file FILE <-text ?: The agent's transcript.
turn format FORMAT =transcripts:
turn limit N -n --last 1..: Number of items, counted from the last.
turn turn TURN: Turn number, from 0; default: the last one.
turn.add session ID: Id, if the transcript does not contain it.
turn.render append_to FILE <file: File with an assistant's message to append the block
  to.
undo list_: List the last ten steps; undo nothing.
undo step ID @steps: The id of a listed step.
working.clear name @values: Names of values; default: all.
working.set name: Name of the value.
working.show name @values: Only the value of this name.
"""
"""A line for each: its operation or noun, if it differs, and its name; METAVAR; other
spellings (-n); the completion (@tools), the choices (=roles) or some values (~kinds);
what a command line reads (<text; <-text: standard input is the argument text; ?: by
default); the range (1.., 0..1); and its description."""


def _described() -> Iterator[tuple[str, Argument]]:
    """Yield the arguments of the table."""
    for line in _TABLE.replace("\n  ", " ").strip().splitlines():
        head, _, about = line.partition(":")
        marks: dict[str, list[str]] = {mark: [] for mark in "-@=<~? "}
        names, least, most = [], "", ""
        for word in head.split():
            if word[0] in marks:
                marks[word[0]].append(word[1:])
            elif ".." in word and word[0].isdigit():
                least, _, most = word.partition("..")
            else:
                marks[" "].append(word) if word.isupper() else names.append(word)
        reads = "".join(marks["<"])
        yield (
            " ".join(names),
            Argument(
                about.strip(),
                (marks[" "] or ["NAME"])[0],
                offers="".join(marks["@"]),
                choices=_CHOICES.get("".join(marks["="]), tuple),
                known=_KNOWN.get("".join(marks["~"]), ()),
                flags=tuple(f"-{word}" for word in marks["-"]),
                reads=reads if reads[:1] != "-" else "",
                stdin=reads[1:] if reads[:1] == "-" else "",
                optional=bool(marks["?"]),
                least=int(least) if least else None,
                most=int(most) if most else None,
            ),
        )


ARGUMENTS: Mapping[str, Argument] = dict(_described())
"""By name; one that differs has its operation or the operation's noun before it."""


def argument(operation: str, name: str) -> Argument:
    """Return the description of an argument of an operation."""
    noun = operation.partition(".")[0]
    keys = (f"{operation} {name}", f"{noun} {name}", name)
    return next(ARGUMENTS[key] for key in keys if key in ARGUMENTS)
