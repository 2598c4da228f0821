"""Store imported texts as guidance or memories, each once."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.imports.items import TextItem
from toolmem.core.imports.naming import stem_of_path, topic_of
from toolmem.core.imports.places import TextPlace, assign_sources
from toolmem.core.imports.sections import fits_guidance
from toolmem.core.imports.text_file import (
    IMPORTED,
    ImportedFile,
    digest_of,
    imported_from,
    renewed,
    text_file,
)
from toolmem.core.memories.front_matter import split_header
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.naming import new_id
from toolmem.core.model import Scope
from toolmem.core.names import encode_name
from toolmem.core.text.prose import without_header
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import ExistsError, InvalidFileError, UsageError
from toolmem.store.files import files, layout
from toolmem.store.vault.memory_files import memory_paths, taken_ids
from toolmem.store.vault.memory_writer import drop_original, set_aside, with_original
from toolmem.store.vault.sources import ImportSource
from toolmem.store.vault.vault import Vault


class ImportOutcome(NamedTuple):
    """One item and what became of it.

    ``kind`` is ``rule``, ``guidance``, ``memory`` or ``file``; ``action`` is
    ``created``, ``updated``, ``unchanged``, ``exists`` (another has the same text),
    ``kept`` (changed in the vault, and left so), ``retired`` (by a person, since) or
    ``refused``. ``about`` is the tool of a rule and the topic of a memory, ``source``
    the file with the line.
    """

    kind: str
    action: str
    id: str
    path: str
    text: str
    about: str
    source: str
    priority: str = ""
    reason: str = ""


class TextImporter:
    """The texts of a scope, and where new ones go; it follows what is written."""

    def __init__(self, vault: Vault, scope: Scope, *, dry_run: bool) -> None:
        self._vault = vault
        self._scope = scope
        self._dry_run = dry_run
        self._folder = layout.scope_folder(scope)
        imported = list(self._all_imported())
        self._by_source = {file.source: file for file in imported}
        self._by_written = {file.written: file for file in imported}
        self._retired = {file.written for file in self._archived()}
        self._taken = taken_ids(vault)
        self._names = {e.name.lower() for e in vault.tree.entries(self._guidance)}
        self._tokens_left = limits.GUIDANCE_TOKENS - self._guidance_tokens()
        self._seen: set[str] = set()

    @property
    def _guidance(self) -> str:
        return f"{self._folder}/{layout.GUIDANCE}"

    def put(
        self,
        item: TextItem,
        source: str,
        file: ImportSource,
        program: str,
        secret: str,
    ) -> tuple[ImportOutcome, tuple[str, ...]]:
        """Keep one text of a file; called under the vault's lock unless dry.

        ``source`` is one of ``sources_of``; ``secret`` says why the text may not be
        kept, if it may not. Returns the fields that the header cannot store, too.
        """
        self._seen.add(source)
        topic = topic_of(file.local, program, item.place, item.topic)
        known = self._by_source.get(source)
        guidance = self._is_guidance(item, known)
        kind = "guidance" if guidance else "memory"
        where = f"{file.name}:{item.line}" if item.line else file.name
        outcome = ImportOutcome(kind, "refused", "", "", item.title, topic, where)
        if secret:
            return outcome._replace(reason=secret), ()
        try:
            fields, language = self._fields(item, topic, guidance), self._vault.language
            text, lost = text_file(item, source, fields, language, guidance=guidance)
            if len(text.encode()) > limits.TEXT_FILE_BYTES:
                raise UsageError(f"is larger than {limits.TEXT_FILE_BYTES} bytes")
        except UsageError as error:
            return outcome._replace(reason=str(error)), ()
        fresh = imported_from("", text.encode())
        assert fresh is not None
        if known is not None:
            return self._again(known, fresh, text, outcome), ()
        same = self._by_written.get(fresh.written)
        if same is not None:
            why = f"the same text already exists from {same.source}"
            more = {"action": "exists", "id": same.id, "path": same.path}
            return outcome._replace(reason=why, **more), ()
        if fresh.written in self._retired:
            why = "it was archived since"
            return outcome._replace(action="retired", reason=why), ()
        return self._create(item, fresh, text, outcome), lost

    def gone(self, names: set[str]) -> Iterator[tuple[str, str]]:
        """Return texts that came from these files and are no longer in them."""
        for source, imported in sorted(self._by_source.items()):
            if source.partition("#")[0] in names and source not in self._seen:
                yield source, imported.path

    def _again(
        self, known: ImportedFile, fresh: ImportedFile, text: str, draft: ImportOutcome
    ) -> ImportOutcome:
        """A text whose place was imported before."""
        outcome = draft._replace(action="unchanged", id=known.id, path=known.path)
        if known.written == fresh.written:
            return outcome
        if known.digest != known.written:
            why = "it was changed in the vault and at its source: merge it by hand"
            return outcome._replace(action="kept", reason=why)
        try:
            changed = renewed(known, text, self._vault.now.date())
            if not self._dry_run:
                changed = set_aside(self._vault, known.path, changed)
                root = self._vault.root
                files.replace(root, known.path, changed.encode(), known.data)
                before = known.data.decode()
                drop_original(self._vault, parse_memory(before, path=known.path))
                known = known._replace(data=changed.encode())
        except (InvalidFileError, ExistsError) as error:
            return outcome._replace(action="kept", reason=str(error))
        self._note(known._replace(written=fresh.written, digest=fresh.digest))
        return outcome._replace(action="updated")

    def _create(
        self, item: TextItem, fresh: ImportedFile, text: str, draft: ImportOutcome
    ) -> ImportOutcome:
        reason = ""
        if draft.kind == "guidance":
            path = f"{self._guidance}/{self._free_name(fresh.source)}"
            self._tokens_left -= estimate_tokens(item.body)
            made = path
        else:
            made = new_id(
                item.title or fresh.source,
                fresh.digest + self._vault.id_salt,
                self._taken,
            )
            self._taken.add(made)
            sub = f"{encode_name(draft.about)}/" if draft.about else ""
            path = f"{self._folder}/{layout.MEMORY}/{sub}{made}.md"
            if item.always:
                reason = f"guidance has {limits.GUIDANCE_TOKENS} tokens in all"
        outcome = draft._replace(id=made, path=path, reason=reason)
        if not self._dry_run:
            try:
                text = set_aside(self._vault, path, text)
                files.create(self._vault.root, path, text.encode())
            except ExistsError:
                why = "another process wrote it meanwhile"
                return outcome._replace(action="exists", reason=why)
        self._note(fresh._replace(path=path, id=made, data=text.encode()))
        return outcome._replace(action="created")

    def _note(self, imported: ImportedFile) -> None:
        self._by_source[imported.source] = imported
        self._by_written[imported.written] = imported

    def sources_of(self, items: Sequence[TextItem], name: str) -> list[str]:
        """Return the source of each text of the file with this name."""
        texts = [self._placed(item, name) for item in items]
        known = [
            TextPlace(file.source, file.written, file.body)
            for file in self._by_source.values()
            if file.source.partition("#")[0] == name
        ]
        return assign_sources(texts, known)

    def _placed(self, item: TextItem, name: str) -> TextPlace:
        place = f"{name}#{item.place}" if item.place else name
        try:
            guidance = item.always and fits_guidance(item.body)
            text, _ = text_file(
                item, place, {}, self._vault.language, guidance=guidance
            )
        except UsageError:
            return TextPlace(place, "", item.body)
        return TextPlace(place, digest_of(text), split_header(text).body)

    def _is_guidance(self, item: TextItem, known: ImportedFile | None) -> bool:
        """Keep existing guidance if possible; add new guidance while there is space."""
        if not item.always or not fits_guidance(item.body):
            return False
        if known is not None:
            return known.path.startswith(f"{self._guidance}/")
        return estimate_tokens(item.body) <= self._tokens_left

    def _fields(self, item: TextItem, topic: str, guidance: bool) -> dict[str, Any]:
        created = self._vault.now.date()
        if guidance:
            return {"created": created}
        return {
            "tags": list(dict.fromkeys((*item.tags, IMPORTED))),
            "topic": topic or None,
            "kind": item.kind or None,
            "created": created,
        }

    def _free_name(self, source: str) -> str:
        name, _, place = source.partition("#")
        slug = layout.slug(place or stem_of_path(name))
        free, number = f"{slug}.md", 2
        while free.lower() in self._names:
            free, number = f"{slug}-{number}.md", number + 1
        self._names.add(free.lower())
        return free

    def _all_imported(self) -> Iterator[ImportedFile]:
        tree = self._vault.tree
        paths = [place.path for place in memory_paths(tree, [self._scope])]
        listed = tree.entries(self._guidance)
        # A writer that died may have left a temporary file, which is no guidance.
        names = [e.name for e in listed if e.kind == "file" and e.name.endswith(".md")]
        paths += [f"{self._guidance}/{name}" for name in names]
        yield from self._imported_at(paths)

    def _archived(self) -> Iterator[ImportedFile]:
        folders = [f"{layout.archived(self._folder)}/{layout.MEMORY}"]
        paths: list[str] = []
        while folders:
            folder = folders.pop()
            for entry in self._vault.tree.entries(folder):
                path = f"{folder}/{entry.name}"
                if entry.kind == "folder":
                    folders.append(path)
                elif entry.name.endswith(".md"):
                    paths.append(path)
        yield from self._imported_at(paths)

    def _imported_at(self, paths: list[str]) -> Iterator[ImportedFile]:
        for path in paths:
            try:
                data = self._vault.tree.read(path, limits.TEXT_FILE_BYTES)
            except (FileNotFoundError, InvalidFileError):
                continue  # reported by check itself
            imported = imported_from(path, data)
            if imported is not None:
                whole = with_original(self._vault, path, data.decode())
                body = split_header(whole).body
                yield imported._replace(digest=digest_of(whole), body=body)

    def _guidance_tokens(self) -> int:
        guidance = self._vault.tree.read_all(
            self._guidance, ".md", limits.TEXT_FILE_BYTES
        )
        texts = (
            d.decode("utf-8", "replace") for _, d in guidance if isinstance(d, bytes)
        )
        return sum(estimate_tokens(without_header(text)) for text in texts)
