package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;

/** The leases that hold the same resource or too much of it. */
class ImportedAllocationsTest extends ImportPlannerFixture {

    @Test
    void a_failed_and_an_active_lease_that_hold_one_host_block_the_import() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        lease("waiting", "PENDING", 8, 9, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("running", "ACTIVE", 4, 5, whole("active", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new ImportMessage(
                                "lease %s (running)".formatted(leases.getLast().id()),
                                "has physical:host compute-1 in its hands, as has lease %s (old):"
                                                .formatted(leases.getFirst().id())
                                        + " one of the two is to be left behind"));
    }

    @Test
    void slots_held_by_a_failed_lease_do_not_block_the_import() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, slots("error", "1"));
        lease("running", "ACTIVE", 4, 5, slots("active", "1"));
        assertThat(plan().obstacles()).isEmpty();
    }

    @Test
    void overlapping_leases_of_one_host_block_the_import() {
        lease("one", "PENDING", 0, 2, whole("pending", "1"));
        lease("other", "PENDING", 1, 3, whole("pending", "1"));
        lease("next", "PENDING", 3, 4, whole("pending", "1"));
        assertThat(plan().obstacles())
                .singleElement()
                .satisfies(
                        obstacle -> {
                            assertThat(obstacle.about()).contains("(other)");
                            assertThat(obstacle.text()).contains("compute-1", "(one)");
                        });
    }

    @Test
    void a_gap_shorter_than_the_cleaning_time_blocks_the_import() {
        lease("one", "PENDING", 0, 1, whole("pending", "1"));
        lease("next", "PENDING", 1, 2, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        assertThat(plan(Duration.ofMinutes(1), Set.of(), "").obstacles())
                .singleElement()
                .satisfies(
                        obstacle -> assertThat(obstacle.text()).contains("cleaning time of PT1M"));
    }

    @Test
    void leases_beyond_the_capacity_of_a_host_block_the_import() {
        // It has 8 cores, a slot takes 2.
        lease("two", "PENDING", 0, 4, slots("pending", "1", "1"));
        lease("more", "PENDING", 1, 2, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("later", "PENDING", 3, 4, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("too many", "PENDING", 0, 2, slots("pending", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new ImportMessage(
                                "lease %s (too many)".formatted(leases.getLast().id()),
                                "takes physical:host compute-1 beyond what it has: 10 of 8 VCPU"));
    }

    @Test
    void instances_on_an_exclusively_leased_host_block_the_import() {
        lease("whole", "PENDING", 0, 2, whole("pending", "1"));
        lease("slots", "PENDING", 1, 3, slots("pending", "1"));
        assertThat(plan().obstacles()).hasSize(1);
    }
}
