"""A request that is refused, whoever sent it: what is wrong with it and what to do.

It stands here as the chat platforms and the web listeners refuse alike without knowing each other.
"""


class Problem(Exception):  # noqa: N818 - a reply, not a fault of ours
    """A request that is refused.

    Args:
        status: HTTP status, 400 to 599.
        error: what is wrong.
        hint: what to do.
        headers: to add to the reply.
    """

    def __init__(
        self, status: int, error: str, hint: str, headers: dict[str, str] | None = None
    ) -> None:
        self.status = status
        self.error = error
        self.hint = hint
        self.headers = headers or {}
        super().__init__(f"{error} {hint}")
