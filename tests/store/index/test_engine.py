"""The settings that tantivy has from a file of its own, not from Python."""

import json

from tests.store.index.shelf import Shelf
from toolmem.store.index.generation import VERSION


def settings(shelf):
    folder = shelf.state / "index" / f"{VERSION}-en" / "g1" / "tantivy"
    return json.loads((folder / "meta.json").read_text())["index_settings"]


def test_documents_are_in_small_blocks_also_after_a_change(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    shelf.say("a.json", "tokens expire")
    assert shelf.ids("tokens") == ["a.json"]
    assert settings(shelf)["docstore_blocksize"] == 2_048
    shelf.say("b.json", "tokens are renewed")
    assert set(shelf.ids("tokens")) == {"a.json", "b.json"}
    assert settings(shelf)["docstore_blocksize"] == 2_048
