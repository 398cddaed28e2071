"""Answers that are served again while all they rest on is unchanged."""

import sqlalchemy as sa
from alembic import op

from agent.store.types import UtcDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "remembered_answers",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("at", UtcDateTime, nullable=False, index=True),
        sa.Column("trace_id", sa.Text, nullable=False, index=True),
        sa.Column("rests_on", sa.JSON, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
