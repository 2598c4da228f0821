"""Passages of a document that are embedded for the search by meaning.

A model reads some 250 words at a time, so a long document is as similar to a question
as its most similar passage.
"""

from toolmem.core import limits
from toolmem.core.search.doc import Doc


def passages_of(doc: Doc) -> tuple[str, ...]:
    """Return the passages, each under the document's title; none if empty.

    They end at the end of a line, else between words. Text after the first `PASSAGES`
    of them is found by words only.
    """
    title = doc.title.strip()[: limits.PASSAGE_TITLE_CHARS]
    found: list[str] = []
    text, start = doc.body, 0
    while len(found) < limits.PASSAGES:
        end = _end(text, start)
        if piece := text[start:end].strip():
            found.append(f"{title}\n{piece}")
        if end == len(text):
            break
        start = end
    return tuple(found) or ((title,) if title else ())


def _end(text: str, start: int) -> int:
    """End of the passage that begins at ``start``."""
    last = start + limits.PASSAGE_CHARS
    if last >= len(text):
        return len(text)
    half = start + limits.PASSAGE_CHARS // 2
    for sign in ("\n", " "):
        if (end := text.rfind(sign, half, last)) > 0:
            return end
    return last
