"""Which names the common agents have for the same tool.

A rule for ``shell`` holds for a call of ``Bash``, too: agents are exchanged, and
their names for the same thing with them. A manifest says the same of other tools.
"""

from toolmem.core.model import ANY_TOOL

_FAMILIES = (
    # Claude Code, Codex, Gemini CLI, Cursor, Copilot, OpenCode, goose
    "shell bash terminal powershell run_shell_command shell_command exec_command "
    "local_shell local_shell_call execute run_in_terminal developer__shell",
    "edit multiedit notebookedit replace str_replace str_replace_editor "
    "str_replace_based_edit_tool apply_patch patch edit_file",
    "write write_file create create_file",
    "read read_file view view_file",
    "fetch webfetch web_fetch fetch_url",
    "websearch web_search google_web_search",
)
_WRITES, _EDITS = "write", "edit"
_BY_NAME = {
    name: frozenset(family.split()) for family in _FAMILIES for name in family.split()
}


def same_tools(key: str) -> frozenset[str]:
    """Every name (as a key) under which rules for a tool may be kept, its own first.

    Of an MCP name such as ``mcp__mail__send_email`` the tool's own name counts, too.
    """
    names = {key, _without_server(key)}
    for name in tuple(names):
        names |= _BY_NAME.get(name, frozenset())
    return frozenset(names - {ANY_TOOL})


def ruled_as(key: str) -> frozenset[str]:
    """Every name under which rules may be kept that a call of a tool is subject to.

    A file that is written anew is edited, too: "never edit gen/" holds for both.
    """
    names = same_tools(key)
    return names | _BY_NAME[_EDITS] if _WRITES in names else names


def _without_server(key: str) -> str:
    """An MCP tool's own name: ``mcp__server__tool``, ``mcp_server_tool``, ``mcp:tool``.

    Where a single line parts the names, the server's is taken to be one word.
    """
    if key.startswith("mcp__"):
        return key.rpartition("__")[2] or key
    if key.startswith("mcp_"):
        return key.partition("_")[2].partition("_")[2] or key
    return key.removeprefix("mcp:") or key
