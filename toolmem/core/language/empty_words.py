"""Words of questions that do not indicate their subject, by language, without accents.

Question words, pronouns, articles, auxiliaries and the like. Verbs such as "find" are
not in the list: they name tools.
"""

from functools import cache

_LISTS = {
    "en": """
    a about am an and any are as at be because been being between both but by can
    could d did do does doing don during each ever for from had has have having he
    her here hers herself him himself his how i if in into is it its itself just ll
    m me might more most must my myself no nor not of on once or other our ours
    ourselves please re s shall she should so some such t than that the their theirs
    them themselves then there these they this those through to too until us ve very
    want was we were what when where which while who whom whose why will with would
    you your yours yourself yourselves
    """.split(),
    "de": """
    ab aber als also am an auch auf aus bei beim bin bis bist bitte da dadurch dafur
    damit dann daran darauf daraus darf darfst darin daruber das dass davon dazu
    dein deine deinem deinen deiner deines dem den denen denn der deren des dessen
    dich die dies diese diesem diesen dieser dieses dir doch dort du durch durfen
    ein eine einem einen einer eines er es etwa etwas euch euer eure fur fuer gegen
    gibt hab habe haben hast hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem
    ihren ihrer ihres im in indem ins ist ja jede jedem jeden jeder jedes kann
    kannst kein keine keinem keinen keiner keines konnen konnte konnten koennen mag
    man mehr mein meine meinem meinen meiner meines mich mir mit mochte mochten muss
    mussen musst musste muessen nach nicht noch nun nur ob oder ohne sehr sei seid
    sein seine seinem seinen seiner seines seit sich sie sind so soll sollen sollst
    sollte sollten sowie uber ueber um und uns unser unsere unserem unseren unserer
    unter vom von vor wann war ware waren warum was weil welche welchem welchen
    welcher welches wem wen wenn wer werde werden weshalb weswegen wie wieso will
    wir wird wirst wo wobei wodurch woher wohin wollen womit wovon wozu wurde wurden
    zu zum zur zwischen
    """.split(),
    "fr": """
    ai aie ainsi alors as au aucun aucune aura aurait aussi autre aux avait avec
    avez avoir avons bien c car ce ceci cela celle celles celui ces cet cette ceux
    chaque chez ci comme comment d dans de des deux doit doivent donc dont du elle
    elles en encore entre es est et etaient etait etant ete etes etre eu eux fait
    faire faut font ici il ils j je jusqu l la laquelle le lequel les lesquels leur
    leurs lors lui m ma mais me meme mes moi moins mon n ne ni non nos notre nous on
    ont or ou oui par parce pas peu peut peuvent peux plus pour pourquoi pourrait
    puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera serait
    ses si sien soi soient soit sommes son sont sous suis sur t ta te tes toi ton
    tous tout toute toutes tres tu un une va vers veut veux voici vos votre vous y
    """.split(),
    "es": """
    a ademas ahi ahora al algo algun alguna algunas algunos alla alli ante antes
    aquel aquella aquellas aquellos aqui asi aun aunque cada como con cual cuales
    cuando cuanto de debe deben debo del desde donde dos durante e el ella ellas
    ellos en entonces entre era eran eres es esa esas ese eso esos esta estaba
    estaban estamos estan estar estas este esto estos estoy fue fueron ha habia hace
    hacer haber han has hasta hay he hemos la las le les lo los mas me mi mientras
    mis mucho muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o os
    otra otras otro otros para pero poco por porque pudo puede pueden puedo pues que
    quien quienes quiero se sea sean ser si sido sin sino sobre sois somos son soy
    su sus suya suyo tal tambien tan tanto te tengo ti tiene tienen toda todas todo
    todos tu tus u un una unas uno unos vosotros voy y ya yo
    """.split(),
    "ru": """
    а без бы был была были было быть в вам вами вас ваш ваша ваше ваши ведь весь во
    вот все всего всегда всем всех всю вы где да даже для до его ее ей ему если есть
    еще ж же за здесь и из или им ими их к как какая какие каким каких какое какой
    когда ко кого которая которого которое которой котором которую которые который
    которых кто куда ли либо между меня мне мной могу могут мог может можно мои мой
    моя моего мы на над надо нам нами нас наш наша наше наши не него нее ней нельзя
    нем нему нет ни ним них но нужно о об обо он она они оно от по под пока
    пожалуйста после потому почему при про с сам сама сами само свое своего своей
    свои свой свою себе себя со так также такие такой там те тебе тебя тем теперь то
    тобой того тоже той только том тот ту тут ты у уже хочу чего чей чем через что
    чтобы чья эта эти этим этих это этого этой этом этот эту я
    """.split(),
}


@cache
def empty_words(*languages: str) -> frozenset[str]:
    """Return the words of some languages."""
    return frozenset(word for language in languages for word in _LISTS[language])
