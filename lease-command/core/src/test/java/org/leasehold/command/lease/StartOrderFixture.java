package org.leasehold.command.lease;

import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A lease of a host, a network, a server and a stack, which start one after the other. */
abstract class StartOrderFixture extends LeaseLifeFixture {

    static final Tenure HOST = tenure(10);
    static final Tenure NETWORK = tenure(11);
    static final Tenure SERVER = tenure(12);
    static final Tenure STACK = tenure(13);

    static final ReservationWish SERVER_WISH = wish(SERVER, LayeredPlugins.SERVER);
    static final ReservationWish STACK_WISH = wish(STACK, LayeredPlugins.STACK);

    /** The kinds of the request are in no order. */
    static final List<ReservationWish> WISHES =
            List.of(
                    STACK_WISH,
                    SERVER_WISH,
                    wish(HOST, LayeredPlugins.HOST),
                    wish(NETWORK, LayeredPlugins.NETWORK));

    static final List<Tenure> ALL = List.of(STACK, SERVER, HOST, NETWORK);

    @Override
    @BeforeEach
    void prepare() {
        fixture =
                LeaseAggregateFixture.create(
                        new LayeredPlugins(),
                        LeaseSettings.defaults(),
                        calendar,
                        new UnlimitedLeaseCounts());
    }

    static Tenure tenure(int number) {
        return new Tenure(new ReservationId(new UUID(0, number)), GENERATION);
    }

    static Tenure next(Tenure tenure) {
        return new Tenure(tenure.reservation(), tenure.generation() + 1);
    }

    static ReservationWish wish(Tenure tenure, ResourceKind kind) {
        return new ReservationWish(tenure.reservation(), kind, HostOnlyPlugins.parameters(1, 1));
    }

    static LeaseEvent requested(List<ReservationWish> wishes) {
        return new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, wishes, null);
    }

    static LeaseEvent grant(Tenure tenure) {
        return grant(tenure, tenure.reservation().value().getLeastSignificantBits());
    }

    static LeaseEvent grant(Tenure tenure, long host) {
        return new ReservationGranted(
                LEASE, tenure.reservation(), PERIOD, Duration.ZERO, List.of(allocation(host)));
    }

    static List<LeaseEvent> granted() {
        return List.of(requested(WISHES), grant(STACK), grant(SERVER), grant(HOST), grant(NETWORK));
    }

    static LeaseEvent startingEvent() {
        return new LeaseStarting(LEASE, ALL, List.of(STACK.reservation(), SERVER.reservation()));
    }

    static List<LeaseEvent> starting() {
        return with(granted(), startingEvent());
    }

    static List<LeaseEvent> serverStarts() {
        return with(starting(), activated(NETWORK), activated(HOST, SERVER));
    }

    static List<LeaseEvent> active() {
        return with(
                serverStarts(),
                activated(SERVER, STACK),
                activated(STACK),
                new LeaseActivated(LEASE));
    }

    static LeaseEvent activated(Tenure tenure, Tenure... next) {
        return new ReservationActivated(LEASE, tenure.reservation(), null, orNull(next));
    }

    private static @Nullable List<Tenure> orNull(Tenure... tenures) {
        return tenures.length == 0 ? null : List.of(tenures);
    }

    static LeaseEvent failed(Tenure tenure, Action action) {
        return new ReservationFailed(LEASE, tenure.reservation(), action, fault());
    }

    static Fault fault() {
        return new Fault(Fault.Kind.PERMANENT, "no answer");
    }
}
