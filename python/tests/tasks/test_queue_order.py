"""Sweeps go before articles, and articles before pictures, however many wait."""

# mypy: disable-error-code="no-untyped-call"

from kombu.entity import Queue
from kombu.message import Message
from kombu.messaging import Consumer, Producer

from nexus.celery import celery_app
from nexus.queues import DEFAULT_QUEUE, INGEST_QUEUE, PICTURES_QUEUE
from tests.patience import PATIENCE_SECONDS
from tests.queues import forget_queued

EACH = 4


def test_what_matters_more_never_queues_behind_the_rest() -> None:
    forget_queued()
    taken: list[str] = []

    def take(name: str, message: Message) -> None:
        taken.append(name)
        message.ack()

    queues = [Queue(name) for name in (PICTURES_QUEUE, INGEST_QUEUE, DEFAULT_QUEUE)]
    with celery_app.connection_for_read() as connection, connection.channel() as channel:
        for queue in queues:
            bound = queue.bind(channel)
            bound.declare()
            bound.purge()
            for _ in range(EACH):
                Producer(channel).publish(queue.name, routing_key=queue.name)
        with Consumer(channel, queues=queues, callbacks=[take], prefetch_count=1):
            while len(taken) < 3 * EACH:
                connection.drain_events(timeout=PATIENCE_SECONDS)
    assert taken == [DEFAULT_QUEUE] * EACH + [INGEST_QUEUE] * EACH + [PICTURES_QUEUE] * EACH
