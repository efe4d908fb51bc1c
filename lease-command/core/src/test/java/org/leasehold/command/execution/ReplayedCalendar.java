package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The calendar at each position according to the events, with its grants and refusals. Leases have
 * one reservation each, of whole hosts that all match; two windows are the same or apart.
 */
final class ReplayedCalendar {

    private final int hosts;
    private final Map<LeaseId, ReservationWish> wishes = new HashMap<>();
    private final Map<LeaseId, LeasePeriod> windows = new HashMap<>();
    private final Map<LeasePeriod, Map<LeaseId, Set<ResourceId>>> claims = new HashMap<>();

    /** The numbers of free hosts in a window, by the position from which they apply. */
    private final Map<LeasePeriod, NavigableMap<Long, Integer>> free = new HashMap<>();

    int refused;

    /** The number of grants of fewer hosts than the maximum. */
    int smaller;

    ReplayedCalendar(int hosts) {
        this.hosts = hosts;
    }

    /** Fails if the event is wrong at its position. */
    void take(long position, LeaseEvent event) {
        switch (event) {
            case LeaseRequested asked -> {
                wishes.put(asked.leaseId(), asked.reservations().getFirst());
                windows.put(asked.leaseId(), asked.period());
            }
            case ReservationGranted granted -> granted(position, granted);
            case LeaseRefused no -> refused(no);
            case LeaseEnding ending -> ended(position, ending.leaseId());
            case LeaseDeleted deleted -> ended(position, deleted.leaseId());
            default -> {}
        }
    }

    private void granted(long position, ReservationGranted granted) {
        Map<LeaseId, Set<ResourceId>> others = claimsIn(granted.period());
        Set<ResourceId> taken = new HashSet<>();
        others.values().forEach(taken::addAll);
        Set<ResourceId> got =
                granted.allocations().stream()
                        .map(Allocation::resource)
                        .collect(Collectors.toSet());
        assertThat(got).as("granted twice at %s", position).noneMatch(taken::contains);
        int max = number(wishes.get(granted.leaseId()), "max");
        assertThat(got)
                .as("smaller than the calendar holds at %s", position)
                .hasSize(Math.min(max, hosts - taken.size()));
        smaller += got.size() < max ? 1 : 0;
        others.put(granted.leaseId(), got);
        count(position, granted.period());
    }

    private void refused(LeaseRefused no) {
        int least = number(no.reservations().getFirst(), "min");
        Map.Entry<Long, Integer> then =
                free.getOrDefault(no.period(), new TreeMap<>()).floorEntry(no.asOf());
        assertThat(then == null ? hosts : then.getValue())
                .as("free at %s for a refused lease of %s", no.asOf(), least)
                .isLessThan(least);
        refused++;
    }

    private void ended(long position, LeaseId lease) {
        LeasePeriod window = windows.get(lease);
        if (claimsIn(window).remove(lease) != null) {
            count(position, window);
        }
    }

    private Map<LeaseId, Set<ResourceId>> claimsIn(LeasePeriod window) {
        return claims.computeIfAbsent(window, _ -> new HashMap<>());
    }

    private void count(long position, LeasePeriod window) {
        int taken = claimsIn(window).values().stream().mapToInt(Set::size).sum();
        free.computeIfAbsent(window, _ -> new TreeMap<>()).put(position, hosts - taken);
    }

    private static int number(ReservationWish wish, String name) {
        return ((Number) Objects.requireNonNull(wish.parameters().get(name))).intValue();
    }
}
