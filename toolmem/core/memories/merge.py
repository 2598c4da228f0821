"""Two memories made one without a model: the union of what they state.

The newer text comes first; of the older one follows, in its order, every block
that states something the newer does not. Nothing is reworded, nothing is lost.
"""

import re
from collections.abc import Iterable

from toolmem.core.memories.sentences import blocks, is_fence, sentences

MERGE_REQUEST = (
    "Merge these notes into one. Keep every distinct fact; where they differ, "
    "prefer the newer and say what changed. Answer with the note alone, in "
    "markdown.\n\n"
    "NEWER:\n{newer}\n\nOLDER:\n{older}\n"
)
"""What the user's model is asked, where there is one."""
_BLANK = re.compile(r"\W+")


def union_of(newer: str, older: str) -> str:
    """The newer text, then the statements that only the older one has."""
    known = {key(one) for block in blocks(newer) for one in sentences(block)}
    extra = [rest for block in blocks(older) if (rest := _rest(block, known))]
    parts = [newer.strip("\n"), *_joined(extra)]
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def united(*lists: Iterable[str]) -> tuple[str, ...]:
    """All items of all lists, each once, in order."""
    return tuple(dict.fromkeys(item for items in lists for item in items))


def key(statement: str) -> str:
    """Equal for statements that differ only in case, blanks and signs."""
    return _BLANK.sub(" ", statement).strip().casefold()


def _rest(block: str, known: set[str]) -> str:
    """What of a block is not known yet; a block that is all new stays as it is."""
    if is_fence(block):
        return "" if key(block) in known else block
    stated = sentences(block)
    new = [one for one in stated if key(one) and key(one) not in known]
    known.update(map(key, new))
    if len(new) == len(stated):
        return block
    return " ".join(new)


def _joined(parts: list[str]) -> list[str]:
    """Consecutive list items stay one list."""
    out: list[str] = []
    for part in parts:
        if out and _is_item(part) and _is_item(out[-1].split("\n")[-1]):
            out[-1] += "\n" + part
        else:
            out.append(part)
    return out


def _is_item(line: str) -> bool:
    return line.lstrip()[:2] in ("- ", "* ", "+ ")
