"""How answers are found without a model: what is quoted, how much of it, and when it declines."""

import pytest

from agent.cores.extractive import ExtractiveCore
from agent.cores.kinds import Kind, expected, holds
from agent.cores.units import cut
from agent.domain import WORKSPACE, Action, BlockKind, Decision
from agent.ports import RoundView, ShownWindow
from agent.reading import DocumentReader
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary


async def decide(
    texts: dict[str, dict[str, str]], question: str, *, focus: str = "", searched: bool = False
) -> Decision:
    """What the core decides on the first windows for a question."""
    core = ExtractiveCore()
    reader = DocumentReader(MemoryLibrary(texts), WORKSPACE, LoopSettings())
    reading = await reader.search(question, core.text_size)
    assert reading.found is not None
    view = RoundView(
        question,
        (),
        reading.windows,
        reading.found,
        terms=reading.found.terms,
        focus=focus,
        searched_again=searched,
    )
    return await core.decide(view)


async def quotes(texts: dict[str, dict[str, str]], question: str, *, focus: str = "") -> list[str]:
    decision = await decide(texts, question, focus=focus)
    assert decision.action is Action.ANSWER
    return [quote.text for quote in decision.quotes]


async def test_the_sentence_with_the_words_and_the_kind_of_answer_comes_first() -> None:
    text = "Parental leave is a benefit.\nParental leave takes 16 weeks.\nIt is popular."

    said = await quotes({"people": {"leave": text}}, "How long is parental leave?")

    assert said[0] == "Parental leave takes 16 weeks."


async def test_a_sentence_that_leans_on_the_one_before_takes_it_along() -> None:
    text = "Parental leave starts with the birth. It ends after 16 weeks."

    said = await quotes({"people": {"leave": text}}, "When does parental leave end?")

    assert text in said


async def test_steps_are_quoted_as_a_whole_list() -> None:
    text = "To reset a password:\n- Open the console.\n- Choose Reset.\n- Enter the code."

    said = await quotes({"it": {"password": text}}, "How do I reset my password?")

    assert said[0] == text


async def test_a_line_that_leads_into_a_list_is_never_quoted_alone() -> None:
    text = "The limits per severity are:\n- Critical: 3 days\n- Low: 100 days"

    said = await quotes({"security": {"limits": text}}, "What are the limits per severity?")

    assert said[0] == text


async def test_a_question_in_a_list_of_questions_comes_with_its_answer() -> None:
    text = "Can I carry over vacation days?\nUp to five days, until March."

    said = await quotes({"people": {"questions": text}}, "Can vacation days be carried over?")

    assert said == [text]


async def test_a_table_row_is_quoted_by_itself() -> None:
    text = "Plan | Requests\nTeam | 300\nFree | 60"

    said = await quotes({"api": {"rate-limit": text}}, "What is the rate limit of the Team plan?")

    assert said[0] == "Team | 300"


async def test_the_same_words_in_two_documents_are_quoted_once() -> None:
    texts = {
        "one": {"leave": "Parental leave takes 16 weeks."},
        "two": {"leave": "Parental leave takes 16 weeks."},
    }

    assert await quotes(texts, "How long is parental leave?") == ["Parental leave takes 16 weeks."]


async def test_weak_sentences_beside_a_good_one_are_left_out() -> None:
    texts = {
        "people": {"leave": "Parental leave takes 16 weeks at full pay."},
        "office": {"plants": "Plants leave their pots in spring."},
    }

    said = await quotes(texts, "How long is parental leave at full pay?")

    assert said == ["Parental leave takes 16 weeks at full pay."]


async def test_a_subject_that_is_nowhere_is_searched_in_fewer_words_then_declined() -> None:
    texts = {"people": {"insurance": "The company pays health insurance for employees."}}
    question = "How much does the company pay for pet insurance?"

    first = await decide(texts, question)
    second = await decide(texts, question, searched=True)

    assert (first.action, first.query) == (Action.SEARCH, "company pay insurance")
    assert second.action is Action.NOT_COVERED
    assert "pet" in second.missing


async def test_one_word_of_several_is_no_answer() -> None:
    texts = {"office": {"lunch": "Lunch is served at noon."}}

    decision = await decide(texts, "Which wine does the lunch committee serve?", searched=True)

    assert decision.action is Action.NOT_COVERED


async def test_a_question_without_content_is_not_answered() -> None:
    decision = await decide({"office": {"lunch": "Lunch is at noon."}}, "what is it?")

    assert decision.action is Action.NOT_COVERED


async def test_a_follow_up_is_answered_only_from_what_speaks_of_its_focus() -> None:
    texts = {
        "people": {
            "leave": "Parental leave takes 16 weeks.",
            "part-time": "Part-time staff take 16 weeks of parental leave as well.",
        }
    }
    question = "How long is parental leave for part-time staff?"

    assert (await quotes(texts, question, focus="part-time staff"))[0].startswith("Part-time")
    declined = await decide(texts, "How long is parental leave for astronauts?", focus="astronauts")
    assert declined.action is Action.SEARCH


