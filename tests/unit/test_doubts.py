"""A doubt asks the earlier question again; what only begins like one asks something new."""

import pytest

from agent.memory.doubts import doubts


@pytest.mark.parametrize(
    "said",
    [
        "are you sure?",
        "hmm, are you sure about that? double check pls",
        "really? someone told me 90",
        "that's wrong, it's 6 weeks",
        "nope. hr told me its 20 weeks since january. update your answer",
        "I don't think that's right",
        "that doesn't sound right",
        "my manager says 90 days",
        "but I heard it was 30 days",
        "isn't it 90 days?",
        "actually it's 30 days",
        "can you verify that?",
        "where does it say that?",
        "is this still valid?",
        "no, 30 days",
        "确定是30秒？我记得是15秒",
        "真的吗",
        "不对吧",
        "不是15秒吗？",
        "同事说是15秒",
        "错了，是15秒",
        "请再核实一下",
        "来源是什么？",
    ],
)
def test_these_only_doubt(said: str) -> None:
    assert doubts(said)


@pytest.mark.parametrize(
    "said",
    [
        "and for part-timers?",
        "no, i meant contractors",
        "is that right for interns too?",
        "what about 3 children?",
        "no, for 3 children",
        "the page says 30 days for travel, does that include weekends?",
        "how long is it really?",
        "really long trips, are they covered by the travel insurance?",
        "who says so in the policy on travel, and where?",
        "thanks",
        "我问的是失败的，不是成功的",
        "经理说3天内要提交，那周末算工作日吗？",
        "那兼职呢？",
        "默认是多少？",
    ],
)
def test_these_ask_something(said: str) -> None:
    assert not doubts(said)
