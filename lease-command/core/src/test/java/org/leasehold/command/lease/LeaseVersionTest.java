package org.leasehold.command.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.LeaseRejection.VersionMismatch;

import java.util.Set;

/** Tests commands that name the version of a lease that their caller saw. */
class LeaseVersionTest extends LeaseLifeFixture {

    private final LeaseEvent renamed = new LeaseRenamed(LEASE, "b");

    @Test
    void the_second_change_of_the_same_version_is_rejected() {
        given(pending()).when(rename("b"), Set.of(2L)).expectEvents(renamed);
        given(with(pending(), renamed))
                .when(rename("c"), Set.of(2L))
                .rejected(new VersionMismatch(LEASE, 3));
    }

    @Test
    void one_matching_version_of_several_suffices() {
        given(pending()).when(rename("b"), Set.of(1L, 2L)).expectEvents(renamed);
    }

    @Test
    void an_empty_set_of_expected_versions_is_a_mismatch() {
        given(pending()).when(rename("b"), Set.of()).rejected(new VersionMismatch(LEASE, 2));
    }

    @Test
    void a_command_without_effect_is_rejected_on_a_version_mismatch() {
        given(ended())
                .at(END)
                .when(new EndLease(LEASE, EndCause.REQUESTED), Set.of(2L))
                .rejected(new VersionMismatch(LEASE, ended().size()));
    }

    @Test
    void a_deleted_lease_is_not_found_despite_a_version_mismatch() {
        given(with(ended(), new LeaseDeleted(LEASE)))
                .when(rename("b"), Set.of(2L))
                .rejected(new LeaseNotFound(LEASE));
    }
}
