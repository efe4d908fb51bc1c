package org.leasehold.query.booking;

import static org.leasehold.query.booking.BookingEventLog.minute;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.AccountEntry.What;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.readmodel.usage.Usages.Use;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The usage that follows from the accounts of leases and the state of resources in each minute. */
final class AccountedUsage {

    private static final BigDecimal ZERO = BigDecimal.valueOf(0, 6);

    private final BookingEventLog journal;

    AccountedUsage(BookingEventLog journal) {
        this.journal = journal;
    }

    /** Returns the usage by a value, in a window, as of a position. */
    Map<String, Usage> find(@Nullable String by, Instant from, Instant until, @Nullable Long asOf) {
        long last = asOf == null ? Long.MAX_VALUE : asOf;
        List<RecordedEvent> changes =
                journal.events(ResourceEvent.class).stream()
                        .filter(event -> event.position() <= last)
                        .toList();
        List<RecordedEvent> looks =
                journal.events(UseObserved.class).stream()
                        .filter(event -> event.position() <= last)
                        .toList();
        Map<String, Usage> lines = new TreeMap<>();
        for (List<RecordedEvent> life : journal.lives().values()) {
            List<RecordedEvent> known =
                    life.stream().filter(event -> event.position() <= last).toList();
            String project = known.isEmpty() ? "" : BookingProjection.ownerOf(known);
            for (AccountEntry entry : LeaseAccounts.of(LeaseBookings.of(known), until)) {
                Instant at = entry.starts().isBefore(from) ? from : entry.starts();
                while (entry.what() != What.OVERRUN && at.isBefore(entry.ends())) {
                    Instant next = nextMinute(at);
                    next = next.isAfter(entry.ends()) ? entry.ends() : next;
                    String value =
                            switch (by) {
                                case null -> null;
                                case Usages.BY_LEASE -> known.getFirst().stream();
                                case Usages.BY_PROJECT -> project;
                                case Usages.BY_RESOURCE -> entry.resource().toString();
                                case Usages.BY_ZONE ->
                                        entry.resource().value() % 2 == 0 ? "east" : "west";
                                default -> gpu(entry.resource(), at, changes);
                            };
                    lines.merge(
                            String.valueOf(value),
                            usage(value, entry, Duration.between(at, next), seen(entry, at, looks)),
                            (one, other) ->
                                    new Usage(
                                            value,
                                            null,
                                            one.kind(),
                                            one.reserved().add(other.reserved()),
                                            one.active().add(other.active()),
                                            one.use().plus(other.use())));
                    at = next;
                }
            }
        }
        return lines;
    }

    private static Usage usage(
            @Nullable String value, AccountEntry entry, Duration time, @Nullable UseObserved seen) {
        BigDecimal seconds =
                BigDecimal.valueOf(time.toNanos() / 1000, 6)
                        .multiply(BigDecimal.valueOf(entry.slots()));
        return new Usage(
                value,
                null,
                ResourceKind.PHYSICAL_HOST,
                seconds,
                entry.what() == What.ACTIVE ? seconds : ZERO,
                seen == null
                        ? new Use(ZERO, ZERO, ZERO, ZERO)
                        : new Use(
                                seconds,
                                seen.servers() == 0 ? seconds : ZERO,
                                seconds.multiply(BigDecimal.valueOf(seen.servers())),
                                seconds.multiply(BigDecimal.valueOf(seen.vcpus()))));
    }

    /** Returns the last observation of an entry by an instant; null if there is none. */
    private static @Nullable UseObserved seen(
            AccountEntry entry, Instant at, List<RecordedEvent> looks) {
        if (entry.what() != What.ACTIVE || entry.promised().share() != null) {
            return null;
        }
        String stream = entry.reservation() + "/" + entry.resource();
        return looks.stream()
                .filter(look -> look.stream().equals(stream) && !look.decidedAt().isAfter(at))
                .reduce((_, later) -> later)
                .map(look -> (UseObserved) look.event())
                .orElse(null);
    }

    private static Instant nextMinute(Instant at) {
        return minute(
                1 + Math.floorDiv(Duration.between(minute(0), at).toNanos(), 60_000_000_000L));
    }

    private static @Nullable String gpu(
            ResourceId resource, Instant at, List<RecordedEvent> changes) {
        @Nullable String gpu = null;
        for (RecordedEvent event : changes) {
            if (event.stream().equals(resource.toString()) && !event.decidedAt().isAfter(at)) {
                gpu =
                        switch (event.event()) {
                            case ResourceEnrolled _ -> "V100";
                            case ResourceChanged(_, var set, _) -> set.get("gpu");
                            default -> throw new AssertionError(event);
                        };
            }
        }
        return gpu;
    }
}
