"""What we posted in Teams, what was thought of it, and where people are written to privately."""

import sqlalchemy as sa
from alembic import op

from agent.store.types import UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "teams_replies",
        sa.Column("message_key", sa.Text, primary_key=True),
        sa.Column("working_id", sa.Text, nullable=False),
        sa.Column("conversation_key", sa.Text, nullable=False),
        sa.Column("posted", sa.Text, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
    )
    op.create_index("ix_teams_replies_at", "teams_replies", ["at"])
    op.create_index(
        "ix_teams_replies_conversation_key", "teams_replies", ["conversation_key", "at"]
    )
    op.create_table(
        "teams_personal_chats",
        sa.Column("asker", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "teams_votes",
        sa.Column("vote_id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("message_key", sa.Text, nullable=False),
        sa.Column("asker", sa.Text, nullable=False),
        sa.Column("liked", sa.Boolean, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
    )
    op.create_index("ix_teams_votes_at", "teams_votes", ["at"])


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
