"""Sizes of the prompt blocks of all scopes, in tokens by part."""

import errno
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from toolmem.core.model import SYSTEM, Scope
from toolmem.core.rules.rule_file import RuleFile, RuleFiles, UnreadableRule
from toolmem.core.scope import chain_of
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.store.files import layout
from toolmem.store.files.tree import DirectoryEntry, Tree
from toolmem.store.vault.vault import RecordingTree, Vault

_NOT_IN_BLOCK = frozenset({layout.MEMORY, "overrides"})
"""Folders of a scope whose contents are not in the block of its chain."""

_SHARED = ("system", "agent-types", layout.TOOLS)
_Answer = TypeVar("_Answer")


class BlockSize(NamedTuple):
    """The prompt block of one scope: tokens by part."""

    scope: str
    parts: dict[str, int]

    @property
    def tokens(self) -> int:
        """The tokens of all parts."""
        return sum(self.parts.values())


def block_sizes(vault: Vault, files: RuleFiles) -> tuple[BlockSize, ...]:
    """Return the size of the block of every scope, broadest first.

    ``files`` are the rule files of all scopes.

    A scope without rules, facts and texts has the block of its broader scopes, which
    is made once; files that many chains share are read once.
    """
    shared = vault._replace(tree=_ReadOnce(vault.tree, files))
    tokens = lru_cache(maxsize=4096)(estimate_tokens)
    plain: dict[tuple[tuple[Scope, ...], bool], dict[str, int] | None] = {}
    found = []
    for scope in layout.all_scopes(vault.tree):
        chain = tuple(chain_of(scope))
        names = _names(shared, scope)
        key = (chain[1:], layout.MEMORY in names)
        if names - _NOT_IN_BLOCK or scope == SYSTEM:
            parts = _parts(shared, chain, tokens)
        elif key in plain:
            parts = plain[key]
        else:
            parts = plain[key] = _parts(shared, chain, tokens)
        if parts is not None:
            found.append(BlockSize(str(scope), parts))
    return tuple(found)


def _by_scope(files: RuleFiles) -> dict[Scope, RuleFiles]:
    found: dict[Scope, tuple[list[RuleFile], list[UnreadableRule]]] = {}
    for file in files.files:
        found.setdefault(file.scope, ([], []))[0].append(file)
    for entry in files.unreadable:
        found.setdefault(entry.scope, ([], []))[1].append(entry)
    return {
        scope: RuleFiles(tuple(read), tuple(broken))
        for scope, (read, broken) in found.items()
    }


def _names(vault: Vault, scope: Scope) -> set[str]:
    try:
        entries = vault.tree.entries(layout.scope_folder(scope))
    except InvalidFileError:
        return set()
    return {entry.name for entry in entries}


def _parts(
    vault: Vault, chain: Sequence[Scope], tokens: Callable[[str], int]
) -> dict[str, int] | None:
    try:
        block = build_prompt(vault.with_chain(chain), PromptRequest())
    except ToolmemError:
        return None  # check reports what cannot be a scope
    sizes: Counter[str] = Counter()
    for part in block.parts:
        sizes[part.kind] += sum(tokens(item.text) for item in part.items)
    return {kind: number for kind, number in sizes.items() if number}


class _ReadOnce(RecordingTree):
    """A tree that reads what many chains share from disk only once.

    Of the scope that was read last, it knows what is not there.
    """

    def __init__(self, tree: RecordingTree, files: RuleFiles) -> None:
        self.rule_files = _by_scope(files)
        self.read_files = tree.read_files
        self._source = tree
        self._answers: dict[tuple[Any, ...], Any] = {}
        self._scope = ""
        self._entries: tuple[DirectoryEntry, ...] = ()
        self._names: frozenset[str] = frozenset()

    @property
    def every(self) -> Tree:
        return self._source.every

    def shows(self, path: str) -> bool:
        return self._source.shows(path)

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        scope, inside = _scope_folder(folder)
        if scope and not inside:
            return self._listed(scope)
        if self._is_absent(folder):
            return ()
        return self._once(folder, self._source.entries, folder)

    def read(self, path: str, limit: int) -> bytes:
        if self._is_absent(path):
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        return self._once(path, self._source.read, path, limit)

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        if self._is_absent(folder):
            return []
        return self._once(folder, self._source.read_all, folder, suffix, limit)

    def _is_absent(self, path: str) -> bool:
        """Return True if the listing of a scope's own folder lacks the path."""
        scope, inside = _scope_folder(path)
        if not inside:
            return False
        self._listed(scope)
        return inside.partition("/")[0].casefold() not in self._names

    def _listed(self, scope: str) -> tuple[DirectoryEntry, ...]:
        if scope != self._scope:
            self._entries = self._source.entries(scope)
            self._names = frozenset(one.name.casefold() for one in self._entries)
            self._scope = scope
        return self._entries

    def _once(self, path: str, read: Callable[..., _Answer], *args: Any) -> _Answer:
        """The answer, from memory where the path is in a folder of many chains."""
        if path.partition("/")[0] not in _SHARED:
            return read(*args)
        key = (read.__name__, *args)
        if key not in self._answers:
            try:
                self._answers[key] = read(*args)
            except (FileNotFoundError, InvalidFileError) as error:
                self._answers[key] = error
        answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return cast(_Answer, answer)


def _scope_folder(path: str) -> tuple[str, str]:
    """Return the folder of a scope that few chains share, and the rest of the path."""
    top, _, rest = path.partition("/")
    name, _, inside = rest.partition("/")
    return ("", "") if top in _SHARED or not name else (f"{top}/{name}", inside)
