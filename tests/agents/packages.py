"""Pinned versions of the agents, installed from npm into a folder of their own."""

import json
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".agents"
_SECONDS = 420


@dataclass(frozen=True)
class Package:
    """An agent's npm package: the version tried, and its program in node_modules.

    ``{platform}`` in the program is npm's name of this one, such as ``linux-x64``:
    some packages have a native program in a package for each platform, which their
    install script would link.
    """

    agent: str
    name: str
    version: str
    program: str


PACKAGES = (
    Package(
        "claude",
        "@anthropic-ai/claude-code",
        "2.1.197",
        "@anthropic-ai/claude-code-{platform}/claude",
    ),
    Package("codex", "@openai/codex", "0.169.0", ".bin/codex"),
    Package("gemini", "@google/gemini-cli", "0.61.0", ".bin/gemini"),
    Package("opencode", "opencode-ai", "1.18.33", "opencode-{platform}/bin/opencode"),
    Package("qwen", "@qwen-code/qwen-code", "0.15.10", ".bin/qwen"),
    Package("copilot", "@github/copilot", "1.0.102", ".bin/copilot"),
)


def bin_folder() -> Path:
    """Return the folder of links to the agents' programs."""
    return FOLDER / "bin"


def install(package: Package) -> str:
    """Install a package; return an empty text, or why it could not be installed.

    Install scripts do not run: the programs are in packages for each platform.
    """
    if _installed_version(package) == package.version and _program(package).exists():
        return _link(package)
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    folder = FOLDER / "node"
    folder.mkdir(parents=True, exist_ok=True)
    words = ["install", "--ignore-scripts", "--no-fund", "--no-audit", "--save-exact"]
    spec = f"{package.name}@{package.version}"
    command = [npm, *words, "--prefix", str(folder), spec]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"npm took more than {_SECONDS} s"
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "npm error" in line]
        return (lines or ["npm failed"])[0].strip()
    if not _program(package).exists():
        return f"{spec} has no program for {_platform()}"
    return _link(package)


def _program(package: Package) -> Path:
    modules = FOLDER / "node" / "node_modules"
    return modules / package.program.format(platform=_platform())


def _platform() -> str:
    """Return npm's name of this platform and processor."""
    machine = platform.machine().lower()
    names = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{sys.platform}-{names.get(machine, machine)}"


def _link(package: Package) -> str:
    """Link the program under the agent's name; return an empty text."""
    link = bin_folder() / package.agent
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(_program(package))
    return ""


def _installed_version(package: Package) -> str:
    path = FOLDER / "node" / "node_modules" / package.name / "package.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return ""
