"""Configure each agent for a scripted model, and run it without a screen."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_KEY = "none"
_MAIL = str(Path(__file__).with_name("mail_server.py"))


@dataclass(frozen=True)
class Place:
    """The folders of one scratch world, and the address of its model."""

    home: Path
    work: Path
    logs: Path
    url: str


class Player(Protocol):
    """An agent: its configuration, its trust and its command line."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""

    def configure(self, place: Place) -> None:
        """Write the agent's own configuration."""

    def trust(self, place: Place) -> None:
        """Do what a user confirms on screen once: trust the folder."""

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server."""

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""


def _write(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")


def _update(path: Path, key: str, value: object) -> None:
    document = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    document.setdefault(key, {}).update(value)
    _write(path, document)


def mail_server(python: str) -> list[str]:
    """Return the command of a small MCP server with a ``send_email`` tool."""
    return [python, _MAIL]


class Claude:
    """Claude Code."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        return {
            "ANTHROPIC_BASE_URL": place.url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
        }

    def configure(self, place: Place) -> None:
        """Do nothing: the environment is enough."""

    def trust(self, place: Place) -> None:
        """Answer the questions of a first start; without a screen there are none."""
        document = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [_KEY]},
            "projects": {str(place.work): {"hasTrustDialogAccepted": True}},
        }
        _write(place.home / ".claude.json", document)

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server in the project."""
        server = {"command": command[0], "args": list(command[1:])}
        _update(place.work / ".mcp.json", "mcpServers", {name: server})
        local = place.work / ".claude" / "settings.local.json"
        _write(local, {"enableAllProjectMcpServers": True})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["claude", "-p", prompt, "--output-format", "stream-json", "--verbose"]
        allowed = "Bash Edit Write Read Task Agent mcp__toolmem mcp__mail"
        words += ["--allowedTools", allowed]
        return [*words, *(["--continue"] if resumed else [])]


class Codex:
    """Codex CLI, with a model that has plain function tools."""

    model = "gpt-5.1-codex"

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        return {"SCRIPTED_KEY": "none"}

    def configure(self, place: Place) -> None:
        """Write a provider for the model."""
        path = place.home / ".codex" / "config.toml"
        path.parent.mkdir()
        path.write_text(
            f'model = "{self.model}"\nmodel_provider = "scripted"\n'
            '[model_providers.scripted]\nname = "scripted"\n'
            f'base_url = "{place.url}/v1"\nenv_key = "SCRIPTED_KEY"\n'
            'wire_api = "responses"\nsupports_websockets = false\n',
            encoding="utf-8",
        )

    def trust(self, place: Place) -> None:
        """Trust the folder; the hooks are trusted by a flag of each run."""
        path = place.home / ".codex" / "config.toml"
        text = f'[projects."{place.work}"]\ntrust_level = "trusted"\n'
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        path = place.home / ".codex" / "config.toml"
        program, arguments = json.dumps(command[0]), json.dumps(list(command[1:]))
        text = f"[mcp_servers.{name}]\ncommand = {program}\nargs = {arguments}\n"
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["codex", "exec", *(["resume", "--last"] if resumed else [])]
        words += ["--dangerously-bypass-hook-trust"] if trusted else []
        words += ["--json", "--dangerously-bypass-approvals-and-sandbox"]
        return [*words, "--skip-git-repo-check", prompt]


class Gemini:
    """Gemini CLI."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        return {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": place.url,
            "GEMINI_TELEMETRY_ENABLED": "false",
        }

    def configure(self, place: Place) -> None:
        """Choose the kind of account, and keep the agent from updating itself."""
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        }
        _write(place.home / ".gemini" / "settings.json", settings)

    def trust(self, place: Place) -> None:
        """Trust the folder."""
        path = place.home / ".gemini" / "trustedFolders.json"
        _write(path, {str(place.work): "TRUST_FOLDER"})

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {"command": command[0], "args": list(command[1:]), "trust": True}
        path = place.home / ".gemini" / "settings.json"
        _update(path, "mcpServers", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["gemini", "-p", prompt, "-m", "gemini-2.5-flash"]
        words += ["--approval-mode", "yolo", "-o", "stream-json"]
        return [*words, *(["--resume", "latest"] if resumed else [])]


class OpenCode:
    """OpenCode, with a model of an OpenAI-compatible provider."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that keep the agent off the network."""
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
        }

    def configure(self, place: Place) -> None:
        """Write a provider for the model."""
        models = {
            "main": {
                "name": "main",
                "tool_call": True,
                "limit": {"context": 200_000, "output": 8000},
            },
            "small": {"name": "small"},
        }
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": f"{place.url}/v1", "apiKey": "none"},
            "models": models,
        }
        document = {
            "model": "scripted/main",
            "small_model": "scripted/small",
            "autoupdate": False,
            "provider": {"scripted": provider},
        }
        _write(place.home / ".config" / "opencode" / "opencode.json", document)

    def trust(self, place: Place) -> None:
        """Do nothing: OpenCode has no trust of folders."""

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {"type": "local", "command": list(command), "enabled": True}
        path = place.home / ".config" / "opencode" / "opencode.json"
        _update(path, "mcp", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["opencode", "run", "--auto", "--format", "json"]
        return [*words, *(["--continue"] if resumed else []), prompt]


class Copilot:
    """Copilot CLI, with a provider of one's own."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        return {
            "COPILOT_PROVIDER_BASE_URL": f"{place.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "gpt-5.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def configure(self, place: Place) -> None:
        """Do nothing: the environment is enough."""

    def trust(self, place: Place) -> None:
        """Trust the folder."""
        path = place.home / ".copilot" / "config.json"
        _write(path, {"trusted_folders": [str(place.work)]})

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {
            "type": "local",
            "command": command[0],
            "args": list(command[1:]),
            "tools": ["*"],
        }
        path = place.home / ".copilot" / "mcp-config.json"
        _update(path, "mcpServers", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["copilot", "-p", prompt, "--allow-all-tools", "--allow-all-paths"]
        words += ["--log-dir", str(place.logs)]
        return [*words, *(["--continue"] if resumed else [])]


class Qwen:
    """Qwen Code, with an OpenAI-compatible model."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        # It sends calls of 127.0.0.1 to a proxy, too, whatever NO_PROXY says.
        names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
        return {
            **dict.fromkeys(names, ""),
            "OPENAI_API_KEY": _KEY,
            "OPENAI_BASE_URL": f"{place.url}/v1",
            "OPENAI_MODEL": "main",
        }

    def configure(self, place: Place) -> None:
        """Choose the kind of account, and keep the agent from updating itself."""
        settings = {
            "security": {"auth": {"selectedType": "openai"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        }
        _write(place.home / ".qwen" / "settings.json", settings)

    def trust(self, place: Place) -> None:
        """Trust the folder."""
        path = place.home / ".qwen" / "trustedFolders.json"
        _write(path, {str(place.work): "TRUST_FOLDER"})

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {"command": command[0], "args": list(command[1:]), "trust": True}
        path = place.home / ".qwen" / "settings.json"
        _update(path, "mcpServers", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["qwen", "-p", prompt, "--approval-mode", "yolo"]
        words += ["-o", "stream-json"]
        return [*words, *(["--continue"] if resumed else [])]


class Droid:
    """Factory's droid, with a model of an OpenAI-compatible provider.

    Its account is asked for at the model's address, which knows nothing of it.
    """

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that point the agent at the model."""
        return {"FACTORY_API_KEY": _KEY, "FACTORY_API_BASE_URL": place.url}

    def configure(self, place: Place) -> None:
        """Write the model."""
        model = {
            "model": "main",
            "displayName": "Main",
            "baseUrl": f"{place.url}/v1",
            "apiKey": _KEY,
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 4000,
        }
        path = place.home / ".factory" / "settings.json"
        _write(path, {"customModels": [model]})

    def trust(self, place: Place) -> None:
        """Do nothing: without a screen droid asks for no trust."""

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {"type": "stdio", "command": command[0], "args": list(command[1:])}
        _update(place.home / ".factory" / "mcp.json", "mcpServers", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        words = ["droid", "exec", "-m", "custom:main", "--auto", "high"]
        sessions = (place.home / ".factory" / "sessions").rglob("*.jsonl")
        names = [path.stem for path in sessions]
        return [*words, *(["-s", names[0]] if resumed else []), prompt]


class Cline:
    """Cline, with an OpenAI-compatible model."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that keep the agent off the network."""
        return {"CLINE_TELEMETRY_DISABLED": "1"}

    def configure(self, place: Place) -> None:
        """Write a provider for the model."""
        settings = {
            "provider": "openai-compatible",
            "apiKey": _KEY,
            "model": "main",
            "baseUrl": f"{place.url}/v1",
        }
        entry = {
            "settings": settings,
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "tokenSource": "manual",
        }
        document = {
            "version": 1,
            "lastUsedProvider": "openai-compatible",
            "providers": {"openai-compatible": entry},
        }
        path = place.home / ".cline" / "data" / "settings" / "providers.json"
        _write(path, document)

    def trust(self, place: Place) -> None:
        """Do nothing: Cline has no trust of folders."""

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure an MCP server of the user."""
        server = {"command": command[0], "args": list(command[1:])}
        path = place.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
        _update(path, "mcpServers", {name: server})

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        folder = place.home / ".cline" / "data" / "sessions"
        names = sorted(path.name for path in folder.glob("*")) if resumed else []
        again = ["--id", names[-1]] if names else []
        return ["cline", "--json", *again, prompt]


class Continue:
    """Continue's ``cn``, with an OpenAI-compatible model."""

    def environment(self, place: Place) -> Mapping[str, str]:
        """Return the variables that keep the agent off the network."""
        return {"CONTINUE_TELEMETRY_ENABLED": "0"}

    def configure(self, place: Place) -> None:
        """Write the model."""
        model = {
            "name": "main",
            "provider": "openai",
            "model": "gpt-4o",
            "apiBase": f"{place.url}/v1",
            "apiKey": _KEY,
            "roles": ["chat"],
            "capabilities": ["tool_use"],
        }
        document = {"name": "scripted", "version": "1.0.0", "schema": "v1"}
        path = place.home / ".continue" / "config.yaml"
        _write(path, {**document, "models": [model]})  # JSON is YAML

    def trust(self, place: Place) -> None:
        """Do nothing: cn has no trust of folders."""

    def add_mcp(self, place: Place, name: str, command: Sequence[str]) -> None:
        """Configure no server: none of cn's scenarios has one."""

    def command(
        self, place: Place, prompt: str, *, resumed: bool, trusted: bool
    ) -> list[str]:
        """Return the command line of a run without a screen."""
        config = str(place.home / ".continue" / "config.yaml")
        words = ["cn", "-p", "--auto", "--config", config]
        return [*words, *(["--resume"] if resumed else []), prompt]


PLAYERS: Mapping[str, Player] = {
    "claude": Claude(),
    "codex": Codex(),
    "gemini": Gemini(),
    "opencode": OpenCode(),
    "copilot": Copilot(),
    "qwen": Qwen(),
    "droid": Droid(),
    "cline": Cline(),
    "continue": Continue(),
}
