"""Words of sentences that demand something, by their role in a demand."""

DEMAND_ROLES = {
    "b": "before | prior to | ahead of",
    "u": "until | till | unless",
    "w": """without having | without ever having | without | without any | without first
        | without even""",
    "a": """after | following | when | whenever | once | if | as soon as | in case | the
        moment | each time | every time | any time | anytime | every time that |
        upon | as often as | should you | while | right after | directly after""",
    "t": "then | and then | only then | and only then | then only | → | -> | =>",
    "n": """need | needs | require | requires | demand | demands | mean | means | call
        for | calls for | imply | implies | entail | entails | come with | comes
        with | go with | goes with | goes hand in hand with | go hand in hand with |
        followed by | accompanied by | deserves | wants | preceded by | matched by |
        paired with | goes together with | go together with | come together with""",
    "s": """in sync with | up to date with | in step with | aligned with | consistent
        with | current with | in line with | in lockstep with""",
    "i": """reflected in | mirrored in | noted in | recorded in | documented in | listed
        in | mentioned in""",
    "E": """pr | prs | mr | mrs | pull request | pull requests | pull-request |
        pull-requests | merge request | merge requests | deployment | deployments""",
    "Z": """the end | done | finished | complete | completed | completion | through |
        report back | reporting back | reports back | hand-over | handover | your
        work | last step | final step | last thing | final thing | last act | final
        act | your answer | final answer | last check | final check | stop working |
        stopping work | your final message | your final answer | call it a day""",
    "R": "go through | gone through | run of | runs of | a round of",
    "g": "with | via | using | by | by running | by calling | by using",
    "C": """changes | edits | modification | modifications | addition | additions |
        adjustment | adjustments | alteration | alterations | diff | diffs | made |
        wrote | written | work on | working on | works on | worked on | in sync | up
        to date | up-to-date""",
    "e": "entry | entries | line | lines | note | notes | same | one | counterpart",
    "S": """ran | follow | follows | belong | belongs | passes | pass | passed | passing
        | green | clean | succeed | succeeds | succeeded | succeeding | happy | work
        | satisfied | ok | okay | fine | mandatory | required | obligatory | due | a
        must | comes next | come next | comes first | come first | goes first | is
        next | clear | exited | ended | end cleanly""",
    "z": "worked | works | working | fixed | solved | success | successful",
    "m": "may | might | could | would | can | consider",
    "B": """red | failing | fails | fail | failed | broken | not green | not passing |
        not pass | do not pass | does not pass | not been run | not clean""",
    "c": "new | newly added | newly created",
    "W": "was | were | had been",
    "f": """first | beforehand | first of all | in that order | in this order | always
        in that order""",
    "y": "only | solely",
    "|": "or",
    "N": """never | not | no | nothing | nobody | none | neither | nor | zero | cannot |
        no one | avoid | refrain from | hold off on | hold off | hold off with |
        wait with | wait | refuse to | postpone | delay | forbidden | prohibited |
        banned | unfinished | incomplete | no-go | unacceptable | off limits | taboo
        | invalid | out of the question""",
    "H": """i | he | she | they | maybe | perhaps | usually | normally | sometimes |
        often | typically | did | today | tonight | tomorrow | yesterday | optional
        | optionally | except | ask | suggest | rather | used to | why | how | who |
        what | i want to | i need to | we want to | i would like to | instead | in
        theory | ideally""",
    "M": """must | should | shall | has to | have to | needs to | need to | is to | are
        to | gets | get | ought to""",
    "d": """a | get used to | an | the | your | our | my | its | each | every | any |
        all | this | that | these | those | single | you | we | u | us | me | it |
        them | anyone | someone | anything | something | everything | things | stuff
        | code | file | files | source | sources | folder | directory | package |
        module | please | pls | plz | kindly | always | also | too | now | just |
        again | here | so | and | to | is | are | be | been | being | has | have |
        had | does | do | will | as | well | as well | of | in | on | under | inside
        | within | below | at | into | for | from | make sure | make certain | be
        sure | see to it | see that | ensure | remember | make it a habit | get into
        the habit of | make a habit of | important | crucial | vital | essential |
        critical | reminder | rule | rules | from now on | everyone | agent | agents
        | the agent | double-check | do not forget | never forget | do not skip |
        never skip | never omit | as a rule | there | your job is | i want | i want
        you to | we want | i expect | we expect | i insist on | i need | i would
        like | i require | we require | i expect you to | want you to | could you |
        would you | can you | would you please | could you please | be so kind as to
        | be so kind | would you mind | accordingly | afterwards | afterward |
        locally | cleanly | successfully | really | actually | both | ever | even |
        whole | entire | full | complete run | fresh | local | affected | relevant |
        project | app | application | command | commands | script | task | tasks |
        turn | job | session | ticket | feature | story | issue | branch | remote |
        origin | upstream | github | up | off | back | over | out | anywhere | live
        | open | opening | opened | opens | create | creating | created | submit |
        submitting | submitted | raise | raising | filing | send | sending | put |
        putting | say | saying | tell | telling | claim | claiming | report |
        reporting | declare | declaring | announce | mark | marking | consider it |
        think about | thinking about | want | allowed | permitted | acceptable |
        accepted | land | lands | happens | happen | made | considered | counts |
        count | goes | go | let | see | want to | very | step | thing | last | final
        | second | next | come | comes | came | went | turns | report no | keep |
        kept | stay | stays | remain | remains | itself | still | no exceptions | no
        exception | no matter what | without exception | without fail | come what
        may | every single time | thanks | thank you | cheers | right | immediately
        | directly | shortly | straight | everytime | later | more | user | human |
        result | results | first and foremost | mandatory to | you are expected to |
        we always | house rule | in this repo | in this project | in this repository
        | in our repo | in our project | everywhere | by default | not skip | not
        forget | do not ever forget | finally | whatever | i.e | e.g | that is |
        belong together | belongs together | together | happened | to the remote |
        considering | calling it | work unit | its own | own | along | ones | unit |
        integration | e2e""",
}
"""Role → words and phrases of demands: links of clauses (before, until, without, after,
then), what calls for something (``n``), acts (``E``, the end of a turn ``Z``), running
(``R``, with ``g``), changing (``C``, an entry ``e``), states (``S``), refusals (``N``),
what leaves a choice or reports (``H``), and what says nothing (``d``)."""
ACTS = {
    "commit": ("git commit",), "comit": ("git commit",), "committ": ("git commit",),
    "push": ("git push",),
    "pr": ("gh pr create", "glab mr create"),
    "merge": ("git merge", "gh pr merge"),
    "release": ("npm publish", "pnpm publish", "yarn publish", "cargo publish",
                "twine upload", "uv publish", "poetry publish", "gh release create"),
    "deploy": ("make deploy", "just deploy", "npm run deploy", "pnpm run deploy",
               "yarn deploy", "fly deploy", "vercel deploy", "netlify deploy",
               "firebase deploy", "wrangler deploy", "serverless deploy", "cdk deploy",
               "gcloud app deploy", "cap deploy", "./deploy.sh"),
    "tag": ("git tag",),
}  # fmt: skip
"""Acts that a demand may precede, with their commands."""
DEMAND_VERBS = {
    "E": frozenset((*ACTS, "publish")),
    "Z": frozenset("finish end complete conclude wrap hand stop close sign".split()),
    "R": frozenset(
        "run rerun execute invoke call use launch start trigger issue".split()
    ),
    "C": frozenset(
        """change edit touch modify update alter add adapt refactor write make create
        delete remove rename move tweak introduce extend fiddle involve affect adjust
        bump regenerate revise amend refresh increase document mention append""".split()
    ),
    "V": frozenset(
        """check verify validate confirm generate sync prove clean tidy scan audit sort
        fix review prettify regen inspect preview""".split()
    ),
}
"""Role → verbs of demands, without endings."""
FACTS = {
    "test_command": "test tests suite suites test-suite spec specs retest",
    "lint_command": "lint linter linters linting lints linted",
    "build_command": "build builds rebuild building built compile compiles recompile",
    "format_command": "formatter formatters formatting format formatted",
    "typecheck_command": """typecheck typechecks type-check type-checks typechecker
        type-checker type-checking typechecking typechecked""",
    "codegen_command": "codegen",
    "check_command": "checks",
}
"""Facts of a project with a command, and the words that mean it."""
