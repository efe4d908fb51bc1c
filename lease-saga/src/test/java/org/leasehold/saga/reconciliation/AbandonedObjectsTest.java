package org.leasehold.saga.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Comparison;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.util.List;

/** Tests the report of servers, trusts and leases that nothing needs any longer. */
class AbandonedObjectsTest extends ReconciliationFixture {

    @Test
    void a_server_on_a_host_without_a_lease_is_reported() {
        cloud.surveys(() -> squatting(null));

        assertThat(drift.compare().squatters())
                .containsExactly(
                        new Drift.Squatter(HOSTS, "42", "web", "node2", new ProjectId("p1"), null));
    }

    @Test
    void a_server_in_a_slot_of_an_ended_reservation_is_reported() {
        cloud.surveys(() -> squatting(RESERVATION));
        world.holds(RESERVATION, LEASE);
        assertThat(drift.compare().squatters()).isEmpty();

        world.holdsNothing(RESERVATION);
        assertThat(drift.compare().squatters())
                .extracting(Drift.Squatter::reservation)
                .containsExactly(RESERVATION);
    }

    @Test
    void a_server_of_a_reservation_that_starts_or_ends_meanwhile_is_ignored() {
        cloud.surveys(
                () -> {
                    world.holds(RESERVATION, LEASE);
                    return squatting(RESERVATION);
                });
        assertThat(drift.compare().squatters()).isEmpty();

        cloud.surveys(
                () -> {
                    world.holdsNothing(RESERVATION);
                    return squatting(RESERVATION);
                });
        assertThat(drift.compare().squatters()).isEmpty();
    }

    @Test
    void a_trust_without_a_lease_is_reported() {
        TrustId id = new TrustId("trust-1");
        trusts = new Given.Known(List.of(new Trust(id, new UserId("ada"), new ProjectId("p1"))));

        assertThat(drift.compare().orphans())
                .containsExactly(new Drift.Orphan(id, new UserId("ada"), new ProjectId("p1")));
    }

    @Test
    void a_failed_trust_query_reports_no_orphaned_trusts() {
        trusts = new Given.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        Comparison found = drift.compare();

        assertThat(found.orphans()).isEmpty();
        assertThat(found.unseen())
                .containsExactly(new Drift.Unseen(new ResourceKind("trust"), "away"));
    }

    @Test
    void a_lease_of_a_deleted_or_disabled_project_is_reported() {
        ProjectId project = Samples.view(LEASE, PERIOD).projectId();
        standing = new Search.Known(Standing.DELETED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, true));

        standing = new Search.Known(Standing.DISABLED);
        assertThat(drift.compare().abandoned())
                .containsExactly(new Drift.Abandoned(LEASE, project, false));
    }

    @Test
    void a_failed_project_query_reports_no_abandoned_leases() {
        standing = new Search.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        Comparison found = drift.compare();

        assertThat(found.abandoned()).isEmpty();
        assertThat(found.unseen())
                .containsExactly(new Drift.Unseen(new ResourceKind("project"), "away"));
    }
}
