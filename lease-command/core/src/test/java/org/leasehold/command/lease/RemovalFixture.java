package org.leasehold.command.lease;

import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** A lease of a host and a network, and removals of its reservations. */
abstract class RemovalFixture extends LeaseLifeFixture {

    static final Tenure HOST = tenure(10);
    static final Tenure NETWORK = tenure(11);
    static final Tenure SERVER = tenure(12);
    static final ReservationId JOINER = new ReservationId(new UUID(1, 14));
    static final ReservationWish JOINER_WISH = wish(JOINER, LayeredPlugins.HOST);

    static final List<ReservationWish> WISHES =
            List.of(
                    wish(HOST.reservation(), LayeredPlugins.HOST),
                    wish(NETWORK.reservation(), LayeredPlugins.NETWORK));

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

    static Tenure tenure(long number) {
        return new Tenure(new ReservationId(new UUID(1, number)), GENERATION);
    }

    static ReservationWish wish(ReservationId id, ResourceKind kind) {
        return new ReservationWish(id, kind, HostOnlyPlugins.parameters(1, 1));
    }

    static ChangeLease remove(Tenure... tenures) {
        return remove(
                Arrays.stream(tenures).map(Tenure::reservation).toArray(ReservationId[]::new));
    }

    static ChangeLease remove(ReservationId... ids) {
        return new ChangeLease(LEASE, null, null, null, null, List.of(), List.of(), List.of(ids));
    }

    static ChangeLease exchange(Tenure leaving, ReservationWish joining) {
        return new ChangeLease(
                LEASE,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(joining),
                List.of(leaving.reservation()));
    }

    static ChangeLease add(ReservationWish wish) {
        return new ChangeLease(LEASE, null, null, null, null, List.of(), List.of(wish));
    }

    static LeaseEvent removed(Tenure reservation, @Nullable Tenure tenure) {
        return new ReservationRemoved(LEASE, reservation.reservation(), tenure);
    }

    static LeaseEvent released(Tenure tenure) {
        return new ReservationReleased(LEASE, tenure.reservation());
    }

    static LeaseEvent grant(ReservationId id, long host) {
        return new ReservationGranted(LEASE, id, PERIOD, Duration.ZERO, List.of(allocation(host)));
    }

    static List<LeaseEvent> pairGranted() {
        return List.of(
                new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, WISHES, null),
                grant(HOST.reservation(), 1),
                grant(NETWORK.reservation(), 2));
    }

    static List<LeaseEvent> withServer() {
        return with(
                pairGranted(),
                new ReservationAdded(LEASE, wish(SERVER.reservation(), LayeredPlugins.SERVER)),
                grant(SERVER.reservation(), 3));
    }

    static List<LeaseEvent> pairStarting() {
        return with(pairGranted(), new LeaseStarting(LEASE, List.of(HOST, NETWORK)));
    }

    static List<LeaseEvent> pairActive() {
        return with(
                pairStarting(),
                new ReservationActivated(LEASE, HOST.reservation()),
                new ReservationActivated(LEASE, NETWORK.reservation()),
                new LeaseActivated(LEASE));
    }
}
