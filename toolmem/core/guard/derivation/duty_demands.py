"""Demands in clauses: commands, facts with a command, and files to change.

A clause demands what its verb acts on. It is an order if nothing but words of demanding
comes before the verb, or before what must be in a state: "`make` must pass".
"""

import re
from typing import Any

from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    Text,
    bare_command,
    is_command,
    is_pathlike,
    pattern_of,
)

_ORDERING = (
    r"please|pls|kindly|always|and|also|so|first|now|just|make (?:sure|certain)"
    r"|be (?:sure|certain)|see (?:to it|that)|remember|ensure|that|to|you|we|must"
    r"|should|shall|ought|need(?:s|ed)?|have|has|want|expect|insist|require|(?:i"
    r"|we)(?:['’]?d like|\s+(?:want|need|expect|insist on|require|demand"
    r"|would like))(?!\s+to\b(?!\s+(?:see|have)))(?:\s+(?:you to|to (?:see|have)))?"
    r"|it(?:['’]?s| is)|important|crucial|vital|essential|critical|required|mandatory"
    r"|necessary|note|reminder|rule|from now on|again|it|everyone|agents?"
    r"|double[- ]check|check|verify|confirm|don['’]?t forget|do not forget"
    r"|never forget|(?:in|on|for) (?:this|our|the) (?:repo(?:sitory)?|project"
    r"|code ?base)|here|as a rule|then|there|your job is"
)
_LEAD = rf"(?:(?:{_ORDERING})(?![\w-])[:,]?\s+)*"
LEAD = re.compile(rf"(?i){_LEAD}")
_RUN = r"(?:re-?)?(?:run|execute|invoke|call|use|launch|start|trigger|do|issue|type)"
_DONE_RUN = (
    r"(?:re-?)?(?:run(?:ning)?|ran|execut(?:ing|ed)|invok(?:ing|ed)|call(?:ing|ed)"
    r"|us(?:ing|ed)|launch(?:ing|ed)|do(?:ing|ne)|start(?:ing|ed)|gone|been"
    r"|go(?:ing)?|check(?:ing|ed)|verif(?:ying|ied)|pass(?:ing|ed)|got(?:ten)?|seen"
    r"|through|with|via|using|by)"
)
_ACT = (
    r"(?:re-?)?(?:check|verify|validate|confirm|test|format|lint|build|compile"
    r"|generate|create|update|refresh|sync|prove|ensure|clean|type-?check|tidy|scan"
    r"|audit|sort|fix|review|finish|end|close|conclude|wrap up|prettify|regen|install"
    r"|bundle|package|inspect|smoke[- ]test|dry[- ]run|preview|make)"
)
_BY = r"(?:with|via|using|through|by(?:\s+(?:running|calling|using))?)"
_SOME = r"(?:\s+(?!to\b|that\b|from\b)[\w'’-]+)"
_THE = (
    r"(?:(?:the|all|all of the|our|your|any|a|an|one|its|affected|relevant|both|full"
    r"|whole|entire|complete|quick|fresh|final|local|clean|green|passing|successful"
    r"|command|commands|task|script|target|run of|runs? of|unit|integration|code"
    r"|project|new|existing|production)\s+)*"
)
_FACTS = (
    ("test_command", r"(?:test(?:s|[ -]?suites?)?|suites?|specs?|test runs?)"),
    ("lint_command", r"(?:lint(?:er|ers|ing)?(?: checks?)?)"),
    ("build_command", r"builds?"),
    ("format_command", r"(?:formatters?|formatting)"),
    ("typecheck_command", r"type[ -]?check(?:er|ing|s)?"),
    ("codegen_command", r"(?:codegen|code gen(?:eration|erator)?)"),
    ("check_command", r"(?:quality )?checks?"),
)  # fmt: skip
"""Facts of a project with a command, and the words that mean it."""
_VERBS_OF_FACTS = {
    "test": "test_command", "lint": "lint_command", "build": "build_command",
    "rebuild": "build_command", "format": "format_command", "builds": "build_command",
    "compiles": "build_command", "recompile": "build_command", "lints": "lint_command",
    "typecheck": "typecheck_command", "type-check": "typecheck_command",
    "typechecks": "typecheck_command", "type-checks": "typecheck_command",
}  # fmt: skip
_ITS_OBJECT = (
    r"(?:\s+(?:the|your|our|all|it|everything|whole|project|code|app|application"
    r"|again|changes|locally|first|and|still|cleanly|as well|too|without errors))*"
)
_STATE = (
    r"(?:\s+(?:must|should|shall|has|have|had|needs?|ought|to|also|always|be|been|is"
    r"|are|was|stay|come|comes|came|went|goes|gone|having|back|all|got|get|gets|turn"
    r"|end|return|returns|report|reports|still|both|really|actually|itself|run|first"
    r"|there|the|a|it|successfully|cleanly|last)){0,6}\s+(?:run|ran|rerun|executed"
    r"|pass(?:es|ed|ing)?|succeed(?:s|ed)?|succeeding|green|clean|happy|ok|okay|fine"
    r"|mandatory|required|obligatory|due|a must|ended|exited|done|finished"
    r"|complete(?:d|s)?|through|follow|comes? first|go(?:es)? first|worked|works"
    r"|clear|satisfied|successful|without (?:errors?|complaints?|warnings?))(?![\w-])"
)
_TAIL = (
    r"(?:\s+(?:first|again|as well|too|also|locally|successfully|accordingly"
    r"|afterwards?|once more|instead|cleanly|run|always|there|then|and"
    r"|pass(?:es)?))*\s*"
)
_IS_NO_ORDER = re.compile(
    r"(?i)\b(?:not|never|no|don['’]?t|doesn['’]?t|rather|unless|except|ask|suggest"
    r"|consider|avoid|may|can|could|might|would|maybe|perhaps|why|how|who|he|she|they"
    r"|used to|was|were|did|usually|normally|sometimes|often|typically|today|tonight"
    r"|tomorrow|yesterday|optional(?:ly)?|except|only)\b|\bi\b(?!['’]?d|\s+(?:want"
    r"|need"
    r"|expect|insist|require|demand))|\bor\s+(?!" + CODE + r")"
)
_MET_NOT = re.compile(
    r"(?i)\b(?:not|never|no|don['’]?t|doesn['’]?t|unless|except|ask|approv\w*|may|might"
    r"|maybe|i|he|she|they|fail\w*)\b|\bor\s+(?!" + CODE + r")"
)
_UPDATE = (
    r"(?:update|change|edit|adapt|adjust|bump|extend|refresh|amend|regenerate|revise"
    r"|touch|increase|raise|add|mention|note|record|document|list|log|describe|put"
    r"|write|sync|keep|append|increment|mirror|reflect)"
)
_FILE = rf"(?P<path>{PATHS}|(?i:changelog|readme)|(?-i:[A-Z]{{3,}}(?![\w-])))"
_UPDATES = re.compile(
    rf"(?i){_LEAD}{_UPDATE}(?:\s+(?!with\b|via\b|using\b"
    rf"|before\b)[\w'’-]+){{0,7}}?\s+{_FILE}(?!\s*[.\w]*\()(?!\s+{_BY})"
)
_MUST_CHANGE = re.compile(
    rf"(?i){_LEAD}(?:[\w'’-]+\s+){{0,4}}?{_FILE}(?:\s+(?:files?|entry))?\s+(?:(?:must"
    r"|should|has to|have to|need to|needs to|is to|is|are|gets?|has|have|also|always"
    r"|be|been|stay|remain)\s+)*(?:(?:updated|changed|edited|adapted|adjusted|bumped"
    r"|extended|refreshed|amended|regenerated|revised|touched|mentioned|kept|in sync"
    r"|up to date|follow(?:s|ed)?|change)\b|(?:needs?|gets?|requires?"
    r"|deserves?)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+)?(?:change|update|edit|entry|line"
    r"|note|updating|regenerating|bump)\b)"
)
_A_CHANGE_OF = re.compile(
    r"(?i)(?:(?:an?|the|its|also|some|any|one|matching|corresponding|new"
    r"|first)\s+)*(?:change|update|edit|entry|line|note|addition|same|test|something"
    r"|updating|adapting|changing|editing|touching|adding \w+ \w+|modification"
    r"|bump)s?(?:\s+[\w-]+)??\s+(?:in|to|of|for|under|into|inside"
    rf"|on)?\s*(?:the\s+)?{_FILE}"
)


