"""Check the texts that are part of every prompt: guidance, profiles, overrides."""

import re
from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.model import Problem
from toolmem.core.text.prose import section, without_header
from toolmem.core.text.textlines import find_unsafe_line
from toolmem.core.text.tokens import estimate_tokens

# A line that imitates one of the block's own.
_IMITATION = re.compile(
    r"^(?:#+[ \t]*tool-scoped rules\b|[-*+][ \t]*\*\*\[(?:critical|high)\]\*\*"
    r"|</?(?:toolmem|rules?|rule|system)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def lint_prose(path: str, text: str) -> Iterator[Problem]:
    """Report invisible characters, and lines that imitate those of a prompt block."""
    unsafe = find_unsafe_line(text)
    if unsafe:
        yield Problem(path, unsafe.line, "invisible-character", unsafe.message)
    imitation = _IMITATION.search(text)
    if imitation:
        line = text.count("\n", 0, imitation.start()) + 1
        yield Problem(
            path,
            line,
            "forged-structure",
            "a line looks like a line of the prompt block",
        )


def lint_guidance(path: str, text: str) -> Iterator[Problem]:
    """Warn about guidance that no block has, because it is too long."""
    tokens = estimate_tokens(text)
    if tokens > limits.GUIDANCE_TOKENS:
        message = (
            f"it has {tokens} tokens, and a prompt block takes {limits.GUIDANCE_TOKENS}"
            " of guidance: agents never see it; split it or save parts as memories"
        )
        yield Problem(path, 1, "long-guidance", message, "warning")


def lint_role(path: str, text: str) -> Iterator[Problem]:
    """Warn about the role of a profile that is far over its budget."""
    body = without_header(text)
    role = (section(body, "Role") or "").strip()
    tokens = estimate_tokens(role)
    if tokens > limits.ROLE_MOST_TOKENS:
        plain = text.replace("\r\n", "\n")
        line = plain[: plain.index(role)].count("\n") + 1
        message = (
            f"the role has {tokens} tokens, its budget is {limits.ROLE_TOKENS}: "
            "move parts of it to guidance/"
        )
        yield Problem(path, line, "long-role", message, "warning")
