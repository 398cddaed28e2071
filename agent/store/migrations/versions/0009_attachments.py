"""Documents that hang on another one: attachments of mails."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column."""
    op.add_column("documents", sa.Column("attached_to", sa.Text))
    op.create_index("ix_documents_attached_to", "documents", ["attached_to"])


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
