"""What kind of answer a question expects, and whether a text holds one.

Only a nudge between sentences that carry the same words: the one with a duration answers "how
long", the one without does not. Whether a question is covered at all cannot be told from it.
"""

import re
from enum import StrEnum


class Kind(StrEnum):
    """What an answer must hold."""

    NUMBER = "number"
    DURATION = "duration"
    DATE = "date"
    PLACE = "place"
    NAME = "name"
    YES_NO = "yes_no"
    MEANING = "meaning"
    STEPS = "steps"
    ANY = "any"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ASKS = (
    (Kind.MEANING, _any_of(r"\bstands? for\b|\bshort for\b|\bacronym\b|缩写|全称")),
    (
        Kind.STEPS,
        _any_of(
            r"\bhow (?:do|does|can|could|should|would|to|must)\b",
            r"\b(?:steps?|procedure|process|instructions|way) (?:to|for)\b",
            r"\bwhat (?:do|should|must|can) (?:i|we|you) do\b",
            r"怎么(?!样的|会|算)|怎样|如何|步骤|怎么办|流程|手续",
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
            r"多久|多长时间|多长|几天|几周|几个月|几年|多少(?:天|周|个月|年|小时|分钟)|频率|周期|期限|时限|有效期",
        ),
    ),
    (
        Kind.DATE,
        _any_of(
            r"\b(?:since )?when\b",
            r"\b(?:what|which|on what) (?:\w+ )?(?:date|day|year|month|time|quarter)\b",
            r"\bdeadline\b|\bdue\b",
            r"什么时候|何时|哪(?:一)?(?:天|年|日|月)|日期|几号|几月|几点|截止",
        ),
    ),
    (
        Kind.NUMBER,
        _any_of(
            r"\bhow (?:many|much|big|large|high|tall|deep|old)\b",
            r"\b(?:max(?:imum)?|min(?:imum)?|limit|length|bonus|allowance|accura(?:te|cy)|budget|"
            r"price|cost|amount|number|percent(?:age)?|"
            r"rate|size|version|port|salary|fee|threshold)\b",
            r"多少|几(?:个|种|次|人|台|层|类|位|项|条)|多大|多高|比例|上限|下限|限额|金额|价格|费用|版本",
        ),
    ),
    (
        Kind.PLACE,
        _any_of(
            r"\bwhere\b|\bwhich (?:\w+ )?(?:channel|office|city|country|page|folder|room|place)\b",
            r"哪里|哪儿|在哪|何处|什么地方|哪个(?:国家|城市|地方|地区|频道|目录|文件夹|省|州)",
        ),
    ),
    (
        Kind.NAME,
        _any_of(
            r"\bwho(?:se|m|'s|s)?\b|\bwhich (?:team|person|group|role)\b",
            r"谁|哪位|哪个人|什么人",
        ),
    ),
    (
        Kind.YES_NO,
        _any_of(
            r"^\W*(?:is|are|am|was|were|do|does|did|can|could|may|must|should|will|would|has|have)\b",
            r"吗|是否|能否|可否|能不能|可不可以|是不是|有没有|要不要",
        ),
    ),
)

_NUMBER = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|fifty|sixty|ninety|hundred|thousand|million|half|double|twice|once|unlimited|"
    r"no limit)\b"
    r"|[一二两三四五六七八九十百千万亿]+(?=[个种次人台层类位项条年月日天周名份])"
)
_TIME_UNIT = (
    r"(?:business |working |calendar |full )?"
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|yrs?|"
    r"ms|[smhd])\b"
)
_HOLDS = {
    Kind.NUMBER: _any_of(_NUMBER),
    Kind.MEANING: re.compile(r"\([A-Z][\w&/-]*\)|^\W*[A-Z][\w /&-]*[:：]"),
    Kind.DURATION: _any_of(
        rf"(?:{_NUMBER})\S*[\s-]*(?:\(\w+\)[\s-]*)?{_TIME_UNIT}",
        r"\b(?:daily|weekly|bi-?weekly|monthly|quarterly|yearly|annual(?:ly)?|immediately|"
        r"every (?:\w+ )?(?:day|week|month|quarter|year|hour|minute)|indefinite(?:ly)?|"
        r"permanent(?:ly)?|per (?:day|week|month|year))\b",
        r"[\d一二两三四五六七八九十半]+\s*(?:多)?(?:个)?(?:秒|分钟|小时|天|日|周|星期|月|季度|年)|"
        r"每(?:天|日|周|月|年|季度)|永久|立即",
    ),
    Kind.DATE: _any_of(
        r"\b(?:1[5-9]|20)\d\d\b|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\b\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}:\d\d",
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|"
        r"t(?:ember)?|ober|ember)?\b",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        r"\b(?:after|before|until|upon|as soon as|within|every|end of|start of|by the) ",
        r"\d+\s*(?:年|月|日|号)|星期|周[一二三四五六日]|世纪|年代",
    ),
    Kind.PLACE: _any_of(
        r"#[a-z][\w-]+|https?://|\b[\w.-]+\.(?:com|org|net|io|dev|md)\b|\S/\S",
        r"\b(?:in|at|on|from|under|near|via|to) (?:the |our |your )?[A-Z`#]",
        r"位于|在[^，。]{1,12}(?:中|里|内|上|下)|[省市县区州国镇路岛]",
    ),
    Kind.NAME: re.compile(
        r"(?<=[\w,;:(] )[A-Z][a-z]+|@\w|\b(?i:team|manager|owner|lead|head|director|officer|"
        r"department|group|committee|representative|partner|admin(?:istrator)?|engineer)\b"
        r"|[团队部门经理主任负责人长员]{2,}|·"
    ),
    Kind.YES_NO: _any_of(
        r"\b(?:yes|no|not|can(?:not)?|can't|may|must|should|allowed|permitted|required|eligible|"
        r"prohibited|never|always|only|need(?:s|ed)? to|won't|don't|doesn't)\b",
        r"不|可以|能够|必须|允许|禁止|支持|需要|无法|没有|是",
    ),
    Kind.STEPS: _any_of(
        r"^\s*\(?\d{1,3}[.)、]\s",
        r"\b(?:click|open|go to|select|choose|run|create|submit|fill|send|ask|add|use|install|"
        r"contact|follow|navigate|enter|sign|request|set|copy|make sure|ensure|update)\b",
        r"首先|然后|点击|打开|选择|运行|执行|创建|提交|填写|使用|安装|联系|配置|设置|通过|可以",
    ),
}


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
