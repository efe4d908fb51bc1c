package org.leasehold.command.whatif;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
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

/** The events of two hosts, one in the east and one in the west, by the hour. */
final class TwoHostEvents {

    static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
    static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Happened> happened = new ArrayList<>();

    private record Happened(String stream, Instant at, List<Object> events) {}

    TwoHostEvents() {
        enrol(1, "east");
        enrol(2, "west");
    }

    static Instant hour(double hours) {
        return START.plus(Duration.ofMinutes(Math.round(hours * 60)));
    }

    static LeasePeriod hours(int from, int to) {
        return new LeasePeriod(hour(from), hour(to));
    }

    static LeaseId lease(int number) {
        return new LeaseId(new UUID(1, number));
    }

    static ReservationId reservation(int number) {
        return new ReservationId(new UUID(2, number));
    }

    private void enrol(long id, String zone) {
        ResourceEvent event =
                new ResourceEnrolled(
                        new ResourceId(id),
                        HOST,
                        "host-" + id,
                        null,
                        zone,
                        Map.of("vcpus", 8),
                        Map.of());
        happen(id, START.minus(Duration.ofHours(1)), event);
    }

    /** Adds an event of a host. */
    void happen(long host, Instant at, ResourceEvent event) {
        happened.add(new Happened("resource-" + host, at, List.of(event)));
    }

    /** Adds events of a lease. */
    void happen(int lease, Instant at, LeaseEvent... events) {
        happened.add(new Happened(lease(lease).toString(), at, List.<Object>of((Object[]) events)));
    }

    private static List<ReservationWish> wishes(int number, int hosts) {
        return List.of(
                new ReservationWish(
                        reservation(number), HOST, HostOnlyPlugins.parameters(hosts, hosts)));
    }

    static List<Allocation> hosts(long... ids) {
        return Arrays.stream(ids)
                .mapToObj(id -> new Allocation(new ResourceId(id), "host-" + id, Map.of()))
                .toList();
    }

    static LeaseRequested requested(int lease, LeasePeriod period, int hosts) {
        return new LeaseRequested(
                lease(lease),
                new ProjectId("p"),
                new UserId("u"),
                "lease " + lease,
                period,
                null,
                wishes(lease, hosts),
                null);
    }

    static ReservationGranted granted(int lease, LeasePeriod period, long... hosts) {
        return new ReservationGranted(
                lease(lease), reservation(lease), period, Duration.ZERO, hosts(hosts));
    }

    /** Adds a lease that gets these hosts, and has them from the first to the last minute. */
    TwoHostEvents leased(int lease, double askedAt, LeasePeriod period, long... hosts) {
        happen(
                lease,
                hour(askedAt),
                requested(lease, period, hosts.length),
                granted(lease, period, hosts));
        Tenure tenure = new Tenure(reservation(lease), lease);
        happen(lease, period.start(), new LeaseStarting(lease(lease), List.of(tenure)));
        happen(
                lease,
                period.start().plus(MINUTE),
                new ReservationActivated(lease(lease), reservation(lease)),
                new LeaseActivated(lease(lease)));
        happen(
                lease,
                period.end(),
                new LeaseEnding(lease(lease), EndCause.WINDOW_OVER, List.of(tenure)));
        happen(
                lease,
                period.end().plusMillis(1),
                new ReservationReleased(lease(lease), reservation(lease)),
                new LeaseEnded(lease(lease), EndCause.WINDOW_OVER));
        return this;
    }

    private static Shortage shortage(int lease, int wanted, LeasePeriod period) {
        return new Shortage(reservation(lease), HOST, wanted, 2, 0, period, 0, null);
    }

    /** Adds a lease that is refused this number of hosts. */
    TwoHostEvents refused(int lease, double at, LeasePeriod period, int hosts) {
        happen(
                lease,
                hour(at),
                new LeaseRefused(
                        lease(lease),
                        new ProjectId("p"),
                        new UserId("u"),
                        "lease " + lease,
                        period,
                        null,
                        wishes(lease, hosts),
                        List.of(shortage(lease, hosts, period)),
                        Long.MAX_VALUE,
                        null));
        return this;
    }

    /** Adds a refused attempt of a request for one host, with another one planned. */
    TwoHostEvents retried(int lease, double at, LeasePeriod period, RetryPlan plan) {
        happen(
                lease,
                hour(at),
                new LeaseRetryScheduled(
                        lease(lease),
                        new ProjectId("p"),
                        new UserId("u"),
                        "lease " + lease,
                        period,
                        null,
                        wishes(lease, 1),
                        plan,
                        List.of(shortage(lease, 1, period)),
                        Long.MAX_VALUE,
                        null));
        return this;
    }

