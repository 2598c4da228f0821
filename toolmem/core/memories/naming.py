"""Derive the title, slug and id of a memory."""

import re
from collections.abc import Container

from toolmem.core.text.cut import cut_at_word, slug
from toolmem.core.text.safetext import one_line
from toolmem.core.text.textlines import heading

_SLUG_CHARS = 60
_TITLE_CHARS = 80
_FALLBACK = "insight"
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")


def title_of(text: str) -> str:
    """Return the first heading, else the first sentence, cut at a word."""
    for line in text.split("\n"):
        title = heading(line.strip())
        stated = title[1] if title else line.lstrip("-*+> \t")
        if stated.strip():
            first = (
                stated if title else _SENTENCE.split(one_line(stated), maxsplit=1)[0]
            )
            return _cut(one_line(first))
    return _FALLBACK


def without_title(body: str) -> str:
    """Remove a ``# `` heading at the beginning of a text."""
    first, _, rest = body.lstrip("\n").partition("\n")
    return rest.strip("\n") + "\n" if first.startswith("# ") else body


def _cut(title: str) -> str:
    bare = title if title.endswith("...") else title.rstrip(".")
    if len(bare) <= _TITLE_CHARS:
        return bare
    return cut_at_word(bare, _TITLE_CHARS).rstrip(" ,;:-") + "…"


def slug_of(title: str) -> str:
    """Return ``oauth-2-0-token-refresh`` for ``OAuth 2.0 Token Refresh!``."""
    return slug(title, _SLUG_CHARS, _FALLBACK)


def new_id(title: str, text: str, taken: Container[str]) -> str:
    """Return ``<slug>-<hash6>`` of the text, with a longer hash if that id exists."""
    import hashlib  # slow to import, and only new memories need it

    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    slug = slug_of(title)
    for size in range(6, len(digest) + 1):
        if f"{slug}-{digest[:size]}" not in taken:
            return f"{slug}-{digest[:size]}"
    number = 2
    while f"{slug}-{digest}-{number}" in taken:
        number += 1
    return f"{slug}-{digest}-{number}"
