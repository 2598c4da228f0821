"""MCP server of the vault, with the protocol's own SDK.

The SDK handles both handshakes and checks messages; requests are executed one after the
other in a separate thread, so that each sees the writes of those before.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
from anyio import CapacityLimiter, to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from toolmem import __version__
from toolmem.api.vault import Vault
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import ToolmemError, UsageError
from toolmem.servers.mcp_streams import Conversation, converse
from toolmem.servers.notices import bug, for_agents
from toolmem.servers.prompts import PROMPTS, prompt_text
from toolmem.servers.resources import (
    MARKDOWN,
    TEMPLATES,
    read_resource,
    resources_answer,
)
from toolmem.servers.tool import Tool
from toolmem.servers.tool_calls import call_tool
from toolmem.servers.tool_table import BY_NAME, TOOLS

_T = TypeVar("_T")
_INSTRUCTIONS = (
    "Memory that people review. Recall before you guess or ask; guard_check before "
    "a risky tool call; save what will matter again: facts for values, ideas for "
    "lessons, rules for how to use a tool."
)


def serve(vault: Vault, talk: Conversation, *, read_only: bool) -> int:
    """Answer a client until it disconnects; return the exit code."""
    return converse(_ServedVault(vault, read_only=read_only).server(), talk)


class _ServedVault:
    """A vault as a client sees it; requests are executed in order."""

    def __init__(self, vault: Vault, *, read_only: bool) -> None:
        self._vault = vault
        self._tools = [tool for tool in TOOLS if not (read_only and tool.writes)]
        self._one = CapacityLimiter(1)

    def server(self) -> "Server[Any]":
        """Return the SDK's server with a handler for every request."""
        return Server(
            "toolmem",
            version=__version__,
            instructions=_INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    async def _do(self, work: Callable[[], _T]) -> _T:
        return await to_thread.run_sync(work, limiter=self._one)

    async def _ask(self, work: Callable[[], _T]) -> _T:
        """Execute a request other than a tool call; failures are protocol errors."""
        try:
            return await self._do(work)
        except ToolmemError as error:
            wrong = isinstance(error, UsageError)
            code = types.INVALID_PARAMS if wrong else -32000 - error.exit_code
            data = {"code": error.code}
            raise MCPError(code, error.message.worded(for_agents), data) from error
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, bug(error)) from error

    async def list_tools(self, _: Any, __: Any) -> types.ListToolsResult:
        """Return the tools, always in the same order."""
        return types.ListToolsResult(tools=[_described(tool) for tool in self._tools])

    async def call_tool(
        self, _: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Execute a tool call; a failure is an answer that the model can act on."""
        tool = BY_NAME.get(params.name)
        if tool is None:
            hint = did_you_mean(params.name, BY_NAME)
            message = f"no tool {params.name!r}{hint}"
            raise MCPError(types.INVALID_PARAMS, message, {"code": "no_tool"})
        work = partial(call_tool, self._vault, tool, params.arguments or {})
        return types.CallToolResult.model_validate(await self._do(work))

    async def list_resources(self, _: Any, __: Any) -> types.ListResourcesResult:
        """Return the block, the scopes with facts, the tools with rules."""
        resources = await self._ask(partial(resources_answer, self._vault))
        return types.ListResourcesResult.model_validate(resources)

    async def list_templates(
        self, _: Any, __: Any
    ) -> types.ListResourceTemplatesResult:
        """Return the address templates of other resources."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=uri, name=name, description=about, mime_type=MARKDOWN
                )
                for uri, name, about in TEMPLATES
            ]
        )

    async def read_resource(
        self, _: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return the current text of one resource."""
        uri = str(params.uri)
        text = await self._ask(partial(read_resource, self._vault, uri))
        content = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(self, _: Any, __: Any) -> types.ListPromptsResult:
        """Return the prompts."""
        listed = [
            types.Prompt(
                name=prompt.name,
                description=prompt.about,
                arguments=[
                    types.PromptArgument(name=name, description=about, required=needed)
                    for name, about, needed in prompt.arguments
                ],
            )
            for prompt in PROMPTS
        ]
        return types.ListPromptsResult(prompts=listed)

    async def get_prompt(
        self, _: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Return the text of a prompt."""
        given = dict(params.arguments or {})
        work = partial(prompt_text, self._vault, params.name, given)
        text = await self._ask(work)
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=text)
        )
        return types.GetPromptResult(messages=[message])


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )
