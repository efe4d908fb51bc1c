package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.openstack.CloudFailure;

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
 * @param zone the availability zone that its hosts are; a host can be in no second one
 */
public record Aggregate(
        String id,
        String name,
        @Nullable String zone,
        Map<String, String> metadata,
        SortedSet<String> hosts) {

    /** Where hosts are that may be leased, and are not. */
    public static final String FREEPOOL = "freepool";

    /** What the zones of reservations begin with. */
    private static final String ZONES = "blazar_";

    public Aggregate {
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
        hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
    }

    public static String zoneOf(ReservationId reservation) {
        return ZONES + reservation;
    }

    public boolean isOfReservation() {
        return zone != null && zone.startsWith(ZONES);
    }

    /** What is in it, itself first. */
    public List<String> things() {
        return Stream.concat(
                        Stream.of("aggregate/" + name), hosts.stream().map(host -> "host/" + host))
                .toList();
    }

    public boolean says(Map<String, String> wanted) {
        return metadata.entrySet().containsAll(wanted.entrySet());
    }

    /** All aggregates that there were when it was looked. */
    public record Listing(List<Aggregate> aggregates) {

        public Listing {
            aggregates = List.copyOf(aggregates);
        }

        /** What reservations have, as far as their aggregates tell. */
        public Map<ReservationId, List<String>> things(Predicate<Aggregate> which) {
            Map<ReservationId, List<String>> things = new LinkedHashMap<>();
            for (Aggregate aggregate : aggregates) {
                if (which.test(aggregate)) {
                    ReservationId.find(aggregate.name())
                            .ifPresent(its -> things.put(its, aggregate.things()));
                }
            }
            return things;
        }

        public Optional<Aggregate> named(String name) {
            return aggregates.stream().filter(each -> each.name().equals(name)).findFirst();
        }

        /** The one that makes a host's availability zone. */
        public Optional<Aggregate> zoneOf(String host) {
            return aggregates.stream()
                    .filter(each -> each.zone() != null && each.hosts().contains(host))
                    .findFirst();
        }

        /**
         * That a host is in the freepool and no reservation's, and runs.
         *
         * @throws CloudFailure if not
         */
        public void requireLeasable(Hypervisor hypervisor) {
            Optional<Aggregate> zone = zoneOf(hypervisor.host());
            if (zone.isPresent()) {
                throw new CloudFailure(
                        Fault.Kind.INSUFFICIENT_RESOURCES,
                        CloudFailure.NO_ANSWER,
                        "The host %s is in another availability zone".formatted(hypervisor.name()),
                        "The host %s is in the aggregate %s"
                                .formatted(hypervisor.name(), zone.get().name()));
            }
            if (!isInFreepool(hypervisor.host())) {
                // A host that was enrolled a moment ago is on its way into the pool.
                throw new CloudFailure(
                        Fault.Kind.RETRYABLE,
                        CloudFailure.NO_ANSWER,
                        "The host %s is not in the %s".formatted(hypervisor.name(), FREEPOOL));
            }
            if (!hypervisor.usable()) {
                throw hypervisor.lacks("is down or disabled");
            }
        }

        /** Whether a host is neither in the freepool nor in any availability zone's aggregate. */
        public boolean isNowhere(String host) {
            return zoneOf(host).isEmpty() && !isInFreepool(host);
        }

        private boolean isInFreepool(String host) {
            return named(FREEPOOL).filter(pool -> pool.hosts().contains(host)).isPresent();
        }

        /** Whether it may be leased as a whole, and is not; it may have slots of reservations. */
        public boolean isFree(String host) {
            return isInFreepool(host) && zoneOf(host).filter(Aggregate::isOfReservation).isEmpty();
        }
    }
}
