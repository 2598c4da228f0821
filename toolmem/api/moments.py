"""What an operation is given besides its arguments: the time, ids, dates."""

import os
from datetime import UTC, datetime

from toolmem.core.times import parse_moment
from toolmem.errors import UsageError
from toolmem.store.vault.vault import utc_now


def clock() -> datetime:
    """This moment, or the one that ``SOURCE_DATE_EPOCH`` fixes.

    Raises ``UsageError`` when that is no number of seconds since 1970.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else utc_now()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"SOURCE_DATE_EPOCH {epoch!r}: {error}") from error


def new_uuid() -> str:
    """A random id."""
    import uuid  # slow to import, and only new rules need it

    return str(uuid.uuid4())


def moment_of(text: str) -> datetime | None:
    """The moment that a text names, None for an empty one; ``UsageError``."""
    if not text:
        return None
    moment = parse_moment(text)
    if moment is None:
        raise UsageError(f"{text!r} is no date: write 2026-05-07 or a time")
    return moment
