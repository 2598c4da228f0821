"""The answers of ``toolmem mcp`` that never change, as the SDK's server gives them."""

import json
import shutil
import tempfile
from pathlib import Path

from tests.servers.connection import Server
from tests.world import TEMPLATE

ASKED = ("tools/list", "prompts/list", "resources/templates/list")
_UNKNOWN = "1999-01-01"
"""A version of the protocol that leaves the handshake to the SDK."""


def greeting() -> str:
    """The text of ``toolmem/servers/greeting.json``."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(TEMPLATE, vault)
        with Server(vault, "mcp") as server:
            hello = server.result(
                "initialize",
                protocolVersion=_UNKNOWN,
                capabilities={},
                clientInfo={"name": "make generate", "version": "1"},
            )
            server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            answers = {method: server.result(method) for method in ASKED}
    kept = {key: hello[key] for key in ("capabilities", "instructions")}
    document = {"initialize": kept, **answers}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