async def test_chinese_is_answered_by_shared_bigrams() -> None:
    texts = {"安全": {"密码": "密码至少需要15个字符。密码每年更换一次。"}}

    assert (await quotes(texts, "密码需要多少个字符？"))[0] == "密码至少需要15个字符。"


async def test_few_chinese_bigrams_are_chance() -> None:
    texts = {"安全": {"密码": "密码至少需要15个字符。"}}

    decision = await decide(texts, "宠物保险的密码多久报销？", searched=True)

    assert decision.action is Action.NOT_COVERED


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many days do I get?", Kind.DURATION),
        ("How long is parental leave?", Kind.DURATION),
        ("When does it start?", Kind.DATE),
        ("How much does it cost?", Kind.MONEY),
        ("Where is the office?", Kind.PLACE),
        ("Who approves it?", Kind.NAME),
        ("Can I work abroad?", Kind.YES_NO),
        ("How do I reset my password?", Kind.STEPS),
        ("Tell me about the policy", Kind.ANY),
        ("年假有多少天？", Kind.DURATION),
        ("什么时候发工资？", Kind.DATE),
        ("谁负责审批？", Kind.NAME),
        ("怎么申请？", Kind.STEPS),
        ("可以在家办公吗？", Kind.YES_NO),
    ],
)
def test_a_question_tells_what_kind_of_answer_it_wants(question: str, kind: Kind) -> None:
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        (Kind.DURATION, "It takes 16 weeks.", True),
        (Kind.DURATION, "It costs 16 dollars.", False),
        (Kind.DATE, "Released on 8 September 2026.", True),
        (Kind.DATE, "Solved in firmware 3.3.", False),
        (Kind.NUMBER, "There are three of them.", True),
        (Kind.NUMBER, "There are some.", False),
        (Kind.DURATION, "试用期为三个月。", True),
        (Kind.ANY, "Anything.", False),
    ],
)
def test_a_text_holds_that_kind_or_not(kind: Kind, text: str, found: bool) -> None:
    assert holds(kind, text) is found


async def test_units_are_sentences_items_rows_and_lines_inside_the_window() -> None:
    text = "One. Two!\n- An item\nA | row"
    found = await MemoryLibrary({"d": {"s": text}}).search("item row one two", WORKSPACE)

    units = cut(ShownWindow("D1.1", found.windows[0]))

    assert [(unit.kind, unit.text) for unit in units] == [
        (BlockKind.PARAGRAPH, "One."),
        (BlockKind.PARAGRAPH, "Two!"),
        (BlockKind.ITEM, "An item"),
        (BlockKind.ROW, "A | row"),
    ]


async def test_a_long_list_item_is_cut_into_sentences() -> None:
    text = "- " + " ".join(f"Sentence number {n} is here to be long." for n in range(10))
    found = await MemoryLibrary({"d": {"s": text}}).search("sentence number", WORKSPACE)

    units = cut(ShownWindow("D1.1", found.windows[0]))

    assert len(units) == 10
    assert units[0].text == "Sentence number 0 is here to be long."


async def test_a_light_word_alone_brings_no_further_quote() -> None:
    texts = {
        "travel": {"hotels": "City | Limit\nZurich | 190 euros"},
        "api": {"errors": "Over the limit the server answers with status 429."},
    }

    said = await quotes(texts, "What is the hotel limit in Zurich?")

    assert said == ["Zurich | 190 euros"]


async def test_the_subject_counts_more_than_what_is_done_with_it() -> None:
    texts = {
        "family": {"relatives": "You may care for a close relative."},
        "help": {"desk": "Support answers until 18:00."},
    }

    said = await quotes(texts, "When does support close?")

    assert said == ["Support answers until 18:00."]


async def test_sentences_with_one_of_two_telling_words_are_no_answer() -> None:
    texts = {
        "welcome": {"first-day": "Get your badge at the desk."},
        "firmware": {"changes": "Monitors no longer lose their settings."},
    }

    decision = await decide(texts, "What happens if I lose my badge?", searched=True)

    assert decision.action is Action.NOT_COVERED


async def test_words_about_nothing_are_not_answered() -> None:
    decision = await decide({"a": {"help": "Ask #help."}}, "not helpful", searched=True)

    assert decision.action is Action.NOT_COVERED


async def test_the_row_of_what_is_asked_comes_before_sentences_that_name_it() -> None:
    text = "Level | Meaning | First response\nS1 | outage | 15 minutes\nOnly S1 wakes people."

    said = await quotes({"runbook": {"levels": text}}, "How fast must an S1 be answered?")

    assert said[0] == "S1 | outage | 15 minutes"


