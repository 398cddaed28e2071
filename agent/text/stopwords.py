"""Words that say nothing about what is asked: function words and question words."""

_FUNCTION_WORDS = """
    a about above after again all also although am among an and any anybody anyone anything are
    around as at be because been before being below between both but by came can cannot could did
    do does doing done down during each either else ever every everyone everything few for from
    further get gets getting give given go goes going got had has have having he hello her here
    hers herself hey hi him himself his how i if in into is it its itself just know let like may
    me might mine more most much must my myself need neither no nor not of off oh ok okay on once
    one only onto or other our ours ourselves out over own per please quite rather really s same
    say shall she should since so some somebody someone something such t tell than thank thanks
    that the their theirs them themselves then there these they thing things this those though
    through to too toward towards under until up upon us use used using very via want was we well
    were what whatever when whenever where wherever whether which whichever while who whoever
    whole whom whose why will with within without would yes yet you your yours yourself yourselves
    don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn needn ain
    i'm i've i'd i'll it's that's what's who's where's how's there's let's we're you're they're
    don't doesn't didn't isn't aren't wasn't weren't can't won't wouldn't shouldn't couldn't
    whats hows whens wheres whos whys thats theres heres dont doesnt didnt isnt arent wasnt werent
    cant wont couldnt shouldnt wouldnt havent hasnt im ive youre theyre
    pls plz thx asap wanna gonna gotta gimme u ur
    eg ie etc vs
"""
ENGLISH_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

ENGLISH_CONTRACTIONS = frozenset({"s", "t", "re", "ve", "ll", "d", "m", ""})

KEPT_ACRONYMS = frozenset({"IT", "US", "WHO"})
"""Written in capitals these are names, not stop words."""

_QUESTION_WORDS = """
    what when where which who whom whose why how is are was were do does did can could may should
    must will would has have am shall whats hows whens wheres whos whys
"""
ENGLISH_QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())
"""Words that open a question."""

ENGLISH_FRAMES = (
    r"(?i:\bhow (?:long|many|much|often|fast|soon|quickly|far|big|large|high|old|early)\b)",
    r"(?i:\b(?:what|which) (?:kinds?|types?|sorts?) of\b)",
)
"""Regexes: openings of a question whose words say what kind of answer is wanted, not about what."""

CHINESE_QUESTION_WORDS = (
    "什么", "怎么", "怎样", "如何", "为什么", "为何", "多少", "多久", "多长", "多大", "多高",
    "哪些", "哪个", "哪里", "哪儿", "哪种", "哪年", "哪天", "哪", "谁", "几", "是否", "能否",
    "可否", "有没有", "是不是", "能不能", "可不可以", "要不要", "吗", "呢", "何时", "何地", "何种",
)  # fmt: skip
"""Words that make a Chinese sentence a question."""

CHINESE_FILLERS = (
    "请问", "请告诉我", "告诉我", "我想知道", "想知道", "我想问", "麻烦", "谢谢", "你好", "您好",
    "是什么意思", "什么意思", "是什么", "什么是", "什么时候", "为什么", "什么", "是啥", "啥",
    "怎么样", "怎么办", "怎么", "怎样", "如何", "为何",
    "是多少", "有多少", "有多", "多少", "多久", "多长时间", "多长",
    "有?几(?:个|种|次|天|年|月|周|位|名|条|项|级|份|台|类|日|小时|分钟)?(?![何率乎])",
    "有哪些", "是哪些", "在哪里", "在哪儿", "哪些", "哪一", "哪个", "哪里", "哪儿", "哪种", "哪年",
    "哪天", "哪", "是谁", "谁",
    "為什[麼么]", "為甚麼", "什麼時候", "是什麼", "[什甚]麼", "怎麼樣?", "怎樣", "多長",
    "哪一?[個裡]", "誰", "嗎", "這個", "那個",
    "是否", "能否", "可否", "有没有", "是不是", "能不能", "可不可以", "要不要",
    "可以", "应该", "需要", "分别", "以及", "或者", "还是", "关于", "对于", "一下",
    "我们", "你们", "他们", "她们", "这个", "那个", "这些", "那些",
    "吗", "呢", "吧", "啊", "呀", "嘛", "(?<!目)的(?![士确])", "了(?!解)",
    "何时", "何地", "何种", "何",
)  # fmt: skip
"""Regexes, longest first where one begins like another: dropped from Chinese questions."""
