"""The ledger of the sync and its runs."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables."""


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
