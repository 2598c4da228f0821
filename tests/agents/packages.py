"""Versions of the agents, each installed from npm into a folder of its own."""

import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".agents"
_SECONDS = 420


@dataclass(frozen=True)
class Package:
    """An agent's npm package: a version, and its program in node_modules.

    The versions of ``PACKAGES`` are the last ones known to work.

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
    Package("droid", "droid", "0.215.0", "@factory/cli-{platform}/bin/droid"),
    Package("cline", "cline", "3.0.65", "@cline/cli-{platform}/bin/cline"),
    Package("continue", "@continuedev/cli", "1.5.47", ".bin/cn"),
)


def bin_folder(package: Package) -> Path:
    """Return the folder of the link to an agent's program."""
    return _folder(package) / "bin"


def newest(package: Package) -> Package:
    """Return the package in its newest version; the same if npm cannot say which."""
    npm = shutil.which("npm")
    if npm is None:
        return package
    command = [npm, "view", package.name, "version"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    return replace(package, version=done.stdout.strip() or package.version)


def install(package: Package) -> str:
    """Install a package; return an empty text, or why it could not be installed.

    Install scripts do not run: the programs are in packages for each platform.
    """
    if _program(package).exists():
        return _link(package)
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    folder = _folder(package)
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


def _folder(package: Package) -> Path:
    return FOLDER / "node" / f"{package.agent}-{package.version}"


def _program(package: Package) -> Path:
    modules = _folder(package) / "node_modules"
    return modules / package.program.format(platform=_platform())


def _platform() -> str:
    """Return npm's name of this platform and processor."""
    machine = platform.machine().lower()
    names = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{sys.platform}-{names.get(machine, machine)}"


def _link(package: Package) -> str:
    """Link the program under its own name; return an empty text."""
    link = bin_folder(package) / Path(package.program).name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(_program(package))
    return ""
