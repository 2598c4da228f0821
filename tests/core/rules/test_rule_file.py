"""A rule file: what it states, with types; what is wrong, with its line."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.toml_texts import BY_HAND, DAMAGED, WRITTEN, plain
from tests.examples import examples
from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.model import SYSTEM, Priority, Source
from toolmem.core.rules.compose import rule_file_text
from toolmem.core.rules.effective import rule_from
from toolmem.core.rules.rule_file import RuleFile, as_written, key_line, parse_rule_file
from toolmem.core.text.safetext import one_line
from toolmem.errors import InvalidFileError

PATH = "system/rules/shell/x.toml"


def parse(text: str, folder_tool: str = "shell") -> RuleFile:
    return parse_rule_file(text, path=PATH, scope=SYSTEM, folder_tool=folder_tool)


def failure(text: str) -> str:
    with pytest.raises(InvalidFileError) as caught:
        parse(text)
    return str(caught.value)


def test_a_hand_written_rule_needs_no_more_than_id_tool_and_rule():
    file = parse('id = "7"\ntool = "Shell"\nrule = "never  push"\n')
    rule = rule_from(file.stated, file)
    assert (rule.id, rule.tool, rule.rule) == ("7", "Shell", "never push")
    assert (rule.priority, rule.enabled) == (Priority.NORMAL, True)
    assert (rule.tags, rule.guards) == ((), ())
    assert (rule.created_at, rule.updated_at, rule.expires_at) == (None, None, None)


def test_the_source_of_a_rule_that_names_none_is_programmatic():
    file = parse('id = "7"\ntool = "shell"\nrule = "x"\n')
    assert rule_from(file.stated, file).source is Source.PROGRAMMATIC


def test_words_are_read_in_any_case_and_times_in_utc():
    file = parse(
        'id = "7"\nrule = "x"\npriority = "Critical"\nsource = "POST_TURN"\n'
        "created_at = 2026-04-07T12:00:00+02:00\nupdated_at = 2026-04-07 10:00:00\n"
        "expires_at = 2026-05-01\n"
    )
    assert file.stated["priority"] == "critical"
    assert file.stated["source"] == "post_turn"
    assert file.stated["created_at"] == datetime(2026, 4, 7, 10, tzinfo=UTC)
    assert file.stated["updated_at"] == datetime(2026, 4, 7, 10, tzinfo=UTC)
    assert file.stated["expires_at"] == datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("ruel", "; did you mean 'rule'?"),
        ("gaurd", "; did you mean 'guard'?"),
        ("expires", "; did you mean 'expires_at'?"),
        ("enabld", "; did you mean 'enabled'?"),
        ("zzz", ""),
        ("z" * 400, ""),
    ],
)
@pytest.mark.parametrize("value", ["= 1", "= []", "= { a = 1 }"])
def test_an_unknown_key_breaks_the_file(key, value, hint):
    with pytest.raises(InvalidFileError) as caught:
        parse(f'id = "7"\nrule = "x"\n{key} {value}\n')
    assert str(caught.value) == f"{PATH}:3: no key {key[:40]!r}{hint}"


def test_of_a_newer_format_the_known_keys_and_guards_are_read():
    known = '[[guard]]\ncommand = ["sudo"]\n'
    newer = '[[guard]]\ncommand = ["su"]\nonly_on = "friday"\n'
    head = 'id = "7"\nformat = 4\nrule = "x"\nmoon = "full"\n'
    file = parse(head + known + newer)
    stated = {"id": "7", "format": 4, "rule": "x", "guard": [{"command": ["sudo"]}]}
    assert (file.stated, file.newer_format) == (stated, 4)
    assert "guard" not in parse(head + newer).stated
    assert parse(head.replace("4", "3").replace("moon", "tags = []#")).newer_format == 0


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("", None),
        ("guards = false", []),
        ("guard = []", []),
        ('guards = false\nguard = [{ contains = "a" }]', [{"contains": "a"}]),
    ],
)
def test_guards_that_are_refused_are_an_empty_list(text, guard):
    assert parse(f'id = "7"\n{text}\n').stated.get("guard") == guard


GUARDS = st.sampled_from([None, [], [{"action": "deny", "contains": "a"}]])


@given(GUARDS, GUARDS)
def test_guards_are_read_back_as_they_were_written(first, second):
    text = rule_file_text({"id": "7", "rule": "x", "guard": first})
    assert parse(text).stated.get("guard") == first
    edited = edit_toml(
        text, as_written({"guard": second}, parse_toml(text, PATH)), PATH
    )
    assert parse(edited).stated.get("guard") == second
    assert ("format = 2" in edited) == (first == [] or second == [])
    assert ("guards" in edited) == (second == [])


def test_a_guard_on_what_is_added_needs_a_newer_format():
    guard = [{"action": "deny", "adds": "eval("}]
    assert as_written({"guard": guard}, {}) == {"guard": guard, "format": 3}
    assert as_written({"guard": guard}, {"format": 3}) == {"guard": guard}


@pytest.mark.parametrize("tool", ["sh\\u202eell", "a\\ufdd0b", "x" * 201])
def test_a_tool_that_is_no_name_gives_way_to_the_folder(tool):
    file = parse(f'id = "7"\ntool = "{tool}"\nrule = "x"\n', "git")
    assert file.stated["tool"] == "git"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"{PATH}:1: id is missing: a rule needs id, tool and rule"),
        ("id = 7", f"{PATH}:1: id: expected a quoted string, found 7"),
        ('id = " "', f"{PATH}:1: id: is blank"),
        ('\nid = "7"\nrule = ""', f"{PATH}:3: rule: is blank"),
        ('id = "7"\ntool = " \\n "', f"{PATH}:2: tool: is blank"),
        (
            'id = "7"\nrule = ["x"]',
            f"{PATH}:2: rule: expected a quoted string, found ['x']",
        ),
        (
            'id = "7"\npriority = "urgent"',
            f"{PATH}:2: priority: expected critical, high, normal, found 'urgent'",
        ),
        (
            'id = "7"\nsource = 1',
            f"{PATH}:2: source: expected user_explicit, post_turn, programmatic, "
            "found 1",
        ),
        (
            'id = "7"\ntags = "x"',
            f"{PATH}:2: tags: expected a list of strings, found 'x'",
        ),
        (
            'id = "7"\ntags = [1]',
            f"{PATH}:2: tags: expected a list of strings, found [1]",
        ),
        (
            'id = "7"\nenabled = 0',
            f"{PATH}:2: enabled: expected true or false, found 0",
        ),
        (
            'id = "7"\nexpires_at = "soon"',
            f"{PATH}:2: expires_at: expected an unquoted date or time, found 'soon'",
        ),
        (
            'id = "7"\nexpires_at = 9999-12-31T23:59:59-12:00',
            f"{PATH}:2: expires_at: 9999-12-31T23:59:59-12:00 is not a time in UTC",
        ),
        ('id = "7"\nguard = 1', f"{PATH}:2: guard: expected [[guard]] tables, found 1"),
        (
            'id = "7"\nevidence = 1',
            f"{PATH}:2: evidence: expected a quoted string, found 1",
        ),
        ('id = "7"\nid = "8"', f"{PATH}:2: Cannot overwrite a value"),
        ('id = "7', f"{PATH}:1: "),
        (
            'id = "7"\n<<<<<<< HEAD\n',
            f"{PATH}:2: the file has an unresolved merge conflict",
        ),
        ("." * 9 + " = 1", f"{PATH}:1: "),
        ("a" + ".a" * 33 + " = 1", f"{PATH}:1: a key has more than 32 dots"),
        ("a" + ".a" * 33, f"{PATH}:1: a key has more than 32 dots"),
        ('rule = "' + "a" * 40_000 + "." * 3_000, f"{PATH}:1: Unterminated string"),
        ("a = " + "[" * 3000, f"{PATH}: is not valid TOML: "),
        ("#" * 70_000, f"{PATH}: larger than 64 KiB"),
        ("id = 'a\x00'", f"{PATH}:1: "),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, message):
    assert failure(text).startswith(message)


@examples(200)
@given(st.one_of(st.text(max_size=40), DAMAGED, BY_HAND, WRITTEN))
def test_any_text_is_a_rule_file_or_a_typed_error(text):
    try:
        file = parse(text)
    except InvalidFileError as error:
        found = error.path, 0 <= error.line <= text.count("\n") + 2
    else:
        found = file.path, file.id == one_line(file.stated["id"])
    assert found == (PATH, True)


LINE = st.text(max_size=40).filter(lambda text: one_line(text) != "")
STATED = st.fixed_dictionaries(
    {"id": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True)},
    optional={
        "tool": st.sampled_from(["shell", "Send_Email", "a/b", "_any"]),
        "rule": LINE.map(one_line),
        "priority": st.sampled_from(["critical", "high", "normal"]),
        "source": st.sampled_from(["user_explicit", "post_turn", "programmatic"]),
        "agent": st.sampled_from(["helper-1", "a b"]),
        "enabled": st.booleans(),
        "tags": st.lists(st.text(max_size=8), max_size=3),
        "created_at": st.datetimes(timezones=st.just(UTC)).map(
            lambda moment: moment.replace(microsecond=0)
        ),
        "reason": st.text(max_size=20),
        "evidence": st.text(max_size=20),
        "guard": st.lists(
            st.fixed_dictionaries({"action": st.just("deny"), "contains": LINE}),
            min_size=1,
            max_size=2,
        ),
    },
)


@examples(200)
@given(STATED)
def test_what_is_composed_is_read_back(stated):
    file = parse(rule_file_text(stated))
    assert plain(dict(file.stated)) == plain(stated)
    assert rule_file_text(file.stated) == rule_file_text(stated)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("tags_x = 1\ntags = 2\n", "tags", 2),
        ("# rule = 1\n  rule   = 2\n", "rule", 2),
        ('\n"rule" = 2\n', "rule", 2),
        ("\ufeffrule = 2\n", "rule", 1),
        ('id = "a"\n\n[guard]\nrule = 1\n', "guard", 3),
        ('id = "a"\n [[ guard ]] # so\n[guarded]\n', "guard", 2),
        ("a = 1\nguard.action = 2\n", "guard", 2),
        ('a = 1\n"b.c" = 2\n', "b.c", 2),
        ("", "rule", 1),
    ],
)
def test_the_line_of_a_key_is_found(text, key, line):
    assert key_line(text, key) == line
