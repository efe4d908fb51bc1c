"""All services as data: the command and the account of each, and the check that it works."""

import collections.abc
import dataclasses
import json
import os
import socket
import urllib.error
import urllib.request

from testbed import database, place, zones

PYTHON = "/usr/bin/python3"

CHOICES = os.path.join(place.FOLDER, "choices.json")

# The number of hosts that run well in one process.
CROWD = 25


@dataclasses.dataclass(frozen=True)
class Choices:
    """The choices at the start of the cloud; they also apply to services that are started one by one."""

    hosts: int = 8
    filter: bool = False
    blazar: bool = False

    @staticmethod
    def recorded():
        try:
            with open(CHOICES, encoding="ascii") as file:
                return Choices(**json.load(file))
        except FileNotFoundError:
            return Choices()

    def record(self):
        with open(CHOICES, "w", encoding="ascii") as file:
            json.dump(dataclasses.asdict(self), file)

    def words(self):
        return "%d hosts, %s%s" % (self.hosts, "with Leasehold's filter" if self.filter else "without any plug-in",
                                   ", with Blazar" if self.blazar else "")


@dataclasses.dataclass(frozen=True)
class Service:
    """One service; `works` is called with the time since which the service should work."""

    name: str
    account: str
    command: tuple
    works: collections.abc.Callable
    port: int = 0
    environment: dict = dataclasses.field(default_factory=dict)

    def home(self):
        return place.data(home(self.name))


def home(name):
    """Returns the folder's name; services of one project share a folder."""
    return name.split("-", maxsplit=1)[0]


def layers(choices):
    """Returns the layers of services; each layer needs those before it."""
    return [
        [mariadb(), memcached(), epmd()],
        [rabbitmq(), wsgi("keystone", 5000, "/usr/bin/keystone-wsgi-public",
                          OS_KEYSTONE_CONFIG_DIR=place.CONFIGURATION, OS_KEYSTONE_CONFIG_FILES="keystone.conf"),
         wsgi("placement", 8778, "/usr/bin/placement-api", OS_PLACEMENT_CONFIG_DIR=place.CONFIGURATION)],
        [*computes(choices), *nova(choices), *others(), *(blazar() if choices.blazar else ())],
    ]


def every(choices):
    return [service for layer in layers(choices) for service in layer]


def mariadb():
    return Service("mariadb", "mysql", database.SERVER, lambda since: listens(3306) and answers_sql(), 3306)


def memcached():
    return Service("memcached", "memcache", ("memcached", "-l", place.LOOPBACK, "-p", "11211", "-m", "128"),
                   lambda since: listens(11211), 11211)


def epmd():
    """Returns Erlang's directory of nodes; RabbitMQ would start one that nothing stops."""
    return Service("epmd", "rabbitmq", ("epmd", "-address", place.LOOPBACK), lambda since: listens(4369), 4369)


def rabbitmq():
    folder = place.data("rabbitmq")
    # Debian's own script would change the user, which has been done.
    return Service("rabbitmq", "rabbitmq", ("/usr/lib/rabbitmq/bin/rabbitmq-server",),
                   lambda since: listens(5672), 5672, environment=rabbitmq_environment(folder))


