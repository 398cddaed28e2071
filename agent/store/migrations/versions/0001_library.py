"""Sources, documents, readers, sections and their full-text index."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Add the tables."""


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
