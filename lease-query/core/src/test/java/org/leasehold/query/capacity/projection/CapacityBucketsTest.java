package org.leasehold.query.capacity.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Capacities.TooManySeries;
import org.leasehold.vocabulary.Share;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The measures of capacity in buckets, and the extremes of a series. */
class CapacityBucketsTest extends CapacityTablesFixture {

    @Test
    void a_share_counts_as_the_part_that_it_takes() {
        journal.book(1, "astronomy", window(0, 60), share(1, 3), host(2));
        follow();

        Bucket bucket = first(ask(minute(0), minute(60)));

        assertThat(bucket.reserved()).isEqualByComparingTo("1.75");
        assertThat(bucket.enrolled()).isEqualByComparingTo("4");
        assertThat(bucket.headroom()).isEqualByComparingTo("2.25");
    }

    @Test
    void a_share_of_volume_space_counts_by_the_space() {
        journal.happen(
                -10,
                new ResourceDescribed(
                        new ResourceId(1), null, "west", Map.of("VOLUME_GB", 100), List.of()));
        journal.book(
                1,
                "astronomy",
                window(0, 60),
                host(1).shared(new Share(30, Map.of("VOLUME_GB", 1L, "VCPU", 0L))));
        follow();

        assertThat(first(ask(minute(0), minute(60))).reserved()).isEqualByComparingTo("0.3");
    }

    @Test
    void a_bucket_contains_the_average_of_the_hour() {
        journal.book(1, "astronomy", window(15, 45), host(1));
        journal.book(2, "astronomy", window(30, 75), host(2));
        follow();

        Series series = capacities.findSeries(ask(minute(0), minute(120))).getFirst();

        assertThat(series.buckets())
                .extracting(bucket -> bucket.reserved().stripTrailingZeros().toPlainString())
                .containsExactly("1", "0.25");
        assertThat(series.mostReserved())
                .isEqualTo(new Extreme(minute(30), new BigDecimal("2.000000")));
    }

    @Test
    void a_whole_host_that_runs_no_server_counts_as_idle() {
        journal.book(1, "astronomy", window(0, 60), host(1), share(2, 2));
        journal.start(0, 1);
        journal.see(10, 1, 1, 0, 0);
        journal.see(10, 1, 2, 0, 0);
        follow();
        Bucket seenOnce = first(ask(minute(0), minute(60)));
        journal.see(40, 1, 1, 2, 8);
        follow();
        Bucket seenTwice = first(ask(minute(0), minute(60)));
        journal.end(25, 1, EndCause.REQUESTED);
        follow();
        Bucket ended = first(ask(minute(0), minute(60)));

        assertThat(seenOnce.active()).isEqualByComparingTo("1.5");
        assertThat(seenOnce.idle())
                .isCloseTo(new BigDecimal("0.833333"), within(new BigDecimal("0.000001")));
        assertThat(seenTwice.idle()).isEqualByComparingTo("0.5");
        assertThat(ended.idle()).isEqualByComparingTo("0.25");
        assertThat(violations()).isEmpty();
    }

    @Test
    void a_shortage_begins_when_less_is_left_than_wanted() {
        journal.book(1, "astronomy", window(70, 500), host(1), host(2));
        journal.book(2, "astronomy", window(130, 140), host(3));
        journal.book(3, "astronomy", window(200, 210), host(3), host(4));
        follow();

        assertThat(shortage(1)).isEqualTo(new Extreme(minute(200), new BigDecimal("0.000000")));
        assertThat(shortage(2)).isEqualTo(new Extreme(minute(130), new BigDecimal("1.000000")));
        assertThat(shortage(3)).isEqualTo(new Extreme(minute(70), new BigDecimal("2.000000")));
        assertThat(shortage(5)).isEqualTo(new Extreme(FROM, new BigDecimal("4.000000")));
        journal.end(0, 3, EndCause.DELETED);
        follow();
        assertThat(shortage(1)).isNull();
    }

    private @Nullable Extreme shortage(int wanted) {
        return capacities
                .findSeries(
                        new AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                null,
                                Requirement.none(),
                                null,
                                FROM,
                                TO,
                                Duration.ofHours(3),
                                wanted,
                                null))
                .getFirst()
                .shortage();
    }

    @Test
    void the_peak_is_exact_in_a_query_over_many_hours() {
        for (int i = 0; i < 40; i++) {
            journal.book(i + 1, "astronomy", window(60L * i + 10, 60L * i + 20), host(1));
            journal.book(100 + i, "astronomy", window(60L * i + 20, 60L * i + 30), host(2));
        }
        journal.book(90, "astronomy", window(35L * 60 + 25, 36L * 60), host(3));
        follow();

        Series series = capacities.findSeries(ask(minute(0), minute(40L * 60))).getFirst();

        assertThat(series.mostReserved())
                .isEqualTo(new Extreme(minute(35L * 60 + 25), new BigDecimal("2.000000")));
    }

    @Test
    void a_kind_without_resources_has_a_series_of_zeros() {
        Series series =
                capacities
                        .findSeries(
                                new AskCapacity(
                                        new ResourceKind("virtual:floatingip"),
                                        null,
                                        Requirement.none(),
                                        null,
                                        FROM,
                                        TO,
                                        Capacities.BUCKET_UNIT,
                                        1,
                                        null))
                        .getFirst();

        assertThat(series.buckets()).hasSize(9).allMatch(bucket -> bucket.enrolled().signum() == 0);
        assertThat(series.shortage()).isEqualTo(new Extreme(FROM, new BigDecimal("0.000000")));
    }

    @Test
    void a_query_for_too_many_series_is_rejected() {
        for (int i = 0; i < 6; i++) {
            journal.happen(
                    i,
                    new ResourceChanged(new ResourceId(1), Map.of("gpu", "model-" + i), Set.of()));
        }
        follow();
        Instant to = minute(60L * Capacities.MAX_BUCKETS);

        assertThatThrownBy(
                        () ->
                                capacities.findSeries(
                                        question(
                                                null,
                                                Requirement.none(),
                                                "gpu",
                                                minute(0),
                                                to,
                                                1,
                                                null)))
                .isInstanceOf(TooManySeries.class)
                .hasMessageContaining("5");
    }
}
