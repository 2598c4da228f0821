"""Effect of a vault change on the prompt block of one chain."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.text.tokens import estimate_tokens
from toolmem.ops.prompt.build import Block, PromptRequest, build_prompt
from toolmem.store.git.diff import Snapshot
from toolmem.store.git.repo import Repo
from toolmem.store.git.tree import GitTree
from toolmem.store.vault.vault import Vault


class ShownRule(NamedTuple):
    """A rule as a block shows it."""

    id: str
    tool: str
    priority: str
    rule: str


class PromptImpact(NamedTuple):
    """Tokens of the block before and after, by part too, and its rules.

    ``rules_changed`` are shown before and after with another text or priority.
    """

    chain: str
    tokens_before: int
    tokens_after: int
    parts: Mapping[str, tuple[int, int]]
    rules_in: tuple[ShownRule, ...]
    rules_out: tuple[ShownRule, ...]
    rules_changed: tuple[ShownRule, ...]


def effect_of(vault: Vault, old: Snapshot | None, new: Snapshot | None) -> PromptImpact:
    """The blocks of the vault's chain at both states, compared."""
    before = _block(vault, old)
    after = _block(vault, new, on_disk=True)
    known, now = _rules(before), _rules(after)
    sizes = _sizes(before), _sizes(after)
    return PromptImpact(
        _chain(vault),
        before.tokens if before else 0,
        after.tokens if after else 0,
        {
            kind: (sizes[0].get(kind, 0), sizes[1].get(kind, 0))
            for kind in {**sizes[1], **sizes[0]}
            if sizes[0].get(kind, 0) or sizes[1].get(kind, 0)
        },
        tuple(rule for key, rule in now.items() if key not in known),
        tuple(rule for key, rule in known.items() if key not in now),
        tuple(rule for key, rule in now.items() if known.get(key, rule) != rule),
    )


def _chain(vault: Vault) -> str:
    """``project:apollo, agent-type:coding``: what the chain was made of."""
    scopes = [
        scope for scope in vault.chain if scope.kind not in ("override", "system")
    ]
    return ", ".join(map(str, scopes)) or "system"


def _block(vault: Vault, at: Snapshot | None, *, on_disk: bool = False) -> Block | None:
    """Return the block at a state."""
    if at is None:
        return build_prompt(vault.fresh(), PromptRequest()) if on_disk else None
    repo = Repo.find(vault.root)
    if repo is None:
        return None
    with GitTree(repo, at.id) as tree:
        return build_prompt(vault.at(tree, at.id, at.when), PromptRequest())


def _rules(block: Block | None) -> dict[tuple[str, int], ShownRule]:
    """The rules of a block by id; a copy of an id is a separate rule."""
    rules: dict[tuple[str, int], ShownRule] = {}
    for data in _items(block):
        if "rule" in data:
            number = 0
            while (data["id"], number) in rules:
                number += 1
            shown = ShownRule(data["id"], data["tool"], data["priority"], data["rule"])
            rules[data["id"], number] = shown
    return rules


def _items(block: Block | None) -> list[Mapping[str, Any]]:
    parts = block.parts if block else ()
    return [item.data for part in parts if part.kind == "rules" for item in part.items]


def _sizes(block: Block | None) -> dict[str, int]:
    return {
        part.kind: sum(estimate_tokens(item.text) for item in part.items)
        for part in (block.parts if block else ())
    }
