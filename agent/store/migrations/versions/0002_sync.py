"""The ledger of the sync and its runs."""

import sqlalchemy as sa
from alembic import op

from agent.store.types import UtcDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "sync_ledger",
        sa.Column("doc_id", sa.Text, primary_key=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("native_id", sa.Text, nullable=False),
        sa.Column("doc", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("file_id", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("modified", UtcDateTime),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("refused_hash", sa.Text, nullable=False),
        sa.Column("parser_version", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("has_copy", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("readers", sa.Text, nullable=False),
        sa.Column("added_at", UtcDateTime, nullable=False),
        sa.Column("missing_since", UtcDateTime),
    )
    op.create_index("ix_sync_ledger_source", "sync_ledger", ["source"])
    op.create_index("ix_sync_ledger_content_hash", "sync_ledger", ["content_hash"])
    op.create_table(
        "sync_sources",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("started_at", UtcDateTime),
        sa.Column("heartbeat_at", UtcDateTime),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("finished_at", UtcDateTime),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("hint", sa.Text, nullable=False),
        sa.Column("report", sa.JSON),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("complete_at", UtcDateTime),
    )


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
