"""Local time zones for tests, on both sides of UTC."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

import pytest

ZONES = ("UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati")


@contextmanager
def local_zone(name: str) -> Iterator[ZoneInfo]:
    """Make a zone the local one of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        yield ZoneInfo(name)
    time.tzset()