@pytest.mark.parametrize(
    ("question", "heading", "answer"),
    [
        ("gift limit", "gifts", "You may accept gifts worth 40 euros."),
        ("password length", "passwords", "Passwords have 14 characters."),
        ("battery life", "battery", "A battery lasts 21 days."),
        ("referral bonus", "referral", "You receive 2,000 euros."),
    ],
)
async def test_short_questions_are_answered_by_the_section_they_name(
    question: str, heading: str, answer: str
) -> None:
    assert await quotes({"people": {heading: answer}}, question) == [answer]


async def test_an_acronym_is_explained_where_its_long_form_stands() -> None:
    texts = {
        "errors": {"codes": "E-131 | VOC sensor worn out"},
        "glossary": {"words": "Volatile Organic Compounds (VOC): gases given off by paint."},
    }

    said = await quotes(texts, "What does VOC stand for?")

    assert said[0] == "Volatile Organic Compounds (VOC): gases given off by paint."


async def test_a_tiny_library_is_answered_from() -> None:
    texts = {
        "leave": {
            "annual-leave": "Employees have 28 days of annual leave.",
            "parental-leave": "Parents receive 14 weeks of parental leave.",
        },
        "meals": {"lunch": "Lunch is paid."},
    }

    said = await quotes(texts, "How long is parental leave?")

    assert said[0] == "Parents receive 14 weeks of parental leave."


async def test_the_last_clause_of_a_chinese_question_is_what_it_asks() -> None:
    texts = {
        "handbook": {"年假": "每年享有15天年假。", "病假": "病假超过两天需要提供医院证明。"},
    }

    said = await quotes(texts, "年假，病假怎么算？")

    assert said[0] == "病假超过两天需要提供医院证明。"


async def test_a_chinese_light_word_may_be_missing() -> None:
    texts = {
        "报销": {"住宿标准": "北京、上海 | 600元"},
        "早餐": {"早餐": "酒店早餐最多一份。"},
    }

    said = await quotes(texts, "北京 报销 酒店 最多 多少钱？")

    assert said[0] == "北京、上海 | 600元"


async def test_what_stands_beside_the_words_is_quoted_with_them() -> None:
    text = (
        "Carillon was won in the third invasion of the war. The French attacked the column there."
    )

    said = await quotes({"war": {"": text}}, "What did the French do at Carillon in the war?")

    assert said == [text]


async def test_a_quote_never_crosses_a_blank_line() -> None:
    text = (
        "The hotel limit of a trip is 190 euros.\n\nThe hotel limit of a stay is 130 euros at most."
    )

    said = await quotes({"travel": {"": text}}, "What is the hotel limit of trips and stays?")

    assert all("\n\n" not in quote for quote in said)


async def test_all_quotes_of_one_answer_stay_short() -> None:
    sentence = "Travel by train is booked in the tool, and travel by plane needs a good reason"
    text = " ".join(f"{sentence}, as case {number} says." for number in range(30))

    said = await quotes({"travel": {"": text}}, "How do I book travel by train?")

    assert len(said) <= 3
    assert sum(map(len, said)) <= 900


async def test_the_row_on_all_others_answers_for_what_no_row_names() -> None:
    text = "city | limit of a hotel\nZurich | 190 euros\nall other cities | 130 euros"

    said = await quotes({"travel": {"hotels": text}}, "What is the hotel limit in Berlin?")

    assert said[0] == "all other cities | 130 euros"


async def test_a_rule_for_a_few_does_not_come_before_the_one_for_all() -> None:
    texts = {
        "addendum": {"part-time leave": "Part-time annual leave is counted in 12 days."},
        "leave": {"annual leave": "Everybody gets 28 days of annual leave."},
    }

    said = await quotes(texts, "How many days of annual leave?")

    assert said[0] == "Everybody gets 28 days of annual leave."


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the Rankine cycle sometimes called?", Kind.ALIAS),
        ("What caused Luther to write hymns?", Kind.REASON),
        ("Which command lists the nodes?", Kind.COMMAND),
        ("On which days are reviews sent?", Kind.DATE),
        ("How much do I get for a move?", Kind.MONEY),
        ("What is an ombuds office?", Kind.DEFINITION),
        ("当惹雍错又叫什么？", Kind.ALIAS),
        ("燕軍為甚麼損失慘重?", Kind.REASON),
        ("總統是誰？", Kind.NAME),
        ("身長大約是多少?", Kind.NUMBER),
        ("什麼時候上線？", Kind.DATE),
    ],
)
def test_names_reasons_and_traditional_characters_are_understood(question: str, kind: Kind) -> None:
    assert expected(question) is kind


async def test_code_is_chosen_by_the_comment_above_it() -> None:
    text = "> # label the node\n> kubectl label nodes n1 gpu=on\n> # install\n> helm install x"

    said = await quotes({"gpu": {"": text}}, "How do I label a node?")

    assert "kubectl label nodes" in said[0]
    assert "helm" not in said[0]
