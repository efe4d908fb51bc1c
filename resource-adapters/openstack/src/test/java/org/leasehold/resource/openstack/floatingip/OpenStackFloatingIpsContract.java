package org.leasehold.resource.openstack.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.neutron.Neutron;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with floating IPs. */
abstract class OpenStackFloatingIpsContract extends OpenStackPluginContract {

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return new OpenStackFloatingIpsProvider().create(settings);
    }

    /** Returns the id of an external network. */
    abstract String network();

    /** Returns three addresses of it that are in no pool. */
    abstract List<String> addresses();

    @Override
    protected List<String> resourceNames() {
        return addresses().stream().map(address -> network() + "/" + address).toList();
    }

    @Override
    protected String unknownName() {
        return network() + "/192.0.2.1";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("network_id", network(), "amount", 2);
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }

    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "floating IP",
                        assignment ->
                                byHand(
                                        cloud -> {
                                            Neutron neutron = new Neutron(cloud);
                                            neutron.floatingIpsOf(assignment.reservation())
                                                    .forEach(neutron.fencedBy(() -> true)::delete);
                                        })));
    }
}
