"""Checks notifications as Ceilometer receives them: their order and content, each once, also after kills."""

import collections
import datetime
import json
import logging
import os
import re
import threading

import amqp
import kombu
import oslo_messaging
from oslo_config import cfg

from harness.rabbitmq import RabbitMq
from harness.trial import Trial, arguments
from harness.waiting import await_that

EXCHANGE = "openstack"
QUEUE = "notifications.info"
PASSWORD = "never-in-a-log"

# Only the rights that the documentation names.
RIGHTS = "^(openstack|notifications\\.info)$"
USERS = (("leasehold", PASSWORD, RIGHTS, RIGHTS, "^openstack$"), ("listener", "listener", ".*", ".*", ".*"))

PAYLOAD = {"lease_id", "user_id", "project_id", "trust_id", "name", "start_date", "end_date", "status", "degraded",
           "created_at", "updated_at", "reservations", "events"}
MESSAGE = {"message_id", "publisher_id", "event_type", "priority", "payload", "timestamp"}


class Tap:
    """A queue beside the listeners' queue, with every message ever sent, including repeats, in its wire format."""

    def __init__(self, port):
        self.url = "amqp://listener:listener@127.0.0.1:%d//" % port
        exchange = kombu.Exchange(EXCHANGE, "topic", durable=True)
        self.queue = kombu.Queue("tap", exchange, QUEUE, durable=True)
        self.taken = []
        with kombu.Connection(self.url) as connection:
            self.queue(connection.default_channel).declare()

    def messages(self):
        """Returns all messages until now, in their order."""
        try:
            with kombu.Connection(self.url, connect_timeout=5) as connection:
                queue = self.queue(connection.default_channel)
                while (message := queue.get()) is not None:
                    self.taken.append(message)
                    message.ack()
        except (OSError, kombu.exceptions.OperationalError, amqp.exceptions.AMQPError):
            pass  # RabbitMQ is not available.
        return [json.loads(wire(message)["oslo.message"]) for message in self.taken]

    def first(self):
        """Returns the messages without repeats."""
        seen = {}
        for message in self.messages():
            seen.setdefault(message["message_id"], message)
        return list(seen.values())

    def of(self, lease):
        return [message for message in self.first() if message["payload"]["lease_id"] == lease]

    def types(self, lease):
        return [message["event_type"] for message in self.of(lease)]


def wire(message):
    return json.loads(message.body)


class Listener:
    """A listener of oslo.messaging, like Ceilometer's."""

    def __init__(self, folder, port):
        file = os.path.join(folder, "listener.conf")
        with open(file, "w", encoding="utf-8") as options:
            options.write("[oslo_messaging_rabbit]\namqp_durable_queues = true\n")
        configuration = cfg.ConfigOpts()
        configuration(["--config-file", file], project="listener")
        transport = oslo_messaging.get_notification_transport(
            configuration, url="rabbit://listener:listener@127.0.0.1:%d//" % port)
        self.heard = []
        self.listener = oslo_messaging.get_notification_listener(
            transport, [oslo_messaging.Target(topic="notifications", exchange=EXCHANGE)], [self], executor="threading")
        self.listener.start()

    def info(self, context, publisher_id, event_type, payload, metadata):
        self.heard.append((metadata["message_id"], publisher_id, event_type, payload["lease_id"], context["project_id"]))

    def stop(self):
        self.listener.stop()
        self.listener.wait()


def ask(engine, method, path, body=None, user="demo"):
    status, text = engine.call(user, method, path, body)
    if status >= 300:
        raise AssertionError("%s %s: %d %s" % (method, path, status, text))
    return json.loads(text) if text else None


def date(**after):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**after)).strftime("%Y-%m-%d %H:%M")


def create(engine, name, start="now", **length):
    return ask(engine, "POST", "/v1/leases", {
        "name": name, "start_date": start, "end_date": date(**(length or {"hours": 3})),
        "reservations": [{"resource_type": "physical:host", "min": 1, "max": 1, "hypervisor_properties": "",
                          "resource_properties": ""}]})["lease"]["id"]


def change(engine, lease, **fields):
    ask(engine, "PUT", "/v1/leases/" + lease, fields)


