package org.leasehold.command.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;

import java.util.List;

/** Tests the deletion of a lease. */
class LeaseDeletionTest extends LeaseLifeFixture {

    @Test
    void a_deletion_of_a_pending_lease_completes_at_once() {
        given(pending())
                .when(new DeleteLease(LEASE))
                .expectEvents(
                        new LeaseEnding(LEASE, EndCause.DELETED, List.of()),
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.DELETED),
                        new LeaseDeleted(LEASE));
    }

    @Test
    void a_deletion_of_a_started_lease_requires_a_release_first() {
        for (List<LeaseEvent> state : List.of(starting(), active(), ending())) {
            prepare();
            given(state)
                    .at(START)
                    .when(new DeleteLease(LEASE))
                    .expectEvents(new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));
        }
    }

    @Test
    void a_confirmed_release_completes_a_deletion() {
        given(with(active(), new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE))))
                .at(START)
                .when(new ConfirmRelease(LEASE, TENURE))
                .expectEvents(
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.DELETED),
                        new LeaseDeleted(LEASE));
    }

    @Test
    void an_ended_lease_is_deleted_at_once() {
        given(ended()).at(END).when(new DeleteLease(LEASE)).expectEvents(new LeaseDeleted(LEASE));
    }

    @Test
    void a_deleted_lease_is_not_found() {
        given(with(ended(), new LeaseDeleted(LEASE)))
                .at(END)
                .when(rename("weekly"))
                .rejected(new LeaseNotFound(LEASE));
    }

    @Test
    void a_refused_lease_is_not_found() {
        given(
                        new LeaseRefused(
                                LEASE, PROJECT, USER, "x", PERIOD, null, List.of(), List.of(), 1,
                                null))
                .when(new DeleteLease(LEASE))
                .rejected(new LeaseNotFound(LEASE));
    }
}
