"""A small MCP server with one tool, ``send_email``, which sends nothing."""

import json
import sys
from typing import Any

_TOOL = {
    "name": "send_email",
    "description": "Send a message.",
    "inputSchema": {
        "type": "object",
        "properties": {"to": {"type": "string"}, "subject": {"type": "string"}},
        "required": ["to"],
    },
}


def _result(request: dict[str, Any]) -> dict[str, Any]:
    parameters = request.get("params") or {}
    match request.get("method"):
        case "initialize":
            return {
                "protocolVersion": parameters.get("protocolVersion", "2025-06-18"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "mail", "version": "1"},
            }
        case "tools/list":
            return {"tools": [_TOOL]}
        case "tools/call":
            to = parameters["arguments"]["to"]
            return {"content": [{"type": "text", "text": f"sent to {to}"}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": _result(request)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
