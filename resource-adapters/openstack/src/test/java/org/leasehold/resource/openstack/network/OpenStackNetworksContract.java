package org.leasehold.resource.openstack.network;

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

/** The contract of all plug-ins, with networks. */
abstract class OpenStackNetworksContract extends OpenStackPluginContract {

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return new OpenStackNetworksProvider().create(settings);
    }

    /** Returns three segments without a network. */
    abstract List<String> segments();

    @Override
    protected List<String> resourceNames() {
        return segments();
    }

    @Override
    protected String unknownName() {
        return "flat/physnet1/1";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of(
                "network_name", "contract",
                "network_description", "of the contract",
                "network_properties", "[\"==\", \"$network_type\", \"vlan\"]",
                "resource_properties", "");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("network_name", "changed");
    }

    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "network",
                        assignment ->
                                byHand(
                                        cloud -> {
                                            Neutron neutron = new Neutron(cloud);
                                            neutron.networksOf(assignment.reservation())
                                                    .forEach(neutron.fencedBy(() -> true)::delete);
                                        })));
    }
}
