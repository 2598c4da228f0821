"""The plain scan of a call that was not judged: is anything guarded named in it?"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolmem.core.guard.calls import ToolCall, values_of
from toolmem.core.patterns.match import fold
from toolmem.ops.rules.compiled import compiled_guards, known_guards
from toolmem.store.vault.vault import Vault

_QUOTES = b"'\"\\"


def guarded_name(
    vaults: Iterable[Vault],
    data: bytes,
    arguments: Mapping[str, Any],
    more: Iterable[str] = (),
) -> str | None:
    """A guarded program, path or text that is named in a call; None if none is.

    It is empty where the guarded names cannot be read, or where a rule may be about
    any call. ``data`` is the payload as it came, and ``arguments`` those of the call
    where it could be parsed; each is read as it is, and without quotes. ``more`` are
    further names.
    """
    names = set(more)
    for vault in vaults:
        known = known_guards(vault)
        if known is None:
            return ""
        names.update(known.scan_names())
    texts = list(_texts(data, arguments))
    for name in sorted(names):
        escaped = json.dumps(name)[1:-1].lower()
        forms = {name.encode("utf-8", "replace"), escaped.encode()}
        if any(form in text for form in forms for text in texts):
            return name
    return None


def _texts(data: bytes, arguments: Mapping[str, Any]) -> Iterator[bytes]:
    """As bytes: a payload may have megabytes, and these are quick to search."""
    lowered = [data.lower()]
    if arguments:
        values = values_of(ToolCall("", arguments))
        folded = fold("\n".join(value.text for value in values))
        lowered.append(folded.encode("utf-8", "replace"))
    for text in lowered:
        yield text
        yield text.translate(None, _QUOTES)


def compile_guards(vault: Vault) -> None:
    """Bring the compiled guards up to date, for the next call."""
    for place in vault.in_force:
        compiled_guards(place)
