"""What can go wrong between us and Teams, in our own words.

The SDK raises whatever its many layers raise (a refusal may come out as a broken parse of an HTML
page); behind `framework.py` only these are seen.
"""


class NotAuthentic(Exception):  # noqa: N818 - a fact about the caller, not a fault of ours
    """The request does not come from Teams; `reason` is for the log, never for the caller."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class ConnectorRefused(Exception):  # noqa: N818 - a fact about the platform
    """Teams answered a call of ours with an error.

    Attributes:
        status: HTTP status, 400 to 599.
        reason: the beginning of what it said.
        retry_after_s: seconds it asks us to wait; None: it does not say.
    """

    def __init__(self, status: int, reason: str = "", retry_after_s: float | None = None) -> None:
        self.status = status
        self.reason = reason
        self.retry_after_s = retry_after_s
        super().__init__(f"{status} {reason}".rstrip())


class ConnectorUnreachable(Exception):  # noqa: N818 - a fact about the network
    """A call of ours got no answer.

    Attributes:
        arrived: it may have had its effect; False: it certainly never left us.
    """

    def __init__(self, reason: str, *, arrived: bool) -> None:
        self.arrived = arrived
        super().__init__(reason)
