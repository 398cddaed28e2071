"""Questions and their state, limits and the audit."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the tables."""
    _add_questions()
    _add_audit()


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")


def _add_questions() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("message_key", sa.Text, nullable=False),
        sa.Column("conversation_key", sa.Text, nullable=False),
        sa.Column("thread_key", sa.Text, nullable=False),
        sa.Column("memory_key", sa.Text, nullable=False),
        sa.Column("asker", sa.Text, nullable=False),
        sa.Column("incoming", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("over", sa.String(16), nullable=False),
        sa.Column("follow", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("working_id", sa.Text, nullable=False),
        sa.Column("reply_id", sa.Text, nullable=False),
        sa.Column("post_begun", sa.Boolean, nullable=False),
        sa.Column("accepted_at", sa.Float, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("lease_until", sa.Float, nullable=False),
    )
    op.create_index(
        "ix_questions_platform_message_key", "questions", ["platform", "message_key"], unique=True
    )
    op.create_index("ix_questions_state_lease_until", "questions", ["state", "lease_until"])
    op.create_index("ix_questions_thread_key", "questions", ["thread_key"])
    op.create_index(
        "ix_questions_conversation_key_accepted_at",
        "questions",
        ["conversation_key", "accepted_at"],
    )
    op.create_index("ix_questions_asker_accepted_at", "questions", ["asker", "accepted_at"])


def _add_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("conversation_key", sa.Text, nullable=False),
        sa.Column("message_key", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("audiences", sa.Text, nullable=False),
        sa.Column("trace_id", sa.Text, nullable=False),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_actor", "audit", ["actor"])
    op.create_table(
        "audit_citations",
        sa.Column(
            "audit_id", sa.Integer, sa.ForeignKey("audit.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("doc_id", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("section_path", sa.Text, nullable=False),
    )
    op.create_index("ix_audit_citations_doc_id", "audit_citations", ["doc_id"])
