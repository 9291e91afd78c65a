"""The names of the queues."""

INGEST_QUEUE = "ingest"
DEFAULT_QUEUE = "default"
PICTURES_QUEUE = "pictures"

QUEUES = (INGEST_QUEUE, DEFAULT_QUEUE, PICTURES_QUEUE)
