"""Collect versions, numbers and codes for a bug report; never vault texts.

Names are contents, too: of a path only what the format prescribes is kept.
"""

import platform
import re
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from importlib import metadata
from typing import Any

from toolmem.core.finding import Finding
from toolmem.errors import ToolmemError
from toolmem.ops.doctor.installation import git_version
from toolmem.store.files import layout, probe
from toolmem.store.files.settings import SETTINGS, state_folder
from toolmem.store.files.walk import VaultFile, walk
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo
from toolmem.store.journal import hook_log
from toolmem.store.vault.vault import Vault

_KNOWN = frozenset(
    """system agent-types projects agents overrides rules memory guidance tools archive
    facts.md profile.md toolmem.toml .toolmem .gitignore state.db lock pending sessions
    index _any config.toml""".split()
)
_FRAME = re.compile(r'^  File "[^"]*?/(toolmem/[\w/]+\.py)", line (\d+), in (\w+)$')
_ERROR = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt))\b")
_TAIL = 64 * 1024
_FRAMES = 60


def bundle(
    vault: Vault | ToolmemError, findings: Iterable[Finding], version: str
) -> dict[str, Any]:
    """The document of a bug report about this version of toolmem."""
    document: dict[str, Any] = {
        "toolmem": version,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "encoding": sys.getfilesystemencoding(),
        "git": git_version() if gitrun.is_installed() else None,
        "packages": _packages(),
        "findings": [
            {
                "area": finding.area,
                "code": finding.code,
                "severity": finding.severity,
                "path": shape(finding.path) or None,
            }
            for finding in findings
        ],
        "hooks": _hooks(),
        "crashes": _crashes(),
    }
    if isinstance(vault, Vault):
        document["vault"] = _vault(vault)
    return document


def shape(path: str) -> str:
    """Return a path with every user-chosen name replaced by ``*``."""
    if path.startswith("/") or path[1:2] == ":":
        return f"*/{_name(path.replace(chr(92), '/').rpartition('/')[2])}"
    return "/".join(map(_name, path.split("/"))) if path else ""


def _name(name: str) -> str:
    if name in _KNOWN:
        return name
    suffix = re.search(r"\.(md|toml|json|jsonl|db|txt|log)$", name)
    return f"*{suffix[0]}" if suffix else "*"


def _packages() -> dict[str, str]:
    versions = {}
    names = ("typer", "python-frontmatter", "PyYAML", "tantivy", "PyStemmer")
    more = (
        "rapidfuzz",
        "tomli-w",
        "dateparser",
        "tree-sitter",
        "tree-sitter-bash",
        "textual",
        "numpy",
    )
    for name in (*names, *more):
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def _vault(vault: Vault) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    with suppress(ToolmemError):
        for file in walk(vault.tree):
            kinds[file.kind if isinstance(file, VaultFile) else file.code] += 1
    scopes = Counter(scope.kind for scope in layout.all_scopes(vault.tree))
    return {
        "files": dict(sorted(kinds.items())),
        "scopes": dict(sorted(scopes.items())),
        "schema": int(vault.settings["schema"].value),
        "git": Repo.find(vault.root) is not None,
        "network": probe.network_kind(vault.root, probe.mounts()) or None,
        "settings": _settings(vault),
    }


def _settings(vault: Vault) -> dict[str, Any]:
    """Numbers, switches and choices as they are; of texts only that they are set."""
    shown: dict[str, Any] = {}
    for setting in SETTINGS:
        value = vault.settings[setting.name].value
        plain = setting.kind in ("number", "switch") or setting.choices
        shown[setting.name] = value if plain else bool(value)
    return shown


def _hooks() -> list[dict[str, str]]:
    """Return the hooks that failed, with the kind of error."""
    return [
        {
            "when": line["when"],
            "agent": line["agent"],
            "event": line["event"],
            "error": line["error"].partition(":")[0][:80],
        }
        for line in hook_log.recent(most=50)
    ]


def _crashes() -> list[str]:
    """Return our own frames and the error types of crashes."""
    try:
        data = (state_folder() / "crash.log").read_bytes()[-_TAIL:]
    except OSError:
        return []
    crashes = []
    for line in data.decode("utf-8", "replace").splitlines():
        frame, error = _FRAME.match(line), _ERROR.match(line)
        if frame:
            crashes.append(f"{frame[1]}:{frame[2]} {frame[3]}")
        elif error:
            crashes.append(error[1])
    return crashes[-_FRAMES:]
