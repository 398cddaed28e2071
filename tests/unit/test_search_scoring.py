"""How a question is weighed and text is scored."""

import pytest

from agent.domain import DocId, Term
from agent.library.abbreviations import find_abbreviations
from agent.library.searching.asking import idf, searched, weigh
from agent.library.searching.correcting import (
    likely_stems,
    meant,
    missing_words,
    mistyped,
    other_beginnings,
)
from agent.library.searching.kinship import kin_of
from agent.library.searching.matching import Stretch
from agent.library.searching.scoring import Scorer, share_found
from agent.text.words import Word, WordKind, index_terms, query_terms

VOCABULARY = {"vacat": 40, "vaccin": 3, "parent": 20, "leav": 50, "polici": 9}


def word(text: str) -> Word:
    [found] = query_terms(text)
    return found


def stretch(body: str, headings: str = "", title: str = "", doc: str = "d") -> Stretch:
    return Stretch(
        DocId(doc),
        0,
        0,
        len(body),
        index_terms(title),
        index_terms(headings),
        index_terms(body),
    )


def terms(question: str, **frequencies: int) -> tuple[Term, ...]:
    words = query_terms(question)
    known = {word.key: frequencies.get(word.key, 5) for word in words}
    return weigh(words, {form: n for form, n in known.items() if n}, 1_000, {})


def order(asked: tuple[Term, ...], *stretches: Stretch) -> list[str]:
    return [str(each.stretch.doc_id) for each in Scorer(stretches, asked).ranked()]


def test_a_rare_word_weighs_more_and_an_unknown_one_most() -> None:
    rare, common, unknown = terms("sabbatical leave zebra", sabbat=2, leav=300, zebra=0)

    assert common.weight < rare.weight < unknown.weight
    assert (unknown.known, unknown.rarity) == (False, 1.0)
    assert 0 < common.rarity < rare.rarity < 1


def test_every_word_weighs_something_even_if_it_is_everywhere() -> None:
    assert idf(10, 10) > 0
    assert idf(0, 0) > 0


def test_an_unknown_identifier_weighs_as_its_rarest_known_part() -> None:
    [term] = weigh(query_terms("ERR-4099"), {"err": 7}, 1_000, {})

    assert term.weight == idf(7, 1_000)
    assert (term.parts, term.known) == (("err",), False)


def test_very_common_words_are_not_looked_up_where_rarer_ones_remain() -> None:
    words = query_terms("company parental leave")
    frequencies = {"compani": 500, "parent": 5, "leav": 50}

    assert set(searched(words, frequencies, 1_000, ())) == {"parent", "leav"}
    assert set(searched(words[:2], frequencies, 1_000, ())) == {"compani", "parent"}


def test_pairs_across_chinese_words_do_not_count_as_unknown() -> None:
    words = query_terms("住宿标准")
    found = weigh(words, {"住宿": 4, "标准": 9}, 1_000, {})

    assert [term.written for term in found] == ["住宿", "标准"]


def test_more_of_the_question_beats_more_of_one_word() -> None:
    asked = terms("parental leave weeks")

    assert order(
        asked,
        stretch("leave leave leave leave", doc="one"),
        stretch("parental leave lasts weeks", doc="all"),
    ) == ["all", "one"]


def test_a_heading_that_matches_lifts_its_text() -> None:
    asked = terms("parental leave")

    assert order(
        asked,
        stretch("leave of sixteen weeks", doc="plain"),
        stretch("leave of sixteen weeks", headings="Parental leave", doc="headed"),
    ) == ["headed", "plain"]


def test_a_score_says_how_much_of_a_perfect_match_it_is() -> None:
    asked = terms("parental leave policy zebra", zebra=0)
    some = Scorer([stretch("the policy on something")], asked).ranked()[0].score
    most = Scorer([stretch("parental leave policy")], asked).ranked()[0].score

    assert 0 < some < most < 1.4


def test_equal_scores_come_in_a_fixed_order() -> None:
    asked = terms("leave")

    assert order(asked, stretch("leave", doc="b"), stretch("leave", doc="a")) == ["a", "b"]


def test_coverage_is_the_share_of_weight_that_stands_there() -> None:
    asked = (Term("leave", ("leav",), 1.0), Term("zebra", ("zebra",), 3.0, known=False))

    assert share_found(asked, "Take your leave.") == pytest.approx(0.25)
    assert share_found(asked, "Leave", "zebras") == pytest.approx(1.0)
    assert share_found((), "anything") == 0.0


def test_a_word_with_one_wrong_letter_finds_the_one_that_was_meant() -> None:
    assert likely_stems(word("vaccation"), VOCABULARY)[0] == "vacat"


@pytest.mark.parametrize(
    ("written", "stem"),
    [
        pytest.param("compay", "compani", id="a word in y"),
        pytest.param("mnutes", "minut", id="a plural"),
        pytest.param("organizatoin", "organ", id="a long ending"),
        pytest.param("incieent", "incid", id="inside the ending"),
    ],
)
def test_a_slip_that_leaves_another_stem_is_found_all_the_same(written: str, stem: str) -> None:
    vocabulary = {"compani": 9, "minut": 9, "organ": 9, "incid": 9, "orchard": 1}

    assert likely_stems(word(written), vocabulary)[0] == stem


@pytest.mark.parametrize("written", ["warental", "arental", "aprental", "xparental"])
def test_a_wrong_first_letter_is_looked_up_without_reading_the_library(written: str) -> None:
    assert "parent" in other_beginnings(word(written))


