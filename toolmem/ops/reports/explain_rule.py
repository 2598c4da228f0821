"""Explain a rule: its chain, its commits, and whether it is shown."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Priority, Rule, Scope
from toolmem.core.rules.effective import (
    ORPHAN,
    EffectiveRule,
    RuleLayer,
    combine,
)
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import breadth, chain_of
from toolmem.core.times import local_time
from toolmem.errors import NotFoundError, NoVaultError
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.reports.statistics import rule_hits_of
from toolmem.ops.rules.listing import Views
from toolmem.store.files.tree import Tree
from toolmem.store.git.repo import Commit, Repo
from toolmem.store.git.tree import GitTree
from toolmem.store.vault.vault import Vault

_COMMITS = 20
"""Commits shown for one file: the story of a rule is short."""


class Account(NamedTuple):
    """One file of a rule: its part in it, and who committed it.

    ``applies`` is False for an override outside the chain that was asked for;
    ``committed`` says that the last commit has the file as it is now.
    """

    layer: RuleLayer
    applies: bool
    commits: tuple[Commit, ...]
    committed: bool


class RuleExplanation(NamedTuple):
    """The account of one rule; ``reason`` says why it is or is not shown.

    ``record`` counts its events while agents worked (local state): how often
    it was ``shown``, ``matched`` and ``denied`` a call, and more.
    """

    id: str
    rule: Rule | None
    chain: tuple[Scope, ...]
    in_prompt: bool
    reason: str
    accounts: tuple[Account, ...]
    record: Mapping[str, int]


def why_rule(vault: Vault, file: RuleFile, same: Sequence[RuleFile]) -> RuleExplanation:
    """The account of a rule for the vault's chain; else for the rule's own scope.

    ``file`` and ``same`` are those that ``find_file`` returns.
    """
    chain = vault.chain if len(vault.chain) > 1 else chain_of(file.scope)
    entry = combine([f for f in same if f.scope in chain])
    effective = entry[0] if entry else None
    rule = effective.rule if effective else Views(same).rule(file)
    shown, reason = _shown(vault, effective, chain, file)
    layers = _layers(effective, same, chain)
    accounts = _accounts(vault, layers, chain)
    record = rule_hits_of(vault.session_vault, file.id).events
    return RuleExplanation(file.id, rule, chain, shown, reason, accounts, record)


def _layers(
    effective: EffectiveRule | None, same: Sequence[RuleFile], chain: Sequence[Scope]
) -> list[RuleLayer]:
    """The layers of the chain, then the overrides of other scopes."""
    layers = list(effective.layers) if effective else []
    outside = [file for file in same if file.scope not in chain]
    layers += [
        RuleLayer(file.scope, file.path, (), "", file.stated.get("reason"))
        for file in sorted(outside, key=lambda f: (breadth(f.scope), f.path))
    ]
    return layers


def _shown(
    vault: Vault,
    effective: EffectiveRule | None,
    chain: Sequence[Scope],
    file: RuleFile,
) -> tuple[bool, str]:
    if effective is None:
        return False, f"{file.scope} is not in the chain"
    rule = effective.rule
    if rule is None:
        return False, f"an override alone: {ORPHAN}"
    if not rule.enabled:
        by = [each.scope for each in effective.layers if "enabled" in each.changed]
        return False, f"disabled by {by[-1] if by else rule.scope}"
    if rule.expires_at is not None and rule.expires_at <= vault.now:
        return False, f"expired at {local_time(rule.expires_at)}"
    if rule.priority is Priority.NORMAL:
        return False, "normal rules are not in the block; search finds them"
    if rule.priority is Priority.CRITICAL:
        return True, "critical rules are always included"
    block = build_prompt(vault.with_chain(chain), PromptRequest(only=("rules",)))
    if any(item.name == rule.id for part in block.parts for item in part.items):
        return True, "high rules are included up to a limit"
    return False, "over the limit of high rules"


def _accounts(
    vault: Vault, layers: Sequence[RuleLayer], chain: Sequence[Scope]
) -> tuple[Account, ...]:
    repo = Repo.find(vault.root)
    head = _head(repo) if repo else None
    accounts = []
    for layer in layers:
        commits: tuple[Commit, ...] = ()
        committed = False
        if repo and head:
            commits = repo.log(layer.path, _COMMITS)
            committed = _bytes_at(head, layer.path) == _bytes_at(vault.tree, layer.path)
        accounts.append(Account(layer, layer.scope in chain, commits, committed))
    if head:
        head.close()
    return tuple(accounts)


def _head(repo: Repo) -> GitTree | None:
    """The vault at the last commit; None where it was never committed."""
    try:
        tree = GitTree(repo, repo.resolve("HEAD"))
    except NotFoundError:
        return None
    try:
        tree.entries("")
    except NoVaultError:
        tree.close()
        return None
    return tree


def _bytes_at(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path, limits.RULE_FILE_BYTES)
    except FileNotFoundError:
        return None
