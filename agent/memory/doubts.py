"""Whether a message doubts the answer before it: `are you sure?`, `my boss says 90`, `不是15秒吗`.

Such a message asks the earlier question again. What it claims is no part of the question, so that
a value is never found right because somebody named it.
"""

import re

_LONGEST_CHARS = 250
"""A longer message says something of its own."""
_FILLERS = (
    r"(?:(?:h+m+|um+|uh|wait|sorry|hold on|ok(?:ay)?|but|and|well|so|please|pls|hey|oh|what)\b"
    r"[\s,.!…]*)*"
)
_IT = r"(?:that|this|it|your answer|the answer)"
_IS = r"(?:['’]?s|\s+(?:is|was))"
_RIGHT = (
    r"(?:right|correct|true|valid|accurate|up[- ]to[- ]date|current|wrong|incorrect|false|off|"
    r"outdated|old|mistaken|a mistake|nonsense)"
)
_OF_ANOTHER = r"(?!\s+(?:for|if|when|with|during|in|also)\b)"
_WHOEVER = r"(?:i|we|my \w+|someone|somebody|they|people|hr|a \w+|the \w+|\w+ from \w+)"
_CLAIMS = (
    r"(?:heard|thought|think|believe|remember|recall|read|saw|know|was told|were told|told me|"
    r"said|says|say|claims?|is sure|am sure|insists?)"
)
_VALUE = (
    r"[^?\n]*(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|"
    r"thirty|sixty|ninety|hundred|different|otherwise)\b)"
)
_DOUBTS = re.compile(
    rf"\W*{_FILLERS}(?:"
    r"(?:(?:are|r) )?(?:you|u) (?:really |absolutely |quite |100% )?"
    r"(?:sure|certain|positive|serious)\b"
    r"|sure\W*$|really\b(?! (?:long|much|many|need|have))|seriously\W*$"
    r"|for real\b|no way\b|says who"
    rf"|(?:is|was) {_IT} (?:really |still |actually |even )?{_RIGHT}\b{_OF_ANOTHER}"
    rf"|{_IT}(?:{_IS}| can ?(?:no|['’])t be|\s+(?:sounds?|seems?|looks?)|"
    r"\s+(?:does ?n['’]?o?t|do ?n['’]t) (?:sound|seem|look)|\s+is ?n['’]t)"
    rf" (?:just |plain |simply |totally |still |surely )?(?:not )?{_RIGHT}\b{_OF_ANOTHER}"
    r"|(?:i (?:think|believe) )?(?:you['’]?re|you are|ur|u r) (?:wrong|mistaken|incorrect)\b"
    r"|i (?:do ?n['’]?t|do not|can['’]?t) (?:think|believe) (?:so|it|that|you|this)\b|i doubt\b"
    r"|(?:not (?:true|correct|right)|wrong|incorrect|false|no(?:pe)?|nah)"
    rf"(?:\W*$|\b[,.!]?+(?!\s*(?:for|in|with|if)\b){_VALUE})"
    r"|(?:no|nope|wrong|incorrect)\b[,.!]? *(?:it|that|hr|my |someone|they)\b"
    r"|(?:(?:can|could|would) (?:you|u) )?(?:please |pls )?(?:double[- ]?check|re-?check|"
    r"check (?:(?:that|it|this) )?again|verify|confirm)(?: (?:that|it|this|again))?"
    r"(?: (?:please|pls|again))?\W*$|double[- ]check\b"
    r"|where does it say (?:that|this|so)|(?:what['’]?s|what is) (?:your|the) source\W*$|prove it"
    rf"|{_WHOEVER} (?:\w+ )?{_CLAIMS}\b{_VALUE}"
    rf"|(?:actually|surely)[,\s]+{_IT}{_IS}\b{_VALUE}|(?:is|was) ?n['’]?t {_IT}\b{_VALUE}"
    rf"|it{_IS}\b{_VALUE}[^?]*$"
    r")",
    re.IGNORECASE,
)
_NUMERAL = r"[^？?\n]*[\d一二两三四五六七八九十百千万半]"
_DOUBTS_ZH = re.compile(
    r"\W*(?:嗯+|呃|等等|可是|但是?|不过|那)*[，, ]*(?:"
    r"(?:你|您)?真?的?(?:确定|肯定)(?:吗|么|嘛|是|了吗|？|\?|$)|真的(?:吗|么|假的|是|？|\?|$)"
    r"|(?:这|那|你说的|答案|回答)?(?:个|样)?(?:好像|似乎|应该|可能)?(?:不对|错了|不正确|有误|不准|过时|"
    r"不是这样)|(?:你|您)?(?:是不是)?(?:搞|说|弄)错了?|有没有搞错|没搞错吧"
    r"|(?:这个?|那个?|是)?(?:对吗|对不对|真的吗)"
    r"|(?:请|麻烦|帮我)?(?:你|您)?(?:再(?:检查|核实|确认|查|看)|核实|核对)(?:一?[下遍])?吧?\W*$"
    r"|我不信|不可能|(?:你的)?(?:来源|出处|依据)(?:是什么|呢|在哪里?)?\W*$|哪里?(?:写|说)的"
    rf"|(?:我|同事|别人|有人|经理|老板|主管|朋友|HR|人事)(?:\w{{0,4}})?(?:记得|听说|以为|觉得|看到|说|告诉我)"
    rf"{_NUMERAL}|(?:难道)?(?:不是|不应该是|应该是){_NUMERAL}|不[，,对]+\s*(?:应该)?是{_NUMERAL}"
    r")",
    re.IGNORECASE,
)
_ASKS_ELSE = re.compile(
    r"\b(?:i (?:meant|asked|was asking)|what about|how about)\b"
    r"|[,.;?!]\s*(?:(?:so|and|but|then) )?(?!are (?:you|u)\b|is (?:that|this|it)\b)"
    r"(?:do|does|did|is|are|should|will|what|how|when|who|which|where|why|can i|can we|may i)\b"
    r"[^?\n]{8,}\?"
    r"|[，,。？?]\S{2,}(?:怎么|怎样|如何|什么|多少|多久|几|谁|哪|(?<!对)(?<!真的)吗|呢)",
    re.IGNORECASE,
)


def doubts(said: str) -> bool:
    """Whether a message only doubts or denies the answer before it.

    Args:
        said: the asker's words, with earlier turns before them.
    """
    if len(said) > _LONGEST_CHARS or _ASKS_ELSE.search(said):
        return False
    return bool(_DOUBTS.match(said) or _DOUBTS_ZH.match(said))
