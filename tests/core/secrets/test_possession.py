"""Values that a noun has are credentials; statements and references are not."""

import pytest

from toolmem.core.secrets.detect import find_secrets

INVENTED = ["hunter2", "Saffron-21", "T3apot!", "quince.Jelly7", "w0mbat_Hill"]
PHRASES = ["correct horse battery", "purple monkey dishwasher", "otters-juggle-lemons"]
FORMS = [
    "the staging password is {}",
    "the staging password is still {}",
    "staging password: {}",
    "password of the build box: {}",
    "passphrase = {}",
    "**Password:** `{}`",
    'the password is "{}"',
    "<password>{}</password>",
]
NAMED = [
    "DB_PASSWORD={}",
    "smtp_pass: {}",
    "spring.datasource.password={}",
    '{{"user": "a", "password": "{}"}}',
    "- user: a\n- password: {}\n- port: 1",
    "jdbc:sqlserver://sql01;user=sa;password={}",
    "machine a login b password {}",
    "Always log in with password {} when you deploy.",
    "Never share the password {} with anyone",
    "tool --user a --password {}",
]
COMMANDS = [
    "docker login -u me -p {}",
    "mongosh db -u admin -p {}",
    "redis-cli -h cache -a {} ping",
    "mysql -u root -p{} shop",
    "ldapsearch -D 'cn=a,dc=b' -w {} -b dc=b",
    "zip -P {} reports.zip a.pdf",
    "htpasswd -b .htpasswd mira {}",
    "sshpass -p '{}' ssh a@b",
    "echo {} | sudo -S ls",
    "curl -u admin:{} https://a.test",
]
REFERENCES = [
    "$PASSWORD",
    "${PASSWORD}",
    "{{ password }}",
    "<password>",
    "cfg.password",
    "settings.API_KEY",
    "os.environ['A1']",
    "get_password(user1)",
    "/run/secrets/db1",
    "k8s/payments/db-creds-1",
    "secrets.enc.yaml",
    "********",
    "changeme",
    "",
]
STATEMENTS = [
    "required",
    "in 1Password",
    "stored in Vault2",
    "not needed",
    "case sensitive",
    "the same as for Jira2",
    "rotated every 90days",
    "hashed with bcrypt12",
    "string",
    "Optional[str] = None",
    "shown once",
    "at least 12 characters",
]


def parts(text):
    return [text[find.start : find.end] for find in find_secrets(text)]


@pytest.mark.parametrize("form", [*FORMS, *NAMED])
@pytest.mark.parametrize("value", INVENTED)
def test_the_invented_value_of_a_noun_is_found_and_nothing_else(form, value):
    assert parts(form.format(value)) == [value]


@pytest.mark.parametrize("value", ["hunter2", "zebra99", "Saffron-21"])
def test_the_word_before_the_noun_may_be_its_value(value):
    assert parts(f"use {value} as the password") == [value]
    assert find_secrets(f"use {value} as the password hasher") == ()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", PHRASES)
def test_words_that_state_nothing_are_the_value_of_a_password(form, value):
    assert parts(form.format(value)) == [value]


@pytest.mark.parametrize("form", COMMANDS)
@pytest.mark.parametrize("value", ["hunter2", "Yak!Shaver8", "Grain5tore"])
def test_the_password_option_of_a_program_is_found(form, value):
    assert parts(form.format(value)) == [value]


