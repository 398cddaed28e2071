"""Progress for questions that nobody watches."""

from agent.domain import ProgressEvent


class Silent:
    """Progress that nobody watches."""

    async def show(self, event: ProgressEvent) -> None:
        """Show nothing."""
