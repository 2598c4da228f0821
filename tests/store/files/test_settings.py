"""Settings files: which line is to blame."""

import os
import subprocess
import sys

import pytest

from toolmem.errors import InvalidFileError
from toolmem.store.files.settings import SETTINGS, read_layer, user_file, user_layer
from toolmem.store.vault.discover import find_vault


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


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [(one.name, *one.span) for one in SETTINGS if one.span],
)
def test_a_number_out_of_range_is_named_with_the_range(name, least, most):
    for value in (least - 1, most + 1, -(10**30), 10**30):
        (problem,) = read_layer(
            f"schema = 1\n{name} = {value}\n", where="user", origin="config.toml"
        ).problems[-1:]
        reason = f"{name}: {value} is out of range ({least} to {most})"
        found = (problem.place, problem.code, problem.message)
        assert found == ("config.toml:2", "bad-value", reason)
    for value in (least, most):
        layer = read_layer(f"{name} = {value}\n", where="user", origin="config.toml")
        assert layer.values[name] == value


def test_every_number_has_a_range():
    numbers = [one for one in SETTINGS if one.kind == "number"]
    assert [one.name for one in numbers if one.span is None] == ["schema"]
    spans = [(one.default, *one.span) for one in numbers if one.span]
    assert all(least <= default <= most for default, least, most in spans)


def test_a_setting_is_not_taken_for_another_that_begins_so():
    text = 'agent_type = "coding"\nagent = 1\n'
    with pytest.raises(
        InvalidFileError, match=r"^config.toml:2: agent: expected a string"
    ):
        read_layer(text, where="user", origin="config.toml")


@pytest.mark.parametrize(
    "text", ["schema = 1\nmodell = 2\n", "a = 1\n[[modell]]\nb = 1\n"]
)
def test_an_unknown_key_is_told_with_its_line(text):
    layer = read_layer(text, where="vault", origin="toolmem.toml")
    assert [each.line for each in layer.problems if "modell" in each.message] == [2]


def _open(folder):
    return find_vault({}, folder)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
@pytest.mark.parametrize("name", ["toolmem.toml", ".toolmem.toml"])
def test_a_settings_file_of_a_folder_that_is_a_link_is_not_followed(tmp_path, name):
    secret = tmp_path / "secret"
    secret.write_text("password = hunter2\n")
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / name).symlink_to(secret)
    with pytest.raises(InvalidFileError, match="is a symbolic link") as found:
        _open(folder)
    assert "hunter2" not in str(found.value)


def test_the_user_s_own_settings_may_be_a_link(tmp_path):
    file = user_file()
    file.parent.mkdir(parents=True)
    (tmp_path / "dotfiles.toml").write_text('agent = "helper"\n')
    file.symlink_to(tmp_path / "dotfiles.toml")
    assert user_layer().values == {"agent": "helper"}


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("place", ["toolmem.toml", ".toolmem.toml", "user"])
def test_a_settings_file_of_a_gigabyte_costs_no_memory(tmp_path, place):
    file = user_file() if place == "user" else tmp_path / place
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        opened.truncate(1 << 30)
    command = [sys.executable, "-m", "toolmem", "fact", "list"]
    limited = 'ulimit -v 400000; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", limited, "-", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 11, done.stderr
    assert done.stderr.endswith("is larger than 1048576 bytes\n")
