"""The tables of the library.

The full-text index is not here: its form differs between the databases (`fulltext.py`).
A *stretch* is the run of a section that the index holds as one row, about 1,200 characters, so
that a long article costs no more to search than a short page. Its terms are kept beside it,
separated by blanks, so that candidates are scored without being read.
"""

import sqlalchemy as sa

from agent.store.engine import metadata
from agent.store.types import UtcDateTime

sources = sa.Table(
    "sources",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("audience", sa.JSON, nullable=False),
    sa.Column("contact", sa.Text, nullable=False),
    sa.Column("trust", sa.Text, nullable=False),
    sa.Column("egress", sa.Text, nullable=False),
    sa.Column("last_synced", UtcDateTime),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("doc_id", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, sa.ForeignKey("sources.name", ondelete="CASCADE"), nullable=False),
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
    sa.Column("attached_to", sa.Text),
    sa.Column("author", sa.Text, nullable=False, server_default=""),
    sa.Column("effective", sa.Text, nullable=False, server_default=""),
    sa.Column("updated", sa.Text, nullable=False, server_default=""),
    sa.Column("version", sa.Text, nullable=False, server_default=""),
    sa.Column("notes", sa.Text, nullable=False, server_default=""),
    sa.Index("ix_documents_source_doc", "source", "doc"),
    sa.Index("ix_documents_attached_to", "attached_to"),
)

readers = sa.Table(
    "readers",
    metadata,
    sa.Column(
        "doc_id", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("audience", sa.Text, primary_key=True),
    sa.Index("ix_readers_audience", "audience"),
)

sections = sa.Table(
    "sections",
    metadata,
    sa.Column(
        "doc_id", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
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
    sa.Column("see_also", sa.JSON, nullable=False, server_default="[]"),
    sa.Index("ix_sections_doc_id_path", "doc_id", "path", unique=True),
)

renamed_sections = sa.Table(
    "renamed_sections",
    metadata,
    sa.Column(
        "doc_id", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("before", sa.Text, primary_key=True),
    sa.Column("path", sa.Text, nullable=False),
)

stretches = sa.Table(
    "stretches",
    metadata,
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
    sa.Index("ix_stretches_doc_id_position", "doc_id", "position"),
)

vectors = sa.Table(
    "vectors",
    metadata,
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

cross_references = sa.Table(
    "cross_references",
    metadata,
    sa.Column(
        "from_doc", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column(
        "to_doc", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Index("ix_cross_references_to_doc", "to_doc"),
)

abbreviations = sa.Table(
    "abbreviations",
    metadata,
    sa.Column(
        "doc_id", sa.Text, sa.ForeignKey("documents.doc_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("short", sa.Text, primary_key=True),
    sa.Column("long", sa.Text, primary_key=True),
    sa.Index("ix_abbreviations_short", "short"),
)

library_state = sa.Table(
    "library_state",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("next_stretch", sa.BigInteger, nullable=False),
    sa.Column("changed_at", UtcDateTime),
    sa.Column("vectors_version", sa.BigInteger, nullable=False, server_default="0"),
)
