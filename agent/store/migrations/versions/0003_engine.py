"""Thread memory, traces and gaps."""

import sqlalchemy as sa
from alembic import op

from agent.store.types import UtcDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "turns",
        sa.Column("turn_id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("thread_key", sa.Text, nullable=False),
        sa.Column("scope_key", sa.Text, nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("understood", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_index("ix_turns_thread_key", "turns", ["thread_key", "at"])
    op.create_index("ix_turns_at", "turns", ["at"])
    op.create_table(
        "traces",
        sa.Column("trace_id", sa.Text, primary_key=True),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("scope_key", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("stop_reason", sa.Text),
        sa.Column("rounds", sa.Text, nullable=False),
        sa.Column("texts", sa.Text),
    )
    op.create_index("ix_traces_at", "traces", ["at"])
    op.create_table(
        "gaps",
        sa.Column("gap_id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("scope_key", sa.Text, nullable=False),
        sa.Column("direct", sa.Boolean, nullable=False),
        sa.Column("nearest_doc", sa.Text, nullable=False),
        sa.Column("nearest_title", sa.Text, nullable=False),
        sa.Column("trace_id", sa.Text, nullable=False),
    )
    op.create_index("ix_gaps_at", "gaps", ["at"])


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
