"""A rule has every condition of its file, and none is wider than its file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.capture.relate.names import ToolWords
from toolmem.core.guard.derive import derive_guards
from toolmem.core.imports.document import read_document
from toolmem.core.imports.ruled import Toolbox

BOX = Toolbox((ToolWords("shell", ("bash", "terminal")), ToolWords("edit")), "shell")
BAN = "Never run `make deploy`."
CONDITIONS = {
    "heading": ("## {}\n\n{}", "prose"),
    "setext": ("{}\n---------\n\n{}", "prose"),
    "bold line": ("**{}**\n\n{}", "prose"),
    "html": ("<h2>{}</h2>\n\n{}", "prose"),
    "lead-in": ("{}:\n\n{}", "list"),
    "lead-in without a blank line": ("{}:\n{}", "list"),
    "lead-in of a paragraph": ("{}:\n\n{}", "prose"),
    "item": ("- {}\n  - {}", "nested"),
    "ordered item": ("1. {}:\n   - {}", "nested"),
    "line above": ("{},\n{}", "wrapped"),
    "line above without a comma": ("{}\n{}", "wrapped"),
}
"""Form of a condition, and what may come between it and its rule."""
WORDS = st.sampled_from(
    [
        "In production",
        "On the build server",
        "When the tests are red",
        "If the release is frozen",
        "Payments service",
        "Database migrations",
        "Before each release",
    ]
)


FOR_DOCS = ["For `docs/**`: Never run `make`"]


def rules(text, project=""):
    return list(read_document(text, "x", BOX, "claude", project).rules)


def said(text):
    return [rule.text for rule in rules(text)]


@examples(150)
@given(
    form=st.sampled_from(sorted(CONDITIONS)),
    outer=st.one_of(st.none(), WORDS),
    words=WORDS,
    glob=st.sampled_from(
        ["", "globs: docs/**", "applyTo: 'docs/**'", "paths: [docs/**]"]
    ),
    mark=st.sampled_from(["", "- ", "1. ", "* "]),
)
def test_every_condition_is_in_the_text_and_its_guard_asks(
    form, outer, words, glob, mark
):
    shape, between = CONDITIONS[form]
    line = BAN if between in ("prose", "wrapped", "nested") else f"{mark or '- '}{BAN}"
    body = shape.format(words, line)
    text = f"# {outer}\n\n{body}\n" if outer else f"{body}\n"
    text = f"---\n{glob}\n---\n{text}" if glob else text
    [rule] = rules(text)
    wanted = [words, *([outer] if outer else []), *(["`docs/**`"] if glob else [])]
    assert [one for one in wanted if one.lower() not in rule.text.lower()] == []
    assert rule.text.endswith("ever run `make deploy`")
    guards = derive_guards(rule.text, "shell", rule.polarity)
    assert {guard["action"] for guard in guards} == {"ask"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "---\nglobs: docs/**\n---\n# Shop\n\n## In production\n\n"
            "- never run `make`\n",
            ["In production, for `docs/**`: never run `make`"],
        ),
        (
            "In production, never:\n- run `make`\n- use `sudo`\n",
            ["In production, never: run `make`", "In production, never: use `sudo`"],
        ),
        (
            "Never do the following:\n\n- run `make`\n\nElse:\n\n- Never use `sudo`.\n",
            ["Never: run `make`", 'In "Else": Never use `sudo`'],
        ),
        (
            "If the build is red,\nthen never run `make`.\n",
            ["If the build is red, then never run `make`"],
        ),
        (
            "If the build is red\n\nThen never run `make`.\n",
            ["If the build is red, then never run `make`"],
        ),
        (
            "On CI:\n- Never run `make`.\n\nOther words.\n\n- Never use `sudo`.\n",
            ["On CI: Never run `make`", "Never use `sudo`"],
        ),
        (
            "## Web\n\n### In CI\n\n- Never run `make`.\n\n## API\n\n"
            "- Never use `sudo`.\n",
            ['In "Web", in CI: Never run `make`', 'In "API": Never use `sudo`'],
        ),
        (
            "## In CI\n<!--\n## Rules\n-->\n- Never run `make`.\n",
            ["In CI: Never run `make`"],
        ),
        (
            "<production>\nNever run `make`.\n</production>\n\nNever use `sudo`.\n",
            ['In "production": Never run `make`', "Never use `sudo`"],
        ),
        (
            "This section applies to CI only.\n\nNever run `make`.\n",
            ['In "This section applies to CI only.": Never run `make`'],
        ),
        (
            "- **Production**: it is slow. Never run `make`.\n",
            ['In "Production": Never run `make`'],
        ),
        (
            "---\nglobs: '*'\ndescription: For use when deploying\n---\n"
            "Never run `make`.",
            ["For use when deploying: Never run `make`"],
        ),
        (
            "- **`deploy` job:** it is slow. Never run `make`.\n",
            ['In "`deploy` job": Never run `make`'],
        ),
        (
            "## `api/` and `web/`\n\n- `uses: x`: never run `make`.\n",
            ['In "`api/` and `web/`", in "`uses: x`": never run `make`'],
        ),
        (
            "On the release branch, the following holds.\n\n- Never run `make`.\n",
            ['In "On the release branch, the following holds.": Never run `make`'],
        ),
        (
            "Only the release bot reads this section.\n\nNever run `make`.\n",
            ['In "Only the release bot reads this section.": Never run `make`'],
        ),
        (
            "In the sandbox you are limited. Never run `make`.\n",
            ['In "In the sandbox you are limited.": Never run `make`'],
        ),
        (
            "Interns have these limits. Never run `make`.\n",
            ['In "Interns have these limits.": Never run `make`'],
        ),
        (
            '<rule scope="interns" class="x">\nNever run `make`.\n</rule>\n',
            ['In "rule scope interns": Never run `make`'],
        ),
        (
            "<if platform=windows>\n\n- Never run `make`.\n\n</if>\n",
            ["If platform windows: Never run `make`"],
        ),
        ("Production: never run `make`.\n", ['In "Production": never run `make`']),
        (
            "---\nalwaysApply: false\ndescription: For releases\n---\n"
            "Never run `make`.",
            ["For releases: Never run `make`"],
        ),
        (
            "---\nglobs: ['**/*', '!docs/**']\n---\nNever run `make`.",
            ["For `**/*`, `!docs/**`: Never run `make`"],
        ),
        ("---\nGlobs: docs/**\n---\nNever run `make`.", FOR_DOCS),
        ("---\nApplyTo: docs/**\n---\nNever run `make`.", FOR_DOCS),
        ("---\nglobs:\n  include: docs/**\n---\nNever run `make`.", FOR_DOCS),
        ("- [x] Never run `make`.\n", ["Never run `make`"]),
        (
            "---\nappliesTo: docs\n---\nNever run `make`.",
            ["For appliesTo `docs`: Never run `make`"],
        ),
    ],
)
def test_conditions_are_written_before_the_sentence(text, found):
    assert [rule.text for rule in rules(text, "shop")] == found


@pytest.mark.parametrize(
    "text",
    [
        "# Shop\n\n{}",
        "# CLAUDE.md\n\n## Project rules\n\n- {}",
        "## Make\n\n{}",
        "Rules:\n\n- {}",
        "Please follow these guidelines:\n- {}",
        "**Important**: {}",
        "<rules>\n{}\n</rules>",
        '<div align="center">\n\n{}\n\n</div>',
        "{} It breaks the site.",
        "- {}\n  - It breaks the site.\n- The log has exceptions.",
        "{}\n\nIt used to be forbidden to run `make lint`.",
        "{} (see the wiki)",
        "## Do's and don'ts\n\n- {}",
        "---\nglobs: '**'\n---\n{}",
        "> [!WARNING]\n> {}",
    ],
)
def test_what_says_nothing_is_no_condition(text):
    [rule] = rules(text.format(BAN), "shop CLAUDE")
    assert (rule.text, rule.polarity) == ("Never run `make deploy`", "ban")


TASKS = (
    "When the user asks to forward mail, follow this workflow.",
    "If you release a package, please apply the rules below.",
    "Before each release go through this checklist.",
    "For a change of the schema, use the following steps.",
)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("between", ["\n\n", "\n\n## Tools\n\n", "\n\n- "])
def test_the_task_that_a_text_is_for_is_a_condition(task, between):
    [text] = said(f"You know mail.\n\n{task}{between}{BAN}")
    when, _, rule = text.rpartition(": ")
    assert rule == "Never run `make deploy`"
    assert when.partition(", in")[0] == task[: len(when.partition(", in")[0])]


def test_a_file_fetched_by_its_description_is_about_that():
    about = "description: Rules for README files"
    header = f"---\n{about}\nglobs: '**/*'\nalwaysApply: {{}}\n---\n"
    assert said(header.format("true") + BAN) == ["Never run `make deploy`"]
    rule = 'In "Rules for README files": Never run `make deploy`'
    assert said(header.format("false") + BAN) == [rule]


def test_a_bracket_that_ends_a_rule_is_no_smiley():
    rule = "Always use prefixes for commit messages of git (feat:, fix:, chore:)"
    assert said(f"- {rule}") == [rule]
    assert said(f"- {BAN} :)") == ["Never run `make deploy`"]


@pytest.mark.parametrize(
    "text",
    [
        "Things we do NOT enforce any more:\n\n- {}",
        "We used to say:\n- {}",
        "We used to say: {}",
        "## No longer enforced\n\n- {}",
        "## Old rules\n\n### In production\n\n- {}",
        "Retired rules\n=============\n\n{}",
        "**Previously**\n\n- {}",
        "These rules were retired in 2023.\n\n- {}",
        "These rules are not enforced.\n\n{}",
        "{} This is no longer enforced.",
        "{} (obsolete)",
        "{} (it was so until 2023)",
        "{} — deprecated",
        'Nobody enforces "{}"',
        "- Deprecated\n  - {}",
        "~~{}~~",
        "## ~~Deploys~~\n\n- {}",
        "~~- {}\n- words~~",
        "<del>{}</del>",
        "<del>\n{}\n</del>",
        "<s>\n\n- {}\n\n</s>",
        "> {}",
        "Ada wrote:\n\n> {}",
        "<blockquote>\n{}\n</blockquote>",
        'The sign says "{}"',
        "❌ Bad:\n- {}",
        "### ❌\n\n{}",
        "Bad: {}",
        "Bad: it was slow. {}",
        "Bad example:\n\n{}",
        "## Examples\n\n1. {}",
        "<example>\n{}\n</example>",
        "<bad-example>\n{}\n</bad-example>",
        "Ignore the following:\n- {}",
        "We do not care about these:\n\n- {}",
        "If the tests fail, stop. Otherwise never run `make deploy`.",
        "Use `.env` here; never commit it.",
        "| In production | {} |",
        "- {}\n  - Exception: the staging cluster.",
        "- {}\n  - It is slow.\n  - Unless it is Friday.",
        "- {}\n- Exception: the staging cluster.",
        "{}\nException: your own branches may be deployed.",
        "{}\n\nExceptions are the docs.",
        "{} On feature machines it is fine.",
        "{} The exception is the docs folder.",
        "{} (applies to interns)",
        "{} This does not apply to Ada.",
        "{} In CI, however, it is needed.",
        "{} It is allowed\non Fridays.",
        "We considered the rule never run `make deploy` and rejected it.",
        "Someone proposed: never run `make deploy`.",
        "Do not just run `make deploy`; also run `make test`.",
        "Do not forget to run `make deploy`.",
        "Don't hesitate to run `make deploy`.",
        "Never fail to run `make deploy` first.",
        "Some git forks with `make deploy` may not work.",
        "Branches of git aren't optional after `make deploy`.",
        "Git hooks do not run for `make deploy`.",
        "Commits of git (no `make deploy`) may be short.",
        "Hooks of git have no effect on `make deploy`.",
        "Commit messages that say what changed (`make deploy`, not `stuff`)",
        "---\nenabled: false\n---\n{}",
        "---\nAlwaysApply: false\n---\n{}",
        "---\ntype: manual\n---\n{}",
        "---\nstatus: draft\n---\n{}",
        "---\ntrigger: model_decision\n---\n{}",
        "They said never run `make deploy`, but nobody did.",
        "---\nalwaysApply: false\n---\n{}",
        "---\ntrigger: manual\n---\n{}",
    ],
)
def test_what_is_not_in_effect_makes_no_rule_and_stays(text):
    text = text.format(BAN)
    content = read_document(text, "x", BOX, "claude")
    assert [rule for rule in content.rules if rule.polarity == "ban"] == []
    [kept] = content.texts
    assert "`.env`" in kept.body or "make deploy" in kept.body


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ("", ""),
        ("---\ntags: x\n---\n", ""),
        ("---\nalwaysApply: true\n---\n", "Never run `make deploy`"),
        ("---\nglobs: '**'\n---\n", "Never run `make deploy`"),
        ("---\ntrigger: always_on\n---\n", "Never run `make deploy`"),
        ("---\napplyTo: docs/**\n---\n", "For `docs/**`: Never run `make deploy`"),
        ("---\ndescription: For docs\n---\n", "For docs: Never run `make deploy`"),
    ],
)
def test_a_file_read_on_request_makes_the_rules_that_its_header_allows(header, rule):
    content = read_document(f"{header}{BAN}", "x", BOX, always=False)
    assert [one.text for one in content.rules] == ([rule] if rule else [])
    requested = [note.code for note in content.notes] == ["on-request"]
    assert requested == (not rule)
    assert bool(content.texts) == requested


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Kind.\n\nOn CI:\n\n- Never run `make`.\n- Never use `sudo`.\n", "Kind."),
        ("Kind.\n\n- Deploys:\n  - Never run `make`.\n", "Kind."),
        ("Kind.\n\n**Deploys**\n\n- Never run `make`.\n", "Kind."),
        ("Kind.\n\nDeploys\n-------\n\nNever run `make`.\n", "Kind."),
        ("Kind.\n\nIf it is red,\nthen never run `make`.\n", "Kind."),
        (
            "Kind.\n\nOn CI:\n\n- Never run `make`.\n- It is slow.\n",
            "Kind.\n\nOn CI:\n\n- It is slow.",
        ),
    ],
)
def test_a_condition_does_not_stay_behind_alone(text, left):
    content = read_document(text, "x", BOX, "claude")
    assert [one.body for one in content.texts] == [left]


def test_many_limiting_sentences_of_a_section_make_no_rule_and_take_linear_time():
    said = "This applies to service {} only.\n\n- Never run `git push`.\n\n"
    content = read_document("".join(map(said.format, range(500))), "x", BOX, "claude")
    assert content.rules == ()


def test_a_rule_too_long_with_its_conditions_stays_text():
    text = f"# {'In a place ' * 50}\n\n- {BAN}\n"
    content = read_document(text, "x", BOX, "claude")
    assert (content.rules, "make deploy" in content.texts[0].body) == ((), True)
