"""Which gaps stand together on the page, and which are not shown at all."""

from agent.domain import WORKSPACE, Scope
from agent.gaps import Gap
from bots.web.pages.gap_report import gap_groups, grouped


def gap(question: str, *, scope: Scope = WORKSPACE, direct: bool = False) -> Gap:
    return Gap(question, scope.key, "t", direct=direct)


class Kept:
    def __init__(self, *gaps: Gap) -> None:
        self._gaps = list(gaps)

    async def newest(self, limit: int = 100) -> list[Gap]:
        return self._gaps[:limit]


def counts(*questions: str) -> list[tuple[str, int]]:
    groups = grouped([gap(question) for question in questions])
    return [(group.question, group.count) for group in groups]


def test_the_same_question_in_other_words_is_one() -> None:
    asked = ("May I bring my dog to the office?", "can i bring a dog", "Bringing dogs?")

    assert counts(*asked) == [("May I bring my dog to the office?", 3)]


def test_one_common_word_is_not_enough() -> None:
    asked = ("Is there a company car?", "What is the company's address?")

    assert counts(*asked) == [(question, 1) for question in asked]


def test_chinese_questions_are_compared_as_well() -> None:
    assert counts("可以带狗上班吗？", "上班可以带狗吗", "公司有班车吗？")[0][1] == 2


def test_the_most_asked_stands_first() -> None:
    assert counts("Pension?", "A dog?", "Dogs?")[0] == ("A dog?", 2)


async def test_gaps_of_other_scopes_and_of_direct_messages_are_not_shown() -> None:
    kept = Kept(
        gap("A dog?"), gap("Salaries?", scope=Scope.of("slack:C1")), gap("Me?", direct=True)
    )

    assert [group.question for group in await gap_groups(kept, WORKSPACE)] == ["A dog?"]
