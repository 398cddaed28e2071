"""Sources, documents, readers, sections and their full-text index."""

import sqlalchemy as sa
from alembic import op

from agent.store.types import UtcDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Add the tables."""
    _add_documents()
    _add_sections()
    _add_references()
    _add_state()
    if op.get_bind().dialect.name == "sqlite":
        _add_sqlite_index()
    else:
        _add_postgres_index()


def downgrade() -> None:
    """Going back is done with a backup."""
    raise RuntimeError("Restore a backup to go back to an older version.")


def _add_documents() -> None:
    op.create_table(
        "sources",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("audience", sa.JSON, nullable=False),
        sa.Column("contact", sa.Text, nullable=False),
        sa.Column("trust", sa.Text, nullable=False),
        sa.Column("egress", sa.Text, nullable=False),
        sa.Column("last_synced", UtcDateTime),
    )
    op.create_table(
        "documents",
        sa.Column("doc_id", sa.Text, primary_key=True),
        sa.Column(
            "source", sa.Text, sa.ForeignKey("sources.name", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("doc", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("pages", sa.Integer),
        sa.Column("modified", UtcDateTime),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("hidden_chars", sa.Integer, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("not_seen_since", UtcDateTime),
        sa.Column("links", sa.JSON, nullable=False),
        sa.Column("references_stale", sa.Boolean, nullable=False),
    )
    op.create_index("ix_documents_source_doc", "documents", ["source", "doc"])
    op.create_table(
        "readers",
        _document_key("doc_id"),
        sa.Column("audience", sa.Text, primary_key=True),
    )
    op.create_index("ix_readers_audience", "readers", ["audience"])


def _add_sections() -> None:
    op.create_table(
        "sections",
        _document_key("doc_id"),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("number", sa.Text, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("chars", sa.Integer, nullable=False),
        sa.Column("blocks", sa.Text, nullable=False),
        sa.Column("page_from", sa.Integer),
        sa.Column("page_to", sa.Integer),
        sa.Column("page_label", sa.Text, nullable=False),
        sa.Column("anchor", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("first_sentence", sa.Text, nullable=False),
    )
    op.create_index("ix_sections_doc_id_path", "sections", ["doc_id", "path"], unique=True)
    op.create_table(
        "stretches",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("doc_id", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("start_char", sa.Integer, nullable=False),
        sa.Column("end_char", sa.Integer, nullable=False),
        sa.Column("title_terms", sa.Text, nullable=False),
        sa.Column("heading_terms", sa.Text, nullable=False),
        sa.Column("body_terms", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["doc_id", "position"],
            ["sections.doc_id", "sections.position"],
            ondelete="CASCADE",
            name="fk_stretches_doc_id_sections",
        ),
    )
    op.create_index("ix_stretches_doc_id_position", "stretches", ["doc_id", "position"])


def _add_references() -> None:
    op.create_table(
        "cross_references",
        _document_key("from_doc"),
        _document_key("to_doc"),
        sa.Column("kind", sa.Text, primary_key=True),
    )
    op.create_index("ix_cross_references_to_doc", "cross_references", ["to_doc"])
    op.create_table(
        "abbreviations",
        _document_key("doc_id"),
        sa.Column("short", sa.Text, primary_key=True),
        sa.Column("long", sa.Text, primary_key=True),
    )
    op.create_index("ix_abbreviations_short", "abbreviations", ["short"])


def _add_state() -> None:
    op.create_table(
        "library_state",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("next_stretch", sa.BigInteger, nullable=False),
        sa.Column("changed_at", UtcDateTime),
    )
    op.execute("INSERT INTO library_state (id, version, next_stretch) VALUES (1, 0, 1)")


def _add_sqlite_index() -> None:
    # Our own terms, separated by blanks: the tokenizer must split nowhere else.
    op.execute(
        "CREATE VIRTUAL TABLE section_index USING fts5("
        "title_terms, heading_terms, body_terms, content = 'stretches', content_rowid = 'id', "
        "tokenize = \"ascii tokenchars '-_./@+#&'\")"
    )
    op.execute("CREATE VIRTUAL TABLE section_terms USING fts5vocab('section_index', 'row')")


def _add_postgres_index() -> None:
    op.execute(
        "CREATE TABLE section_index ("
        "stretch_id bigint PRIMARY KEY REFERENCES stretches (id) ON DELETE CASCADE, "
        "head tsvector NOT NULL, terms tsvector NOT NULL, length integer NOT NULL)"
    )
    op.execute("CREATE INDEX ix_section_index_terms ON section_index USING gin (terms)")
    op.execute("CREATE TABLE section_terms (term text PRIMARY KEY, doc integer NOT NULL)")


def _document_key(name: str) -> sa.Column[str]:
    return sa.Column(
        name, sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    )
