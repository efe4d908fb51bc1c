package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.vocabulary.ReservationId;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plug-in for hosts: its planning is the real one, its cloud is a few names. */
final class FakeHostPlugin implements ResourcePlugin, Acting {

    private final Planning planning = new HostPlanning();

    @Override
    public ResourceKind kind() {
        return ResourceKind.PHYSICAL_HOST;
    }

    @Override
    public Planning planning() {
        return planning;
    }

    @Override
    public Acting acting() {
        return this;
    }

    @Override
    public Discovery discover(String name) {
        // The cloud also finds this host by the beginning of the name.
        if (name.startsWith("compute-bus")) {
            return new Discovery.InUse("compute-busy", List.of("web", "db"));
        }
        if (name.equals("compute-dark")) {
            return new Discovery.Unknown(
                    new Fault(Fault.Kind.RETRYABLE, "the compute service does not answer"));
        }
        return name.startsWith("compute-")
                ? new Discovery.Found(name, null, "zone-a", attributes(name))
                : new Discovery.NotFound();
    }

    private static Map<String, @Nullable Object> attributes(String name) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("hypervisor_hostname", name);
        attributes.put("service_name", name + "-service");
        attributes.put("hypervisor_type", "QEMU");
        attributes.put("hypervisor_version", 8_002_000);
        attributes.put("vcpus", 16);
        attributes.put("memory_mb", 65_536);
        attributes.put("local_gb", 1_000);
        attributes.put("cpu_info", "{\"arch\": \"x86_64\"}");
        return attributes;
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result retire(ResourceId id, String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result onStart(Assignment assignment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Survey survey() {
        throw new UnsupportedOperationException();
    }
}
