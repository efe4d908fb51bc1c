package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.FloatingIpPlanning;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;

/** The plug-in for floating IPs: its planning is the real one, its cloud is a few addresses. */
final class FakeFloatingIpPlugin implements ResourcePlugin, Acting {

    static final String NETWORK = "5a5ff0b4-5f9c-4bd9-8d0c-3f6d1f1d7a01";

    private final Planning planning = new FloatingIpPlanning();

    @Override
    public ResourceKind kind() {
        return ResourceKind.FLOATING_IP;
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
        FloatingIp ip = FloatingIp.fromName(name).orElseThrow();
        if (!ip.network().equals(NETWORK)) {
            return new Discovery.Unfit("Failed to find network " + ip.network());
        }
        return switch (ip.address()) {
            case "192.0.2.1" -> new Discovery.Unfit("192.0.2.1 is the gateway");
            case "192.0.2.2" -> new Discovery.InUse(ip.name(), List.of("a router"));
            case "192.0.2.3" ->
                    new Discovery.Unknown(
                            new Fault(Fault.Kind.RETRYABLE, "Neutron does not answer"));
            default ->
                    ip.address().startsWith("192.0.2.") || ip.address().contains(":")
                            ? new Discovery.Found(ip.name(), null, null, ip.attributes("subnet-1"))
                            : new Discovery.NotFound();
        };
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
