"""A module of the package runs when its first attribute is read."""

import subprocess
import sys
from textwrap import dedent

import pytest


@pytest.fixture
def run(tmp_path):
    """Run a program next to a package whose modules import lazily; its output."""
    package = tmp_path / "toolmem"
    package.mkdir()
    package.joinpath("__init__.py").write_text("")

    def run(program: str, *options: str, **modules: str) -> str:
        for name, text in modules.items():
            package.joinpath(f"{name}.py").write_text(dedent(text))
        install = (
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
            "from importlib.util import module_from_spec, spec_from_file_location\n"
            f"spec = spec_from_file_location('lazy_import', {_SOURCE!r})\n"
            "lazy_import = module_from_spec(spec)\n"
            "spec.loader.exec_module(lazy_import)\n"
            "lazy_import.install(); lazy_import.install()\n"
        )
        done = subprocess.run(
            [sys.executable, *options, "-c", install + dedent(program)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
        )
        return done.stdout + done.stderr

    return run


_SOURCE = str(sys.modules["toolmem.lazy_import"].__file__)


def test_an_import_does_not_run_the_module_and_an_attribute_does(run):
    program = """
    from toolmem import first
    print("imported")
    print(first.VALUE)
    print(first.VALUE)
    """
    assert run(program, first="print('runs')\nVALUE = 7") == "imported\nruns\n7\n7\n"


def test_a_name_out_of_a_module_runs_it_at_once(run):
    program = "from toolmem.first import VALUE\nprint('imported', VALUE)"
    assert run(program, first="print('runs')\nVALUE = 7") == "runs\nimported 7\n"


def test_a_missing_module_is_missing_where_it_is_imported(run):
    out = run("from toolmem import nothing")
    assert "ImportError: cannot import name 'nothing' from 'toolmem'" in out


def test_a_missing_attribute_is_the_usual_error(run):
    out = run("from toolmem import first\nfirst.missing", first="VALUE = 7")
    assert out.endswith("module 'toolmem.first' has no attribute 'missing'\n")


def test_a_module_that_fails_fails_again_at_the_next_use(run):
    program = """
    from toolmem import first
    for _ in range(2):
        try:
            first.VALUE
        except ValueError as error:
            print(error)
    """
    assert run(program, first="raise ValueError('broken')") == "broken\nbroken\n"


def test_a_module_that_uses_itself_in_a_circle_says_what_it_lacks(run):
    out = run(
        "from toolmem import first\nfirst.VALUE",
        first="from toolmem import second\nVALUE = second.VALUE",
        second="from toolmem import first\nVALUE = first.VALUE",
    )
    assert out.endswith("module 'toolmem.first' has no attribute 'VALUE'\n")


def test_threads_that_use_a_module_at_the_same_time_see_all_of_it(run):
    program = """
    from threading import Barrier, Thread
    from toolmem import first
    ready = Barrier(8)
    def use():
        ready.wait()
        print(first.LAST, flush=True)
    threads = [Thread(target=use) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    """
    slow = "print('runs')\nfor _ in range(200000): pass\nLAST = 7"
    out = run(program, first=slow)
    assert (out.count("runs"), out.count("7")) == (1, 8)


def test_a_reload_runs_the_module_again(run):
    program = """
    from importlib import reload
    from toolmem import first
    first.VALUE
    reload(first)
    """
    assert run(program, first="print('runs')\nVALUE = 7") == "runs\nruns\n"


def test_an_attribute_that_is_set_before_the_first_use_stays(run):
    program = """
    from toolmem import first
    first.VALUE = 8
    print(first.OTHER, first.VALUE)
    """
    assert run(program, first="VALUE = 7\nOTHER = 1") == "1 8\n"


def test_what_looks_around_sees_the_attributes(run):
    program = "from toolmem import first\nprint('VALUE' in dir(first))"
    assert run(program, first="VALUE = 7") == "True\n"


@pytest.mark.parametrize("options", [[], ["-O"], ["-X", "pycache_prefix=elsewhere"]])
def test_a_module_says_where_its_code_is_cached_as_usual(run, options):
    program = """
    import importlib.util
    from toolmem import first
    print(first.__cached__ == importlib.util.cache_from_source(first.__file__))
    """
    assert run(program, *options, first="VALUE = 7") == "True\n"
