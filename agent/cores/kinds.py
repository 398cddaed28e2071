"""What kind of answer a question expects, and whether a text holds one.

Only a nudge between sentences that carry the same words: the one with a duration answers "how
long", the one without does not. Whether a question is covered at all cannot be told from it.
"""

import re
from enum import StrEnum


class Kind(StrEnum):
    """What an answer must hold."""

    NUMBER = "number"
    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    PLACE = "place"
    NAME = "name"
    YES_NO = "yes_no"
    MEANING = "meaning"
    ALIAS = "alias"
    DEFINITION = "definition"
    REASON = "reason"
    COMMAND = "command"
    LIST = "list"
    STEPS = "steps"
    ANY = "any"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ASKS = (
    (Kind.MEANING, _any_of(r"\bstands? for\b|\bshort for\b|\bacronym\b|缩写|全称")),
    (
        Kind.ALIAS,
        _any_of(
            r"\b(?:also|formerly|originally|sometimes|otherwise) (?:known|called|named|referred)\b"
            r"|\b(?:another|other|original|former|full|old|new|nick|code) ?names?\b"
            r"|\bwhat (?:is|was|are|were) .{1,60} (?:also |sometimes )?"
            r"(?:called|named|known as|abbreviated|nicknamed)\b"
            r"|\bwhat (?:does|did|do) .{1,60} (?:call|refer to)\b|\bnicknamed?\b|\babbreviat",
            r"(?:又|也|还|還|原来|原來|以前|曾)(?:可以)?(?:叫|称|稱|名)|叫(?:做|作)?(?:什么|什麼|甚麼)"
            r"|(?:别|別|原|旧|舊|俗|全|简|簡|昵|暱|又|本|艺|藝|英文|外文)(?:名|称|稱|号|號)"
            r"|的字(?:是|叫)|什[么麼]名[字称稱]",
        ),
    ),
    (
        Kind.REASON,
        _any_of(
            r"\bwhy\b|\b(?:what|which) (?:\w+ )?(?:cause[sd]?|reasons?|led to|made)\b"
            r"|\bfor what reason\b|\bhow come\b",
            r"[为為](?:什[么麼]|何|甚[麼么]|怎)|原因|[怎甚][么麼]会|何以|缘故|緣故",
        ),
    ),
    (
        Kind.COMMAND,
        _any_of(
            r"\b(?:what|which)(?: \w+){0,3} "
            r"(?:command|flag|option|parameter|script|query|syntax)s?\b",
            r"(?:什[么麼]|哪(?:个|條|条|些)?|用)[^，。？?]{0,8}(?:命令|指令|参数|參數|脚本|語句|语句)",
        ),
    ),
    (
        Kind.LIST,
        _any_of(
            r"^\W*(?:please )?(?:list|name|show|give me|every|all)\b|,\s*all \w+s\W*$"
            r"|\ball (?:the |of the |our )?(?:\w+ )?\w+s\W*$|\bwhat are all\b",
            r"全部|所有|列出|列[举舉]|都有哪些|有哪(?:些|几)|有哪幾",
        ),
    ),
    (
        Kind.STEPS,
        _any_of(
            r"\bhow (?:do|does|can|could|should|would|to|must)\b",
            r"\b(?:steps?|procedure|process|instructions|way) (?:to|for)\b",
            r"\bwhat (?:do|should|must|can) (?:i|we|you) do\b",
            r"怎[么麼](?![样樣]的|[会會]|算)|怎[样樣](?!的)|如何|步[骤驟]|怎[么麼][办辦]|流程|手[续續]",
        ),
    ),
    (
        Kind.DURATION,
        _any_of(
            r"\bhow (?:long|soon|fast|quickly|often|early|far in advance|frequently)\b",
            r"\bhow (?:many|much) (?:\w+ ){0,2}?"
            r"(?:days?|weeks?|months?|years?|hours?|minutes?|time)\b",
            r"\b(?:life(?:time|span)?|duration|periods?)\b",
            r"\b(?:within what|what (?:is the )?(?:duration|notice|retention|frequency|period))\b"
            r"|\b(?:time[- ]?limits?|time[- ]?frames?|turn[- ]?around|lead time|grace period)\b",
            r"多久|多[长長]时间|多[长長]時間|多[长長]|[几幾](?:天|周|[个個]月|年)|多少(?:天|周|[个個]月|年|小时|小時|分钟|分鐘)"
            r"|频率|頻率|周期|期限|时限|時限|有效期",
        ),
    ),
    (
        Kind.DATE,
        _any_of(
            r"(?:^\W*|[,;.?]\s*|\b(?:and|or|so|but|hey|hi|since|until|till|by|from|know|tell me|"
            r"says?|sure|about|remember) )when(?:['’]?s)?\b|\b(?:since|until|till|by) when\b",
            r"\b(?:what|which|on what) (?:\w+ )?"
            r"(?:date|day|year|month|time|quarter|decade|century)s?\b",
            r"\bdeadline\b|\bdue\b",
            r"什[么麼][时時]候|何[时時]|哪(?:一)?[个個]?(?:天|年|日|月|世[纪紀]|年代)|日期|[几幾][号號]|[几幾]月"
            r"|[几幾][点點]|截止",
        ),
    ),
    (
        Kind.MONEY,
        _any_of(
            r"\bhow much (?:money|(?:do|does|can|will|would|did) (?:i|we|you|one|somebody|an?"
            r" \w+) (?:get|gets|earn|receive|pay|spend|claim|cost)|(?:is|are) .{1,60} paid)\b"
            r"|\bhow (?:expensive|cheap)\b|\bhow much (?:do|does) .{1,60} cost\b"
            r"|\b(?:price|salary|fee|reimbursement amount)s? (?:of|for)\b",
            r"多少(?:钱|錢|元)|[几幾]块|价格|價格|工资|工資|奖金|獎金|售价|售價",
        ),
    ),
    (
        Kind.NUMBER,
        _any_of(
            r"\bhow (?:many|much|big|large|high|tall|deep|old)\b",
            r"\b(?:max(?:imum)?|min(?:imum)?|limit|length|bonus|allowance|accura(?:te|cy)|budget|"
            r"price|cost|amount|number|percent(?:age)?|"
            r"rate|size|version|port|salary|fee|threshold)\b",
            r"多少|[几幾](?:[个個种種次人台层層类類位项項条條]|$|[？?])|第[几幾]|多(?:大|高|重|快|[远遠]|[宽寬]|深)"
            r"|比例|上限|下限|限[额額]|金[额額]|价格|價格|费用|費用|版本",
        ),
    ),
    (
        Kind.PLACE,
        _any_of(
            r"\bwhere\b|\bwhich (?:\w+ )?(?:channel|office|city|country|page|folder|room|place)\b",
            r"哪[里裡裏兒儿]|在哪|何[处處]|什[么麼]地方"
            r"|哪(?:一)?[个個座]?(?:国家|國家|城市|地方|地区|地區|频道|頻道|目录|目錄|文件夹|省|州|市|[县縣])",
        ),
    ),
    (
        Kind.NAME,
        _any_of(
            r"\bwho(?:se|m|'s|s)?\b|\bwhich (?:team|person|group|role)\b",
            r"[谁誰]|哪(?:一)?位|哪[个個]人|什[么麼]人",
        ),
    ),
    (
        Kind.YES_NO,
        _any_of(
            r"^\W*(?:is|are|am|was|were|do|does|did|can|could|may|must|should|will|would|has|have)\b",
            r"[吗嗎]|是否|能否|可否|能不能|可不可以|是不是|有[没沒]有|要不要",
        ),
    ),
    (
        Kind.DEFINITION,
        _any_of(
            r"^\W*(?:what|who)(?:['’]?s| is| are| was| were) (?:an? |the )?[\w &/-]{1,40}\W*$"
            r"|\bdefin(?:e|ition|ed)\b|\bwhat does .{1,60} mean\b",
            r"什[么麼][样樣]|什[么麼]是|是(?:指)?(?:什[么麼]|啥)[？?]?$|怎[样樣]的|什[么麼]意思",
        ),
    ),
)

