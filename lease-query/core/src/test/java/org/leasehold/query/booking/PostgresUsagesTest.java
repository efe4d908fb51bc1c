package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.vocabulary.ProjectId;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The reserved, active and lost time of leases. */
class PostgresUsagesTest extends UsageFixture {

    @Test
    void reserved_time_before_a_late_start_is_lost() {
        journal.book(1, "astronomy", window(60, 120), share(1, 3));
        journal.start(70, 1);
        journal.end(100, 1, EndCause.REQUESTED);
        follow();

        assertThat(usageLinesBy(null)).containsExactly("null physical:host 7200 5400 1800");
    }

    @Test
    void future_time_is_not_counted() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        follow();

        assertThat(usageLines(question(ANY, null, FROM, TO, minute(61), null)))
                .containsExactly("null physical:host 60 60 0");
        assertThat(usageLines(question(ANY, null, FROM, TO, minute(60), null))).isEmpty();
        assertThat(usageLines(question(ANY, null, minute(30), TO, minute(10), null))).isEmpty();
    }

    @Test
    void usage_is_limited_to_the_queried_window() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        follow();

        assertThat(usageLines(question(ANY, null, minute(100), minute(110), TO, null)))
                .containsExactly("null physical:host 600 600 0");
    }

    @Test
    void usage_is_grouped_by_the_properties_at_the_time() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.start(60, 1);
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        journal.happen(110, new ResourceChanged(new ResourceId(1), Map.of(), Set.of("gpu")));
        follow();

        assertThat(usageLinesBy("gpu"))
                .containsExactly(
                        "A100 physical:host 1800 1800 0",
                        "V100 physical:host 4800 4800 0",
                        "null physical:host 600 600 0");
        assertThat(usageLinesBy(Usages.BY_ZONE))
                .containsExactly(
                        "east physical:host 3600 3600 0", "west physical:host 3600 3600 0");
    }

    @Test
    void reserved_time_outside_the_enrolment_of_a_resource_is_counted() {
        journal.book(1, "astronomy", window(-700, -500), host(1));
        journal.happen(-580, new ResourceRetired(new ResourceId(1)));
        follow();

        assertThat(usageLines(question(ANY, "gpu", minute(-800), TO, TO, null)))
                .containsExactly("V100 physical:host 12000 0 12000");
    }

    @Test
    void usage_is_separate_for_each_kind() {
        journal.enrol(9, "virtual:network");
        journal.book(1, "astronomy", window(60, 120), host(1), host(9));
        follow();

        assertThat(usageLinesBy(Usages.BY_LEASE))
                .containsExactly(
                        lease(1) + " physical:host 3600 0 3600",
                        lease(1) + " virtual:network 3600 0 3600");
    }

    @Test
    void usage_is_filtered_by_project_lease_resource_and_kind() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(120, 180), host(1), host(2));
        follow();

        assertThat(usageLines(of(new Filter(null, new ProjectId("biology"), null, null))))
                .containsExactly("null physical:host 7200 0 7200");
        assertThat(usageLines(of(new Filter(null, null, lease(1), null))))
                .containsExactly("null physical:host 3600 0 3600");
        assertThat(usageLines(of(new Filter(new ResourceId(2), null, null, null))))
                .containsExactly("null physical:host 3600 0 3600");
        assertThat(usageLines(of(new Filter(null, null, null, ResourceKind.NETWORK)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void usage_equals_the_lease_accounts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        live(random);
        AccountedUsage accounts = new AccountedUsage(journal);
        long head = journal.database.head();

        for (int i = 0; i < 6; i++) {
            Instant from = minute(random.nextInt(200)).plusNanos(1000L * random.nextInt(1_000_000));
            Instant to = from.plusSeconds(1 + random.nextLong(10_000));
            Instant now = minute(random.nextInt(100, 300));
            Long asOf = random.nextBoolean() ? null : random.nextLong(1, head + 1);
            for (String by : bys()) {
                assertThat(lines(question(ANY, by, from, to, now, asOf)))
                        .as("by %s as of %s", by, asOf)
                        .isEqualTo(accounts.find(by, from, to.isAfter(now) ? now : to, asOf));
            }
        }
    }

    @Test
    void random_leases_cover_each_measure() {
        live(new SplittableRandom(1));

        assertThat(lines(of(ANY)).values())
                .singleElement()
                .satisfies(usage -> assertThat(usage.active()).isPositive())
                .satisfies(usage -> assertThat(usage.lost()).isPositive())
                .satisfies(usage -> assertThat(usage.use().idle()).isPositive())
                .satisfies(
                        usage ->
                                assertThat(usage.use().observed())
                                        .isBetween(usage.use().idle(), usage.active())
                                        .isNotEqualTo(usage.use().idle()))
                .satisfies(usage -> assertThat(usage.use().vcpus()).isPositive());
        assertThat(lines(question(ANY, "gpu", FROM, TO, TO, null)))
                .hasSizeGreaterThan(1)
                .containsKey("null");
    }

    @Test
    void pages_together_equal_the_whole_list() {
        live(new SplittableRandom(5));
        List<List<String>> splits = new ArrayList<>(PAIRS);
        bys().forEach(by -> splits.add(by == null ? List.of() : List.of(by)));
        for (List<String> by : splits) {
            ListUsage question = split(by, Requirement.none());
            List<Usage> all = usages.page(question).items();
            List<Usage> paged = new ArrayList<>();
            @Nullable String marker = null;
            do {
                Page<Usage> page = usages.page(page(by, TO, marker));
                paged.addAll(page.items());
                marker = page.next();
            } while (marker != null);
            assertThat(paged).as("by " + by).isEqualTo(all).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "physical:host me",
                "usage physical:host",
                "usage physical:host me",
                "usage physical:host \0",
                "usage  ",
                "split physical:host",
                "split physical:host =MQ =MQ"
            })
    void an_unknown_marker_is_rejected(String decoded) {
        for (String by : List.of(Usages.BY_LEASE, Usages.BY_RESOURCE)) {
            String marker =
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(decoded.getBytes(StandardCharsets.UTF_8));
            for (Instant now : List.of(FROM, TO)) {
                var question = page(List.of(by), now, marker);
                assertThatThrownBy(() -> usages.page(question)).isInstanceOf(UnknownMarker.class);
            }
        }
    }

    private static ListUsage page(List<String> by, Instant now, @Nullable String marker) {
        return new ListUsage(HOSTS, by, Requirement.none(), FROM, TO, now, null, marker, 1);
    }
}
