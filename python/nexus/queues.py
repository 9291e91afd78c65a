"""The queues' names, for those who serve them and those who only look at them."""

INGEST_QUEUE = "ingest"
DEFAULT_QUEUE = "default"
PICTURES_QUEUE = "pictures"

QUEUES = (INGEST_QUEUE, DEFAULT_QUEUE, PICTURES_QUEUE)