def test_two_wrong_letters_are_allowed_from_seven_on() -> None:
    assert likely_stems(word("parrant"), VOCABULARY) == ["parent"]
    assert likely_stems(word("leavv"), VOCABULARY) == ["leav"]
    assert likely_stems(word("lauvv"), VOCABULARY) == []


@pytest.mark.parametrize("text", ["ERR-4021", "SLA", "wife", "S2", "年假", "leave"])
def test_these_are_no_typing_errors(text: str) -> None:
    assert not mistyped(word(text), {"leav": 4})


@pytest.mark.parametrize(
    ("written", "text", "expected"),
    [
        pytest.param("parentel", "Parents and parental leave", "parental", id="nearest form"),
        pytest.param("Zephyros", "The Zephyrus plan", "Zephyrus", id="a name as it stands"),
        pytest.param("hotle", "The hotel limit", "hotel", id="letters swapped"),
        pytest.param("reimbursd", "We reimbursed it", "reimbursed", id="a letter missing"),
        pytest.param("expences", "Your expenses", "expenses", id="a letter by ear"),
        pytest.param("hptel", "The hotel limit", "hotel", id="the key beside it"),
        pytest.param("sabbatical", "A rabbit", None, id="alike in their stems only"),
        pytest.param("parking", "Packing lists", None, id="another word"),
        pytest.param("Harvaid", "Of Harvard", "Harvard", id="any letter of a name"),
        pytest.param("stole", "The style guide", None, id="another word again"),
        pytest.param("dentist", "Identifying people", None, id="much longer"),
        pytest.param("holiday", "Nothing of it", None, id="nothing near"),
    ],
)
def test_what_was_meant(written: str, text: str, expected: str | None) -> None:
    found = [meant(stem, text, written) for stem in index_terms(text)]

    assert next((each for each in found if each), None) == expected


def test_missing_words_begin_with_identifiers() -> None:
    words = query_terms("pet insurance for ERR-9")

    assert missing_words("pet insurance for ERR-9", words, words) == ("ERR-9", "insurance", "pet")


def test_missing_chinese_is_put_together_again() -> None:
    query = "宠物保险标准"
    words = query_terms(query)
    absent = [each for each in words if each.key not in {"保险", "标准"}]

    assert missing_words(query, words, absent) == ("宠物",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Paid Time Off (PTO) is", {"PTO": "Paid Time Off"}, id="initials"),
        pytest.param(
            "a Service Level Agreement (SLA)", {"SLA": "Service Level Agreement"}, id="SLA"
        ),
        pytest.param("full-time equivalents (FTEs)", {"FTE": "full time equivalents"}, id="plural"),
        pytest.param("the Return of Goods (RG)", {"RG": "Return of Goods"}, id="small words"),
        pytest.param("服务等级协议（SLA）", {"SLA": "服务等级协议"}, id="Chinese"),
        pytest.param(
            "an SLA (Service Level Agreement)", {"SLA": "Service Level Agreement"}, id="after"
        ),
        pytest.param(
            "SVID（SPIFFE Verifiable Identity Document）",
            {"SVID": "SPIFFE Verifiable Identity Document"},
            id="wide brackets",
        ),
        pytest.param("SLA（服务等级协议）规定", {"SLA": "服务等级协议"}, id="Chinese after"),
        pytest.param("the API (see the Guide to it)", {}, id="a remark after"),
        pytest.param("HR (in Berlin)", {}, id="a place after"),
        pytest.param("see below (US only)", {}, id="no long form"),
        pytest.param("the value (x)", {}, id="no abbreviation"),
        pytest.param("no brackets here", {}, id="no brackets"),
    ],
)
def test_abbreviations_are_learnt_from_brackets(text: str, found: dict[str, str]) -> None:
    assert find_abbreviations(text) == found


def test_a_word_knows_its_kind() -> None:
    assert [each.kind for each in query_terms("leave S2 年假")] == [
        WordKind.WORD,
        WordKind.IDENTIFIER,
        WordKind.CJK,
    ]


@pytest.mark.parametrize("text", ["weather", "world", "fast", "stole", "life"])
def test_common_english_words_are_never_slips(text: str) -> None:
    assert not mistyped(word(text), {})


def test_a_word_of_four_letters_may_be_a_slip() -> None:
    assert mistyped(word("leve"), {})


def test_derived_forms_and_synonyms_stand_in_for_an_unknown_word() -> None:
    stems = sorted(("accuraci", "secur", "leav", "child"))

    assert kin_of(word("accurate"), stems) == ("accuraci",)
    assert kin_of(word("vacation"), stems, {"leav"}) == ("leav",)
    assert kin_of(word("childcare"), stems) == ()


def test_kin_count_half() -> None:
    asked = Term("accurate", ("accur",), 2.0, kin=("accuraci",))

    assert asked.presence({"accur"}) == 1.0
    assert asked.presence({"accuraci"}) == 0.5


def test_words_that_tell_little_weigh_little() -> None:
    happens, badge = terms("happens badge", happen=5, badg=5)

    assert happens.weight < badge.weight / 2


def test_one_character_between_two_known_chinese_words_does_not_count_as_unknown() -> None:
    asked = terms("出差住北京", 出差=5, 差住=0, 住北=0, 北京=5)

    assert [term.written for term in asked] == ["出差", "北京"]
