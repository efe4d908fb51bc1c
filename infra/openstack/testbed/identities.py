"""Users, projects, roles and the catalog in Keystone, and a clouds.yaml for all of them."""

import json
import os

from testbed import place
from testbed.rest import Cloud

PROJECTS = ("admin", "service", "demo", "other")

# A fresh Keystone has admin, member and reader, each of which includes the next one.
ROLES = ("service", "heat_stack_user")

# Name, project, roles. The administrator has this role in the users' projects, too.
USERS = (
    ("admin", "admin", ("admin",)),
    ("admin", "demo", ("admin",)),
    ("admin", "other", ("admin",)),
    ("demo", "demo", ("member",)),
    ("other", "other", ("member",)),
    ("reader", "demo", ("reader",)),
    ("leasehold", "service", ("admin", "service")),
    *((service, "service", ("admin", "service"))
      for service in ("placement", "glance", "nova", "neutron", "cinder", "heat", "blazar")),
)

# Users with an entry in clouds.yaml, and their projects.
PEOPLE = {"admin": "admin", "demo": "demo", "other": "other", "reader": "demo", "leasehold": "service"}

AT = "http://%s:" % place.LOOPBACK
SERVICES = (
    ("placement", "placement", AT + "8778"),
    ("glance", "image", AT + "9292"),
    ("nova", "compute", AT + "8774/v2.1"),
    ("neutron", "network", AT + "9696"),
    ("cinder", "block-storage", AT + "8776/v3"),
    # Nova and older clients look for the service under this name.
    ("cinderv3", "volumev3", AT + "8776/v3/%(project_id)s"),
    ("heat", "orchestration", AT + "8004/v1/%(project_id)s"),
    ("leasehold", "reservation", AT + "1234/v1"),
)


def bootstrap_arguments():
    """Returns the arguments that create the first user, who creates all others."""
    arguments = ["--bootstrap-password", place.PASSWORD, "--bootstrap-region-id", place.REGION]
    for interface in "public", "internal", "admin":
        arguments += ["--bootstrap-%s-url" % interface, AT + "5000/v3"]
    return arguments


def create():
    """Creates what is missing; existing users, projects and roles stay unchanged."""
    keystone = Identities(Cloud("admin"))
    projects = {name: keystone.ensure("project", name, domain_id="default") for name in PROJECTS}
    for name in ROLES:
        keystone.ensure("role", name)
    for name, project, roles in USERS:
        user = keystone.ensure("user", name, domain_id="default", password=place.PASSWORD)
        for role in roles:
            keystone.grant(role, "projects", projects[project], user)
    # The domain of Heat's own users.
    domain = keystone.ensure("domain", "heat")
    keystone.grant("admin", "domains", domain,
                   keystone.ensure("user", "heat_domain_admin", domain_id=domain, password=place.PASSWORD))
    for name, kind, url in SERVICES:
        service = keystone.ensure("service", name, type=kind)
        if not keystone.find("endpoints", service_id=service):
            for interface in "public", "internal", "admin":
                keystone.make("endpoint", service_id=service, interface=interface, url=url, region_id=place.REGION)


class Identities:
    def __init__(self, cloud):
        self.cloud = cloud

    def ensure(self, kind, name, **fields):
        """Creates the object unless it exists; returns its id."""
        where = {"name": name, **({"domain_id": fields["domain_id"]} if kind == "user" else {})}
        found = self.find(kind + "s", **where)
        return found[0]["id"] if found else self.make(kind, name=name, **fields)

    def find(self, kinds, **where):
        query = "&".join("%s=%s" % each for each in where.items())
        return self.cloud.get("identity", "/%s?%s" % (kinds, query))[kinds]

    def make(self, kind, **fields):
        return self.cloud.post("identity", "/%ss" % kind, {kind: fields})[kind]["id"]

    def grant(self, role, scopes, scope, user):
        identity = self.find("roles", name=role)[0]["id"]
        self.cloud.put("identity", "/%s/%s/users/%s/roles/%s" % (scopes, scope, user, identity))


def write_clouds():
    """Writes clouds.yaml as JSON, which is YAML too."""
    clouds = {name: {
        "auth": {"auth_url": AT + "5000/v3", "username": name, "password": place.PASSWORD, "project_name": project,
                 "user_domain_name": "Default", "project_domain_name": "Default"},
        "region_name": place.REGION, "identity_api_version": "3", "compute_api_version": "2.79",
        "volume_api_version": "3.59", "placement_api_version": "1.36",
    } for name, project in PEOPLE.items()}
    with open(place.CLOUDS, "w", encoding="utf-8") as file:
        json.dump({"clouds": clouds}, file, indent=2)
        file.write("\n")
    os.chmod(place.CLOUDS, 0o644)
