package org.leasehold.resource.openstack.host;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaServer;

import java.util.Optional;

/** Finds a host for an enrolment, and whether it can be leased. */
final class HostDiscovery {

    private static final String IRONIC = "ironic";

    private final Nova nova;
    private final HostDescriptions descriptions;
    private final HostZones zones;

    HostDiscovery(Nova nova, HostDescriptions descriptions, HostZones zones) {
        this.nova = nova;
        this.descriptions = descriptions;
        this.zones = zones;
    }

    /** Finds a host by {@link Nova#searchHypervisor}. The result has the full name. */
    Discovery discover(String name) {
        try {
            return nova.searchHypervisor(name)
                    .map(this::describe)
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    private Discovery describe(Hypervisor hypervisor) {
        NovaAggregate.Listing aggregates = nova.aggregates();
        Optional<String> obstacle = obstacle(hypervisor, aggregates);
        if (obstacle.isPresent()) {
            return new Discovery.Unknown(new Fault(Fault.Kind.PERMANENT, obstacle.get()));
        }
        return hypervisor.servers().isEmpty()
                ? descriptions.describe(hypervisor, zones.read(aggregates))
                : new Discovery.InUse(
                        hypervisor.name(),
                        nova.serversOn(hypervisor.host()).stream().map(NovaServer::name).toList());
    }

    /** Returns why a host cannot be leased, whether it is in use or not. */
    private static Optional<String> obstacle(
            Hypervisor hypervisor, NovaAggregate.Listing aggregates) {
        if (IRONIC.equals(hypervisor.attributes().get("hypervisor_type"))) {
            return Optional.of(
                    "The host %s is a node of Ironic: those share a compute service, and what is"
                                    .formatted(hypervisor.name())
                            + " done to one would be done to all");
        }
        return aggregates
                .zoneOf(hypervisor.host())
                .filter(aggregate -> !aggregate.isOfReservation())
                .map(
                        other ->
                                "The host %s is in the availability zone %s: Nova gives it no other"
                                        .formatted(hypervisor.name(), other.zone()));
    }
}
