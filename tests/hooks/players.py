"""Six agents as toolmem sees them: what each sends, and what it lets a hook answer.

A player sends events to ``toolmem hook``, each to a process of its own, in the words
of its agent, and compares every answer with what that agent documents.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from tests.forked import Answer, forked
from tests.program import ROOT

LIMIT = 10_000
"""Characters that the strictest agent takes in one text."""
_UNIVERSAL = {"continue", "stopReason", "suppressOutput", "systemMessage"}


class Heard(NamedTuple):
    """Answer of a hook, in the form common to all agents."""

    document: dict[str, Any]
    code: int
    stderr: str
    verdict: str = ""
    reason: str = ""
    context: str = ""
    message: str = ""


_PATIENT = """
from tests.forked import be_patient
be_patient()
from toolmem.__main__ import main
main()
"""


class Player:
    """One agent in one session; ``names`` maps our words to its event names."""

    agent = ""
    shell = "Bash"
    mail = "mcp__mail__send_email"
    names: ClassVar[dict[str, str]] = {}
    shows_progress = False

    def __init__(self, folder: Path, session: str = "s-1") -> None:
        self.folder = folder
        self.session = session
        self.calls = 0

    def start(self, source: str = "startup") -> Heard:
        return self.send("start", {"source": source})

    def prompt(self, text: str) -> Heard:
        return self.send("prompt", {"prompt": text})

    def before(self, tool: str, **arguments: Any) -> Heard:
        return self.send("before", self.call(tool, arguments))

    def after(self, tool: str, **arguments: Any) -> Heard:
        call = self.call(tool, arguments)
        return self.send("after", {**call, **self.result(0, "done")})

    def failed(self, tool: str, **arguments: Any) -> Heard:
        call = self.call(tool, arguments)
        return self.send("failed", {**call, **self.result(1, "boom: no such file")})

    def end(self) -> Heard:
        return self.send("end", {})

    def _id(self, key: str) -> dict[str, str]:
        """A new id for each call: a repeated one would be another record of it."""
        self.calls += 1
        return {key: f"call-{self.calls}"}

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"tool_name": tool, "tool_input": arguments, **self._id("tool_use_id")}

    def result(self, code: int, text: str) -> dict[str, Any]:
        raise NotImplementedError

    def base(self, name: str) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "transcript_path": str(self.folder / "transcript.jsonl"),
            "cwd": str(self.folder),
            "hook_event_name": name,
        }

    def send(self, event: str, payload: dict[str, Any]) -> Heard:
        name = self.names[event]
        done = self.run(name, json.dumps({**self.base(name), **payload}))
        return self.heard(name, done)

    def every_event(self, decree: str) -> list[tuple[str, str]]:
        """Each event that its settings ask for, as name and JSON, in the order of a
        session."""
        shell = self.call(self.shell, {"command": f"git push -f {'a' * 40}!"})
        mail = self.call(self.mail, {"to": "sarah@example.com", "body": "hi"})
        edit = self.call("Edit", {"file_path": "/x/a.py", "path": "/x/a.py"})
        events: list[tuple[str, dict[str, Any]]] = [
            ("start", {"source": "startup"}),
            ("prompt", {"prompt": decree}),
            ("sub", {"agent_id": "a-1", "agent_type": "general-purpose"}),
            *(("before", call) for call in (shell, mail)),
            ("shell", {"command": "git push -f"}),
            ("after", {**edit, **self.result(0, "done")}),
            ("failed", {**shell, **self.result(1, "boom: no such file")}),
            ("broke", {**shell, "error_message": "no shell", "failure_type": "error"}),
            ("end", {}),
            ("start", {"source": "compact"}),
            ("prompt", {"prompt": "please run it"}),
            ("compacted", {"trigger": "auto"}),
            ("over", {"reason": "other"}),
        ]
        return [
            (self.names[key], json.dumps({**self.base(self.names[key]), **payload}))
            for key, payload in events
            if key in self.names
        ]

    def argv(self, name: str) -> list[str]:
        """The command line after ``toolmem hook`` for an event."""
        return [self.agent]

    def run(self, name: str, text: str) -> Answer:
        return forked().hook(self.argv(name), self.folder, text.encode(), patient=True)

    def run_anew(self, name: str, text: str) -> Answer:
        """The same in a new interpreter."""
        done = subprocess.run(
            [sys.executable, "-c", _PATIENT, "hook", *self.argv(name)],
            input=text.encode(),
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=30,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr.decode())

    def heard(self, name: str, done: Answer) -> Heard:
        """The answer, once it is one that the agent documents."""
        documents = [json.loads(line) for line in done.stdout.splitlines()]
        for text in chain.from_iterable(map(_texts, documents)):
            assert len(text) <= LIMIT
        shown = [one["message"] for one in documents if one.get("type") == "progress"]
        assert not shown or self.shows_progress
        [document] = documents[len(shown) :] or [{}]
        heard = self.checked(name, Heard(document, done.code, done.stderr))
        return heard._replace(message="\n".join(shown)) if shown else heard

    def checked(self, name: str, heard: Heard) -> Heard:
        raise NotImplementedError


class BlockAtPrompt(Player):
    """An agent that takes the block with a message of the user.

    ``start`` begins, resumes or compacts a session, and sends a message.
    """

    def start(self, source: str = "startup") -> Heard:
        begun = self.compact() if source == "compact" else super().start(source)
        assert begun.context == ""
        return self.prompt("go on")._replace(message=begun.message)

    def compact(self) -> Heard:
        return self.send("compacted", {"trigger": "manual"})


class Claude(Player):
    """Claude Code: ``hookSpecificOutput``, and an event of its own for failures."""

    agent = "claude"
    names: ClassVar[dict[str, str]] = {
        "start": "SessionStart",
        "sub": "SubagentStart",
        "prompt": "UserPromptSubmit",
        "before": "PreToolUse",
        "after": "PostToolUse",
        "failed": "PostToolUseFailure",
        "end": "Stop",
        "over": "SessionEnd",
    }
    special: ClassVar[dict[str, set[str]]] = {
        "SessionStart": {"additionalContext"},
        "SubagentStart": {"additionalContext"},
        "UserPromptSubmit": {"additionalContext"},
        "PreToolUse": {
            "permissionDecision",
            "permissionDecisionReason",
            "additionalContext",
        },
        "PostToolUse": {"additionalContext"},
        "PostToolUseFailure": {"additionalContext"},
    }
    verdicts: tuple[str, ...] = ("deny", "ask", "allow")

    def result(self, code: int, text: str) -> dict[str, Any]:
        if code:
            return {"error": f"Exit code {code}\n{text}", "duration_ms": 12}
        return {"tool_response": {"stdout": text, "stderr": ""}, "duration_ms": 12}

    def checked(self, name: str, heard: Heard) -> Heard:
        assert (heard.code, heard.stderr) == (0, "")
        document = heard.document
        of_stop = {"decision", "reason"} if name == "Stop" else set()
        assert document.keys() <= _UNIVERSAL | of_stop | {"hookSpecificOutput"}
        inner = dict(document.get("hookSpecificOutput", {}))
        if inner:
            assert inner.pop("hookEventName") == name
            assert inner.keys() <= self.special[name]
        verdict = inner.get("permissionDecision", "")
        assert verdict in ("", *self.verdicts)
        return heard._replace(
            verdict=verdict,
            reason=inner.get("permissionDecisionReason", ""),
            context=inner.get("additionalContext", ""),
            message=document.get("systemMessage", ""),
        )


class Codex(Claude):
    """Codex: Claude Code's shape; no asking, and exit codes only in its transcript."""

    agent = "codex"
    names: ClassVar[dict[str, str]] = {
        **{key: name for key, name in Claude.names.items() if key != "over"},
        "failed": "PostToolUse",
    }
    verdicts = ("deny",)

    def result(self, code: int, text: str) -> dict[str, Any]:
        return {"tool_response": text}

    def send(self, event: str, payload: dict[str, Any]) -> Heard:
        if event in ("after", "failed"):
            ended = f"Process exited with code {int(event == 'failed')}\nOutput:\n"
            output = {
                "type": "function_call_output",
                "call_id": payload["tool_use_id"],
                "output": ended + str(payload["tool_response"]),
            }
            line = json.dumps({"type": "response_item", "payload": output})
            with (self.folder / "transcript.jsonl").open("a") as file:
                file.write(f"{line}\n")
        return super().send(event, payload)


