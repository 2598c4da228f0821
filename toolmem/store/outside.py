"""Files outside the vault: settings of other programs, and what we kept of them.

They are somebody else's: a link is followed to the file that it means, the mode
stays, and what was there before is kept until it is put back.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from toolmem.errors import InvalidFileError, StorageError


def read_text(path: Path) -> str | None:
    """The text of a file, or None when there is none."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error


def write_text(path: Path, text: str) -> None:
    """Write a file whole: a reader sees the old text or the new one."""
    target = path.resolve()
    temp = target.with_name(f".{target.name}.toolmem-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        with temp.open("xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temp.chmod(mode)
        temp.replace(target)
    except OSError as error:
        temp.unlink(missing_ok=True)
        raise StorageError(f"{path}: {error.strerror}") from error


def remove(path: Path) -> None:
    """Delete a file, and the folders above it that this leaves empty."""
    try:
        path.unlink(missing_ok=True)
        for folder in list(path.parents)[:2]:
            if folder.name.startswith(".") or folder.name in ("hooks", "plugins"):
                folder.rmdir()
    except OSError:
        # A folder with something else in it is not ours to empty.
        return


def keep_backup(path: Path, before: str | None, after: str) -> Path:
    """Remember what a file was before we changed it, and what we made of it."""
    place = _backup(path)
    if place.exists() and read_backup(path) is not None:
        kept = json.loads(place.read_text(encoding="utf-8"))
        before = kept["before"]
    write_text(
        place,
        json.dumps({"path": str(path), "before": before, "after": after}, indent=1),
    )
    return place


def read_backup(path: Path) -> dict[str, Any] | None:
    """``{before, after}`` of a file that we changed, or None."""
    try:
        kept = json.loads(_backup(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(kept, dict) and isinstance(kept.get("after"), str)
    return kept if known and "before" in kept else None


def drop_backup(path: Path) -> None:
    """Forget what was kept of a file."""
    _backup(path).unlink(missing_ok=True)


def _backup(path: Path) -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(base) if base else Path.home() / ".local" / "state"
    name = hashlib.sha256(str(path.absolute()).encode("utf-8", "replace")).hexdigest()
    return folder / "toolmem" / "agents" / f"{name[:16]}.json"
