"""Common English words, which are taken as written even where no document has them.

Otherwise `weather` would be read as a slip for `water`, and the answer would be about water.
"""

from agent.text.words import stem

_WORDS = """
    about accept access accident account accurate across action active actor actual address admit
    adult advice affair afraid after again against agree airport alarm alive allow almost alone
    along already always amount ancient anger angle animal answer apart apple april area arm army
    around arrive article artist aside asleep attack august aunt author autumn avoid award aware
    away baby back bacon bad bag bake balance ball band bank bar base basket bath beach bean bear
    beat beauty bed beer before begin behind believe bell belong below belt bend beside best better
    between big bike bill bird birth bit bite black blame blind block blood blow blue board boat
    body boil bomb bone book boot border bored born borrow boss both bother bottle bottom bowl box
    boy brain branch brave bread break breath bridge brief bright bring broad brother brown brush
    build burn bus bush business busy butter button buy cake call calm camera camp cancel candle
    car card care carry cart case cash cast castle cat catch cause cell chain chair chance change
    cheap cheat check cheese chef chest chicken child choice church circle city class clean clear
    climb clock close cloth cloud club coach coal coast coat code coffee coin cold collar colour
    color come common cook cool copy corn corner cost cotton could count country couple course
    court cousin cover cow crash cream credit crime crop cross crowd cruel cry cup curtain custom
    cut daily damage dance danger dark date daughter dead deaf deal dear death decide deep degree
    desert desk detail device diet dinner dirty discuss dish doctor dog dollar door double doubt
    down dozen draw dream dress drink drive drop drug dry duck dust duty each ear early earn earth
    east easy edge egg eight either elbow else empty end enemy enjoy enough enter equal error
    evening event ever exact exam except excuse expect extra face fact factory fail fair faith fall
    false family famous far farm fast fat father fault fear feed feel female fence fever few field
    fight fill film final find fine finger finish fire first fish five flag flat flight float flood
    floor flour flow flower fly follow food fool foot force foreign forest forget fork form forty
    forward four free freeze fresh friend front frost fruit full fun funny further future game
    garden gas gate ghost giant gift girl glad glass glove goal goat god gold good grain grand
    grass great green grey ground group grow guard guess guest guide guilty gun hair half hall
    hammer hand hang happen happy hard hate head health hear heart heat heavy height hello help
    hide high hill history hit hobby hold hole holiday holy home honest honey hope horse hospital
    host hotel hour house huge human humour hundred hunger hungry hurry hurt husband ice idea ill
    inch insect inside iron island item jam job join joke joy judge juice jump jungle just keep key
    kick kid kill kind king kiss kitchen knee knife knock know lack ladder lady lake lamp land
    large last late laugh law lawn lazy lead leaf learn least leather left leg lemon lend length
    less lesson letter level library lie life lift light like line lion lip list listen little live
    load loan local lock lonely long look lose loss lost lot loud love low luck lunch machine magic
    mail main make male mango manner many map march mark market marry mass master match math meal
    mean measure meat medal media meet melt member memory mend menu message metal middle might mile
    milk mind mine minor minute mirror miss mistake mix model modern moment money monkey month moon
    moral more morning most mother motor mountain mouse mouth move movie much mud murder muscle
    museum music nail naked name narrow nation nature near neat neck need needle neighbour nephew
    nerve nest never new news next nice night nine noble noise none noon normal north nose note
    nothing notice novel now nurse ocean offer office often oil old once onion open opera orange
    orchestra order organ other ought outside oven over owe own owner pack page pain paint pair
    palace pale pan paper parent park part party pass past path pause pay peace pen pencil pepper
    perfect period person pet phone photo piano picnic pie piece pig pill pilot pink pipe pizza
    place plain plan plane planet plant plate play please plenty pocket poem poet point poison pole
    police polite pond pool poor pope popular port possible post pot potato pound powder power
    praise pray present president press pretty price pride priest prince print prison prize proof
    proper proud public pull pump punish pupil pure purple push put quality quarter queen question
    quick quiet quit quite race radio rail rain raise range rapid rare rat rate raw reach read ready
    real reason recent recipe record red refuse regret reply rescue rest result return reward rice
    rich ride right ring ripe rise river road rob rock roll roof room root rope rose rough round
    row royal rubber rude rule run rush sad safe sail salad salary sale salt same sand satellite
    sauce save scale scene school score scream sea search season seat second secret see seed seem
    seize sell send sense serious serve settle seven several sew shade shadow shake shape share
    sharp sheep sheet shelf shell shine ship shirt shock shoe shoot shop shore short should shout
    show shower shut shy sick side sight sign silence silk silly silver similar simple since sing
    single sink sister sit size skill skin skirt sky slave sleep slide slip slow small smart smell
    smile smoke smooth snake snow soap soccer social sock soft soil soldier solid some son song soon
    sore sorry sort soul sound soup sour south space spare speak special speech speed spell spend
    spider spirit spoil spoke spoon sport spot spread spring square stage stair stamp stand star
    stare start state station stay steal steam steel steep step stick stiff still stock stole
    stolen stomach stone stop storm story strange stream street stress strict string strong student
    study stuff stupid style such sudden sugar suit summer sun supper sure surface swear sweat sweet
    swim sword table tail take tale talk tall tame tap task taste tax taxi tea teach team tear
    temple ten tent term test than then theory thick thief thin thing think third thirst thirty
    thought thread three throat throw thumb thunder ticket tide tie tiger tight till time tin tiny
    tire title toast today toe together toilet tomato tomorrow tongue tonight tool tooth top total
    touch tour towel tower town toy track trade train trap travel treat tree trick trip trouble
    truck true trust truth try tube turn twelve twenty twice twin two type ugly uncle under union
    unit until urgent usual valley value vegetable verb very video view village violin visit voice
    vote wage waist wait wake walk wall wander war warm warn wash waste watch water wave wax way
    weak wealth wear weather web wedding week weigh weight welcome west wet what wheat wheel when
    where while whisper white whole wide wife wild will win wind window wine wing winter wire wise
    wish wolf woman wonder wood wool word work world worm worry worse worst worth wound wrap write
    wrong yard year yellow yesterday yet young youth zero zoo
"""

EVERYDAY = frozenset(stem(word) for word in _WORDS.split())
"""Stems of common words."""