class Gemini(BlockAtPrompt):
    """Gemini CLI: JSON alone, ``decision`` before a tool, failures in the result."""

    agent = "gemini"
    shell = "run_shell_command"
    mail = "mcp_mail_send_email"
    names: ClassVar[dict[str, str]] = {
        "start": "SessionStart",
        "prompt": "BeforeAgent",
        "before": "BeforeTool",
        "after": "AfterTool",
        "failed": "AfterTool",
        "end": "AfterAgent",
        "over": "SessionEnd",
    }

    def compact(self) -> Heard:
        """Write what Gemini CLI writes; its PreCompress comes before every request."""
        self.replace_conversation([{"type": "user", "content": "A summary."}])
        return Heard({}, 0, "")

    def replace_conversation(self, messages: Sequence[Any]) -> None:
        """Write the whole conversation again, as after a compaction or a resume."""
        line = json.dumps({"$set": {"messages": messages}}, separators=(",", ":"))
        with (self.folder / "transcript.jsonl").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def result(self, code: int, text: str) -> dict[str, Any]:
        said = f"Output: {text}" + (f"\nExit Code: {code}" if code else "")
        return {"tool_response": {"llmContent": said, "returnDisplay": text}}

    def checked(self, name: str, heard: Heard) -> Heard:
        assert (heard.code, heard.stderr) == (0, "")
        document = heard.document
        known = _UNIVERSAL | {"decision", "reason", "hookSpecificOutput"}
        assert document.keys() <= known
        inner = document.get("hookSpecificOutput", {})
        assert inner.keys() <= {"additionalContext"}
        assert not (inner and name == "SessionStart")
        assert document.get("decision", "deny") == "deny"
        assert ("decision" in document) <= (name == "BeforeTool")
        return heard._replace(
            verdict=document.get("decision", ""),
            reason=document.get("reason", ""),
            context=inner.get("additionalContext", ""),
            message=document.get("systemMessage", ""),
        )


