"""What every process would otherwise work out for itself after its fork: import it before.

Reads the settings, which other modules do not while they are imported, and connects to nothing.
"""

from sqlalchemy.orm import configure_mappers

import nexus.db.models
import nexus.tasks  # noqa: F401 - the tasks that are bound below
from nexus.celery import celery_app
from nexus.db.session import create_database_engine, database_url

configure_mappers()
celery_app.finalize()
# Loads the dialect; each process makes an engine of its own.
create_database_engine(database_url())
