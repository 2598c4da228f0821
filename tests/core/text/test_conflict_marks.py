import pytest

from toolmem.core.text.conflict_marks import conflict_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("a: 1\n", 0),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n", 1),
        ("x\n||||||| base\n=======\n>>>>>>> branch\n", 4),
        ("x\r\n<<<<<<< HEAD\r\n", 2),
        ("x\n<<<<<<<", 2),
        ("Title\n=======\n", 0),
        ("||||||| a | b |\n", 0),
        ("> <<<<<<< quoted\n", 0),
        (" <<<<<<< HEAD\n", 0),
        ("<<<<<<<< eight\n", 0),
        ("<<<<<<<x\n", 0),
        ("x\u2028<<<<<<< HEAD\n", 0),
    ],
)
def test_only_the_markers_that_git_writes_are_a_conflict(text, line):
    assert conflict_line(text) == line
