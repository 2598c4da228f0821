"""Wire formats in which agents talk to a model: requests read, answers written.

Anthropic Messages, OpenAI Responses, OpenAI chat completions and Gemini
generateContent, each streamed or whole, as their public references describe them.
"""

import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.agents.steps import Call, Offered

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Piece:
    """A text that reaches the model: the part of the request, its role, the text."""

    role: str
    text: str


@dataclass(frozen=True)
class Wire:
    """The bytes of an answer, with their content type."""

    kind: str
    data: bytes


class Dialect(Protocol):
    """A wire format."""

    def offered(self, body: Body) -> list[Offered]:
        """Return the tools that a request offers."""

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield every text of a request, in order."""

    def messages(self, body: Body) -> list[Any]:
        """Return the messages of a request, for comparing one with the next."""

    def head(self, body: Body) -> Any:
        """Return what precedes the messages: instructions and system prompt."""

    def answer(
        self, body: Body, path: str, texts: Sequence[str], calls: Sequence[Call]
    ) -> Wire:
        """Write an answer with texts and calls."""


def dialect_of(path: str) -> Dialect | None:
    """Return the wire format of a request's path, None for any other request."""
    if path.endswith("/messages"):
        return Anthropic()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/chat/completions"):
        return Chat()
    return Gemini() if "enerateContent" in path else None


def _name(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:20]


def _events(events: Sequence[Any], *, named: bool) -> Wire:
    lines = []
    for event in events:
        if named:
            lines.append(f"event: {event['type']}\n")
        text = event if isinstance(event, str) else json.dumps(event)
        lines.append(f"data: {text}\n\n")
    return Wire("text/event-stream", "".join(lines).encode())


def _whole(document: Any) -> Wire:
    return Wire("application/json", json.dumps(document).encode())


