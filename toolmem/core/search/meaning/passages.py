"""Passages of a document that are compared with a question by meaning.

A long document is as similar to a question as its most similar passage: a model reads
some 250 words at a time, and the sum of many words has the meaning of none.
"""

from toolmem.core import search_limits
from toolmem.core.search.doc import Doc, split_opening


def passages_of(
    doc: Doc,
    chars: int = search_limits.PASSAGE_CHARS,
    most: int = search_limits.PASSAGES,
) -> tuple[str, ...]:
    """Return the passages, each under the document's title; none if empty.

    They end at the end of a line, else between words, and have at most ``chars``
    characters. Text after the first ``most`` of them is found by words only.
    """
    title, spans = title_of(doc), passage_spans(doc.body, chars, most)
    texts = (f"{title}\n{doc.body[start:end].strip()}" for start, end in spans)
    return tuple(texts) or ((title,) if title else ())


def title_of(doc: Doc) -> str:
    """Return the title as it is above each passage."""
    return doc.title.strip()[: search_limits.PASSAGE_TITLE_CHARS]


def passage_spans(text: str, chars: int, most: int) -> list[tuple[int, int]]:
    """Return start and end of each passage of a text."""
    spans: list[tuple[int, int]] = []
    start = 0
    while len(spans) < most:
        end = _end(text, start, chars)
        if not text[start:end].isspace() and start < end:
            spans.append((start, end))
        if end == len(text):
            break
        start = end
    return spans


def opening_span(doc: Doc) -> tuple[int, int]:
    """Return start and end of the opening of a longer document with its own title.

    The two say what each passage is about: a list of examples below them does not.
    Empty for other documents, whose title is the beginning of their text.
    """
    title = doc.title.strip()
    opening, rest = split_opening(doc.body)
    is_first_line = title.endswith("…") or opening.partition("\n")[0].strip() == title
    if not title or is_first_line or not rest or rest.isspace():
        return 0, 0
    start = len(doc.body) - len(opening) - len(rest)
    return start, start + len(opening)


def _end(text: str, start: int, chars: int) -> int:
    """End of the passage that begins at ``start``."""
    last = start + chars
    if last >= len(text):
        return len(text)
    half = start + chars // 2
    for sign in ("\n", " "):
        if (end := text.rfind(sign, half, last)) > 0:
            return end
    return last
