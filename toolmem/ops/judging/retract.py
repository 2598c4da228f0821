"""Take back a rule with the user's own words, once they are verified.

A rule of a broader scope that was not captured there by the same words is not
retired for everyone: it is switched off where the user said so, by an override.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeGuard

from toolmem.core.candidates.captured import (
    CAPTURED,
    UNRELATED,
    with_exception,
)
from toolmem.core.candidates.withdrawn import names_nothing, takes_back
from toolmem.core.candidates.wording_check import last_sentence
from toolmem.core.capture.decree import BACK
from toolmem.core.model import Rule, Scope
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.proposal import Proposal
from toolmem.core.scope import is_narrower
from toolmem.errors import Arg, UsageError
from toolmem.ops.judging.keep import (
    KeptRule,
    evidence_of,
    judged,
    proposed,
    rule_kept,
    scope_of,
)
from toolmem.ops.judging.verified_quote import (
    KeepRequest,
    Refusal,
    VerifiedQuote,
    is_candidate,
    verify,
)
from toolmem.ops.rules import take_back
from toolmem.ops.rules.listing import show_rule
from toolmem.store.vault.vault import Vault


class RetractedRule(NamedTuple):
    """A rule that was taken back: ``action`` is ``archived``, ``overridden`` (off in
    a narrower scope alone) or ``amended`` (an exception was added to its text)."""

    rule: Rule
    action: str
    scope: Scope
    path: str
    candidate: str


class RetractResult(NamedTuple):
    """Retracted, proposed and refused candidates, and the rules that replace them."""

    retracted: tuple[RetractedRule, ...] = ()
    kept: tuple[KeptRule, ...] = ()
    proposed: tuple[Proposal, ...] = ()
    refused: tuple[Refusal, ...] = ()


def retract(
    vault: Vault, request: KeepRequest, new_id: Callable[[], str]
) -> RetractResult:
    """Take back the rule that candidates or a quotation are about.

    The words must name what the rule is about, and take it back: a program decides
    that, ``request.which`` only chooses one where they fit several. Anything else is
    proposed. Next to words that take a rule back, a candidate that takes none back is
    what replaces the rule: it is kept with a note of that.
    """
    vault.require_writable()
    request = _with_rule(vault, request)
    verified = list(verify(vault, request))
    new = [quote for quote in verified if _is_new(quote) and len(verified) > 1]
    done = [_decided(vault, request, quote) for quote in verified if quote not in new]
    retracted = tuple(result for result in done if isinstance(result, RetractedRule))
    kept: list[KeptRule] = []
    for quote in new:
        if not retracted:
            done.append(Refusal(quote.id, "replaces no rule: none was taken back"))
            continue
        why = f"replaces rule {retracted[0].rule.id}"
        rules = rule_kept(vault.fresh(), request, quote, new_id, why)
        if isinstance(rules, Refusal):
            done.append(rules)
        else:
            kept += rules
    return RetractResult(
        retracted,
        tuple(kept),
        tuple(result for result in done if isinstance(result, Proposal)),
        tuple(result for result in done if isinstance(result, Refusal)),
    )


def _is_new(quote: VerifiedQuote | Refusal) -> TypeGuard[VerifiedQuote]:
    """Return whether words were typed and take nothing back."""
    return not isinstance(quote, Refusal) and quote.kind != BACK and bool(quote.place)


def _with_rule(vault: Vault, request: KeepRequest) -> KeepRequest:
    """Return the request with the id of a rule as the rule that words take back.

    Raises ``UsageError`` for a rule without the user's words.
    """
    rules = [wanted for wanted in request.ids if not is_candidate(vault, wanted)]
    rules = [wanted for wanted in rules if show_rule(vault, wanted)]
    if not rules:
        return request
    if not request.quote:
        raise UsageError(
            f"{rules[0]} is a rule: add the user's words that take it back (",
            Arg("quote"),
            " TEXT)",
        )
    rest = tuple(wanted for wanted in request.ids if wanted not in rules)
    return request._replace(ids=rest, which=rules[0])


def _decided(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote | Refusal
) -> RetractedRule | Proposal | Refusal:
    if isinstance(quote, Refusal):
        return quote
    rule = _rule_of(vault, request, quote)
    if isinstance(rule, Refusal):
        return rule
    why = "" if _takes_back(quote, rule) else UNRELATED
    why = why if quote.place else quote.missing
    if why:
        return _propose(vault, request, quote, rule, why)
    try:
        return _retracted(vault.fresh().as_person(), request, quote, rule)
    except UsageError as error:
        return Refusal(quote.id, str(error))


def _takes_back(quote: VerifiedQuote, rule: Rule) -> bool:
    """Return whether words take back a rule, by what they and the rule name.

    Words that name nothing, such as "drop that rule", are about the sentence before.
    """
    text = quote.text
    if names_nothing(text):
        text = f"{last_sentence(quote.before)} {text}"
    return quote.kind == BACK and takes_back(text, rule.tool, rule.rule)


def _rule_of(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote
) -> Rule | Refusal:
    ids = (request.which,) if request.which else quote.rules
    try:
        rules = [rule for rule_id in ids if (rule := show_rule(vault, rule_id))]
    except UsageError as error:
        return Refusal(quote.id, str(error))
    related = [rule for rule in rules if _takes_back(quote, rule)] or rules
    if len({rule.id for rule in related}) == 1:
        return related[0]
    if not rules:
        return Refusal(quote.id, "matches no rule in force: name the rule (which)")
    listed = ", ".join(rule.id for rule in related)
    return Refusal(
        quote.id, f"matches several rules: choose one of them (which): {listed}"
    )


def _retracted(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote, rule: Rule
) -> RetractedRule:
    scope = scope_of(vault, request, quote._replace(kind=BACK))
    reason = evidence_of(quote)
    if quote.exception:
        text = with_exception(rule.rule, quote.text)
        path = take_back.amend(vault, rule, text, reason)
        action, scope = "amended", rule.scope
    elif is_narrower(scope, rule.scope):
        path = take_back.switch_off(vault, rule, scope, reason)
        action = "overridden"
    elif CAPTURED in rule.tags or rule.scope == scope:
        path = take_back.retire(vault, rule, reason)
        action, scope = "archived", rule.scope
    else:
        raise UsageError(f"only a person can archive a rule of {rule.scope}")
    judged(vault, quote)
    return RetractedRule(rule, action, scope, path, quote.id)


def _propose(
    vault: Vault, request: KeepRequest, quote: VerifiedQuote, rule: Rule, why: str
) -> Proposal | Refusal:
    scope = scope_of(vault, request, quote._replace(kind=BACK))
    quoted = f"quoted by {request.agent or 'an agent'}, not found in the session"
    proposal = Proposal(
        derived_id("proposal", "retire", str(scope), rule.tool, quote.text, rule.id),
        "retire",
        (rule.tool,),
        "",
        rule.priority,
        scope,
        why,
        quote.sentence,
        evidence_of(quote) if quote.place else quoted,
        vault.now,
        rules=(rule.id,),
    )
    return proposed(vault, request, quote, proposal)
