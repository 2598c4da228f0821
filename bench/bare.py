"""The baseline of building an index: read, YAML header, tantivy add, and no more.

    python -m bench.bare VAULT FOLDER

It imports nothing of toolmem's.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tantivy
import yaml


def main(root: str, folder: Path) -> None:
    """Index the memories below ``root`` in a new folder."""
    build = tantivy.SchemaBuilder()
    build.add_text_field("path", stored=True, tokenizer_name="raw")
    for name in ("title", "body", "tags"):
        build.add_text_field(name, stored=True, tokenizer_name="en_stem")
    folder.mkdir()
    writer = tantivy.Index(build.build(), str(folder)).writer(100_000_000, 1)
    for path in paths(root):
        header, title, body = split(read(path))
        writer.add_document(
            tantivy.Document(path=path, title=title, body=body, tags=str(header))
        )
    writer.commit()
    writer.wait_merging_threads()


def paths(root: str) -> Iterator[str]:
    """The memories, in no order."""
    return map(str, Path(root).rglob("*.md"))


def read(path: str) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:  # noqa: PTH123 (half as fast)
        return file.read()


def split(data: bytes) -> tuple[dict[str, Any], str, str]:
    """Header, title and body of a memory."""
    _, header, rest = data.decode().split("---\n", 2)
    title, _, body = rest.partition("\n\n")
    return yaml.load(header, yaml.CSafeLoader), title[2:], body


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
