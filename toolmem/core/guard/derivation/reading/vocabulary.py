"""Words of sentences that forbid, demand or allow, by their role in a clause.

A role is one character, so that the roles of a clause are a text. Words of verbs are
listed without their endings.
"""

ROLES = {
    "N": """zero tolerance for | no tolerance for | hate it when you | hate when you |
        dislike it when you | do not like it when you | never | never ever | never
        once | no longer | not ever | at no point | at no time | in no case | on no
        account | by no means | under no circumstance | under no circumstances | in
        no circumstances | not under any circumstances | rather you not | rather you
        did not | rather we did not | rather not | prefer you not | prefer not |
        under no conditions | not in any way | in no way | there is a ban on | a ban
        on""",
    "t": "not | neither | nor",
    "D": "do | does",
    "P": """did | was | were | had | hadnt | used to | have never | has never | have not
        | has not""",
    "M": """must | should | shall | may | can | will | would | could | might | has to |
        have to | ought to | needs to | need to""",
    "B": """is | are | be | am | being | been | stay | stays | remain | remains | get |
        gets | as | counts as | count as | considered""",
    "X": """forbidden | against the rules | against our rules | against policy | against
        our policy | prohibited | banned | barred | disallowed | blocked | taboo |
        illegal | verboten | unacceptable | unwanted | unwelcome | untouchable |
        dead | immutable | sacred | sacrosanct | off limits | off-limits | off the
        table | out of bounds | out of the question | read only | read-only | frozen
        | retired | no go | no-go | a no-go | a no go | a no-no | no-no | a no | a
        big no | nono | a nono | nogo | a big no-no | a no-go area | a no-go zone |
        no-go zone | no-go area | a crime | none of your business | none of your
        buisness | none of your concern | no business of yours | not your job | not
        your call | not your business | not on the table | not up to you | not for
        agents | not a thing | a hard no | a firm no | hard no | a dealbreaker | a
        red line | a sin | unthinkable | inadmissible | impermissible | an absolute
        no | beyond your remit | not your concern | out of scope | out of reach |
        out of your reach | strictly prohibited | not for you | a firing offence |
        strictly off | out | outlawed | forbidden territory | a bad idea | vetoed |
        prohibited territory | history | not an option | not ok | not okay | dead to
        us | dead to me | discontinued | ruled out | mine | mine alone | mine only |
        my job | my business | my call | off | above your pay grade | unsupported
        here | admin-only | admin only | human-only | humans only | maintainers only
        | maintainer-only""",
    "G": """allowed | permitted | ok | okay | acceptable | fine | welcome | wanted |
        tolerated | accepted | an option | on the table | supposed | meant |
        expected | authorised | authorized | your job | your place | your task |
        your business | alright | good | appropriate | for you | yours | yours to |
        safe""",
    "n": """no | nope | nah | nono | no way | hell no | hard no | forget it | forget
        about it | no thanks | no chance | not happening | not here | not a single |
        not one | not any | zero | absolutely no""",
    "0": "nothing | nobody | no one | noone | no agent | no agents | none of you",
    "v": """avoid | resist | desist from | forgo | forego | stay clear from | shy away
        from | avoiding | stop | quit | cease | refrain from | ban | steer away from
        | we ban | abstain from | hold off on | hold off | hold back on | forbid |
        prohibit | disallow | veto | we forbid | i forbid | do without""",
    "Z": """has no place | have no place | has no business | have no business | has no
        business being | have no business being""",
    "q": """strip | purge | ditch | banish | omit | leave out | get rid of | delete all
        | remove all | remove every | always remove | always delete | outlaw | drop
        all | always drop""",
    "h": """hands off | fingers off | paws off | mitts off | keep your hands off | lay
        off | keep your fingers off | keep your paws off | keep your mitts off |
        keep off | keep hands off | keep out of | keep away from | keep clear of |
        stay off | stay out of | stay away from | stay clear of | steer clear of |
        stay well away from | stay well clear of | nope to | no to | say no to |
        leave out of it | keep well away from""",
    "k": """untouched | unchanged | intact | alone | as is | as-is | as they are | as it
        is | unmodified | byte-identical | pristine | the way it is | the way they
        are | frozen in place | well alone | the hell alone | unedited | unmolested
        | like it is | how it is | how they are""",
    "y": "only | solely | exclusively | restricted to | limited to | confined to",
    "T": "to | from",
    "A": """ever | please | pls | plz | just | really | simply | strictly | absolutely |
        also | even | again | directly | exactly | precisely | completely | totally
        | still | currently | entirely | explicitly | generally | manually | now |
        kindly | definitely | actually | always | anymore | all | both | hereby |
        officially | perfectly | accidentally | casually | blindly | firmly | from
        now on | from now onwards | as of now | as of today | from today on | from
        here on | in future | in the future | in general | in any case | in all
        cases | in principle | under any circumstances | under any circumstance | on
        principle | for any reason | with immediate effect | straight | onwards |
        therefore | whatsoever""",
    "S": """i | you | we | they | u | anyone | anybody | someone | agents | agent | an
        agent | everyone | everybody | humans | people""",
    "R": """said | says | say | told | tells | think | thinks | thought | suggested |
        suggests | claims | claimed | recommends | recommended | wrote | argues |
        yesterday | previously | formerly | historically | in the past | back then |
        ago | last week | last month | last year | last time | last sprint | last
        quarter | last night | at my old | at our old | at my last | at our last |
        at my previous | at my former""",
    "c": """if | when | whenever | while | unless | until | till | during | before |
        after | once | except | without | outside | as long as | in case | where""",
    "u": "because | since | though | although | whereas | that | which",
    "i": """in | on | for | at | inside | within | under | against | with | by | via |
        using | through | around | here | into | onto | over""",
    "b": "but | and | or | so",
    "I": "instead of | rather than | as opposed to",
}
"""Role → its words and phrases."""

