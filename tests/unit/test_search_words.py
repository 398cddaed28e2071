"""What of a small model's reply becomes words to search with."""

import pytest

from agent.cores.llm.small import ModelSmallCalls
from agent.domain import Usage
from agent.ports import ChatPrompt, ChatReply


class Says:
    """A model that always says the same."""

    name = "says"

    def __init__(self, text: str) -> None:
        self._text = text

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        return len(prompt.user)

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        return ChatReply(self._text, Usage())


async def words(reply: str) -> str:
    return (await ModelSmallCalls(Says(reply)).search_words("Who pays?", ("en",)))[0]


@pytest.mark.parametrize(
    "reply",
    [
        "dental insurance, premiums, dependents",
        "1. dental insurance\n2. premiums\n3. dependents",
        "- dental insurance; premiums; dependents.",
    ],
)
async def test_terms_are_taken_in_whatever_list_they_come(reply: str) -> None:
    assert await words(reply) == "dental insurance premiums dependents"


async def test_words_without_anything_between_them_are_words_too() -> None:
    said = "dental vision medical insurance premiums employees dependents coverage enrollment"
    assert await words(said) == said


async def test_no_more_than_a_dozen_are_taken_and_none_twice() -> None:
    many = " ".join(f"benefit{number % 30} coverage" for number in range(60))
    assert len((await words(many)).split()) == 12


async def test_a_run_of_letters_without_end_is_no_word() -> None:
    assert await words("x" * 500) == ""
