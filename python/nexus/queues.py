"""The names of the queues."""

INGEST_QUEUE = "ingest"
DEFAULT_QUEUE = "default"
LATER_QUEUE = "later"
PICTURES_QUEUE = "pictures"

QUEUES = (INGEST_QUEUE, DEFAULT_QUEUE, LATER_QUEUE, PICTURES_QUEUE)
