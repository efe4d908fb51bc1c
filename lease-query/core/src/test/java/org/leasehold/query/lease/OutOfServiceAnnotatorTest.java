package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** A test that a lease shows its resources that are out of service, as long as they are. */
class OutOfServiceAnnotatorTest {

    private static final LeaseId LEASE = LeaseFixtures.lease(1);
    private static final ReservationId RESERVATION = LeaseFixtures.reservation(1);

    private static Database database;

    private final LeaseEventLog journal = new LeaseEventLog(database);
    private final Leases leases = PostgresLeasesFixture.leases(database, journal);

    @BeforeAll
    static void start() {
        database = new Database();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void hosts_in_service() {
        database.empty();
        for (long host = 1; host <= 5; host++) {
            database.jdbc()
                    .update(
                            """
                            INSERT INTO resource (resource_id, kind, name, state, attributes,
                                capabilities, created_at)
                            VALUES (?, 'physical:host', ?, 'ENROLLED', '{}', '{}', now())
                            """,
                            host,
                            "compute-" + host);
        }
    }

    private void requested(long... hosts) {
        journal.append(
                NOON,
                LeaseFixtures.requested(
                        LEASE, ASTRONOMY, "night", LeaseFixtures.hosts(RESERVATION, 1, 5)),
                LeaseFixtures.granted(
                        LEASE,
                        RESERVATION,
                        LongStream.of(hosts)
                                .mapToObj(LeaseFixtures::host)
                                .toArray(Allocation[]::new)));
    }

    private void active(long... hosts) {
        requested(hosts);
        journal.append(
                NOON,
                new LeaseStarting(LEASE, List.of(new Tenure(RESERVATION, 1))),
                new ReservationActivated(LEASE, RESERVATION, Map.of(), null),
                new LeaseActivated(LEASE));
    }

    private static void disable(long host, String reason) {
        state(host, "DISABLED", reason);
    }

    private static void state(long host, String state, String reason) {
        database.jdbc()
                .update(
                        "UPDATE resource SET state = ?, disabled_reason = ? WHERE resource_id = ?",
                        state,
                        reason,
                        host);
    }

    private LeaseView found() {
        LeaseView found = leases.find(LEASE, null).orElseThrow();
        ListLeases all = new ListLeases(null, Set.of(), null, SortDirection.ASCENDING, null, 10);
        assertThat(leases.list(all).items()).containsExactly(found);
        assertThat(leases.findWritten(LEASE, null)).contains(found);
        return found;
    }

    @Test
    void an_active_lease_is_degraded_while_a_host_of_it_is_out_of_service() {
        active(1, 2);
        assertThat(found().degraded()).isFalse();
        assertThat(found().explanation()).isNull();

        disable(2, "a fan is loud");
        assertThat(found().degraded()).isTrue();
        assertThat(found().explanation()).isEqualTo("compute-2 is out of service (a fan is loud).");
        assertThat(found().reservations().getFirst().down()).containsExactly(new ResourceId(2));

        state(2, "ENROLLED", null);
        assertThat(found().degraded()).isFalse();
        assertThat(found().explanation()).isNull();
    }

    @Test
    void a_disabled_host_outside_the_lease_does_not_degrade_it() {
        active(1);
        disable(2, "a fan is loud");

        assertThat(found().degraded()).isFalse();
    }

    @Test
    void a_failed_resource_that_is_disabled_is_explained_once() {
        active(1, 2);
        journal.append(
                NOON, new ResourceFailed(LEASE, RESERVATION, new ResourceId(1), "it is down"));
        disable(1, "The cloud: it is down");

        assertThat(found().reservations().getFirst().down()).containsExactly(new ResourceId(1));
        assertThat(found().explanation())
                .isEqualTo(
                        "Reservation %s lacks compute-1: it is down"
                                .formatted(RESERVATION.value()));
    }

    @Test
    void an_explanation_names_three_hosts_and_counts_the_others() {
        active(1, 2, 3, 4, 5);
        for (long host = 1; host <= 5; host++) {
            disable(host, "dark");
        }

        assertThat(found().explanation())
                .isEqualTo(
                        "compute-1 is out of service (dark); compute-2 is out of service (dark);"
                                + " compute-3 is out of service (dark); and 2 more.");
    }

    @Test
    void a_pending_or_ended_lease_is_not_degraded() {
        requested(1);
        disable(1, "dark");
        // Its start gives it another host.
        assertThat(found().degraded()).isFalse();

        journal.append(
                NOON,
                new LeaseEnding(LEASE, EndCause.REQUESTED, List.of()),
                new LeaseEnded(LEASE, EndCause.REQUESTED));
        assertThat(found().degraded()).isFalse();
    }

    @Test
    void an_explanation_contains_the_error_despite_a_disabled_host() {
        active(1);
        journal.append(
                NOON,
                new ReservationFailed(
                        LEASE,
                        RESERVATION,
                        Action.ADJUST,
                        new Fault(Fault.Kind.DENIED, "not ours")));
        disable(1, "dark");

        assertThat(found().degraded()).isTrue();
        assertThat(found().explanation()).contains("not ours");
    }
}
