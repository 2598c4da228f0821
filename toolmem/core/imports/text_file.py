"""Create the file of an imported text, and detect changes to it.

``source`` in its header is its origin; ``source_hash`` is the digest of the text that
was written below the header, so that the next import can distinguish a text that
changed at its source from one that a person changed in the vault.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.imports.items import TextItem
from toolmem.core.language.language import Language
from toolmem.core.memories.front_matter import split_header
from toolmem.core.memories.memory_edit import edit_header, new_memory_text, replace_body
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.original import with_summary
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.text.safetext import one_line, spell_out
from toolmem.errors import UsageError

SOURCE, HASH = "source", "source_hash"
IMPORTED = "imported"
"""Tag of imported texts."""
_OURS = frozenset(
    "source source_hash original supersedes contested_with settled agent id "
    "updated".split()
)
"""Fields with a meaning in this vault; an imported one is renamed."""


class ImportedFile(NamedTuple):
    """An imported file as it is in the vault.

    ``digest`` is that of its text now, ``body`` that text below the header, whole:
    of a long one ``data`` has only the summary.
    """

    path: str
    id: str
    source: str
    written: str
    digest: str
    data: bytes
    body: str


def digest_of(text: str) -> str:
    """Return the digest of the text below the header of a file."""
    body = split_header(text).body.replace("\r\n", "\n")
    whole = hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()
    return whole[: limits.SOURCE_HASH_CHARS]


def imported_from(path: str, data: bytes) -> ImportedFile | None:
    """Read the origin of an imported file; None for any other file."""
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
    digest = digest_of(text)
    return ImportedFile(
        path, parsed.id, source, str(written), digest, data, parsed.body
    )


def text_file(
    item: TextItem,
    source: str,
    fields: Mapping[str, Any],
    language: Language,
    *,
    guidance: bool,
) -> tuple[str, tuple[str, ...]]:
    """Return the text of a new file, and the fields that it cannot store.

    ``language`` is that of the vault.
    Raises ``UsageError`` for a text that no memory can contain.
    """
    title = one_line(spell_out(item.title)) or source
    body = spell_out(item.body)
    first, _, rest = body.lstrip("\n").partition("\n")
    if first.startswith("# ") and one_line(first[2:]).rstrip("# ") == title:
        body = rest
    if not guidance and needs_summary(body):
        body = with_summary(summary_of(title, body, language), body)
    stated = {**fields, SOURCE: source}
    own, lost = _own_fields(item.fields, stated)
    text = new_memory_text({**stated, HASH: "0", **own}, title, body)
    return edit_header(text, {HASH: digest_of(text)}), lost


def renewed(imported: ImportedFile, text: str, today: Any) -> str:
    """Return an imported file with the new text of its source; its header stays."""
    split = split_header(text)
    old = imported.data.decode()
    changed = replace_body(old, split.body, path=imported.path)
    changes = {HASH: digest_of(text), "updated": today, "original": None}
    return edit_header(changed, changes, path=imported.path)


def _own_fields(
    fields: Mapping[str, Any], stated: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the fields that a header can store, and the names of the others."""
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
