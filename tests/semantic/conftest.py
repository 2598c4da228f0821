"""Skip the tests of this folder without the extra ``semantic``."""

import pytest

from tests.extra import INSTALLED

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]


@pytest.fixture(scope="session")
def embedder():
    """The model of the extra."""
    from toolmem.store.files.settings import resolve
    from toolmem.store.semantic.embedder import load
    from toolmem.store.semantic.model_files import model_files

    return load(model_files(resolve([])))
