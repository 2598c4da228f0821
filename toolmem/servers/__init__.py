"""JSON-RPC and MCP servers."""
