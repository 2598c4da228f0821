"""Preview a proposal: the guards of its rule and the lines of the block."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolmem.core.guard.derive import derive_guards
from toolmem.core.model import Priority, Rule, Scope
from toolmem.core.rules.proposal import Proposal
from toolmem.store.vault.vault import Vault


class BlockLine(NamedTuple):
    """A rule that the block would show (``+``) or show no longer (``-``)."""

    change: str
    tool: str
    priority: Priority
    rule: str


class ProposalPreview(NamedTuple):
    """Guards that would be derived, and what in the prompt block would change.

    ``in_chain`` is False where the chain of this place has none of it.
    """

    guards: tuple[Mapping[str, Any], ...]
    block: tuple[BlockLine, ...]
    in_chain: bool = True


def preview_proposal(
    vault: Vault, proposal: Proposal, rules: Iterable[Rule]
) -> ProposalPreview:
    """Return the changes of a proposal; ``rules`` are those that it is about."""
    lines: list[BlockLine] = []
    guards: list[Mapping[str, Any]] = []
    scopes: set[Scope] = set()
    if proposal.kind != "add":
        about = tuple(rules)
        lines += (BlockLine("-", one.tool, one.priority, one.rule) for one in about)
        scopes |= {one.scope for one in about}
    if proposal.rule:
        amended = proposal.kind == "amend"
        scopes |= set() if amended else {proposal.scope}
        for tool in proposal.tools:
            guards += derive_guards(proposal.rule, tool)
            lines.append(BlockLine("+", tool, proposal.priority, proposal.rule))
    shown = tuple(line for line in lines if line.priority is not Priority.NORMAL)
    return ProposalPreview(tuple(guards), shown, bool(scopes & set(vault.chain)))
