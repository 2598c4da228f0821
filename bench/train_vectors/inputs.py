"""Pinned inputs of the training, downloaded by the clients of their registries."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from toolmem.store.files.settings import resolve
from toolmem.store.semantic.model_files import MODEL_SUM, model_files


class Input(NamedTuple):
    """A file to download: its checksum, its licence, and what downloads it."""

    name: str
    version: str
    licence: str
    use: str
    file: str
    sha256: str
    command: tuple[str, ...]


_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps")

WORDNET = Input(
    "WordNet (Debian's wordnet-base)",
    "1:3.0-37",
    "WordNet 3.0 license, see below",
    "definitions and examples",
    "wordnet-base_1%3a3.0-37_all.deb",
    "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    ("apt-get", "download", "wordnet-base=1:3.0-37"),
)
PYTHON = Input(
    "Python's standard library (as in pyodide)",
    "3.11.3, in pyodide 0.25.1",
    "PSF-2.0, © 2001-2023 Python Software Foundation",
    "sentences of docstrings",
    "pyodide-0.25.1.tgz",
    "d301c5b18b888ec7ad2bf616fcdd14eb36f4c9f41c513f89fcfcc3455d447a63",
    ("npm", "pack", "--silent", "pyodide@0.25.1"),
)
SALT = Input(
    "Salt",
    "3006.9",
    "Apache-2.0, © 2012-2022 VMware, Inc. and contributors",
    "first sentences of docstrings",
    "salt-3006.9.tar.gz",
    "7703c73a71c67327d48b2893ce9cf031ee52e2816df0daf78d6fe18a99b353e3",
    (*_PIP, "--no-binary", "salt", "salt==3006.9"),
)
INPUTS = (WORDNET, PYTHON, SALT)


def fetch(folder: Path) -> None:
    """Download the inputs that are not in the ``folder`` yet; check all of them.

    Raises ``ValueError`` for a file with another checksum.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for each in INPUTS:
        path = folder / each.file
        if not path.exists():
            subprocess.run(each.command, cwd=folder, check=True)
        if (found := sha256(path.read_bytes()).hexdigest()) != each.sha256:
            raise ValueError(f"{path}: has the SHA-256 {found}, not {each.sha256}")


def model_file() -> Path:
    """Return MiniLM of the installed package, after a check of its content."""
    settings = resolve([])
    path = model_files(settings).model
    if sha256(path.read_bytes()).hexdigest() != MODEL_SUM:
        raise ValueError(f"{path}: is not the pinned model")
    return path
