"""How much one asker and one channel may ask in a minute, counted in the store.

So that the limits hold across restarts and replicas; what was refused does not count.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from bots.admin.words import command_in
from bots.ports import Incoming
from config.settings import ConversationSettings

WINDOW_S = 60
WORDS_SPARE = 5
"""Admin words may be so many times as frequent: an operator is not locked out in an incident."""


class Limit(StrEnum):
    """What was gone over."""

    ASKER = "asker"
    CHANNEL = "channel"


def over_limit(
    connection: Connection,
    questions: sa.Table,
    incoming: Incoming,
    now: datetime,
    settings: ConversationSettings,
) -> Limit | None:
    """The limit that one more message would go over; None: it may be asked."""
    spare = WORDS_SPARE if command_in(incoming) else 1
    recent = (
        sa.select(sa.func.count())
        .select_from(questions)
        .where(questions.c.accepted_at > (now - timedelta(seconds=WINDOW_S)).timestamp())
        .where(questions.c.over == "")
    )
    by_asker = recent.where(questions.c.asker == incoming.asker)
    if connection.execute(by_asker).scalar_one() >= spare * settings.asker_per_minute:
        return Limit.ASKER
    in_channel = recent.where(questions.c.conversation_key == incoming.conversation_key)
    if connection.execute(in_channel).scalar_one() >= spare * settings.channel_per_minute:
        return Limit.CHANNEL
    return None
