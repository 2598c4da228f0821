"""A sub-agent begins: it works by the same rules and has not read them."""

from toolmem.core import limits
from toolmem.core.agents.event import Answer, Event
from toolmem.ops.hooks import block_delivery
from toolmem.ops.hooks.journal_event import SHOWN_SUFFIX, append_event
from toolmem.ops.hooks.modes import injected
from toolmem.ops.hooks.vaults_line import context_line
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.store.vault.vault import Vault


def answer(vault: Vault, event: Event) -> Answer:
    """The block of this moment; the session's own was given to its main agent."""
    shown = injected(vault)
    if shown is None:
        return Answer()
    request = PromptRequest(max_chars=limits.HOOK_BLOCK_CHARS, hard=True)
    block = build_prompt(shown, request)
    if event.session:
        seen = {"shown": block_delivery.rule_versions(block)}
        append_event(vault, event, seen, suffix=SHOWN_SUFFIX)
    return Answer(context=block.text + context_line(vault))