@pytest.mark.parametrize("form", [*FORMS[:5], *NAMED[:3]])
@pytest.mark.parametrize("value", [*REFERENCES, *STATEMENTS])
def test_a_reference_and_a_statement_are_no_credential(form, value):
    assert find_secrets(form.format(value)) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PIN is 774120 if the HSM asks", ["774120"]),
        ("the pin 13 is loose", []),
        ("pin_code_length: 6", []),
        ("password_file: /run/secrets/db", []),
        ("token_type: bearer7", []),
        ("JWT/RS256 tokens", []),
        ("the token is ERC-721A", []),
        ("https://youtu.be/watch?key=dQw4w9WgXcQ", []),
        ("https://example.com/a?key=abc123def4&lang=en", []),
        ("mkdir -p src2; git push -u origin fix2 -f", []),
        ("docker run -u root -p 8080:80 app2", []),
        ('"command": "pwd", "rule": "allow2"', []),
        ("if password1 != password2: raise ValidationError", []),
    ],
)
def test_the_head_of_a_name_decides_what_it_names(text, found):
    assert parts(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "the password was rotated; it's in 1Password now",
        "Is the password required? It's optional.",
        "the password is fine. This is staging-db-2, not prod",
        "The password reset broke. It's issue GH-311.",
        "set the admin password to a random value",
        "we changed the password to expire after 90 days",
        "password for root: ask Dana",
        "tests pass on the first: 3 of 4",
        "log in with google / github2",
        '"Forgot password" is the link under the password field',
    ],
)
def test_a_later_clause_about_a_password_is_no_credential(text):
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("changeme", False),
        ("change-me", False),
        ("your-api-key-here", False),
        ("MY_FAKE_KEY", False),
        ("afakepassphrase", False),
        ("dummytoken", False),
        ("xxxxxxxxxxxx", False),
        ("changeme99", True),
        ("Str0ng!Fake", True),
        ("Sample_Yak8!", True),
        ("ghp_" + "fakeFAKE0123" * 3, True),
    ],
)
def test_only_words_alone_are_a_placeholder(value, is_found):
    assert parts(f"password: {value}") == [value] * is_found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TOTP seed: JBSWY3" + "DPEHPK3PXP", "JBSWY3" + "DPEHPK3PXP"),
        ("for 2FA recovery use code 4410-7733-9021", "4410-7733-9021"),
        ('the unlock phrase is "six sleepy wombats"', "six sleepy wombats"),
        ("the root password is pinecone88", "pinecone88"),
        ("vault login s.q8FkLm2TzzPw91Rt0Ya", "s.q8FkLm2TzzPw91Rt0Ya"),
        ("sqlcmd -S db -U sa -P 'Yak!Shaver8'", "Yak!Shaver8"),
        ("snmpwalk -v2c -c yakComm88 10.0.0.1", "yakComm88"),
        ("set rootpw zebra99 in the kickstart", "zebra99"),
        ("the shared secret is x7d2aa93kf0021bc", "x7d2aa93kf0021bc"),
    ],
)
def test_a_noun_and_its_value_may_have_parts_of_other_nouns(text, value):
    assert parts(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "the shortcut for the password manager is ctrl+alt+p",
        "Passwortänderungen2 sind alle 180 Tage fällig",
        "the tokenizer2 splits pineapples",
        "use zebra-2 as the password manager",
        "snmpwalk -v2c -c public 10.0.0.1",
    ],
)
def test_words_that_contain_a_noun_are_none(text):
    assert find_secrets(text) == ()


SHA = "3f2a91c07b1e0c526c0e4f0e9c383d9a3b6c5a10"


@pytest.mark.parametrize("word", ["commit", "sha", "rev", "revision"])
def test_40_hexadecimal_digits_are_a_commit_only_next_to_such_a_word(word):
    assert find_secrets(f"token: {SHA} is the {word} of the lexer") == ()
    assert find_secrets(f"the token check, {word} {SHA}") == ()
    assert parts(f"token: {SHA}") == [SHA]


BODY = "kd92msl" + "Qpz01xXmmvL92"


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("basic auth is ops:{}", "marmalade5"),
        ("echo 'ops:{}' | chpasswd", "marmalade5"),
        ("CREATE USER app IDENTIFIED BY '{}'", "zebra99"),
        ("requirepass {}", "zebra99"),
        ("Grafana: admin / {}", "Zebra99!"),
        ("ci:{}@git.acme.dev", "pq93mmsLLd"),
        ("https://{}@github.com/acme/x.git", "kk29dlsMMq01xzz9"),
        ("gh" + "p_{} pushes to the mirror", BODY),
        ("password has been set to {}", "zebra99"),
        ("the db password was rotated, now it's {}", "Teal-Heron-7"),
        ("the password on the VMs? It's '{}'.", "copper-anvil"),
        ('the network is "{}" (that\'s the passphrase)', "calm heron dusk"),
        ("when it asks for the passphrase type {}", "heron-lantern-9"),
        ("I changed the admin password to {} today", "heron_moth"),
        ("root password on the old server: {}", "copperkettle"),
        ("gpg --passphrase {} --decrypt a.gpg", "teal-brook"),
        ("the runner logs in as ci / {}", "Tr4il!Cone"),
        ("login to the shop with admin/{}", "Sn0wfall!"),
        ("basic auth for the preview: visitor:{}", "peppermint"),
        ("use '{}' as the redis password locally", "mint&sage"),
        ("the unseal key is {}", "k9Qz/83hdLwPx0aMvT2="),
        ("admin pw {}", "zebra99"),
        ("WPA2 key is {}", "marmalade5"),
        ("the PIN for the safe is {}", "4711"),
        ("the seed phrase is {}", "lunar velvet otter canyon maple drift"),
    ],
)
def test_other_ways_to_give_a_credential_are_known(form, value):
    text = form.format(value)
    (find,) = find_secrets(text)
    assert value in text[find.start : find.end]


