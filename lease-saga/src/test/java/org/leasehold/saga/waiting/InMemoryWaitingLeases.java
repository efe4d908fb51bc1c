package org.leasehold.saga.waiting;

import org.leasehold.saga.fakes.InMemoryTable;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A table of waits for a single thread. */
public final class InMemoryWaitingLeases implements WaitingLeases {

    private final InMemoryTable<List<Wait>> rows = new InMemoryTable<>();

    @Override
    public void replaceWaits(Map<LeaseId, List<ReservationId>> awaited) {
        awaited.forEach(
                (lease, reservations) -> {
                    if (reservations.isEmpty()) {
                        rows.remove(lease.toString());
                    } else {
                        rows.put(
                                lease.toString(),
                                reservations.stream().map(r -> new Wait(lease, r)).toList());
                    }
                });
    }

    @Override
    public List<Wait> findWaits(Collection<ReservationId> awaited) {
        return rows.all().stream()
                .flatMap(List::stream)
                .filter(wait -> awaited.contains(wait.awaited()))
                .toList();
    }
}
