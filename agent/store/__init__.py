"""The one database: engine, transactions, the one MetaData, migrations."""

from agent.store.engine import Store, metadata, open_store

__all__ = ["Store", "metadata", "open_store"]
