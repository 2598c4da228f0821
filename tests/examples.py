"""How many examples a property test tries."""

from typing import Any

from hypothesis import settings

_LEAST = 10


def examples(full: int, **more: Any) -> settings:
    """Settings of a property test that tries ``full`` examples under ``make soak``.

    The number of examples of the profile that is loaded is the percentage of ``full``
    that is tried, so the profiles of ``tests/conftest.py`` scale every test.
    """
    share = settings.default.max_examples  # type: ignore[union-attr]
    return settings(max_examples=max(_LEAST, full * share // 100), **more)
