"""Where this toolmem was installed from, and the template of a vault in it."""

import json
import shlex
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from toolmem.errors import StorageError

_NAME = "toolmem"


def install_command(extra: str = "") -> str:
    """Return the command that installs this toolmem again, with an extra.

    It names the source that pip has recorded. Nothing is named by the package's name
    alone: another package may have it.
    """
    source = _source()
    if not source:
        what = f"the extra {extra!r}" if extra else "it"
        return f"reinstall toolmem from where you have it, with {what}"
    name = f"{_NAME}[{extra}]" if extra else _NAME
    return f"pip install {shlex.quote(f'{name} @ {source}')}"


def _source() -> str:
    """Return the URL that toolmem was installed from; empty if pip recorded none."""
    try:
        text = metadata.distribution(_NAME).read_text("direct_url.json")
        record = json.loads(text or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    url = record.get("url") if isinstance(record, dict) else None
    if not isinstance(url, str):
        return ""
    source = record.get("vcs_info")
    if isinstance(source, dict):
        commit = source.get("commit_id", "")
        return f"{source.get('vcs', 'git')}+{url}@{commit}" if commit else url
    return url


_TEMPLATE = "vault-template"


def template_folder() -> Path:
    """Return the template's folder: in the package, or next to it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / _TEMPLATE, package.parent / _TEMPLATE):
        if folder.is_dir():
            return folder
    raise StorageError(f"{package / _TEMPLATE}: the vault template is not installed")


def template_files() -> Iterator[tuple[str, bytes]]:
    """Yield every file of the template: path in the vault, content."""
    root = template_folder()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_bytes()
