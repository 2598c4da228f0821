"""Read files of unknown size and kind within limits."""

import errno
import os
from pathlib import Path

from toolmem.core import limits
from toolmem.errors import InvalidFileError, NoVaultError, StorageError
from toolmem.store.files import folders


def read_text(path: Path, *, follow: bool) -> str:
    """Return the text of a file; its size is checked before it is read.

    Raises ``InvalidFileError`` for a file that is too large, not regular, not UTF-8 or
    not readable, and for a link unless ``follow``; ``StorageError`` if this process
    lacks the resources to read any file.
    """
    try:
        return _read(path.resolve() if follow else path).decode()
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    except (OSError, RuntimeError, NoVaultError, StorageError) as error:
        refused = error if isinstance(error, OSError) else error.__cause__
        if isinstance(refused, OSError) and refused.errno in folders.SHORTAGES:
            raise StorageError(f"{path}: {folders.reason(refused)}") from error
        raise InvalidFileError(str(path), 0, f"cannot be read: {error}") from error


def _read(path: Path) -> bytes:
    folder = folders.open_root(path.parent)
    try:
        fd, found = folders.open_file(folder, path.name)
        try:
            return folders.read_open(fd, found.st_size, limits.TEXT_FILE_BYTES)
        finally:
            os.close(fd)
    except OSError as error:
        reason = folders.reason(error)
        if error.errno == errno.EFBIG:
            reason = f"is larger than {limits.TEXT_FILE_BYTES} bytes"
        raise StorageError(reason) from error
    finally:
        folder.close()
