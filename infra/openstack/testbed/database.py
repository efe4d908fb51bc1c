"""MariaDB: one server for all services, which the testbed also queries directly to see if they work."""

import os
import subprocess

from testbed import place, release

NAMES = ("keystone", "placement", "glance", "nova_api", "nova", "nova_cell0", "neutron", "cinder", "heat", "blazar")

USER = "openstack"
SOCKET = os.path.join(place.data("mariadb"), "mariadb.sock")

# A starting server removes the temporary tables in its folder for them. With a folder that all share, it would remove
# those of another testbed.
TEMPORARY = place.data("mariadb")

# The last second may be lost if the machine fails; in return, migrations take a third of the time.
SERVER = (
    "/usr/sbin/mariadbd", "--no-defaults", "--datadir=" + place.data("mariadb"), "--socket=" + SOCKET,
    "--tmpdir=" + TEMPORARY,
    "--pid-file=" + os.path.join(place.data("mariadb"), "mariadb.pid"),
    "--bind-address=" + place.LOOPBACK, "--port=3306", "--skip-name-resolve", "--max-connections=1000",
    "--character-set-server=utf8mb3", "--collation-server=utf8mb3_general_ci", "--skip-log-bin",
    # Since 11.5, connections have other collations than the server. Earlier releases ignore the option.
    "--loose-character-set-collations=utf8mb3=utf8mb3_general_ci",
    # Since 11.6, a transaction fails if another one has changed its row: OpenStack does not expect that.
    "--loose-innodb-snapshot-isolation=OFF",
    "--innodb-buffer-pool-size=512M", "--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync",
    "--innodb-doublewrite=0",
)


def url(name):
    return "mysql+pymysql://%s:%s@%s/%s?charset=utf8" % (USER, place.PASSWORD, place.LOOPBACK, name)


def create():
    """Creates an empty data folder, whose superuser is root of this machine."""
    with open(place.log("mariadb"), "a", encoding="utf-8") as text:
        subprocess.run(as_root("TMPDIR=" + TEMPORARY, "mysql_install_db", "--no-defaults", "--user=mysql",
                               "--datadir=" + place.data("mariadb"), "--auth-root-authentication-method=socket",
                               "--auth-root-socket-user=root", "--skip-test-db"), stdout=text, stderr=text, check=True)


def prepare():
    """Creates the databases and users of the services; MariaDB must run."""
    for name in NAMES:
        ask("CREATE DATABASE IF NOT EXISTS %s" % name)
    ask("CREATE USER IF NOT EXISTS '%s'@'%s' IDENTIFIED BY '%s'" % (USER, place.LOOPBACK, place.PASSWORD))
    ask("GRANT ALL ON *.* TO '%s'@'%s'" % (USER, place.LOOPBACK))


def ask(statement):
    """Runs a statement; returns rows of words."""
    answer = subprocess.run(as_root("mariadb", "--no-defaults", "--socket=" + SOCKET, "--user=root", "--batch",
                                    "--skip-column-names", "--execute", statement),
                            capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise DatabaseAway(answer.stderr)
    return [row.split("\t") for row in answer.stdout.splitlines()]


def as_root(*command):
    return release.inside("root", place.FOLDER, *command)


class DatabaseAway(Exception):
    """MariaDB does not answer, or rejects the statement."""