def shown(engine, lease):
    """Returns the lease as the API shows it, with its id under the name that it has in notifications."""
    fields = ask(engine, "GET", "/v1/leases/" + lease)["lease"]
    fields["lease_id"] = fields.pop("id")
    return fields


def awaited(trial, tap, lease, wanted, what):
    await_that(lambda: len(tap.types(lease)) >= len(wanted), "%s: %s" % (what, tap.types(lease)))
    trial.count(tap.types(lease) == wanted, what, tap.types(lease))
    return tap.of(lease)[-1]["payload"]


def metric(engine, name):
    _, text = engine.call("admin", "GET", "/actuator/prometheus", headers={"Accept": "text/plain"})
    found = re.search(r'%s\{publication="notifications"\} (\S+)' % name, text)
    return found and float(found.group(1))


def live(trial, engine, tap):
    """Checks the notifications of each step of one lease, from creation to deletion."""
    later = create(engine, "later", date(hours=24), hours=25)
    payload = awaited(trial, tap, later, ["lease.create"], "a lease is created")
    trial.count(payload == shown(engine, later), "and the payload is the lease, as the API shows it",
                {"sent": payload, "shown": shown(engine, later)})
    trial.count(set(payload) == PAYLOAD and payload["status"] == "PENDING" and payload["trust_id"] is None,
                "it has Blazar's keys, and no trust", payload)
    change(engine, later, end_date=date(hours=26), reservations=[
        {"id": payload["reservations"][0]["id"], "min": 1, "max": 2}])
    payload = awaited(trial, tap, later, ["lease.create", "lease.update"], "a change of several things is one update")
    trial.count(payload == shown(engine, later) and payload["reservations"][0]["max"] == 2,
                "in which all of it is there", {"sent": payload, "shown": shown(engine, later)})

    lease = create(engine, "now")
    sent = ["lease.create", "lease.event.start_lease"]
    payload = awaited(trial, tap, lease, sent, "it starts")
    trial.count(payload["status"] == "ACTIVE" and payload["reservations"][0]["status"] == "active", "and is active", payload)
    change(engine, lease, end_date=date(minutes=20))
    sent += ["lease.update", "lease.event.before_end_lease"]
    payload = awaited(trial, tap, lease, sent, "its end is near, and announced")
    trial.count([each["status"] for each in payload["events"] if each["event_type"] == "before_end_lease"] == ["DONE"],
                "which is done", payload)
    change(engine, lease, end_date=date(hours=4), before_end_date=date(hours=3))
    sent += ["lease.update", "lease.event.before_end_lease.stop"]
    awaited(trial, tap, lease, sent, "its end moves away, and the announcement is taken back")
    change(engine, lease, name="another name")
    ask(engine, "POST", "/api/leases/%s/end" % lease)
    sent += ["lease.event.end_lease"]
    payload = awaited(trial, tap, lease, sent, "it ends; a new name alone is not sent")
    trial.count(payload["status"] == "TERMINATED" and payload["name"] == "another name", "it is over", payload)
    ask(engine, "DELETE", "/v1/leases/" + lease)
    sent += ["lease.delete"]
    payload = awaited(trial, tap, lease, sent, "it is deleted")
    trial.count(payload["status"] == "DELETING", "and says so", payload)
    running = create(engine, "deleted while it runs")
    awaited(trial, tap, running, ["lease.create", "lease.event.start_lease"], "another one starts")
    ask(engine, "DELETE", "/v1/leases/" + running)
    awaited(trial, tap, running, ["lease.create", "lease.event.start_lease", "lease.delete"],
            "and is deleted, without a notification of its end")


def check_form(trial, tap):
    messages = tap.messages()
    trial.count(len({message["message_id"] for message in messages}) == len(messages), "no notification was sent twice")
    trial.count(all(MESSAGE <= set(message) and message["priority"] == "INFO" and message["publisher_id"] == "blazar.lease"
                    and re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}", message["timestamp"])
                    for message in messages), "each has what oslo.messaging gives one", messages[:1])
    trial.count(all(wire(each)["oslo.version"] == "2.0" and set(wire(each)) == {"oslo.version", "oslo.message"}
                    and each.properties["delivery_mode"] == 2 and each.content_type == "application/json"
                    and each.properties["message_id"] == message["message_id"]
                    for each, message in zip(tap.taken, messages)), "in its envelope, to be kept")