HEX10 = "9e01c4" + "aa77"
UUID = "4f7a90c1-bd2e-" + "45aa-8f7a-90c1bd2e55aa"
SEED = "arrow velvet otter canyon maple drift ladder pistol quiz rabbit salad tent"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"the seed phrase is {SEED}", SEED),
        (f"mnemonic words: {SEED}", SEED),
        (f"the api key is {UUID}", UUID),
        (f"API_KEY={UUID}", UUID),
        (f"recovery codes: {HEX10} 77aa01c4e9", HEX10),
        ("log in as bob:hunter2", "hunter2"),
        ("JSESSIONID=" + "kd92mLQz01xmTTq8wPz4", "kd92mLQz01xmTTq8wPz4"),
        ("msbuild app.sln /p:Password=hunter2", "hunter2"),
        ("SMTP pass=Hx9!kd83Lq", "Hx9!kd83Lq"),
        ("<password>Tr0ut!Lake</password>", "Tr0ut!Lake"),
        ("DB_PASSWORD=correcthorsebattery", "correcthorsebattery"),
        ("the wifi password is correct horse battery", "correct horse battery"),
        ("the door PIN code: 33071", "33071"),
        ("passphrase velvet tractor", "velvet tractor"),
        ("log in with the password honeybadger", "honeybadger"),
        ("the password became Kl3ber#2", "Kl3ber#2"),
        ("type tulip (that's the password)", "tulip"),
    ],
)
def test_a_class_of_credentials_is_found(text, value):
    assert value in parts(text)


WEBHOOK = "/1234567890" + "12345678/" + "kd92mLQz01xmTTq8wPz4" * 3


@pytest.mark.parametrize(
    "text",
    [
        "https://discord.com/api/webhooks" + WEBHOOK,
        "https://hooks.slack.com/triggers" + "/T0123/4567/kd92mLQz01xmTTq8wPz4",
        "https://hooks.slack.com/services" + "/T0123/B4567/kd92mLQz01xmTTq8wPz4",
    ],
)
def test_the_address_of_a_webhook_is_a_credential(text):
    assert len(find_secrets(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "| DB_PASSWORD | API_TOKEN |\n|---|---|\n| required2 | optional2 |",
        "| setting | default |\n|---|---|\n| token_ttl | 3600 |",
        "token encoding cl100k_base",
        "the ssh key is id_ed25519",
        f"session_id: {UUID}",
        f"token: {UUID}",
        "msbuild /p:Configuration=Release /p:Platform=x64",
        "the password is in 1Password",
        "never store the password",
        "password_file: path",
        "JWT/RS256",
        "secret: k8s/payments/db-creds-1",
        "don't commit the api key",
    ],
)
def test_a_class_of_harmless_texts_is_left_alone(text):
    assert find_secrets(text) == ()


@pytest.mark.parametrize("noun", ["password", "token", "secret", "api_key"])
@pytest.mark.parametrize("link", [" = ", ": ", "="])
def test_a_generated_value_of_a_setting_is_found_whatever_the_weights(noun, link):
    value = "kd92mLQz" + "01xmTTq8wPz4"
    assert parts(f"{noun}{link}{value}") == [value]
    assert parts(f'"{noun}"{link}"{value}"') == [value]


UUID = "b1fa0e02-77aa-4c1e-9d20-" + "0c0d0e0f1a1b"
KEY = "ZmFrZWZha2VmYWtl" + "ZmFrZWZha2VmYWtlZmFrZTEyMzQ"
AWS = "Forest/Path" * 3 + "EXAMPLE"


@pytest.mark.parametrize(
    "text",
    [
        "passordet til serveren er Blåbær!12",
        "lösenordet: Blåbär!12",
        "hasło do bazy to Kot3k!mruczy",
        "şifre: Ankara06!",
        "WLAN-Schlüssel: Ofen!rohr9",
        "code word for the hotline: Bluebird7",
    ],
)
def test_passwords_have_nouns_in_other_languages(text):
    assert len(find_secrets(text)) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"agent run -token={UUID} app", UUID),
        (f"FERNET_KEY={KEY}=", f"{KEY}="),
        ("BOT_TOKEN=55123409:" + KEY, "55123409:" + KEY),
        (f'aws_secret_access_key = "{AWS}"', AWS),
    ],
)
def test_the_name_of_a_setting_makes_its_value_a_credential(text, value):
    assert parts(text) == [value]


def test_a_short_key_between_its_lines_is_a_key():
    body = "MIIBOgIBAAJBAKfake"
    begin, end = "-----BEGIN RSA PRIVATE ", "-----END RSA PRIVATE "
    text = f"{begin}KEY-----\n{body}\n{end}KEY-----"
    assert [find.kind for find in find_secrets(text)] == ["private key"]
    assert find_secrets(f"{begin}KEY-----\n(its base64)\n{end}KEY-----") == ()
