package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Tests the limit of unfinished leases of a project. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LeaseCountTest extends LeaseCountFixture {

    @Test
    void a_project_at_the_limit_gets_no_lease_until_one_ends() {
        List<LeaseId> leases = ids(MAX_LEASES);
        leases.forEach(lease -> assertThat(create(first, lease)).isInstanceOf(Accepted.class));

        assertThat(create(first)).isEqualTo(tooMany());
        assertThat(create(second)).isEqualTo(tooMany());
        assertThat(counted()).isEqualTo(MAX_LEASES);
        assertThat(rehearse(first).outcome()).isEqualTo(tooMany());

        assertThat(send(second, new DeleteLease(leases.getFirst()))).isInstanceOf(Accepted.class);
        assertThat(rehearse(first).outcome()).isInstanceOf(Accepted.class);
        assertThat(create(first)).isInstanceOf(Accepted.class);
        assertThat(create(second)).isEqualTo(tooMany());
    }

    @Test
    void each_project_has_a_separate_lease_count() {
        ids(MAX_LEASES).forEach(lease -> create(first, lease));
        ProjectId other = new ProjectId("o-" + UUID.randomUUID());

        assertThat(send(first, creation(LeaseId.of(UUID.randomUUID().toString()), other)))
                .isInstanceOf(Accepted.class);
        assertThat(counted(other)).isOne();
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void a_node_with_an_outdated_count_does_not_exceed_the_limit() {
        assertThat(create(first)).isInstanceOf(Accepted.class);
        IntStream.range(1, MAX_LEASES).forEach(_ -> create(second));

        // Its memory has one lease.
        assertThat(create(first)).isEqualTo(tooMany());
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void a_refused_or_rejected_creation_is_not_counted() throws SQLException {
        assertThat(send(first, hopeless(project))).isInstanceOf(Refused.class);
        LeaseId lease = new LeaseId(UUID.randomUUID());
        create(first, lease);
        assertThat(create(second, lease)).isInstanceOf(Rejected.class);

        assertThat(counted()).isOne();
    }
}
