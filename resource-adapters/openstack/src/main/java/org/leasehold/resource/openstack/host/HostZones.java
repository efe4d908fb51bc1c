package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The availability zones of hosts. A host has the zone of its aggregate, else Nova's default zone.
 * The zone of a reservation does not count: the host leaves it with the end of the lease.
 */
final class HostZones {

    /** The name of Nova's default zone, unless the operator has set another. */
    private static final String NOVA_DEFAULT = "nova";

    private final Nova nova;

    /** The last known name. Nova shows it only while a host is in no aggregate with a zone. */
    private volatile String defaultZone = NOVA_DEFAULT;

    HostZones(Nova nova) {
        this.nova = nova;
    }

    /** Returns the function from the host of a compute service to the name of its zone. */
    UnaryOperator<String> read(NovaAggregate.Listing aggregates) {
        findDefault(aggregates).ifPresent(name -> defaultZone = name);
        String ofOthers = defaultZone;
        return host ->
                aggregates
                        .zoneOf(host)
                        .filter(aggregate -> !aggregate.isOfReservation())
                        .flatMap(aggregate -> Optional.ofNullable(aggregate.zone()))
                        .orElse(ofOthers);
    }

    private Optional<String> findDefault(NovaAggregate.Listing aggregates) {
        Set<String> ofAggregates =
                aggregates.aggregates().stream()
                        .flatMap(aggregate -> Stream.ofNullable(aggregate.zone()))
                        .collect(Collectors.toSet());
        return hostsByZone().entrySet().stream()
                .filter(zone -> !ofAggregates.contains(zone.getKey()))
                // A lease may have started after the list of aggregates was read.
                .filter(zone -> !NovaAggregate.isReservationZone(zone.getKey()))
                .filter(
                        zone ->
                                zone.getValue().stream()
                                        .anyMatch(host -> aggregates.zoneOf(host).isEmpty()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns no zones if Nova does not list them: the last known name stays, and hosts work. */
    private Map<String, Set<String>> hostsByZone() {
        try {
            return nova.hostsByZone();
        } catch (CloudFailure failure) {
            return Map.of();
        }
    }
}
