"""What of the text found fits into a round: many neighbourhoods rather than few long texts."""

from agent.domain import Passage, Term, Window
from agent.fitting import fitted, within
from agent.ports import TextSize
from tests.engine_fakes import document, section

SENTENCES = "\n".join(f"Sentence number {number} of a long text." for number in range(100, 200))


def window(doc_id: str, text: str = SENTENCES) -> Window:
    return Window(document(doc_id), section(doc_id, "rules", text), 0, len(text))


def passage(of: Window, words: str) -> Passage:
    start = of.section.text.index(words)
    return Passage(of.section, start, start + len(words))


def test_a_long_window_is_cut_to_its_share_around_the_passage_that_was_found() -> None:
    windows = [window(name) for name in "abc"]
    passages = [passage(each, "Sentence number 150 of a long text.") for each in windows]
    shown = fitted(windows, passages, TextSize(3, 900))
    assert [each.document.doc_id for each in shown] == ["a", "b", "c"]
    assert all("number 150" in each.text for each in shown)
    assert sum(len(each.text) for each in shown) <= 900


def test_a_single_window_gets_the_whole_room() -> None:
    alone = window("a")
    assert fitted([alone], [], TextSize(6, 10_000)) == (alone,)


def test_what_short_windows_leave_makes_the_best_of_the_long_ones_longer() -> None:
    long, short = window("a"), window("b", "Ask the office.")
    shown = fitted([long, short], [], TextSize(2, 2_000))
    assert len(shown[0].text) > 1_900
    assert shown[1].text == "Ask the office."


def test_further_windows_come_in_where_short_ones_leave_a_whole_share() -> None:
    found = [window(str(number), "Ask the office.") for number in range(9)]
    assert len(fitted(found, [], TextSize(3, 900, spare=6))) == 9
    long = [window(str(number)) for number in range(9)]
    assert len(fitted(long, [], TextSize(3, 900, spare=6))) == 3


def test_without_spare_ones_all_that_fits_is_shown() -> None:
    found = [window(str(number)) for number in range(3)] + [window("near", "Ask the office.")]
    assert len(fitted(found, [], TextSize(3, 900))) == 4


def test_what_is_too_long_keeps_nothing_shorter_out() -> None:
    endless = window("b", "word " * 140)
    found = [window("a", "Ask the office."), endless, window("c", "Ask the kitchen.")]
    shown = fitted(found, [passage(endless, endless.text)], TextSize(3, 600))
    assert [each.document.doc_id for each in shown] == ["a", "c"]


def test_something_is_shown_however_small_the_room() -> None:
    assert len(fitted([window("a")], [], TextSize(1, 1))) == 1
    assert len(within([window("a")], 1)) == 1


def test_a_window_never_becomes_longer_than_it_was_found() -> None:
    whole = window("a")
    found = Window(whole.document, whole.section, 700, 1_400)
    (shown,) = fitted([found], [], TextSize(1, 5_000))
    assert (shown.start, shown.end) == (700, 1_400)


def test_of_a_section_too_long_to_read_whole_what_speaks_of_the_question_is_read() -> None:
    parts = [
        window("a", f"About {name}. " * 20) for name in ("pay", "leave", "travel", "sick leave")
    ]
    term = Term("leave", ("leav",), 1.0)
    read = within(parts, 700, [term])
    assert [each.text.split(".")[0] for each in read] == ["About leave", "About sick leave"]
    assert within(parts, 10_000, [term]) == parts


def test_without_words_to_go_by_it_is_read_from_its_beginning() -> None:
    parts = [window("a", f"About {name}. " * 20) for name in ("pay", "leave", "travel")]
    assert within(parts, 600) == parts[:2]