class Cursor(Player):
    """Cursor: flat answers, each event with keys of its own."""

    agent = "cursor"
    shell = "Shell"
    mail = "MCP:send_email"
    names: ClassVar[dict[str, str]] = {
        "start": "sessionStart",
        "prompt": "beforeSubmitPrompt",
        "before": "preToolUse",
        "shell": "beforeShellExecution",
        "after": "postToolUse",
        "failed": "postToolUse",
        "broke": "postToolUseFailure",
        "compacted": "preCompact",
        "end": "stop",
        "over": "sessionEnd",
    }
    keys: ClassVar[dict[str, set[str]]] = {
        "sessionStart": {"env", "additional_context"},
        "beforeSubmitPrompt": {"continue", "user_message"},
        "preToolUse": {"permission", "user_message", "agent_message"},
        "beforeShellExecution": {"permission", "user_message", "agent_message"},
        "postToolUse": {"additional_context"},
        "postToolUseFailure": set(),
        "preCompact": set(),
        "stop": {"followup_message"},
        "sessionEnd": set(),
    }

    def base(self, name: str) -> dict[str, Any]:
        return {
            "conversation_id": self.session,
            "generation_id": "g-1",
            "hook_event_name": name,
            "cursor_version": "2.0",
            "workspace_roots": [str(self.folder)],
        }

    def result(self, code: int, text: str) -> dict[str, Any]:
        output = json.dumps({"exitCode": code, "stdout": text})
        return {"tool_output": output, "duration": 12}

    def checked(self, name: str, heard: Heard) -> Heard:
        assert (heard.code, heard.stderr) == (0, "")
        document = heard.document
        assert document.keys() <= self.keys.get(name, set())
        verdict = document.get("permission", "")
        asks = ("ask",) if name == "beforeShellExecution" else ()
        allowed = ("deny", "allow", *asks)
        assert verdict in ("", *allowed)
        assert document.get("continue", True) is True
        return heard._replace(
            verdict=verdict,
            reason=document.get("agent_message", ""),
            context=document.get("additional_context", ""),
            message=document.get("user_message", ""),
        )