def rabbitmq_environment(folder):
    return {
        "RABBITMQ_NODENAME": "testbed@localhost", "RABBITMQ_NODE_IP_ADDRESS": place.LOOPBACK,
        "RABBITMQ_NODE_PORT": "5672", "ERL_EPMD_ADDRESS": place.LOOPBACK,
        "RABBITMQ_MNESIA_BASE": os.path.join(folder, "mnesia"), "RABBITMQ_LOG_BASE": folder, "RABBITMQ_LOGS": "-",
        "RABBITMQ_PID_FILE": os.path.join(folder, "pid"), "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_ENABLED_PLUGINS_FILE": os.path.join(folder, "enabled_plugins"),
        "RABBITMQ_CONFIG_FILE": os.path.join(folder, "none"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2"
                                               " +sbwt none +sbwtdcpu none +sbwtdio none",
    }


def wsgi(name, port, application, **environment):
    # One process: each loads the whole application, which takes seconds of CPU.
    # Connections are closed after each answer: clients would use connections that uWSGI has half closed.
    command = ("uwsgi", "--plugins-dir", "/usr/lib/uwsgi/plugins", "--plugin", "python3",
               "--http-socket", "%s:%d" % (place.LOOPBACK, port), "--add-header", "Connection: close",
               "--wsgi-file", application, "--need-app", "--lazy-apps", "--master", "--die-on-term",
               "--processes", "1", "--threads", "8", "--buffer-size", "65535", "--disable-logging",
               "--procname-prefix", name + " ")
    return Service(name, name, command, lambda since: answers(port), port, environment)


def nova(choices):
    mode = place.configuration("nova-with-filter.conf" if choices.filter else "nova-without-plugin.conf")
    return [
        python("nova-conductor", takes("conductor.controller"), "nova.conf"),
        python("nova-scheduler", takes("scheduler.controller"), "nova.conf", mode),
        python("nova-api", lambda since: answers(8774), "nova.conf", mode, port=8774),
    ]


def others():
    return [
        python("neutron-server", lambda since: answers(9696), "neutron.conf", "ml2.conf", port=9696),
        python("glance-api", lambda since: answers(9292), "glance.conf", port=9292),
        python("cinder-api", lambda since: answers(8776), "cinder.conf", port=8776),
        python("cinder-scheduler", takes("cinder-scheduler.controller"), "cinder.conf"),
        python("cinder-volume", volumes_report, "cinder.conf",
               program=(PYTHON, os.path.join(place.LIBRARY, "testbed_volumes.py"))),
        python("heat-api", lambda since: answers(8004), "heat.conf", port=8004),
        python("heat-engine", heat_reports, "heat.conf"),
    ]


def blazar():
    return [
        python("blazar-api", lambda since: answers(place.BLAZAR_PORT), "blazar.conf", port=place.BLAZAR_PORT),
        python("blazar-manager", takes("blazar.manager"), "blazar.conf"),
    ]


def dashboard():
    """Returns Horizon, which only its own test starts. Its account is www-data, which owns Debian's key of sessions."""
    application = os.path.join(place.LIBRARY, "testbed_dashboard.py")
    return dataclasses.replace(wsgi("horizon", place.HORIZON_PORT, application), account="www-data")


def python(name, works, *files, port=0, program=None, arguments=()):
    command = list(program or ["/usr/bin/" + name])
    for file in files:
        command += ["--config-file", place.configuration(file)]
    return Service(name, home(name), (*command, *arguments), works, port)


def computes(choices):
    """Returns the compute services: many hosts in a process, and the last one alone, so that it can be killed alone."""
    names = [*zones.HOSTS, *("compute-%03d" % number for number in range(1, choices.hosts + 1))]
    crowds = [names[first:min(first + CROWD, len(names) - 1)] for first in range(0, len(names) - 1, CROWD)]
    return [compute("nova-compute-%d" % number, hosts) for number, hosts in enumerate([*crowds, names[-1:]], 1)]


def compute(name, hosts):
    return python(name, lambda since: hosts_work(hosts, since), "nova.conf",
                  program=(PYTHON, os.path.join(place.LIBRARY, "testbed_hypervisors.py")), arguments=("--", *hosts))


def listens(port):
    try:
        with socket.create_connection((place.LOOPBACK, port), timeout=5):
            return True
    except OSError:
        return False


def answers(port):
    """Returns true if the port answers HTTP, with any status."""
    try:
        with urllib.request.urlopen("http://%s:%d/" % (place.LOOPBACK, port), timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def answers_sql():
    return finds("SELECT 1")


def finds(question):
    try:
        return bool(database.ask(question))
    except database.DatabaseAway:
        return False


def takes(queue):
    """Returns a check that the queue has a consumer; a service that ends is removed from it at once."""
    def asked(since):
        # The library comes with OpenStack, and is not needed before that is installed.
        import amqp

        try:
            with amqp.Connection(place.LOOPBACK + ":5672") as connection:
                return connection.channel().queue_declare(queue, passive=True).consumer_count > 0
        except (amqp.exceptions.AMQPError, OSError):
            return False
    return asked


def volumes_report(since):
    return finds("SELECT host FROM cinder.services WHERE `binary` = 'cinder-volume' AND deleted = 0"
                 " AND updated_at >= '%s'" % since)


def heat_reports(since):
    return finds("SELECT id FROM heat.service WHERE `binary` = 'heat-engine' AND deleted_at IS NULL"
                 " AND created_at >= '%s'" % since)


def hosts_work(hosts, since):
    """Returns a check that each host reports, belongs to the cell, and has its inventory in Placement."""
    return finds("""
        SELECT 1 FROM nova.services s
        JOIN nova.compute_nodes n ON n.host = s.host AND n.deleted = 0
        JOIN nova_api.host_mappings m ON m.host = s.host
        JOIN placement.resource_providers p ON p.name = s.host
        WHERE s.`binary` = 'nova-compute' AND s.deleted = 0 AND s.updated_at >= '%s' AND s.host IN ('%s')
        AND EXISTS (SELECT 1 FROM placement.inventories i WHERE i.resource_provider_id = p.id)
        HAVING count(*) = %d""" % (since, "', '".join(hosts), len(hosts)))
