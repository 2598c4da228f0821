"""Run each agent on a terminal: its command, its texts and its questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DOWN = "\x1b[B"


@dataclass(frozen=True)
class Terminal:
    """An agent on a terminal.

    ``trusting`` are the questions of an untrusted folder, each with the keys that
    answer it; ``compact`` is the command that compacts a conversation.
    """

    command: Sequence[str]
    ready: str
    """A text of the screen on which a message can be typed."""
    compact: str
    compacted: str
    """A text of the screen after a compaction."""
    trusting: Sequence[tuple[str, str]] = ()
    trusted: Sequence[str] = ()
    """Options for a folder that is trusted already."""


TERMINALS: Mapping[str, Terminal] = {
    "claude": Terminal(
        ("claude", "--allowedTools", "Bash"),
        ready="? for shortcuts",
        compact="/compact",
        compacted="Compacted",
    ),
    "codex": Terminal(
        ("codex", "--no-daemon"),
        ready="Ask Codex",
        compact="/compact",
        compacted="Context compacted",
        trusting=(("Trust this folder?", "\r"), ("Hooks need review", f"{DOWN}\r")),
        trusted=(
            "--dangerously-bypass-hook-trust",
            "--dangerously-bypass-approvals-and-sandbox",
        ),
    ),
    "gemini": Terminal(
        ("gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"),
        ready="[toolmem]",  # "Type your message" comes before hooks run
        compact="/compress",
        compacted="Chat history compressed",
        trusting=(("Do you trust the files", "\r"),),
    ),
    "opencode": Terminal(
        ("opencode",),
        ready="Ask anything",
        compact="/compact",
        compacted="Compaction · main ·",
    ),
    "copilot": Terminal(
        ("copilot", "--allow-all-tools"),
        ready="/ commands",
        compact="/compact",
        compacted="Compaction completed",
        trusting=(("Do you trust the files", f"{DOWN}\r"),),
    ),
}
