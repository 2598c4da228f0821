"""Tables of credential shapes."""

import re

_TABLE: tuple[tuple[str, str, str], ...] = (
    ("AWS access key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    ("GitHub token", "github_pat_", r"github_pat_\w{22,255}"),
    (
        "GitLab token",
        "gl",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat|agent|oas)-[\w-]{20,255}(?:\.[\w-]{1,64}){0,3}",
    ),
    ("Slack token", "xox", r"xox[abceoprs]-[\w-]{10,255}"),
    ("Slack token", "xapp-", r"xapp-\d-[\w-]{10,255}"),
    (
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,255}",
    ),
    (
        "Discord webhook",
        "/webhooks/",
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{16,20}/[\w-]{40,100}",
    ),
    ("Stripe key", "_live_ _test_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}"),
    ("webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,255}"),
    ("Anthropic key", "sk-ant-", r"sk-ant-[a-z]{3,8}\d{2}-[\w-]{20,255}"),
    ("OpenAI key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,255}"),
    ("OpenRouter key", "sk-or-", r"sk-or-v1-[a-f0-9]{40,80}"),
    ("API key", "sk-", r"sk-[A-Za-z0-9]{32,128}"),
    ("Google API key", "AIza", r"AIza[\w-]{35}"),
    ("Google OAuth secret", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    ("Google OAuth token", "ya29.", r"ya29\.[\w-]{20,1024}"),
    ("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("PyPI token", "pypi-", r"pypi-AgE[\w-]{50,1024}"),
    ("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    ("JSON web token", "eyJ", r"eyJ[\w-]{10,4096}\.eyJ[\w-]{10,4096}\.[\w-]{10,4096}"),
    ("SendGrid key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    ("Mailgun key", "key-", r"key-[0-9a-f]{32}"),
    ("Twilio key", "SK", r"SK[0-9a-f]{32}"),
    ("Telegram bot token", ":AA", r"\d{8,10}:AA[\w-]{32,33}"),
    (
        "Discord token",
        "discord Discord DISCORD",
        r"[MNO][A-Za-z\d]{22,25}\.[\w-]{6}\.[\w-]{27,38}",
    ),
    ("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,64}"),
    ("DigitalOcean token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    ("Databricks token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Square token", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,43}"),
    ("Vault token", "hvs. hvb.", r"hv[sb]\.[\w-]{24,255}"),
    ("Vault token", "vault Vault VAULT", r"s\.[A-Za-z0-9]{16,32}"),
    ("Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w-]{30,64}"),
    ("Linear key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    ("Notion token", "ntn_ secret_", r"(?:ntn_|secret_)[A-Za-z0-9]{43,50}"),
    ("Postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("New Relic key", "NRAK- NRJS-", r"NR(?:AK|JS)-[A-Za-z0-9]{19,32}"),
    ("Sentry token", "sntry", r"sntry[su]_[\w+/=-]{40,512}"),
    ("Grafana token", "glsa_ glc_", r"gl(?:sa|c)_[\w+/=]{32,512}"),
    ("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,64}"),
    ("xAI key", "xai-", r"xai-[A-Za-z0-9]{60,100}"),
    ("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,64}"),
    ("Replicate token", "r8_", r"r8_[A-Za-z0-9]{37,40}"),
    ("Azure storage key", "AccountKey", r"(?<=AccountKey=)[A-Za-z0-9+/]{80,88}={0,2}"),
    ("Supabase token", "sbp_", r"sbp_[a-f0-9]{40}"),
    ("Docker token", "dckr_", r"dckr_[po]at_[\w-]{20,64}"),
    ("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    ("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("Atlassian token", "ATATT3", r"ATATT3[\w=-]{60,255}"),
    ("Figma token", "fig", r"fig[du]_[\w-]{36,64}"),
    ("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=-]{32,64}"),
    (
        "API key",
        "ghp_ gho_ ghs_ glpat- sk_live_ rk_live_ sk-proj- sk-ant- xoxb- xoxp- hf_ npm_"
        " AKIA glsa_ hvs. shpat_ whsec_ gsk_ xai- dckr_pat_",
        r"(?:gh[pos]_|glpat-|[sr]k_live_|sk-(?:proj|ant)-|xox[bp]-|hf_|npm_|AKIA|glsa_"
        r"|hvs\.|shpat_|whsec_|gsk_|xai-|dckr_pat_)(?=[\w-]*\d[\w-]*\d)[\w-]{10,255}",
    ),
    ("Fly token", "fm2_ fo1_", r"(?:fm2_|fo1_)[\w+/=-]{40,1024}"),
)
"""Kind, required words (any one of them must be in the text), and the shape."""

TOKENS = tuple((kind, tuple(words.split()), shape) for kind, words, shape in _TABLE)

TOKEN_START = re.compile(
    r"""(?x) (?: gh[pousr]_ | github_pat_ | gl(?:pat|dt|rt|ptt|soat)- | xox[a-z]-
    | [rsp]k_(?:live|test)_ | sk-(?:ant|proj|or)- | hf_ | npm_ | AKIA | ASIA | AIza
    | glsa_ | hv[sb]\. | shp(?:at|ca|pa|ss)_ | whsec_ | gsk_ | xai- | dckr_pat_ | ATATT
    | ATBB | pypi- | SG\. | eyJ | dop_v1_ | dapi | sntry[su]_ | pplx- | lin_api_ )
    [\w.-]{8,}"""
)
"""A token of a known issuer, shorter than real ones: a credential next to a noun."""

HEADER = r"""(?ix)
    (?: authorization | x-api-key | private-token | \b bearer ) \b
    ["']? \s{0,4} [:=]? \s{0,4} ["']?
    (?: (?:bearer|basic|token|api-?token|apikey|digest) \s )?
    (?P<value> [^\s"'`,;<>(){}\[\]\\]{8,1024} )
"""
OPTION_HEADER = r"""(?ix)
    (?: -H | --header ) [ =]{0,4} ["'] [ ]?
    (?: authorization | (?: x-(?:[a-z]{1,20}-)? )? (?:api-?)? (?:key|token) )
    : \s{0,4} (?: (?:bearer|basic|token|api-?token|apikey|digest) \s )?
    (?P<value> [^\s"']{8,1024} )
"""
URL_PASSWORD = r"""(?ix)
    \b [a-z][a-z0-9+.-]{1,20} :// [^\s:/@'"<>]{0,100} :
    (?P<value> [^\s/@'"<>]{3,200} ) @
"""
URL_TOKEN = r"(?i)https?://(?P<value>[a-z0-9_-]{16,255})@"
LOGIN_AT_HOST = r"""(?ix)
    (?<! [\w/:.@-] ) [a-z][\w.-]{1,32} : (?P<value> [^\s:@/'"]{6,64} )
    @ [\w-]{1,63} (?: \. [\w-]{1,63} ){1,5}
"""
PGPASS = r"""(?x)
    (?<! [^\s"'`] ) [\w.*/-]{1,99} : (?: \d{1,5} | \* ) (?: : [\w.*-]{1,64} ){2} :
    (?P<value> [^\s:"'`]{4,64} ) (?! \S )
"""
"""A line of ``.pgpass``: host, port, database, user and password."""

PLACEHOLDER = r"""(?x)
    (?i: x{4,} | \*{3,} | \.{3,} | … | _{4,} | secrets\. )
    | 0{8,}+ (?! [\w-]{8} ) | \A [A-Z\d]{,13} EXAMPLE (?: KEY )? \Z
    | (?i: \A (?: [a-z]+ \d{0,2} [_.-] )*
      (?: change[_-]?me | yours? | example | placeholder | redacted
        | dummy | sample | notreal | fake | foobar | insert | replace )
      (?: [_.-] [a-z]+ )* [_.-]? \Z | \A [a-z]{,12} (?: fake | dummy ) [a-z]{,12} \Z )
"""
"""A mask, or words alone that ask for a value: ``your-api-key``, not ``changeme99``."""
SEQUENCE = r"abcdefgh|ABCDEFGH|12345678|01234567|qwertyui|QWERTYUI|87654321"
"""A value in sequence is an example, but inside a token it is coincidence."""

_DUMMIES = """
    pass password passwd passw0rd password1 password123 secret token user username admin
    root test testing guest none null true false undefined string
    public private mypassword mysecret mytoken postgres mysql redis pwd apikey api_key
"""
DUMMY = frozenset(_DUMMIES.split())
"""Placeholders for a password in examples."""
