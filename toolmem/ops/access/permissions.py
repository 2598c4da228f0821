"""Caller of a query and permissions of its tool."""

from typing import NamedTuple

from toolmem.core.access.permit import Access, read_access
from toolmem.core.access.request import Caller
from toolmem.core.model import SYSTEM
from toolmem.core.names import clean_name, decode_name, fold, tool_key
from toolmem.core.scope import chain_for
from toolmem.core.tools.manifest import ToolNames
from toolmem.errors import InvalidFileError, UsageError
from toolmem.store.vault.rule_files import load_manifests
from toolmem.store.vault.vault import Vault

_NAMES = ("agent", "project", "agent_type")


class Principal(NamedTuple):
    """The user or agent that a tool acts for; ``refusal`` is the reason for none.

    ``scopes`` are the text forms of the chain, most specific first.
    """

    agent: str = ""
    project: str = ""
    agent_type: str = ""
    scopes: tuple[str, ...] = (str(SYSTEM),)
    refusal: str = ""


class ToolPermission(NamedTuple):
    """Queries that a tool may make; ``tool`` is its name in the manifest."""

    tool: str
    access: Access
    refusal: str = ""


def principal_of(vault: Vault, caller: Caller) -> Principal:
    """Whose memory is asked for: the one set for this program, never another.

    What is not set counts as the request says.
    """
    names: dict[str, str] = {}
    for name in _NAMES:
        known, claimed = vault.setting(name) or "", getattr(caller, name)
        try:
            known, claimed = _clean(known), _clean(claimed)
        except UsageError as error:
            return Principal(refusal=f"agent_context: {error}")
        if known and claimed and known != claimed:
            what = name.replace("_", " ")
            named = f"the request names the {what} {claimed!r:.60}"
            refusal = f"{named}: this is for {known!r:.60}"
            return Principal(names.get("agent", ""), refusal=refusal)
        names[name] = known or claimed
    agent, project, agent_type = (names[name] for name in _NAMES)
    chain = chain_for(project, agent_type, agent)
    return Principal(agent, project, agent_type, tuple(map(str, chain)))


def access_of(vault: Vault, tool: str) -> ToolPermission:
    """Return the declared access of a tool; none without a manifest."""
    manifests, broken = load_manifests(vault)
    try:
        names = ToolNames(manifests)
        key = names.key(tool)
    except UsageError as error:
        return ToolPermission(tool, {}, f"tool_id: {error}")
    for manifest in manifests:
        if tool_key(manifest.name) == key:
            try:
                return ToolPermission(
                    manifest.name, read_access(manifest.stated, manifest.path)
                )
            except InvalidFileError as error:
                reason = f"the tool's manifest cannot be read: {error.reason}"
                return ToolPermission(manifest.name, {}, reason)
    for fault in broken:
        stem = fault.path.rpartition("/")[2].removesuffix(".toml")
        if fold(decode_name(stem)) == key:
            reason = f"the tool's manifest cannot be read: {fault.reason}"
            return ToolPermission(tool, {}, reason)
    return ToolPermission(
        tool, {}, "the tool has no manifest, so it may not query anything"
    )


def _clean(name: str) -> str:
    return clean_name(name) if name else ""
