"""Table of settings: names, kinds, meanings, and the files that may set them."""

from typing import Any, NamedTuple

from toolmem.core import limits

SCHEMA = 1
"""The newest vault format that this program can write."""


class Setting(NamedTuple):
    """One setting: its dotted name, its type, and the files that may set it.

    ``kind`` is ``text``, ``number``, ``switch`` or ``words`` (a list of texts);
    ``where`` are the files: ``vault``, ``pointer``, ``user``; ``env`` is its
    environment variable; a text with ``choices`` must be one of them, and a number in
    its ``span``, ends included. ``former`` are values of older versions, with those
    that replace them.
    """

    name: str
    kind: str
    doc: str
    where: tuple[str, ...]
    env: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    former: tuple[tuple[Any, str], ...] = ()
    span: tuple[int, int] | None = None


_DAY = 24 * 60 * 60
_YEAR = 365 * _DAY
_MOST_POINTS = 1_000

SETTINGS = (
    Setting(
        "schema",
        "number",
        "Version of the vault's format; a newer one than this toolmem knows can be "
        "read but not written.",
        ("vault",),
        default=SCHEMA,
    ),
    Setting(
        "vault",
        "text",
        "The vault's folder; in a pointer, relative to the pointer.",
        ("pointer", "user"),
        env="TOOLMEM_VAULT",
    ),
    Setting(
        "project",
        "text",
        "The project whose rules, facts and memories apply.",
        ("pointer",),
        env="TOOLMEM_PROJECT",
    ),
    Setting(
        "agent_type",
        "text",
        "The kind of agent, such as coding.",
        ("pointer", "user"),
        env="TOOLMEM_AGENT_TYPE",
    ),
    Setting(
        "agent",
        "text",
        "The agent that is running; what it writes is marked, and at most high.",
        ("user",),
        env="TOOLMEM_AGENT",
    ),
    Setting(
        "capture.mode",
        "text",
        "Standing rules in what users type: sure ones are written and the agent judges "
        "candidates (judged), all are proposed for review (propose), sure ones alone "
        "are written (sure), all are only recorded in local state (observe), or none "
        "is looked for (off).",
        ("vault", "pointer", "user"),
        default="judged",
        choices=("judged", "propose", "sure", "observe", "off"),
    ),
    Setting(
        "capture.judge",
        "words",
        "A program of yours that judges the candidates of `toolmem capture`: its "
        "argument list; lines of JSON come on its standard input.",
        ("user",),
    ),
    Setting(
        "capture.judge_seconds",
        "number",
        "How long the judge may take for 20 candidates.",
        ("user",),
        default=60,
        span=(1, _DAY),
    ),
    Setting(
        "guard.duties",
        "text",
        "What becomes of duties, which a rule demands: calls and the end of a turn "
        "wait for them (on), they are only counted (observe), or not looked at (off).",
        ("pointer", "user"),
        default="on",
        choices=("on", "observe", "off"),
    ),
    Setting(
        "guard.mode",
        "text",
        "What becomes of the verdicts of hooks: they are enforced (enforce), only "
        "counted (observe), or calls are not judged at all (off).",
        ("pointer", "user"),
        default="enforce",
        choices=("enforce", "observe", "off"),
    ),
    Setting(
        "inject.mode",
        "text",
        "Whether hooks give the agent the prompt block, rules and memories (on), only "
        "count what they would give (observe), or do neither (off).",
        ("pointer", "user"),
        default="on",
        choices=("on", "observe", "off"),
    ),
    Setting(
        "prompt.fact_tokens",
        "number",
        "Tokens of facts in the prompt block: the own project's first, in the order of "
        "the file.",
        ("vault", "pointer", "user"),
        default=limits.FACTS_TOKENS,
        span=(0, 100_000),
    ),
    Setting(
        "conversation.keep",
        "switch",
        "Whether what was said is kept in local state for a month, for tools that may "
        "ask for it; credentials never are.",
        ("vault", "pointer", "user"),
        default=True,
    ),
    Setting(
        "session.days",
        "number",
        "Days for which local state stores the turns and the prompt block of a session "
        "that has ended.",
        ("vault", "user"),
        default=limits.SESSION_DAYS,
        span=(1, 100 * 365),
    ),
    Setting(
        "scratch.types",
        "words",
        "Additional types of scratch entries.",
        ("vault", "user"),
    ),
    Setting(
        "model.command",
        "words",
        "A program of yours that merges and summarises: its argument list; the text "
        "comes on its standard input.",
        ("user",),
    ),
    Setting(
        "model.seconds",
        "number",
        "How long the model command may take.",
        ("user",),
        default=60,
        span=(1, _DAY),
    ),
    Setting(
        "access.relevance",
        "number",
        "Weight of the relevance to the query when results of a tool's query are "
        "ranked.",
        ("vault", "user"),
        default=60,
        span=(0, _MOST_POINTS),
    ),
    Setting(
        "access.recency",
        "number",
        "Weight of the age of a result in that ranking.",
        ("vault", "user"),
        default=15,
        span=(0, _MOST_POINTS),
    ),
    Setting(
        "access.importance",
        "number",
        "Weight of the importance of a result in that ranking.",
        ("vault", "user"),
        default=15,
        span=(0, _MOST_POINTS),
    ),
    Setting(
        "access.trust",
        "number",
        "Weight of the source of a result: people, tools or an inference.",
        ("vault", "user"),
        default=10,
        span=(0, _MOST_POINTS),
    ),
    Setting(
        "access.novelty",
        "number",
        "What is taken, in hundredths, from a result that repeats one before it.",
        ("vault", "user"),
        default=30,
        span=(0, 100),
    ),
    Setting(
        "access.half_life",
        "number",
        "Days after which a result counts as half as new.",
        ("vault", "user"),
        default=30,
        span=(1, 100 * 365),
    ),
    Setting(
        "access.query_ms",
        "number",
        "Milliseconds that one memory query of a tool may take.",
        ("user",),
        default=limits.QUERY_MS,
        span=(0, 1_000 * _DAY),
    ),
    Setting(
        "index.max_age",
        "number",
        "Seconds for which a search relies on its last check of every file; until then "
        "it checks the folders alone, and does not see a file that another program "
        "edits in place. 0 checks every file each time.",
        ("vault", "user"),
        default=0,
        span=(0, _YEAR),
    ),
    Setting(
        "search.semantic",
        "text",
        "How searches compare meanings: by the table of word vectors that is part of "
        "toolmem (table), by the model of an optional dependency (model: the "
        "extra semantic of the package), or not at all (off).",
        ("vault", "user"),
        default="table",
        choices=("table", "model", "off"),
        former=((True, "model"), (False, "off")),
    ),
    Setting(
        "language",
        "text",
        "Language of the vault's texts, for searches: English (en), German (de), "
        "French (fr), Spanish (es), Russian (ru) or none of these (none). It decides "
        "which forms of a word find each other; Russian ones do in each but none.",
        ("vault",),
        default="en",
        choices=("en", "de", "fr", "es", "ru", "none"),
    ),
    Setting(
        "semantic.model",
        "text",
        "An ONNX file of a BERT model for sentences, instead of the one that the "
        "extra installs.",
        ("user",),
    ),
    Setting(
        "semantic.vocabulary",
        "text",
        "The vocabulary of that model, one piece a line (vocab.txt).",
        ("user",),
    ),
)
ABOUT = {setting.name: setting.doc for setting in SETTINGS}
"""Effects of the settings, by name."""
