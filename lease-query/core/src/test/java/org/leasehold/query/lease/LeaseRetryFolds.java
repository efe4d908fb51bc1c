package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ADA;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BEFORE_END;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.RetryPlan;
import org.leasehold.readmodel.lease.LeaseRetries;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The states of a lease that the calendar could not hold at first. */
abstract class LeaseRetryFolds extends LeaseEndFolds {

    static LeaseEvent refusal() {
        return new LeaseRefused(
                LEASE,
                ASTRONOMY,
                ADA,
                "night",
                PERIOD,
                null,
                List.of(hosts(FIRST, 9, 9)),
                List.of(),
                7,
                null);
    }

    @Test
    void a_retried_lease_shows_the_refused_attempts_and_the_next_one() {
        LeaseView lease = after(retried(1), retried(2));

        assertThat(lease.status()).isEqualTo(LeaseStatus.RETRYING);
        assertThat(lease.explanation())
                .isEqualTo(
                        "The calendar cannot hold it yet. The next attempt is at"
                                + " 2030-01-01T12:20:00Z.");
        assertThat(lease.retries())
                .isEqualTo(
                        new LeaseRetries(
                                List.of(
                                        new LeaseRetries.Attempt(minute(0), List.of()),
                                        new LeaseRetries.Attempt(minute(1), List.of())),
                                8,
                                minute(20)));
        assertThat(lease.reservations()).extracting(ReservationView::id).containsExactly(FIRST);
        assertThat(lease.reservations().getFirst().allocations()).isEmpty();
        assertThat(lease.degraded()).isFalse();
        assertThat(lease.scheduledEvents()).isEmpty();
        assertThat(lease.version()).isEqualTo(2);
    }

    @Test
    void a_granted_retry_is_a_usual_lease_with_the_first_time_of_creation() {
        LeaseView lease = after(retried(1), REQUESTED, FIRST_GRANTED);

        assertThat(lease.status()).isEqualTo(LeaseStatus.PENDING);
        assertThat(lease.explanation()).isNull();
        assertThat(lease.createdAt()).isEqualTo(minute(0));
        assertThat(lease.updatedAt()).isEqualTo(minute(1));
        assertThat(lease.version()).isEqualTo(3);
        assertThat(lease.scheduledEvents()).hasSize(3);
        assertThat(lease.retries())
                .isEqualTo(
                        new LeaseRetries(
                                List.of(new LeaseRetries.Attempt(minute(0), List.of())), 0, null));
    }

    @Test
    void a_retried_lease_is_gone_after_the_refusal_or_deletion() {
        assertThat(fold(retried(1), refusal())).isNull();
        assertThat(fold(retried(1), new LeaseDeleted(LEASE))).isNull();
    }

    @Test
    void a_view_has_only_the_newest_attempts() {
        LeaseEvent[] attempts =
                IntStream.rangeClosed(1, 25)
                        .mapToObj(LeaseFoldTest::retried)
                        .toArray(LeaseEvent[]::new);

        assertThat(after(attempts).retries().attempts())
                .extracting(LeaseRetries.Attempt::at)
                .hasSize(20)
                .endsWith(minute(24));
    }

    @Test
    void a_view_has_the_reasons_of_the_newest_attempts_only() {
        Shortage one = new Shortage(FIRST, ResourceKind.PHYSICAL_HOST, 1, 4, 0, PERIOD, 0, null);
        List<Shortage> many = Collections.nCopies(60, one);

        LeaseView lease = after(retried(1, many), retried(2, many), retried(3, many));

        assertThat(lease.retries().attempts())
                .extracting(attempt -> attempt.shortages().size())
                .containsExactly(0, 0, 60);
    }

    static LeaseEvent retried(int attempt) {
        return retried(attempt, List.of());
    }

    static LeaseEvent retried(int attempt, List<Shortage> shortages) {
        return new LeaseRetryScheduled(
                LEASE,
                ASTRONOMY,
                ADA,
                "night",
                PERIOD,
                BEFORE_END,
                List.of(hosts(FIRST, 1, 2)),
                new RetryPlan(
                        attempt,
                        10 - attempt,
                        Duration.ofMinutes(10),
                        minute(10 * attempt),
                        PERIOD.start()),
                shortages,
                7,
                null);
    }
}
