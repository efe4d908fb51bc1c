package org.leasehold.saga.retry;

import org.jspecify.annotations.Nullable;
import org.leasehold.saga.fakes.InMemoryTable;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A table of waiting requests for a single thread. */
public final class InMemoryRetriedRequests implements RetriedRequests {

    private final InMemoryTable<Row> rows = new InMemoryTable<>();

    /**
     * A stored request.
     *
     * @param since the time of its first refused attempt
     * @param wokenFor the time of the early attempt that follows; null for none
     */
    private record Row(Waiting request, Instant since, @Nullable Instant wokenFor) {

        Instant due(FreedCapacity freed, Instant now) {
            Instant due = now;
            if (request.earlyFrom() != null && request.earlyFrom().isAfter(due)) {
                due = request.earlyFrom();
            }
            boolean waits =
                    freed.heldBefore() && request.window().start().isBefore(freed.window().start());
            return waits && freed.window().start().isAfter(due) ? freed.window().start() : due;
        }

        /** Returns a time that grows with the last early attempt; the first one for none. */
        Instant lastEarly() {
            return request.earlyFrom() == null ? Instant.MIN : request.earlyFrom();
        }

        boolean fits(FreedCapacity freed, Instant now) {
            return (wokenFor == null || due(freed, now).isBefore(wokenFor))
                    && request.kinds().contains(freed.kind().value())
                    && request.window().overlaps(freed.window())
                    && due(freed, now).isBefore(request.nextAttempt());
        }
    }

    @Override
    public void await(List<Waiting> requests) {
        for (Waiting next : requests) {
            Instant since =
                    rows.find(next.lease().toString()).map(Row::since).orElse(next.cause().at());
            rows.put(next.lease().toString(), new Row(next, since, null));
        }
    }

    @Override
    public boolean isAny(Instant now) {
        return rows.all().stream()
                .anyMatch(
                        row ->
                                row.request().nextAttempt().isAfter(now)
                                        && (row.wokenFor() == null || row.wokenFor().isAfter(now)));
    }

    @Override
    public List<Woken> wake(FreedCapacity freed, Instant now, int limit) {
        List<Row> fit =
                rows.all().stream()
                        .filter(row -> row.fits(freed, now))
                        .sorted(
                                Comparator.comparing((Row row) -> row.due(freed, now).isAfter(now))
                                        .thenComparing(Row::lastEarly)
                                        .thenComparing(Row::since)
                                        .thenComparing(row -> row.request().lease().toString()))
                        .limit(limit)
                        .toList();
        fit.forEach(
                row ->
                        rows.put(
                                row.request().lease().toString(),
                                new Row(row.request(), row.since(), row.due(freed, now))));
        return fit.stream()
                .sorted(Comparator.comparing(row -> row.due(freed, now)))
                .map(
                        row ->
                                new Woken(
                                        row.request().lease(),
                                        row.due(freed, now),
                                        row.request().cause()))
                .toList();
    }

    @Override
    public void remove(Collection<LeaseId> leases, Instant dueBefore) {
        rows.removeIf(
                row ->
                        leases.contains(row.request().lease())
                                || row.request().nextAttempt().isBefore(dueBefore));
    }
}
