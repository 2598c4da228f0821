"""Normalise names of programs."""

import re

from toolmem.core.lazy_pattern import lazy_pattern

_VERSIONED = lazy_pattern(r"(python|pip|node|ruby|perl|php|lua|gcc|clang)[\d.]+w?")
RENAMED = {
    "tofu": "terraform", "terragrunt": "terraform", "hub": "git", "flyctl": "fly",
    "ntl": "netlify", "vc": "vercel", "gsed": "sed", "gawk": "awk", "mawk": "awk",
    "nawk": "awk", "gfind": "find", "grm": "rm", "nodejs": "node",
    "micromamba": "conda", "mamba": "conda", "kubecolor": "kubectl",
}  # fmt: skip
"""A program → an equivalent one with the same commands."""
RUN_BY = {"git": ("gh",)}
"""A program → others that run it with commands of their own."""
_PARTS = lazy_pattern(r"(git|docker|podman)-([a-z-]+)")
_KINDS = lazy_pattern(r"(mkfs|fsck)\.[\w]+")
_PACKAGE = lazy_pattern(r"(?<=\w)@[\w.^~-]+$")
_SUFFIX = lazy_pattern(r"\.(exe|cmd|bat|com)$")


def program_name(text: str) -> str:
    """Return a program's name without folder, suffix, version or case."""
    name = re.split(r"[/\\]", text)[-1]
    name = _PACKAGE.sub("", _SUFFIX.sub("", name.casefold()))
    versioned = _VERSIONED.fullmatch(name) or _KINDS.fullmatch(name)
    return versioned[1] if versioned else name


def split_name(name: str) -> tuple[str, ...]:
    """Split ``git-reset`` into the words that it means, ``git`` and ``reset``."""
    parts = _PARTS.fullmatch(name)
    return (parts[1], parts[2]) if parts else (name,)
