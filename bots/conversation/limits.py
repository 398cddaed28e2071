"""How much one asker and one channel may ask in a minute, counted in the store.

So that the limits hold across restarts and replicas; what was refused does not count.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from bots.ports import Incoming
from config.settings import ConversationSettings

WINDOW_S = 60


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
    """The limit that one more question would go over; None: it may be asked."""
    recent = (
        sa.select(sa.func.count())
        .select_from(questions)
        .where(questions.c.accepted_at > (now - timedelta(seconds=WINDOW_S)).timestamp())
        .where(questions.c.over == "")
    )
    by_asker = recent.where(questions.c.asker == incoming.asker)
    if connection.execute(by_asker).scalar_one() >= settings.asker_per_minute:
        return Limit.ASKER
    in_channel = recent.where(questions.c.conversation_key == incoming.conversation_key)
    if connection.execute(in_channel).scalar_one() >= settings.channel_per_minute:
        return Limit.CHANNEL
    return None
