"""Alembic environment: runs on the connection that `nexus.db.migrate` hands over."""

from alembic import context

from nexus.db.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    compare_server_default=True,
)
context.run_migrations()
