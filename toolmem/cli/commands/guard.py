"""``toolmem guard``: check a tool call."""

from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, fields
from toolmem.ops.rules.guard import GuardAnswer

_CODES = {"allow": 0, "warn": 0, "deny": 1, "ask": 20}


@operation("guard", code=lambda answer: _CODES[answer.verdict])
def guard(answer: GuardAnswer) -> None:
    """Check a tool call against the rules.

    Exits with 0 for allow and warn, 1 for deny and 20 for ask.
    """
    if answer.verdict == "allow":
        emit_lines(["allow"])
        return
    note = "the call could not be parsed completely" if answer.conservative else ""
    texts = {
        "rule": f"{answer.rule.rule} ({answer.rule.id[:8]})" if answer.rule else "",
        "reason": answer.reason,
        "note": note,
    }
    emit_lines([answer.verdict, *fields(texts).split("\n")])
