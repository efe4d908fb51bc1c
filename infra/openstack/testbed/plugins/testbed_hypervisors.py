"""Fake hypervisors without real guests. Run as a program, it is nova-compute for many hosts at once:
    testbed_hypervisors.py --config-file nova.conf -- compute-001 compute-002 …
"""

import io
import sys
import uuid

# Imported first: it changes the standard library.
import nova.monkey_patch  # noqa: F401
from nova.image import glance
from nova.virt import fake

# The name in nova.conf; Nova looks for the driver among its own modules.
sys.modules["nova.virt.testbed_hypervisors"] = sys.modules[__name__]


class Hypervisor(fake.FakeDriver):
    """A fake hypervisor: 64 processors, 256 GiB of memory, 4,000 GB of disk. All other parts of Nova are real."""

    vcpus = 64
    memory_mb = 262144
    local_gb = 4000

    def init_host(self, host):
        super().init_host(host)
        self.host_status_base["hypervisor_hostname"] = host

    def get_nodenames_by_uuid(self, refresh=False):
        return {stable_id(node): node for node in self.get_available_nodes()}

    def get_available_resource(self, nodename):
        """Reports the host under the same id after a restart; Nova's own fake takes a new one."""
        return {**super().get_available_resource(nodename), "uuid": stable_id(nodename)}

    def snapshot(self, context, instance, image_id, update_task_state):
        """Uploads an image without contents, which becomes active; Nova's own fake leaves it queued for ever."""
        super().snapshot(context, instance, image_id, update_task_state)
        glance.API().update(context, image_id, {"disk_format": "raw", "container_format": "bare"},
                            io.BytesIO(bytes(1024)), purge_props=False)

    def post_live_migration(self, context, instance, block_device_info, migrate_data=None):
        """Removes the guest from the source host; otherwise it could not return."""
        self.destroy(context, instance, None, block_device_info)

    def post_live_migration_at_destination(self, context, instance, network_info, block_migration=False,
                                           block_device_info=None):
        self.instances[instance.uuid] = fake.FakeInstance(instance.name, 1, instance.uuid)


def stable_id(node):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, node))


def main():
    from nova import config, objects, service
    from nova.compute import rpcapi
    import nova.conf
    from nova.conductor import rpcapi as conductor
    import nova.db.main.api
    from nova.objects import base
    import os_vif
    from oslo_log import log
    from oslo_service import service as services
    from oslo_service import threadgroup

    end = sys.argv.index("--")
    hosts = sys.argv[end + 1:]
    settings = nova.conf.CONF
    config.parse_args(["nova-compute", *sys.argv[1:end]])
    log.setup(settings, "nova")
    objects.register_all()
    os_vif.initialize()
    objects.Service.enable_min_version_cache()
    # As in a real nova-compute: all access to the database goes through the conductor.
    nova.db.main.api.DISABLE_DB_ACCESS = True
    base.NovaObject.indirection_api = conductor.ConductorAPI()
    launcher = services.ServiceLauncher(settings, restart_method="mutate")
    # The default is ten threads, with which an eleventh host would silently never start.
    launcher.services.tg = threadgroup.ThreadGroup(thread_pool_size=len(hosts) + 10)
    for host in hosts:
        settings.set_override("host", host)
        launcher.launch_service(service.Service.create(binary="nova-compute", host=host, topic=rpcapi.RPC_TOPIC))
    launcher.wait()


if __name__ == "__main__":
    main()
