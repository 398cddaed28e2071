"""A message as it is looked at: without what nobody reads and everything would have to step over.

A cat on the keyboard writes forty thousand question marks. They say no more than eight do, and
rules that look around every mark would take minutes over them.
"""

import re

_RUN_CHARS = 8
_RUN = re.compile(rf"((?:[^\w\s]|_|\s){{{_RUN_CHARS}}})(?:[^\w\s]|_|\s)+")
_HASTY = re.compile(r"\b(what|how|when|where|who|why)s\b(?!')", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")


def tidied(text: str) -> str:
    """The text with blanks for control characters and long runs of marks and blanks cut short.

    Args:
        text: a message; its letters and digits all stay, in their order.

    Returns:
        The text itself where there is nothing to tidy; line ends in a run that is cut stay one.
    """
    return _RUN.sub(_shortened, _CONTROL.sub(" ", text))


def spelled_out(text: str) -> str:
    """The text with the apostrophes that hasty fingers leave out: `whats` is `what's`."""
    return _HASTY.sub(r"\1's", text)


def says_nothing(text: str) -> bool:
    """Whether a text holds no letter and no digit of any script."""
    return not any(map(str.isalnum, text))


def _shortened(run: re.Match[str]) -> str:
    return f"{run[1]}\n" if "\n" in run[0][_RUN_CHARS:] else f"{run[1]} "
