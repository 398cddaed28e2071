"""Short forms that documents explain, in English and Chinese."""

import pytest

from agent.library.abbreviations import find_abbreviations


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We offer Paid Time Off (PTO).", "PTO", "Paid Time Off"),
        ("PTO (Paid Time Off) is paid.", "PTO", "Paid Time Off"),
        ("The Service Level Agreement (“SLA”) holds.", "SLA", "Service Level Agreement"),
        ("Objectives and Key Results (OKRs) are set.", "OKR", "Objectives and Key Results"),
        (
            'General Data Protection Regulation (hereinafter "GDPR")',
            "GDPR",
            "General Data Protection Regulation",
        ),
        ("服务等级协议（SLA）", "SLA", "服务等级协议"),
        ("SLA（服务等级协议）", "SLA", "服务等级协议"),
        ("人力资源业务伙伴（简称HRBP）", "HRBP", "人力资源业务伙伴"),
        ("住房公积金（以下简称“公积金”）", "公积金", "住房公积金"),
        (
            "《中华人民共和国劳动合同法》（以下简称《劳动合同法》）",
            "劳动合同法",
            "中华人民共和国劳动合同法",
        ),
        (
            "关键绩效指标（Key Performance Indicator，简称KPI）",
            "KPI",
            "Key Performance Indicator",
        ),
    ],
)
def test_a_short_form_and_its_long_form(text: str, short: str, long: str) -> None:
    assert find_abbreviations(text) == {short: long}


@pytest.mark.parametrize(
    "text",
    [
        "It was closed (see above).",
        "某某科技有限公司（以下简称“甲方”）",
        "Ask the team (IT) about it.",
        "It is fine (OK).",
        "No brackets at all.",
    ],
)
def test_no_abbreviation(text: str) -> None:
    assert find_abbreviations(text) == {}
