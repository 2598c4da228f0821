"""Locate the template of a vault in an installation or checkout."""

from collections.abc import Iterator
from pathlib import Path

from toolmem.errors import StorageError

_NAME = "vault-template"


def template_folder() -> Path:
    """Return the template's folder: in the package, or next to it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / _NAME, package.parent / _NAME):
        if folder.is_dir():
            return folder
    raise StorageError(f"{package / _NAME}: the vault template is not installed")


def template_files() -> Iterator[tuple[str, bytes]]:
    """Yield every file of the template: path in the vault, content."""
    root = template_folder()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_bytes()
