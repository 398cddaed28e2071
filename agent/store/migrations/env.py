"""Alembic's entry point: runs the steps on the connection that `migrate` hands over."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=False,  # `migrate` holds the one transaction around all steps
)
context.run_migrations()
