"""Open everything searchable in a vault.

On disk the search index answers, brought up to date first; a vault at a git revision,
and one whose index cannot be used, is read file by file.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple, TypeVar

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH
from toolmem.core.model import Problem
from toolmem.core.search.corpus import CandidateDocument, Corpus, View
from toolmem.core.search.doc import KINDS, Doc, words_of
from toolmem.core.search.joined import JoinedCorpus
from toolmem.core.search.meaning import similarity, word_similarity, word_vectors
from toolmem.core.search.query import ParsedQuery
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import layout
from toolmem.store.files.lock import prepare_state
from toolmem.store.files.tree import DiskTree
from toolmem.store.files.walk import kind_of
from toolmem.store.files.walk import walk as walk_tree
from toolmem.store.index import word_table
from toolmem.store.index.index import Index
from toolmem.store.index.listing import (
    NOTHING_KNOWN,
    Depth,
    FileListing,
    Known,
    every_file,
    walk,
)
from toolmem.store.index.opened import MOST_VIEWS, OpenIndex, Problems, Replacements
from toolmem.store.index.source import DocumentSource
from toolmem.store.index.word_table import PassageVectors, no_vectors
from toolmem.store.vault import documents
from toolmem.store.vault.vault import Progress, Vault

_T = TypeVar("_T")
_SETTINGS = ("search.semantic:", "language:", "index.max_age:")
_KINDS_OF = {
    "memory": ("memory",),
    "rule": ("rule",),
    "facts": ("fact",),
    "prose": ("override", "guidance", "profile"),
}
"""Kinds of documents by kinds of files."""
_TOP = frozenset({"system", "agent-types", "projects", "agents"})


class Library(NamedTuple):
    """A corpus, and remarks for the user on how it was opened.

    ``opened`` is the index that answers, None if files were read instead; ``table``
    compares meanings, None if words alone decide.
    """

    corpus: Corpus
    remarks: tuple[str, ...] = ()
    opened: OpenIndex | None = None
    table: "word_vectors.WordVectors | None" = None

    def similarity_to(self, query: ParsedQuery) -> "similarity.Similarity | None":
        """Return the similarity in meaning to a question, if it counts."""
        if self.table is None:
            return None
        return word_similarity.WordSimilarity(self.table, query)


class Opening(NamedTuple):
    """Everything searchable, for any reader; the rest as in ``Library``.

    ``unreadable`` are folders that could not be listed, and ``problems`` files without
    searchable content, with the reason.
    """

    corpus_of: Callable[[View], Corpus]
    remarks: tuple[str, ...] = ()
    opened: OpenIndex | None = None
    table: "word_vectors.WordVectors | None" = None
    unreadable: tuple[str, ...] = ()
    problems: Problems = ()

    @property
    def content(self) -> bytes:
        """Bytes that differ when the documents do; empty if unknown."""
        return self.opened.content if self.opened else b""


def ask_library(
    vault: Vault,
    view: View,
    ask: Callable[[Library], _T],
    *,
    with_table: bool | None = None,
) -> _T:
    """Ask a question of the current documents of a view.

    ``ask`` may be called again if the index turns out to be damaged. ``with_table``
    opens the table of word vectors, whatever the setting.
    """

    def answer(opening: Opening) -> _T:
        corpus, closed = opening.corpus_of(view), _closed_to(view, opening)
        remarks = (*opening.remarks, *closed)
        return ask(Library(corpus, remarks, opening.opened, opening.table))

    return open_library(vault, answer, with_table=with_table)


def open_library(
    vault: Vault, ask: Callable[[Opening], _T], *, with_table: bool | None = None
) -> _T:
    """Ask questions of the current documents for several readers, as `ask_library`."""
    if with_table is None:
        with_table = vault.settings["search.semantic"].value != "off"
    table, remarks = _table_of(vault) if with_table else (None, ())
    remarks = (*_ignored_settings(vault), *remarks)
    if vault.revision is not None:
        docs = tuple(_every_document(vault))
        language = vault.language
        in_force = _in_force(
            vault, lambda view: Scan(docs, view, language), Replacements.nothing()
        )
        return ask(Opening(in_force, remarks, table=table))

    # If the state folder cannot be prepared, the index reports it.
    with suppress(StorageError, InvalidFileError):
        prepare_state(vault.root)

    def answer(opened: OpenIndex) -> _T:
        index = opened if opened.content else None
        every = (*opened.remarks, *remarks)
        # Rules of the user's own vault may change without a change of this one.
        known = Replacements.nothing() if vault.own else opened.replaced
        in_force = _in_force(vault, opened.corpus, known)
        missing = opened.unreadable, opened.problems
        return ask(Opening(in_force, every, index, table, *missing))

    return index_of(vault).answer(answer)


def _ignored_settings(vault: Vault) -> Iterator[str]:
    """Yield a remark, the first time, about each invalid setting of searches."""
    for problem in vault.problems:
        if problem.code == "bad-value" and problem.message.startswith(_SETTINGS):
            yield from first_time(f"{problem.place}: {problem.message}; it is ignored")


def _closed_to(view: View, opening: Opening) -> Iterator[str]:
    """Yield a remark about each folder or file that a reader may see and that was not
    read; a memory that cannot be read may be private."""
    for folder in opening.unreadable:
        scope = layout.scope_of(f"{folder}/")
        is_private = not _is_for_all(folder)
        if (scope is None and not is_private) or any(
            view.shows_part(str(scope), kind, private=is_private) for kind in KINDS
        ):
            yield f"{folder} cannot be listed: its content is not searched as it is now"
    for path, reason in opening.problems:
        kind, scope = kind_of(path), layout.scope_of(path)
        is_private = kind == "memory"
        if scope is not None and any(
            view.shows_part(str(scope), each, private=is_private)
            for each in _KINDS_OF.get(kind, ())
        ):
            yield f"not searched: {reason}"


def _is_for_all(folder: str) -> bool:
    """Return False for a folder that may be there for private memories only."""
    inside = (kind_of(f"{folder}/{name}") for name in ("x.md", "x.toml"))
    return "/" not in folder or not {"rule", "prose"}.isdisjoint(inside)


def _table_of(
    vault: Vault,
) -> tuple["word_vectors.WordVectors | None", tuple[str, ...]]:
    """Return the table of word vectors, or None and a remark the first time."""
    try:
        return word_table.table_for(vault.language), ()
    except InvalidFileError as error:
        return None, first_time(f"searched without word vectors: {error}")


_said: set[str] = set()


def first_time(remark: str) -> tuple[str, ...]:
    """Return a remark, unless this process has made it before."""
    is_new = remark not in _said
    _said.add(remark)
    return (remark,) if is_new else ()


def _in_force(
    vault: Vault, files: Callable[[View], Corpus], known: Replacements
) -> Callable[[View], Corpus]:
    """Return the corpora of a vault: content of files, and rules and facts in force.

    ``known`` are those that were read before.
    """

    def found_in(view: View) -> list[CandidateDocument]:
        if view.scopes not in known.documents:
            docs = documents.documents_in_force(vault, view.scopes)
            candidates = [CandidateDocument(d, words_of(d)) for d in docs]
            known.documents[view.scopes] = candidates
            while len(known.documents) > MOST_VIEWS:
                known.documents.pop(next(iter(known.documents)))
        return [each for each in known.documents[view.scopes] if view.shows(each.doc)]

    def make(view: View) -> Corpus:
        scan = Scan.of(found_in(view), vault.language)
        rest = _kinds(view) - documents.OVERRIDABLE
        return JoinedCorpus(files(view._replace(kinds=rest)), scan) if rest else scan

    def corpus_of(view: View) -> Corpus:
        if documents.OVERRIDABLE.isdisjoint(_kinds(view)):
            return files(view)
        return known.corpora.of(view, make)

    return corpus_of


def _kinds(view: View) -> frozenset[str]:
    return frozenset(KINDS) if view.kinds is None else view.kinds


def index_of(vault: Vault) -> Index:
    """Return the search index of a vault on disk."""
    state, max_age = vault.root / layout.STATE, vault.settings["index.max_age"].value
    language = vault.language
    return Index(
        state,
        _source(vault),
        language=language,
        vectors_of=PassageVectors() if language == ENGLISH else no_vectors,
        max_age=int(max_age),
        warm=vault.warm.of(vault.root, language) if vault.warm else None,
    )


def _source(vault: Vault) -> DocumentSource:
    tree = DiskTree(vault.root)
    counter = _Counter(vault.progress)

    def check(known: Known, depth: Callable[[str], Depth]) -> FileListing:
        listing = walk(vault.root, _is_wanted, _is_entered, known, depth)
        counter.total = listing.count
        return listing

    def list_files() -> FileListing:
        return check(NOTHING_KNOWN, every_file)

    def read(path: str) -> bytes:
        return tree.read(path, limits.TEXT_FILE_BYTES)

    def load(path: str, data: bytes) -> tuple[Doc, ...]:
        counter.step()
        return documents.documents_of(path, data, tree.read)

    return DocumentSource(list_files, read, load, check)


class _Counter:
    """Reports the number of files read as progress."""

    def __init__(self, report: Progress | None) -> None:
        self._report = report
        self._done = 0
        self.total = 0

    def step(self) -> None:
        self._done += 1
        if self._report is not None:
            self._report("indexing", self._done, self.total)


def _is_wanted(path: str) -> bool:
    return path.endswith((".md", ".toml")) and "/" in path


def _is_entered(path: str) -> bool:
    """Return True for the scopes' own folders: not git's, the archive's or others."""
    return path in _TOP if "/" not in path else "/." not in path


def _every_document(vault: Vault) -> Iterator[Doc]:
    for file in walk_tree(vault.tree):
        if isinstance(file, Problem) or file.kind not in documents.SEARCHED:
            continue
        try:
            data = vault.tree.read(file.path, limits.TEXT_FILE_BYTES)
            docs = documents.documents_of(file.path, data, vault.tree.read)
        except (FileNotFoundError, InvalidFileError):
            continue
        yield from docs