    /** Adds a lease that gets these hosts, and is deleted before it starts. */
    TwoHostEvents deleted(int lease, double askedAt, double at, LeasePeriod period, long... hosts) {
        happen(
                lease,
                hour(askedAt),
                requested(lease, period, hosts.length),
                granted(lease, period, hosts));
        happen(
                lease,
                hour(at),
                new LeaseEnding(lease(lease), EndCause.DELETED, List.of()),
                new ReservationReleased(lease(lease), reservation(lease)),
                new LeaseEnded(lease(lease), EndCause.DELETED),
                new LeaseDeleted(lease(lease)));
        return this;
    }

    /** Adds a refused prolongation of a lease of one host. */
    TwoHostEvents notProlonged(int lease, double at, LeasePeriod wished) {
        happen(
                lease,
                hour(at),
                new LeaseChangeRefused(
                        lease(lease),
                        wished,
                        wishes(lease, 1),
                        List.of(shortage(lease, 1, wished)),
                        Long.MAX_VALUE));
        return this;
    }

    /**
     * Adds a lease of both hosts, whose second one is removed. The cloud fails to take it back, and
     * an operator retries that an hour later.
     */
    TwoHostEvents reduced(int lease, double askedAt, LeasePeriod period, double removedAt) {
        ReservationId leaving = new ReservationId(new UUID(3, lease));
        Tenure tenure = new Tenure(leaving, 100L + lease);
        LeaseId id = lease(lease);
        happen(lease, hour(askedAt), requested(lease, period, 1), granted(lease, period, 1));
        happen(
                lease,
                hour(askedAt + 0.25),
                new ReservationAdded(
                        id, new ReservationWish(leaving, HOST, HostOnlyPlugins.parameters(1, 1))),
                granted(lease, period, 1),
                new ReservationGranted(id, leaving, period, Duration.ZERO, hosts(2)));
        Tenure kept = new Tenure(reservation(lease), lease);
        happen(lease, period.start(), new LeaseStarting(id, List.of(kept, tenure)));
        happen(
                lease,
                period.start().plus(MINUTE),
                new ReservationActivated(id, reservation(lease)));
        happen(
                lease,
                period.start().plus(MINUTE.multipliedBy(2)),
                new ReservationActivated(id, leaving),
                new LeaseActivated(id));
        happen(lease, hour(removedAt), new ReservationRemoved(id, leaving, tenure));
        happen(
                lease,
                hour(removedAt + 0.1),
                new ReservationFailed(
                        id, leaving, Action.END, new Fault(Fault.Kind.PERMANENT, "no answer")));
        happen(lease, hour(removedAt + 1), new ReservationRemoved(id, leaving, tenure));
        happen(lease, hour(removedAt + 1.1), new ReservationReleased(id, leaving));
        happen(lease, period.end(), new LeaseEnding(id, EndCause.WINDOW_OVER, List.of(kept)));
        happen(
                lease,
                period.end().plusMillis(1),
                new ReservationReleased(id, reservation(lease)),
                new LeaseEnded(id, EndCause.WINDOW_OVER));
        return this;
    }

    /**
     * Adds a lease of the first host that gets the second one, too. Before the start, it exchanges
     * that reservation for another of the same host.
     */
    TwoHostEvents exchanged(int lease, double askedAt, LeasePeriod period, double exchangedAt) {
        LeaseId id = lease(lease);
        ReservationId leaving = new ReservationId(new UUID(3, lease));
        ReservationId joining = new ReservationId(new UUID(4, lease));
        happen(lease, hour(askedAt), requested(lease, period, 1), granted(lease, period, 1));
        happen(
                lease,
                hour(askedAt + 0.25),
                added(id, leaving),
                granted(lease, period, 1),
                new ReservationGranted(id, leaving, period, Duration.ZERO, hosts(2)));
        happen(
                lease,
                hour(exchangedAt),
                added(id, joining),
                new ReservationRemoved(id, leaving, null),
                new ReservationReleased(id, leaving),
                granted(lease, period, 1),
                new ReservationGranted(id, joining, period, Duration.ZERO, hosts(2)));
        return this;
    }

    private static ReservationAdded added(LeaseId lease, ReservationId reservation) {
        return new ReservationAdded(
                lease, new ReservationWish(reservation, HOST, HostOnlyPlugins.parameters(1, 1)));
    }

    List<RecordedEvent> recorded() {
        List<RecordedEvent> recorded = new ArrayList<>();
        happened.stream()
                .sorted(Comparator.comparing(Happened::at))
                .forEach(
                        each ->
                                each.events()
                                        .forEach(
                                                event ->
                                                        recorded.add(
                                                                new RecordedEvent(
                                                                        recorded.size() + 1L,
                                                                        each.stream(),
                                                                        0,
                                                                        event,
                                                                        each.at()))));
        return recorded;
    }
}
