"""Thread memory, traces and gaps."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the tables."""


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