_NUMBER = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|fifty|sixty|ninety|hundred|thousand|million|half|double|twice|once|unlimited|"
    r"no limit)\b"
    r"|[一二两三四五六七八九十百千万亿]+(?=[个個种種次人台层層类類位项項条條年月日天周名份届屆岁歲])"
)
_TIME_UNIT = (
    r"(?:business |working |calendar |full )?"
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|yrs?|"
    r"ms|[smhd])\b"
)
_HOLDS = {
    Kind.NUMBER: _any_of(_NUMBER),
    Kind.MONEY: _any_of(
        r"[$€£¥]\s?\d|\d\s?[$€£]|\b(?:usd|eur|gbp|chf|cny|rmb)\b|\d[\d.,]*\s?k?\s?"
        r"(?:dollars?|euros?|pounds?|francs?|yuan|cents?)\b|\bfree of charge\b|\d\s?%",
        r"[\d一二两三四五六七八九十百千万]\s?(?:多)?(?:元|块|塊|美元|英[镑鎊]|[欧歐]元|港[币幣元]|日[元圆])",
    ),
    Kind.ALIAS: _any_of(
        r"\b(?:also|formerly|originally|sometimes|otherwise|often|commonly) "
        r"(?:known|called|named|referred|abbreviated)\b|\baka\b|\b(?:called|named|known as|"
        r"referred to as|nicknamed|abbreviated(?: as)?|dubbed|stands? for|short for|termed)\b",
        r"(?:又|也|亦|还|還|旧|舊|原|别|別|俗|简|簡|全|本|统|統|合|通|或|现|現)(?:名|称|稱|叫|号|號)"
        r"|[称稱](?:为|為|作|之)|叫(?:做|作)?|名[为為]|，(?:字|号|號)",
    ),
    Kind.DEFINITION: _any_of(
        r"^\W*(?:[\w()./&'’-]+\s){1,7}?(?:is|are|was|were|means|refers to)\s+"
        r"(?:an?|the|our|one|any|used|defined)\b",
        r"^[^。，]{1,20}(?:，|（[^）]*）|\([^)]*\))?[^。，]{0,12}?(?:是|[为為]|指)(?![否不])",
    ),
    Kind.REASON: _any_of(
        r"\b(?:because|due to|caused?|causes|since|as a result|so that|in order to|reasons?|led to|"
        r"thanks to|owing to|therefore|prompt(?:ed|ing)|evoked|inspired)\b",
        r"因[为為]|由[于於]|因此|所以|[导導]致|[为為]了|原因|使得?|造成|[鉴鑑鑒][于於]|以致|以便",
    ),
    Kind.MEANING: re.compile(r"[(（][A-Z][\w &/-]*[)）]|^\W*[A-Z][\w /&-]*[:：]"),
    Kind.DURATION: _any_of(
        rf"(?:{_NUMBER})\S*[\s-]*(?:\(\w+\)[\s-]*)?{_TIME_UNIT}",
        r"\b(?:daily|weekly|bi-?weekly|monthly|quarterly|yearly|annual(?:ly)?|immediately|"
        r"every (?:\w+ )?(?:day|week|month|quarter|year|hour|minute)|indefinite(?:ly)?|"
        r"permanent(?:ly)?|per (?:day|week|month|year))\b",
        r"[\d一二两兩三四五六七八九十半]+\s*多?[个個]?(?:秒|分[钟鐘]|小[时時]|天|日|周|週|星期|月|季度|年)|"
        r"每(?:天|日|周|月|年|季度)|永久|立即",
    ),
    Kind.DATE: _any_of(
        r"\b(?:1[5-9]|20)\d\d\b|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\b\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}:\d\d",
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|"
        r"t(?:ember)?|ober|ember)?\b",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        r"\b(?:after|before|until|upon|as soon as|within|every|end of|start of|by the) ",
        r"\d+\s*(?:年|月|日|号|號)|星期|[周週][一二三四五六日]|世[纪紀]|年代",
    ),
    Kind.PLACE: _any_of(
        r"#[a-z][\w-]+|https?://|\b[\w.-]+\.(?:com|org|net|io|dev|md)\b|\S/\S",
        r"\b(?:in|at|on|from|under|near|via|to) (?:the |our |your )?[A-Z`#]",
        r"位[于於]|在[^，。]{1,12}(?:中|里|裡|内|內|上|下)|[省市县縣区區州国國镇鎮路岛島港城]",
    ),
    Kind.NAME: re.compile(
        r"(?<=[\w,;:(] )[A-Z][a-z]+|@\w|\b(?i:team|manager|owner|lead|head|director|officer|"
        r"department|group|committee|representative|partner|admin(?:istrator)?|engineer)\b"
        r"|[团團队隊部门門经經理主任负負责責人长長员員]{2,}|·"
    ),
    Kind.YES_NO: _any_of(
        r"\b(?:yes|no|not|can(?:not)?|can't|may|must|should|allowed|permitted|required|eligible|"
        r"prohibited|never|always|only|need(?:s|ed)? to|won't|don't|doesn't)\b",
        r"不|可以|能[够夠]|必[须須]|允[许許]|禁止|支持|需要|[无無]法|[没沒]有|是",
    ),
    Kind.STEPS: _any_of(
        r"^\s*\(?\d{1,3}[.)、]\s",
        r"\b(?:click|open|go to|select|choose|run|create|submit|fill|send|ask|add|use|install|"
        r"contact|follow|navigate|enter|sign|request|set|copy|make sure|ensure|update)\b",
        r"首先|然后|点击|打开|选择|运行|执行|创建|提交|填写|使用|安装|联系|配置|设置|通过|可以",
    ),
}


