"""Execute tool calls of the Model Context Protocol."""

import json
from collections.abc import Mapping
from typing import Any

from toolmem.api.vault import Vault
from toolmem.core.formats.json_text import json_text
from toolmem.core.text.safetext import spell_out
from toolmem.errors import ToolmemError, worded
from toolmem.servers.arguments import bind
from toolmem.servers.notices import block_for_agents, bug, for_agents
from toolmem.servers.tool import Tool


def call_tool(vault: Vault, tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a call; a failure is one that the model can act on."""
    try:
        answer = run_tool(vault, tool, given)
    except ToolmemError as error:
        return _failed(f"{error.message.worded(for_agents)} [{error.code}]")
    except Exception as error:
        return _failed(bug(error))
    text = json.dumps(answer, ensure_ascii=False)
    content = [{"text": text, "type": "text"}]
    return {"content": content, "isError": False, "structuredContent": answer}


def run_tool(vault: Vault, tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of a tool, in plain JSON values without invisible characters.

    Raises ``ToolmemError``.
    """
    answer = tool.call(vault, bind(tool.parameters(), given))
    if "rendered" in answer:
        answer["rendered"] = block_for_agents(answer["rendered"])
    if "remarks" in answer:
        answer["remarks"] = [worded(remark, for_agents) for remark in answer["remarks"]]
    plain: dict[str, Any] = _shown(json.loads(json_text(answer, indent=None)))
    return plain


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        is_plain = value.isascii() and value.isprintable()  # nearly all are
        return value if is_plain else spell_out(value)
    if isinstance(value, list):
        return [_shown(item) for item in value]
    if isinstance(value, dict):
        return {_shown(key): _shown(item) for key, item in value.items()}
    return value


def _failed(text: str) -> dict[str, Any]:
    content = [{"text": spell_out(text), "type": "text"}]
    return {"content": content, "isError": True}
