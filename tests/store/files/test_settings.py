"""Settings files: which line is to blame."""

import pytest

from toolmem.errors import InvalidFileError
from toolmem.store.files.settings import read_layer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('schema = 1\ncapture.mode = "yolo"\n', 2),
        ('schema = 1\n"capture" . "mode" = "yolo"\n', 2),
        ('schema = 1\n[capture]\nmoed = "skip"\nmode = "yolo"\n', 4),
        ('capture = { mode = "yolo" }\n', 1),
        ('# capture.mode\n\ncapture = { mode = "yolo" } # so\n', 3),
        ('[ "capture" ] # mode = 1\nmode = "yolo"\n', 2),
        ('model.seconds = 5\n[conversation]\nkeep = true\n[capture]\nmode = ""', 5),
    ],
)
def test_a_value_that_cannot_be_is_told_with_its_line(text, line):
    layer = read_layer(text, where="user", origin="config.toml")
    assert [p.line for p in layer.problems if p.code == "bad-value"] == [line]


def test_a_setting_is_not_taken_for_another_that_begins_so():
    text = 'agent_type = "coding"\nagent = 1\n'
    with pytest.raises(InvalidFileError, match=r"^config.toml:2: agent: want a text"):
        read_layer(text, where="user", origin="config.toml")


@pytest.mark.parametrize(
    "text", ["schema = 1\nmodell = 2\n", "a = 1\n[[modell]]\nb = 1\n"]
)
def test_an_unknown_key_is_told_with_its_line(text):
    layer = read_layer(text, where="vault", origin="toolmem.toml")
    assert [each.line for each in layer.problems if "modell" in each.message] == [2]
