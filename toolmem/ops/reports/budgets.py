"""Sizes of the prompt blocks of all scopes, in tokens by part."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from toolmem.core.model import Scope
from toolmem.core.prompt.parts import PromptPart
from toolmem.core.rules.rule_file import RuleFile, RuleFiles, UnreadableRule
from toolmem.core.scope import chain_of
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.ops.prompt.build import has_memories, prompt_part, search_part
from toolmem.store.files import layout
from toolmem.store.vault.rule_files import load_rule_files, load_tool_names
from toolmem.store.vault.vault import RecordingTree, Vault

_NAMES = {
    "role": layout.PROFILE,
    "facts": layout.FACTS,
    "guidance": layout.GUIDANCE,
    "memories": layout.MEMORY,
}
"""Name in a scope's folder of what a part is made of."""
_KINDS = ("role", "overrides", "rules", "facts", "guidance")
"""Parts that are made of files, in their order."""
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
    """
    found = []
    try:
        sizes = _Sizes(vault, files)
    except ToolmemError:
        return ()
    for scope in layout.all_scopes(vault.tree):
        chain = tuple(chain_of(scope))
        try:
            found.append(BlockSize(str(scope), sizes.of(chain)))
        except ToolmemError:
            continue  # check reports what cannot be a scope
    return tuple(found)


class _Sizes:
    """Sizes of the parts of blocks.

    A part is made of the scopes of the chain that have a file of it. So most chains
    have most parts in common, and each of these is made once.
    """

    def __init__(self, vault: Vault, files: RuleFiles) -> None:
        own = vault.own
        if own is not None:
            loaded = load_rule_files(own, own.chain)
            own = own._replace(tree=_ReadOnce(own, loaded))
        self._tree = _ReadOnce(vault, files)
        self._vault = vault._replace(tree=self._tree, own=own)
        self._known: dict[tuple[str, tuple[Scope, ...]], int] = {}
        self._tokens = lru_cache(maxsize=4096)(estimate_tokens)
        self._names = lru_cache(maxsize=256)(self._listed)
        self._has_memories = lru_cache(maxsize=256)(self._lists_memories)

    def of(self, chain: tuple[Scope, ...]) -> dict[str, int]:
        """Return the tokens of each part of a chain's block that has any.

        Raises ``ToolmemError`` for a chain whose files cannot be listed or read.
        """
        sizes = {kind: self._size(kind, chain) for kind in _KINDS}
        if any(sizes.values()) or any(map(self._has_memories, chain)):
            sizes["search"] = self._sum(search_part())
        return {kind: tokens for kind, tokens in sizes.items() if tokens}

    def _size(self, kind: str, chain: tuple[Scope, ...]) -> int:
        key = kind, tuple(one for one in chain if self._has(one, kind))
        size = self._known.get(key)
        if size is None:
            vault = self._vault.with_chain(key[1])
            size = self._known[key] = self._sum(prompt_part(vault, kind))
        return size

    def _sum(self, part: PromptPart) -> int:
        return sum(self._tokens(item.text) for item in part.items)

    def _has(self, scope: Scope, kind: str) -> bool:
        """Return False if a scope has nothing for a part.

        The freeform override is that of the settings in every block.
        """
        if kind == "rules":
            return scope in (self._tree.rule_files or {})
        return kind != "overrides" and _NAMES[kind] in self._names(scope)

    def _lists_memories(self, scope: Scope) -> bool:
        return self._has(scope, "memories") and has_memories(self._vault, scope)

    def _listed(self, scope: Scope) -> frozenset[str]:
        """Return the names in a scope's folder, in lower case.

        A file system may ignore the case of names.
        """
        try:
            entries = self._tree.entries(layout.scope_folder(scope))
        except InvalidFileError:
            return frozenset()
        return frozenset(entry.name.casefold() for entry in entries)


class _ReadOnce(RecordingTree):
    """A tree that has loaded the rules, and reads what many chains share once."""

    def __init__(self, vault: Vault, files: RuleFiles) -> None:
        super().__init__(vault.tree.unrecorded)
        self.rule_files = _by_scope(files)
        self.tool_names = load_tool_names(vault)
        self._answers: dict[tuple[Any, ...], Any] = {}

    def read(self, path: str, limit: int) -> bytes:
        return self._once(path, super().read, path, limit)

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        return self._once(folder, super().read_all, folder, suffix, limit)

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
