"""Questions and their state, limits and the audit."""

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the tables."""


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")
