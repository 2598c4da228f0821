"""Everything that can be found in a vault, ready to be searched."""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Problem
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError
from toolmem.store.documents import SEARCHED, documents_of
from toolmem.store.vault import Vault
from toolmem.store.walk import walk


class Library(NamedTuple):
    """A corpus, and what a user should know about how it was opened."""

    corpus: Corpus
    remarks: tuple[str, ...] = ()


def open_corpus(vault: Vault, view: View) -> Library:
    """What the view shows of the vault."""
    return Library(Scan(_every_document(vault), view))


def _every_document(vault: Vault) -> Iterator[Doc]:
    for found in walk(vault.tree):
        if isinstance(found, Problem) or found.kind not in SEARCHED:
            continue
        try:
            data = vault.tree.read(found.path, limits.TEXT_FILE_BYTES)
        except (FileNotFoundError, InvalidFileError):
            continue
        yield from documents_of(found.path, data)
