"""What documents say of themselves and of each other, and where renamed sections went."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add columns of the map and the table of renamed sections."""
    for name in ("author", "effective", "updated", "version", "notes"):
        op.add_column("documents", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.add_column("sections", sa.Column("see_also", sa.JSON, nullable=False, server_default="[]"))
    op.create_table(
        "renamed_sections",
        sa.Column(
            "doc_id",
            sa.Text,
            sa.ForeignKey("documents.doc_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("before", sa.Text, primary_key=True),
        sa.Column("path", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