VERBS = frozenset(
    """run rerun execute invoke launch issue type enter trigger fire use call try pass
    perform edit modify change touch update write alter overwrite patch rewrite reformat
    format create refactor fix tamper mess hand-edit add make generate insert delete
    remove erase wipe clean rename move relocate trash unlink destroy drop read open
    access look print view show share upload expose leak send inspect dump output log
    display commit stage check track push pull fetch merge rebase amend stash publish
    release deploy tag install uninstall import introduce bring depend require post
    message email mail contact notify ssh connect talk restart reload stop start disable
    enable kill reboot close reopen comment archive cut file prune rely reach set append
    supply give leave put ship include curl download scrape crawl skip bypass ignore
    clone checkout switch reset revert restore squash bump upgrade downgrade migrate
    apply scale drain truncate flush pipe query search build sync mention hardcode
    force-push force export meddle break get go see want let have do take bother dare
    think consider rewind submit approve transition assign ping reply respond invite
    rotate provision terminate spawn schedule register transfer pay buy order book
    alias source shut power write-protect regenerate save store keep mock disable cast
    log swallow suppress""".split()
)
"""Verbs of what agents do, without endings."""
PARTICIPLES = frozenset(
    """done written rewritten overwritten sent made built
    brought taken given left seen gotten kept thrown""".split()
)
"""Participles without the ending of the others."""
NOT_ALONE = frozenset("just only merely".split())
"""What is not to be done alone is not forbidden."""
REFRAINS = frozenset(
    """avoid skip ignore refuse neglect omit bypass forget delay disregard overlook
    exclude refrain hesitate miss fail worry mind matter care trust document describe
    explain quote assume know complain panic doubt hurt beat wait guess""".split()
)
"""Verbs of not doing and of mere talk: "never skip tests/" forbids no use of them."""
IDLE = frozenset(
    """need problem problems point matter harm doubt sense difference rush worries
    worry hurry issue issues wonder idea surprise reason one""".split()
)
"""Words after "no" that leave the choice: "no need to run it"."""
MANNER = frozenset(
    """disable skip silence suppress ignore mute switch turn mark log print debug sleep
    wait swallow cast escape mock focus hide comment catch style sign begin start
    get""".split()
)
"""Verbs of doing something with a piece of text."""
PRONOUNS = frozenset("it that this they these those them which".split())
PEOPLE = frozenset(
    """i me we us human humans people maintainer maintainers admin admins owner owners
    staff ci ops sre dba developers reviewers team bot manager lead pipeline engineers
    engineer bots""".split()
)
"""Those who may do what an agent may not."""
LEADING = frozenset(
    """a an the any another one single more new your my our own good reason excuse for
    with of anything anywhere think thinking about needing something plain raw bare
    near ever again just simply even please also you we anyone anybody agent agents
    me us see catch find let go going come be been get gets got being want try
    trying start dare to and may might should can will have do doing make making
    call use business when it comes i expect like need side such all kind sort
    manual direct unattended accidental further accept allow permit tolerate allowed
    approve""".split()
)
"""Words before an object that say nothing of it."""
FAMILIES = tuple(
    frozenset(line.split())
    for line in (
        "npm pnpm yarn bun", "pip uv poetry pdm pipenv conda", "docker podman nerdctl",
        "grep rg ag ack", "find fd", "black ruff yapf autopep8", "eslint biome oxlint",
        "curl wget", "jest vitest mocha", "mvn gradle ant",
    )
)  # fmt: skip
"""Programs that do the same: the only one that may is used instead of the others."""
EDITS = frozenset(
    """edit modify change touch update write alter create delete add patch work save
    put""".split()
)
"""Verbs of changing files."""
PASSING = frozenset(
    """pass use add set include supply give append with needs need require requires
    require take takes have has get specify set""".split()
)
"""Words before an option that is demanded."""
BEING = frozenset(
    """appear show occur land exist remain leak survive belong end go sneak slip make
    live arise be""".split()
)
"""Verbs of being somewhere: their subject is what is added."""
WRITING = frozenset(
    """leave add use write put commit introduce call include insert set hardcode
    hard-code keep check ship sprinkle place import require allow want accept tolerate
    permit mention reintroduce bring slip paste push embed emit rely reach declare
    assign append create see say contain have carry start begin end generate print throw
    raise merge sneak scatter type need get hold depend be touch reject refuse block
    sign do make""".split()
)
"""Verbs of writing what is their object."""
TOOL_NAMES = tuple(
    """WebSearch WebFetch NotebookEdit MultiEdit TodoWrite google_web_search web_search
    web_fetch apply_patch write_file read_file run_in_terminal str_replace_editor
    browser_navigate KillShell BashOutput ExitPlanMode""".split()
)
"""Tools of agents whose names are no words."""
PUBLISHING = {
    "npm": "npm publish|pnpm publish|yarn publish|yarn npm publish|bun publish",
    "pypi": "twine upload|uv publish|poetry publish|flit publish|hatch publish",
    "crates.io": "cargo publish",
    "rubygems": "gem push",
    "maven": "mvn deploy",
    "docker hub": "docker push",
    "dockerhub": "docker push",
    "jsr": "deno publish|jsr publish",
}
"""Registries → the commands that publish to them."""
NOUNS = frozenset(
    """comment directive line trailer tag marker statement call link cast character
    footer import debugging suppression annotation keyword hack attribute flag pragma
    macro literal type block url hook decorator header string expression selector
    property rule style syntax operator function method usage entity name thing
    assertion clause spam noise field prop variable constant class column parameter
    argument option value query modifier module package dependency library element
    placeholder prefix suffix entry snippet word phrase symbol shortcut feature pattern
    idiom text log""".split()
)
"""Names of pieces of text."""
RUNTIME = frozenset(
    """users user clients client customers customer admins callers people team reviewers
    server servers function functions compiler parser linter api ui program
    importer""".split()
)
"""Subjects that do something at run time, or are no part of the code."""