class Copilot(BlockAtPrompt):
    """Copilot: events that do not say their name; a failing hook would deny."""

    agent = "copilot"
    shows_progress = True
    shell = "bash"
    mail = "send_email"
    names: ClassVar[dict[str, str]] = {
        "start": "sessionStart",
        "prompt": "userPromptSubmitted",
        "before": "preToolUse",
        "after": "postToolUse",
        "failed": "postToolUseFailure",
        "compacted": "preCompact",
        "end": "agentStop",
        "over": "sessionEnd",
    }
    keys: ClassVar[dict[str, set[str]]] = {
        "userPromptSubmitted": {"additionalContext"},
        "preToolUse": {
            "permissionDecision",
            "permissionDecisionReason",
            "additionalContext",
        },
        "postToolUse": {"additionalContext"},
    }

    def base(self, name: str) -> dict[str, Any]:
        now = time.time_ns() // 1_000_000
        return {"sessionId": self.session, "timestamp": now, "cwd": str(self.folder)}

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"toolName": tool, "toolArgs": json.dumps(arguments)}

    def result(self, code: int, text: str) -> dict[str, Any]:
        if code:
            return {"error": text}
        return {"toolResult": {"resultType": "success", "textResultForLlm": text}}

    def argv(self, name: str) -> list[str]:
        return [self.agent, "--event", name]

    def checked(self, name: str, heard: Heard) -> Heard:
        document = heard.document
        assert document.keys() <= self.keys.get(name, set())
        if name == "postToolUseFailure" and heard.code == 2:
            assert heard.stderr
            return heard._replace(context=heard.stderr.strip("\n"))
        assert (heard.code, heard.stderr) == (0, "")
        verdict = document.get("permissionDecision", "")
        assert verdict in ("", "deny", "ask", "allow")
        return heard._replace(
            verdict=verdict,
            reason=document.get("permissionDecisionReason", ""),
            context=document.get("additionalContext", ""),
        )


class OpenCode(Player):
    """OpenCode, by the words of our own plugin."""

    agent = "opencode"
    shell = "bash"
    mail = "send_email"
    names: ClassVar[dict[str, str]] = {
        "start": "session_start",
        "prompt": "prompt",
        "before": "before_tool",
        "after": "after_tool",
        "failed": "after_tool",
        "end": "turn_end",
        "over": "session_end",
    }

    def base(self, name: str) -> dict[str, Any]:
        base = {"event": name, "session": self.session, "cwd": str(self.folder)}
        return {**base, "typed": True} if name == "prompt" else base

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"tool": tool, "args": arguments, **self._id("call")}

    def result(self, code: int, text: str) -> dict[str, Any]:
        return {"exit": code, "error": text if code else ""}

    def checked(self, name: str, heard: Heard) -> Heard:
        assert (heard.code, heard.stderr) == (0, "")
        document = heard.document
        assert document.keys() <= {"verdict", "reason", "context", "message"}
        assert document.get("verdict", "deny") == "deny"
        return heard._replace(
            verdict=document.get("verdict", ""),
            reason=document.get("reason", ""),
            context=document.get("context", ""),
            message=document.get("message", ""),
        )


PLAYERS = (Claude, Codex, Gemini, Cursor, Copilot, OpenCode)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else ()
    return [text for one in inner for text in _texts(one)]