class Cue(StrEnum):
    """A verb that questions and answers say differently."""

    RELEASE = "release"
    APPROVAL = "approval"


_CUES = (
    (
        Cue.RELEASE,
        _any_of(r"\b(?:out|released?|launch(?:ed)?|shipped)\b", r"发布|上线|推出|發布|上線"),
        _any_of(
            r"\b(?:releas|launch|publish|shipp)(?:e|ed|es)\b|\bavailable (?:since|from)\b",
            r"发布|上线|推出|發布|上線",
        ),
    ),
    (
        Cue.APPROVAL,
        _any_of(r"\bwho (?:\w+ )?(?:approves?|signs? off|decides?|allows?)\b", r"谁.{0,4}批"),
        _any_of(
            r"\b(?:approv(?:es?|ed|al|als)|sign(?:s|ed)?[- ]off|decides?|decision)\b",
            r"批准|审批|同意|審批",
        ),
    ),
)


def cue_of(question: str) -> Cue | None:
    """The verb a question asks about, where answers may use another word for it."""
    return next((cue for cue, asks, _ in _CUES if asks.search(question)), None)


def cued(cue: Cue | None, text: str) -> bool:
    """Whether a text speaks of what such a verb asks; never for none."""
    return any(answers.search(text) for each, _, answers in _CUES if each is cue)


def expected(question: str) -> Kind:
    """The kind of answer a question expects; the most telling words win."""
    for kind, pattern in _ASKS:
        if pattern.search(question):
            return kind
    return Kind.ANY


def holds(kind: Kind, text: str) -> bool:
    """Whether a text holds something of this kind; never for `ANY`."""
    pattern = _HOLDS.get(kind)
    return pattern is not None and pattern.search(text) is not None
