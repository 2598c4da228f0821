import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.secrets.samples import TOKENS, clean, planted
from toolmem.core.secrets.detect import SecretMatch, find_secrets, redact

SEEDS = (1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_of_200_planted_keys_at_least_98_percent_are_found(seed):
    lines = planted(random.Random(seed), 200)
    missed = [line for line in lines if not find_secrets(line)]
    assert len(missed) <= 4, missed


@pytest.mark.parametrize("seed", SEEDS)
def test_of_2000_clean_lines_at_most_half_a_percent_are_flagged(seed):
    lines = clean(random.Random(seed), 2000)
    flagged = [line for line in lines if find_secrets(line)]
    assert len(flagged) <= 10, flagged


@pytest.mark.parametrize("make", TOKENS)
def test_a_token_is_found_whole_inside_other_text(make):
    token = make(random.Random(7))
    for text in (token, f"x={token};", f"('{token}')", f"a\n{token}\nb", f"{token}."):
        (find,) = find_secrets(text)
        assert text[find.start : find.end] == token


def key() -> str:
    return "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_only_the_value_is_redacted():
    secret = "S3cret" + "!Pass9"
    assert redact(f"password = '{secret}' # x") == "password = '[redacted]' # x"
    assert redact(f"a {key()} b {key()}") == "a [redacted] b [redacted]"
    url = f"postgres://app:{secret}@db/x"
    assert redact(url) == "postgres://app:[redacted]@db/x"


def test_finds_are_in_order_and_do_not_overlap():
    text = f"token: {key()} and password='{'x9' + 'Q!77zz'}'"
    first, second = find_secrets(text)
    assert first == SecretMatch("GitHub token", 7, 7 + len(key()))
    assert second.kind == "password or token"
    assert second.start > first.end


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7" + "EXAMPLE",
        "ghp_" + "x" * 36,
        "sk-ant-api03-" + "your-key-here-" * 3,
        "password: changeme",
        "password: <password>",
        "password=$PASSWORD",
        "password=${PASSWORD}",
        "token: ${{ secrets.TOKEN }}",
        "token: {{ vault_token }}",
        "token = get_token(user_id2)",
        "token = tokens[0]",
        "secret = settings.SECRET_KEY2",
        "secret_name: my-app-secret-v2",
        "api_key: process.env.API_KEY1",
        "token: 3f2a1c9e",
        "token: 123456789012",
        "password_hash: 8c6976e5b5410415bde908bd4dee15dfb167a9c873fc4bb8",
        "the token is refreshed every 60s",
        "postgres://user:password@localhost/db",
        "https://host:8080/a@b",
        "mail me@example.com, or you.two+x9@example.co.uk",
        "-----BEGIN " + "PRIVATE KEY----- is how a key begins",
        "-----BEGIN CERTIFICATE-----\n" + "MIIB" * 30,
        "docker run -u 1000:1000 x; ps -u me:staff; ssh -p 2222 host",
        "",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text):
    assert find_secrets(text) == ()


def test_a_private_key_without_its_end_is_still_hidden():
    begin = "-----BEGIN " + "RSA PRIVATE KEY-----\n"
    assert redact(f"x {begin}{'MIIEow' * 30}") == "x [redacted]"


def test_redacting_twice_changes_nothing_more():
    once = redact("\n".join(planted(random.Random(5), 100)))
    assert redact(once) == once


@given(st.text(alphabet="tokenpasswdskbr=: '\"-_.@/\\A9é\n{$<İ", max_size=120))
def test_any_text_is_searched_without_an_error(text):
    finds = find_secrets(text)
    edges = [edge for find in finds for edge in (find.start, find.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
    assert redact(text).count("[redacted]") >= len(finds)


PEM = f"-----BEGIN {'RSA'} PRIVATE KEY-----\n{'MIIEow9Q' * 8}\n-----END RSA-----"


def test_credentials_that_overlap_are_one_from_the_first_to_the_last_character():
    text = f"password={'Qx7' + '!m9zz'}{PEM} x"
    [find] = find_secrets(text)
    assert (find.start, find.end) == (9, len(text) - 2)
    assert redact(text) == "password=[redacted] x"


def test_credentials_that_touch_are_two():
    first, second = find_secrets(PEM + PEM)
    assert (first.start, first.end) == (0, len(PEM))
    assert (second.start, second.end) == (len(PEM), 2 * len(PEM))
