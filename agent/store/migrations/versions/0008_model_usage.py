"""Tokens a model used, by day."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "model_usage",
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("tokens", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
