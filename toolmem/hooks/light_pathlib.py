"""Import ``pathlib`` without ``urllib``.

Before Python 3.13 it imports ``urllib.parse``, and that imports ``ipaddress``, for one
method that hardly any program calls. Both together take a twentieth of a hook.
"""

import sys
from types import ModuleType

_MODULE = "urllib.parse"


def import_pathlib() -> None:
    """Import it with a stand-in for that module, which is not seen by later imports."""
    if {"pathlib", _MODULE} & sys.modules.keys():
        return
    stand_in = ModuleType(_MODULE)
    vars(stand_in)["quote_from_bytes"] = _quote_from_bytes
    sys.modules[_MODULE] = stand_in
    try:
        import pathlib  # noqa: F401
    except ImportError:  # of another name in it: the next import takes all of it
        sys.modules.pop("pathlib", None)
    finally:
        del sys.modules[_MODULE]


def _quote_from_bytes(given: bytes, safe: str = "/") -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(given, safe)
