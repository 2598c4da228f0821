"""JSON Schemas of the files of a vault and of settings, made from their readers."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolmem.core.access import permit
from toolmem.core.access.kinds import MEMORY_TYPES
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema
from toolmem.core.rules import rule_file
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.tools import manifest
from toolmem.errors import NotFoundError
from toolmem.store.files.layout import BINDINGS, SCHEMA_FILES
from toolmem.store.files.setting_table import SETTINGS, Setting

_BOUND = {
    "rule": ["**/rules/**/*.toml", "archive/**/*.toml"],
    "manifest": ["tools/*.toml"],
    "vault": ["toolmem.toml"],
    "pointer": ["**/.toolmem.toml"],
}


_KINDS = {
    "text": json_schema.ANY_TEXT,
    "number": {"type": "integer"},
    "switch": json_schema.FLAG,
    "words": json_schema.list_of(json_schema.ANY_TEXT),
}


def _manifest() -> Schema:
    """Return the schema of a manifest, which may have keys of other programs."""
    access = json_schema.table({name: permit.schema() for name in MEMORY_TYPES})
    properties = {**manifest.SCHEMA, permit.ACCESS: access}
    return {"type": "object", "properties": properties}


def _settings(where: str) -> Schema:
    """Return the schema of a file of settings.

    An unknown key is only warned about, such as a table in the place of a setting.
    """
    root: dict[str, Any] = {"type": "object", "properties": {}}
    for setting in SETTINGS:
        *tables, name = setting.name.split(".")
        place = root
        for table in tables:
            inner: dict[str, Any] = {"properties": {}}
            place = place["properties"].setdefault(table, inner)
        shapes = [_setting(setting)] if where in setting.where else []
        shape = json_schema.any_of(*shapes, json_schema.ANY_TABLE)
        place["properties"][name] = {**shape, "description": setting.doc}
    return root


def _setting(setting: Setting) -> Schema:
    if setting.choices:
        return {"enum": [*setting.choices, *(old for old, _ in setting.former)]}
    if setting.span and setting.kind == "number":
        least, most = setting.span
        return {"type": "integer", "minimum": least, "maximum": most}
    return _KINDS[setting.kind]


SCHEMAS: Mapping[str, tuple[str, Callable[[], Schema]]] = {
    "rule": ("rule files and overrides of toolmem", rule_file.schema),
    "manifest": ("tool manifests of toolmem", _manifest),
    "vault": ("toolmem.toml, the settings of a vault", lambda: _settings("vault")),
    "pointer": (".toolmem.toml, which names a vault", lambda: _settings("pointer")),
    "user": ("the user's settings of toolmem", lambda: _settings("user")),
}


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a name; raises ``NotFoundError`` for an unknown one."""
    if name not in SCHEMAS:
        hint = did_you_mean(name, SCHEMAS)
        known = ", ".join((*SCHEMAS, "answers such as rule.list"))
        raise NotFoundError(f"no schema {name!r}{hint} (there are {known})")
    title, build = SCHEMAS[name]
    return {"$schema": json_schema.DRAFT, "title": title, **build()}


def editor_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files that name a vault's schemas for editors: path and content."""
    rules = []
    for path, (name, patterns) in zip(SCHEMA_FILES, _BOUND.items(), strict=True):
        yield path, (json.dumps(schema(name), indent=1) + "\n").encode()
        listed = ", ".join(f'"{pattern}"' for pattern in patterns)
        rules.append(f'[[rule]]\ninclude = [{listed}]\nschema.path = "{path}"\n')
    yield BINDINGS, "\n".join(rules).encode()
