from pathlib import Path

import pytest

from tests.program import ROOT
from toolmem.cli.main import run_program
from toolmem.cli.run import Run


def generate(folder: Path, *arguments: str) -> int:
    return run_program(["generate", *arguments], Run(cwd=folder))


def test_generated_files_are_those_of_the_repository(tmp_path, capsys):
    assert generate(tmp_path) == 0
    written = capsys.readouterr().out.splitlines()
    assert sorted(written) == [
        "completions/_toolmem",
        "completions/toolmem.bash",
        "completions/toolmem.fish",
        "completions/toolmem.ps1",
        "man/toolmem.1",
    ]
    for name in written:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()


def test_generating_again_writes_nothing(tmp_path, capsys):
    generate(tmp_path)
    capsys.readouterr()
    assert generate(tmp_path) == 0
    assert capsys.readouterr().out == ""


def test_only_what_is_asked_for_is_generated(tmp_path, capsys):
    assert generate(tmp_path, "man") == 0
    assert capsys.readouterr().out == "man/toolmem.1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["man"]


def test_check_tells_a_stale_file_and_leaves_it(tmp_path, capsys):
    generate(tmp_path)
    stale = tmp_path / "man" / "toolmem.1"
    stale.write_text("old")
    capsys.readouterr()
    assert generate(tmp_path, "--check", "completions") == 0
    assert generate(tmp_path, "--check") == 1
    assert capsys.readouterr().err == (
        "toolmem: man/toolmem.1 is stale: `make generate` writes it\n"
    )
    assert stale.read_text() == "old"


@pytest.mark.parametrize("missing", ["man/toolmem.1", "completions/_toolmem"])
def test_check_tells_a_missing_file(tmp_path, missing):
    generate(tmp_path)
    (tmp_path / missing).unlink()
    assert generate(tmp_path, "--check") == 1


def test_there_is_nothing_else_to_generate(tmp_path, capsys):
    assert generate(tmp_path, "docs") == 2
    assert capsys.readouterr().err == (
        "toolmem: no 'docs' to generate: man or completions\n"
    )


def test_a_file_in_the_way_of_a_folder_is_a_failure_of_storage(tmp_path, capsys):
    (tmp_path / "man").write_text("")
    assert generate(tmp_path, "man") == 15
    assert capsys.readouterr().err.startswith(f"toolmem: {tmp_path}/man/toolmem.1: ")
