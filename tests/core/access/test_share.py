"""The queries of a request share its tokens by use: nothing is held back unused."""

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.access.answer import TokenDemand, share_tokens

_demands = st.lists(
    st.builds(
        TokenDemand,
        st.lists(st.integers(1, 300), max_size=6).map(tuple),
        st.integers(0, 600),
    ),
    max_size=7,
)
_pools = st.integers(0, 2000)


def used(demand: TokenDemand, share: int) -> int:
    """Return the results packed into a share: whole ones, best first."""
    total = 0
    for cost in demand.costs:
        total += cost if total + cost <= share else 0
    return total


@given(_demands, _pools)
def test_what_is_used_is_at_most_the_pool(demands, pool):
    shares = share_tokens(demands, pool)
    assert sum(shares) <= pool
    assert all(map(lambda d, s: used(d, s) <= s <= d.most, demands, shares))


@given(_demands, _pools)
def test_no_query_is_empty_that_another_or_the_pool_has_tokens_for(demands, pool):
    shares = share_tokens(demands, pool)
    spent = [used(demand, share) for demand, share in zip(demands, shares, strict=True)]
    for demand, tokens in zip(demands, spent, strict=True):
        if demand.entry and not tokens:
            assert demand.entry > pool - sum(spent)
            assert spent == list(shares)


@given(_demands, _pools, st.integers(0, 500))
def test_a_larger_pool_lowers_no_share_and_no_use(demands, pool, more):
    small, large = share_tokens(demands, pool), share_tokens(demands, pool + more)
    for demand, before, after in zip(demands, small, large, strict=True):
        assert before <= after
        assert used(demand, before) <= used(demand, after)


@given(_demands)
def test_enough_for_all_is_all(demands):
    pool = sum(demand.whole for demand in demands)
    assert share_tokens(demands, pool) == tuple(demand.whole for demand in demands)


def test_the_pattern_of_the_specification_gives_each_something():
    asked = (300, 400, 200, 300, 200)
    demands = [TokenDemand((60,) * 9, most) for most in asked]
    assert share_tokens(demands, 500) == (260, 60, 60, 60, 60)


def test_what_one_does_not_use_goes_to_the_next_in_order():
    demands = [TokenDemand((71,), 500), TokenDemand((100,) * 9, 500)]
    assert share_tokens(demands, 500) == (71, 429)


def test_two_that_ask_for_300_share_500_as_300_and_200():
    demands = [TokenDemand((95,) * 5, 300)] * 2
    assert share_tokens(demands, 500) == (300, 200)
