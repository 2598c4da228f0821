"""Classify a tool by its name and arguments, and find the files that it names."""

import re
from datetime import datetime
from typing import Any

from toolmem.core import limits
from toolmem.core.shell.programs import COMMAND_SHELLS
from toolmem.core.text import patches
from toolmem.core.transcript.events import Position, ToolKind, TranscriptCall
from toolmem.core.transcript.fields import arguments, bounded, clean, items, text

_NAMES = {
    ToolKind.SHELL: """bash powershell shell shell_command local_shell local_shell_call
        shell_call exec_command run_shell_command run_terminal_cmd run_terminal_command
        terminal execute_command run_command run_in_terminal execute_bash
        container.exec command_execution developer__shell runshellcommand""",
    ToolKind.WRITE: """write write_file create create_file write_to_file save_file
        writefile file_write""",
    ToolKind.EDIT: """edit edit_file multiedit multi_edit notebookedit edit_notebook
        replace str_replace str_replace_editor str_replace_based_edit_tool apply_patch
        apply_diff search_replace replace_in_file insert patch file_change editfile""",
    ToolKind.DELETE: "delete delete_file remove_file rm deletefile",
    ToolKind.READ: """read read_file view cat open_file view_image notebookread
        read_many_files readfile""",
    ToolKind.SEARCH: """grep glob search grep_search file_search codebase_search ls
        list_dir list_directory list_files search_files search_file_content ripgrep
        toolsearch semsearch find""",
    ToolKind.WEB: """webfetch websearch web_search web_fetch google_web_search fetch
        web_search_call""",
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_EDITOR_COMMANDS = {
    "view": ToolKind.READ,
    "create": ToolKind.WRITE,
    "str_replace": ToolKind.EDIT,
    "insert": ToolKind.EDIT,
    "undo_edit": ToolKind.EDIT,
}
_MCP_PREFIXES = ("mcp__", "mcp_", "mcp:")
_FILE_KINDS = (ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE, ToolKind.READ)
_COMMAND_KEYS = ("command", "cmd", "script", "commandLine", "CommandLine")
_PATH_KEYS = (
    *("file_path", "filePath", "path", "notebook_path", "notebookPath", "filename"),
    *("target_file", "absolute_path", "TargetFile", "relative_workspace_path", "file"),
)
_CWD_KEYS = ("workdir", "cwd", "dir_path", "directory", "working_directory")
_DANGER_KEYS = ("isDangerous", "is_dangerous", "dangerous")
_SHELL_FLAGS = frozenset(("-c", "-lc", "-ic", "-lic", "-command", "/c"))
_PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+")
_PATCH_COMMAND = re.compile(r"\s*(?:cd\s+(\S+)\s*&&\s*)?apply_patch\b")


def make_call(
    call_id: object,
    tool: object,
    raw_args: object,
    position: Position,
    ts: datetime | None,
    declared: object = None,
) -> TranscriptCall:
    """Return a call from an agent's own fields; ``declared`` is its danger mark."""
    name, raw = text(tool), arguments(raw_args)
    kind = kind_of(name, raw)
    command = command_of(raw)
    if kind is ToolKind.OTHER and command is not None and "exec" in name.lower():
        kind = ToolKind.SHELL
    if kind is not ToolKind.SHELL:
        command = None
    cwd = next((text(raw[key]) for key in _CWD_KEYS if text(raw.get(key))), "")
    patch = _patch_in(kind, raw, command)
    if patch is not None:
        kind = ToolKind.EDIT
        entered = _PATCH_COMMAND.match(command) if command else None
        cwd = entered[1] if entered and entered[1] else cwd
    paths = patch or _paths(kind, raw)
    return TranscriptCall(
        id=text(call_id),
        tool=name,
        kind=kind,
        args=bounded(raw),
        command=clean(command[: limits.TOOL_ARG_CHARS]) if command else None,
        paths=paths.changed,
        deleted=paths.deleted,
        created=paths.created,
        cwd=cwd,
        declared_dangerous=declared is True
        or any(raw.get(key) is True for key in _DANGER_KEYS),
        ts=ts,
        position=position,
    )


def kind_of(name: str, args: dict[str, Any]) -> ToolKind:
    """Return the kind of a tool by its name, or by its subcommand for an editor."""
    lowered = name.strip().lower()
    if lowered.startswith(_MCP_PREFIXES):
        return ToolKind.MCP
    kind = _KINDS.get(lowered) or _KINDS.get(lowered.replace("-", "_"), ToolKind.OTHER)
    if kind is ToolKind.EDIT and isinstance(args.get("command"), str):
        return _EDITOR_COMMANDS.get(args["command"], kind)
    return kind


def command_of(args: dict[str, Any]) -> str | None:
    """Return the shell command in the arguments as one text, without ``bash -lc``."""
    for key in _COMMAND_KEYS:
        value = args.get(key)
        if isinstance(value, str) and value.strip():
            return value
        words = [clean(word) for word in items(value) if isinstance(word, str)]
        if words:
            return joined(words)
    return None


def joined(words: list[str]) -> str:
    """Join arguments to one command line, with quotes where needed."""
    shell = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    if len(words) > 2 and shell in COMMAND_SHELLS and words[-2].lower() in _SHELL_FLAGS:
        return words[-1]
    return " ".join(
        word if _PLAIN_WORD.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"
        for word in words
    )


def _patch_in(
    kind: ToolKind, args: dict[str, Any], command: str | None
) -> "patches.PatchPaths | None":
    if kind is ToolKind.EDIT:
        texts = (clean(value) for value in args.values() if isinstance(value, str))
        return next(
            (
                patches.patch_paths(value)
                for value in texts
                if patches.is_apply_patch(value)
            ),
            None,
        )
    if command and _PATCH_COMMAND.match(command) and patches.is_apply_patch(command):
        return patches.patch_paths(clean(command))
    return None


def _paths(kind: ToolKind, args: dict[str, Any]) -> "patches.PatchPaths":
    if kind not in _FILE_KINDS:
        return patches.PatchPaths()
    single = (text(args.get(key)).strip() for key in _PATH_KEYS)
    listed = (text(path).strip() for path in items(args.get("paths")))
    first = next(filter(None, single), None)
    paths = (first,) if first else tuple(filter(None, listed))
    return (
        patches.PatchPaths((), paths)
        if kind is ToolKind.DELETE
        else patches.PatchPaths(paths, ())
    )
