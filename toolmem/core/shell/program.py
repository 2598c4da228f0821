"""What a program is called, however its path is written."""

import re

_VERSIONED = re.compile(r"(python|pip|node|ruby|perl|php|lua|gcc|clang)[\d.]+w?")
_SUFFIX = re.compile(r"\.(exe|cmd|bat|com)$")


def program_name(text: str) -> str:
    """The name that a program goes by: no folder, suffix, version or case."""
    name = re.split(r"[/\\]", text)[-1]
    name = _SUFFIX.sub("", name.casefold())
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name
