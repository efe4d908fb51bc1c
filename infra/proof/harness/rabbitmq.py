"""RabbitMQ on the loopback interface, run by another user than root where we are root."""

import base64
import hashlib
import json
import os
import pwd
import signal
import socket
import subprocess
import time

ACCOUNT = "rabbitmq"
SERVER = "/usr/lib/rabbitmq/bin/rabbitmq-server"


class RabbitMq:
    """A node with a folder, a port, a user for each kind of rights, and a directory of nodes that is stopped with it."""

    def __init__(self, folder, port, users):
        """Users are name, password and what they may configure, write and read."""
        self.port = port
        self.home = os.path.join(folder, "rabbitmq-%d" % port)
        os.makedirs(self.home)
        os.chmod(folder, 0o755)
        self.write("definitions.json", json.dumps(definitions(users)))
        self.write("rabbitmq.conf", "load_definitions = %s/definitions.json\n" % self.home)
        self.write("enabled_plugins", "[].\n")
        if os.geteuid() == 0:
            account = pwd.getpwnam(ACCOUNT)
            for path in (self.home, *(os.path.join(self.home, name) for name in os.listdir(self.home))):
                os.chown(path, account.pw_uid, account.pw_gid)
        self.directory = None
        self.server = None

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self):
        # RabbitMQ would start one that nothing stops.
        if not self.directory:
            self.directory = self.run("epmd", "-address", "127.0.0.1", "-port", str(self.port + 1))
            self.await_port(self.port + 1)
        self.server = self.run(SERVER)
        self.await_port(self.port)

    def run(self, *command):
        account = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []} if os.geteuid() == 0 else {}
        with open(os.path.join(self.home, "log"), "a", encoding="utf-8") as log:
            return subprocess.Popen(command, cwd=self.home, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, start_new_session=True, **account)

    def environment(self):
        return {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.home, "LANG": "C.UTF-8",
            "RABBITMQ_NODENAME": "trial-%d@localhost" % self.port, "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port), "RABBITMQ_DIST_PORT": str(self.port + 2),
            "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(self.port + 1),
            "RABBITMQ_MNESIA_BASE": os.path.join(self.home, "mnesia"), "RABBITMQ_LOG_BASE": self.home,
            "RABBITMQ_LOGS": "-", "RABBITMQ_PID_FILE": os.path.join(self.home, "pid"),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null", "RABBITMQ_CONFIG_FILE": os.path.join(self.home, "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": os.path.join(self.home, "enabled_plugins"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none",
        }

    def await_port(self, port, seconds=90):
        deadline = time.time() + seconds
        while True:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    return
            except OSError:
                if time.time() > deadline:
                    raise AssertionError("RabbitMQ does not start; see %s" % self.home) from None
                time.sleep(0.2)

    def kill(self):
        """Kills the node; the messages that it has confirmed are in its folder."""
        end(self.server)

    def stop(self):
        for process in (self.server, self.directory):
            if process:
                end(process)


def end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def definitions(users):
    return {
        "vhosts": [{"name": "/"}],
        "users": [{"name": name, "password_hash": hashed(password), "tags": "",
                   "hashing_algorithm": "rabbit_password_hashing_sha256"} for name, password, *_ in users],
        "permissions": [{"user": name, "vhost": "/", "configure": configure, "write": write, "read": read}
                        for name, _, configure, write, read in users],
    }


def hashed(password):
    """Returns the password as RabbitMQ stores it."""
    salt = os.urandom(4)
    return base64.b64encode(salt + hashlib.sha256(salt + password.encode()).digest()).decode()
