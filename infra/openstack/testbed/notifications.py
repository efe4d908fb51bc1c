"""Nova's notifications over RabbitMQ, in both of its formats."""

import json

import kombu

from testbed import configuration

KEYS = ("notifications.info", "versioned_notifications.info")


class Notifications:
    def __init__(self):
        self.connection = kombu.Connection(configuration.RABBITMQ.replace("rabbit:", "amqp:"))
        # Declared as Nova declares it; the first of the two creates it.
        exchange = kombu.Exchange("nova", "topic", durable=False, auto_delete=False)
        self.queues = [kombu.Queue("", exchange, key, exclusive=True, durable=False)(self.connection.default_channel)
                       for key in KEYS]
        for queue in self.queues:
            queue.declare()

    def heard(self):
        """Returns the names of the notifications since the last call, in the old and in the new format."""
        return [set(self._drain(queue)) for queue in self.queues]

    @staticmethod
    def _drain(queue):
        while True:
            message = queue.get(no_ack=True)
            if message is None:
                return
            yield json.loads(message.payload["oslo.message"])["event_type"]

    def close(self):
        self.connection.release()
