"""How many tokens a text will cost, before anybody counts them.

An estimate: four characters a token for Latin text, and 1.5 tokens for every Chinese, Japanese or
Korean character, which is what the common vocabularies come to at worst. Budgets are checked
with it before a call; what a call did cost is what the server says.
"""

import math
import re

CHARS_A_TOKEN = 4.0
TOKENS_A_CJK_CHAR = 1.5
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def estimate_tokens(*texts: str) -> int:
    """Tokens of these texts together, estimated; 0 only for no text."""
    chars = sum(len(text) for text in texts)
    wide = sum(len(_CJK.findall(text)) for text in texts)
    return math.ceil((chars - wide) / CHARS_A_TOKEN + wide * TOKENS_A_CJK_CHAR)
