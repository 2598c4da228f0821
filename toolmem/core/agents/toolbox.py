"""Built-in tools of common agents, by the format of their transcripts.

A decree may name a tool before its first call, and these agents do not list their
tools.
"""

TOOLBOXES = {
    "claude": (
        *("Bash", "Edit", "Write", "Read", "Grep", "Glob", "NotebookEdit"),
        *("WebFetch", "WebSearch", "Agent", "TodoWrite"),
    ),
    "codex": ("shell", "apply_patch", "update_plan", "view_image", "web_search"),
    "gemini": (
        *("run_shell_command", "write_file", "replace", "read_file", "glob"),
        *("grep_search", "list_directory", "google_web_search", "web_fetch"),
        *("save_memory",),
    ),
    "qwen": (
        *("run_shell_command", "edit", "write_file", "read_file", "grep_search"),
        *("glob", "list_directory", "web_fetch", "save_memory", "todo_write"),
    ),
    "cursor": ("Shell", "Write", "Read", "Grep", "Delete", "Task"),
    "copilot": ("bash", "create", "edit", "view", "grep", "glob", "web_fetch"),
    "opencode": (
        *("bash", "edit", "write", "read", "grep", "glob", "list", "webfetch"),
        *("task", "todowrite"),
    ),
}
