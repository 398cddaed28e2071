"""Vectors of the library's texts."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "vectors",
        sa.Column(
            "stretch_id",
            sa.BigInteger,
            sa.ForeignKey("stretches.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("doc_id", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("vector", sa.LargeBinary, nullable=False),
    )
    op.add_column(
        "library_state",
        sa.Column("vectors_version", sa.BigInteger, nullable=False, server_default="0"),
    )


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
