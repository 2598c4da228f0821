import pytest

from tests.core.guard.calling import reading_of
from toolmem.core.guard.keyword_overlap import literals, matching_words
from toolmem.core.guard.verdict import (
    RuleForCall,
    Verdict,
    judge,
    subjects,
)
from toolmem.core.model import SYSTEM, Action, Priority
from toolmem.core.rules.guard_table import parse_guards


def rule(name, *tables, text="", priority=Priority.CRITICAL, rank=0) -> RuleForCall:
    guards, problems = parse_guards(tables, path="r.toml")
    assert problems == ()
    return RuleForCall(name, text or name, priority, SYSTEM, rank, guards)


X = {"contains": "x"}
CALL = {"to": "x"}


def decided(*rules: RuleForCall) -> tuple[str, str | None, int | None]:
    verdict = judge(reading_of(CALL), rules)
    return verdict.verdict.value, verdict.rule_id, verdict.guard


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ([], ("allow", None, None)),
        ([rule("a", {"contains": "y"})], ("allow", None, None)),
        ([rule("a", X)], ("deny", "a", 0)),
        (
            [
                rule("a", {**X, "action": "warn"}),
                rule("b", {**X, "action": "ask"}, rank=4),
            ],
            ("ask", "b", 0),
        ),
        (
            [rule("a", {**X, "action": "ask"}), rule("b", X, priority=Priority.NORMAL)],
            ("deny", "b", 0),
        ),
        ([rule("a", X, rank=2), rule("b", X, rank=1)], ("deny", "b", 0)),
        (
            [rule("a", X, priority=Priority.HIGH), rule("b", X)],
            ("deny", "b", 0),
        ),
        ([rule("b", X), rule("a", X)], ("deny", "a", 0)),
        ([rule("a", {"contains": "y"}, {**X, "action": "warn"}, X)], ("deny", "a", 2)),
        (
            [rule("a", {**X, "action": "ask"}, {**X, "action": "ask"})],
            ("ask", "a", 0),
        ),
    ],
)
def test_the_strictest_wins_and_the_narrowest_scope_breaks_ties(rules, wanted) -> None:
    assert decided(*rules) == wanted
    assert decided(*reversed(rules)) == wanted


def test_a_verdict_names_rule_guard_and_reason() -> None:
    assert judge(reading_of(CALL), [rule("a", X, text="never x")]) == Verdict(
        Action.DENY, "a", "never x", 0, "to: x"
    )
    command = {"command": "git push $F"}
    force = rule("a", {"command": ["git", "push", "-f"]}, text="no force")
    assert judge(reading_of(command), [force]) == Verdict(
        Action.ASK, "a", "no force", 0, "git push …", conservative=True
    )


SARAH = "never email Sarah at sarah@example.com"


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (SARAH, {"body": "Hi Sarah, how are you?"}, "Sarah"),
        (SARAH, {"to": "SARAH@EXAMPLE.COM"}, "Sarah, sarah@example.com"),
        (SARAH, {"body": "Sarahs"}, None),
        ("never email me at me@x.io", {"to": "some.me@x.io"}, None),
        (
            "never touch ~/.ssh/config",
            {"command": "cat ~/.ssh/config"},
            "~/.ssh/config",
        ),
        ("never use `prod-db-1`", {"db": "prod-db-1"}, "prod-db-1"),
        ("never push to `main`", {"command": "git checkout main"}, None),
        ("never run `git push --force`", {"command": "echo git push --force"}, None),
        ("Never do that", {"x": "Never do that"}, None),
        ("stop. Ask first", {"x": "Ask"}, None),
        (
            "never call api.example.com",
            {"u": "https://api.example.com/"},
            "api.example.com",
        ),
    ],
)
def test_a_critical_rule_whose_names_fit_the_call_warns(text, arguments, words) -> None:
    wanted = Verdict(Action.ALLOW)
    if words:
        reason = f"the call names {words}"
        wanted = Verdict(Action.WARN, "a", text, reason=reason, near=("a",))
    assert judge(reading_of(arguments), [rule("a", text=text)]) == wanted


def test_only_critical_rules_are_near_and_a_guard_that_matches_goes_first() -> None:
    body = reading_of({"body": "Sarah"})
    high = rule("a", text=SARAH, priority=Priority.HIGH)
    assert judge(body, [high]) == Verdict(Action.ALLOW)
    wide, narrow = rule("a", text=SARAH, rank=3), rule("b", text=SARAH, rank=1)
    both = judge(body, [wide, narrow])
    assert (both.rule_id, both.near) == ("b", ("b", "a"))
    warns = rule("c", {"contains": "sarah", "action": "warn"}, text="x")
    verdict = judge(body, [narrow, warns])
    assert (verdict.rule_id, verdict.near) == ("c", ())


def test_literals_are_names_and_addresses_only() -> None:
    text = "Never mail Bob, a.b@c.io or https://x.org/y. In K8s use `k8s-1`, not `main`"
    assert literals(text) == ("Bob", "a.b@c.io", "https://x.org/y", "K8s", "k8s-1")
    assert matching_words(text, "about bob and k8s-1.") == ("Bob", "K8s", "k8s-1")


def test_a_call_is_subject_to_its_tool_its_programs_and_any() -> None:
    call = reading_of({"command": "cd x && sudo git push"}, "Bash")
    assert subjects(call) == ("Bash", "cd", "sudo", "git", "_any")
    assert subjects(reading_of({"to": "x"}, "mail")) == ("mail", "_any")