def demands_in(text: Text, words: str, *, met: bool = False) -> list[dict[str, Any]]:
    """Return what a clause demands; empty if it is no order.

    ``met``: the clause says what must have happened: "you have run X", "X is green".
    """
    words = words.strip(" ,:;.!")
    if (_MET_NOT if met else _IS_NO_ORDER).search(re.sub(LEAD, "", words, count=1)):
        return []
    if path := _changed_file(text, words):
        return [{"change": path}]
    commands = _commands(text, words, met=met)
    if re.search(CODE, words) and not commands:
        return []
    facts = _facts(words, met=met)
    if commands and not re.search(
        rf"(?i){CODE},? (?:and|plus)|(?:and|plus) .*{CODE}", words
    ):
        facts = []
    return [*facts, *commands]


def _changed_file(text: Text, words: str) -> str:
    """Return the pattern of the file that a clause orders to change; else empty."""
    for pattern in (_UPDATES, _MUST_CHANGE, _A_CHANGE_OF):
        match = pattern.match(words)
        path = text.plain(match["path"]) if match else ""
        code = re.fullmatch(CODE, match["path"]) if match else None
        if path and (is_pathlike(path) or path.isupper()):
            if code and is_command(path) and not re.search(r"\.\w+$|/$", path):
                continue
            return pattern_of(path)
    return ""


