"""Import: rules, guidance and memories out of what people have written already.

A sentence that rules a tool becomes a rule, the rest of a file guidance or memories.
Ids and sources follow from what was read, so that a second import changes nothing;
what a person changed, retired or archived since stays as the person left it.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.comparison.same import exact_key
from toolmem.core.imports.document import read_document
from toolmem.core.imports.graph import read_graph
from toolmem.core.imports.items import ImportedContent, RuleItem, TextItem
from toolmem.core.imports.kinds import INSTRUCTIONS, format_of, is_read_always
from toolmem.core.imports.naming import project_of, stem_of_path
from toolmem.core.imports.notes import read_note
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.imports.text_file import IMPORTED
from toolmem.core.model import Priority, Scope
from toolmem.core.model import Source as Author
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.text.safetext import find_unsafe, visible
from toolmem.core.transcript.events import ToolKind
from toolmem.core.transcript.tools import kind_of
from toolmem.errors import Arg, StorageError, UsageError
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.capture.writer import would_be
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.ops.transfer.import_texts import ImportOutcome, TextImporter
from toolmem.ops.transfer.imported_rules import ImportedRules, imported_from
from toolmem.store.files import lock
from toolmem.store.vault.sources import STDIN, ImportSource, read_source
from toolmem.store.vault.vault import Vault

_AT_ONCE = 25
"""Texts that are written under one lock."""


class ImportRequest(NamedTuple):
    """Target and options: ``format`` is one of ``kinds.FORMATS`` or ``auto``.

    ``priority`` is the most that an imported rule gets.
    """

    scope: Scope
    format: str = "auto"
    priority: Priority = Priority.CRITICAL
    dry_run: bool = False
    allow_secret: bool = False


class Remark(NamedTuple):
    """A part that was not understood or not imported, with its place."""

    source: str
    line: int
    code: str
    message: str


class ImportSummary(NamedTuple):
    """Items found in a number of files, and parts that were not understood."""

    files: int
    outcomes: tuple[ImportOutcome, ...]
    remarks: tuple[Remark, ...]


def import_files(
    vault: Vault, sources: Iterable[ImportSource], request: ImportRequest
) -> ImportSummary:
    """Import files into a scope; each item is durable when the next one begins.

    Raises ``LockedError`` or ``StorageError`` when the vault cannot be written:
    what was imported until then, a second import finds.
    """
    if not request.dry_run:
        vault.require_writable()
    work = _Work(vault, request)
    listed = list(sources)
    for number, source in enumerate(listed, 1):
        work.take(source)
        if vault.progress is not None:
            vault.progress("importing", number, len(listed))
    return work.done(len(listed))


class _Work:
    def __init__(self, vault: Vault, request: ImportRequest) -> None:
        self._vault = vault
        self._request = request
        self._known = CaptureContext(vault, request.scope)
        self._importer = TextImporter(vault, request.scope, dry_run=request.dry_run)
        self._outcomes: list[ImportOutcome] = []
        self._remarks: list[Remark] = []
        self._names: set[str] = set()
        self._rules_there = ImportedRules(vault, request.scope, self._known)

    def take(self, source: ImportSource) -> None:
        """Import one file."""
        try:
            text = read_source(source)
            program, content = self._read(source, text)
        except (UsageError, StorageError) as error:
            self._remark(source.name, 0, "unreadable", str(error))
            return
        self._names.add(source.name)
        for note in content.notes:
            self._remark(source.name, note.line, note.code, note.message)
        secrets = [] if self._request.allow_secret else list(_secrets(text))
        for rule in content.rules:
            self._outcomes += self._rules(rule, source.name)
        self._texts(content, source, program, secrets)
        unsafe = find_unsafe(text, multiline=True)
        if unsafe:
            line = text.count("\n", 0, unsafe[0]) + 1
            message = f"contains {unsafe[1]}: such characters were replaced by escapes"
            self._remark(source.name, line, "unsafe-text", message)

    def done(self, files: int) -> ImportSummary:
        """Everything that was found, and what is in the vault without a source."""
        for source, path in self._importer.gone(self._names):
            message = (
                f"{source} no longer contains this: {path} stays until you remove it"
            )
            self._remark(source.partition("#")[0], 0, "gone", message)
        imported = {outcome.id for outcome in self._outcomes}
        for known in self._known.every():
            name = imported_from(self._known.rule(known.id))
            if name in self._names and known.id not in imported:
                message = (
                    f"no longer contains this: rule {known.id[: limits.ID_SHOWN]} stays"
                )
                self._remark(name, 0, "gone", f"{message} until you archive it")
        return ImportSummary(files, tuple(self._outcomes), tuple(self._remarks))

    def _read(self, source: ImportSource, text: str) -> tuple[str, ImportedContent]:
        """The program whose file it is, or nothing, and what the file holds."""
        wanted = self._request.format
        path = STDIN if source.path is None else source.path.absolute().as_posix()
        kind = format_of(path, text) if wanted == "auto" else wanted
        box = self._toolbox(kind)
        title = stem_of_path(source.local) if source.path else "Imported note"
        if kind in INSTRUCTIONS:
            project, always = project_of(source.name), is_read_always(path)
            return kind, read_document(text, title, box, kind, project, always=always)
        if kind == "mcp-memory":
            return "", read_graph(text, box)
        if kind in ("basic-memory", "markdown"):
            return "", read_note(text, title, box, basic=kind == "basic-memory")
        if kind == "json":
            raise UsageError("is an export of a whole vault: import it by itself")
        raise UsageError("has an unknown format: name it with ", Arg("format"))

    def _toolbox(self, program: str) -> Toolbox:
        """Return the tools that may be meant: the vault's and the program's."""
        tools = self._known.tool_words((), (), program)
        shell = next((tool.name for tool in tools if _is_shell(tool)), "")
        return Toolbox(tools, shell)

    def _rules(self, item: RuleItem, name: str) -> Iterator[ImportOutcome]:
        """Return the outcome for a sentence: a rule for each tool, or existing ones.

        An imported rule is known by its text, whatever tools the vault has by now.
        """
        place = f"{name}:{item.line}"
        outcome = ImportOutcome("rule", "unchanged", "", "", item.text, "", place)
        known = list(self._rules_there.reading(item.text))
        for rule in known:
            more = {"path": rule.path, "priority": rule.priority.value}
            action = "unchanged" if imported_from(rule) == name else "exists"
            yield outcome._replace(action=action, id=rule.id, about=rule.tool, **more)
        if not known and self._rules_there.is_retired(item.text):
            message = "archived since"
            tool = item.tools[0]
            yield outcome._replace(action="retired", about=tool, reason=message)
        elif not known:
            yield from [self._rule(item, tool, name) for tool in item.tools]

    def _rule(self, item: RuleItem, tool: str, name: str) -> ImportOutcome:
        key = self._known.names.key(tool)
        source = f"{name}:{item.line}"
        priority, reason = self._priority(item)
        outcome = ImportOutcome(
            "rule", "exists", "", "", item.text, tool, source, priority.value
        )
        text = exact_key(item.text)
        made = derived_id("import", str(self._request.scope), key, text)
        same = self._known.same_text(key, item.text)
        if same is not None:
            rule = self._known.rule(same)
            action = "unchanged" if same == made else "exists"
            more = {"path": rule.path, "priority": rule.priority.value}
            return outcome._replace(action=action, id=same, **more)
        if made in self._known.ids:
            reason = "it was changed in the vault meanwhile"
            return outcome._replace(action="unchanged", id=made, reason=reason)
        if made in self._known.archived(self._request.scope, key):
            return outcome._replace(action="retired", reason="archived since")
        try:
            return self._write(item, tool, made, outcome)._replace(reason=reason)
        except UsageError as error:
            return outcome._replace(action="refused", reason=str(error))

    def _write(
        self, item: RuleItem, tool: str, made: str, outcome: ImportOutcome
    ) -> ImportOutcome:
        wanted = NewRule(
            tool,
            item.text,
            Priority(outcome.priority),
            Author.USER_EXPLICIT if item.by_person else Author.PROGRAMMATIC,
            (IMPORTED,),
            evidence=_evidence(item.sentence, outcome.source),
        )
        if self._request.dry_run:
            scope = self._known.scope
            rule = would_be(self._vault, self._known, wanted, made, scope)
            action = "created"
        else:
            result = put_rule(
                self._vault.fresh(),
                wanted,
                self._request.scope,
                lambda: made,
                allow_secret=self._request.allow_secret,
            )
            rule, action = result.rule, result.action
        self._known.add(rule)
        return outcome._replace(
            action=action, id=rule.id, path=rule.path, priority=rule.priority.value
        )

    def _priority(self, item: RuleItem) -> tuple[Priority, str]:
        """Return the priority of a rule, and why it is below that of its sentence."""
        wanted = item.priority
        if wanted.rank < self._request.priority.rank:
            return self._request.priority, ""
        full = self._known.criticals() >= limits.CRITICAL_RULES
        if wanted is Priority.CRITICAL and full:
            message = f"{limits.CRITICAL_RULES} critical rules already exist"
            return Priority.HIGH, message
        return wanted, ""

    def _texts(
        self,
        content: ImportedContent,
        source: ImportSource,
        program: str,
        secrets: list[tuple[str, str]],
    ) -> None:
        count = len(content.texts)
        places = self._importer.sources_of(content.texts, source.name)
        placed = list(zip(content.texts, places, strict=True))
        for start in range(0, count, _AT_ONCE):
            # Other processes do not wait for the lock until a large file is done.
            locked = nullcontext() if self._request.dry_run else self._lock()
            with locked:
                for item, place in placed[start : start + _AT_ONCE]:
                    self._text(item, place, source, program, secrets)
            if self._vault.progress is not None and count > _AT_ONCE:
                done = min(start + _AT_ONCE, count)
                self._vault.progress(source.local, done, count)

    def _lock(self) -> AbstractContextManager[None]:
        return lock.hold(self._vault.root)

    def _text(
        self,
        item: TextItem,
        place: str,
        source: ImportSource,
        program: str,
        secrets: list[tuple[str, str]],
    ) -> None:
        both = f"{item.title}\n{item.body}"
        secret = next((why for value, why in secrets if value in both), "")
        outcome, lost = self._importer.put(item, place, source, program, secret)
        self._outcomes.append(outcome)
        for field in lost:
            message = f"the header's {field} cannot be stored in a memory"
            self._remark(source.name, item.line, "header", message)

    def _remark(self, source: str, line: int, code: str, message: str) -> None:
        self._remarks.append(Remark(source, line, code, message))


def _is_shell(tool: ToolWords) -> bool:
    return any(kind_of(n, {}) is ToolKind.SHELL for n in (tool.name, *tool.aliases))


def _secrets(text: str) -> Iterator[tuple[str, str]]:
    """The credentials in a file: each with its kind and its line."""
    for secret in find_secrets(text):
        line = text.count("\n", 0, secret.start) + 1
        why = f"contains a secret ({secret.kind}) in line {line}"
        yield text[secret.start : secret.end], why


def _evidence(sentence: str, source: str) -> str:
    limit = limits.EVIDENCE_CHARS
    quotation = visible(sentence)
    quotation = (
        quotation if len(quotation) <= limit else quotation[: limit - 1].rstrip() + "…"
    )
    return f"“{quotation}” ({visible(source)})"
