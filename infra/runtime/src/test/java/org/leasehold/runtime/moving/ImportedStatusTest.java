package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The leases in transition, in error, or ended. */
class ImportedStatusTest extends ImportPlannerFixture {

    @Test
    void a_lease_in_transition_blocks_the_import_unless_excluded() {
        for (String status :
                List.of("CREATING", "STARTING", "UPDATING", "TERMINATING", "DELETING")) {
            leases.clear();
            lease("busy", status, 0, 1, whole("pending", "1"));
            assertThat(plan().obstacles()).hasSize(1);
            ImportPlan without = plan(Duration.ZERO, Set.of(leases.getFirst().id()), "");
            assertThat(without.obstacles()).isEmpty();
            assertThat(without.leases()).isEmpty();
            assertThat(without.omissions()).hasSize(1);
        }
    }

    @Test
    void a_lease_with_a_failed_start_is_imported_as_failed() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("error", "1"), whole("active", "2"));
        LeasePast past = past();
        assertThat(past.stage()).isEqualTo(Stage.FAILED);
        assertThat(past.explanation()).isNotNull();
        assertThat(past.reservations())
                .extracting(LeasePast.OfReservation::stage)
                .containsExactly(Stage.FAILED, Stage.ACTIVE);
    }

    private LeasePast past() {
        ImportPlan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        return plan.leases().getFirst().past();
    }

    @Test
    void a_pending_reservation_of_a_failed_start_is_imported_as_failed() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        assertThat(past().reservations().getFirst().stage()).isEqualTo(Stage.FAILED);
    }

    @Test
    void a_lease_in_error_with_a_done_start_is_imported_as_active() {
        lease("changed", "ERROR", "DONE UNDONE", 0, 1, whole("active", "1"));
        ImportPlan plan = plan();
        assertThat(plan.leases().getFirst().past().stage()).isEqualTo(Stage.ACTIVE);
        assertThat(plan.changed()).hasSize(1);
    }

    @Test
    void an_active_reservation_without_an_allocation_blocks_the_import() {
        lease("lost", "ACTIVE", 0, 1, whole("active"));
        assertThat(plan().obstacles()).hasSize(1);
    }

    @Test
    void an_ended_lease_holds_nothing_and_is_left_out_if_unsupported() {
        lease("over", "TERMINATED", 0, 1, whole("deleted", "1"));
        lease("odd", "TERMINATED", 0, 1, unknown("deleted"));
        ImportPlan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.omissions()).hasSize(1);
        assertThat(plan.leases().getFirst().reservations().getFirst().slots()).isEmpty();
    }
}
