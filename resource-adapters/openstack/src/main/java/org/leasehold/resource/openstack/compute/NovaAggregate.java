package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A set of hosts in Nova.
 *
 * @param zone the availability zone of its hosts; a host cannot be in a second one
 */
public record NovaAggregate(
        String id,
        String name,
        @Nullable String zone,
        Map<String, String> metadata,
        SortedSet<String> hosts) {

    /** The name of the aggregate of leasable hosts that no lease has. */
    public static final String FREEPOOL = "freepool";

    /** The prefix of the zones of reservations. */
    private static final String ZONE_PREFIX = "blazar_";

    public NovaAggregate {
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
        hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
    }

    public static String zoneOf(ReservationId reservation) {
        return ZONE_PREFIX + reservation;
    }

    public boolean isOfReservation() {
        return zone != null && isReservationZone(zone);
    }

    /** Returns whether an availability zone is that of a reservation. */
    public static boolean isReservationZone(String zone) {
        return zone.startsWith(ZONE_PREFIX);
    }

    /** Returns the names of the aggregate and of its hosts. */
    public List<String> resourceNames() {
        return Stream.concat(
                        Stream.of("aggregate/" + name), hosts.stream().map(host -> "host/" + host))
                .toList();
    }

    public boolean hasMetadata(Map<String, String> wanted) {
        return metadata.entrySet().containsAll(wanted.entrySet());
    }

    /** All aggregates at the time of a query. */
    public record Listing(List<NovaAggregate> aggregates) {

        public Listing {
            aggregates = List.copyOf(aggregates);
        }

        /** Returns the things of reservations, from their aggregates. */
        public Map<ReservationId, List<String>> resourcesByReservation(
                Predicate<NovaAggregate> which) {
            Map<ReservationId, List<String>> things = new LinkedHashMap<>();
            for (NovaAggregate aggregate : aggregates) {
                if (which.test(aggregate)) {
                    ReservationId.find(aggregate.name())
                            .ifPresent(holder -> things.put(holder, aggregate.resourceNames()));
                }
            }
            return things;
        }

        public Optional<NovaAggregate> findByName(String name) {
            return aggregates.stream().filter(each -> each.name().equals(name)).findFirst();
        }

        /** Returns the aggregate that defines a host's availability zone. */
        public Optional<NovaAggregate> zoneOf(String host) {
            return aggregates.stream()
                    .filter(each -> each.zone() != null && each.hosts().contains(host))
                    .findFirst();
        }

        /**
         * Checks that a host is in the freepool, in no reservation, and up.
         *
         * @throws CloudFailure if not
         */
        public void requireLeasable(Hypervisor hypervisor) {
            Optional<NovaAggregate> zone = zoneOf(hypervisor.host());
            if (zone.isPresent()) {
                throw new CloudFailure(
                        Fault.Kind.INSUFFICIENT_RESOURCES,
                        CloudFailure.NO_ANSWER,
                        "The host %s is in another availability zone".formatted(hypervisor.name()),
                        "The host %s is in the aggregate %s"
                                .formatted(hypervisor.name(), zone.get().name()));
            }
            if (!isInFreepool(hypervisor.host())) {
                // A host that was enrolled a moment ago may not be in the pool yet.
                throw new CloudFailure(
                        Fault.Kind.RETRYABLE,
                        CloudFailure.NO_ANSWER,
                        "The host %s is not in the %s".formatted(hypervisor.name(), FREEPOOL));
            }
            if (!hypervisor.isUsable()) {
                throw hypervisor.failure("is down or disabled");
            }
        }

        /** Returns whether a host is leased as a whole, or can be. */
        public boolean hasLeasableHost(String host) {
            return aggregates.stream()
                    .filter(each -> each.hosts().contains(host))
                    .anyMatch(each -> each.name().equals(FREEPOOL) || each.isOfReservation());
        }

        /** Returns whether a host is neither in the freepool nor in an aggregate with a zone. */
        public boolean isUnassigned(String host) {
            return zoneOf(host).isEmpty() && !isInFreepool(host);
        }

        private boolean isInFreepool(String host) {
            return findByName(FREEPOOL).filter(pool -> pool.hosts().contains(host)).isPresent();
        }

        /** Returns whether it can be leased as a whole, and is not; some may lease slots. */
        public boolean isFree(String host) {
            return isInFreepool(host)
                    && zoneOf(host).filter(NovaAggregate::isOfReservation).isEmpty();
        }
    }
}
