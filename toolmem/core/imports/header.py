"""Read front matter as people write it, which is often invalid YAML.

``globs: **/*.ts,src/**`` is an error to a YAML parser, but clear. Valid YAML is read as
YAML; anything else line by line.
"""

import re
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.imports.items import ImportNote
from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_values import value_of
from toolmem.core.text.safetext import one_line

_KEY = re.compile(r"([A-Za-z_][\w -]*?)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
_GLOB_SPLIT = re.compile(r",(?![^{]*\})")
_EVERYTHING = frozenset({"*", "**", "**/*", "**/*.*", "/**", "./**", "/**/*"})


_WHEN = re.compile(r"(?i)\b(?:when|whenever|if|only|while)\b")
_RETIRED = frozenset(
    "draft obsolete deprecated retired archived inactive disabled rejected".split()
)
_READ_KEYS = {
    key.lower(): key
    for key in ("globs", "paths", "applyTo", "alwaysApply", "description", "trigger")
}
_HARMLESS = frozenset(
    "description globs paths applyto alwaysapply trigger tags title name id author"
    " authors version date created updated created_at updated_at last_updated type kind"
    " model category categories root targets license source url permalink topic"
    " priority status tools keywords summary lang language enabled disabled".split()
)
"""Fields that say nothing about when instructions apply, or are read by name."""


class ImportHeader(NamedTuple):
    """Fields of a front matter, and the text below it.

    ``line`` is the number of the first line of ``body``.
    """

    fields: dict[str, Any]
    body: str
    line: int
    notes: tuple[ImportNote, ...] = ()

    def text(self, key: str) -> str:
        """Return a field as one line of text; empty if it is absent."""
        value = self.fields.get(key)
        return one_line(str(value)) if isinstance(value, str | int | float) else ""

    def flag(self, key: str) -> bool | None:
        """Return a field as a boolean; None if it is not one."""
        value = str(self.fields.get(key, "")).strip().lower()
        return {"true": True, "yes": True, "false": False, "no": False}.get(value)

    def listed(self, key: str) -> tuple[str, ...]:
        """Return a field as a list of texts, in any notation."""
        return tuple(_texts(self.fields.get(key)))


def read_lenient(text: str, *, always: bool = True) -> ImportHeader:
    """Split off the front matter; expects LF line ends, no byte order mark.

    ``always`` is True if the agent reads the file at all times where its front matter
    does not say.
    """
    lines = text.split("\n")
    end = _end(lines)
    unstated = {} if always else {"alwaysApply": False}
    if not end:
        return ImportHeader(unstated, text, 1)
    body = "\n".join(lines[end + 1 :])
    fields = _as_yaml(text)
    notes: tuple[ImportNote, ...] = ()
    if fields is None:
        fields, notes = _by_line(lines[1:end])
    fields = {_READ_KEYS.get(key.lower(), key): value for key, value in fields.items()}
    if "trigger" not in fields:
        fields = unstated | fields
    return ImportHeader(fields, body, end + 2, notes)


def globs_of(header: ImportHeader) -> tuple[str, ...]:
    """Return the globs of files that instructions are for; empty if for all."""
    globs = _globs(header)
    excludes = any(glob.startswith("!") for glob in globs)
    return () if set(globs) & _EVERYTHING and not excludes else globs


def is_on_request(header: ImportHeader) -> bool:
    """Return True if no agent reads instructions, or only when a user names them."""
    if header.text("trigger") == "manual" or header.text("type").lower() == "manual":
        return True
    if header.flag("enabled") is False or header.flag("disabled") is True:
        return True
    if header.text("status").lower() in _RETIRED:
        return True
    if header.text("trigger") == "model_decision" and not header.text("description"):
        return True
    if header.flag("alwaysApply") is not False or _globs(header):
        return False
    return not header.text("description")


def file_globs(header: ImportHeader) -> tuple[str, ...]:
    """Return the condition of the files that instructions are for, if any."""
    globs = ", ".join(f"`{glob}`" for glob in globs_of(header))
    return (f"for {globs}",) if globs else ()


def file_conditions(header: ImportHeader) -> tuple[str, ...]:
    """Return the conditions of a front matter for every rule below it.

    A field with an unknown name may be one, so it is: only those that are known to
    say nothing about when the instructions apply are left out.
    """
    globs = list(file_globs(header))
    about = header.text("description")
    fetched = header.flag("alwaysApply") is False or not is_always_on(header)
    if about and (_WHEN.search(about) or (fetched and not globs)):
        globs.append(about)
    for key in header.fields:
        values = header.listed(key) or (header.text(key),)
        if key.lower() not in _HARMLESS and any(values):
            globs.append(f"for {key} `{', '.join(values)}`")
    return tuple(globs)


def is_always_on(header: ImportHeader) -> bool:
    """Return True if an agent reads instructions at all times.

    Not those for some files, nor those that are fetched when they seem useful.
    """
    if globs_of(header) or header.text("trigger") in ("manual", "model_decision"):
        return False
    return header.flag("alwaysApply") is not False or bool(_globs(header))


def _globs(header: ImportHeader) -> tuple[str, ...]:
    for key in ("globs", "paths", "applyTo"):
        patterns = [
            glob.strip().strip("\"'")
            for text in header.listed(key)
            for glob in _GLOB_SPLIT.split(text)
        ]
        globs = tuple(dict.fromkeys(glob for glob in patterns if glob))
        if globs:
            return globs
    return ()


def _end(lines: list[str]) -> int:
    """Return the number of the line that ends the front matter; 0 without one."""
    if lines[0].rstrip() != "---":
        return 0
    size = 0
    for at, line in enumerate(lines[1:], 1):
        size += len(line) + 1
        if line.rstrip() in ("---", "..."):
            return at
        if size > limits.FRONT_MATTER_BYTES:
            break
    return 0


def _as_yaml(text: str) -> dict[str, Any] | None:
    split = split_header(text)
    header = read_header(split)
    if split.problems or header.problems or not split.header:
        return None
    return {key: value_of(entry.node) for key, entry in header.entries.items()}


def _by_line(lines: list[str]) -> tuple[dict[str, Any], tuple[ImportNote, ...]]:
    fields: dict[str, Any] = {}
    notes = []
    key = ""
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = None if line[:1] in " \t-" else _KEY.match(line)
        item = _ITEM.match(line)
        if found:
            key = found[1].strip()
            fields[key] = _value(found[2] or "")
        elif item and key and fields[key] in ("", None):
            fields[key] = [_unquoted(item[1])]
        elif item and key and isinstance(fields[key], list):
            fields[key].append(_unquoted(item[1]))
        elif line[:1] in " \t" and key and isinstance(fields[key], str):
            fields[key] = f"{fields[key]} {line.strip()}".strip()
        else:
            shown = one_line(line)[:60]
            notes.append(
                ImportNote(number, "header", f"not a field of the header: {shown}")
            )
    return fields, tuple(notes)


def _value(text: str) -> Any:
    text = text.strip()
    if text in ("|", ">", "|-", ">-"):
        return ""
    if text[:1] == "[" and text[-1:] == "]":
        inner = _GLOB_SPLIT.split(text[1:-1])
        return [_unquoted(part) for part in inner if part.strip()]
    return _unquoted(text)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [one_line(str(item)) for item in value if item is not None]
    return [one_line(value)] if isinstance(value, str) and value.strip() else []
