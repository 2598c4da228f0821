"""The book is whole, and the table in the documents is that of the tests."""

from tests.acceptance.book import TABLE, demands, table


def test_every_demand_names_its_source_and_goes_through_a_surface():
    incomplete = [row.test for row in demands() if not (row.source and row.surface)]
    assert incomplete == []


def test_no_demand_is_written_twice():
    names = [row.test for row in demands()]
    assert sorted(set(names)) == sorted(names)


def test_the_table_in_the_documents_is_that_of_the_tests():
    assert TABLE.read_text(encoding="utf-8") == table(demands()), "make generate"
