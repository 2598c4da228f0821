"""Train the table of word vectors: ``make vectors``.

    python -m bench.train_vectors [--check]

Downloads the pinned inputs, computes vectors of some 90,000 short texts with MiniLM,
learns the table from them and writes it with its provenance. All that is slow is cached
in ``.vectors``. ``--check`` writes nothing, and exits 1 if the result differs from the
table of the package. Needs the packages of ``requirements.txt`` next to this file.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

# One thread and one set of instructions: sums are then in the same order everywhere.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell"}

from bench.train_vectors.inputs import fetch, model_file
from bench.train_vectors.provenance import PROVENANCE, Result, provenance
from bench.train_vectors.teacher import TEXT_PIECES, Teacher, VectorCache
from bench.train_vectors.texts import all_texts, read_texts
from bench.train_vectors.training import Pieces, fill, train
from toolmem.store.index.word_table import FILE
from toolmem.store.semantic.embedder import read_pieces
from toolmem.store.semantic.model_files import VOCABULARY

_FOLDER = Path(__file__).parents[2] / ".vectors"


def main(argv: Sequence[str]) -> int:
    """Train, compare or write; 1 on a difference."""
    fetch(_FOLDER)
    sources = read_texts(_FOLDER)
    texts = all_texts(sources)
    vocabulary = read_pieces(VOCABULARY, TEXT_PIECES)
    pieces = Pieces(vocabulary.listed)
    cache = VectorCache(_FOLDER / "vectors")
    teacher = Teacher(model_file(), vocabulary)
    fill(cache, teacher, pieces, texts)
    data = train(cache, pieces, texts)
    print(f"{len(texts)} texts, {len(data)} bytes", flush=True)
    if train(cache, pieces, texts) != data:
        print("two runs of the last stage differ")
        return 1
    if "--check" in argv:
        same = FILE.read_bytes() == data
        print("is the table of the package" if same else "is another table")
        return 0 if same else 1
    FILE.write_bytes(data)
    result = Result(sources, len(texts), data)
    PROVENANCE.write_text(provenance(result), "utf-8")
    print(f"wrote {FILE}: set SIZE = {result.size:_}, CHECKSUM = {result.crc32:_}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
