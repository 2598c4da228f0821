"""The data of `make bench` can be generated, and is read completely."""

import pytest

import toolmem
from bench import access, index, reflect

MAKERS = {
    "access": access.make_vault,
    "index": index.make_vault,
    "reflect": reflect.make,
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_vault_of_a_bench_is_read_whole(name, tmp_path):
    root = tmp_path / "vault"
    MAKERS[name](root, 40)
    listing = toolmem.Vault.open(root).memory.list()
    assert len(listing.memories) == 40
    assert all(memory.parsed for memory in listing.memories)
