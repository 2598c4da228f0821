"""The file that an imported text becomes, and whether one was changed since.

``source`` in its header says where it came from; ``source_hash`` is the digest of
what was written below the header, so that the next import can tell a text that
changed at its source from one that a person changed in the vault.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.imports.items import TextItem
from toolmem.core.memories.front_matter import split_header
from toolmem.core.memories.memory_edit import edit_header, new_memory_text, replace_body
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.original import with_summary
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.text.safetext import one_line, spell_out
from toolmem.errors import UsageError

SOURCE, HASH = "source", "source_hash"
IMPORTED = "imported"
"""Tag of what an import wrote."""
_OURS = frozenset(
    "source source_hash original supersedes contested_with agent id updated".split()
)
"""Fields that mean something of this vault: another's are kept under another name."""


class ImportedFile(NamedTuple):
    """An imported file as it is in the vault; ``digest`` is that of its text now."""

    path: str
    id: str
    source: str
    written: str
    digest: str
    data: bytes


def digest_of(text: str) -> str:
    """The digest of what stands below the header of a file."""
    body = split_header(text).body.replace("\r\n", "\n")
    whole = hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()
    return whole[: limits.SOURCE_HASH_CHARS]


def imported_from(path: str, data: bytes) -> ImportedFile | None:
    """What an imported file says of itself; None for any other file."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if f"\n{HASH}:" not in text[: limits.FRONT_MATTER_BYTES]:
        return None
    parsed = parse_memory(text, path=path)
    source, written = parsed.source, parsed.extra.get(HASH)
    if not source or not written:
        return None
    return ImportedFile(path, parsed.id, source, str(written), digest_of(text), data)


def text_file(
    item: TextItem, source: str, fields: Mapping[str, Any], *, guidance: bool
) -> tuple[str, tuple[str, ...]]:
    """The text of a new file, and what of the item's own fields it cannot hold.

    Raises ``UsageError`` for a text that no memory can hold.
    """
    title = one_line(spell_out(item.title)) or source
    body = spell_out(item.body)
    first, _, rest = body.lstrip("\n").partition("\n")
    if first.startswith("# ") and one_line(first[2:]).rstrip("# ") == title:
        body = rest
    if not guidance and needs_summary(body):
        body = with_summary(summary_of(title, body), body)
    stated = {**fields, SOURCE: source}
    own, lost = _own_fields(item.fields, stated)
    text = new_memory_text({**stated, HASH: "0", **own}, title, body)
    return edit_header(text, {HASH: digest_of(text)}), lost


def renewed(imported: ImportedFile, text: str, today: Any) -> str:
    """An imported file with what its source says now; its header stays."""
    split = split_header(text)
    old = imported.data.decode()
    changed = replace_body(old, split.body, path=imported.path)
    changes = {HASH: digest_of(text), "updated": today}
    return edit_header(changed, changes, path=imported.path)


def _own_fields(
    fields: Mapping[str, Any], stated: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The fields that a header can hold, one by one; and those that it cannot."""
    own: dict[str, Any] = {}
    lost = []
    for key, value in fields.items():
        name = f"imported_{key}" if key in _OURS or key in stated else key
        try:
            new_memory_text({name: value}, "title", "body")
        except UsageError:
            lost.append(key)
        else:
            own[name] = value
    return own, tuple(lost)
