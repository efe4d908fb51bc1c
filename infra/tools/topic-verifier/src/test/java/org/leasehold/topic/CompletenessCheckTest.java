package org.leasehold.topic;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests correct topics, and each way in which a topic can be wrong. */
class CompletenessCheckTest {

    private final CompletenessCheck census = new CompletenessCheck();
    private long offset;

    @Test
    void an_empty_topic_is_complete() {
        assertThat(census.report())
                .isEqualTo(new CompletenessCheck.Report(0, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void a_topic_with_all_numbers_of_all_projects_is_complete() {
        take("a", 1, "lease-1", 0);
        take("b", 1, "lease-2", 0);
        take("a", 2, "lease-3", 0);
        take("a", 3, "lease-1", 1);

        assertThat(census.report())
                .isEqualTo(new CompletenessCheck.Report(4, 0, 2, 3, 1003, 0, List.of()));
    }

    @Test
    void a_repeated_event_is_counted_without_an_error() {
        take("a", 1, "lease-1", 0);
        take("a", 2, "lease-1", 1);
        take("a", 1, "lease-1", 0);

        assertThat(census.report())
                .isEqualTo(new CompletenessCheck.Report(2, 1, 1, 1, 1002, 0, List.of()));
    }

    @Test
    void the_order_between_partitions_does_not_matter() {
        take("a", 3, "lease-2", 1);
        take("a", 2, "lease-1", 0);
        assertThat(census.isComplete()).isFalse();
        CompletenessCheck other = new CompletenessCheck();
        other.countRecord(topicRecord(1, "a", 2, "lease-2", 0));
        other.countRecord(topicRecord(1, "a", 3, "lease-2", 1));
        other.countRecord(topicRecord(0, "a", 1, "lease-1", 0));

        assertThat(other.report().wrongs()).isZero();
    }

    @Test
    void missing_numbers_are_reported_as_ranges() {
        for (int number : List.of(2, 5, 9)) {
            take("a", number, "lease-" + number, 0);
        }
        take("b", 1, "lease", 0);

        assertThat(wrong())
                .containsExactly(
                        "project a: 1 missing",
                        "project a: 3 to 4 missing",
                        "project a: 6 to 8 missing");
    }

    @Test
    void missing_numbers_among_thousands_are_reported() {
        for (int number = 1; number <= 5000; number++) {
            if (number != 1024 && number != 3000) {
                take("a", number, "lease-" + number, 0);
            }
        }

        assertThat(wrong()).containsExactly("project a: 1024 missing", "project a: 3000 missing");
    }

    @Test
    void a_huge_number_is_reported_as_one_missing_range() {
        take("a", 1, "lease-1", 0);
        take("a", Long.MAX_VALUE - 1, "lease-2", 0);

        assertThat(wrong()).containsExactly("project a: 2 to 9223372036854775805 missing");
    }

    @Test
    void two_events_with_one_number_are_reported() {
        take("a", 1, "lease-1", 0);
        census.countRecord(new TopicRecord(2, 9, "lease-2", new UUID(7, 7), "a", 1, 0, 5));

        assertThat(wrong())
                .containsExactly("partition 2, offset 9: number 1 of project a is another event's");
    }

    @Test
    void events_out_of_order_in_a_stream_are_reported() {
        take("a", 1, "lease-1", 0);
        take("a", 3, "lease-1", 2);
        take("a", 2, "lease-1", 1);

        assertThat(wrong())
                .containsExactly(
                        "partition 0, offset 1: event 2 of lease-1 comes where 1 is next",
                        "partition 0, offset 2: event 1 of lease-1 comes where 3 is next");
    }

    @Test
    void a_key_in_two_partitions_is_reported() {
        take("a", 1, "lease-1", 0);
        census.countRecord(topicRecord(4, "a", 2, "lease-1", 1));

        assertThat(wrong())
                .containsExactly("partition 4, offset 1: lease-1 is in partition 0, too");
    }

    @Test
    void gaps_after_the_expected_end_are_not_reported() {
        take("a", 2, "lease-1", 0);
        census.fixHorizon();
        assertThat(census.isComplete()).isFalse();
        take("a", 4, "lease-2", 0);
        take("a", 1, "lease-3", 0);
        take("b", 2, "lease-4", 0);

        assertThat(census.isComplete()).isTrue();
        assertThat(wrong()).isEmpty();
    }

    /** Project b has no later event: the rest of it looks complete. */
    @Test
    void a_lost_tail_is_reported_if_the_last_numbers_are_known() {
        census.setMinimumNumbers(Map.of("a", 4L, "b", 3L));
        census.countRecord(topicRecord(0, "a", 1, "lease-1", 0));
        census.countRecord(topicRecord(0, "b", 1, "lease-2", 0));
        census.countRecord(topicRecord(0, "a", 2, "lease-1", 1));
        census.countRecord(topicRecord(0, "a", 4, "lease-1", 2));
        census.fixHorizon();

        assertThat(census.isComplete()).isFalse();
        assertThat(wrong()).containsExactly("project a: 3 missing", "project b: 2 to 3 missing");
    }

    @Test
    void a_lost_tail_of_thousands_is_reported_as_one_range() {
        census.setMinimumNumbers(Map.of("a", 5000L));
        for (int number = 1; number <= 1023; number++) {
            take("a", number, "lease-" + number, 0);
        }

        assertThat(wrong()).containsExactly("project a: 1024 to 5000 missing");
    }

    @Test
    void an_expected_project_without_events_is_reported() {
        census.setMinimumNumbers(Map.of("a", 1L, "b", 7L, "-", 1L));
        take("a", 1, "lease-1", 0);
        census.fixHorizon();

        assertThat(wrong()).containsExactly("project -: 1 missing", "project b: 1 to 7 missing");
        assertThat(census.report().projects()).as("that are there").isOne();
    }

    @Test
    void late_expected_events_make_the_topic_complete() {
        census.setMinimumNumbers(Map.of("a", 2L, "b", 1L));
        take("a", 1, "lease-1", 0);
        census.fixHorizon();
        assertThat(census.isComplete()).isFalse();
        take("b", 1, "lease-2", 0);
        take("a", 2, "lease-1", 1);

        assertThat(census.isComplete()).isTrue();
        assertThat(wrong()).isEmpty();
    }

    @Test
    void events_beyond_the_expected_number_are_checked_for_gaps() {
        census.setMinimumNumbers(Map.of("a", 1L));
        take("a", 1, "lease-1", 0);
        take("a", 2, "lease-1", 1);
        take("b", 1, "lease-2", 0);
        assertThat(wrong()).isEmpty();
        take("a", 4, "lease-3", 0);
        take("b", 3, "lease-4", 0);

        assertThat(wrong()).containsExactly("project a: 3 missing", "project b: 2 missing");
    }

    @Test
    void the_maximum_long_number_does_not_overflow() {
        take("a", Long.MAX_VALUE, "lease-1", 0);

        assertThat(wrong()).containsExactly("project a: 1 to 9223372036854775806 missing");
    }

    @Test
    void the_report_counts_all_errors_and_lists_20() {
        for (int number = 2; number <= 200; number += 2) {
            take("a", number, "lease-" + number, 0);
        }

        CompletenessCheck.Report report = census.report();
        assertThat(report.wrongs()).isEqualTo(100);
        assertThat(report.wrong()).hasSize(20);
        assertThat(census.report()).isEqualTo(report);
    }

    private List<String> wrong() {
        return new ArrayList<>(census.report().wrong());
    }

    private void take(String project, long number, String key, long sequence) {
        census.countRecord(topicRecord(0, project, number, key, sequence));
    }

    private TopicRecord topicRecord(
            int partition, String project, long number, String key, long sequence) {
        return new TopicRecord(
                partition,
                offset++,
                key,
                UUID.nameUUIDFromBytes((project + number).getBytes(UTF_8)),
                project,
                number,
                sequence,
                1000 + number);
    }
}
