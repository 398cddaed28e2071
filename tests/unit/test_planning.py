"""Which questions have parts, and what each part asks when it stands alone."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain import PartKind
from agent.planning import by_clauses, is_comparison, needs_plan, plan
from config.settings import LoopSettings

HANDED = Path(__file__).parents[2].parent / "shared" / "evaldata"


def parts(question: str, bounds: LoopSettings | None = None) -> list[str]:
    return [part.question for part in plan(question, bounds).parts]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param(
            "How long is parental leave, and who approves it?",
            ["How long is parental leave?", "Who approves it (parental leave)?"],
            id="a second clause, with the subject it leans on",
        ),
        pytest.param(
            "Where do I claim expenses, how long does payment take, and from which amount is a "
            "receipt needed?",
            [
                "Where do I claim expenses?",
                "How long does payment take?",
                "From which amount is a receipt needed?",
            ],
            id="three clauses",
        ),
        pytest.param(
            "How long is parental leave and can I bring my dog to work?",
            ["How long is parental leave?", "Can I bring my dog to work?"],
            id="a clause with a subject of its own",
        ),
        pytest.param("battery life? warranty?", ["Battery life?", "Warranty?"], id="only names"),
        pytest.param("电池续航？保修？", ["电池续航？", "保修？"], id="only Chinese names"),
        pytest.param(
            "产假有多少天以及我能带狗上班吗？",
            ["产假有多少天？", "我能带狗上班吗？"],
            id="Chinese clauses without a comma",
        ),
        pytest.param(
            "What is the on-call allowance and how fast must an S1 be answered?",
            ["What is the on-call allowance?", "How fast must an S1 be answered?"],
            id="without a comma",
        ),
        pytest.param(
            "How long does a charge take? How long does a full battery last?",
            ["How long does a charge take?", "How long does a full battery last?"],
            id="two question marks",
        ),
        pytest.param(
            "We hired somebody in Spain. How many holidays are there? And who signs the contract?",
            [
                "We hired somebody in Spain. How many holidays are there?",
                "We hired somebody in Spain. Who signs the contract?",
            ],
            id="what is said before belongs to both",
        ),
        pytest.param(
            "1. What is the hotel limit?\n2. Who approves trips?",
            ["What is the hotel limit?", "Who approves trips?"],
            id="a numbered list",
        ),
        pytest.param(
            "What is the difference between annual and sick leave?",
            ["What about annual leave?", "What about sick leave?"],
            id="difference between",
        ),
        pytest.param(
            "How does the 2024 policy differ from the 2026 policy on hotels?",
            ["The 2024 policy: hotels?", "The 2026 policy: hotels?"],
            id="differ in",
        ),
        pytest.param(
            "S1 vs S2: how fast is the first answer?",
            ["S1: how fast is the first answer?", "S2: how fast is the first answer?"],
            id="versus",
        ),
        pytest.param(
            "Compare S1 and S2 response times",
            ["What about S1 response times?", "What about S2 response times?"],
            id="compare",
        ),
        pytest.param(
            "The handbook and the wiki give different limits for hotels. What are they?",
            ["The handbook: limits for hotels?", "The wiki: limits for hotels?"],
            id="two pages that differ",
        ),
        pytest.param(
            "年假有多少天？谁批准？",
            ["年假有多少天？", "年假，谁批准？"],
            id="two Chinese questions",
        ),
        pytest.param(
            "住宿标准是多少，谁来审批，怎么报销？",
            ["住宿标准是多少？", "住宿标准，谁来审批？", "住宿标准，怎么报销？"],
            id="Chinese clauses",
        ),
        pytest.param(
            "《员工手册》是什么时候发布的？它的负责人是谁？",
            ["《员工手册》是什么时候发布的？", "《员工手册》的负责人是谁？"],
            id="it in Chinese",
        ),
        pytest.param(
            "上海和北京的住宿标准分别是多少？",
            ["上海的住宿标准是多少？", "北京的住宿标准是多少？"],
            id="each of two",
        ),
        pytest.param(
            "分别有多少人参加了春季培训会和秋季培训会？",
            ["有多少人参加了春季培训会？", "有多少人参加了秋季培训会？"],
            id="each of two, said first",
        ),
        pytest.param(
            "采购和法务审批合同分别要多少天？",
            ["采购审批合同要多少天？", "法务审批合同要多少天？"],
            id="two names of one length",
        ),
        pytest.param(
            "2022年和2023年销售额是多少？",
            ["2022年销售额是多少？", "2023年销售额是多少？"],
            id="two years",
        ),
        pytest.param(
            "年假和病假有什么区别？", ["年假是什么？", "病假是什么？"], id="Chinese difference"
        ),
        pytest.param(
            "比较一下 MySQL 和 PostgreSQL 的备份策略",
            ["MySQL 的备份策略是什么？", "PostgreSQL 的备份策略是什么？"],
            id="Chinese comparison",
        ),
        pytest.param(
            "产假多少天，陪产假呢？", ["产假多少天？", "陪产假多少天？"], id="the same of another"
        ),
    ],
)
def test_parts_stand_alone(question: str, expected: list[str]) -> None:
    assert parts(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "How long is parental leave?",
        "When and where can I pick up my badge?",
        "What is the limit for hotels, meals and flights?",
        "Do people who work abroad and who pay taxes elsewhere get leave?",
        "Along with road vehicles, on what vehicles were steam engines used?",
        "Someone stole my laptop and the disk was not encrypted. How bad do we rate that?",
        "I am quitting. Until when do I keep earning shares?",
        "If none of Parliament agrees to the bill, it proceeds to what stage?",
        "really? someone told me 90",
        "hotel limit",
        "Which plan is cheap and has a warranty?",
        "Who can cook and do the dishes?",
        "What is the notice period? 30 days?",
        "really? sure?",
        "真的？确定？",
        "",
        "怎样让一个节点不再接收新的 Pod，并在维护后恢复？",
        "如何检查并续期证书？",
        "哪些员工和哪些岗位可以远程办公？",
        "定海、沈家门以及哪里是客运港口？",
        "年假",
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert parts(question) == [question]
    assert not needs_plan(question)


def test_a_part_about_the_people_asked_for_waits_for_their_name() -> None:
    first, second = plan("Who approves leave and how do I reach them?").parts

    assert (first.part_id, first.kind, first.depends_on) == ("1", PartKind.LOOKUP, ())
    assert (second.kind, second.depends_on) == (PartKind.COMBINE, ("1",))


def test_a_flat_plan_has_no_dependent_parts() -> None:
    planned = plan("Who approves leave and how do I reach them?", LoopSettings(plan_depth=1))

    assert all(not part.depends_on for part in planned.parts)


def test_what_exceeds_the_bound_stays_together() -> None:
    questions = [f"What is limit {number}?" for number in range(8)]

    planned = parts(" ".join(questions), LoopSettings(plan_leaves=3))

    assert planned == [questions[0], questions[1], " ".join(questions[2:])]


def test_a_story_is_not_split() -> None:
    story = "What is the limit? Who decides? " * 40

    assert parts(story) == [story]


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("What is the difference between annual and sick leave?", True),
        ("年假和病假有什么区别？", True),
        ("How long is annual leave, and who approves it?", False),
    ],
)
def test_comparisons_are_told_from_lists(question: str, compared: bool) -> None:
    assert is_comparison(question) is compared


@given(st.text(alphabet="ab 和，？?,.;and who what is 年假多少谁\n1", max_size=60))
def test_no_message_breaks_the_planner(question: str) -> None:
    planned = plan(question)

    assert planned.question == question
    assert planned.parts
    assert all(part.question.strip() for part in planned.parts) or planned.single


def test_the_handed_questions_are_split_where_they_have_parts() -> None:
    if not HANDED.is_dir():
        pytest.skip("the handed question sets are not here")
    split, missed, wrong = 0, [], []
    for file in HANDED.glob("*/questions.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            several = row["type"] in ("cross", "multi")
            single = plan(row["question"]).single
            split += several and not single
            missed += [row["question"]] if several and single else []
            wrong += [row["question"]] if not several and not single else []

    assert (split, len(missed), wrong) == (16, 1, [])


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        (
            "How long is leave and is parking free?",
            ["How long is leave?", "Is parking free?"],
        ),
        ("产假多少天和病假怎么请", ["产假多少天？", "病假怎么请？"]),
        ("Who may approve and may sign a contract?", []),
        ("哪些员工和哪些岗位可以远程办公？", []),
        ("How long is leave?", []),
    ],
)
def test_a_question_that_led_nowhere_is_tried_by_its_clauses(
    question: str, clauses: list[str]
) -> None:
    planned = by_clauses(question)

    assert plan(question).single
    assert [part.question for part in planned.parts] == clauses if planned else not clauses


def test_a_thing_that_is_only_named_is_tried_beside_the_question_after_it() -> None:
    tried = by_clauses("hotel limit Zurich and who approves trips above 1500?")

    assert tried is not None
    assert [part.question for part in tried.parts] == [
        "Hotel limit Zurich?",
        "Who approves trips above 1500?",
    ]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("is parental leave longer than sick leave",
         ["How long is parental leave?", "How long is sick leave?"]),
        ("Is the hotel limit in Zurich higher than in Berlin?",
         ["How much is the hotel limit in Zurich?", "How much is the hotel limit in Berlin?"]),
        ("Which is longer, parental leave or sick leave?",
         ["How long is parental leave?", "How long is sick leave?"]),
        ("年假比病假长吗？", ["年假有多长？", "病假有多长？"]),
        ("compare the warranty of the monitor and the battery",
         ["What about the warranty of the monitor?", "What about the warranty of the battery?"]),
    ],
)  # fmt: skip
def test_a_question_which_of_two_is_more_asks_for_both(question: str, parts: list[str]) -> None:
    assert [part.question for part in plan(question).parts] == parts


@pytest.mark.parametrize(
    "question",
    ["Does a refund take longer than 5 days?", "Is it more than a week?", "超过比例多少吗？"],
)
def test_a_question_about_a_bound_has_one_part(question: str) -> None:
    assert plan(question).single
