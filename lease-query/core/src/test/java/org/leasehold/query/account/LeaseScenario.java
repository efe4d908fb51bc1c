package org.leasehold.query.account;

import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The scenario of a lease: its events in order; times are minutes after noon. */
public final class LeaseScenario {

    public static final LeaseId LEASE = new LeaseId(new UUID(1, 1));
    public static final ReservationId R = new ReservationId(new UUID(2, 1));
    public static final ReservationId JOINER = new ReservationId(new UUID(2, 2));
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final LeaseBookings bookings = new LeaseBookings();
    private final List<RecordedEvent> recorded = new ArrayList<>();

    public static Instant minute(long minute) {
        return NOON.plus(Duration.ofMinutes(minute));
    }

    public static long minute(Instant instant) {
        return Duration.between(NOON, instant).toMinutes();
    }

    public static LeasePeriod window(long start, long end) {
        return new LeasePeriod(minute(start), minute(end));
    }

    public static Allocation host(long number) {
        return new Allocation(new ResourceId(number), "compute-" + number, Map.of());
    }

    public static Allocation share(long number, int slots) {
        return host(number).shared(new Share(slots, Map.of("VCPU", 4L)));
    }

    public static ReservationWish wish(ReservationId reservation) {
        return new ReservationWish(reservation, ResourceKind.PHYSICAL_HOST, Map.of());
    }

    public static LeaseEvent requested(LeasePeriod period) {
        return new LeaseRequested(
                LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "a lease",
                period,
                null,
                List.of(wish(R)),
                null);
    }

    public static LeaseEvent granted(LeasePeriod period, Allocation... allocations) {
        return granted(R, period, allocations);
    }

    public static LeaseEvent granted(
            ReservationId reservation, LeasePeriod period, Allocation... allocations) {
        return new ReservationGranted(
                LEASE, reservation, period, Duration.ofMinutes(5), List.of(allocations));
    }

    public static LeaseEvent starting(ReservationId... reservations) {
        return new LeaseStarting(LEASE, tenures(reservations));
    }

    public static List<Tenure> tenures(ReservationId... reservations) {
        return Arrays.stream(reservations).map(each -> new Tenure(each, 1)).toList();
    }

    public static LeaseEvent ending(EndCause cause, ReservationId... holding) {
        return new LeaseEnding(LEASE, cause, tenures(holding));
    }

    public static LeaseEvent released(ReservationId reservation) {
        return new ReservationReleased(LEASE, reservation);
    }

    public static LeaseEvent ended(EndCause cause) {
        return new LeaseEnded(LEASE, cause);
    }

    public static LeaseEvent deleted() {
        return new LeaseDeleted(LEASE);
    }

    /** Returns a lease that is requested at once, from 60 to 300, with two hosts. */
    public static LeaseScenario pending() {
        return new LeaseScenario()
                .at(0, requested(window(60, 300)), granted(window(60, 300), host(1), host(2)));
    }

    /** Returns the same, started on time; the cloud took a minute. */
    public static LeaseScenario active() {
        return pending()
                .at(60, starting(R))
                .at(61, new ReservationActivated(LEASE, R), new LeaseActivated(LEASE));
    }

    public LeaseScenario at(long minute, LeaseEvent... events) {
        for (LeaseEvent event : events) {
            bookings.apply(event, minute(minute));
            recorded.add(
                    new RecordedEvent(
                            recorded.size() + 1L,
                            LEASE.toString(),
                            recorded.size(),
                            event,
                            minute(minute)));
        }
        return this;
    }

    public LeaseBookings bookings() {
        return bookings;
    }

    public List<RecordedEvent> recorded() {
        return List.copyOf(recorded);
    }

    /** Returns lines such as {@code 1 ACTIVE 60-300}, with the slots if there are more than one. */
    List<String> account(long until) {
        return LeaseAccounts.of(bookings, minute(until)).stream()
                .sorted(
                        Comparator.comparing(AccountEntry::resource)
                                .thenComparing(AccountEntry::starts))
                .map(LeaseScenario::text)
                .toList();
    }

    private static String text(AccountEntry entry) {
        return "%s %s%s %s-%s"
                .formatted(
                        entry.resource(),
                        entry.what(),
                        entry.slots() == 1 ? "" : " x" + entry.slots(),
                        minute(entry.starts()),
                        minute(entry.ends()));
    }
}
