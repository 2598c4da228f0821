"""Sizes of the prompt blocks of all scopes, in tokens by part."""

from functools import cache
from typing import NamedTuple

from toolmem.core.model import Scope
from toolmem.core.rules.rule_file import RuleFile, RuleFiles, UnreadableRule
from toolmem.core.scope import chain_of
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import ToolmemError
from toolmem.ops.prompt.build import has_memories, prompt_part, search_part
from toolmem.store.files import layout
from toolmem.store.vault.rule_files import load_rule_files, load_tool_names
from toolmem.store.vault.vault import RecordingTree, Vault

_KINDS = ("role", "overrides", "rules", "facts", "guidance")
"""Parts that are made of files, in their order."""


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
    own = vault.own
    try:
        if own is not None:
            own = _with_rules(own, load_rule_files(own, own.chain))
        loaded = _with_rules(vault, files)._replace(own=own)
    except ToolmemError:
        return ()
    with_rules = _by_scope(files).keys()

    @cache
    def tokens(kind: str, chain: tuple[Scope, ...]) -> int:
        part = prompt_part(loaded.with_chain(chain), kind)
        return sum(estimate_tokens(item.text) for item in part.items)

    def parts_of(chain: tuple[Scope, ...]) -> dict[str, int]:
        # Most chains have their rules in common, which are most of the work.
        ruling = tuple(scope for scope in chain if scope in with_rules)
        sizes = {
            kind: tokens(kind, ruling if kind == "rules" else chain) for kind in _KINDS
        }
        if any(sizes.values()) or any(has_memories(loaded, scope) for scope in chain):
            sizes["search"] = sum(estimate_tokens(i.text) for i in search_part().items)
        return {kind: size for kind, size in sizes.items() if size}

    blocks = []
    for scope in layout.all_scopes(vault.tree):
        try:
            blocks.append(BlockSize(str(scope), parts_of(tuple(chain_of(scope)))))
        except ToolmemError:
            continue  # check reports what cannot be a scope
    return tuple(blocks)


def _with_rules(vault: Vault, files: RuleFiles) -> Vault:
    """Return the vault with these rule files loaded, for many chains."""
    tree = RecordingTree(vault.tree.unrecorded)
    tree.rule_files = _by_scope(files)
    tree.tool_names = load_tool_names(vault)
    return vault._replace(tree=tree)


def _by_scope(files: RuleFiles) -> dict[Scope, RuleFiles]:
    by_scope: dict[Scope, tuple[list[RuleFile], list[UnreadableRule]]] = {}
    for file in files.files:
        by_scope.setdefault(file.scope, ([], []))[0].append(file)
    for entry in files.unreadable:
        by_scope.setdefault(entry.scope, ([], []))[1].append(entry)
    return {
        scope: RuleFiles(tuple(read), tuple(broken))
        for scope, (read, broken) in by_scope.items()
    }
