"""What AI agents learn about their tools, in a folder that people can review.

``toolmem.Vault.open(path)`` has every operation of the command line as a method;
``toolmem.errors`` has what they raise.
"""

import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):  # noqa: UP036 -- a checkout, which no installer checked
    raise SystemExit(
        "toolmem needs Python 3.11 or newer; this is Python {}.{}".format(
            *sys.version_info
        )
    )

from toolmem import lazy_import

lazy_import.install()

if TYPE_CHECKING:
    from toolmem import errors as errors
    from toolmem.api.vault import Vault as Vault

__version__ = "0.1.0"
__all__ = ["Vault", "errors"]


def __getattr__(name: str) -> Any:
    """Load a thing when it is first asked for: the command line does without."""
    if name == "Vault":
        return __import__("toolmem.api.vault", fromlist=["vault"]).Vault
    if name == "errors":
        return __import__("toolmem.errors").errors
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for interactive use."""
    return sorted([*globals(), *__all__])