def _text_of(content: Any) -> str:
    """Return the text inside a part of a message, whatever its nesting."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_text_of(one) for one in content)
    if not isinstance(content, dict):
        return ""
    for key in ("text", "content", "output", "thinking"):
        if content.get(key):
            return _text_of(content[key])
    return json.dumps(content)


def _parts(role: str, content: Any) -> Iterator[Piece]:
    for part in content if isinstance(content, list) else [content]:
        kind = part.get("type", "") if isinstance(part, dict) else ""
        result = kind in ("tool_result", "function_call_output")
        yield Piece("tool" if result else role, _text_of(part))


def _without_marks(value: Any) -> Any:
    """Drop cache marks, and make a plain text a list of one part."""
    if isinstance(value, list):
        return [_without_marks(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {k: _without_marks(v) for k, v in value.items() if k != "cache_control"}
    if "role" in kept and isinstance(kept.get("content"), str):
        kept["content"] = [{"type": "text", "text": kept["content"]}]
    return kept


class Anthropic:
    """Anthropic Messages."""

    def offered(self, body: Body) -> list[Offered]:
        """Return the tools that a request offers."""
        return [
            Offered(tool.get("name", ""), tool.get("input_schema") or {})
            for tool in body.get("tools") or []
        ]

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield every text of a request, in order."""
        yield Piece("system", _text_of(body.get("system", "")))
        for message in body.get("messages") or []:
            yield from _parts(message["role"], message.get("content"))

    def messages(self, body: Body) -> list[Any]:
        """Return the messages, without cache marks."""
        return [_without_marks(one) for one in body.get("messages") or []]

    def head(self, body: Body) -> Any:
        """Return the system prompt, without cache marks."""
        return _without_marks(body.get("system"))

    def answer(
        self, body: Body, path: str, texts: Sequence[str], calls: Sequence[Call]
    ) -> Wire:
        """Write an answer with texts and calls."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": t} for t in texts]
        blocks += [
            {
                "type": "tool_use",
                "id": _name("toolu_"),
                "name": call.tool,
                "input": call.arguments,
            }
            for call in calls
        ]
        stop = "tool_use" if calls else "end_turn"
        message = {
            "id": _name("msg_"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "scripted"),
            "content": blocks,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }
        if not body.get("stream"):
            return _whole(message)
        begun = {**message, "content": [], "stop_reason": None}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
        for index, block in enumerate(blocks):
            events += self._block(index, block)
        end = {"stop_reason": stop, "stop_sequence": None}
        usage = {"output_tokens": 10}
        events += [
            {"type": "message_delta", "delta": end, "usage": usage},
            {"type": "message_stop"},
        ]
        return _events(events, named=True)

    def _block(self, index: int, block: Mapping[str, Any]) -> list[dict[str, Any]]:
        if block["type"] == "text":
            empty: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            text = json.dumps(block["input"])
            delta = {"type": "input_json_delta", "partial_json": text}
        return [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]


class Responses:
    """OpenAI Responses, with the namespaces and free-text tools that Codex sends."""

    def offered(self, body: Body) -> list[Offered]:
        """Return the tools that a request offers, those among its input included."""
        tools = list(body.get("tools") or [])
        for item in self._input(body):
            if item.get("type") == "additional_tools":
                tools += item.get("tools") or []
        return list(self._tools(tools, ""))

    def _tools(self, tools: Sequence[Any], prefix: str) -> Iterator[Offered]:
        for tool in tools:
            if tool.get("type") == "namespace":
                yield from self._tools(tool.get("tools") or [], f"{tool['name']}::")
            else:
                name = tool.get("name") or tool.get("type", "")
                free = tool.get("type") == "custom"
                yield Offered(prefix + name, tool.get("parameters") or {}, free)

    def _input(self, body: Body) -> list[Any]:
        found = body.get("input")
        return found if isinstance(found, list) else []

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield every text of a request, in order."""
        yield Piece("system", _text_of(body.get("instructions") or ""))
        for item in self._input(body):
            kind = item.get("type", "")
            role = "tool" if kind.endswith("_output") else item.get("role") or kind
            yield from _parts(role, item.get("content", item))

    def messages(self, body: Body) -> list[Any]:
        """Return the items of the input."""
        return self._input(body)

    def head(self, body: Body) -> Any:
        """Return the instructions."""
        return body.get("instructions")

    def answer(
        self, body: Body, path: str, texts: Sequence[str], calls: Sequence[Call]
    ) -> Wire:
        """Write an answer with texts and calls."""
        items = [self._message(text) for text in texts]
        items += [self._call(call) for call in calls]
        response = {
            "id": _name("resp_"),
            "object": "response",
            "created_at": int(time.time()),
            "status": "completed",
            "model": body.get("model", "scripted"),
            "output": items,
            "usage": {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110},
            "error": None,
        }
        if not body.get("stream"):
            return _whole(response)
        begun = {**response, "status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        for index, item in enumerate(items):
            events += self._item(index, item)
        events.append({"type": "response.completed", "response": response})
        numbered = [{**e, "sequence_number": n} for n, e in enumerate(events)]
        return _events(numbered, named=True)

    def _message(self, text: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        return {
            "type": "message",
            "id": _name("msg_"),
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }

    def _call(self, call: Call) -> dict[str, Any]:
        space, _, name = call.tool.rpartition("::")
        item: dict[str, Any] = {"call_id": _name("call_"), "name": name}
        if space:
            item["namespace"] = space
        if isinstance(call.arguments, str):
            return item | {
                "type": "custom_tool_call",
                "id": _name("ctc_"),
                "input": call.arguments,
                "status": "completed",
            }
        return item | {
            "type": "function_call",
            "id": _name("fc_"),
            "arguments": json.dumps(call.arguments),
            "status": "completed",
        }

    def _item(self, index: int, item: Mapping[str, Any]) -> list[dict[str, Any]]:
        place = {"output_index": index}
        inner = {**place, "item_id": item["id"]}
        begun = {**item, "status": "in_progress"}
        events = [{"type": "response.output_item.added", **place, "item": begun}]
        if item["type"] == "message":
            delta = {**inner, "content_index": 0, "delta": item["content"][0]["text"]}
            events.append({"type": "response.output_text.delta", **delta})
        elif item["type"] == "function_call":
            kind = "response.function_call_arguments.delta"
            events.append({"type": kind, **inner, "delta": item["arguments"]})
        events.append({"type": "response.output_item.done", **place, "item": item})
        return events


class Chat:
    """OpenAI chat completions."""

    def offered(self, body: Body) -> list[Offered]:
        """Return the tools that a request offers."""
        functions = [tool.get("function") or {} for tool in body.get("tools") or []]
        return [
            Offered(f.get("name", ""), f.get("parameters") or {}) for f in functions
        ]

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield every text of a request, in order."""
        for message in body.get("messages") or []:
            yield from _parts(message["role"], message.get("content") or "")
            if message.get("tool_calls"):
                yield Piece("call", json.dumps(message["tool_calls"]))

    def messages(self, body: Body) -> list[Any]:
        """Return the messages, the system prompt among them."""
        return [_without_marks(one) for one in body.get("messages") or []]

    def head(self, body: Body) -> Any:
        """Return nothing: the system prompt is a message."""

    def answer(
        self, body: Body, path: str, texts: Sequence[str], calls: Sequence[Call]
    ) -> Wire:
        """Write an answer with texts and calls."""
        base = {
            "id": _name("chatcmpl-"),
            "created": int(time.time()),
            "model": body.get("model", "scripted"),
        }
        made = [
            {
                "index": index,
                "id": _name("call_"),
                "type": "function",
                "function": {
                    "name": call.tool,
                    "arguments": call.arguments
                    if isinstance(call.arguments, str)
                    else json.dumps(call.arguments),
                },
            }
            for index, call in enumerate(calls)
        ]
        message: dict[str, Any] = {"role": "assistant", "content": "\n".join(texts)}
        if made:
            message["tool_calls"] = made
        end = "tool_calls" if made else "stop"
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": end}
            whole = {"object": "chat.completion", "choices": [choice], "usage": usage}
            return _whole(base | whole)
        chunk = base | {"object": "chat.completion.chunk"}
        first = {"index": 0, "delta": message, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": end}
        events = [
            chunk | {"choices": [first]},
            chunk | {"choices": [last]},
            chunk | {"choices": [], "usage": usage},
            "[DONE]",
        ]
        return _events(events, named=False)


class Gemini:
    """Gemini generateContent and streamGenerateContent."""

    def offered(self, body: Body) -> list[Offered]:
        """Return the tools that a request offers."""
        return [
            Offered(
                one["name"],
                one.get("parametersJsonSchema") or one.get("parameters") or {},
            )
            for tool in body.get("tools") or []
            for one in tool.get("functionDeclarations") or []
        ]

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield every text of a request, in order."""
        system = body.get("systemInstruction") or {}
        yield Piece("system", _text_of(system.get("parts") or []))
        for content in body.get("contents") or []:
            for part in content.get("parts") or []:
                role = "tool" if "functionResponse" in part else content.get("role")
                yield Piece(str(role), _text_of(part))

    def messages(self, body: Body) -> list[Any]:
        """Return the contents."""
        return list(body.get("contents") or [])

    def head(self, body: Body) -> Any:
        """Return the system instruction."""
        return body.get("systemInstruction")

    def answer(
        self, body: Body, path: str, texts: Sequence[str], calls: Sequence[Call]
    ) -> Wire:
        """Write an answer with texts and calls."""
        parts: list[dict[str, Any]] = [{"text": text} for text in texts]
        parts += [
            {"functionCall": {"name": c.tool, "args": c.arguments}} for c in calls
        ]
        content = {"role": "model", "parts": parts}
        read = len(json.dumps(body)) // 4  # the agent compresses what is counted
        document = {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": read,
                "candidatesTokenCount": 10,
                "totalTokenCount": read + 10,
            },
            "modelVersion": "scripted",
        }
        if "stream" in path:
            return _events([document], named=False)
        return _whole(document)
