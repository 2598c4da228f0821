"""The prompt block: what applies to a chain, packed, rendered and accounted for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core.model import ANY_TOOL, Problem, Rule, Scope
from toolmem.core.prompt.build import (
    TopicMemory,
    facts_part,
    memories_part,
    rules_part,
    text_part,
)
from toolmem.core.prompt.markdown import render_markdown
from toolmem.core.prompt.pack import shrink
from toolmem.core.prompt.parts import KINDS, PromptItem, PromptPart
from toolmem.core.prompt.xml import render_xml
from toolmem.core.rules.rule_file import UnreadableRule
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import InvalidFileError, UsageError
from toolmem.ops.rules.new_names import unknown_scopes
from toolmem.store.files import layout
from toolmem.store.vault.fact_files import chain_facts
from toolmem.store.vault.rule_files import in_effect
from toolmem.store.vault.texts import TextReader
from toolmem.store.vault.vault import Vault

FORMATS = ("markdown", "xml", "json")


class PromptRequest(NamedTuple):
    """Options of a block: ``tools`` limit the rules, ``only`` the parts.

    ``budget`` is in tokens and ``max_chars`` in characters of the whole block;
    JSON carries the block as markdown. ``hard``: rather than go over
    ``max_chars``, count critical rules, too (an agent's hook, where the guard
    holds them all). ``topic`` or ``task`` say which memories were asked for.
    ``search_tool`` is what whoever reads the block searches with, if no command.
    """

    tools: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    budget: int | None = None
    max_chars: int | None = None
    format: str = "markdown"
    hard: bool = False
    topic: str = ""
    task: str = ""
    search_tool: str = ""


class Block(NamedTuple):
    """A rendered block and what it was made of.

    ``fits`` is False when the critical rules alone are over the limit asked
    for; ``rules`` are all in effect, shown or not.
    """

    text: str
    parts: tuple[PromptPart, ...]
    vault: Vault
    rules: tuple[Rule, ...] = ()
    remarks: tuple[str, ...] = ()
    fits: bool = True

    @property
    def files(self) -> list[tuple[str, str]]:
        """Path and git blob id of every file that was read for it, by path."""
        own = self.vault.own
        others = own.tree.versions() if own else []
        files = [(f"{own.root}/{path}", blob) for path, blob in others] if own else []
        return [*self.vault.tree.versions(), *files]

    @property
    def tokens(self) -> int:
        """The estimated tokens of the text."""
        return estimate_tokens(self.text)

    @property
    def digest(self) -> str:
        """``sha256:…`` of the text: the receipt of what was printed."""
        import hashlib  # dear to import, and only receipts need it

        return "sha256:" + hashlib.sha256(self.text.encode()).hexdigest()


class _PartCollector:
    def __init__(self) -> None:
        self.parts: list[PromptPart] = []
        self.rules: tuple[Rule, ...] = ()
        self.problems: list[Problem] = []


def build_prompt(
    vault: Vault, request: PromptRequest, memories: Sequence[TopicMemory] = ()
) -> Block:
    """The block for the vault's project, agent type and agent.

    ``memories`` are those on the topic, best first (see ``ops.topic_memories``).

    Raises ``UsageError`` for a part or a format that does not exist.
    """
    _check(request)
    gathered = _gather(vault, request, memories)
    render = render_xml if request.format == "xml" else render_markdown
    parts, fits = _fit(tuple(gathered.parts), request, render)
    remarks = [
        *unknown_scopes(vault),
        *(f"{p.place}: {p.message}" for p in gathered.problems),
    ]
    return Block(
        render(parts),
        parts,
        vault,
        gathered.rules,
        tuple(remarks),
        fits,
    )


def prompt_part(vault: Vault, kind: str) -> PromptPart:
    """Return one part of the block for a chain, of one of the kinds with files.

    Parts of other kinds depend on what the block has besides.
    """
    (part,) = _gather(vault, PromptRequest(only=(kind,)), ()).parts
    return part


def _check(request: PromptRequest) -> None:
    for part in request.only:
        if part not in KINDS:
            raise UsageError(
                f"no part {part!r}{did_you_mean(part, KINDS)} "
                f"(there are {', '.join(KINDS)})"
            )
    if request.format not in FORMATS:
        raise UsageError(f"no format {request.format!r}: {', '.join(FORMATS)}")
    for name, limit in (("budget", request.budget), ("max-chars", request.max_chars)):
        if limit is not None and limit < 1:
            raise UsageError(f"--{name} must be above 0")


def _gather(
    vault: Vault, request: PromptRequest, memories: Sequence[TopicMemory]
) -> _PartCollector:
    """Load only the parts that are wanted."""
    wanted = request.only or KINDS
    chain = vault.chain
    reader = TextReader(vault)
    out = _PartCollector()
    out.problems = reader.problems
    if "role" in wanted:
        out.parts.append(text_part("role", reader.roles(chain)))
    if "overrides" in wanted:
        texts = reader.overrides(vault.setting("project"), vault.setting("agent_type"))
        out.parts.append(text_part("overrides", texts))
    if "rules" in wanted:
        part, out.rules = _rules(vault, request.tools)
        out.parts.append(part)
    if "facts" in wanted:
        listing = chain_facts(vault, chain)
        out.problems += [p for p in listing.problems if p.severity == "error"]
        tokens = int(vault.settings["prompt.fact_tokens"].value)
        out.parts.append(facts_part(listing.facts, tokens))
    if "guidance" in wanted:
        out.parts.append(text_part("guidance", reader.guidance(chain)))
    if "memories" in wanted:
        out.parts.append(memories_part(memories))
    if "search" in wanted:
        out.parts.append(_search_part(vault, out.parts, request.search_tool))
    return out


def _rules(vault: Vault, tools: Sequence[str]) -> tuple[PromptPart, tuple[Rule, ...]]:
    rules: list[Rule] = []
    unreadable: list[UnreadableRule] = []
    vaults = in_effect(vault)
    for effective in vaults:
        keys = {ANY_TOOL}.union(*map(effective.names.ruling, tools))
        unreadable += (e for e in effective.unreadable if not tools or e.tool in keys)
        rules += (
            r
            for r in effective.rules
            if not tools or effective.names.key(r.tool) in keys
        )
    own, shared = vaults[0].names, vaults[-1].names

    known: dict[tuple[str, str], str] = {}

    def key_of(rule: Rule) -> str:
        key = known.get((rule.vault, rule.tool))
        if key is None:
            key = (own if rule.vault else shared).key(rule.tool)
            known[rule.vault, rule.tool] = key
        return key

    def spelling_of(key: str) -> str | None:
        return own.spelling(key) or shared.spelling(key)

    return rules_part(rules, unreadable, key_of, spelling_of), tuple(rules)


def _search_part(vault: Vault, parts: Sequence[PromptPart], tool: str) -> PromptPart:
    """Render the search hint; empty if there is nothing to find."""
    if not any(part.items for part in parts) and not any(
        has_memories(vault, scope) for scope in vault.chain
    ):
        return PromptPart("search")
    return search_part(tool)


def search_part(tool: str = "") -> PromptPart:
    """Return the search hint; ``tool`` as in ``PromptRequest``."""
    how = f"`{tool}`" if tool else '`toolmem recall "QUESTION"`'
    text = f"Search for more: {how}."
    return PromptPart("search", (PromptItem(text, "search", data={"text": text}),))


def has_memories(vault: Vault, scope: Scope) -> bool:
    """Return True if there is anything in the folder of a scope's memories."""
    try:
        return bool(vault.tree.entries(f"{layout.scope_folder(scope)}/{layout.MEMORY}"))
    except InvalidFileError:  # a link or a file in its place
        return False


def _fit(
    parts: tuple[PromptPart, ...],
    request: PromptRequest,
    render: Callable[[Sequence[PromptPart]], str],
) -> tuple[tuple[PromptPart, ...], bool]:
    fits = True
    if request.budget is not None:
        parts, fits = shrink(
            parts,
            lambda some: estimate_tokens(render(some)),
            estimate_tokens,
            request.budget,
            f"over the budget of {request.budget} tokens",
        )
    if request.max_chars is not None:
        parts, within = shrink(
            parts,
            lambda some: len(render(some)),
            len,
            request.max_chars,
            f"over {request.max_chars} characters",
            hard=request.hard,
        )
        fits = fits and within
    return parts, fits
