"""Read a rule file's subject without parsing it: with certainty, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.model import SYSTEM
from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.core.rules.sketch import Sketch, sketch
from toolmem.errors import InvalidFileError

PLAIN = b'id = "a1"\ntool = "git"\nrule = "never"\n'


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        b'tool="git"\nid="a1"\nrule = "x"\n',
        b'# about git\nid\t=\t"a1"\ntool = "git" \nrule = "tool"\n',
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN + b'[[guard]]\ntool = "other"\nid = "z"\n',
        PLAIN + b'priority = "high"\ntags = ["a", "b"]\n',
    ],
)
def test_a_plain_file_is_told_by_its_lines(data):
    assert sketch(data) == Sketch("a1", "git")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b'id = "a1"\n',
        b'id = "a1"\nrule = "x"\n',
        b"id = 'a1'\ntool = 'git'\n",
        b'id = "a1"\ntool = "g\\u0069t"\n',
        b'id = "a1"\n"tool" = "git"\n',
        b'id = "a1"\n  tool = "git"\n',
        b'id = "a1"\ntool = "git" # really\n',
        b'id = "a1"\ntool = "git"\ntool = "shell"\n',
        b'rule = """\ntool = "decoy"\n"""\nid = "a1"\n"tool" = "git"\n',
        b"rule = '''\ntool = \"decoy\"\n'''\nid = \"a1\"\n",
        b'x = {\ntool = "decoy"\n}\nid = "a1"\n',
        b'\xef\xbb\xbfid = "a1"\ntool = "git"\n',
        b'id = "\xff"\ntool = "git"\n',
    ],
)
def test_where_there_is_any_doubt_the_file_is_parsed(data):
    assert sketch(data) is None


_LINES = st.sampled_from(
    [
        *('id = "a1"', 'id = "b2"', "id = 'a1'", '"id" = "c3"', ' id = "d4"'),
        *('tool = "git"', 'tool = "shell"', "tool = 'git'", 'tool.x = "y"'),
        *('rule = "x"', 'rule = """', '"""', "'''", "rule = '''", "x = {", "}"),
        *("tags = [", '"a"]', "]", "[[guard]]", "[x]", "# tool", "", "\t", "\ufeff"),
        *('tool = "git"\r', 'tool = "a\\"b"', 'tool = ""', 'tool = "  git  "'),
    ]
)


@examples(200)
@given(st.lists(_LINES, max_size=9))
def test_what_is_told_is_what_a_parser_says(lines):
    text = "\n".join(lines)
    found = sketch(text.encode())
    if found is None:
        return
    try:
        parsed = parse_rule_file(text, path="x", scope=SYSTEM, folder_tool="f")
    except InvalidFileError:
        return  # it is no rule whatever it says
    assert (parsed.id, parsed.stated["tool"]) == found
