"""Shapes of answers in JSON, from which documents and their schemas are made.

Keys are only ever added. A type without a shape has its fields as keys.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from toolmem.api.operations import computed

_TABLE = """
Account: scope=layer.scope path=layer.path changed=layer.changed
  refused=layer.refused~ reason=layer.reason applies committed commits
Block: text parts tokens chars=text.chars() receipt()
UnjudgedCandidate: +line
CaptureResult: decrees failures turns skipped session~ format
  candidates:UnjudgedCandidate! failure!
CapturedDecree: turn sentence text kind=decree.kind tier=decree.tier tools action id
  decree=decree.id priority evidence reason! path! count=times_stated! clamped! scope!
  +relation()
Change: id=item.id kind=item.kind actions scope=item.scope path=item.path
  tool=item.tool~ reason~ before after fields=shown_fields() words
ChangeResult: +rule checks=changed_checks()? path action
ChangedItem: path scope tool~ title~ text values=shown_values() problem~ archived
Cleared: cleared=
Commit: commit=id author email when subject
CommitResult: commit=id message paths more left
Diagnosis: findings fixed ok=is_well
Diff: before~ after +groups() counts prompt=effect
DueNow: session rule=rule.id text=rule.rule priority=rule.priority demand change last~
ExportResult: =exported()
Fact: key value namespace scope path line found='true
ErrorLine: class=error line
FactAnswer: =fact_state()
FactListing: =facts
FactResult: +fact_state() scope action
FailureNote: turn tool count=times total sessions error command~ worked~ text action id
  evidence reason! path!
FileConflict: path +conflict
FixResult: code=finding.code path=finding.path~ result backup~
GuardAnswer: verdict rule:RuleInBrief guard reason near:RuleInBrief conservative
Hit: id=doc.id path=doc.path scope=doc.scope title=doc.title snippet score#
  relevance# topic=doc.topic~ kind=hit_kind() tags=doc.tags importance=doc.importance
  created=doc.created updated=doc.updated superseded_by
ImportOutcome: kind action id~ path~ text source priority! reason! +about_item()
ImportResult: files=imported.files dry_run counts=import_counts()
  items=imported.outcomes remarks=imported.remarks
IndexStatus: state reason~ documents files bytes folder~
InitResult: vault=root created kept git committed config workflow pointer
ListedRule: +rule effect
LogEntry: commit=commit.id author=commit.author when=commit.when
  subject=commit.subject changes counts
Manifest: aliases verbs arguments description version memory_access()
Memory: id path scope +parsed +unreadable()
MemoryListing: =memories
NamedRule: id rule
OmittedItem: +item reason
OpenConflict: path kind +conflict
ParsedMemory: title topic kind tags importance private created updated expires_at!
  summary! source! source_task! source_tasks_additional! agent! confidence! supersedes!
  contested_with! related_to! original=original_path! extra!
PendingProposal: id=proposal.id state='pending kind=proposal.kind tools=proposal.tools
  text=proposal.rule priority=proposal.priority scope=proposal.scope why=proposal.why
  sentence=proposal.sentence evidence=proposal.evidence
  confidence=proposal.confidence created_at=proposal.created_at rules:NamedRule
  path=proposal.path session=proposal.session~ candidate=proposal.candidate~
  tier=proposal.tier~ before=proposal.before after=proposal.after
  guards=preview.guards block=preview.block
PromptImpact: chain tokens=tokens() parts=impact_parts() rules_in rules_out
  rules_changed
PromptItem: +item_data() tokens=text.estimate_tokens()
PromptPart: kind tier tokens=part_tokens() items omitted
PutResult: +rule action checks=rule.guard_line() differs! clamped! lowered!
RecallResult: =recalled()
RecalledFact: query=fact.key source='fact value=fact.value +fact
RecalledSearch: +found source='search
Reflection: memories rules made_at=plan.made_at steps=plan.steps
Report: problems ok fixed!
ResolveResult: settled open problems
RestoreResult: id kind path action='restored
ReviewQueue: =queued()
ReviewedEntry: id=entry.id action paths=entry.paths commit
Rule: id tool rule priority source tags created_at updated_at scope path vault?
  expires_at? evidence? why=stated.why? reason? agent? kept_by=stated.kept_by?
  enabled=disabled()? guard=guards? duty=stated.duty? guards=unguarded()?
RuleExplanation: +rule id in_prompt why=reason checks=rule.guard_line() chain record
  layers=accounts
RuleHits: id rule +events last~
RuleInBrief: id rule priority scope
RuleListing: =listed_rules()
SavedEntry: =entry
SavedMessage: =message
SearchAnswer: query=query.text results=found.hits total
  topic_fallback=found.topic_fallback took_ms
SettingValue: value origin about=setting_about()
ShownMemory: +memory text found='true
ShownRule: + checks=guard_line() found='true
StepResult: +step result=action paths why!
SyncResult: action remote commit pushed tries uncommitted changes
  conflicts=sync_conflicts() problems commits rejection
ToolRecord: tool=statistics.tool calls=statistics.calls successes=statistics.successes
  failures=statistics.failures mean_ms=statistics.mean_ms errors=error_lines() rules
ToolRow: name key +stated_manifest() path=manifest.path rules
UncommittedEntry: id state='uncommitted kind paths changes +origin()
UndoStep: id at action rule paths=step_paths()
VaultReport: =figures.figures_document()
WorkingSet: =value
"""
"""Types, or other shapes, and their keys: KEY, or KEY=PATH of attributes, the last of
which may be a function of ``computed``; ='TEXT is constant; :SHAPE is the value's. Of
an empty value ~ makes null, and ? leaves it out; ! leaves out 0 and false, too. # is a
rounded number. +PATH adds the keys of another value, =PATH is the whole document."""


class Key(NamedTuple):
    """A key of a document: where its value is, with which shape and mark.

    Without a name the value's keys are added, or, if it ``replaces`` the document, it
    is the whole of it.
    """

    name: str
    path: tuple[str, ...]
    shape: str
    mark: str
    replaces: bool


def _key(word: str) -> Key:
    """Return a key from a word of the table."""
    mark = word[-1] if word[-1] in "~?!#" else ""
    head, is_path, path = word.removesuffix(mark).partition("=")
    name, _, shape = head.partition(":")
    source = path if is_path else name.removeprefix("+")
    parts = (source,) if source[:1] == "'" else tuple(filter(None, source.split(".")))
    name = "" if name[:1] == "+" else name.removesuffix("()")
    return Key(name, parts, shape, mark, head == "")


@cache
def shapes() -> Mapping[str, tuple[Key, ...]]:
    """Return the keys of each shape, by its name or that of its type."""
    rows = _TABLE.replace("\n  ", " ").strip().splitlines()
    named = (row.partition(":") for row in rows)
    return {name: tuple(map(_key, words.split())) for name, _, words in named}


def function(part: str) -> Callable[[Any], Any] | None:
    """Return the function that a part of a path names; None for an attribute."""
    if part[-2:] != "()":
        return None
    called: Callable[[Any], Any] = getattr(computed, part[:-2])
    return called


def constant(text: str) -> object:
    """Return the constant that the text after a quote means."""
    return text == "true" or text
