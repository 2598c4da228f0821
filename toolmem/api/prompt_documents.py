"""The JSON document of a prompt block; keys are only ever added."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.prompt.parts import PromptItem
from toolmem.core.text.tokens import estimate_tokens
from toolmem.ops.prompt.build import Block


def block_document(block: Block) -> dict[str, Any]:
    """``{text, parts, tokens, chars, receipt}``."""
    return {
        "text": block.text,
        "parts": [
            {
                "kind": part.kind,
                "tier": part.tier,
                "tokens": sum(estimate_tokens(item.text) for item in part.items),
                "items": [_item_document(item) for item in part.items],
                "omitted": [
                    {**_item_document(omission.item), "reason": omission.reason}
                    for omission in part.omitted
                ],
            }
            for part in block.parts
        ],
        "tokens": block.tokens,
        "chars": len(block.text),
        "receipt": receipt(block),
    }


def receipt(block: Block) -> dict[str, Any]:
    """What was printed (a hash) and of which files and versions it was made.

    A version is the id that git gives to the file's content.
    """
    return {
        "hash": block.digest,
        "revision": block.vault.revision,
        "files": [{"path": path, "version": version} for path, version in block.files],
    }


def _item_document(item: PromptItem) -> dict[str, Any]:
    data: Mapping[str, Any] = item.data
    shown = {
        key: value for key, value in data.items() if key != "key" or "value" in data
    }
    return {**shown, "tokens": estimate_tokens(item.text)}
