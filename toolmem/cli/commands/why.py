"""Format the explanation of a rule, for people and as JSON."""

from toolmem.cli.output import fields, show
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.shown import tool_label
from toolmem.ops.reports.explain_rule import Account, RuleExplanation


def why_text(answer: RuleExplanation) -> str:
    """A rule's account for people."""
    lines: list[str] = []
    rule = answer.rule
    if rule is not None:
        lines.append(
            f"{rule.priority.value} rule for {tool_label(rule.tool)}: {rule.rule}"
        )
        about = {
            "id": rule.id,
            "vault": rule.vault,
            "source": rule.source.value,
            "agent": rule.agent,
            "evidence": rule.evidence,
            "why": rule.stated.get("why"),
            "expires": rule.expires_at,
        }
        lines += fields(about).splitlines()
        lines.append(guard_line(rule))
    shown = "yes" if answer.in_prompt else "no"
    lines.append(f"in the prompt: {shown}, {answer.reason}")
    record = ", ".join(f"{kind} {times}" for kind, times in answer.record.items())
    lines.append(f"record: {record}")
    lines.append(f"chain: {' > '.join(str(scope) for scope in answer.chain)}")
    for account in answer.accounts:
        lines += _account_lines(account)
    return "\n".join(map(show, lines))


def _account_lines(account: Account) -> list[str]:
    layer = account.layer
    outside = "" if account.applies else " (not in the chain)"
    lines = [f"{layer.scope}: {layer.path}{outside}"]
    if layer.changed:
        lines.append(f"  changes: {', '.join(layer.changed)}")
    if layer.reason:
        lines.append(f"  reason: {layer.reason}")
    if layer.refused:
        lines.append(f"  has no effect: {layer.refused}")
    for commit in account.commits:
        when = f"{commit.when.astimezone():%Y-%m-%d %H:%M}"
        lines.append(f"  {commit.id[:10]} {when} {commit.author}: {commit.subject}")
    if not account.committed:
        lines.append("  the current text is not committed")
    return lines
