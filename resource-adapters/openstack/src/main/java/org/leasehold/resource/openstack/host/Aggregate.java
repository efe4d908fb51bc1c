package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ReservationId;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A set of hosts in Nova.
 *
 * @param zone the availability zone that its hosts are; a host can be in no second one
 */
record Aggregate(
        String id,
        String name,
        @Nullable String zone,
        Map<String, String> metadata,
        SortedSet<String> hosts) {

    /** Where hosts are that may be leased, and are not. */
    static final String FREEPOOL = "freepool";

    /** What the zones of reservations begin with. */
    private static final String ZONES = "blazar_";

    Aggregate {
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
        hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
    }

    static String zoneOf(ReservationId reservation) {
        return ZONES + reservation;
    }

    /** Whose it is; empty unless both its name and its zone say so. */
    Optional<ReservationId> reservation() {
        try {
            return Optional.of(ReservationId.of(name)).filter(its -> zoneOf(its).equals(zone));
        } catch (IllegalArgumentException anotherName) {
            return Optional.empty();
        }
    }

    boolean isOfReservation() {
        return zone != null && zone.startsWith(ZONES);
    }

    boolean says(Map<String, String> wanted) {
        return metadata.entrySet().containsAll(wanted.entrySet());
    }

    /** All aggregates that there were when it was looked. */
    record Listing(List<Aggregate> aggregates) {

        Listing {
            aggregates = List.copyOf(aggregates);
        }

        Optional<Aggregate> named(String name) {
            return aggregates.stream().filter(each -> each.name().equals(name)).findFirst();
        }

        /** The one that makes a host's availability zone. */
        Optional<Aggregate> zoneOf(String host) {
            return aggregates.stream()
                    .filter(each -> each.zone() != null && each.hosts().contains(host))
                    .findFirst();
        }
    }
}