def _commands(text: Text, words: str, *, met: bool) -> list[dict[str, Any]]:
    match = (_MET_COMMAND if met else _COMMAND).match(words)
    if not match:
        bare = _BARE.match(words)
        command = bare_command(bare["rest"].split()) if bare else ""
        return [{"run": command}] if command else []
    if re.search(rf"(?i){CODE}\s+(?:then|before|after)\s", words):
        return []
    codes = re.findall(CODE, words)
    commands = [text.code(code) for code in codes]
    if not all(map(is_command, commands)):
        return []
    if len(codes) > 1 and re.search(rf"(?i){CODE},?\s+or\s+{CODE}", words):
        return [{"run": commands}]
    parts = [part.strip() for command in commands for part in command.split("&&")]
    return [{"run": part} for part in parts if part and not part.startswith("cd ")]


_COMMAND = re.compile(
    rf"(?i){_LEAD}(?:(?:{_RUN}{_SOME}{{0,4}}?|{_ACT}{_SOME}{{0,6}}?\s+{_BY}{_SOME}{{0,2"
    rf"}}?|with|{_THE}(?:[\w'’-]+\s+){{1,3}}?(?:(?:must|should|has to|have to"
    rf"|needs? to|is to|are to)\s+be|needs?)\s+\w+(?:ed|ing)\s+{_BY})\s+{CODE}"
    rf"|{_THE}{CODE}(?:{_TAIL}$|[\s,]+(?:and|or|then|plus)\s|\s*,\s*{CODE}|{_STATE}))"
)
_MET_COMMAND = re.compile(
    r"(?i)(?:(?:first|you|we|it|having|have|has|had|['’]ve|you['’]ve|a|an|the|green"
    rf"|clean|successful|passing|run|runs|of|full|{_DONE_RUN}|{_RUN}"
    rf"|{_ACT})\s+)*{CODE}(?:{_TAIL}$|,?\s+(?:and|or)\s|{_STATE}|\s+runs?\b)"
)
_BARE = re.compile(rf"(?i){_LEAD}(?:{_RUN}|running|run)\s+{_THE}(?P<rest>.+)")
_FACT_HEAD = re.compile(rf"(?i){_LEAD}(?:(?P<run>{_RUN}|with|have)\s+)?{_THE}")
_MET_HEAD = re.compile(
    r"(?i)(?:(?:first|you|we|it|having|have|has|had|you['’]ve|run"
    rf"|{_DONE_RUN})\s+)*{_THE}"
)
_FACT_NOUN = re.compile(
    "(?i)(?:" + "|".join(f"(?P<{key}>{noun})" for key, noun in _FACTS) + r")(?![\w/-])"
)
_AND = re.compile(
    rf"(?i)\s*(?:,|and|,\s*and|plus|\+|&)\s+{_THE}(?={_FACT_NOUN.pattern[4:]})"
)
_STATE_PATTERN = re.compile(rf"(?i){_STATE}")
_REST = re.compile(rf"(?i){_TAIL}(?:$|,|and\b|until\b|over\b|again\b)")
_FACT_VERB = re.compile(
    r"(?i)(?:(?:the|your|our|whole|entire)\s+)*(?:(?:project|code|app|application|it"
    r"|everything|code ?base)\s+(?:still\s+)?)?(?P<verb>[a-z-]+)(?:(?:,"
    rf"|\s+and)\s+(?P<other>[a-z-]+))?{_ITS_OBJECT}{_TAIL}"
)


def _facts(words: str, *, met: bool) -> list[dict[str, Any]]:
    verb = _FACT_VERB.fullmatch(re.sub(LEAD, "", words, count=1))
    verbs = [one.lower() for one in verb.groups() if one] if verb else []
    if verbs and all(one in _VERBS_OF_FACTS for one in verbs):
        return [{"fact": _VERBS_OF_FACTS[one]} for one in verbs]
    head = (_MET_HEAD if met else _FACT_HEAD).match(words)
    at = head.end() if head else 0
    facts: list[str] = []
    while noun := _FACT_NOUN.match(words, at):
        facts.append(str(noun.lastgroup))
        joined = _AND.match(words, noun.end())
        at = joined.end() if joined else noun.end()
    state = _STATE_PATTERN.match(words, at)
    rest = words[state.end() if state else at :]
    if not (state or _REST.match(rest)):
        return []
    return [{"fact": fact} for fact in dict.fromkeys(facts)]