def without_broker(trial, engine, rabbit, tap):
    rabbit.kill()
    made = [create(engine, "meanwhile %d" % number, date(hours=30 + 2 * number), hours=31 + 2 * number)
            for number in range(20)]
    for lease in made[::2]:
        ask(engine, "DELETE", "/v1/leases/" + lease)
    await_that(lambda: metric(engine, "leasehold_publication_failing") == 1, "it is seen that nothing goes on")
    trial.count(metric(engine, "leasehold_publication_lag") > 20, "while RabbitMQ is dead, all waits")
    rabbit.start()
    await_that(lambda: metric(engine, "leasehold_publication_lag") == 0
               and metric(engine, "leasehold_publication_failing") == 0, "it goes on")
    wanted = [["lease.create", "lease.delete"], ["lease.create"]]
    trial.count([tap.types(lease) for lease in made] == wanted * 10, "and then nothing of it is missing, each in its order",
                [tap.types(lease) for lease in made])


def killed_engine(trial, engine, tap):
    """Kills the engine twice while it creates leases and sends notifications of them."""
    made = []
    for kill in range(2):
        maker = threading.Thread(target=make, args=(engine, made, kill))
        maker.start()
        await_that(lambda: len(made) > 10 * kill + 5, "leases are made")
        engine.kill()
        maker.join()
        engine.start()
    await_that(lambda: metric(engine, "leasehold_publication_lag") == 0, "all notifications are sent")
    leases = {lease["id"] for lease in ask(engine, "GET", "/v1/leases")["leases"]}
    trial.count(leases.issuperset(made) and len(made) >= 12, "leases were made until the engine died", len(made))
    created = collections.Counter(message["payload"]["lease_id"] for message in tap.first()
                                  if message["event_type"] == "lease.create")
    trial.count(all(created[lease] == 1 for lease in leases), "each lease has exactly one notification, without repeats",
                {lease: created[lease] for lease in leases if created[lease] != 1})
    print("  %d of %d messages were repeats" % (len(tap.messages()) - len(tap.first()), len(tap.messages())), flush=True)


def make(engine, made, kill):
    try:
        for number in range(1000):
            hours = 100 + kill * 1000 + 2 * number
            made.append(create(engine, "killed", date(hours=hours), hours=hours + 1))
    except OSError:
        pass  # The engine was killed.


def check_listener(trial, tap, port):
    """Checks a listener that connects at the end: the queue has kept every message for it."""
    listener = Listener(trial.folder, port)
    try:
        wanted = {(message["message_id"], "blazar.lease", message["event_type"], message["payload"]["lease_id"],
                   message["payload"]["project_id"]) for message in tap.first()}
        await_that(lambda: set(listener.heard) >= wanted, "the listener hears all")
        trial.count(set(listener.heard) == wanted, "a listener of oslo.messaging's hears all of it, though it came late")
    finally:
        listener.stop()


def main():
    given = arguments(12710)
    # The library logs each repeat that it drops.
    logging.getLogger("oslo_messaging").addHandler(logging.NullHandler())
    with Trial("notifications") as trial:
        rabbit = RabbitMq(trial.folder, given.port + 2, USERS)
        trial.afterwards.callback(rabbit.stop)
        rabbit.start()
        tap = Tap(rabbit.port)
        postgres = trial.postgres(given.port).create()
        engine = trial.engine("engine", given.port + 1, 4, postgres, given.classpath_file)
        for setting, value in (("hosts", "127.0.0.1:%d" % rabbit.port), ("user", "leasehold"), ("password", PASSWORD)):
            engine.settings["leasehold.notifications." + setting] = value
        engine.start()
        for number in range(1, 5):
            ask(engine, "POST", "/v1/os-hosts", {"name": "compute-%d" % number}, "admin")
        live(trial, engine, tap)
        check_form(trial, tap)
        without_broker(trial, engine, rabbit, tap)
        killed_engine(trial, engine, tap)
        check_listener(trial, tap, rabbit.port)
        with open(engine.log, encoding="utf-8") as log:
            trial.count(PASSWORD not in log.read(), "the password is in no log")


if __name__ == "__main__":
    main()
