package org.leasehold.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.whatif.TwoHostEvents.hour;
import static org.leasehold.command.whatif.TwoHostEvents.hours;
import static org.leasehold.command.whatif.TwoHostEvents.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tests the order in which commands are decided again. */
class CommandEventGrouperTest {

    private final List<Long> order = new ArrayList<>();
    private final CommandEventGrouper grouper =
            new CommandEventGrouper(turn -> order.add(turn.position()));

    private void add(int position, LeaseEvent event) {
        grouper.add(
                new RecordedEvent(position, event.leaseId().toString(), 0, event, hour(position)));
    }

    private static LeaseRefused refused(long asOf) {
        return new LeaseRefused(
                lease(1),
                new ProjectId("p"),
                new UserId("u"),
                "nightly",
                hours(8, 9),
                null,
                List.of(),
                List.of(),
                asOf,
                null);
    }

    private static LeaseRetryScheduled retried(long asOf) {
        return new LeaseRetryScheduled(
                lease(1),
                new ProjectId("p"),
                new UserId("u"),
                "nightly",
                hours(8, 9),
                null,
                List.of(),
                new RetryPlan(1, 1, Duration.ofHours(1), hour(7), hour(8)),
                List.of(),
                asOf,
                null);
    }

    @Test
    void a_refusal_comes_before_the_commands_that_overtook_it() {
        add(1, new LeaseDeleted(lease(2)));
        add(2, new LeaseDeleted(lease(3)));
        add(3, refused(1));
        grouper.finish();

        assertThat(order).containsExactly(1L, 3L, 2L);
    }

    @Test
    void a_refusal_that_repeats_an_earlier_one_comes_in_order() {
        add(1, new LeaseDeleted(lease(2)));
        add(2, retried(1));
        add(3, new LeaseDeleted(lease(3)));
        add(4, refused(1));
        grouper.finish();

        assertThat(order).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void a_refusal_of_the_last_attempt_comes_before_the_commands_that_overtook_it() {
        add(1, retried(0));
        add(2, new LeaseDeleted(lease(3)));
        add(3, refused(1));
        grouper.finish();

        assertThat(order).containsExactly(1L, 3L, 2L);
    }
}
